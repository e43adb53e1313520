//! What the graph has to say: its own answer, and what lies around where a question begins.

use std::collections::{HashMap, HashSet};

use graphwright_retrieve::{
    Follow, GraphPath, NeighbourhoodOptions, NodeIndex, PathOptions, RelationshipIndex, Role, Topology,
};

use super::{EvidenceOptions, Found, Item, seeds::Seeds};
use crate::{Answerer, interpret::Interpretation};

/// The most entities of a walk.
const REACHED: usize = 200;
/// The most paths of the graph's own answer.
const PROOFS: usize = 20;
/// The most named entities between which paths are looked for: each pair of them is.
const ENDS: usize = 5;
/// The share that the search has in the score of a fact; the rest is that of the walk.
const SEARCHED: f64 = 0.5;

/// Returns the paths and entities by which the graph answers by itself.
pub(super) fn proofs(read: &Interpretation) -> Vec<Found> {
    let why = "the graph's own answer";
    let matches = || read.outcomes.iter().flat_map(|outcome| &outcome.matches).take(PROOFS);
    let paths = matches().flat_map(|found| {
        let path = |steps: &Vec<_>| GraphPath { start: found.node, steps: steps.clone(), score: 1.0 };
        found.proofs.iter().filter(|steps| !steps.is_empty()).map(path)
    });
    let paths = paths.take(PROOFS).map(|path| Found::new(Item::Path(path), why));
    let entities = matches().map(|found| Found::new(Item::Entity(found.node, 1.0), why));
    paths.chain(entities).collect()
}

impl Answerer {
    /// Returns what lies around the seeds, the most telling first.
    pub(super) fn walk(&self, seeds: &Seeds, options: &EvidenceOptions) -> Vec<Found> {
        let topology = &*self.topology;
        let has_label = |node: NodeIndex| {
            let labels = &topology.node(node).labels;
            options.labels.is_empty() || options.labels.iter().any(|label| labels.contains(label))
        };
        let mut found: Vec<Found> = Vec::new();
        for &(node, score) in seeds.named.iter().filter(|(node, _)| has_label(*node)) {
            found.push(Found::new(Item::Entity(node, score), "named in the question"));
        }
        found.extend(self.connections(&seeds.named));
        let mut rest: Vec<(f64, Found)> = Vec::new();
        for (node, score, why) in seeds.entities.iter().filter(|(node, ..)| has_label(*node)) {
            rest.push((*score, Found::new(Item::Entity(*node, *score), why.as_str())));
        }
        for (score, fact, why) in self.facts_around(seeds, options) {
            let (start, end) = topology.ends(fact);
            if has_label(start) || has_label(end) {
                rest.push((score, Found::new(Item::Fact(fact), why)));
            }
        }
        rest.sort_by(|(left, _), (right, _)| right.total_cmp(left));
        found.extend(rest.into_iter().map(|(_, found)| found));
        found
    }

    /// Returns the best paths between entities that the question names.
    fn connections(&self, named: &[(NodeIndex, f64)]) -> Vec<Found> {
        let topology = &*self.topology;
        let ends: Vec<NodeIndex> = named.iter().map(|(node, _)| *node).take(ENDS).collect();
        let options = PathOptions { limit: 3, ..PathOptions::default() };
        let name = |node: NodeIndex| topology.node(node).display_name();
        let mut found = Vec::new();
        for (at, &from) in ends.iter().enumerate() {
            for &to in &ends[at + 1..] {
                let why = format!("connects {} and {}", name(from), name(to));
                let paths = topology.best_paths(&[from], &[to], &options).paths;
                found.extend(paths.into_iter().map(|path| Found::new(Item::Path(path), why.as_str())));
            }
        }
        found
    }

    /// Returns the facts that walks reach or that the search found, with scores from 0 to 1 and why.
    fn facts_around(
        &self,
        seeds: &Seeds,
        options: &EvidenceOptions,
    ) -> Vec<(f64, RelationshipIndex, String)> {
        let topology = &*self.topology;
        let around = topology.neighbourhood_of_scored(
            &seeds.starts,
            &NeighbourhoodOptions {
                depth: options.depth,
                minimum: options.minimum,
                limit: REACHED,
                follow: Follow { facts_only: true, ..Follow::default() },
                ..NeighbourhoodOptions::default()
            },
        );
        let starts: HashMap<NodeIndex, (NodeIndex, usize)> = around
            .nodes
            .iter()
            .map(|reached| (reached.node, (around.path(reached).start, reached.depth)))
            .collect();
        let mut facts = Vec::new();
        let mut walked = HashSet::new();
        for one in &around.relationships {
            walked.insert(one.relationship);
            let (start, end) = topology.ends(one.relationship);
            let nearest = [start, end].into_iter().filter_map(|node| starts.get(&node)).min_by_key(|at| at.1);
            let mut why =
                nearest.map_or_else(String::new, |(start, steps)| around_text(topology, *start, *steps));
            let mut score = one.score * (1.0 - SEARCHED);
            if let Some((searched, what)) = seeds.facts.get(&one.relationship) {
                score += searched * SEARCHED;
                why = format!("{why}; {what}");
            }
            facts.push((score, one.relationship, why));
        }
        for (&fact, (score, why)) in seeds.facts.iter().filter(|(fact, _)| !walked.contains(*fact)) {
            facts.push((score * SEARCHED, fact, why.clone()));
        }
        facts.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        facts
    }
}

fn around_text(topology: &Topology, start: NodeIndex, steps: usize) -> String {
    let name = topology.node(start).display_name();
    match (topology.role(start), steps) {
        (Role::Entity, 0) => format!("a fact of {name}"),
        (_, 1) => format!("1 step from {name}"),
        (_, steps) => format!("{steps} steps from {name}"),
    }
}
