//! Writes by text: what they may change, and who decides.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use graphwright::{
    Access, Approve, CypherOptions, CypherResult, Error, Graph, Properties, Proposal, Settings, Value,
};

const TEAM: &str = "CREATE (:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Bob'})";

async fn open(folder: &Path) -> Graph {
    Graph::open(Settings::at(folder), Access::Write).await.unwrap()
}

fn writing() -> CypherOptions {
    CypherOptions::default().write(true)
}

async fn run(graph: &Graph, text: &str, options: &CypherOptions) -> Result<CypherResult, Error> {
    graph.cypher(text, Properties::new(), options).await
}

async fn count(graph: &Graph) -> Value {
    run(graph, "MATCH (n) RETURN count(n)", &CypherOptions::default()).await.unwrap().rows[0][0].clone()
}

/// Says the same to every proposal, and keeps them.
#[derive(Debug)]
struct Always(bool, Mutex<Vec<Proposal>>);

#[async_trait]
impl Approve for Always {
    async fn approve(&self, proposal: &Proposal) -> bool {
        self.1.lock().unwrap().push(proposal.clone());
        self.0
    }
}

#[tokio::test]
async fn a_write_keeps_to_the_names_of_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(folder.path()).await;
    run(&graph, TEAM, &writing()).await.unwrap();
    run(&graph, "MATCH (p:Person) SET p.brand_new = 1", &writing()).await.unwrap();
    for text in
        ["CREATE (:Robot)", "MATCH (a:Person), (b:Person) CREATE (a)-[:LIKES]->(b)", "CREATE (:__Meta__)"]
    {
        let refused = run(&graph, text, &writing()).await.unwrap_err();
        assert!(
            matches!(&refused, Error::Refused { refusal, .. } if refusal.code.as_str() == "unknown_name"),
            "{text}"
        );
        assert!(refused.hint().unwrap().contains("allow new names"));
    }
    let options = writing().new_names(true);
    run(&graph, "CREATE (:Robot)", &options).await.unwrap();
    assert_eq!(count(&graph).await, Value::Integer(3));
}

#[tokio::test]
async fn a_dry_run_and_too_many_changes_leave_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(folder.path()).await;
    run(&graph, TEAM, &writing()).await.unwrap();
    let dry = writing().dry_run(true);
    let result = run(&graph, "MATCH (n) DETACH DELETE n", &dry).await.unwrap();
    assert!(result.dry_run);
    assert_eq!(result.counters.unwrap().nodes_deleted, 2);
    let limited = writing().change_limit(2);
    let refused = run(&graph, "MATCH (n) DETACH DELETE n", &limited).await.unwrap_err();
    assert_eq!(refused.code(), "too_many_changes");
    assert_eq!(count(&graph).await, Value::Integer(2));
}

#[tokio::test]
async fn whoever_is_asked_sees_what_would_change_and_decides() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(folder.path()).await;
    for (answer, expected) in [(false, 0), (true, 2)] {
        let person = Arc::new(Always(answer, Mutex::default()));
        let options = writing().approval(Arc::clone(&person) as Arc<dyn Approve>);
        let result = run(&graph, TEAM, &options).await;
        assert_eq!(result.err().map(|error| error.code()), (!answer).then_some("not_approved"));
        let seen = person.1.lock().unwrap().clone();
        assert_eq!((seen.len(), &*seen[0].text, seen[0].counters.nodes_created), (1, TEAM, 2));
        assert_eq!(count(&graph).await, Value::Integer(expected));
        // What only reads needs nobody.
        run(&graph, "MATCH (n) RETURN n", &options).await.unwrap();
        assert_eq!(person.1.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_product_passes_where_the_graph_is_small() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(folder.path()).await;
    run(&graph, TEAM, &writing()).await.unwrap();
    let text = "MATCH (a:Person), (b:Person), (c:Person) RETURN count(*)";
    let result = run(&graph, text, &CypherOptions::default()).await.unwrap();
    assert_eq!(result.rows[0][0], Value::Integer(8));
}

#[tokio::test]
async fn rows_end_where_they_take_too_many_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(folder.path()).await;
    let options = CypherOptions::default().byte_limit(100);
    let text = "UNWIND range(1, 20) AS x RETURN 'twenty bytes of text' AS text";
    let result = run(&graph, text, &options).await.unwrap();
    assert_eq!(result.rows.len(), 5);
    assert_eq!(result.truncated.unwrap(), "only the first 5 rows are shown (limit of 100 bytes)");
}

#[tokio::test]
async fn a_write_is_held_to_its_bytes_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(folder.path()).await;
    let options = writing().byte_limit(100);
    // What comes back.
    let result =
        run(&graph, "UNWIND range(1, 9) AS x CREATE (n:A {t: 'twenty bytes of text'}) RETURN n.t", &options)
            .await;
    let result = result.unwrap();
    assert_eq!(result.rows.len(), 5);
    assert_eq!(result.truncated.unwrap(), "only the first 5 rows are shown (limit of 100 bytes)");
    // What goes in: parameters, and text.
    let long = Properties::from([("t".to_owned(), Value::from("x".repeat(100)))]);
    let text = format!("CREATE (:A {{t: '{}'}})", "x".repeat(100));
    for (text, parameters) in [("CREATE (:A {t: $t})", long.clone()), (text.as_str(), Properties::new())] {
        let refused = graph.cypher(text, parameters, &options).await.unwrap_err();
        assert!(
            matches!(&refused, Error::Refused { refusal, .. } if refusal.code.as_str() == "size"),
            "{refused:?}"
        );
    }
    assert_eq!(count(&graph).await, Value::Integer(9));
    graph.cypher("MATCH (n:A {t: $t}) RETURN n", long, &options).await.unwrap();
}

#[tokio::test]
async fn the_snapshot_of_before_serves_until_the_next_one_is_made_in_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let writer = open(folder.path()).await;
    run(&writer, TEAM, &writing()).await.unwrap();
    let reader =
        Graph::open(Settings::at(folder.path()), Access::Read).await.unwrap().renewed_in_background();
    let nodes = async || reader.topology().await.unwrap().node_count();
    assert_eq!(nodes().await, 2);
    run(&writer, TEAM, &writing()).await.unwrap();
    assert_eq!(nodes().await, 2);
    for _ in 0..500 {
        if nodes().await == 4 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the change was never read");
}
