//! The evidence for an answer: paths of the graph, and the passages that state their relationships
//! and values.

use graphwright_core::{ElementId, GraphStore, Node, Path, Value, names};
use graphwright_retrieve::{NodeIndex, Passage, RelationshipIndex, Step, Support, Topology};

use crate::{
    Result,
    answer::{AnswerEntity, AnswerPath, PathNode, PathRelationship},
};

/// The most passages of an answer.
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

/// Converts a walk of steps from a node to its public form.
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

impl AnswerEntity {
    /// Creates the entity of an answer for a node. The score is rounded to three places.
    pub fn from_node(topology: &Topology, node: NodeIndex, score: f64) -> Self {
        entity(topology, node, score)
    }
}

impl AnswerPath {
    /// Creates a path from one that a query returned.
    pub fn from_path(path: &Path) -> Self {
        let node = |node: &Node| PathNode {
            id: node.id().to_owned(),
            name: node.display_name().to_owned(),
            kind: node.kind().to_owned(),
        };
        let id = |element: &ElementId| {
            let node = path.nodes.iter().find(|node| node.element_id == *element);
            node.map_or(element.as_str(), Node::id).to_owned()
        };
        let relationships = path.relationships.iter().map(|relationship| PathRelationship {
            kind: relationship.kind.clone(),
            from: id(&relationship.start),
            to: id(&relationship.end),
            confidence: match relationship.properties.get(names::CONFIDENCE) {
                Some(Value::Float(confidence)) => *confidence,
                _ => 1.0,
            },
        });
        Self { nodes: path.nodes.iter().map(node).collect(), relationships: relationships.collect() }
    }

    /// Creates a path from a walk of steps from a node, as [`Topology`] gives it for paths and
    /// neighbourhoods.
    pub fn from_walk(topology: &Topology, from: NodeIndex, steps: &[Step]) -> Self {
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

/// The passages wanted for an answer, each with its weight.
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

    /// Adds the passages that state a relationship.
    pub(crate) fn relationship(&mut self, topology: &Topology, relationship: RelationshipIndex) {
        for support in topology.supports(relationship) {
            self.add(support, topology.edge(relationship).confidence().unwrap_or(1.0));
        }
    }

    /// Adds the passages that give an entity a property.
    pub(crate) fn property(&mut self, topology: &Topology, node: NodeIndex, name: &str) {
        for stated in topology.property_supports(node) {
            if stated.property == name {
                self.add(stated.support, stated.confidence.unwrap_or(1.0));
            }
        }
    }

    /// Adds passages that mention an entity, at most `most`.
    pub(crate) fn mentions(&mut self, topology: &Topology, node: NodeIndex, most: usize) {
        for support in topology.mentions(node).into_iter().take(most) {
            self.add(support, 0.5);
        }
    }

    /// Reads the texts from the store: best first, then in the order of the documents.
    pub(crate) async fn read(mut self, topology: &Topology, store: &dyn GraphStore) -> Result<Vec<Passage>> {
        self.supports.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        self.supports.truncate(MOST_PASSAGES);
        Ok(topology.read_passages(store, &self.supports, MOST_PASSAGES).await?)
    }
}
