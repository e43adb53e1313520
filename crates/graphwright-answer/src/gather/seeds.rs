//! Where the graph is walked from: what the question names, and what a search finds.

use std::collections::HashMap;

use graphwright_retrieve::{
    Direction, Hit, HitKind, NodeIndex, Passage, RelationshipIndex, Role, SearchRequest, Topology,
};

use super::EvidenceOptions;
use crate::{
    Answerer, Result,
    interpret::{Interpretation, named_entities},
};

/// Passages that are looked for; how many come is a matter of the budget.
const PASSAGES: usize = 30;
/// Facts that are looked for, to tell which ones of a neighbourhood have to do with the question.
const FACTS: usize = 50;
/// The score with which a walk begins at what the best passage mentions, where the best entity has 1.
const MENTIONED: f64 = 0.8;

/// What a question names and what a search finds for it.
#[derive(Debug, Default)]
pub(super) struct Seeds {
    /// The entities and documents that the question names, with scores from 0 to 1.
    pub(super) named: Vec<(NodeIndex, f64)>,
    /// Entities that a search found, best first, with scores from 0 to 1 and why.
    pub(super) entities: Vec<(NodeIndex, f64, String)>,
    /// Facts that a search found, with scores from 0 to 1 and why.
    pub(super) facts: HashMap<RelationshipIndex, (f64, String)>,
    /// Passages that a search found, best first, and why.
    pub(super) passages: Vec<(Passage, String)>,
    /// Where walks begin, with what scores and why. What is named twice counts by its first place.
    pub(super) starts: Vec<(NodeIndex, f64)>,
    pub(super) notices: Vec<String>,
}

impl Seeds {
    /// Begins at what the question names, and at what the graph alone answers.
    pub(super) fn name(&mut self, read: &Interpretation) {
        self.named = named_entities(&read.segmentations);
        self.starts.extend(&self.named);
        let answers = read.outcomes.iter().flat_map(|outcome| &outcome.matches);
        self.starts.extend(answers.map(|found| (found.node, 1.0)));
    }

    /// Searches passages, entities and facts, and begins at the best of each.
    pub(super) async fn search(
        &mut self,
        answerer: &Answerer,
        question: &str,
        options: &EvidenceOptions,
    ) -> Result<()> {
        let topology = &*answerer.topology;
        let request = |kind, limit| SearchRequest { kind: Some(kind), limit, ..SearchRequest::new(question) };
        let nodes = SearchRequest { labels: options.labels.clone(), ..request(HitKind::Node, options.k) };
        let nodes = answerer.search_hits(nodes, &mut self.notices).await?;
        for (hit, score) in with_shares(nodes) {
            let node = topology.node_by_id(&hit.id);
            if let Some(node) = node.filter(|node| topology.role(*node) == Role::Entity) {
                self.starts.push((node, score));
                self.entities.push((node, score, hit.why));
            }
        }
        let facts = request(HitKind::Fact, FACTS.max(options.k));
        let facts = answerer.search_hits(facts, &mut self.notices).await?;
        for (at, (hit, score)) in with_shares(facts).enumerate() {
            let Some(fact) = fact_of(topology, &hit) else { continue };
            if at < options.k {
                let (start, end) = topology.ends(fact);
                self.starts.extend([(start, score), (end, score)]);
            }
            self.facts.insert(fact, (score, hit.why));
        }
        let passages = request(HitKind::Chunk, PASSAGES.max(options.k));
        let passages = answerer.reranked_hits(passages, &mut self.notices).await?;
        for (at, (hit, score)) in with_shares(passages).enumerate() {
            let Some(chunk) = topology.node_by_id(&hit.id) else { continue };
            if at < options.k {
                let mentioned = topology.steps(chunk, Direction::Both).map(|step| step.node);
                let mentioned = mentioned.filter(|&node| topology.role(node) == Role::Entity);
                self.starts.extend(mentioned.map(|node| (node, score * MENTIONED)));
            }
            let rounded = (hit.score * 1000.0).round() / 1000.0;
            self.passages.push((topology.whole_passage(chunk, &hit.text, rounded), hit.why));
        }
        Ok(())
    }
}

/// Returns each hit with its share of the best score. A reranker may have put another hit first.
fn with_shares(hits: Vec<Hit>) -> impl Iterator<Item = (Hit, f64)> {
    let best = hits.iter().map(|hit| hit.score).fold(f64::MIN_POSITIVE, f64::max);
    hits.into_iter().map(move |hit| {
        let share = hit.score / best;
        (hit, share)
    })
}

fn fact_of(topology: &Topology, hit: &Hit) -> Option<RelationshipIndex> {
    let (from, to) = (hit.from.as_deref()?, hit.to.as_deref()?);
    let (start, end) = (topology.node_by_id(from)?, topology.node_by_id(to)?);
    let between = topology.steps(start, Direction::Outgoing).filter(|step| step.node == end);
    between.map(|step| step.relationship).find(|&fact| topology.edge(fact).id() == hit.id)
}
