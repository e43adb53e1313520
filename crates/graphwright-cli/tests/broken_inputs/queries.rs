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
        &["export", "--format", "gexf"],
        &["export", "graph.json"],
        &["export", "graph.graphml", "--guard-formulas"],
    ]));
}

#[test]
fn names_of_files_and_misspelled_names_are_found() {
    let bench = Bench::with_graph();
    bench.write("docs/team.md", "# Team\n\nThe service `clock` depends on the library `money-types`.\n");
    bench.run(&["ingest", "docs"]);
    assert_shown!(bench.leaves_the_graph_alone(&[
        &["lookup", "ledgre"],
        &["lookup", "monney", "typs"],
        &["lookup", "monney", "typs", "--json"],
        &["lookup", "Moony tips"],
        &["lookup", "team.md", "--type", "Service"],
    ]));
    let document = bench.run(&["lookup", "team.md"]);
    assert!(document.starts_with("$ graphwright lookup team.md\nDocument Team\n"), "{document}");
    assert!(document.contains("\n1 passage\n  Library: money-types\n  Service: clock\n"), "{document}");
}
