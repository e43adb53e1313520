//! A small read over the Neo4j store, beside the same read over the driver alone, on the server that `NEO4J_URI`,
//! `NEO4J_USERNAME` and `NEO4J_PASSWORD` name. It adds one node, and removes it at the end.

use std::{env, sync::Arc};

use divan::Bencher;
use graphwright_core::{GraphStore, Statement, store::QueryOptions};
use graphwright_neo4j::{ConnectOptions, Credentials, Neo4jStore};
use neo4j::{
    driver::{ConnectionConfig, Driver, DriverConfig, RoutingControl, auth::AuthToken},
    session::SessionConfig,
    value_map,
};
use tokio::runtime::Runtime;

const ONE: &str = "RETURN 1";
const BY_KEY: &str = "MATCH (n:BenchmarkOfReads {__id__: $id}) RETURN n";

fn main() {
    if env::var("NEO4J_URI").is_err() {
        println!("skipped: NEO4J_URI names no server (cargo xtask neo4j start)");
        return;
    }
    let (runtime, store) = store();
    runtime.block_on(async {
        store.create_keys(vec!["BenchmarkOfReads".to_owned()]).await.expect("a key");
        let text = "MERGE (n:BenchmarkOfReads {__id__: 'x'}) SET n.name = 'Ada', n.born = 1815";
        store.write(Statement::fixed(text), QueryOptions::default()).await.expect("a node");
    });
    divan::main();
    let remove = Statement::fixed("MATCH (n:BenchmarkOfReads) DELETE n");
    runtime.block_on(store.write(remove, QueryOptions::default())).expect("no node");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

fn store() -> (Runtime, Neo4jStore) {
    let credentials =
        Credentials::Basic { user: variable("NEO4J_USERNAME"), password: variable("NEO4J_PASSWORD").into() };
    let options = ConnectOptions::new(variable("NEO4J_URI").parse().expect("an address"), credentials);
    let runtime = Runtime::new().expect("a runtime");
    let store = runtime.block_on(Neo4jStore::connect(options)).expect("a server");
    (runtime, store)
}

fn driver() -> Driver {
    let connection = ConnectionConfig::try_from(variable("NEO4J_URI").as_str()).expect("an address");
    let token = AuthToken::new_basic_auth(variable("NEO4J_USERNAME"), variable("NEO4J_PASSWORD"));
    Driver::new(connection, DriverConfig::new().with_auth(Arc::new(token)))
}

#[divan::bench(args = [ONE, BY_KEY], sample_count = 200, sample_size = 10)]
fn over_the_driver(bencher: Bencher, text: &str) {
    let driver = driver();
    let database = Arc::new("neo4j".to_owned());
    bencher.bench_local(|| {
        let config = SessionConfig::new().with_database(Arc::clone(&database));
        let mut session = driver.session(config);
        let query = session.auto_commit(text).with_routing_control(RoutingControl::Read);
        query.with_parameters(value_map!({"id": "x"})).run().expect("a row").records.len()
    });
}

#[divan::bench(args = [ONE, BY_KEY], sample_count = 200, sample_size = 10)]
fn over_the_store(bencher: Bencher, text: &'static str) {
    let (runtime, store) = store();
    bencher.bench_local(|| {
        runtime.block_on(async {
            let statement = Statement::fixed(text).with("id", "x");
            let rows = store.read(statement, QueryOptions::default()).await.expect("rows");
            rows.collect().await.expect("a row").rows.len()
        })
    });
}
