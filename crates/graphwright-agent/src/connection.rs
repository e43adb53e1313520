//! How two things hang together: all shortest paths between them.

use std::collections::{HashMap, VecDeque};

use graphwright_retrieve::{Direction, NodeIndex, Step, Topology};

/// Paths longer than this are not looked for.
pub(crate) const LONGEST_PATH: usize = 5;
/// At most so many shortest paths are given.
const MOST_PATHS: usize = 10;

/// All shortest paths over facts from one of `from` to one of `to`, either way along each relationship.
pub(crate) fn shortest_paths(topology: &Topology, from: NodeIndex, to: NodeIndex) -> Vec<Vec<Step>> {
    let mut distance: HashMap<NodeIndex, usize> = HashMap::from([(to, 0)]);
    let mut queue = VecDeque::from([to]);
    while let Some(node) = queue.pop_front() {
        let depth = distance[&node];
        if node == from || depth == LONGEST_PATH {
            continue;
        }
        for step in facts(topology, node) {
            distance.entry(step.node).or_insert_with(|| {
                queue.push_back(step.node);
                depth + 1
            });
        }
    }
    let mut paths = Vec::new();
    if distance.contains_key(&from) && from != to {
        descend(topology, from, to, &distance, &mut Vec::new(), &mut paths);
    }
    paths
}

fn descend(
    topology: &Topology,
    at: NodeIndex,
    to: NodeIndex,
    distance: &HashMap<NodeIndex, usize>,
    trail: &mut Vec<Step>,
    paths: &mut Vec<Vec<Step>>,
) {
    if at == to {
        paths.push(trail.clone());
        return;
    }
    for step in facts(topology, at) {
        let nearer = distance.get(&step.node).is_some_and(|next| next + 1 == distance[&at]);
        if nearer && paths.len() < MOST_PATHS {
            trail.push(step);
            descend(topology, step.node, to, distance, trail, paths);
            trail.pop();
        }
    }
}

/// What both are directly connected with.
pub(crate) fn common_neighbours(
    topology: &Topology,
    left: NodeIndex,
    right: NodeIndex,
) -> Vec<(NodeIndex, Step, Step)> {
    let mut found: Vec<(NodeIndex, Step, Step)> = Vec::new();
    for first in facts(topology, left) {
        let second = facts(topology, right).find(|step| {
            step.node == first.node
                && step.forward == first.forward
                && topology.edge(step.relationship).kind == topology.edge(first.relationship).kind
        });
        if let Some(second) = second
            && !found.iter().any(|known| known.0 == first.node)
        {
            found.push((first.node, first, second));
        }
    }
    found
}

fn facts(topology: &Topology, node: NodeIndex) -> impl Iterator<Item = Step> + '_ {
    topology.steps(node, Direction::Both).filter(|step| topology.is_fact(step.relationship))
}
