use std::collections::{BTreeMap, BTreeSet};

use graphwright_core::store::Selection;
use proptest::prelude::*;

mod reference;

use super::*;
use crate::{
    Direction, Follow, RelationshipIndex,
    fixture::{at, name, topology},
};

fn chain() -> Topology {
    topology(
        &["X:a", "X:b", "X:c", "X:d", "Chunk:p"],
        &["a -R 0.9-> b", "b -R 0.9-> c", "a -S 0.3-> c", "c -R-> d", "a -FROM_CHUNK 1-> p"],
    )
}

fn reached(topology: &Topology, options: &NeighbourhoodOptions) -> Vec<String> {
    let found = topology.neighbourhood(&[at(topology, "a")], options);
    let line = |reached: &ReachedNode| {
        format!("{} {:.3} {}", name(topology, reached.node), reached.score, reached.depth)
    };
    found.nodes.iter().map(line).collect()
}

#[test]
fn the_neighbourhood_is_best_first_and_keeps_to_its_bounds() {
    let topology = chain();
    let options = NeighbourhoodOptions { depth: 2, minimum: 0.0, ..NeighbourhoodOptions::default() };
    // c is best reached over b, but d only over the direct, weaker relationship to c.
    assert_eq!(reached(&topology, &options), ["a 1.000 0", "b 0.900 1", "c 0.810 2", "d 0.150 2"]);
    let options = NeighbourhoodOptions { minimum: 0.5, ..options };
    assert_eq!(reached(&topology, &options), ["a 1.000 0", "b 0.900 1", "c 0.810 2"]);
    let options = NeighbourhoodOptions { minimum: 0.95, ..options };
    assert_eq!(reached(&topology, &options), ["a 1.000 0"]);
    let follow = Follow { facts_only: false, ..Follow::default() };
    let options = NeighbourhoodOptions { follow, ..options };
    assert_eq!(reached(&topology, &options), ["a 1.000 0", "p 1.000 1"]);
}

#[test]
fn a_limit_keeps_the_best_and_says_so() {
    let topology = chain();
    let options = NeighbourhoodOptions { limit: 2, ..NeighbourhoodOptions::default() };
    let found = topology.neighbourhood(&[at(&topology, "a")], &options);
    assert_eq!((found.nodes.len(), found.relationships.len(), found.truncated), (2, 1, true));
    assert_eq!(found.path(&found.nodes[1]).steps.len(), 1);
    let seeds = [at(&topology, "a"), at(&topology, "d"), at(&topology, "c")];
    assert_eq!(topology.neighbourhood(&seeds, &options).nodes.len(), 3);
}

#[test]
fn paths_are_ordered_by_score_and_none_is_an_answer() {
    let topology = chain();
    let [a, c, d, p] = ["a", "c", "d", "p"].map(|id| at(&topology, id));
    let options = PathOptions::default();
    let hops = |paths: Paths| paths.paths.iter().map(|path| path.steps.len()).collect::<Vec<_>>();
    assert_eq!(hops(topology.best_paths(&[a], &[c], &options)), [2, 1]);
    assert_eq!(hops(topology.shortest_paths(&[a], &[c], &options)), [1]);
    assert_eq!(topology.distance(&[a], &[d], &options), Some(2));
    let none = topology.best_paths(&[a], &[p], &options);
    assert_eq!((none.paths.len(), none.max_hops, none.truncated), (0, 5, false));
    let one = topology.best_paths(&[a], &[c], &PathOptions { limit: 1, ..options.clone() });
    assert!(one.truncated);
    assert_eq!(hops(topology.best_paths(&[a], &[a], &options)), [0]);
    let back = Follow { direction: Direction::Incoming, ..Follow::default() };
    assert!(topology.best_paths(&[a], &[c], &PathOptions { follow: back, ..options }).paths.is_empty());
}

// Against brute force: all walks without repeated nodes are enumerated.

fn graphs() -> impl Strategy<Value = Topology> {
    let edge = (0..6_usize, 0..6_usize, 1..=10_u32, prop::bool::ANY);
    prop::collection::vec(edge, 0..14).prop_map(|edges| {
        let nodes: Vec<String> = (0..6).map(|node| format!("X:{node}")).collect();
        let edges: Vec<String> = edges
            .iter()
            .map(|(start, end, weight, kind)| {
                let kind = if *kind { "R" } else { "S" };
                format!("{start} -{kind} {}-> {end}", f64::from(*weight) / 10.0)
            })
            .collect();
        let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
        let edges: Vec<&str> = edges.iter().map(String::as_str).collect();
        topology(&nodes, &edges)
    })
}

fn follows() -> impl Strategy<Value = Follow> {
    let direction = prop::sample::select(vec![Direction::Outgoing, Direction::Incoming, Direction::Both]);
    let types = prop::sample::select(vec![Selection::All, Selection::only(["R"])]);
    (direction, types).prop_map(|(direction, types)| Follow { direction, types, facts_only: true })
}

fn simple_paths(topology: &Topology, start: NodeIndex, depth: usize, follow: &Follow) -> Vec<GraphPath> {
    let mut all = vec![GraphPath { start, steps: vec![], score: 1.0 }];
    let mut from = 0;
    while from < all.len() {
        let path = all[from].clone();
        from += 1;
        if path.steps.len() == depth {
            continue;
        }
        for relationship in topology.relationships() {
            let edge = topology.edge(relationship);
            if !follow.types.includes(&edge.kind) {
                continue;
            }
            for (forward, here, there) in [(true, edge.start, edge.end), (false, edge.end, edge.start)] {
                let wrong = if forward { Direction::Incoming } else { Direction::Outgoing };
                if here == path.end() && follow.direction != wrong && !path.nodes().any(|node| node == there)
                {
                    let mut longer = path.clone();
                    longer.steps.push(Step { relationship, node: there, forward });
                    longer.score *= edge.weight;
                    all.push(longer);
                }
            }
        }
    }
    all
}

proptest! {
    #[test]
    fn neighbourhoods_equal_brute_force(
        topology in graphs(), follow in follows(), depth in 0..4_usize, minimum in 0.0..0.8_f64, two in prop::bool::ANY,
    ) {
        let seeds: Vec<NodeIndex> = topology.nodes().take(if two { 2 } else { 1 }).collect();
        let mut best: BTreeMap<NodeIndex, f64> = BTreeMap::new();
        let mut walked: BTreeSet<RelationshipIndex> = BTreeSet::new();
        for &seed in &seeds {
            best.insert(seed, 1.0);
            for path in simple_paths(&topology, seed, depth, &follow) {
                if path.steps.is_empty() || path.score >= minimum {
                    let score = best.entry(path.end()).or_insert(path.score);
                    *score = score.max(path.score);
                    walked.extend(path.steps.iter().map(|step| step.relationship));
                }
            }
        }
        let options = NeighbourhoodOptions { depth, minimum, limit: 100, follow, ..NeighbourhoodOptions::default() };
        let found = topology.neighbourhood(&seeds, &options);
        let scores: BTreeMap<NodeIndex, f64> = found.nodes.iter().map(|reached| (reached.node, reached.score)).collect();
        prop_assert_eq!(scores.keys().collect::<Vec<_>>(), best.keys().collect::<Vec<_>>());
        for (node, score) in &best {
            prop_assert!((scores[node] - score).abs() < 1e-12);
        }
        for reached in &found.nodes {
            let path = found.path(reached);
            prop_assert!(path.end() == reached.node && path.steps.len() == reached.depth && reached.depth <= depth);
            prop_assert!((path.score - reached.score).abs() < 1e-12);
        }
        let kept: BTreeSet<RelationshipIndex> = found.relationships.iter().map(|walked| walked.relationship).collect();
        prop_assert!(walked.is_subset(&kept));
        prop_assert!(found.nodes.windows(2).all(|pair| pair[0].score >= pair[1].score));
    }

    #[test]
    fn best_and_shortest_paths_equal_brute_force(
        topology in graphs(), follow in follows(), max_hops in 1..5_usize, limit in 1..8_usize,
    ) {
        let nodes: Vec<NodeIndex> = topology.nodes().collect();
        let (from, to) = (nodes[0], nodes[5]);
        let mut expected: Vec<GraphPath> = simple_paths(&topology, from, max_hops, &follow);
        expected.retain(|path| path.end() == to);
        let shortest = expected.iter().map(|path| path.steps.len()).min();
        expected.sort_by(|left, right| right.score.total_cmp(&left.score).then(left.steps.len().cmp(&right.steps.len())));
        let options = PathOptions { max_hops, limit, follow, ..PathOptions::default() };
        let found = topology.best_paths(&[from], &[to], &options);
        prop_assert_eq!(found.truncated, expected.len() > limit);
        prop_assert_eq!(found.paths.len(), expected.len().min(limit));
        for (path, expected) in found.paths.iter().zip(&expected) {
            prop_assert!((path.score - expected.score).abs() < 1e-12);
            let distinct: BTreeSet<NodeIndex> = path.nodes().collect();
            prop_assert_eq!(distinct.len(), path.steps.len() + 1);
        }
        prop_assert_eq!(topology.distance(&[from], &[to], &options), shortest);
        let found = topology.shortest_paths(&[from], &[to], &options);
        let number = expected.iter().filter(|path| Some(path.steps.len()) == shortest).count();
        prop_assert_eq!(found.paths.len(), number.min(limit));
        prop_assert!(found.paths.iter().all(|path| Some(path.steps.len()) == shortest));
    }
}

// Against the search over the whole graph.

/// Graphs with hubs, parallel relationships and loops, in which many weights and products are equal, and some nodes are passages.
/// The first two nodes and the last two, at which paths end, hang on by weak relationships.
fn hubs() -> impl Strategy<Value = Topology> {
    let node = prop_oneof![2 => 2..5_usize, 5 => 2..NODES - 2];
    let weight =
        prop::sample::select(vec!["1", "1", "0.99", "0.9", "0.81", "0.7", "0.5", "0.5", "0.25", "0.01"]);
    let weak = prop::sample::select(vec!["0.5", "0.3", "0.1", "0.09", "0.01", "0.001"]);
    let kind = || prop::sample::select(vec!["R", "S", "T"]);
    let edges = prop::collection::vec((node.clone(), node.clone(), kind(), weight), 0..160);
    let end = prop::sample::select(vec![0, 1, NODES - 2, NODES - 1]);
    let ends = prop::collection::vec((end, node, kind(), weak), 0..12);
    let label = prop::sample::select(vec!["X", "X", "X", "Y", "X|Y", "Chunk"]);
    (edges, ends, prop::collection::vec(label, NODES)).prop_map(|(edges, ends, labels)| {
        let nodes = labels.iter().enumerate().map(|(node, label)| format!("{label}:{node:02}"));
        let edges = edges.iter().chain(&ends).enumerate().map(|(number, (one, other, kind, weight))| {
            let (start, end) = if number % 2 == 0 { (one, other) } else { (other, one) };
            format!("{start:02} -{kind} {weight}-> {end:02}")
        });
        let (nodes, edges): (Vec<String>, Vec<String>) = (nodes.collect(), edges.collect());
        let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
        let edges: Vec<&str> = edges.iter().map(String::as_str).collect();
        topology(&nodes, &edges)
    })
}

const NODES: usize = 30;

fn questions() -> impl Strategy<Value = PathOptions> {
    let labels =
        prop::sample::select(vec![vec![], vec![], vec![], vec!["Y"], vec!["X", "Chunk"], vec!["None"]]);
    (follows(), prop::bool::ANY, 0..6_usize, 0..9_usize, labels).prop_map(
        |(follow, facts_only, max_hops, limit, labels)| PathOptions {
            max_hops,
            limit,
            follow: Follow { facts_only, ..follow },
            labels: labels.into_iter().map(str::to_owned).collect(),
            ..PathOptions::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn best_and_shortest_paths_equal_the_search_over_the_whole_graph(
        topology in hubs(),
        options in questions(),
        from in prop::collection::vec(prop_oneof![3 => 0..2_usize, 1 => 0..NODES], 1..3),
        to in prop::collection::vec(prop_oneof![3 => NODES - 2..NODES, 1 => 0..NODES], 1..3),
        pace in prop::sample::select(vec![1, 7, 2_000]),
    ) {
        let nodes: Vec<NodeIndex> = topology.nodes().collect();
        let [from, to] = [from, to].map(|ends| ends.into_iter().map(|end| nodes[end]).collect::<Vec<_>>());
        let mut all = reference::all_paths(&topology, &from, &to, &options);
        let found = topology.best_paths_at(|events| events + pace, &from, &to, &options);
        prop_assert_eq!(found.truncated, all.len() > options.limit);
        prop_assert_eq!(&found.paths[..], &all[..all.len().min(options.limit)]);
        let fewest = all.iter().map(|path| path.steps.len()).min();
        all.retain(|path| Some(path.steps.len()) == fewest);
        let found = topology.shortest_paths(&from, &to, &options);
        prop_assert_eq!(found.truncated, all.len() > options.limit);
        prop_assert_eq!(&found.paths[..], &all[..all.len().min(options.limit)]);
    }
}
