use graphwright_core::{Value, schema::ElementSchema};

use super::*;

fn pass(text: &str) -> String {
    let gate = Gate { row_limit: None, ..Gate::default() };
    match gate.check(text) {
        Ok(checked) => checked.statement.text().to_owned(),
        Err(refusal) => panic!("{text}: {refusal:?}"),
    }
}

fn code(text: &str) -> &'static str {
    match Gate::default().check(text) {
        Ok(checked) => panic!("{text} passed as {}", checked.statement.text()),
        Err(refusal) => refusal.code.as_str(),
    }
}

#[test]
fn reading_passes_unchanged() {
    for text in [
        "MATCH (n:Person {name: $name})-[r:KNOWS|LIKES*1..3]->(m) WHERE n.age > 3 AND NOT m:Dog RETURN n, count(m) AS c ORDER BY c DESC SKIP 1 LIMIT 2",
        "MATCH (a)-[:R]->(b) WITH a, collect(b.name)[0..3] AS names, {x: 1, y: [1, 2]} AS m UNWIND names AS name RETURN a {.name, .*, m, k: name}",
        "CALL db.labels() YIELD label RETURN label",
        "MATCH (n) CALL (n) { MATCH (n)-->(m) RETURN count(m) AS c } RETURN n.name, c",
        "CALL { MATCH (a:A) RETURN a.x AS x UNION MATCH (b:B) RETURN b.x AS x } RETURN x",
        "MATCH (n) WHERE EXISTS { (n)-[:R]->(:X) } AND COUNT { MATCH (n)-->(m) WHERE m.x = 1 } > 2 RETURN n",
        "MATCH (n) RETURN CASE n.x WHEN 1 THEN 'one' ELSE {a: 1} END AS y, [x IN n.tags WHERE x <> 'set' | toUpper(x)] AS t",
        "MATCH (start)-[r]->(end) RETURN start, end, r.set, r.`create`, start.delete AS remove",
        "MATCH (n:Create|Delete)-[:SET|MERGE]->(m:Set&!Drop) RETURN n",
        "MATCH p = shortestPath((a:A)-[:R*..5]-(b:B)) RETURN [x IN nodes(p) | x.name], length(p)",
        "MATCH (n) WHERE n.name STARTS WITH 'a' OR n.name ENDS WITH 'b' AND n.x IS NOT NULL RETURN DISTINCT n.name",
        "OPTIONAL MATCH (n) USING INDEX n:Person(name) WHERE n.name = 'x' RETURN n",
        "RETURN reduce(acc = 0, x IN [1, 2] | acc + x) AS sum, all(x IN [1] WHERE x > 0), date.truncate('month', date()) AS d",
        "MATCH (a) WHERE a.x IS :: INTEGER NOT NULL RETURN a",
        "MATCH (a)((x)-[:R]->(y)){1,3}(b) RETURN a",
        "EXPLAIN MATCH (n) RETURN n",
        "MATCH (n) RETURN *",
        "MATCH (n) WITH * MATCH (m) RETURN n.x * (m.y) + 2",
        "RETURN apoc.text.join(['a'], ',')",
        "MATCH (n) RETURN n.size AS size ORDER BY size",
        "MATCH (a) MATCH (b) WHERE a.x = b.x RETURN a.x <-1, 'it\\'s', \"DROP\"",
    ] {
        assert_eq!(pass(text), text);
    }
}

#[test]
fn writes_are_refused_at_any_depth() {
    for text in [
        "CREATE (n)",
        "MATCH (n) SET n.x = 1",
        "MATCH (n) set n.x = 1 RETURN n",
        "MATCH (n) DETACH DELETE n",
        "MATCH (n) REMOVE n:X",
        "MERGE (n:X {a: 1}) ON CREATE SET n.b = 2 RETURN n",
        "MATCH (n) CALL { WITH n CREATE (m) } RETURN n",
        "MATCH (n) CALL (n) { CALL (n) { SET n.x = 1 } } RETURN n",
        "UNWIND [1] AS x FOREACH (y IN [x] | CREATE (:T))",
        "MATCH (n) WHERE EXISTS { MATCH (n) CREATE (m) } RETURN n",
        "MATCH (n) RETURN COLLECT { CREATE (m) RETURN m }",
        "MATCH (n) /* x */ CREATE // y\n (m)",
        "EXPLAIN CREATE (n)",
        "MATCH (n) RETURN n UNION CREATE (n) RETURN n",
        "INSERT (n)",
        "MATCH (n) RETURN n.`x` MERGE (m)",
    ] {
        assert_eq!(code(text), "write", "{text}");
    }
}

#[test]
fn everything_else_is_refused_by_its_reason() {
    for (text, expected) in [
        ("LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line", "load_csv"),
        ("MATCH (n) CALL { LOAD CSV FROM 'x' AS l RETURN l } RETURN n", "load_csv"),
        ("USE system MATCH (n) RETURN n", "use_database"),
        ("CALL { USE other MATCH (n) RETURN n } RETURN n", "use_database"),
        ("MATCH (n) RETURN n; MATCH (m) RETURN m", "several_statements"),
        ("CREATE INDEX FOR (n:X) ON (n.y)", "command"),
        ("CREATE OR REPLACE DATABASE x", "command"),
        ("DROP CONSTRAINT x", "command"),
        ("SHOW USERS", "command"),
        ("ALTER USER neo4j SET PASSWORD 'x'", "command"),
        ("CYPHER runtime=slotted MATCH (n) RETURN n", "command"),
        ("CALL dbms.security.listUsers()", "procedure"),
        ("CALL apoc.cypher.doIt('CREATE (n)', {})", "procedure"),
        ("CALL `apoc`.`cypher`.`doIt`('CREATE (n)', {})", "procedure"),
        ("CALL $procedure()", "syntax"),
        ("MATCH (n) CALL apoc.create.node(['X'], {}) YIELD node RETURN node", "procedure"),
        ("MATCH (n) CALL { WITH n MATCH (m) RETURN m } IN TRANSACTIONS OF 5 ROWS RETURN n", "transactions"),
        ("RETURN apoc.cypher.runFirstColumnSingle('CREATE (n)', {})", "function"),
        ("RETURN `apoc`.`load`.`json`('http://x')", "function"),
        ("RETURN noSuchFunction(1)", "function"),
        ("RETURN apoc.text.repeat('x', 1000000000)", "function"),
        ("MATCH (n:$(label)) RETURN n", "dynamic_name"),
        ("MATCH (n:$label) RETURN n", "syntax"),
        ("RETURN 'x\\u0027 RETURN 1'", "escape"),
        ("MATCH (n:`x\\u0060) DETACH DELETE n //`) RETURN n", "escape"),
        ("MATCH (p:Person) RETRUN p", "syntax"),
        ("MATCH (p:Person RETURN p", "syntax"),
        ("RETURN 'x", "syntax"),
        ("", "syntax"),
        (";", "syntax"),
        ("what is this", "syntax"),
        ("MATCH (n) RETURN {CREATE (m)}", "syntax"),
        ("MATCH (n) WHEN n.x THEN { CREATE (m) }", "syntax"),
        ("MATCH (n) FILTER n.x = 1 RETURN n", "syntax"),
    ] {
        assert_eq!(code(text), expected, "{text}");
    }
}

#[test]
fn write_mode_opens_writing_and_nothing_else() {
    let gate = Gate { writes: Writes::Plain, ..Gate::default() };
    let checked = gate.check("MATCH (n) SET n.x = 1 RETURN n").unwrap();
    assert!(checked.writes);
    assert_eq!(checked.statement.text(), "MATCH (n) SET n.x = 1 RETURN n");
    assert!(!gate.check("MATCH (n) RETURN n").unwrap().writes);
    for text in [
        "LOAD CSV FROM 'x' AS l CREATE (n)",
        "CREATE INDEX FOR (n:X) ON (n.y)",
        "CALL apoc.periodic.commit('x')",
        "CREATE (n); CREATE (m)",
    ] {
        assert!(gate.check(text).is_err(), "{text}");
    }
}

#[test]
fn rows_are_bounded_where_the_text_has_no_limit() {
    let gate = Gate { row_limit: Some(10), ..Gate::default() };
    let text = |text: &str| gate.check(text).unwrap().statement.text().to_owned();
    assert_eq!(text("MATCH (n) RETURN n // all\n;"), "MATCH (n) RETURN n LIMIT 11  \n;");
    assert_eq!(text("MATCH (n) RETURN n ORDER BY n.limit"), "MATCH (n) RETURN n ORDER BY n.limit LIMIT 11");
    assert_eq!(text("MATCH (n) RETURN n LIMIT 3"), "MATCH (n) RETURN n LIMIT 3");
    assert_eq!(text("MATCH (n) WITH n LIMIT 3 RETURN n"), "MATCH (n) WITH n LIMIT 3 RETURN n LIMIT 11");
    let union = "MATCH (n) RETURN n UNION MATCH (m) RETURN m";
    assert_eq!(text(union), union);
    assert_eq!(text("CALL db.labels()"), "CALL db.labels()");
}

#[test]
fn paths_are_bounded_and_the_bound_is_reported() {
    let gate = Gate { row_limit: None, max_hops: Some(4), ..Gate::default() };
    let checked = gate.check("MATCH (a)-[:R*]->(b)<-[r:S *2.. {x: 1}]-(c) WHERE a.x = 1 RETURN a").unwrap();
    assert_eq!(
        checked.statement.text(),
        "MATCH (a)-[:R*..4]->(b)<-[r:S *2..4 {x: 1}]-(c) WHERE a.x = 1 RETURN a"
    );
    assert_eq!(
        checked.bounds,
        [Bound::Hops { limit: 4, start: 13, end: 14 }, Bound::Hops { limit: 4, start: 27, end: 31 }]
    );
    assert_eq!(checked.origin(18), 15);
    for (text, bounded) in [
        ("MATCH (a)((x)-[:R]->(y))+(b) RETURN a", "MATCH (a)((x)-[:R]->(y)){1,4}(b) RETURN a"),
        ("MATCH (a)-[:R]->*(b) RETURN a", "MATCH (a)-[:R]->{0,4}(b) RETURN a"),
        ("MATCH (a)((x)-[:R]->(y)){2,}(b) RETURN a", "MATCH (a)((x)-[:R]->(y)){2,4}(b) RETURN a"),
        ("MATCH (a)-[:R*6..]->(b) RETURN a", "MATCH (a)-[:R*6..6]->(b) RETURN a"),
        (
            "MATCH p = ANY SHORTEST (a)-[:R]-+(b) RETURN p",
            "MATCH p = ANY SHORTEST (a)-[:R]-{1,4}(b) RETURN p",
        ),
        (
            "MATCH (a) CALL (a) { MATCH (a)-[*]->(b) RETURN b } RETURN b",
            "MATCH (a) CALL (a) { MATCH (a)-[*..4]->(b) RETURN b } RETURN b",
        ),
    ] {
        assert_eq!(gate.check(text).unwrap().statement.text(), bounded);
    }
    for bounded in [
        "MATCH (a)-[*2]->(b) RETURN count(*)",
        "MATCH (a)-[*..2]->(b) RETURN a.x * 2",
        "MATCH (a) RETURN count(*)",
    ] {
        assert_eq!(gate.check(bounded).unwrap().bounds, []);
    }
}

#[test]
fn a_bound_that_would_make_the_answer_wrong_is_refused() {
    for text in [
        "MATCH (a)-[*]->(b) RETURN count(b)",
        "MATCH (a)-[:R*2..]->(b) WITH a, max(b.x) AS x RETURN x",
        "MATCH (a) WHERE EXISTS { (a)-[:R*]->(:X) } RETURN a",
        "MATCH (a) WHERE NOT (a)-[:R*]->(:X) RETURN a",
        "MATCH (a) RETURN size([(a)-[:R*]->(b) | b])",
        "MATCH (a) OPTIONAL MATCH (a)-[:R*]->(b) RETURN a, b",
        "MATCH (a) CALL (a) { MATCH (a)-[*]->(b) RETURN count(b) AS c } RETURN a, c",
        "MATCH (a) OPTIONAL CALL (a) { MATCH (a)-[:R*]->(b) RETURN b } RETURN a, b",
        "MATCH (a)((x)-[:R]->(y))+(b) RETURN count(*)",
        "MATCH (a) RETURN COLLECT { MATCH (a)-[:R]->*(b) RETURN b } AS bs",
        "MATCH (a)((x)-[:R]->(y)){2,}(b) RETURN apoc.agg.first(b)",
    ] {
        assert_eq!(code(text), "unbounded_path", "{text}");
    }
}

#[test]
fn refusals_read_well() {
    let refusal = |text: &str| {
        let refusal = Gate::default().check(text).unwrap_err();
        format!("{}..{} {refusal}. {}", refusal.start, refusal.end, refusal.help)
    };
    let messages = [
        refusal("MATCH (n) DELETE n"),
        refusal("MATCH (n) RETURN apoc.load.json('x')"),
        refusal("MATCH (a)-[*]->(b) RETURN count(b)"),
        refusal("MATCH (n) RETRUN n"),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
10..16 DELETE changes the graph, and only reading is allowed. ask for what is there; put the word in back-ticks if it is a name
17..31 the function apoc.load.json is not on the list of functions that only compute. use a function of standard Cypher
11..12 this path has no bound, and the aggregate would be wrong with one. write the bound yourself, as *1..8
10..16 expected a clause, an operator or the end, found `RETRUN`. write RETURN
"#);
}

proptest::proptest! {
    #[test]
    fn any_text_is_checked_without_a_panic(text in "(MATCH|RETURN|CALL|WITH|\\(|\\)|\\{|\\}|\\[|\\]|-|>|\\*|n|:A|,|=|'x'|1|;|\\.| |EXISTS|CREATE|\\+|\\.\\.|\\|){0,25}") {
        let _ = Gate::default().check(&text);
        let _ = Gate { writes: Writes::Plain, ..Gate::default() }.check(&text);
    }
}

#[test]
fn more_work_than_a_query_may_ask_for_is_refused() {
    for text in [
        "MATCH (a), (b), (c) RETURN sum(a.x * b.x * c.x)",
        "MATCH (a) MATCH (b) CALL (a, b) { MATCH (c) RETURN c } RETURN a, b, c",
        "UNWIND range(1, 2000) AS x UNWIND range(1, 2000) AS y RETURN x + y",
        "WITH range(1, 2000) AS xs UNWIND xs AS x UNWIND xs AS y RETURN x + y",
        "RETURN reduce(s = 0, x IN range(1, 10 * 1000 * 1000) | s + x)",
        "RETURN reduce(s = 'x', x IN range(1, 20) | s + s)",
        "UNWIND range(1, rand() * 1000000) AS x RETURN x",
        "RETURN reduce(s = 'abc', x IN range(1, 20) | replace(s, 'a', 'aaaa'))",
        "RETURN reduce(m = {a: 1}, x IN range(1, 20) | {a: m, b: m})",
        "RETURN reduce(l = [1], x IN range(1, 20) | [y IN l | [y, y]])",
        "RETURN reduce(l = [1], x IN range(1, 20) | reduce(k = l, y IN l | k + l))",
        "RETURN reduce(l = [], x IN range(1, 6000) | [l])",
        "RETURN reduce(l = [], x IN range(1, 6000) | CASE WHEN x > 3 THEN {next: l} ELSE l END)",
        "MATCH (n) WHERE n.name =~ '(a+)+b' RETURN n",
        "MATCH (a)-[:R*1..17]->(b) RETURN a",
        "MATCH (a)((x)-->(y)){1,17}(b) RETURN a",
    ] {
        assert_eq!(code(text), "work", "{text}");
    }
    for text in [
        "MATCH (a {x: 1}), (b {x: 2}), (c {x: 3}) RETURN a, b, c",
        "MATCH (a), (b), (c) WHERE a.x = b.x AND c.y IN ['z'] RETURN a, b, c",
        "MATCH (a)-->(b), (b)-->(c), (c)-->(d) RETURN a",
        "MATCH (a:A) WITH count(a) AS x MATCH (b:B) WITH x, count(b) AS y MATCH (c:C) RETURN x, y, count(c)",
        "MATCH (a) RETURN count(a) AS n UNION MATCH (b) RETURN count(b) AS n UNION MATCH (c), (d) RETURN count(*) AS n",
        "UNWIND range(1, 12) AS month UNWIND range(1, month) AS other RETURN month, other",
        "MATCH p = (a)-[*1..3]->(b) RETURN [i IN range(0, size(nodes(p)) - 1) | nodes(p)[i].name]",
        "RETURN reduce(most = 0, x IN range(1, 9) | CASE WHEN x > most THEN x ELSE most END) AS most",
        "MATCH p = shortestPath((a {x: 1})-[*..30]-(b {x: 2})) RETURN p",
        "MATCH (n) WHERE n.name =~ '(?i)(ada|bob).*' RETURN n",
        "MATCH (a) RETURN [i IN range(0, coalesce(a.age, 3) % 5) | i] AS ages",
        "RETURN reduce(l = [], x IN range(1, 1000) | l + [x]) AS l, reduce(l = [], x IN range(1, 50) | [l]) AS nested",
        "RETURN reduce(n = 0, x IN range(1, 500) | n + size(toString(n))) AS n",
    ] {
        pass(text);
    }
}

#[test]
fn a_range_that_the_text_leaves_open_is_bounded_when_it_runs() {
    let guarded = "MATCH (n) UNWIND range(1, CASE WHEN abs((n.x) - (1)) > 10000 THEN date('a range of more than 10000 elements') \
                   ELSE n.x END) AS x RETURN x";
    assert_eq!(pass("MATCH (n) UNWIND range(1, n.x) AS x RETURN x"), guarded);
    let column = pass("MATCH (n) RETURN range(n.a, n.b /* to */ + 1)");
    assert!(column.contains("abs((n.b + 1) - (n.a)) > 10000"), "{column}");
    assert!(column.contains("END) AS `range(n.a, n.b /* to */ + 1)`"), "{column}");
    let limited = Gate::default().check("MATCH (n) RETURN range(1, n.x)").unwrap();
    assert!(limited.statement.text().ends_with("END) AS `range(1, n.x)` LIMIT 101"), "{limited:?}");
}

#[test]
fn parameters_count_as_large_as_they_are() {
    let check =
        |value: Value, text: &str| Gate::default().check_with(text, &[("p".to_owned(), value)].into());
    let doubled = "WITH $p AS s WITH s + s AS s WITH s + s AS s WITH s + s AS s RETURN size(s) AS n";
    assert!(check("short".into(), doubled).is_ok());
    assert_eq!(check("x".repeat(1 << 22).into(), doubled).unwrap_err().code, RefusalCode::Work);
    let pairs = "UNWIND $p AS x UNWIND $p AS y RETURN count(*) AS n";
    assert!(check(vec![1; 100].into(), pairs).is_ok());
    assert_eq!(check(vec![1; 3000].into(), pairs).unwrap_err().code, RefusalCode::Work);
    let ranged = "UNWIND range(1, $p) AS x RETURN x";
    assert!(check(100_000.into(), ranged).is_ok());
    assert_eq!(check(100_000_000.into(), ranged).unwrap_err().code, RefusalCode::Work);
}

#[test]
fn many_unions_are_refused() {
    let parts = |count: usize| vec!["RETURN 1 AS x"; count].join(" UNION ALL ");
    pass(&parts(100));
    assert_eq!(code(&parts(400)), "work");
    let nested = format!("CALL {{ {} }} RETURN x UNION ALL {}", parts(60), parts(60));
    assert_eq!(code(&nested), "work");
}

#[test]
fn what_hides_its_work_is_refused_too() {
    let deep = format!("RETURN {}size(range(1, 1000000000)){}", "(".repeat(101), ")".repeat(101));
    assert_eq!(code(&deep), "syntax");
    for text in [
        "MATCH (a) MATCH (b {x: b.x}) MATCH (c {x: c.x}) RETURN count(*)",
        "MATCH (a), (b), (c) WHERE a.x = a.x AND b.x = b.x AND c.x = c.x RETURN count(*)",
        "MATCH (a), (b), (c) WHERE a.x STARTS WITH '' AND b.x CONTAINS '' RETURN count(*)",
        "MATCH (a), (b), (c), (d), (e), (f) WHERE a.k = b.k AND b.k = c.k AND c.k = d.k AND d.k = e.k AND e.k = f.k RETURN count(*)",
        "MATCH (n) WITH collect(n) AS ns UNWIND ns AS a UNWIND ns AS b UNWIND ns AS c RETURN count(*)",
        "WITH [range(1, 2000), range(1, 2000)] AS ls UNWIND ls[0] AS a UNWIND ls[1] AS b RETURN count(*)",
        "WITH {l: range(1, 2000)} AS m UNWIND m.l AS a UNWIND m.l AS b RETURN count(*)",
        "WITH range(1, 2000) AS l UNWIND reverse(l) AS a UNWIND tail(l) AS b RETURN count(*)",
        "WITH range(1, 2000) AS l CALL { WITH 1 AS l RETURN l + 1 AS m } UNWIND l AS a UNWIND l AS b RETURN count(*)",
        "WITH range(1, 2000) AS l, [l IN [1] | l] AS x UNWIND l AS a UNWIND l AS b RETURN count(*)",
        "WITH 'aaaaaaaaaa' AS a WITH replace(a, 'a', a) AS a WITH replace(a, 'a', a) AS a WITH replace(a, 'a', a) AS a RETURN a",
        "WITH [1, 2, 3, 4, 5, 6, 7, 8] AS l WITH l + l + l + l + l + l + l + l AS l WITH l + l + l + l + l + l + l + l AS l WITH l + l + l + l + l + l + l + l AS l WITH l + l + l + l + l + l + l + l AS l WITH l + l + l + l + l + l + l + l AS l WITH l + l + l + l + l + l + l + l AS l RETURN l",
        "RETURN reduce(s = '', x IN range(1, 300000) | s + 'a')",
        "RETURN range(1, toInteger(1e9))",
        "RETURN range(1000000000, 0, -1)",
        "MATCH (n) RETURN [(a)-->(b) | [(c)-->(d) | [(e)-->(f) | 1]]]",
        "WITH '(a+' + ')+b' AS p MATCH (n) WHERE n.name =~ p RETURN n",
        "MATCH (n) WHERE n.name =~ CASE WHEN true THEN '(a+)+b' ELSE '' END RETURN n",
        "RETURN [x IN range(1, 900000) | x], [x IN range(1, 900000) | x], [x IN range(1, 900000) | x], [x IN range(1, 900000) | x], [x IN range(1, 900000) | x]",
        "RETURN [x IN range(1, 1000) | [y IN range(1, 1000) | 'a text that is longer than ten bytes']] AS n",
        "UNWIND range(1, 1000) AS x RETURN [y IN range(1, 2000) | 'a text of many more bytes than a number takes, which is given a thousand times in each row']",
        "RETURN range(1, 1000000) AS a, range(1, 1000000) AS b",
        "WITH [x IN range(1, 900000) | toString(x) + ' is a product'] AS texts RETURN size(texts)",
        "RETURN 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' =~ '.*.*.*.*.*.*.*.*.*.*b'",
    ] {
        assert_eq!(code(text), "work", "{text}");
    }
    for text in [
        "MATCH (n) WHERE n.name =~ '(?i).*' + $name + '.*' RETURN n",
        "UNWIND $rows AS row MATCH (a {id: row.a}) MATCH (b {id: row.b}) MATCH (c {id: row.c}) RETURN a, b, c",
        "MATCH (a)-->(b) WITH a, collect(b) AS bs UNWIND bs AS b RETURN a, b",
        "RETURN reduce(s = '', x IN range(1, 1000) | s + toString(x) + ', ') AS s",
        "MATCH (n) RETURN replace(replace(toLower(n.name), 'a', 'b'), 'c', 'd') AS name",
        "MATCH (a:A {x: 1}), (:B {y: 2}), (c:C WHERE c.z = 3) RETURN a",
    ] {
        pass(text);
    }
}

#[test]
fn the_schema_says_how_much_there_is() {
    let label =
        |name: &str, count| ElementSchema { name: name.to_owned(), count, ..ElementSchema::default() };
    let schema = GraphSchema {
        labels: vec![label("Person", 5_000), label("Team", 12)],
        relationship_types: vec![label("IN", 40)],
        ..GraphSchema::default()
    };
    let gate = Gate { schema: Some(Arc::new(schema)), ..Gate::default() };
    for text in [
        "MATCH (a:Team), (b:Team), (c:Team) RETURN a, b, c",
        "MATCH (a:Person), (b:Team), (:Team)-[:IN]->(:Team) RETURN count(*)",
        "MATCH (a:Nothing), (b:Person), (c:Person) RETURN a",
    ] {
        assert!(gate.check(text).is_ok(), "{text}");
        assert!(Gate::default().check(text).is_err(), "{text}");
    }
    assert!(gate.check("MATCH (a:Person), (b:Person), (c:Team) RETURN count(*)").is_err());
}

#[test]
fn lists_can_be_made_longer() {
    let gate = Gate {
        procedures: vec!["gds.pageRank.stream".to_owned()],
        functions: vec!["acme.score".to_owned()],
        ..Gate::default()
    };
    assert!(gate.check("CALL GDS.pageRank.stream('g') YIELD score RETURN acme.score(score)").is_ok());
    assert_eq!(gate.check("CALL gds.pageRank.write('g')").unwrap_err().code, RefusalCode::Procedure);
    assert_eq!(code("RETURN acme.score(1)"), "function");
}

#[test]
fn what_is_written_keeps_to_the_schema() {
    let element = |name: &str| ElementSchema { name: name.to_owned(), ..ElementSchema::default() };
    let schema = GraphSchema {
        labels: vec![element("Person")],
        relationship_types: vec![element("KNOWS")],
        ..GraphSchema::default()
    };
    let gate = Gate { writes: Writes::Plain, schema: Some(Arc::new(schema)), ..Gate::default() };
    for text in [
        "CREATE (a:Person {brand_new: 1})-[:KNOWS {since: 2}]->(b:Person)",
        "MATCH (n:Unknown) SET n:Person, n.x = 1 REMOVE n.y, n:Unknown",
        "MERGE (a:Person {id: 1}) ON CREATE SET a.x = 1 MERGE (a)-[:KNOWS]->(b)",
        "MATCH (n) DETACH DELETE n",
    ] {
        assert!(gate.check(text).is_ok(), "{text}");
    }
    let refused = |text: &str| gate.check(text).unwrap_err().code.as_str();
    for (text, code) in [
        ("CREATE (:Robot)", "unknown_name"),
        ("MERGE (:Person)-[:LIKES]->(:Person)", "unknown_name"),
        ("MATCH (n) SET n:Person:Robot", "unknown_name"),
        ("MERGE (n:Person) ON CREATE SET n:Robot", "unknown_name"),
        ("CREATE (:$($label))", "dynamic_name"),
        ("MATCH (n) SET n[$key] = 1", "dynamic_name"),
        ("MATCH (n) REMOVE n[$key]", "dynamic_name"),
        ("UNWIND [1] AS x FOREACH (y IN [x] | CREATE (:Person))", "write"),
        ("INSERT (:Person)", "write"),
        ("CALL db.labels() YIELD label CREATE (:Person {name: label})", "procedure"),
        ("MATCH (n) CALL (n) { SET n.x = 1 } IN TRANSACTIONS", "transactions"),
        ("MATCH (a:Person)-[:KNOWS*]->(b) SET b.x = 1", "unbounded_path"),
    ] {
        assert_eq!(refused(text), code, "{text}");
    }
    let script = Gate { writes: Writes::Script, ..Gate::default() };
    assert!(script.check("UNWIND [1] AS x FOREACH (y IN [x] | CREATE (:Person))").is_ok());
}

#[test]
fn words_are_names_where_they_can_be_and_spaces_are_plain() {
    for text in [
        "MATCH (n) RETURN n.x AS create",
        "MATCH (create) RETURN create, create.x AS delete",
        "WITH 1 AS set RETURN set + 1 AS merge",
        "MATCH (n) RETURN n.x AS order ORDER BY order",
        "RETURN 'C:\\\\users' AS path",
    ] {
        assert_eq!(pass(text), text);
    }
    assert_eq!(pass("MATCH\u{a0}(n)\u{85}RETURN\u{feff}n"), "MATCH (n) RETURN n");
    assert_eq!(pass("RETURN 1 // C:\\users\n AS x"), "RETURN 1  \n AS x");
    assert_eq!(code("RETURN 1 // \\u000A AS x"), "escape");
    assert_eq!(code("RETURN '\\uD83D\\u0027'"), "escape");
}

#[test]
fn what_asks_the_clock_or_chance_is_not_repeatable() {
    let repeatable = |text: &str| Gate::default().check(text).unwrap().repeatable;
    for text in [
        "MATCH (n:Person {name: $name}) RETURN n, count(n)",
        "MATCH (n) WHERE n.born > date('1990-01-01') RETURN n",
        "MATCH (n) WHERE date(n.born) = date({year: 1990, month: 1}) RETURN toUpper(n.name)",
        "RETURN duration.between(date('2020-01-01'), date('2021-01-01'))",
    ] {
        assert!(repeatable(text), "{text}");
    }
    for text in [
        "RETURN rand()",
        "MATCH (n) WHERE n.born < date() RETURN n",
        "MATCH (n) WHERE EXISTS { MATCH (n)-->(m) WHERE m.until > datetime({timezone: 'UTC'}) } RETURN n",
        "RETURN date($day)",
        "RETURN datetime.realtime()",
        "RETURN Timestamp()",
        "RETURN randomUUID()",
        "CALL db.labels() YIELD label RETURN label",
        "CALL { CALL db.info() YIELD name RETURN name } RETURN name",
        "RETURN apoc.date.currentTimestamp()",
    ] {
        assert!(!repeatable(text), "{text}");
    }
}
