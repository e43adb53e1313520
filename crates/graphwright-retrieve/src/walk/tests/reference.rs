//! Finds the best paths with bounds over the whole graph: slow, and simple enough to be trusted.

use std::collections::{BTreeSet, BinaryHeap};

use super::super::{Trail, part::cost, path_of, paths::PathOptions};
use crate::{Follow, GraphPath, NodeIndex, RelationshipIndex, Step, Topology};

/// Returns all paths, in the order in which [`Topology::best_paths`] gives them.
pub(super) fn all_paths(
    topology: &Topology,
    from: &[NodeIndex],
    to: &[NodeIndex],
    options: &PathOptions,
) -> Vec<GraphPath> {
    let mut paths = by_bounds(topology, from, to, options);
    assert!(paths.windows(2).all(|pair| pair[0].score >= pair[1].score * (1.0 - 1e-12)), "best first");
    let place = |step: &Step| (!step.forward, topology.kind_number(step.relationship), step.relationship);
    paths.sort_by_cached_key(|path| {
        let weights = path.steps.iter().map(|step| topology.weight(step.relationship));
        let places: Vec<(bool, u32, RelationshipIndex)> = path.steps.iter().map(place).collect();
        (weights.map(cost).sum::<u64>(), path.steps.len(), path.start, places)
    });
    paths
}

/// Best-first search whose bounds are the best walks from every node to the goal in every number of steps.
fn by_bounds(
    topology: &Topology,
    from: &[NodeIndex],
    to: &[NodeIndex],
    options: &PathOptions,
) -> Vec<GraphPath> {
    let may_pass = |node: NodeIndex| {
        let labels = &topology.node(node).labels;
        options.labels.is_empty()
            || from.contains(&node)
            || to.contains(&node)
            || labels.iter().any(|label| options.labels.contains(label))
    };
    let bounds = bounds(topology, &options.follow, to, options.max_hops, may_pass);
    let following = topology.following(&options.follow);
    let (mut trails, mut heap, mut found) = (Vec::new(), BinaryHeap::new(), Vec::new());
    let push = |trails: &mut Vec<Trail>, heap: &mut BinaryHeap<(u64, usize)>, trail: Trail| {
        let bound: f64 = bounds[options.max_hops - trail.depth][trail.node.position()];
        if bound > 0.0 {
            // The bits of numbers above 0 are in their order.
            heap.push(((trail.score * bound).to_bits(), trails.len()));
            trails.push(trail);
        }
    };
    for &node in &from.iter().copied().collect::<BTreeSet<_>>() {
        push(&mut trails, &mut heap, Trail::start(node, 1.0));
    }
    while let Some((_, position)) = heap.pop() {
        let here = trails[position];
        if to.contains(&here.node) {
            found.push(path_of(&trails, position));
        } else if here.depth < options.max_hops {
            let seen: Vec<NodeIndex> =
                path_of(&trails, position).nodes().chain(from.iter().copied()).collect();
            for step in following.steps(here.node) {
                if may_pass(step.node) && !seen.contains(&step.node) {
                    push(&mut trails, &mut heap, here.onward(position, step, topology));
                }
            }
        }
    }
    found
}

fn bounds(
    topology: &Topology,
    follow: &Follow,
    to: &[NodeIndex],
    max_hops: usize,
    may_pass: impl Fn(NodeIndex) -> bool,
) -> Vec<Vec<f64>> {
    let following = topology.following(follow);
    let mut bounds: Vec<Vec<f64>> = vec![vec![0.0; topology.node_count()]];
    for node in to {
        bounds[0][node.position()] = 1.0;
    }
    for left in 1..=max_hops {
        let before = bounds[left - 1].clone();
        let mut now = before.clone();
        for node in topology.nodes() {
            for step in following.steps_back(node).filter(|step| may_pass(step.node)) {
                let best = &mut now[step.node.position()];
                *best = best.max(before[node.position()] * topology.weight(step.relationship));
            }
        }
        bounds.push(now);
    }
    bounds
}
