use graphwright_core::Statement;

use super::*;

fn rewrite(text: &'static str) -> String {
    match for_embedded(&Statement::fixed(text)) {
        Ok(rewritten) => rewritten.text,
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn rewrites_read_as_expected() {
    let texts = [
        "MATCH (n:A {x: 1, name: $n})-[r:R]->(:B {y: 2}) WHERE n.z > 1 OR n.z < 0 RETURN n.name, count(*) AS c ORDER BY n.name",
        "MATCH (n:A&!B|C) WHERE n:X|Y RETURN n",
        "MATCH (n:A&B&!C)-[r:!R*1..2]->(m:%) RETURN n",
        "MATCH (n:A) WHERE EXISTS { MATCH (n)-[:R]->(m:B {x: 1}) WHERE EXISTS { (m)-->(n) } RETURN m } RETURN n",
        "MATCH (n) WHERE NOT (n)-[:R]->(:B {x: 1}) AND exists((n)-->()) AND exists(n.title) RETURN (n)-->()",
        "MATCH (n) RETURN [(n)-[:R]->(m:B {x: 1}) WHERE m.y = 2 | m.name]",
        "MATCH (n) WHERE 1 < n.x <= 3 AND n.y = 2 RETURN 1 < 2 < 3 AS x",
        "MATCH (a)-[:R*]->(b), (a)-[*2..]-(c), (a)-[*..3]->(d) RETURN a",
        "MATCH (a)(()-[:KNOWS]->()){1,2}(b) RETURN b.x",
        "MATCH (a)-[:KNOWS]->+(b) RETURN b.x",
        "MATCH (n) RETURN avg(n.x) > 1 AND min(n.x) < 3, n.y AS y, n.y + count(*)",
        "MATCH (n) RETURN stDev(n.x), percentileCont(n.x, 0.5), percentileDisc(n.x, 0.5)",
        "MATCH p = shortestPath((a:A {x: 1})-[:R*]-(b:B)) RETURN p",
        "MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m.x ORDER BY m.x } AS l",
        "MATCH (n) WHERE COUNT { MATCH (n)-->(m) RETURN DISTINCT m.x } > 2 RETURN n",
        "MATCH (n) CALL { WITH n SET n.flag = true } RETURN count(*)",
        "MATCH (n) CALL (n) { CREATE (m:T) } RETURN count(*)",
        "MATCH (a:A) MERGE (a)-[:R {w: 1}]->(c:City {name: 'LA'}) ON CREATE SET c.x = 1 RETURN c.name",
        "MATCH (a:A), (b:B) MERGE (a)-[r:R]->(b) ON MATCH SET r.x = 1 RETURN r",
        "MATCH (n) RETURN keys(n), labels(n), n['title'], n[n.k], [1, 2][0], n {.name, title, .*}",
        "WITH 1 AS end RETURN end /* x */ ;",
        "CALL db.labels() YIELD label RETURN label ORDER BY label",
        "RETURN 'it\\'s \\u00e9 \\\\d', \"a\\\"b\"",
        "MATCH (a WHERE a.x > 1)-[r:R WHERE r.w > 2]->(b) RETURN *",
        "RETURN duration.between(date('2020-01-01'), date('2020-03-01')).months",
        "UNWIND [1] AS x RETURN x AS größe",
    ];
    let rows: Vec<_> = texts.into_iter().map(|text| format!("{text}\n  {}", rewrite(text))).collect();
    insta::assert_snapshot!(rows.join("\n"), @r#"
MATCH (n:A {x: 1, name: $n})-[r:R]->(:B {y: 2}) WHERE n.z > 1 OR n.z < 0 RETURN n.name, count(*) AS c ORDER BY n.name
  MATCH (n:A )-[r:R]->(__gw_1:B ) WHERE n.x = 1 AND n.name_ = $n AND __gw_1.y = 2 AND ( n.z > 1 OR n.z < 0) RETURN n.name_ AS `n.name`, count(*) AS c ORDER BY `n.name`
MATCH (n:A&!B|C) WHERE n:X|Y RETURN n
  MATCH (n) WHERE ((n:A AND NOT (n:B)) OR n:C) AND ( (n:X OR n:Y)) RETURN n
MATCH (n:A&B&!C)-[r:!R*1..2]->(m:%) RETURN n
  MATCH (n:A:B)-[r*1..2]->(m) WHERE NOT (n:C) AND all(__gw_1 IN r WHERE NOT (type(__gw_1) = 'R')) AND any(label IN labels(m) WHERE label <> 'Node') RETURN n
MATCH (n:A) WHERE EXISTS { MATCH (n)-[:R]->(m:B {x: 1}) WHERE EXISTS { (m)-->(n) } RETURN m } RETURN n
  MATCH (n:A) WHERE (0 < COUNT { MATCH (n)-[:R]->(m:B ) WHERE m.x = 1 AND ( (0 < COUNT { (m)-->(n) }))  }) RETURN n
MATCH (n) WHERE NOT (n)-[:R]->(:B {x: 1}) AND exists((n)-->()) AND exists(n.title) RETURN (n)-->()
  MATCH (n) WHERE NOT (0 < COUNT { (n)-[:R]->(__gw_1:B ) WHERE __gw_1.x = 1 }) AND (0 < COUNT { (n)-->() }) AND ((n.title_) IS NOT NULL) RETURN (0 < COUNT { (n)-->() }) AS `(n)-->()`
MATCH (n) RETURN [(n)-[:R]->(m:B {x: 1}) WHERE m.y = 2 | m.name]
  MATCH (n) RETURN [(n)-[:R]->(m:B ) WHERE m.x = 1 AND ( m.y = 2) | m.name_] AS `[(n)-[:R]->(m:B {x: 1}) WHERE m.y = 2 | m.name]`
MATCH (n) WHERE 1 < n.x <= 3 AND n.y = 2 RETURN 1 < 2 < 3 AS x
  MATCH (n) WHERE (1 < n.x AND n.x <= 3) AND n.y = 2 RETURN (1 < 2 AND 2 < 3) AS x
MATCH (a)-[:R*]->(b), (a)-[*2..]-(c), (a)-[*..3]->(d) RETURN a
  MATCH (a)-[:R*1..1000000000]->(b), (a)-[*2..1000000000]-(c), (a)-[*1..3]->(d) RETURN a
MATCH (a)(()-[:KNOWS]->()){1,2}(b) RETURN b.x
  MATCH (a)-[:KNOWS*1..2]->(b) RETURN b.x AS `b.x`
MATCH (a)-[:KNOWS]->+(b) RETURN b.x
  MATCH (a)-[:KNOWS*1..1000000000]->(b) RETURN b.x AS `b.x`
MATCH (n) RETURN avg(n.x) > 1 AND min(n.x) < 3, n.y AS y, n.y + count(*)
  MATCH (n) WITH n.y AS __gw_1, avg(n.x) AS __gw_2, min(n.x) AS __gw_3, count(*) AS __gw_4 RETURN __gw_2 > 1 AND __gw_3 < 3 AS `avg(n.x) > 1 AND min(n.x) < 3`, __gw_1 AS y, __gw_1 + __gw_4 AS `n.y + count(*)`
MATCH (n) RETURN stDev(n.x), percentileCont(n.x, 0.5), percentileDisc(n.x, 0.5)
  MATCH (n) WITH `stDev`(n.x) AS __gw_1, percentile_cont(n.x, 0.5) AS __gw_2, collect(n.x) AS __gw_3, percentile_disc(n.x, 0.5) AS __gw_4 RETURN coalesce(__gw_1, 0.0) AS `stDev(n.x)`, __gw_2 AS `percentileCont(n.x, 0.5)`, head([__gw_v IN __gw_3 WHERE __gw_v = __gw_4]) AS `percentileDisc(n.x, 0.5)`
MATCH p = shortestPath((a:A {x: 1})-[:R*]-(b:B)) RETURN p
  MATCH (a:A ), (b:B) WHERE a.x = 1 MATCH p = shortestPath((a)-[:R*1..1000000000]-(b)) RETURN p
MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m.x ORDER BY m.x } AS l
  MATCH (n) CALL (*) { MATCH (n)-->(m) WITH m.x AS __gw_2 ORDER BY m.x RETURN collect([__gw_2]) AS __gw_1 } RETURN [__gw_v IN __gw_1 | __gw_v[0]] AS l
MATCH (n) WHERE COUNT { MATCH (n)-->(m) RETURN DISTINCT m.x } > 2 RETURN n
  MATCH (n) CALL (*) { MATCH (n)-->(m) WITH DISTINCT m.x AS __gw_2  RETURN count(*) AS __gw_1 } WITH * WHERE __gw_1 > 2 RETURN n
MATCH (n) CALL { WITH n SET n.flag = true } RETURN count(*)
  MATCH (n) FOREACH (__gw_1 IN [1] |  SET n.flag = true ) RETURN count(*) AS `count(*)`
MATCH (n) CALL (n) { CREATE (m:T) } RETURN count(*)
  MATCH (n) FOREACH (__gw_1 IN [1] |  CREATE (m:T) ) RETURN count(*) AS `count(*)`
MATCH (a:A) MERGE (a)-[:R {w: 1}]->(c:City {name: 'LA'}) ON CREATE SET c.x = 1 RETURN c.name
  MATCH (a:A) FOREACH (__gw_4 IN CASE WHEN COUNT { (a)-[__gw_2:R]->(__gw_3:City) WHERE __gw_2.w = 1 AND __gw_3.name_ = 'LA' } = 0 THEN [1] ELSE [] END | CREATE (a)-[__gw_1:R {w: 1}]->(c:City {name_: 'LA'}) SET c.x = 1) WITH * MATCH (a)-[__gw_1:R]->(c:City) WHERE __gw_1.w = 1 AND c.name_ = 'LA' RETURN c.name_ AS `c.name`
MATCH (a:A), (b:B) MERGE (a)-[r:R]->(b) ON MATCH SET r.x = 1 RETURN r
  MATCH (a:A), (b:B) MERGE (a)-[r:R]->(b) ON MATCH SET r.x = 1 RETURN r
MATCH (n) RETURN keys(n), labels(n), n['title'], n[n.k], [1, 2][0], n {.name, title, .*}
  MATCH (n) RETURN ([__gw_1 IN keys(n) WHERE NOT __gw_1 IN ['id', 'title', 'name', 'type', 'label', 'node_type', '__id', '__title', '__overflow_data', '__overflow_offsets'] AND NOT __gw_1 STARTS WITH '__vector:' | CASE WHEN __gw_1 =~ '(id|title|name|type|label|node_type|__id|__title|__overflow_data|__overflow_offsets)_+' THEN substring(__gw_1, 0, size(__gw_1) - 1) ELSE __gw_1 END]) AS `keys(n)`, ([__gw_2 IN labels(n) WHERE NOT __gw_2 IN ['Node', 'KgliteRecipe', 'KgliteSkill'] | CASE WHEN __gw_2 =~ '(Node|KgliteRecipe|KgliteSkill)_+' THEN substring(__gw_2, 0, size(__gw_2) - 1) ELSE __gw_2 END]) AS `labels(n)`, n['title_'] AS `n['title']`, n[CASE WHEN toString(n.k) =~ '(id|title|name|type|label|node_type|__id|__title|__overflow_data|__overflow_offsets)_*' THEN n.k + '_' ELSE n.k END] AS `n[n.k]`, [1, 2][0] AS `[1, 2][0]`, n {.name_, title_: title, .*} AS `n {.name, title, .*}`
WITH 1 AS end RETURN end /* x */ ;
  WITH 1 AS `end` RETURN `end`   
CALL db.labels() YIELD label RETURN label ORDER BY label
  MATCH (__gw_n) UNWIND [__gw_l IN labels(__gw_n) WHERE NOT __gw_l IN ['Node', 'KgliteRecipe', 'KgliteSkill'] | CASE WHEN __gw_l =~ '(Node|KgliteRecipe|KgliteSkill)_+' THEN substring(__gw_l, 0, size(__gw_l) - 1) ELSE __gw_l END] AS __gw_name WITH DISTINCT __gw_name AS label RETURN label ORDER BY label
RETURN 'it\'s \u00e9 \\d', "a\"b"
  RETURN 'it\'s é \\d' AS `'it\'s é \\d'`, 'a"b' AS `'a"b'`
MATCH (a WHERE a.x > 1)-[r:R WHERE r.w > 2]->(b) RETURN *
  MATCH (a )-[r:R ]->(b) WHERE (a.x > 1) AND (r.w > 2) RETURN *
RETURN duration.between(date('2020-01-01'), date('2020-03-01')).months
  RETURN (duration.inMonths(date('2020-01-01'), date('2020-03-01')) + duration.inDays(date('2020-01-01') + duration.inMonths(date('2020-01-01'), date('2020-03-01')), date('2020-03-01')) + duration.inSeconds(date('2020-01-01') + duration.inMonths(date('2020-01-01'), date('2020-03-01')) + duration.inDays(date('2020-01-01') + duration.inMonths(date('2020-01-01'), date('2020-03-01')), date('2020-03-01')), date('2020-03-01'))).months AS `duration.between(date('2020-01-01'), date('2020-03-01')).months`
UNWIND [1] AS x RETURN x AS größe
  UNWIND [1] AS x RETURN x AS `größe`
"#);
}

#[test]
fn offsets_lead_back_through_all_passes() {
    let text = "MATCH (n:A {x: 1}) WHERE EXISTS { (n)-->() } RETURN nope";
    let rewritten = for_embedded(&Statement::fixed(text)).unwrap();
    let place = rewritten.text.find("nope").unwrap();
    assert_eq!(&text[rewritten.origin(place)..], "nope");
    assert_eq!(rewritten.columns, Some(vec!["nope".to_owned()]));
}

#[test]
fn properties_of_written_patterns_are_declared() {
    let statement = Statement::fixed("CREATE (a:A:B {x: 1, name: 'y'})-[:R {w: 1}]->(b) MERGE (c:C {k: 1})");
    let declares = for_embedded(&statement).unwrap().declares;
    let expected =
        [("A", "x"), ("A", "name_"), ("C", "k")].map(|(label, name)| (label.to_owned(), name.to_owned()));
    assert_eq!(declares, expected);
}

#[test]
fn a_text_that_grows_without_end_is_refused() {
    let error = for_embedded(&Statement::fixed("RETURN a < b. < c. < d. < e. < f")).unwrap_err();
    assert_eq!(error.to_string(), "so deep a query is not supported");
}

proptest::proptest! {
    #[test]
    fn any_text_is_rewritten_or_refused(text in "(MATCH|RETURN|CALL|WITH|WHERE|\\(|\\)|\\{|\\}|\\[|\\]|-|>|\\*|n|:A|,|=|<|'x'|1|\\.| |EXISTS|COUNT|CREATE|MERGE|count\\(|\\+|\\.\\.|\\||AS|ORDER BY){0,25}") {
        let _ = for_embedded(&Statement::from_checked_text(text));
    }
}
