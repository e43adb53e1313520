//! Cases in code, for the promises of [`GraphStore`](crate::GraphStore).

mod changes;
mod limits;
mod reading;
mod schema;
mod transactions;
mod values;

use futures::future::BoxFuture;

use super::{Failure, Store};
use crate::{
    NodeKey, Properties, RelationshipKey, Statement, StoreError, Table, Value,
    store::{ChangeSet, Counters, QueryOptions, WriteResult},
};

/// A case in code.
type Check = fn(Store) -> BoxFuture<'static, Result<(), Failure>>;

/// Returns all cases in code, with their names.
pub(super) fn all() -> impl Iterator<Item = (&'static str, Check)> {
    let groups = [
        transactions::CHECKS,
        changes::CHECKS,
        limits::CHECKS,
        reading::CHECKS,
        schema::CHECKS,
        values::CHECKS,
    ];
    groups.into_iter().flatten().copied()
}

/// Makes the cases of a group from their bodies.
macro_rules! checks {
    ($group:literal: $($name:ident($store:ident) $body:block)*) => {
        pub(super) const CHECKS: &[(&str, super::Check)] =
            &[$((concat!($group, "/", stringify!($name)), $name)),*];
        $(fn $name($store: super::Store) -> futures::future::BoxFuture<'static, Result<(), super::Failure>> {
            Box::pin(async move {
                $body
                Ok(())
            })
        })*
    };
}
use checks;

/// Fails unless the condition holds.
fn ensure(condition: bool, message: impl Into<String>) -> Result<(), Failure> {
    if condition { Ok(()) } else { Err(Failure::Wrong(message.into())) }
}

/// Fails unless both are equal.
#[expect(clippy::needless_pass_by_value, reason = "cases read better without references")]
fn equal<T: PartialEq + std::fmt::Debug>(found: T, expected: T) -> Result<(), Failure> {
    let message = format!("gave {found:?}, should be {expected:?}");
    ensure(found == expected, message)
}

/// Fails unless the call failed with an error of this code.
fn fails<T>(result: Result<T, StoreError>, code: &str) -> Result<(), Failure> {
    match result {
        Ok(_) => Err(Failure::Wrong(format!("worked, should fail with {code}"))),
        Err(error) if error.code() == code => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn key(label: &str, id: &str) -> NodeKey {
    NodeKey::new(label, id)
}

fn properties<const N: usize>(entries: [(&str, Value); N]) -> Properties {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn relationship(kind: &str, from: &NodeKey, to: &NodeKey, id: &str) -> RelationshipKey {
    RelationshipKey { kind: kind.to_owned(), from: from.clone(), to: to.clone(), id: id.to_owned() }
}

async fn table(store: &Store, statement: Statement) -> Result<Table, StoreError> {
    store.read(statement, QueryOptions::default()).await?.collect().await
}

async fn rows(store: &Store, text: &'static str) -> Result<Vec<Vec<Value>>, StoreError> {
    Ok(table(store, Statement::fixed(text)).await?.rows)
}

/// Returns the first value of the first row.
async fn one(store: &Store, text: &'static str) -> Result<Value, Failure> {
    let rows = rows(store, text).await?;
    rows.into_iter()
        .next()
        .and_then(|row| row.into_iter().next())
        .ok_or_else(|| Failure::Wrong("gave no row".to_owned()))
}

async fn write(store: &Store, text: &'static str) -> Result<WriteResult, StoreError> {
    store.write(Statement::fixed(text), QueryOptions::default()).await
}

async fn apply(store: &Store, fill: impl FnOnce(&mut ChangeSet)) -> Result<Counters, StoreError> {
    let mut changes = ChangeSet::new();
    fill(&mut changes);
    store.apply(changes).await
}

/// Writes two people, a company, and three relationships, two of them between the same ends.
async fn small_graph(store: &Store) -> Result<Counters, StoreError> {
    apply(store, |changes| {
        let (ada, bob, acme) = (key("Person", "ada"), key("Person", "bob"), key("Company", "acme"));
        changes.upsert_node(
            ada.clone(),
            &["__Entity__"],
            properties([("name", "Ada".into()), ("born", 1815.into())]),
        );
        changes.upsert_node(bob.clone(), &["__Entity__"], properties([("name", "Bob".into())]));
        changes.upsert_node(acme.clone(), &["__Entity__"], properties([("name", "Acme".into())]));
        changes.upsert_relationship(
            relationship("WORKS_AT", &ada, &acme, "1"),
            properties([("since", 1840.into())]),
        );
        changes.upsert_relationship(
            relationship("WORKS_AT", &ada, &acme, "2"),
            properties([("since", 1850.into())]),
        );
        changes.upsert_relationship(relationship("KNOWS", &ada, &bob, "1"), Properties::new());
    })
    .await
}
