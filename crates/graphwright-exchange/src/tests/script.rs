use super::*;

#[tokio::test]
async fn statements_schema_commands_and_shell_commands() {
    let store = EmbeddedStore::in_memory();
    let text = "\
// A comment; with a semicolon
CREATE CONSTRAINT person_name IF NOT EXISTS FOR (p:Person) REQUIRE p.name IS UNIQUE;
CREATE INDEX FOR (p:Person) ON (p.born);
CREATE CONSTRAINT FOR (p:Person) REQUIRE p.born IS NOT NULL;
CALL db.awaitIndexes();
:begin
CREATE (:Person {name: 'Ada; Countess'});
MERGE (p:Person {name: 'Ada; Countess'})
  SET p.born = 1815;
:commit
MATCH (p:Person) RETURN p;
";
    let report = import_texts(&store, &[("x.cypher", text)]).await.unwrap();
    assert_eq!((report.statements, report.schema, report.changed.nodes_created), (7, 2, 1));
    assert_eq!(report.skipped[&ProblemKind::Schema].count, 1);
    let schema = store.schema(SchemaOptions::default()).await.unwrap();
    assert!(schema.constraints.iter().any(|rule| rule.label == "Person" && rule.properties == ["name"]));
    assert_eq!(
        single(&store, "MATCH (p:Person {name: 'Ada; Countess'}) RETURN p.born").await,
        Value::from(1815)
    );
}

#[tokio::test]
async fn nothing_runs_before_the_whole_script_is_checked() {
    let mut shown = Vec::new();
    for text in [
        "CREATE (:A);\n\nCREATE (:B;\n",
        "CREATE (:A);\nLOAD CSV FROM 'file:///x' AS row CREATE (:B);\n",
        "CREATE (:A);\n:param x => 1\nCREATE (:B {x: $x});\n",
        "CREATE (:A);\nDROP CONSTRAINT c;\n",
        "CREATE (:A {name: 'open});\n",
    ] {
        shown.push(problem(&[("x.cypher", text)]).await);
    }
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[tokio::test]
async fn a_statement_that_fails_is_named_with_its_line_and_how_far_it_came() {
    let store = EmbeddedStore::in_memory();
    let text = "CREATE (:A {x: 1});\nCREATE (:A {x: 2});\nMATCH (a:A)\nSET a.y = 1 / 0;\nCREATE (:B);\n";
    let error = import_texts(&store, &[("x.cypher", text)]).await.unwrap_err();
    let shown = error.to_string();
    assert!(shown.starts_with("x.cypher, line 3: "), "{shown}");
    assert!(shown.ends_with("(2 statements had been run and stay done)"), "{shown}");
    assert_eq!(single(&store, "MATCH (n) RETURN count(n)").await, Value::from(2));
    assert!(matches!(error, ExchangeError::Interrupted { .. }));
}
