use std::sync::Arc;

use graphwright_core::{
    GraphStore, NodeKey, Properties, RelationshipKey, Value, names,
    schema::{Index, IndexKind, Similarity, Target},
    store::{Change, ChangeSet},
};
use graphwright_embedded::EmbeddedStore;
use graphwright_llm::{BuiltinEmbedder, Embedder, Reranker};

use super::*;
use crate::{HitKind, PathOptions, SearchIndex, Topology, fixture::properties};

const TEXTS: [(&str, &str); 2] = [
    ("c0", "Ledger keeps the books and depends on money-types."),
    ("c1", "The canteen opens at noon and serves soup."),
];

async fn graph() -> (Arc<dyn GraphStore>, Arc<SearchIndex>, Arc<Topology>) {
    let store = EmbeddedStore::in_memory();
    let embedder = BuiltinEmbedder::new();
    let mut changes = ChangeSet::new();
    for name in ["ledger", "money-types", "decimal"] {
        let properties = properties(&[("name", name.into())]);
        changes.upsert_node(NodeKey::new("Service", name), &[names::ENTITY], properties);
    }
    for (id, text) in TEXTS {
        let key = NodeKey::new(names::CHUNK, id);
        changes.upsert_node(key.clone(), &[], properties(&[("text", text.into()), ("document", "d".into())]));
        let vector = embedder.embed_text(text).unwrap();
        changes.push(Change::SetVector { key, property: names::EMBEDDING.to_owned(), vector });
    }
    let entity = |name: &str| NodeKey::new("Service", name);
    for (kind, from, to) in [
        ("DEPENDS_ON", entity("ledger"), entity("money-types")),
        ("DEPENDS_ON", entity("money-types"), entity("decimal")),
        (names::FROM_CHUNK, entity("ledger"), NodeKey::new(names::CHUNK, "c0")),
    ] {
        let id = format!("{} {}", from.id, to.id);
        changes.upsert_relationship(RelationshipKey { kind: kind.into(), from, to, id }, Properties::new());
    }
    store.apply(changes).await.unwrap();
    let index = SearchIndex::in_memory(&store, Some(Arc::new(embedder))).await.unwrap();
    let topology = Topology::load(&store).await.unwrap();
    (Arc::new(store), Arc::new(index), Arc::new(topology))
}

fn chunks(query: &str) -> SearchRequest {
    SearchRequest { kind: Some(HitKind::Chunk), limit: 1, ..SearchRequest::new(query) }
}

#[tokio::test]
async fn searches_have_the_names_of_the_field() {
    let (_, index, _) = graph().await;
    let all: [Arc<dyn Retriever>; 3] = [
        Arc::new(VectorRetriever::new(index.clone())),
        Arc::new(FullTextRetriever::new(index.clone())),
        Arc::new(HybridRetriever::new(index)),
    ];
    for (retriever, why) in all.iter().zip(["meaning: 0", "words: soup", "words: soup; meaning: 0"]) {
        let found = retriever.retrieve(&chunks("soup")).await.unwrap();
        assert_eq!((found.retriever, found.hits[0].id.as_str()), (retriever.name(), "c1"));
        assert!(found.hits[0].why.contains(why), "{}", found.hits[0].why);
        assert_eq!(found.steps.len(), 1);
    }
}

#[tokio::test]
async fn a_query_of_ones_own_goes_on_from_the_hits_and_only_reads() {
    let (store, index, _) = graph().await;
    let words: Arc<dyn Retriever> = Arc::new(FullTextRetriever::new(index));
    let query = "MATCH (node)<-[:FROM_CHUNK]-(e) RETURN e.name AS name, score > 0 AS found, $note AS note";
    let retriever = VectorCypherRetriever::new(words.clone(), store.clone(), query).unwrap();
    let retriever = retriever.with_parameters(Properties::from([("note".into(), "x".into())]));
    let found = retriever.retrieve(&chunks("books")).await.unwrap();
    assert_eq!(found.columns, ["name", "found", "note"]);
    assert_eq!(found.rows, [vec![Value::from("ledger"), true.into(), "x".into()]]);
    for bad in ["SET node.text = 'x' RETURN node", "RETURN node; MATCH (n) DETACH DELETE n", "RETURN nod"] {
        let refused = VectorCypherRetriever::new(words.clone(), store.clone(), bad);
        let ran = match refused {
            Err(error) => Err(error),
            Ok(retriever) => retriever.retrieve(&chunks("books")).await,
        };
        assert!(ran.is_err(), "{bad}");
    }
}

#[tokio::test]
async fn walks_begin_at_the_hits_of_another_retriever() {
    let (_, index, topology) = graph().await;
    let words: Arc<dyn Retriever> = Arc::new(FullTextRetriever::new(index));
    let around = NeighborhoodRetriever::new(words.clone(), topology.clone());
    let found = around.retrieve(&chunks("books")).await.unwrap();
    let names: Vec<&str> = found.hits.iter().skip(1).map(|hit| hit.name.as_str()).collect();
    assert_eq!(names, ["money-types", "decimal"]);
    assert_eq!(found.hits[2].why, "path: ledger -[DEPENDS_ON]-> money-types -[DEPENDS_ON]-> decimal");

    let paths = PathRetriever::new(words.clone(), topology.clone()).with_options(PathOptions::default());
    let entities = SearchRequest { kind: Some(HitKind::Node), ..SearchRequest::new("ledger decimal") };
    let found = paths.retrieve(&entities).await.unwrap();
    assert_eq!(found.paths[0].to_string(), "decimal <-[DEPENDS_ON]- money-types <-[DEPENDS_ON]- ledger");

    // Retrievers of retrievers, within a budget.
    let both = PathRetriever::new(Arc::new(around), topology);
    let found = both.retrieve(&chunks("books")).await.unwrap();
    assert!(found.paths.len() >= 2 && found.steps.len() == 3, "{:?}", found.steps);
    let cut = found.within(10);
    assert!(cut.notices.last().unwrap().ends_with("did not fit into 10 tokens"), "{:?}", cut.notices);
}

/// Prefers books, or fails.
#[derive(Debug)]
struct Bookworm(bool);

#[async_trait]
impl Reranker for Bookworm {
    fn name(&self) -> &'static str {
        "bookworm"
    }

    async fn rerank(&self, query: &str, texts: &[String]) -> graphwright_llm::Result<Vec<f32>> {
        assert_eq!(query, "books  canteen soup");
        let scores = texts.iter().map(|text| if text.contains("books") { 2.5 } else { -0.5 });
        if self.0 { Ok(scores.collect()) } else { Err(graphwright_llm::LlmError::Cancelled) }
    }
}

#[tokio::test]
async fn a_reranker_ranks_anew_what_another_retriever_finds() {
    let (_, index, topology) = graph().await;
    let request = SearchRequest { explain: true, ..chunks("books* canteen soup") };
    let words: Arc<dyn Retriever> = Arc::new(FullTextRetriever::new(index.clone()));
    let before = words.retrieve(&request).await.unwrap().hits.remove(0);
    assert_eq!((before.id.as_str(), before.relevance), ("c1", None));

    let reranked = Arc::new(Reranked::new(words.clone(), Arc::new(Bookworm(true))));
    let found = reranked.retrieve(&request).await.unwrap();
    assert_eq!((found.retriever, found.hits.len(), found.hits[0].id.as_str()), ("Reranked", 1, "c0"));
    assert_eq!(found.hits[0].relevance, Some(2.5));
    assert!(
        found.hits[0].why.ends_with("relevance: 2.50 by bookworm; place before: 2"),
        "{}",
        found.hits[0].why
    );
    assert_eq!(found.steps[1], "Reranked: the 1 most relevant of them by bookworm");
    assert_eq!(index.search_reranked(&request, &Bookworm(true)).await.unwrap().hits[0].id, "c0");
    let around = NeighborhoodRetriever::new(reranked, topology).retrieve(&request).await.unwrap();
    assert!(
        around.hits.iter().any(|hit| hit.name == "decimal"),
        "a walk begins at what the reranker prefers"
    );

    let found = Reranked::new(words, Arc::new(Bookworm(false))).retrieve(&request).await.unwrap();
    assert_eq!(found.hits, [before]);
    let notice = "hits are in the order of the search, since the reranker bookworm failed: cancelled";
    assert_eq!(found.notices, [notice]);
    assert_eq!(index.search_reranked(&request, &Bookworm(false)).await.unwrap().notices, [notice]);
}

#[tokio::test]
async fn an_index_is_taken_by_name_and_another_embedder_refused() {
    let (store, ..) = graph().await;
    let kind = IndexKind::Vector { dimensions: BuiltinEmbedder::DIMENSIONS, similarity: Similarity::Cosine };
    let target = Target::Label(names::CHUNK.to_owned());
    let properties = vec![names::EMBEDDING.to_owned()];
    store.create_index(Index { name: "passages".into(), target, properties, kind }).await.unwrap();
    let index = crate::search::indexes_of(&*store).await.unwrap().remove(0);
    let builtin: Arc<dyn Embedder> = Arc::new(BuiltinEmbedder::new());
    let retriever = VectorRetriever::on_index(store.clone(), &index.name, builtin.clone()).await.unwrap();
    let found = retriever.retrieve(&chunks("soup in the canteen")).await.unwrap();
    assert_eq!(found.hits[0].id, "c1");
    let elsewhere = SearchRequest { document: Some("e".into()), ..chunks("soup") };
    assert!(retriever.retrieve(&elsewhere).await.unwrap().hits.is_empty());
    let error = VectorRetriever::on_index(store.clone(), "nothing", builtin).await.unwrap_err();
    assert!(
        error.to_string().contains(&format!("no vector index nothing; it has {}", index.name)),
        "{error}"
    );
    let other: Arc<dyn Embedder> = Arc::new(Short(graphwright_llm::EmbedderIdentity {
        name: "short".into(),
        weights: String::new(),
        dimensions: 2,
    }));
    let error = VectorRetriever::on_index(store, &index.name, other).await.unwrap_err();
    assert_eq!(error.code(), "bad_vectors");
}

#[derive(Debug)]
struct Short(graphwright_llm::EmbedderIdentity);

#[async_trait]
impl Embedder for Short {
    fn identity(&self) -> &graphwright_llm::EmbedderIdentity {
        &self.0
    }

    async fn embed(&self, texts: &[String]) -> graphwright_llm::Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|_| vec![1.0, 0.0]).collect())
    }
}
