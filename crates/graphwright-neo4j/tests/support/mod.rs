//! The server for the tests.

use std::sync::Arc;

use graphwright_core::{
    GraphStore, Statement, StoreError,
    store::{QueryOptions, SchemaOptions},
};
use graphwright_neo4j::{ConnectOptions, Credentials, Neo4jStore};

/// How to reach the server that the environment names.
pub(crate) fn options() -> ConnectOptions {
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let credentials =
        Credentials::Basic { user: variable("NEO4J_USERNAME"), password: variable("NEO4J_PASSWORD").into() };
    ConnectOptions::new(variable("NEO4J_URI").parse().unwrap(), credentials)
}

pub(crate) async fn connect() -> Arc<dyn GraphStore> {
    Arc::new(Neo4jStore::connect(options()).await.unwrap())
}

/// The same store with nothing in it.
pub(crate) async fn emptied(store: &Arc<dyn GraphStore>) -> Result<Arc<dyn GraphStore>, StoreError> {
    store.write(Statement::fixed("MATCH (n) DETACH DELETE n"), QueryOptions::default()).await?;
    let schema = store.schema(SchemaOptions { sample: 0, ..SchemaOptions::default() }).await?;
    for constraint in schema.constraints {
        store.drop_constraint(&constraint.name).await?;
    }
    for index in schema.indexes {
        store.drop_index(&index.name).await?;
    }
    Ok(Arc::clone(store))
}
