//! What proves an answer: paths of the graph, and the passages that state their relationships and values.

use std::collections::HashMap;

use futures::TryStreamExt;
use graphwright_core::{GraphStore, Statement, Value, names, store::QueryOptions};
use graphwright_retrieve::{NodeIndex, RelationshipIndex, Step, Support, Topology};

use crate::{
    Result,
    answer::{AnswerEntity, AnswerPath, Passage, PathNode, PathRelationship},
};

/// At most so many passages go with an answer.
pub(crate) const MOST_PASSAGES: usize = 20;

pub(crate) fn entity(topology: &Topology, node: NodeIndex, score: f64) -> AnswerEntity {
    let content = topology.node(node);
    AnswerEntity {
        id: content.id().to_owned(),
        name: content.display_name().to_owned(),
        kind: content.kind().to_owned(),
        score: (score * 1000.0).round() / 1000.0,
    }
}

/// A walk of steps from a node, in the public form.
pub(crate) fn path(topology: &Topology, from: NodeIndex, steps: &[Step]) -> AnswerPath {
    let mut nodes = vec![path_node(topology, from)];
    let mut relationships = Vec::new();
    for step in steps {
        let edge = topology.edge(step.relationship);
        nodes.push(path_node(topology, step.node));
        relationships.push(PathRelationship {
            kind: edge.kind.to_string(),
            from: topology.node(edge.start).id().to_owned(),
            to: topology.node(edge.end).id().to_owned(),
            confidence: edge.confidence().unwrap_or(1.0),
        });
    }
    AnswerPath { nodes, relationships }
}

impl AnswerPath {
    /// A walk of steps from a node, as [`Topology`]'s paths and neighbourhoods give it.
    pub fn of_walk(topology: &Topology, from: NodeIndex, steps: &[Step]) -> Self {
        path(topology, from, steps)
    }
}

fn path_node(topology: &Topology, node: NodeIndex) -> PathNode {
    let content = topology.node(node);
    PathNode {
        id: content.id().to_owned(),
        name: content.display_name().to_owned(),
        kind: content.kind().to_owned(),
    }
}

/// Passages wanted for an answer, each with how much it says.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    supports: Vec<(Support, f64)>,
}

impl Wanted {
    fn add(&mut self, support: Support, score: f64) {
        let same = |known: &&mut (Support, f64)| known.0 == support;
        match self.supports.iter_mut().find(same) {
            Some(known) => known.1 = known.1.max(score),
            None => self.supports.push((support, score)),
        }
    }

    /// The passages that state a relationship.
    pub(crate) fn relationship(&mut self, topology: &Topology, relationship: RelationshipIndex) {
        for support in topology.supports(relationship) {
            self.add(support, topology.edge(relationship).confidence().unwrap_or(1.0));
        }
    }

    /// The passages that give an entity a property.
    pub(crate) fn property(&mut self, topology: &Topology, node: NodeIndex, name: &str) {
        for stated in topology.property_supports(node) {
            if stated.property == name {
                self.add(stated.support, stated.confidence.unwrap_or(1.0));
            }
        }
    }

    /// Where an entity is mentioned.
    pub(crate) fn mentions(&mut self, topology: &Topology, node: NodeIndex, most: usize) {
        for support in topology.mentions(node).into_iter().take(most) {
            self.add(support, 0.5);
        }
    }

    /// Reads the texts from the store; best first, then in the order of the documents.
    pub(crate) async fn read(mut self, topology: &Topology, store: &dyn GraphStore) -> Result<Vec<Passage>> {
        self.supports.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        self.supports.truncate(MOST_PASSAGES);
        if self.supports.is_empty() {
            return Ok(Vec::new());
        }
        let mut ids: Vec<String> =
            self.supports.iter().map(|(support, _)| topology.node(support.chunk).id().to_owned()).collect();
        ids.sort_unstable();
        ids.dedup();
        let texts = read_texts(store, ids).await?;
        let mut passages = Vec::new();
        for (support, score) in self.supports {
            let chunk = topology.node(support.chunk);
            let Some(text) = texts.get(chunk.id()) else { continue };
            let passage = passage(topology, support, text, score);
            if !passages
                .iter()
                .any(|other: &Passage| other.chunk == passage.chunk && other.start == passage.start)
            {
                passages.push(passage);
            }
        }
        Ok(passages)
    }
}

async fn read_texts(store: &dyn GraphStore, ids: Vec<String>) -> Result<HashMap<String, String>> {
    let statement =
        Statement::fixed("MATCH (c:Chunk) WHERE c.__id__ IN $ids RETURN c.__id__ AS id, c.text AS text");
    let rows = store.read(statement.with("ids", ids), QueryOptions::default()).await?;
    let rows: Vec<Vec<Value>> = rows.try_collect().await?;
    let pair = |row: Vec<Value>| match <[Value; 2]>::try_from(row) {
        Ok([Value::String(id), Value::String(text)]) => Some((id, text)),
        _ => None,
    };
    Ok(rows.into_iter().filter_map(pair).collect())
}

/// All of a passage, found by its words.
pub(crate) fn whole_passage(topology: &Topology, chunk: NodeIndex, text: &str, score: f64) -> Passage {
    passage(topology, Support { chunk, span: None }, text, score)
}

/// The sentence around what is stated, or the whole passage where the place is not known.
fn passage(topology: &Topology, support: Support, text: &str, score: f64) -> Passage {
    let chunk = topology.node(support.chunk);
    let offset = chunk
        .properties
        .get("start")
        .and_then(Value::as_integer)
        .and_then(|start| usize::try_from(start).ok());
    let offset = offset.unwrap_or(0);
    let within = support.span.and_then(|span| {
        let (start, end) = (span.start.checked_sub(offset)?, span.end.checked_sub(offset)?);
        (end <= text.len() && start < end && text.is_char_boundary(start) && text.is_char_boundary(end))
            .then(|| sentence(text, start, end))
    });
    let (start, end) = within.unwrap_or((0, text.len()));
    let document = topology.document_of(support.chunk).map(|document| {
        let content = topology.node(document);
        content
            .properties
            .get("source")
            .and_then(Value::as_str)
            .unwrap_or_else(|| content.display_name())
            .to_owned()
    });
    let document =
        document.or_else(|| chunk.properties.get(names::ID).and_then(Value::as_str).map(str::to_owned));
    Passage {
        document: document.unwrap_or_default(),
        chunk: chunk.id().to_owned(),
        start: offset + start,
        end: offset + end,
        text: text[start..end].to_owned(),
        score: (score * 1000.0).round() / 1000.0,
    }
}

/// Widens a range to the ends of its sentence or line.
fn sentence(text: &str, start: usize, end: usize) -> (usize, usize) {
    let ends = |at: usize| {
        let rest = &text[at..];
        rest.starts_with('\n')
            || (rest.starts_with(['.', '!', '?']) && rest[1..].chars().next().is_none_or(char::is_whitespace))
    };
    let before = text[..start]
        .char_indices()
        .rev()
        .find(|(at, _)| ends(*at))
        .map_or(0, |(at, letter)| at + letter.len_utf8());
    let closed = text[..end].ends_with(['.', '!', '?', '\n']);
    let after = text[end..].char_indices().find(|(at, _)| ends(end + at));
    let after = match after {
        _ if closed => end,
        Some((at, '\n')) => end + at,
        Some((at, letter)) => end + at + letter.len_utf8(),
        None => text.len(),
    };
    let first = before + (text[before..start].len() - text[before..start].trim_start().len());
    (first, after)
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn a_range_grows_to_its_sentence() {
        let text = "First one. Ada owns v2.1 of it now. Last.";
        let start = text.find("owns").unwrap();
        let (first, last) = sentence(text, start, start + 4);
        assert_eq!(&text[first..last], "Ada owns v2.1 of it now.");
    }
}
