//! Results that are remembered as long as the store holds the same.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use graphwright::{
    Access, CypherOptions, CypherResult, Event, Graph, Properties, Settings, ToolContext, Toolbox,
};
use serde_json::json;

const PEOPLE: &str = "MATCH (p:Person) RETURN p.name ORDER BY p.name";

async fn open(folder: &Path) -> Graph {
    let graph = Graph::open(Settings::at(folder), Access::Write).await.unwrap();
    write(&graph, "CREATE (:Person {name: 'Ada'})").await;
    graph
}

async fn run(graph: &Graph, text: &str, options: CypherOptions) -> CypherResult {
    graph.cypher(text, Properties::new(), &options).await.unwrap()
}

async fn write(graph: &Graph, text: &str) {
    run(graph, text, CypherOptions::default().write(true).new_names(true)).await;
}

fn remembered() -> CypherOptions {
    CypherOptions::default().remembered(true)
}

#[tokio::test]
async fn a_query_is_run_once_until_something_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(folder.path()).await;
    let first = run(&graph, PEOPLE, remembered()).await;
    let second = run(&graph, PEOPLE, remembered()).await;
    assert!(!first.from_cache && second.from_cache);
    assert_eq!((&second.columns, &second.rows), (&first.columns, &first.rows));

    let others = [CypherOptions::default(), remembered().row_limit(7), remembered().byte_limit(7)];
    for options in others {
        assert!(!run(&graph, PEOPLE, options).await.from_cache);
    }
    for text in ["RETURN rand()", "RETURN timestamp()", "EXPLAIN MATCH (p:Person) RETURN p"] {
        run(&graph, text, remembered()).await;
        assert!(!run(&graph, text, remembered()).await.from_cache, "{text}");
    }
    let named = |name: &str| Properties::from([("name".to_owned(), name.into())]);
    let text = "MATCH (p:Person {name: $name}) RETURN p.name";
    assert_eq!(graph.cypher(text, named("Ada"), &remembered()).await.unwrap().rows.len(), 1);
    assert_eq!(graph.cypher(text, named("Bob"), &remembered()).await.unwrap().rows.len(), 0);

    write(&graph, "CREATE (:Person {name: 'Bob'})").await;
    let third = run(&graph, PEOPLE, remembered()).await;
    assert!(!third.from_cache && third.rows.len() == 2);
}

/// Whether a call of a tool was answered from the cache.
async fn is_kept(tools: &Toolbox) -> bool {
    let steps: Arc<Mutex<Vec<String>>> = Arc::default();
    let told = Arc::clone(&steps);
    let context = ToolContext::new("t").with_events(move |event| {
        if let Event::Step { what } = event {
            told.lock().unwrap().push(what);
        }
    });
    tools.call("lookup_entity", json!({"name": "Ada"}), &context).await.unwrap();
    steps.lock().unwrap().iter().any(|step| step.contains("from the cache"))
}

#[tokio::test]
async fn runs_share_the_results_of_tools_unless_that_is_off() {
    let folder = tempfile::tempdir().unwrap();
    let graph = Arc::new(open(folder.path()).await);
    assert!(!is_kept(&graph.tools().await.unwrap()).await);
    assert!(is_kept(&graph.tools().await.unwrap()).await);
    assert!(is_kept(&graph.latest_tools().unwrap()).await);
    write(&graph, "CREATE (:Person {name: 'Bob'})").await;
    assert!(!is_kept(&graph.latest_tools().unwrap()).await);
    drop(graph);

    let settings = Settings::at(folder.path()).cache(None);
    let graph = Graph::open(settings, Access::Read).await.unwrap();
    for _ in 0..2 {
        assert!(!is_kept(&graph.tools().await.unwrap()).await);
        assert!(!run(&graph, PEOPLE, remembered()).await.from_cache);
    }
}
