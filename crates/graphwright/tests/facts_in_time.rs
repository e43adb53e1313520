//! Facts that have ended or not begun are in the graph, and in no answer.

use graphwright::{Access, CypherOptions, Graph, Properties, Settings};

const OWNERS: &str = "CREATE (ledger:Service {name: 'ledger'}),
    (:Team {name: 'Payments'})-[:OWNS {valid_to: date('2019-03-01')}]->(ledger),
    (:Team {name: 'Platform'})-[:OWNS {valid_from: date('2019-03-01')}]->(ledger),
    (:Team {name: 'Harbour'})-[:OWNS {valid_from: date('2999-01-01')}]->(ledger)";

#[tokio::test]
async fn only_what_is_so_today_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let graph = Graph::open(Settings::at(folder.path()), Access::Write).await.unwrap();
    let options = CypherOptions::default().write(true);
    graph.cypher(OWNERS, Properties::new(), &options).await.unwrap();
    let answer = graph.ask("Which team owns ledger?").await.unwrap();
    let owners: Vec<&str> = answer.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(owners, ["Platform"], "{}", answer.answer);
    let read = CypherOptions::default();
    let table =
        graph.cypher("MATCH (t:Team)-[:OWNS]->() RETURN t.name", Properties::new(), &read).await.unwrap();
    assert_eq!(table.rows.len(), 3);
}
