//! Measures times on a graph of public data (MetaQA: 43,234 nodes, 133,582 relationships):
//!
//! ```sh
//! GRAPHWRIGHT_DATA=… cargo test --release -p graphwright-retrieve measure_times \
//!     -- --include-ignored --nocapture
//! ```

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use graphwright_core::{
    ElementId, GraphStore, Node, NodeKey, Relationship, RelationshipKey, names, store::ChangeSet,
};
use graphwright_embedded::EmbeddedStore;
use graphwright_llm::BuiltinEmbedder;

use crate::{
    NameIndex, NeighbourhoodOptions, NodeIndex, PathOptions, SearchIndex, SearchMode, SearchRequest,
    Topology, fixture::properties,
};

fn triples() -> Vec<[String; 3]> {
    let data =
        std::env::var_os("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA names the folder of public data");
    let text = std::fs::read_to_string(PathBuf::from(data).join("metaqa/kb.txt")).unwrap();
    let triple = |line: &str| line.split('|').map(str::to_owned).collect::<Vec<_>>().try_into().unwrap();
    text.lines().map(triple).collect()
}

fn parts(triples: &[[String; 3]]) -> (Vec<Node>, Vec<Relationship>) {
    let mut labels = BTreeMap::new();
    for [head, kind, tail] in triples {
        let person = kind.ends_with("_by") || kind == "starred_actors";
        labels.insert(head.as_str(), "Movie");
        labels.entry(tail.as_str()).or_insert(if person { "Person" } else { "Thing" });
    }
    let node = |(name, label): (&&str, &&str)| Node {
        element_id: ElementId::new(*name),
        labels: vec![(*label).to_owned(), names::ENTITY.to_owned()],
        properties: properties(&[(names::ID, (*name).into()), (names::NAME, (*name).into())]),
    };
    let relationship = |(number, [head, kind, tail]): (usize, &[String; 3])| Relationship {
        element_id: ElementId::new(number.to_string()),
        kind: kind.to_uppercase(),
        start: ElementId::new(head),
        end: ElementId::new(tail),
        properties: properties(&[(names::CONFIDENCE, 0.9.into())]),
    };
    (labels.iter().map(node).collect(), triples.iter().enumerate().map(relationship).collect())
}

async fn store_of(nodes: &[Node], relationships: &[Relationship]) -> EmbeddedStore {
    let mut changes = ChangeSet::new();
    let mut keys = BTreeMap::new();
    for node in nodes {
        keys.insert(&node.element_id, NodeKey::new(&node.labels[0], node.id()));
        changes.upsert_node(keys[&node.element_id].clone(), &[names::ENTITY], node.properties.clone());
    }
    for relationship in relationships {
        let [from, to] = [&relationship.start, &relationship.end].map(|end| keys[end].clone());
        let key =
            RelationshipKey { kind: relationship.kind.clone(), from, to, id: relationship.id().to_owned() };
        changes.upsert_relationship(key, relationship.properties.clone());
    }
    let store = EmbeddedStore::in_memory();
    store.apply(changes).await.unwrap();
    store
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{what:32} median {:>10.2?}  95 % {:>10.2?}  worst {:>10.2?}", at(0.5), at(0.95), at(1.0));
}

fn question(topology: &Topology, node: NodeIndex) -> String {
    let name = topology.node(node).display_name();
    format!("which films were written by the director of {name} and who starred in them")
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

#[tokio::test]
#[ignore = "needs public data"]
async fn measure_loading_and_search() {
    let (nodes, relationships) = parts(&triples());
    let start = Instant::now();
    let store = store_of(&nodes, &relationships).await;
    println!("written in {:.2?}", start.elapsed());
    let start = Instant::now();
    let topology = Topology::load(&store).await.unwrap();
    println!("topology loaded from the store in {:.2?}", start.elapsed());
    assert_eq!((topology.node_count(), topology.relationship_count()), (nodes.len(), relationships.len()));
    let sample: Vec<NodeIndex> = topology.nodes().step_by(nodes.len() / 200).collect();
    let start = Instant::now();
    let search = SearchIndex::in_memory(&store, Some(Arc::new(BuiltinEmbedder::new()))).await.unwrap();
    println!("{} texts indexed with vectors in {:.2?}", search.len(), start.elapsed());
    for mode in [SearchMode::Text, SearchMode::Vector, SearchMode::Hybrid] {
        let mut times = Vec::new();
        for &node in &sample {
            let request = SearchRequest { mode, ..SearchRequest::new(question(&topology, node)) };
            let start = Instant::now();
            search.search(&request).await.unwrap();
            times.push(start.elapsed());
        }
        report(&format!("search by {mode:?}"), times);
    }
}

#[test]
#[ignore = "needs public data"]
fn measure_times() {
    let (nodes, relationships) = parts(&triples());
    let start = Instant::now();
    let topology = Topology::from_parts("1", nodes, relationships);
    let (nodes, relationships) = (topology.node_count(), topology.relationship_count());
    println!("topology of {nodes} nodes and {relationships} relationships built in {:.2?}", start.elapsed());
    assert!(nodes > 43_000 && relationships > 130_000);

    let sample: Vec<NodeIndex> = topology.nodes().step_by(nodes / 200).collect();
    let mut hub = sample[0];
    for node in topology.nodes() {
        if topology.degree(node, crate::Direction::Both) > topology.degree(hub, crate::Direction::Both) {
            hub = node;
        }
    }
    let options = NeighbourhoodOptions { depth: 3, minimum: 0.1, ..NeighbourhoodOptions::default() };
    let around = |seed: NodeIndex| time(|| drop(topology.neighbourhood(&[seed], &options)));
    report("neighbourhood, 3 steps", sample.iter().map(|&seed| around(seed)).collect());
    println!("{:32} {:.2?}", "neighbourhood of the largest hub", around(hub));
    let pairs = sample.windows(2).take(40);
    let options = PathOptions::default();
    let best = |from: NodeIndex, to: NodeIndex| time(|| drop(topology.best_paths(&[from], &[to], &options)));
    let shortest =
        |from: NodeIndex, to: NodeIndex| time(|| drop(topology.shortest_paths(&[from], &[to], &options)));
    report("five best paths within 5 hops", pairs.clone().map(|pair| best(pair[0], pair[1])).collect());
    report("five shortest paths", pairs.map(|pair| shortest(pair[0], pair[1])).collect());

    let start = Instant::now();
    let index = NameIndex::build(&topology);
    println!("names indexed in {:.2?}", start.elapsed());
    let name = |node: NodeIndex| topology.node(node).display_name();
    report("names", sample.iter().map(|&node| time(|| drop(index.find(name(node))))).collect());
    let misspelt = |node: NodeIndex| name(node).chars().rev().collect::<String>();
    report(
        "suggestions for misspelt names",
        sample.iter().map(|&node| time(|| drop(index.suggest(&misspelt(node), 5)))).collect(),
    );
}
