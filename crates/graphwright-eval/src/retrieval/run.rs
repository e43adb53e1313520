//! Indexes passages and asks questions.

use std::{collections::BTreeSet, sync::Arc, time::Instant};

use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, names, store::ChangeSet};
use graphwright_llm::Embedder;
use graphwright_retrieve::{HitKind, SearchIndex, SearchMode, SearchRequest};

use super::{
    Collection, Method, Report,
    memory::peak_megabytes,
    report::{DEPTHS, Found, milliseconds},
};
use crate::Result;

/// The ways of searching that are compared, the default one last.
const METHODS: [(&str, SearchMode); 5] = [
    ("fulltext", SearchMode::Text),
    ("vector", SearchMode::Vector),
    ("hybrid", SearchMode::Hybrid),
    ("pagerank", SearchMode::PageRank),
    ("graph", SearchMode::Graph),
];

/// Writes the passages and facts of a collection to an empty store, indexes them as `graphwright ingest` does, and asks
/// every question in each of the ways of searching, or in all if none is given.
///
/// # Errors
/// If the store, the index or the embedder fails.
pub async fn measure(
    collection: &Collection,
    store: &dyn GraphStore,
    embedder: Arc<dyn Embedder>,
    modes: &[SearchMode],
) -> Result<Report> {
    store.apply(graph(collection)).await?;
    let started = Instant::now();
    let index = SearchIndex::in_memory(store, Some(embedder)).await?;
    let index_ms = milliseconds(started.elapsed());
    let mut methods = Vec::new();
    let wanted = |mode: &SearchMode| modes.is_empty() || modes.contains(mode);
    for (name, mode) in METHODS.into_iter().filter(|(_, mode)| wanted(mode)) {
        let mut found = Vec::new();
        for question in &collection.questions {
            // Quotation marks demand phrases, which no question of these sets means.
            let request = SearchRequest {
                mode,
                kind: Some(HitKind::Chunk),
                limit: DEPTHS[DEPTHS.len() - 1],
                ..SearchRequest::new(question.text.replace('"', " "))
            };
            let started = Instant::now();
            let hits = index.search(&request).await?.hits;
            let time = started.elapsed();
            let is_gold = |(rank, id): (usize, &str)| {
                let passage: usize = id.parse().ok()?;
                question.gold.contains(&passage).then_some(rank)
            };
            let ranks = hits.iter().map(|hit| hit.id.as_str()).enumerate().filter_map(is_gold).collect();
            found.push(Found { wanted: question.gold.len() + question.missing, ranks, time });
        }
        methods.push(Method::new(name, &found));
    }
    Ok(Report {
        passages: collection.passages.len(),
        facts: collection.facts.len(),
        questions: collection.questions.len(),
        missing: collection.questions.iter().map(|question| question.missing).sum(),
        index_ms,
        peak_mb: peak_megabytes(),
        methods,
    })
}

/// Returns the passages, and what the facts are about, as a graph.
fn graph(collection: &Collection) -> ChangeSet {
    let mut changes = ChangeSet::new();
    let passage = |number: usize| NodeKey::new(names::CHUNK, format!("{number:08}"));
    for (number, content) in collection.passages.iter().enumerate() {
        let headings = vec![content.title.as_str()];
        let properties = [("text", content.text.as_str().into()), ("headings", headings.into())];
        changes.upsert_node(passage(number), &[], named(properties));
    }
    let mentions: BTreeSet<(&str, usize)> = collection
        .facts
        .iter()
        .flat_map(|fact| fact.entities.each_ref().map(|name| (&**name, fact.passage)))
        .collect();
    let entity = |name: &str| NodeKey::new("Entity", name);
    let entities: BTreeSet<&str> = mentions.iter().map(|(name, _)| *name).collect();
    for name in entities {
        changes.upsert_node(entity(name), &[names::ENTITY], named([(names::NAME, name.into())]));
    }
    for (name, number) in mentions {
        let key = RelationshipKey {
            kind: names::FROM_CHUNK.to_owned(),
            from: entity(name),
            to: passage(number),
            id: format!("{number} {name}"),
        };
        changes.upsert_relationship(key, Properties::new());
    }
    changes
}

fn named<const N: usize>(properties: [(&str, graphwright_core::Value); N]) -> Properties {
    properties.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
