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
    assert_eq!(report, RefreshReport { nodes: 3, chunks: 3, embedded: 6, ..RefreshReport::default() });
    let report = refresh().await.unwrap().1;
    assert_eq!(report, RefreshReport { nodes: 3, chunks: 3, unchanged: true, ..RefreshReport::default() });

    write(&store, vec![chunk("c1", "Deprecations", "A new text."), node(names::META, "more", &[])]).await;
    let stale = SearchIndex::open_or_build(folder.path(), &store, Some(builtin()), None).await.unwrap();
    assert!(stale.search(&words("gateway")).await.unwrap().stale);
    let (fresh, report) = refresh().await.unwrap();
    assert_eq!((report.embedded, report.reused), (1, 5));
    assert_eq!(found(&fresh, words("new text")).await, ["c1"]);
    assert!(!fresh.search(&words("new")).await.unwrap().stale);

    // A reader of the old generation goes on, even with vectors that it had not read yet.
    assert_eq!(found(&stale, words("gateway")).await, ["c1"]);
    assert!(stale.search(&SearchRequest::new("gateway")).await.unwrap().mode == SearchMode::Graph);
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

#[tokio::test]
async fn words_are_stemmed_by_the_language_of_the_document_and_near_spellings_are_found() {
    let store = library().await;
    let (key, mut about) = node(names::DOCUMENT, "Handbuch", &[("language", "de".into())]);
    about.insert("source".into(), "handbuch.md".into());
    let text = "Die Häuser wurden vor Jahren gebaut.";
    write(&store, vec![(key, about), chunk("d0", "Handbuch", text)]).await;
    let index = SearchIndex::in_memory(&store, None).await.unwrap();
    for word in ["Haus", "Häusern", "\"Häusern wurden\""] {
        assert_eq!(found(&index, words(word)).await, ["d0"], "{word}");
    }
    assert_eq!(found(&index, words("migrating")).await, ["c0"], "other documents are still English");
    assert_eq!(found(&index, words("canten~")).await, ["c2"]);
    assert_eq!(found(&index, words("cnateen~1")).await, ["c2"], "letters that changed places are one edit");
    assert!(found(&index, words("canten")).await.is_empty());
    assert!(found(&index, words("kantinn~1")).await.is_empty());
}

async fn with_facts() -> EmbeddedStore {
    let store = library().await;
    let ends = [NodeKey::new("Service", "auth-service"), NodeKey::new("Library", "auth-lib-v2")];
    let mut changes = ChangeSet::new();
    let day = |text: &str| Value::Date(text.parse().unwrap());
    for (id, kind, more) in [
        ("f0", "DEPENDS_ON", vec![("valid_to", day("2024-03-01"))]),
        ("f1", "REPLACED_BY", vec![("valid_from", day("2024-03-02")), ("status", "planned".into())]),
    ] {
        let mut facts = properties(&more);
        facts.insert(names::CHUNKS.into(), vec!["c0"].into());
        let [from, to] = ends.clone();
        changes.upsert_relationship(
            graphwright_core::RelationshipKey { kind: kind.into(), from, to, id: id.into() },
            facts,
        );
    }
    store.apply(changes).await.unwrap();
    store
}

#[tokio::test]
async fn facts_are_found_as_sentences_when_asked_for() {
    let index = SearchIndex::in_memory(&with_facts().await, Some(builtin())).await.unwrap();
    let facts =
        SearchRequest { kind: Some(HitKind::Fact), ..SearchRequest::new("what depends on auth-lib-v2") };
    let hits = index.search(&facts).await.unwrap().hits;
    let first = &hits[0];
    assert_eq!(
        (first.id.as_str(), first.name.as_str(), first.label.as_str()),
        ("f0", "auth-service depends on auth-lib-v2", "DEPENDS_ON")
    );
    let ends = (first.from.as_deref(), first.to.as_deref(), first.document.as_deref());
    assert_eq!(ends, (Some("auth-service"), Some("auth-lib-v2"), Some("Deprecations")));
    assert_eq!(first.text, "valid to: 2024-03-01");
    let usual = index.search(&SearchRequest::new("what depends on auth-lib-v2")).await.unwrap().hits;
    assert!(usual.iter().all(|hit| hit.kind != HitKind::Fact));
}

#[tokio::test]
async fn filters_hold_within_the_index() {
    let index = SearchIndex::in_memory(&with_facts().await, Some(builtin())).await.unwrap();
    let facts = SearchRequest { kind: Some(HitKind::Fact), limit: 1, ..SearchRequest::new("auth") };
    let on = |day: &str| SearchRequest { valid_on: Some(day.parse().unwrap()), ..facts.clone() };
    assert_eq!(found(&index, on("2024-02-01")).await, ["f0"]);
    assert!(found(&index, on("2024-04-01")).await.is_empty(), "planned: its day may pass without it");
    let of_type = SearchRequest { labels: vec!["REPLACED_BY".into()], ..facts.clone() };
    assert_eq!(found(&index, of_type).await, ["f1"]);
    let elsewhere = SearchRequest { document: Some("elsewhere".into()), ..facts.clone() };
    assert!(found(&index, elsewhere).await.is_empty());
    let stated = SearchRequest { document: Some("Deprecations".into()), limit: 5, ..facts };
    assert_eq!(found(&index, stated).await.len(), 2);
    let having = |name: &str, value: &str| SearchRequest {
        properties: vec![(name.into(), value.into())],
        limit: 1,
        ..SearchRequest::new("canteen at noon")
    };
    assert_eq!(found(&index, having("tier", "1")).await, ["auth-service"]);
    assert!(found(&index, having("tier", "2")).await.is_empty());
    let entities = SearchRequest { labels: vec![names::ENTITY.into()], ..SearchRequest::new("auth") };
    assert_eq!(found(&index, entities).await.len(), 2);
}

#[tokio::test]
async fn many_refreshes_find_what_one_finds() {
    let (folder, store) = (tempfile::tempdir().unwrap(), with_facts().await);
    let mut random = 7_u32;
    for round in 0..16 {
        let mut nodes = Vec::new();
        for _ in 0..3 {
            random = random.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            let id = format!("r{}", random >> 16 & 31);
            nodes.push(chunk(&id, "Deprecations", &format!("round {round} of {id} at the gateway")));
        }
        write(&store, nodes).await;
        if round % 5 == 4 {
            let mut changes = ChangeSet::new();
            changes.push(Change::DeleteNode {
                key: NodeKey::new(names::CHUNK, format!("r{}", random >> 16 & 31)),
            });
            store.apply(changes).await.unwrap();
        }
        SearchIndex::refresh(folder.path(), &store, Some(builtin()), RefreshOptions::default())
            .await
            .unwrap();
    }
    let kept = SearchIndex::open(folder.path(), Some(builtin())).unwrap();
    assert_eq!(kept.damage(), None);
    assert!(kept.sections.iter().any(|section| section.segments.len() > 1), "segments are taken over");
    let fresh = SearchIndex::in_memory(&store, Some(builtin())).await.unwrap();
    assert_eq!(kept.len(), fresh.len());
    for query in ["gateway", "round 15", "r5 noon", "\"the gateway\" canteen"] {
        for mode in [SearchMode::Text, SearchMode::Vector] {
            let request = SearchRequest { mode, limit: 100, ..SearchRequest::new(query) };
            let mut sets = [found(&kept, request.clone()).await, found(&fresh, request).await];
            for set in &mut sets {
                set.sort();
            }
            assert_eq!(sets[0], sets[1], "{query}");
        }
    }
}

#[tokio::test]
async fn passages_that_complete_each_other_are_found_together_and_told() {
    let store = EmbeddedStore::in_memory();
    let mut nodes = vec![
        node(names::DOCUMENT, "Falcon Team", &[]),
        chunk("c0", "gateway", "The gateway is written by the Falcon Team in Go."),
        chunk("c1", "Falcon Team", "Its lead is on call at night."),
        chunk("c2", "leads", "A lead calls the canteen."),
    ];
    nodes.extend((3..9).map(|number| chunk(&format!("c{number}"), "canteen", "The canteen opens at noon.")));
    write(&store, nodes).await;
    let index = SearchIndex::in_memory(&store, Some(builtin())).await.unwrap();
    let question = "Is the lead of the team that wrote the gateway on call?";
    let request = SearchRequest { explain: true, limit: 3, ..SearchRequest::new(question) };
    let hits = index.search(&request).await.unwrap().hits;
    let led = hits.iter().find(|hit| !hit.chain.is_empty()).unwrap();
    let steps: Vec<_> = led.chain.iter().map(|step| (step.id.as_str(), step.by.as_deref())).collect();
    assert_eq!(steps[1].1, Some("falcon team"), "{steps:?}");
    assert!(led.why.contains("falcon team") && led.chain[1].strength > Some(0.3), "{}", led.why);
    let plain = index.search(&SearchRequest::new(question)).await.unwrap();
    assert!(plain.hits.iter().all(|hit| hit.chain.is_empty()), "chains come when they are asked for");
    let request = SearchRequest { mode: SearchMode::PageRank, ..SearchRequest::new(question) };
    let ids = found(&index, request).await;
    assert!(ids.len() >= 3 && !ids.contains(&"c3".to_owned()), "{ids:?}");
}

#[tokio::test]
async fn chains_lead_through_all_segments_past_what_was_replaced_and_filtered() {
    let (folder, store) = (tempfile::tempdir().unwrap(), EmbeddedStore::in_memory());
    let mut nodes = vec![
        node(names::DOCUMENT, "Falcon Team", &[]),
        chunk("c0", "gateway", "The gateway is written by the Falcon Team in Go."),
        chunk("c1", "Falcon Team", "Nothing is known of it yet."),
    ];
    nodes.extend((3..40).map(|number| chunk(&format!("c{number}"), "canteen", "The canteen opens at noon.")));
    write(&store, nodes).await;
    let refresh = || SearchIndex::refresh(folder.path(), &store, Some(builtin()), RefreshOptions::default());
    refresh().await.unwrap();
    write(&store, vec![chunk("c1", "Falcon Team", "Its lead is on call at night.")]).await;
    let (index, _) = refresh().await.unwrap();
    let of_chunks = index.sections.iter().find(|section| section.kind == HitKind::Chunk).unwrap();
    assert!(of_chunks.segments.len() > 1, "the test needs several segments");
    let question = "Is the lead of the team that wrote the gateway on call?";
    let request = SearchRequest { explain: true, limit: 2, ..SearchRequest::new(question) };
    let hits = index.search(&request).await.unwrap().hits;
    let led = hits.iter().find(|hit| hit.chain.len() == 2).unwrap();
    let mut ids: Vec<_> = led.chain.iter().map(|step| step.id.as_str()).collect();
    ids.sort_unstable();
    assert_eq!((ids, led.chain[1].by.as_deref()), (vec!["c0", "c1"], Some("falcon team")));
    let alone = SearchRequest { among: Some(["c1".to_owned()].into()), ..request };
    let hits = index.search(&alone).await.unwrap().hits;
    assert!(hits.len() == 1 && hits[0].text.contains("night") && hits[0].chain.len() == 2, "{hits:?}");
}
