//! What a meaning gives on a graph.

use std::cmp::Ordering;

use graphwright_core::Value;
use rustc_hash::FxHashSet;

use crate::{
    graph::Graph,
    meaning::{Asked, Condition, Meaning, Rank},
    words::shown,
};

/// What a meaning gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The things that answer, in the order of the graph, by the numbers of the builder. Where one is the first by a property,
    /// all that are equally good.
    pub nodes: Vec<u32>,
    /// The values that are asked for, sorted and without repetition; the number, where it is asked how many.
    pub values: Vec<String>,
}

/// A relationship on the way to a match: its number, and the node that it leads to.
pub type Hop = (u32, u32);

impl Graph {
    /// Runs a meaning.
    pub fn run(&self, meaning: &Meaning) -> Outcome {
        let mut nodes: Vec<u32> = self.matches(meaning).into_iter().collect();
        if let Some(rank) = meaning.rank {
            nodes = self.first_by(&nodes, rank);
        }
        nodes.sort_unstable();
        let values = match meaning.asked {
            Asked::Entities => Vec::new(),
            Asked::Count => vec![nodes.len().to_string()],
            Asked::Values(property) => {
                let values = nodes.iter().filter_map(|node| self.value(*node, property));
                let mut values: Vec<String> = values.map(shown).collect();
                values.sort();
                values.dedup();
                values
            }
        };
        Outcome { nodes, values }
    }

    fn first_by(&self, nodes: &[u32], rank: Rank) -> Vec<u32> {
        let mut best: Option<&Value> = None;
        for value in nodes.iter().filter_map(|node| self.value(*node, rank.property)) {
            let better = best.is_none_or(|best| match compare(value, best) {
                Ordering::Greater => rank.descending,
                Ordering::Less => !rank.descending,
                Ordering::Equal => false,
            });
            if better {
                best = Some(value);
            }
        }
        let equal = |node: &u32| best.is_some() && self.value(*node, rank.property) == best;
        nodes.iter().copied().filter(equal).collect()
    }

    /// The nodes that the first thing may be: for each branch, walked from its end, which is the most selective.
    fn matches(&self, meaning: &Meaning) -> FxHashSet<u32> {
        let mut found: Option<FxHashSet<u32>> = None;
        for (branch, _) in meaning.behind(0) {
            let reached = self.branch(meaning, branch);
            found = Some(match found {
                None => reached,
                Some(known) => known.intersection(&reached).copied().collect(),
            });
        }
        match found {
            Some(found) => found.into_iter().filter(|node| self.holds(meaning, 0, *node)).collect(),
            None => self.candidates(meaning, 0).into_iter().collect(),
        }
    }

    /// The nodes from which a branch can be walked to its end without going twice over a relationship.
    fn branch(&self, meaning: &Meaning, first: usize) -> FxHashSet<u32> {
        let mut chain = vec![first];
        while let Some((next, _)) = meaning.behind(chain[chain.len() - 1]).next() {
            chain.push(next);
        }
        let end = chain[chain.len() - 1];
        let kinds = chain
            .iter()
            .filter_map(|at| meaning.things[*at].before)
            .map(|(_, step)| self.schema.at(step).kind);
        let kinds: Vec<u16> = kinds.collect();
        let repeats = kinds.iter().enumerate().any(|(at, kind)| kinds[..at].contains(kind));
        let others = meaning.others && !meaning.things[end].conditions.is_empty();
        let mut reached = FxHashSet::default();
        if repeats || others {
            for start in self.candidates(meaning, end) {
                let mut own = FxHashSet::default();
                self.walk(meaning, &chain, start, &mut Vec::new(), &mut own);
                if others {
                    own.remove(&start);
                }
                reached.extend(own);
            }
            return reached;
        }
        reached.extend(self.candidates(meaning, end));
        for at in chain.iter().rev() {
            let Some((before, step)) = meaning.things[*at].before else { break };
            let step = self.schema.at(step).reversed();
            let next =
                reached.iter().flat_map(|node| self.along(*node, step)).map(|neighbour| neighbour.node);
            reached = next.filter(|node| before == 0 || self.holds(meaning, before, *node)).collect();
        }
        reached
    }

    fn walk(
        &self,
        meaning: &Meaning,
        chain: &[usize],
        node: u32,
        used: &mut Vec<u32>,
        found: &mut FxHashSet<u32>,
    ) {
        let Some((last, rest)) = chain.split_last() else {
            found.insert(node);
            return;
        };
        let Some((before, step)) = meaning.things[*last].before else { return };
        let step = self.schema.at(step).reversed();
        for neighbour in self.along(node, step) {
            let fits = before == 0 || self.holds(meaning, before, neighbour.node);
            if fits && !used.contains(&neighbour.relationship) {
                used.push(neighbour.relationship);
                self.walk(meaning, rest, neighbour.node, used, found);
                used.pop();
            }
        }
    }

    /// The nodes that a thing may be by its own conditions.
    fn candidates(&self, meaning: &Meaning, thing: usize) -> Vec<u32> {
        let own = &meaning.things[thing];
        match own.conditions.first() {
            None => self.with_label(own.label).to_vec(),
            Some(condition) => {
                let nodes = self.values.nodes(own.label, condition.property, &condition.value);
                nodes.iter().copied().filter(|node| self.meets(*node, &own.conditions)).collect()
            }
        }
    }

    fn holds(&self, meaning: &Meaning, thing: usize, node: u32) -> bool {
        let own = &meaning.things[thing];
        self.label_of(node) == own.label && self.meets(node, &own.conditions)
    }

    fn meets(&self, node: u32, conditions: &[Condition]) -> bool {
        conditions.iter().all(|condition| self.value(node, condition.property) == Some(&condition.value))
    }

    /// Finds for each branch of a meaning the relationships that prove that a node answers.
    pub fn proofs(&self, meaning: &Meaning, node: u32) -> Vec<Vec<Hop>> {
        let branches = meaning.behind(0);
        branches
            .filter_map(|(branch, _)| {
                let mut hops = Vec::new();
                self.prove(meaning, branch, node, &mut hops).then_some(hops)
            })
            .collect()
    }

    fn prove(&self, meaning: &Meaning, thing: usize, from: u32, hops: &mut Vec<Hop>) -> bool {
        let Some((_, step)) = meaning.things[thing].before else { return false };
        for neighbour in self.along(from, self.schema.at(step)) {
            let used = hops.iter().any(|(relationship, _)| *relationship == neighbour.relationship);
            if used || !self.holds(meaning, thing, neighbour.node) {
                continue;
            }
            hops.push((neighbour.relationship, neighbour.node));
            match meaning.behind(thing).next() {
                None => return true,
                Some((next, _)) if self.prove(meaning, next, neighbour.node, hops) => return true,
                Some(_) => hops.pop(),
            };
        }
        false
    }
}

/// The order of Cypher for values of one type; for others, that of their texts.
fn compare(left: &Value, right: &Value) -> Ordering {
    match (left.as_float(), right.as_float()) {
        (Some(left), Some(right)) => left.total_cmp(&right),
        _ => shown(left).cmp(&shown(right)),
    }
}
