//! The server for the tests.

use std::sync::Arc;

use graphwright_core::{GraphStore, Statement, store::QueryOptions};
use graphwright_cypher::StatementBuilder;
use graphwright_neo4j::{ConnectOptions, Credentials, Neo4jStore};
use tokio::sync::{Mutex, MutexGuard};

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

/// The server, empty, for one test at a time.
pub(crate) async fn empty() -> (Arc<dyn GraphStore>, MutexGuard<'static, ()>) {
    static SERVER: Mutex<()> = Mutex::const_new(());
    let guard = SERVER.lock().await;
    let credentials =
        Credentials::Basic { user: variable("NEO4J_USERNAME"), password: variable("NEO4J_PASSWORD").into() };
    let options = ConnectOptions::new(variable("NEO4J_URI").parse().unwrap(), credentials);
    let store: Arc<dyn GraphStore> = Arc::new(Neo4jStore::connect(options).await.unwrap());
    clear(&*store).await;
    let constraints = "SHOW CONSTRAINTS YIELD name RETURN name";
    let indexes = "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name";
    for (list, drop) in [(constraints, "DROP CONSTRAINT "), (indexes, "DROP INDEX ")] {
        let names = store.read(Statement::fixed(list), QueryOptions::default()).await.unwrap();
        for row in names.collect().await.unwrap().rows {
            let name = row[0].as_str().unwrap();
            write(&*store, StatementBuilder::new(drop).name(name).build().unwrap()).await;
        }
    }
    (store, guard)
}

/// Deletes all nodes, so many at a time that the server's memory holds them.
pub(crate) async fn clear(store: &dyn GraphStore) {
    loop {
        let some = Statement::fixed("MATCH (n) WITH n LIMIT 5000 DETACH DELETE n");
        let result = store.write(some, QueryOptions::default()).await.unwrap();
        if result.counters.nodes_deleted == 0 {
            return;
        }
    }
}

async fn write(store: &dyn GraphStore, statement: Statement) {
    store.write(statement, QueryOptions::default()).await.unwrap();
}
