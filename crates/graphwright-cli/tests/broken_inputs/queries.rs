use crate::bench::{Bench, assert_shown};

#[test]
fn queries_that_cannot_run() {
    let bench = Bench::with_graph();
    assert_shown!(bench.leaves_the_graph_alone(&[
        &["cypher", "CREATE (:Service {name: 'x'})"],
        &["cypher", "MATCH (s:Service)\nSET s.name = 'x'"],
        &["cypher", "CREATE INDEX FOR (s:Service) ON (s.name)"],
        &["--json", "cypher", "MATCH (s) DELETE s"],
        &["cypher", "MATCH (s RETURN s"],
        &["cypher", "MATCH (s)\nRETURN s.name +"],
        &["cypher", "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row"],
        &["cypher", "CALL dbms.shutdown()"],
        &["cypher", "RETURN nothing(1)"],
        &["cypher", "MATCH (s:Service) WHERE s.name = $name RETURN s"],
        &["cypher", "--param", "name", "RETURN $name"],
        &["cypher", "--time-limit", "-1", "RETURN 1"],
        &["cypher", "--time-limit", "0.000001", "MATCH (a), (b) RETURN count(*)"],
        &["cypher", ""],
        &["cypher"],
    ]));
}

#[test]
fn questions_and_names_that_lead_nowhere() {
    let bench = Bench::with_graph();
    assert_shown!(bench.leaves_the_graph_alone(&[
        &["ask", ""],
        &["ask", "Which services depend on money-types?", "--reading", "9"],
        &["search", " "],
        &["search", "x", "--mode", "magic"],
        &["lookup", "zzyzx"],
        &["path", "zzyzx", "ledger"],
        &["path", "ledger", "ledger"],
        &["duplicates", "merge", "Service:ledger", "Library:money types"],
        &["duplicates", "merge", "Service:ledger", "Service:nobody"],
        &["duplicates", "reject", "Service:ledger", "Service:nobody"],
        &["duplicates", "undo", "Service:ledger"],
        &["export", "no/such/folder/graph.jsonl"],
        &["export", "--format", "csv"],
    ]));
}
