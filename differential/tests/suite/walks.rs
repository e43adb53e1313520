//! Walks find what Cypher finds on the same store.

use std::collections::BTreeMap;

use graphwright_core::{
    GraphStore, NodeKey, Properties, RelationshipKey, Statement, Value, names,
    store::{ChangeSet, QueryOptions},
};
use graphwright_embedded::EmbeddedStore;
use graphwright_retrieve::{NeighbourhoodOptions, NodeIndex, PathOptions, Topology};

use crate::server;

const SEED: u64 = 20_250_101;

const DEPTH: usize = 3;

/// Writes seven things with up to sixteen relationships, among them loops and parallel ones.
async fn fill(store: &dyn GraphStore, random: &mut fastrand::Rng) {
    let key = |node: usize| NodeKey::new("Thing", node.to_string());
    let mut changes = ChangeSet::new();
    for node in 0..7 {
        let properties = Properties::from([("name".to_owned(), format!("Thing {node}").into())]);
        changes.upsert_node(key(node), &[names::ENTITY], properties);
    }
    for number in 0..random.usize(..16) {
        let kind = if random.bool() { "R" } else { "S" }.to_owned();
        let (from, to, id) = (key(random.usize(..7)), key(random.usize(..7)), number.to_string());
        let weight = f64::from(random.u32(1..=10)) / 10.0;
        let properties = Properties::from([(names::WEIGHT.to_owned(), weight.into())]);
        changes.upsert_relationship(RelationshipKey { kind, from, to, id }, properties);
    }
    store.apply(changes).await.unwrap();
}

async fn ask(store: &dyn GraphStore, text: &'static str, ids: &[(&'static str, &str)]) -> Vec<Vec<Value>> {
    let statement =
        ids.iter().fold(Statement::fixed(text), |statement, (name, id)| statement.with(*name, *id));
    let rows = store.read(statement, QueryOptions::default()).await.unwrap().collect().await.unwrap().rows;
    rows.into_iter().map(|row| row.as_slice().to_vec()).collect()
}

fn id(topology: &Topology, node: NodeIndex) -> String {
    topology.node(node).id().to_owned()
}

async fn compare(store: &dyn GraphStore) {
    let topology = Topology::load(store).await.unwrap();
    for seed in topology.nodes() {
        let text = "MATCH p = (s:Thing {__id__: $id})-[*1..3]-(t:Thing) \
            WITH t.__id__ AS id, reduce(score = 1.0, r IN relationships(p) | score * r.weight) AS score \
            WHERE score >= 0.2 RETURN id, max(score)";
        let rows = ask(store, text, &[("id", &id(&topology, seed))]).await;
        let mut expected: BTreeMap<String, f64> = rows
            .iter()
            .map(|row| (row[0].as_str().unwrap().to_owned(), row[1].as_float().unwrap()))
            .collect();
        expected.insert(id(&topology, seed), 1.0);
        let options = NeighbourhoodOptions { depth: DEPTH, minimum: 0.2, ..NeighbourhoodOptions::default() };
        let found = topology.neighbourhood(&[seed], &options);
        let found: BTreeMap<String, f64> =
            found.nodes.iter().map(|reached| (id(&topology, reached.node), reached.score)).collect();
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (id, score) in &expected {
            assert!((found[id] - score).abs() < 1e-12, "{id}: {} {score}", found[id]);
        }
        compare_paths(store, &topology, seed).await;
    }
}

async fn compare_paths(store: &dyn GraphStore, topology: &Topology, from: NodeIndex) {
    for to in topology.nodes().filter(|to| *to != from) {
        let text = "MATCH p = (a:Thing {__id__: $from})-[*1..3]-(b:Thing {__id__: $to}) \
            WITH length(p) AS hops, reduce(score = 1.0, r IN relationships(p) | score * r.weight) AS score \
            RETURN hops, count(*), max(score) ORDER BY hops";
        let rows = ask(store, text, &[("from", &id(topology, from)), ("to", &id(topology, to))]).await;
        let options = PathOptions { max_hops: DEPTH, limit: 1_000, ..PathOptions::default() };
        let distance = topology.distance(&[from], &[to], &options);
        assert_eq!(distance.map(|hops| hops as i64), rows.first().and_then(|row| row[0].as_integer()));
        let shortest = topology.shortest_paths(&[from], &[to], &options);
        // Walks of the fewest steps pass no node twice, so Cypher counts the same.
        let count = rows.first().map_or(0, |row| row[1].as_integer().unwrap());
        assert_eq!(shortest.paths.len() as i64, count);
        let best = topology.best_paths(&[from], &[to], &options).paths.first().map(|path| path.score);
        let expected = rows.iter().map(|row| row[2].as_float().unwrap()).max_by(f64::total_cmp);
        assert_eq!(best.is_some(), expected.is_some());
        assert!((best.unwrap_or_default() - expected.unwrap_or_default()).abs() < 1e-12);
    }
}

#[tokio::test]
async fn walks_find_what_cypher_finds_on_the_embedded_store() {
    let mut random = fastrand::Rng::with_seed(SEED);
    for _ in 0..30 {
        let store = EmbeddedStore::in_memory();
        fill(&store, &mut random).await;
        compare(&store).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn walks_find_what_cypher_finds_on_neo4j() {
    let (store, _guard) = server().await;
    let mut random = fastrand::Rng::with_seed(SEED);
    for _ in 0..10 {
        let statement = Statement::fixed("MATCH (n) DETACH DELETE n");
        store.write(statement, QueryOptions::default()).await.unwrap();
        fill(&*store, &mut random).await;
        compare(&*store).await;
    }
}
