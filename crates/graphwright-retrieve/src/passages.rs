//! Reads the passages that support entities and relationships.

use std::collections::HashMap;

use futures::TryStreamExt;
use graphwright_core::{GraphStore, Statement, Value, document::Pages, store::QueryOptions};
use serde::{Deserialize, Serialize};

use crate::{NodeIndex, Result, Support, Topology, sentences::sentences_around};

/// A part of a document that supports something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Source of the document, or its name if the source is unknown.
    pub document: String,
    /// Identifier of the chunk that contains the passage.
    pub chunk: String,
    /// Offset of the first byte in the document's text.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
    /// Number of the page on which it begins, where the document has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// The text of that range.
    pub text: String,
    /// Relevance, from 0 to 1; higher is better.
    pub score: f64,
}

impl Topology {
    /// Reads the passages, at most `limit`, best first: the sentences around what is supported, or the whole
    /// chunk where the place is not known. Pieces of text that several supports share come once, with the best score.
    ///
    /// The store is only asked for texts that the topology was built without.
    pub async fn read_passages(
        &self,
        store: &dyn GraphStore,
        supports: &[(Support, f64)],
        limit: usize,
    ) -> Result<Vec<Passage>> {
        let mut supports = supports.to_vec();
        supports.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        let texts = self.read_texts(store, &supports).await?;
        let mut passages: Vec<Passage> = Vec::new();
        for (support, score) in supports {
            let Some(text) = texts.get(&support.chunk) else { continue };
            let passage = self.passage(support, text, score);
            let same = |other: &Passage| {
                (&other.chunk, other.start, other.end) == (&passage.chunk, passage.start, passage.end)
            };
            if passages.len() < limit && !passages.iter().any(same) {
                passages.push(passage);
            }
        }
        Ok(passages)
    }

    async fn read_texts(
        &self,
        store: &dyn GraphStore,
        supports: &[(Support, f64)],
    ) -> Result<HashMap<NodeIndex, String>> {
        let mut chunks: Vec<NodeIndex> = supports.iter().map(|(support, _)| support.chunk).collect();
        chunks.sort_unstable();
        chunks.dedup();
        let mut texts = HashMap::new();
        chunks.retain(|&chunk| {
            let text = self.text(chunk);
            texts.extend(text.map(|text| (chunk, text.to_owned())));
            text.is_none()
        });
        // Chunks of graphs made elsewhere have no `__id__`, only an identifier of the store.
        let foreign = |chunk: &NodeIndex| self.node(*chunk).id() == self.node(*chunk).element_id.as_str();
        let (foreign, ours): (Vec<NodeIndex>, Vec<NodeIndex>) = chunks.into_iter().partition(foreign);
        let ours_by_id = "UNWIND $ids AS id MATCH (c:Chunk {__id__: id}) RETURN c.__id__, c.text";
        let foreign_by_id = "MATCH (c:Chunk) WHERE elementId(c) IN $ids RETURN elementId(c), c.text";
        for (chunks, text) in [(ours, ours_by_id), (foreign, foreign_by_id)] {
            if chunks.is_empty() {
                continue;
            }
            let ids: Vec<Value> = chunks.iter().map(|&chunk| self.node(chunk).id().into()).collect();
            let statement = Statement::fixed(text).with("ids", Value::List(ids));
            let mut rows = store.read(statement, QueryOptions::default()).await?;
            while let Some(row) = rows.try_next().await? {
                if let [Value::String(id), Value::String(text)] = row.as_slice()
                    && let Some(chunk) = self.node_by_id(id)
                {
                    texts.insert(chunk, text.clone());
                }
            }
        }
        Ok(texts)
    }

    /// Returns the number of the page on which a passage begins, where its document has pages.
    pub fn page_of(&self, passage: &Passage) -> Option<usize> {
        let chunk = self.node_by_id(&passage.chunk)?;
        Some(Pages::read(&self.node(chunk).properties)?.at(passage.start))
    }

    /// Creates a passage of a whole chunk from its text.
    ///
    /// # Panics
    /// If the chunk belongs to another topology.
    pub fn whole_passage(&self, chunk: NodeIndex, text: &str, score: f64) -> Passage {
        self.passage(Support { chunk, span: None }, text, score)
    }

    fn passage(&self, support: Support, text: &str, score: f64) -> Passage {
        let chunk = self.node(support.chunk);
        let offset = chunk.properties.get("start").and_then(Value::as_integer);
        let offset = offset.and_then(|start| usize::try_from(start).ok()).unwrap_or(0);
        let within = support.span.and_then(|span| {
            let (start, end) = (span.start.checked_sub(offset)?, span.end.checked_sub(offset)?);
            text.get(start..end).map(|_| sentences_around(text, start, end))
        });
        let (start, end) = within.unwrap_or((0, text.len()));
        let document = self.document_of(support.chunk).map(|document| {
            let document = self.node(document);
            document
                .properties
                .get("source")
                .and_then(Value::as_str)
                .unwrap_or_else(|| document.display_name())
        });
        Passage {
            document: document.unwrap_or_default().to_owned(),
            chunk: chunk.id().to_owned(),
            start: offset + start,
            end: offset + end,
            page: Pages::read(&chunk.properties).map(|pages| pages.at(offset + start)),
            text: text[start..end].to_owned(),
            score,
        }
    }
}

#[cfg(test)]
mod tests {
    use graphwright_core::{NodeKey, RelationshipKey, names, store::ChangeSet};
    use graphwright_embedded::EmbeddedStore;

    use super::*;
    use crate::{
        PathOptions,
        fixture::{at, properties},
    };

    #[tokio::test]
    async fn passages_of_a_path_come_from_the_store() {
        let text = "Nothing here. The auth service uses lib.\nIt is old.";
        let start = text.find("auth").unwrap() as i64 + 100;
        let store = EmbeddedStore::in_memory();
        let [auth, lib] = ["auth", "lib"].map(|id| NodeKey::new("Thing", id));
        let chunk = NodeKey::new(names::CHUNK, "c0");
        let mut changes = ChangeSet::new();
        for key in [&auth, &lib] {
            changes.upsert_node(
                key.clone(),
                &[names::ENTITY],
                properties(&[("name", key.id.as_str().into())]),
            );
        }
        let document = properties(&[("name", "Notes".into()), ("source", "notes.md".into())]);
        changes.upsert_node(NodeKey::new(names::DOCUMENT, "d"), &[], document);
        let content = [
            ("text", text.into()),
            ("document", "d".into()),
            ("start", 100_i64.into()),
            ("page", 2_i64.into()),
            ("page_starts", vec![113_i64].into()),
        ];
        changes.upsert_node(chunk, &[], properties(&content));
        let support = [
            ("chunks", vec!["c0", "c0"].into()),
            ("starts", vec![start, 9_999].into()),
            ("ends", vec![start + 21, 10_000].into()),
            ("confidence", 0.7.into()),
        ];
        let key = RelationshipKey { kind: "USES".into(), from: auth, to: lib, id: "r".into() };
        changes.upsert_relationship(key, properties(&support));
        store.apply(changes).await.unwrap();

        let topology = Topology::load(&store).await.unwrap();
        let ends = ["auth", "lib"].map(|id| at(&topology, id));
        let paths = topology.best_paths(&ends[..1], &ends[1..], &PathOptions::default()).paths;
        let facts = paths[0].steps.iter().map(|step| step.relationship);
        let supports: Vec<(Support, f64)> = facts
            .flat_map(|fact| {
                let confidence = topology.edge(fact).confidence().unwrap_or(1.0);
                topology.supports(fact).into_iter().map(move |support| (support, confidence))
            })
            .collect();
        let passages = topology.read_passages(&store, &supports, 5).await.unwrap();
        let line = |passage: &Passage| {
            let Passage { document, chunk, start, end, page, text, score } = passage;
            format!("{document} {chunk} {start}-{end} page {} {score}: {text:?}", page.unwrap_or_default())
        };
        let lines: Vec<String> = passages.iter().map(line).collect();
        let whole = format!("notes.md c0 100-{} page 2 0.7: {text:?}", 100 + text.len());
        let sentence = format!("notes.md c0 114-140 page 3 0.7: {:?}", &text[14..40]);
        assert_eq!(lines, [sentence, whole]);
        assert_eq!(topology.read_passages(&store, &supports, 1).await.unwrap().len(), 1);
    }
}
