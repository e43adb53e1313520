//! What was found, and the one list that it becomes.

use std::collections::HashSet;

use graphwright_retrieve::{
    Context, ContextFormat, GraphPath, NodeIndex, Passage, RelationshipIndex, Step, Topology,
};

use super::EvidenceContent;
use crate::evidence;

/// The share of passages in the text, as long as there is enough of both.
const SHARE_OF_PASSAGES: f64 = 0.6;

/// Something that was found, and why it is here.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) item: Item,
    pub(crate) why: String,
}

/// A piece of the graph or of a document.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Path(GraphPath),
    Fact(RelationshipIndex),
    Entity(NodeIndex, f64),
    Passage(Passage),
}

impl Found {
    pub(super) fn new(item: Item, why: impl Into<String>) -> Self {
        Self { item, why: why.into() }
    }

    /// Returns what it is in public form.
    pub(crate) fn content(&self, topology: &Topology) -> EvidenceContent {
        match &self.item {
            Item::Path(path) => EvidenceContent::Path(evidence::path(topology, path.start, &path.steps)),
            Item::Fact(relationship) => EvidenceContent::Fact(fact(topology, *relationship)),
            Item::Entity(node, score) => EvidenceContent::Entity(evidence::entity(topology, *node, *score)),
            Item::Passage(passage) => EvidenceContent::Passage(passage.clone()),
        }
    }
}

/// Returns a fact as a path of one relationship.
fn fact(topology: &Topology, relationship: RelationshipIndex) -> crate::AnswerPath {
    let (start, end) = topology.ends(relationship);
    evidence::path(topology, start, &[Step { relationship, node: end, forward: true }])
}

/// Returns a context of what was found, in the same order.
pub(super) fn context(found: &[Found]) -> Context {
    let mut context = Context::in_order();
    for one in found {
        match &one.item {
            Item::Path(path) => context.add_path(path.clone()),
            Item::Fact(relationship) => context.add_relationship(*relationship, 1.0),
            Item::Entity(node, score) => context.add_node(*node, *score, 0),
            Item::Passage(passage) => context.add_passage(passage.clone()),
        }
    }
    context
}

/// Makes one list of passages and of what the graph has, each the most telling first: wherever it is cut, passages have
/// [their share](SHARE_OF_PASSAGES). What comes again is left out.
pub(super) fn merge(topology: &Topology, passages: Vec<Found>, graph: Vec<Found>) -> Vec<Found> {
    let mut known = Known::default();
    let mut graph = graph.into_iter().filter(move |found| known.is_new(found));
    let mut passages = passages.into_iter();
    let (mut of_passages, mut of_graph) = (0.0, 0.0);
    let mut merged = Vec::new();
    loop {
        let is_turn_of_passages = of_passages / SHARE_OF_PASSAGES <= of_graph / (1.0 - SHARE_OF_PASSAGES);
        let next = if is_turn_of_passages {
            passages.next().or_else(|| graph.next())
        } else {
            graph.next().or_else(|| passages.next())
        };
        let Some(next) = next else { return merged };
        let cost = context(std::slice::from_ref(&next)).render(topology, ContextFormat::Markdown, u64::MAX);
        let spent = if matches!(next.item, Item::Passage(_)) { &mut of_passages } else { &mut of_graph };
        *spent += cost.tokens as f64;
        merged.push(next);
    }
}

/// What is in the list already.
#[derive(Default)]
struct Known {
    entities: HashSet<NodeIndex>,
    facts: HashSet<RelationshipIndex>,
}

impl Known {
    /// Tells whether something of it is new, and takes it for known from now on.
    fn is_new(&mut self, found: &Found) -> bool {
        match &found.item {
            Item::Path(path) => {
                path.steps.iter().filter(|step| self.facts.insert(step.relationship)).count() > 0
            }
            Item::Fact(relationship) => self.facts.insert(*relationship),
            Item::Entity(node, _) => self.entities.insert(*node),
            Item::Passage(_) => true,
        }
    }
}
