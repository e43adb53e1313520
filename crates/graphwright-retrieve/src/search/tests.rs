use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use graphwright_core::{
    GraphStore, NodeKey, Properties, Value, names,
    store::{Change, ChangeSet},
};
use graphwright_embedded::EmbeddedStore;
use graphwright_llm::{BuiltinEmbedder, Embedder, EmbedderIdentity};

use super::*;
use crate::{RetrieveError, fixture::properties};

mod damage;

fn chunk(id: &str, document: &str, text: &str) -> (NodeKey, Properties) {
    (NodeKey::new(names::CHUNK, id), properties(&[("text", text.into()), ("document", document.into())]))
}

fn node(label: &str, name: &str, more: &[(&str, Value)]) -> (NodeKey, Properties) {
    let mut properties = properties(more);
    properties.insert(names::NAME.into(), name.into());
    (NodeKey::new(label, name), properties)
}

async fn write(store: &EmbeddedStore, nodes: Vec<(NodeKey, Properties)>) {
    let mut changes = ChangeSet::new();
    for (key, properties) in nodes {
        let entity = !matches!(key.label.as_str(), names::CHUNK | names::DOCUMENT | names::META);
        changes.upsert_node(key, if entity { &[names::ENTITY] } else { &[] }, properties);
    }
    store.apply(changes).await.unwrap();
}

async fn library() -> EmbeddedStore {
    let store = EmbeddedStore::in_memory();
    let nodes = vec![
        node("Service", "auth-service", &[("language", "Go".into()), ("tier", 1_i64.into())]),
        node("Library", "auth-lib-v2", &[]),
        node(names::DOCUMENT, "Deprecations", &[]),
        node(names::META, "settings", &[("note", "auth".into())]),
        chunk("c0", "Deprecations", "Tokens issued by auth-lib-v2 never expire. Teams migrate before March."),
        chunk("c1", "Deprecations", "Authentication of users happens at the gateway."),
        chunk("c2", "Deprecations", "The canteen opens at noon."),
    ];
    write(&store, nodes).await;
    store
}

fn builtin() -> Arc<dyn Embedder> {
    Arc::new(BuiltinEmbedder::new())
}

async fn found(index: &SearchIndex, request: SearchRequest) -> Vec<String> {
    index.search(&request).await.unwrap().hits.into_iter().map(|hit| hit.id).collect()
}

fn words(query: &str) -> SearchRequest {
    SearchRequest { mode: SearchMode::Text, ..SearchRequest::new(query) }
}

#[tokio::test]
async fn words_are_stemmed_and_prefixes_and_phrases_work() {
    let index = SearchIndex::in_memory(&library().await, None).await.unwrap();
    assert_eq!(found(&index, words("migrating team")).await, ["c0"]);
    assert_eq!(found(&index, words("authent*")).await, ["c1"]);
    assert_eq!(found(&index, words("\"never expires\"")).await, ["c0"]);
    assert!(found(&index, words("\"expire never\"")).await.is_empty());
    assert_eq!(found(&index, words("\"at noon\" gateway")).await, ["c2"]);
    assert!(found(&index, words("settings")).await.is_empty(), "records are not found");
    for nothing in ["", "?!", "*", "\"\"", "zzz"] {
        assert!(found(&index, words(nothing)).await.is_empty(), "{nothing}");
    }
}

#[tokio::test]
async fn the_name_itself_comes_first_and_filters_hold() {
    let index = SearchIndex::in_memory(&library().await, Some(builtin())).await.unwrap();
    assert_eq!(found(&index, SearchRequest::new("auth-lib-v2")).await[0], "auth-lib-v2");
    let request = SearchRequest { kind: Some(HitKind::Chunk), ..SearchRequest::new("auth-lib-v2") };
    assert_eq!(found(&index, request).await[0], "c0");
    let request = SearchRequest { labels: vec!["Service".into()], ..SearchRequest::new("auth-lib-v2") };
    assert_eq!(found(&index, request).await, ["auth-service"]);
    let request = SearchRequest { limit: 2, ..SearchRequest::new("auth") };
    assert_eq!(found(&index, request).await.len(), 2);
    for among in [&["auth-service", "c1", "gone"][..], &["c0"], &["auth-lib-v2", "Deprecations", "c2"], &[]] {
        let ids = among.iter().map(|&id| id.to_owned()).collect();
        let request = SearchRequest { among: Some(ids), ..SearchRequest::new("auth tokens at noon") };
        let mut hits = found(&index, request).await;
        hits.sort();
        let stored: Vec<&str> = among.iter().copied().filter(|id| *id != "gone").collect();
        assert!(hits.iter().all(|hit| stored.contains(&hit.as_str())), "{hits:?} of {among:?}");
        assert_eq!(hits.is_empty(), among.is_empty(), "{hits:?} of {among:?}");
    }
}

#[tokio::test]
async fn hits_say_what_they_are_and_why() {
    let index = SearchIndex::in_memory(&library().await, Some(builtin())).await.unwrap();
    let hits = index.search(&SearchRequest::new("Which service uses Go?")).await.unwrap().hits;
    let first = &hits[0];
    assert_eq!(
        (first.kind, first.label.as_str(), first.document.as_deref()),
        (HitKind::Node, "Service", None)
    );
    assert_eq!(first.text, "language: Go; tier: 1");
    assert!(first.why.starts_with("words: service, go; meaning: 0."), "{}", first.why);
    let hits = index.search(&words("noon")).await.unwrap().hits;
    assert_eq!((hits[0].name.as_str(), hits[0].document.as_deref()), ("Deprecations", Some("Deprecations")));
}

#[tokio::test]
async fn meaning_finds_what_words_do_not() {
    let index = SearchIndex::in_memory(&library().await, Some(builtin())).await.unwrap();
    let request = SearchRequest { mode: SearchMode::Vector, ..SearchRequest::new("lunch in the cafeteria") };
    assert_eq!(found(&index, request).await[0], "c2");
    let results = index.search(&SearchRequest::new("知识图谱")).await.unwrap();
    assert_eq!(results.mode, SearchMode::Text);
    assert_eq!(results.notices, ["the embedder knows no word of the query, so only words were compared"]);
}

#[tokio::test]
async fn a_refresh_embeds_only_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let store = library().await;
    let refresh = || SearchIndex::refresh(folder.path(), &store, Some(builtin()), RefreshOptions::default());
    let report = refresh().await.unwrap().1;
    assert_eq!(
        report,
        RefreshReport { nodes: 3, chunks: 3, embedded: 6, reused: 0, unchanged: false, damaged: false }
    );
    let report = refresh().await.unwrap().1;
    assert_eq!(
        report,
        RefreshReport { nodes: 3, chunks: 3, embedded: 0, reused: 0, unchanged: true, damaged: false }
    );

    write(&store, vec![chunk("c1", "Deprecations", "A new text."), node(names::META, "more", &[])]).await;
    let stale = SearchIndex::open_or_build(folder.path(), &store, Some(builtin()), None).await.unwrap();
    assert!(stale.search(&words("gateway")).await.unwrap().stale);
    let (fresh, report) = refresh().await.unwrap();
    assert_eq!((report.embedded, report.reused), (1, 5));
    assert_eq!(found(&fresh, words("new text")).await, ["c1"]);
    assert!(!fresh.search(&words("new")).await.unwrap().stale);

    // A reader of the old generation goes on, even with vectors that it had not read yet.
    assert_eq!(found(&stale, words("gateway")).await, ["c1"]);
    assert!(stale.search(&SearchRequest::new("gateway")).await.unwrap().mode == SearchMode::Hybrid);
    assert_eq!(generations(folder.path()), 2);
    drop(stale);
    write(&store, vec![chunk("c3", "Deprecations", "Again.")]).await;
    drop(fresh);
    refresh().await.unwrap();
    assert_eq!(generations(folder.path()), 1);

    // A change to what cannot be found makes no new generation, but the index is not stale
    // afterwards.
    write(&store, vec![node(names::META, "other", &[])]).await;
    assert!(refresh().await.unwrap().1.unchanged);
    let is_stale = async || {
        SearchIndex::open_or_build(folder.path(), &store, Some(builtin()), None).await.unwrap().is_stale()
    };
    assert!(!is_stale().await);

    // `confirm` records that without a refresh.
    write(&store, vec![node(names::META, "third", &[])]).await;
    assert!(is_stale().await && SearchIndex::confirm(folder.path(), &store).await.unwrap());
    assert!(!is_stale().await && SearchIndex::confirm(folder.path(), &store).await.unwrap());
    write(&store, vec![chunk("c3", "Deprecations", "Once more.")]).await;
    assert!(!SearchIndex::confirm(folder.path(), &store).await.unwrap() && is_stale().await);
    assert!(!SearchIndex::confirm(&folder.path().join("none"), &store).await.unwrap());
}

fn generations(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.filter(|entry| entry.as_ref().unwrap().file_type().unwrap().is_dir()).count()
}

#[derive(Debug)]
struct Other(EmbedderIdentity);

#[async_trait]
impl Embedder for Other {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    async fn embed(&self, texts: &[String]) -> graphwright_llm::Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| vec![1.0, text.len() as f32]).collect())
    }
}

fn other(dimensions: usize) -> Arc<dyn Embedder> {
    Arc::new(Other(EmbedderIdentity { name: "other".into(), weights: String::new(), dimensions }))
}

#[tokio::test]
async fn another_embedder_is_refused_until_everything_is_embedded_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = library().await;
    let check = |embedder: Arc<dyn Embedder>| SearchIndex::check_embedder(folder.path(), embedder.identity());
    assert!(check(other(2)).is_ok(), "without an index any embedder will do");
    SearchIndex::refresh(folder.path(), &store, Some(builtin()), RefreshOptions::default()).await.unwrap();
    assert!(check(builtin()).is_ok());
    assert_eq!(check(other(2)).unwrap_err().code(), "other_embedder");
    let error = SearchIndex::open(folder.path(), Some(other(2))).unwrap_err();
    insta::assert_snapshot!(error, @"the search index was made with the embedder builtin and is being used with other");
    let hint = error.hint().unwrap();
    assert!(hint.contains("embed all texts anew"), "{hint}");
    let refused =
        SearchIndex::refresh(folder.path(), &store, Some(other(2)), RefreshOptions::default()).await;
    assert_eq!(refused.unwrap_err().code(), "other_embedder");

    let words_only =
        SearchIndex::open(folder.path(), None).unwrap().search(&SearchRequest::new("noon")).await.unwrap();
    assert_eq!((words_only.mode, words_only.hits.len()), (SearchMode::Text, 1));
    assert_eq!(words_only.notices, ["no embedder is set, so only words were compared"]);

    let again = RefreshOptions { re_embed: true };
    let (index, report) = SearchIndex::refresh(folder.path(), &store, Some(other(2)), again).await.unwrap();
    assert_eq!((report.embedded, report.reused), (6, 0));
    assert_eq!(index.embedder().unwrap().name, "other");
    let lying = SearchIndex::refresh(folder.path(), &store, Some(other(3)), again).await.unwrap_err();
    assert!(matches!(lying, RetrieveError::BadVectors { .. }), "{lying}");
    assert!(
        SearchIndex::open(folder.path(), Some(other(2))).is_ok(),
        "a failed refresh leaves the index as it was"
    );
}

#[tokio::test]
async fn an_empty_graph_has_an_empty_index() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedStore::in_memory();
    let refreshed =
        SearchIndex::refresh(folder.path(), &store, Some(builtin()), RefreshOptions::default()).await;
    let (index, report) = refreshed.unwrap();
    assert!(index.is_empty() && report == RefreshReport::default());
    assert!(found(&index, SearchRequest::new("anything")).await.is_empty());
}

#[tokio::test]
async fn vectors_in_the_store_are_not_text() {
    let store = library().await;
    let key = NodeKey::new(names::CHUNK, "c2");
    let mut changes = ChangeSet::new();
    changes.push(Change::SetVector { key, property: names::EMBEDDING.into(), vector: vec![0.25; 4] });
    store.apply(changes).await.unwrap();
    let index = SearchIndex::in_memory(&store, None).await.unwrap();
    assert!(found(&index, words("0.25")).await.is_empty());
}
