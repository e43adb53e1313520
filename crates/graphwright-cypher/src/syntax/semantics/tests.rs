use std::fmt::Write;

use super::*;
use crate::syntax::parse;

fn faults(text: &str) -> String {
    let parsed = parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let mut lines = format!("{text}\n");
    for found in check(&parsed.tree, text) {
        let place = text.get(found.span.range()).unwrap_or("?");
        writeln!(lines, "  `{place}` {}: {}", found.code.as_str(), found.message).unwrap();
    }
    lines
}

#[test]
fn faults_are_found_before_a_query_runs() {
    let texts = [
        "MATCH (n) RETURN m.name, n.name ORDER BY k",
        "MATCH (n) WITH n.name AS name RETURN n",
        "MATCH (a)-[a]->(b) RETURN a",
        "MATCH p = (p)-->() RETURN p",
        "WITH 1 AS n MATCH (n) RETURN n",
        "MATCH (n) WHERE count(n) > 1 RETURN n",
        "MATCH (n) RETURN count(count(n))",
        "MATCH (n)--(m) RETURN n.age + count(m)",
        "MATCH (n) RETURN DISTINCT n.name ORDER BY n.age",
        "MATCH (n) RETURN n LIMIT n.count",
        "RETURN 1 LIMIT -1",
        "RETURN 1 AS a UNION RETURN 2 AS b",
        "RETURN 1 AS a UNION RETURN 2 AS a UNION ALL RETURN 3 AS a",
        "RETURN 1 AS a, 2 AS a",
        "MATCH (n) WITH n.name RETURN 1",
        "MATCH () RETURN *",
        "CREATE (a)-[:R*2]->(b), (a)-[:A|B]->(b), (a)-[:R]-(b), (a)-[]->(b)",
        "MATCH (a) CREATE (a:Label)-[:R]->(b)",
        "MATCH (n $properties) RETURN n",
        "MATCH (n) DELETE n:Label",
        "MATCH (n) DELETE 1 + 1",
        "RETURN foo(1), toUpper(), size(1), 1 AND true, 1 IN 2",
        "MATCH (n) RETURN (n)-->()",
        "MATCH (n) RETURN length(n.name), n.name.first",
        "MATCH (n) WHERE (n)-->(m) RETURN n",
        "MATCH (n) RETURN n MATCH (m) RETURN m",
        "MATCH (n)",
        "MATCH (n) CALL { MATCH (m) WHERE m.x = n.x RETURN m } RETURN m",
        "MATCH (n) CALL { MATCH (m) RETURN m AS n } RETURN n",
        "MATCH (n) WHERE EXISTS { MATCH (n) SET n.x = 1 } RETURN n",
        "MATCH (a)-[r]->(b)-[r]->(c) RETURN a",
        "FOREACH (x IN [1] | MATCH (n) SET n.x = x)",
        "CALL db.labels YIELD label RETURN label",
        "MATCH (n) CALL { WITH n RETURN n.x AS x UNION RETURN n.y AS x } RETURN x",
        "MATCH (a)-[r]->(b) WHERE exists(r) AND exists(a:Label) RETURN a",
        "MATCH (n) RETURN date(n.a) - date(n.b), n.a - date(), date() - 1, date() + 'x', 1 + date(), date() * 2",
        "MATCH (n) RETURN avg(split(n.a, '-')[0]), sum(head(split(n.a, '-')))",
        "MATCH (n) UNWIND keys(n) AS k RETURN k.name",
        "MATCH (n)-->(m) WITH m RETURN n.name.toLower()",
    ];
    insta::assert_snapshot!(texts.map(faults).join("\n"));
}

#[test]
fn right_queries_pass() {
    for text in [
        "MATCH (n) WITH n.name AS name, count(*) AS c WHERE c > 1 RETURN name ORDER BY c",
        "MATCH (n) CALL { WITH n RETURN n.x AS x UNION WITH * RETURN n.y AS x UNION RETURN 1 AS x } RETURN x",
        "MATCH (n) RETURN date() - n.b, date() - duration('P1D') > date(n.x), date() + duration('P1D'), date().year - 1, n.a - 1, [1] + date(), duration('P1D') * 2",
        "MATCH p = (n)-->() WHERE exists(n.x) AND exists((n)-->()) RETURN [x IN nodes(p) | x.name], max(split(n.x, '-')[0]), split(n.x, '-')[0] + 1, apoc.text.join([], '')",
        "MATCH (n) RETURN n.name ORDER BY n.age",
        "MATCH (n) WITH n, count(*) AS c WHERE (n)-->(:A) RETURN n, c",
        "MATCH (n) WITH DISTINCT n WHERE NOT (n)-->() RETURN n",
        "MATCH (n) RETURN n.name, count(*) ORDER BY n.name, count(*)",
        "MATCH (n) WITH n, count { (n)-->(m) WHERE m.x > n.x } AS c RETURN n, c",
        "MATCH (n) CALL { WITH n MATCH (n)-->(m) RETURN m } RETURN n, m",
        "MATCH (n) CALL (n) { MATCH (n)-->(m) WITH m RETURN n.x + m.x AS s UNION RETURN 0 AS s } RETURN n, s",
        "MATCH (n) CALL (n) { SET n.x = 1 } RETURN n",
        "MATCH ((a)-[r]->(b) WHERE a.x < b.x){1,3} RETURN size(r), [x IN a | x.name]",
        "MATCH (a)-[rs*]->(b) WHERE all(r IN rs WHERE r.x > 0) RETURN [r IN rs | type(r)]",
        "MATCH p = shortestPath((a)-[*]-(b)) RETURN length(p), [n IN nodes(p) | n.name]",
        "MATCH (n) WHERE NOT (n)--(:A) AND exists((n)-->()) RETURN CASE WHEN (n)-->() THEN 1 END",
        "MATCH (n) RETURN [(n)-->(m) WHERE m.x > 1 | m.name] AS names",
        "UNWIND [1, 2] AS x WITH x, reduce(s = 0, y IN [x] | s + y) AS s RETURN x, s",
        "CREATE (a:A)-[:R]->(b:B), (b)-[:R]->(c) SET a += {x: 1} RETURN a, c",
        "MATCH (n) WITH * ORDER BY n.x LIMIT 1 RETURN n, n.x + 1 AS y SKIP $skip",
        "LOAD CSV WITH HEADERS FROM 'x' AS line MERGE (n {id: line.id}) ON CREATE SET n.x = line.x",
        "MATCH (n) RETURN n.date.year, point.distance(n.a, n.b), apoc.text.join([n.x], ',')",
        "MATCH (`a b`) RETURN `a b`, `a b` {.name, c: count(*)}",
        "MATCH (n) WITH DISTINCT n.team AS team, n.date AS date WHERE n.team > 1 AND date.truncate('day', date) = date RETURN team",
        "MATCH (n) WITH n.team AS team, collect(n.name) AS names RETURN team, size(names) + 1 AS c",
    ] {
        let parsed = parse(text);
        assert_eq!(parsed.diagnostics, [], "{text}");
        assert_eq!(check(&parsed.tree, text), [], "{text}");
    }
}

#[test]
fn conditions_behind_distinct_are_read_whole() {
    let codes =
        |text: &str| -> Vec<Code> { check(&parse(text).tree, text).iter().map(|found| found.code).collect() };
    let with =
        |condition: &str| codes(&format!("MATCH (n)-->(m) WITH DISTINCT n WHERE {condition} RETURN n"));
    assert_eq!(with("n.x = 1 AND year(n.born) = 1963"), [Code::UnknownFunction]);
    assert_eq!(with("n.x = 1 AND (n)<-[:WROTE]-(k:Book)"), [Code::UndefinedVariable]);
    assert_eq!(with("m.x = 1"), [Code::UndefinedVariable]);
    assert_eq!(with("k.x = 1"), [Code::UndefinedVariable]);
    assert_eq!(with("n.x = 1 AND (n)<-[:WROTE]-(:Book)"), []);
    assert_eq!(with("n.x['a'] = 1"), [Code::InvalidArgumentType]);
    assert_eq!(with("n.x[0] = 1 AND $p['a'] = 1"), []);
}

#[test]
fn variables_have_no_functions() {
    let text = "MATCH (n)-[r]->() WHERE n.hasBoss('x') AND r.since() > 1 AND my.own(n) RETURN n";
    let found = check(&parse(text).tree, text);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].message, "expected a function, found a method of the variable `n`");
}
