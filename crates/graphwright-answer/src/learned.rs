//! What pairs of questions have taught, with the graph that it reads.

use std::sync::Arc;

use graphwright_core::names;
use graphwright_learn::{Graph, GraphBuilder, Meaning, Model, Outcome};
use graphwright_retrieve::{NodeIndex, RelationshipIndex, Role, Step, Topology};

use crate::evaluate::Match;

/// The most matches of which the paths are shown.
const MOST_PROVEN: usize = 200;

/// A graph as it is learned from, and read by what was learned.
#[derive(Debug)]
pub struct LearnableGraph {
    graph: Graph,
    nodes: Vec<NodeIndex>,
    relationships: Vec<RelationshipIndex>,
}

impl LearnableGraph {
    /// Reads the entities and facts of a snapshot, with their values, into memory.
    pub fn of(topology: &Topology) -> Self {
        let mut builder = GraphBuilder::default();
        let mut numbers = vec![u32::MAX; topology.node_count()];
        let (mut nodes, mut relationships) = (Vec::new(), Vec::new());
        for node in topology.nodes().filter(|node| topology.role(*node) == Role::Entity) {
            let content = topology.read_node(node);
            numbers[node.position()] = nodes.len() as u32;
            let own = content.properties.iter().filter(|(name, _)| !names::is_bookkeeping(name));
            builder.node(content.kind(), own.map(|(name, value)| (name.as_str(), value)));
            nodes.push(node);
        }
        for relationship in topology.relationships().filter(|one| topology.is_fact(*one)) {
            let (from, to) = topology.ends(relationship);
            let kind = topology.read_edge(relationship).kind;
            builder.relationship(numbers[from.position()], &kind, numbers[to.position()]);
            relationships.push(relationship);
        }
        Self { graph: builder.build(), nodes, relationships }
    }

    /// Returns the graph that is learned from.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the matches with the relationships that prove them.
    pub(crate) fn matches(&self, meaning: &Meaning, found: &Outcome, topology: &Topology) -> Vec<Match> {
        let prove = |(place, &node): (usize, &u32)| {
            let proofs = if place < MOST_PROVEN { self.graph.proofs(meaning, node) } else { Vec::new() };
            let steps = |(hops, from): (Vec<(u32, u32)>, u32)| {
                let mut at = self.nodes[from as usize];
                let step = |(relationship, to): (u32, u32)| {
                    let relationship = self.relationships[relationship as usize];
                    let forward = topology.ends(relationship).0 == at;
                    at = self.nodes[to as usize];
                    Step { relationship, node: at, forward }
                };
                hops.into_iter().map(step).collect()
            };
            let proofs = proofs.into_iter().map(|hops| steps((hops, node))).collect();
            Match { node: self.nodes[node as usize], proofs }
        };
        found.nodes.iter().enumerate().map(prove).collect()
    }
}

/// What was learned, with the graph that it reads.
#[derive(Clone, Debug)]
pub struct Learned {
    /// What was learned.
    pub model: Arc<Model>,
    /// The graph.
    pub graph: Arc<LearnableGraph>,
}
