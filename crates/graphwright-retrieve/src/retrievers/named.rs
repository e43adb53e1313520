//! Indexes that a store has under names of its own, also those that other tools have made.

use std::{collections::HashMap, sync::Arc};

use futures::TryStreamExt;
use graphwright_core::{
    ElementId, GraphStore, Node, Statement, Value,
    schema::{Index, IndexKind, Target},
    store::QueryOptions,
};
use graphwright_llm::Embedder;

use crate::{
    Result, RetrieveError, SearchMode, SearchRequest, SearchResults,
    search::{Candidate, best_of_named, full_text_query, indexes_of, read_identity},
};

const BY_WORDS: &str = "CALL db.index.fulltext.queryNodes($index, $query, {limit: $limit}) \
     YIELD node, score RETURN node, score";
const BY_VECTOR: &str = "CALL db.index.vector.queryNodes($index, $limit, $vector) \
     YIELD node, score RETURN node, score";
const BY_ELEMENT_ID: &str = "MATCH (node) WHERE elementId(node) IN $ids RETURN node";

/// Hits that an index is asked for, at least.
const CANDIDATES: usize = 100;

/// Indexes of a store.
#[derive(Debug)]
pub(super) struct NamedIndex {
    store: Arc<dyn GraphStore>,
    vector: Option<(Index, Arc<dyn Embedder>)>,
    full_text: Option<Index>,
}

impl NamedIndex {
    /// Finds the indexes, and checks that the embedder fits.
    pub(super) async fn open(
        store: Arc<dyn GraphStore>,
        vector: Option<(&str, Arc<dyn Embedder>)>,
        full_text: Option<&str>,
    ) -> Result<Self> {
        let indexes = indexes_of(&*store).await?;
        let vector = match vector {
            Some((name, embedder)) => {
                let index = find(&indexes, name, "vector", |kind| matches!(kind, IndexKind::Vector { .. }))?;
                check_embedder(&*store, &index, &*embedder).await?;
                Some((index, embedder))
            }
            None => None,
        };
        let full_text = match full_text {
            Some(name) => {
                let index = find(&indexes, name, "full-text", |kind| *kind == IndexKind::FullText)?;
                if !store.capabilities().full_text {
                    let message = format!("the store cannot search its full-text index {name} by stems");
                    return Err(RetrieveError::BadIndex { message });
                }
                Some(index)
            }
            None => None,
        };
        Ok(Self { store, vector, full_text })
    }

    /// Searches the indexes. Filters hold for what they find, of which more is asked for then.
    pub(super) async fn search(&self, request: &SearchRequest) -> Result<SearchResults> {
        let limit = (request.limit * 5).max(CANDIDATES);
        let mut found: HashMap<String, Candidate> = HashMap::new();
        let mut notices = Vec::new();
        let mut mode = request.mode;
        if let Some((index, embedder)) = self.vector.as_ref().filter(|_| mode != SearchMode::Text) {
            if let Some(vector) = self.query_vector(&request.query, &**embedder).await? {
                for (node, cosine) in self.nearest(index, &vector, limit).await? {
                    Candidate::of(&mut found, node).cosine = Some(cosine);
                }
            } else {
                notices.push("the embedder knows no word of the query".to_owned());
                mode = SearchMode::Text;
            }
        }
        if let Some(index) = self.full_text.as_ref().filter(|_| mode != SearchMode::Vector) {
            let query = full_text_query(&request.query);
            if !query.is_empty() {
                let statement = Statement::fixed(BY_WORDS)
                    .with("index", index.name.as_str())
                    .with("query", query)
                    .with("limit", limit as i64);
                for (node, score) in self.rows(statement).await? {
                    Candidate::of(&mut found, node).words = Some(score);
                }
            }
        }
        let hits = best_of_named(found.into_values().collect(), request, mode);
        Ok(SearchResults { hits, mode, names: Vec::new(), stale: false, notices })
    }

    async fn query_vector(&self, query: &str, embedder: &dyn Embedder) -> Result<Option<Vec<f32>>> {
        let vector = embedder.embed(&[query.to_owned()]).await?.into_iter().next();
        Ok(vector.filter(|vector| vector.iter().any(|number| *number != 0.0)))
    }

    /// Finds the nearest nodes: by the index of a server; one by one in an embedded store.
    async fn nearest(&self, index: &Index, vector: &[f32], limit: usize) -> Result<Vec<(Node, f32)>> {
        if self.store.capabilities().explains {
            let numbers = vector.iter().map(|&number| Value::from(f64::from(number))).collect();
            let statement = Statement::fixed(BY_VECTOR)
                .with("index", index.name.as_str())
                .with("vector", Value::List(numbers))
                .with("limit", limit as i64);
            let rows = self.rows(statement).await?;
            return Ok(rows.into_iter().map(|(node, score)| (node, (2.0 * score - 1.0) as f32)).collect());
        }
        let (Target::Label(label), Some(property)) = (&index.target, index.properties.first()) else {
            return Ok(Vec::new());
        };
        let mut vectors = self.store.vectors(label, property).await?;
        let mut scored: Vec<(ElementId, f32)> = Vec::new();
        while let Some((id, other)) = vectors.try_next().await? {
            scored.push((id, graphwright_llm::cosine(vector, &other)));
        }
        scored.sort_by(|left, right| right.1.total_cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        scored.truncate(limit);
        let ids: Vec<Value> = scored.iter().map(|(id, _)| id.as_str().into()).collect();
        let statement = Statement::fixed(BY_ELEMENT_ID).with("ids", ids);
        let rows = self.store.read(statement, QueryOptions::default()).await?.collect().await?.rows;
        let scores: HashMap<ElementId, f32> = scored.into_iter().collect();
        let nodes = rows.into_iter().filter_map(|row| row.into_iter().next()?.as_node().cloned());
        Ok(nodes
            .filter_map(|node| Some((scores.get(&node.element_id).copied()?, node)))
            .map(|(score, node)| (node, score))
            .collect())
    }

    async fn rows(&self, statement: Statement) -> Result<Vec<(Node, f64)>> {
        let rows = self.store.read(statement, QueryOptions::default()).await?.collect().await?.rows;
        let pair = |row: &Vec<Value>| match row.as_slice() {
            [node, Value::Float(score)] => Some((node.as_node()?.clone(), *score)),
            _ => None,
        };
        Ok(rows.iter().filter_map(pair).collect())
    }
}

fn find(indexes: &[Index], name: &str, what: &str, is_kind: impl Fn(&IndexKind) -> bool) -> Result<Index> {
    let of_kind = || indexes.iter().filter(|index| is_kind(&index.kind));
    of_kind().find(|index| index.name == name).cloned().ok_or_else(|| {
        let known: Vec<&str> = of_kind().map(|index| index.name.as_str()).collect();
        let known =
            if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
        RetrieveError::BadIndex { message: format!("the store has no {what} index {name}; {known}") }
    })
}

/// Fails if the vectors of an index are of another embedder, as far as the graph or their length
/// tells.
async fn check_embedder(store: &dyn GraphStore, index: &Index, embedder: &dyn Embedder) -> Result<()> {
    let given = embedder.identity();
    let is_ours = matches!(index.name.as_str(), "vector" | "entity_vector");
    if is_ours
        && let Some(known) = read_identity(store).await?
        && known != *given
    {
        return Err(RetrieveError::OtherEmbedder { index: Box::new(known), given: Box::new(given.clone()) });
    }
    match index.kind {
        IndexKind::Vector { dimensions, .. } if dimensions != given.dimensions => {
            Err(RetrieveError::BadVectors {
                name: given.name.clone(),
                wanted: format!("a vector of {dimensions} numbers, as the index {} has them,", index.name),
                got: format!("one of {}", given.dimensions),
            })
        }
        _ => Ok(()),
    }
}
