//! What is asked of a graph until it is awaited: documents to read, questions, a document to delete.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{path::Path, sync::Mutex};

use graphwright::{Access, Error, Event, Graph, Input, Ontology, Settings, ingest::Progress};

const ONTOLOGY: &str = "\
nodes:
  Service: {}
  Library: {}
relationships:
  DEPENDS_ON: {from: [Service], to: [Library]}
";

async fn graph(folder: &Path) -> Graph {
    Graph::builder().store(folder.join("graph")).build().await.unwrap()
}

fn ontology() -> Ontology {
    Ontology::parse(ONTOLOGY, "inline.yaml".as_ref()).unwrap()
}

fn note(name: &str, service: &str) -> Input {
    let text = format!("# Services\n\nThe service `{service}` depends on the library `money-types`.\n");
    Input::Bytes { source: name.to_owned(), bytes: text.into_bytes() }
}

#[tokio::test]
async fn documents_are_named_by_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one.md"), folder.path().join("two.md"));
    for file in [&one, &two] {
        std::fs::write(file, "The service `ledger` depends on the library `money-types`.").unwrap();
    }
    let graph = graph(folder.path()).await;
    let told = Mutex::new(0);
    let count = |_: Progress| *told.lock().unwrap() += 1;
    let name = one.to_str().unwrap();
    let done = graph.ingest([name]).ontology(ontology()).on_progress(count).await.unwrap();
    assert_eq!(done.report.documents.added, 1);
    let done = graph.ingest([one.as_path(), two.as_path()]).await.unwrap();
    assert_eq!((done.report.documents.added, done.report.documents.unchanged), (1, 1));
    std::fs::remove_file(&two).unwrap();
    let done = graph.ingest([folder.path().to_owned()]).prune(true).await.unwrap();
    assert_eq!(done.report.documents.removed, 1);
    assert!(*told.lock().unwrap() > 0);
}

/// What is asked may move to another thread, as servers ask.
#[tokio::test]
async fn requests_can_be_spawned() {
    let folder = tempfile::tempdir().unwrap();
    let graph = std::sync::Arc::new(graph(folder.path()).await);
    let held = graph.clone();
    let ingest = async move { held.ingest([note("a.md", "ledger")]).ontology(ontology()).await };
    tokio::spawn(ingest).await.unwrap().unwrap();
    let held = graph.clone();
    let question = "Which services depend on money-types?";
    let answer = tokio::spawn(async move { held.ask(question).await }).await.unwrap().unwrap();
    assert_eq!(answer.entities[0].name, "ledger");
    let last = Mutex::new(None);
    let keep = |event: Event| *last.lock().unwrap() = Some(event);
    let again = graph.ask(question).without_model().events(keep).await.unwrap();
    assert_eq!(again.answer, answer.answer);
    assert!(matches!(last.into_inner().unwrap(), Some(Event::Done { .. })));
}

#[tokio::test]
async fn a_document_is_deleted_with_what_only_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph(folder.path()).await;
    graph.ingest([note("a.md", "ledger"), note("b.md", "billing")]).ontology(ontology()).await.unwrap();
    let question = "Which services depend on money-types?";
    assert_eq!(graph.ask(question).await.unwrap().entities.len(), 2);

    let done = graph.delete("b.md").await.unwrap();
    assert_eq!((done.report.documents.removed, done.report.documents.unchanged), (1, 1));
    let left = graph.ask(question).await.unwrap().entities;
    assert_eq!(left.iter().map(|entity| entity.name.as_str()).collect::<Vec<_>>(), ["ledger"]);
    let passages = graph.search(&graphwright::SearchRequest::new("billing")).await.unwrap();
    assert!(passages.hits.iter().all(|hit| hit.document.as_deref() != Some("b.md")), "{passages:?}");

    let unknown = graph.delete("notes/a.md").await.unwrap_err();
    assert_eq!(
        (unknown.code(), unknown.to_string().as_str()),
        ("unknown_document", "the graph has no document `notes/a.md`")
    );
    assert_eq!(unknown.hint().unwrap(), "did you mean `a.md`?");
}

#[tokio::test]
async fn what_the_builder_names_goes_before_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    drop(graph(folder.path()).await);
    let settings = Settings::at("elsewhere").model("openai/gpt-4o").credential("OPENAI_API_KEY", "k");
    let builder =
        Graph::builder().store(folder.path().join("graph")).model("openai/gpt-4o-mini").settings(settings);
    let graph = builder.access(Access::Read).build().await.unwrap();
    assert_eq!(graph.model().unwrap().name(), "openai/gpt-4o-mini");
    let keyless = Graph::builder().store(folder.path().join("graph")).model("openai/gpt-4o-mini").read_only();
    assert!(matches!(keyless.build().await, Err(Error::Settings { .. })));
}
