//! Tests of the indexes that a Neo4j server keeps, and of the snapshot beside one, on the server that `NEO4J_URI`, `NEO4J_USERNAME` and `NEO4J_PASSWORD`
//! name. Empties its database.

#![cfg(feature = "neo4j")]
#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::{process::Command, sync::Arc, time::Duration};

use async_trait::async_trait;
use graphwright::{
    Access, Graph, Input, SearchPlace, SearchRequest, Settings,
    llm::{Embedder, EmbedderIdentity},
    search::{HitKind, SearchMode},
};
use graphwright_core::{Statement, store::QueryOptions};

/// The tests share one database.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

const NOTE: &str = "# Services\n\nThe service `ledger` depends on the library `money-types`.\n\n# Kitchen\n\nThe canteen \
                    opens at noon and serves soup.\n";

#[derive(Debug)]
struct Other(EmbedderIdentity);

#[async_trait]
impl Embedder for Other {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    async fn embed(&self, texts: &[String]) -> graphwright::llm::Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| vec![1.0, text.len() as f32, 0.5]).collect())
    }
}

fn other() -> Arc<dyn Embedder> {
    let name = "other".to_owned();
    Arc::new(Other(EmbedderIdentity { name, weights: String::new(), dimensions: 3 }))
}

async fn graph(data: &std::path::Path) -> Graph {
    let settings = Settings::from_variables(|name| match name {
        "XDG_DATA_HOME" => Some(data.into()),
        name => std::env::var_os(name),
    });
    let settings = settings.unwrap();
    assert_eq!(settings.search_index, SearchPlace::Store);
    Graph::open(settings, Access::Write).await.unwrap()
}

fn note(text: &str) -> Input {
    Input::Bytes { source: "note.md".to_owned(), bytes: text.as_bytes().to_vec() }
}

async fn empty(graph: &Graph) {
    let store = graph.store();
    store.write(Statement::fixed("MATCH (n) DETACH DELETE n"), QueryOptions::default()).await.unwrap();
    let schema = store.schema(graphwright_core::store::SchemaOptions::default()).await.unwrap();
    for index in schema.indexes {
        store.drop_index(&index.name).await.unwrap();
    }
}

#[tokio::test]
#[ignore = "needs neo4j"]
async fn a_server_is_indexed_by_itself_and_machines_share_the_index() {
    let _alone = ALONE.lock().await;
    let (one, other_machine) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = graph(one.path()).await;
    empty(&first).await;
    let report = first.ingest([note(NOTE)]).await.unwrap();
    assert!(report.index.embedded >= 1 && report.index.chunks == 1, "{:?}", report.index);
    let again = first.refresh_index(false).await.unwrap();
    assert_eq!((again.embedded, again.unchanged), (0, true));

    // Another machine finds the same, and has made nothing of its own.
    let second = graph(other_machine.path()).await;
    for mode in [SearchMode::Hybrid, SearchMode::Text, SearchMode::Vector] {
        let request =
            SearchRequest { kind: Some(HitKind::Chunk), mode, ..SearchRequest::new("soup in the canteens") };
        let found = second.search(&request).await.unwrap();
        assert_eq!(found.mode, mode, "{:?}", found.notices);
        assert!(found.hits[0].text.contains("canteen") && !found.stale, "{mode:?}: {:?}", found.hits[0]);
        let document = found.hits[0].document.clone();
        let within = SearchRequest { document, ..request.clone() };
        assert_eq!(second.search(&within).await.unwrap().hits[0].id, found.hits[0].id);
        let elsewhere = SearchRequest { document: Some("elsewhere".into()), ..request };
        assert!(second.search(&elsewhere).await.unwrap().hits.is_empty());
    }
    let words = SearchRequest { mode: SearchMode::Text, ..SearchRequest::new("led* \"opens at noon\" ") };
    let hits = second.search(&words).await.unwrap().hits;
    assert!(hits[0].text.contains("canteen"), "{hits:?}");
    assert!(!other_machine.path().join("graphwright").join("search").exists());

    // A changed text gets a new vector.
    let report = first.ingest([note(&NOTE.replace("soup", "salads"))]).await.unwrap();
    assert_eq!(report.index.embedded, 1, "{:?}", report.index);
    let request = SearchRequest { kind: Some(HitKind::Chunk), ..SearchRequest::new("salad") };
    assert!(first.search(&request).await.unwrap().hits[0].why.starts_with("words: salad"));

    // Another embedder is refused until all vectors are made anew.
    let third = graph(other_machine.path()).await.with_embedder(other());
    assert_eq!(third.check_embedder().await.unwrap_err().code(), "other_embedder");
    assert_eq!(third.search(&request).await.unwrap_err().code(), "other_embedder");
    assert_eq!(third.ingest([note(NOTE)]).await.unwrap_err().code(), "other_embedder");
    let report = third.refresh_index(true).await.unwrap();
    assert!(report.embedded >= 1 && report.reused == 0);
    assert_eq!(third.search(&request).await.unwrap().mode, SearchMode::Hybrid);
    assert_eq!(first.check_embedder().await.unwrap_err().code(), "other_embedder");
    first.refresh_index(true).await.unwrap();
    empty(&first).await;
}

/// Reads our indexes with Neo4j's own package for retrieval, by the names that it documents.
#[tokio::test]
#[ignore = "needs neo4j and python"]
async fn other_tools_read_the_index() {
    let _alone = ALONE.lock().await;
    let folder = tempfile::tempdir().unwrap();
    let ours = graph(folder.path()).await;
    empty(&ours).await;
    ours.ingest([note(NOTE)]).await.unwrap();
    let vectors = ours.embedder().embed(&["soup in the canteen".to_owned()]).await.unwrap();
    let python = std::env::var("GRAPHWRIGHT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = "\
import json, os, sys
from neo4j import GraphDatabase
from neo4j_graphrag.retrievers import HybridRetriever, VectorRetriever
from neo4j_graphrag.embeddings.base import Embedder
vector = json.loads(sys.argv[1])
class Fixed(Embedder):
    def embed_query(self, text):
        return vector
auth = (os.environ.get('NEO4J_USERNAME', 'neo4j'), os.environ.get('NEO4J_PASSWORD', ''))
with GraphDatabase.driver(os.environ['NEO4J_URI'], auth=auth) as driver:
    found = VectorRetriever(driver, 'vector', return_properties=['text']).search(query_vector=vector, top_k=1)
    print(found.items[0].content)
    both = HybridRetriever(driver, 'vector', 'keyword', Fixed(), return_properties=['text'])
    print(both.search(query_text='canteen', top_k=1).items[0].content)
";
    let vector = serde_json::to_string(&vectors[0]).unwrap();
    let output = Command::new(python).args(["-c", script, &vector]).output().unwrap();
    let (said, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    empty(&ours).await;
    assert_eq!(said.matches("canteen").count(), 2, "{said}{failed}");
}

#[tokio::test]
#[ignore = "needs neo4j"]
async fn a_change_by_another_machine_is_read_in_the_background() {
    let _alone = ALONE.lock().await;
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let writer = graph(there.path()).await;
    empty(&writer).await;
    let write = async |text: &'static str| {
        writer.store().write(Statement::fixed(text), QueryOptions::default()).await.unwrap();
    };
    write("CREATE (:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Bob'})").await;
    let reader = graph(here.path()).await.renewed_in_background();
    let nodes = async || reader.topology().await.unwrap().node_count();
    assert_eq!(nodes().await, 2);
    write("CREATE (:Person {name: 'Cyd'})").await;
    assert_eq!(nodes().await, 2, "the snapshot of before serves until the next is made");
    let renewed = async {
        while nodes().await != 3 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), renewed).await.unwrap();
    // What has changed without changing any count is noticed as well.
    write("MATCH (p:Person {name: 'Cyd'}) SET p.name = 'Eve'").await;
    let renamed = async {
        while reader.find("Cyd", None, 1).await.unwrap().iter().any(|(_, found)| found.name == "Cyd") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), renamed).await.unwrap();
}
