use graphwright_core::Statement;

use super::*;

fn rewrite(text: &'static str) -> String {
    match for_engine(&Statement::fixed(text)) {
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
        "MATCH (n) WHERE NOT (n)-[:R]->(:B {x: 1}) AND exists((n)-->()) AND exists(n.title) RETURN size([(n)-->() | 1])",
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
        "MATCH (n), (title) RETURN keys(n), labels(n), n['title'], n[n.k], [1, 2][0], n {.name, title, .*}",
        "WITH 1 AS end RETURN end /* x */ ;",
        "CALL db.labels() YIELD label RETURN label ORDER BY label",
        "RETURN 'it\\'s \\u00e9 \\\\d', \"a\\\"b\"",
        "MATCH (a WHERE a.x > 1)-[r:R WHERE r.w > 2]->(b) RETURN *",
        "RETURN duration.between(date('2020-01-01'), date('2020-03-01')).months",
        "UNWIND [1] AS x RETURN x AS größe",
        "MATCH (n) RETURN isNaN(n.x), toBooleanOrNull(n.x), toBooleanList(n.l), lower('A')",
        "RETURN trim(LEADING 'x' FROM 'xa'), rtrim('ab', 'b')",
        "MATCH (n) RETURN point.distance(n.p, $p)",
        "RETURN date('2020-Q2-05'), datetime({epochSeconds: 1, nanosecond: 2}), date.realtime('Europe/Paris')",
        "CREATE (n:A&B $map)-[:T]->(m) RETURN n",
        "MATCH (n:A) USING SCAN n:A SET (CASE WHEN n.x > 1 THEN n END).y = 2",
        "CREATE p = (a)-[:T]->(:B) RETURN length(p)",
        "MATCH (a) OPTIONAL CALL (a) { MATCH (a)-->(b) RETURN b, b.x AS x } RETURN b",
        "MATCH (a) OPTIONAL MATCH (a)-->(b) WHERE EXISTS { MATCH (b)-->(c) MATCH (c)-->(d) RETURN d } RETURN b",
        "MATCH p = ANY SHORTEST (a:A)-[:T]->{1,3}(b:B) RETURN p",
        "MATCH p = ANY SHORTEST ((x)-[:T]->(y)){1,3} RETURN p",
        "MATCH (a), (b), p = shortestPath((a)-[:T*..3]->(b)) WHERE length(p) > 1 RETURN p",
        "MATCH (a)((x:X)-[r:T {k: 1}]->(y) WHERE x.z < y.z){1,3}(b) WHERE size(x) > 1 RETURN x",
        "MATCH (a)-[r:T WHERE r.x = 1]->{1,3}(b) RETURN r",
        "RETURN COUNT { MATCH (a) RETURN a UNION MATCH (b) RETURN b }",
        "RETURN 1 IS :: INTEGER | FLOAT, 1 IS :: NOTHING, 5 - [1][0]",
    ];
    let rows: Vec<_> = texts.into_iter().map(|text| format!("{text}\n  {}", rewrite(text))).collect();
    insta::assert_snapshot!(rows.join("\n"));
}

#[test]
fn a_condition_on_paths_counts_them() {
    let statement = Statement::fixed("MATCH (n:A) WHERE EXISTS { (n)-->()-->(:B) } RETURN n.name");
    assert_eq!(
        for_engine(&statement).unwrap().text,
        "MATCH (n:A) WHERE 0 < COUNT { (n)-->()-->(:B) }\nRETURN n.name_ AS `n.name`"
    );
}

#[test]
fn offsets_lead_back_through_all_passes() {
    let text = "MATCH (n:A {x: 1}) WHERE EXISTS { (n)-->() } RETURN n.nope";
    let rewritten = for_engine(&Statement::fixed(text)).unwrap();
    let place = rewritten.text.find("n.nope AS").unwrap();
    assert_eq!(&text[rewritten.origin(place)..], "n.nope");
    assert_eq!(rewritten.columns, Some(vec!["n.nope".to_owned()]));
}

#[test]
fn properties_of_written_patterns_are_declared() {
    let statement = Statement::fixed("CREATE (a:A:B {x: 1, name: 'y'})-[:R {w: 1}]->(b) MERGE (c:C {k: 1})");
    let declares = for_engine(&statement).unwrap().declares;
    let expected =
        [("A", "x"), ("A", "name_"), ("C", "k")].map(|(label, name)| (label.to_owned(), name.to_owned()));
    assert_eq!(declares, expected);
}

#[test]
fn a_query_that_grows_without_end_is_refused() {
    let nested = |begin: &str, end: &str| format!("RETURN {}1{} AS x", begin.repeat(60), end.repeat(60));
    for text in [nested("nullIf(", ", 2)"), nested("1 < (", ") < 3")] {
        let error = for_engine(&Statement::from_checked_text(text)).unwrap_err();
        assert_eq!(error.to_string(), "so deep a query is not supported");
    }
}

#[test]
fn what_is_no_cypher_is_refused() {
    for text in ["RETURN a < b. < c", "MATCH (n) RETURN m", "RETURN 1; RETURN 2"] {
        let error = for_engine(&Statement::fixed(text)).unwrap_err();
        assert!(matches!(error, RewriteError::Syntax { .. }), "{text}: {error}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_rewritten_or_refused(text in "(MATCH|RETURN|CALL|WITH|WHERE|\\(|\\)|\\{|\\}|\\[|\\]|-|>|\\*|n|:A|,|=|<|'x'|1|\\.| |EXISTS|COUNT|CREATE|MERGE|count\\(|\\+|\\.\\.|\\||AS|ORDER BY){0,25}") {
        let _ = for_engine(&Statement::from_checked_text(text));
    }
}
