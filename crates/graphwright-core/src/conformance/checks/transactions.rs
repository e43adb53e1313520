//! Checks that a write happens as a whole or not at all, and of constraints.

use super::{
    Failure, apply, checks, ensure, equal, fails, key, one, properties, relationship, small_graph, write,
};
use crate::{Properties, Statement, StoreError, Value, schema::Constraint, store::QueryOptions};

fn unique(properties: &[&str]) -> Constraint {
    Constraint {
        name: String::new(),
        label: "Person".to_owned(),
        properties: properties.iter().map(|&property| property.to_owned()).collect(),
    }
}

checks! { "transactions":
    failed_batch_leaves_nothing(store) {
        let result = apply(&store, |changes| {
            changes.upsert_node(key("Person", "ada"), &[], Properties::new());
            changes.upsert_relationship(relationship("KNOWS", &key("Person", "ada"), &key("Person", "nobody"), "1"), Properties::new());
        }).await;
        fails(result, "not_found")?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 0.into())?;
    }
    failed_batch_keeps_what_was_there(store) {
        small_graph(&store).await?;
        let result = apply(&store, |changes| {
            changes.upsert_node(key("Person", "ada"), &[], properties([("name", "Changed".into())]));
            changes.push(crate::store::Change::DeleteNode { key: key("Person", "bob") });
            changes.upsert_relationship(relationship("KNOWS", &key("Person", "x"), &key("Person", "y"), "1"), Properties::new());
        }).await;
        fails(result, "not_found")?;
        equal(one(&store, "MATCH (n:Person) WHERE n.name = 'Ada' RETURN count(n)").await?, 1.into())?;
        equal(one(&store, "MATCH (n:Person) RETURN count(n)").await?, 2.into())?;
    }
    failed_statement_leaves_nothing(store) {
        let result = write(&store, "CREATE (a:A {x: 1}) CREATE (b:A {x: 1 / 0})").await;
        ensure(result.is_err(), "a division by zero worked")?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 0.into())?;
    }
    statement_failing_in_a_later_row_leaves_nothing(store) {
        let result = write(&store, "UNWIND [2, 1, 0] AS x CREATE (:A {x: 10 / x})").await;
        ensure(result.is_err(), "a division by zero worked")?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 0.into())?;
    }
    committed_write_is_seen_by_the_next_read(store) {
        write(&store, "CREATE (:A {x: 1})").await?;
        equal(one(&store, "MATCH (n:A) RETURN n.x").await?, 1.into())?;
    }
    write_beyond_its_limit_leaves_nothing(store) {
        let limited = |limit| QueryOptions { change_limit: Some(limit), ..QueryOptions::default() };
        let text = "UNWIND [1, 2, 3] AS x CREATE (:A {x: x})";
        // Stores do not count the properties of new nodes alike.
        let result = store.write(Statement::fixed(text), limited(2)).await;
        let (changes, limit) = match result {
            Err(StoreError::TooManyChanges { changes, limit }) => (changes, limit),
            other => return Err(Failure::Wrong(format!("gave {other:?}"))),
        };
        ensure(changes > limit, "the limit holds more than was changed")?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 0.into())?;
        store.write(Statement::fixed(text), limited(changes)).await?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 3.into())?;
    }
    dry_run_says_what_it_would_do_and_leaves_nothing(store) {
        small_graph(&store).await?;
        let version = store.version().await?;
        let options = QueryOptions { dry_run: true, ..QueryOptions::default() };
        let result = store.write(Statement::fixed("MATCH (n) DETACH DELETE n"), options.clone()).await?;
        equal(result.counters.nodes_deleted, 3)?;
        equal(result.counters.relationships_deleted, 3)?;
        let result = store.write(Statement::fixed("CREATE (a:A {x: 1}) RETURN a.x"), options).await?;
        equal(result.table.rows.len(), 1)?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 3.into())?;
        equal(one(&store, "MATCH ()-[r]->() RETURN count(r)").await?, 3.into())?;
        equal(store.version().await?, version)?;
        write(&store, "CREATE (a:A {x: 1})").await?;
        equal(one(&store, "MATCH (n:A) RETURN count(n)").await?, 1.into())?;
    }
    version_changes_with_what_is_stored(store) {
        let before = store.version().await?;
        equal(store.version().await?, before.clone())?;
        small_graph(&store).await?;
        let after = store.version().await?;
        ensure(before != after, "a write left the version as it was")?;
        one(&store, "MATCH (n) RETURN count(n)").await?;
        equal(store.version().await?, after)?;
    }
    snapshot_keeps_its_moment(store) {
        small_graph(&store).await?;
        if let Some(snapshot) = store.snapshot().await? {
            write(&store, "MATCH (n) DETACH DELETE n").await?;
            equal(one(&snapshot, "MATCH (n) RETURN count(n)").await?, 3.into())?;
        }
        ensure(store.capabilities().snapshot || store.snapshot().await?.is_none(), "a snapshot that is not announced")?;
    }
    snapshot_cannot_be_written(store) {
        if let Some(snapshot) = store.snapshot().await? {
            fails(write(&snapshot, "CREATE (:A)").await, "read_only")?;
            let result = apply(&snapshot, |changes| changes.upsert_node(key("A", "1"), &[], Properties::new())).await;
            fails(result, "read_only")?;
        }
    }
    unique_constraint_is_kept_by_statements(store) {
        store.create_constraint(unique(&["email"])).await?;
        write(&store, "CREATE (:Person {email: 'a'})").await?;
        fails(write(&store, "CREATE (:Person {email: 'a'})").await, "constraint")?;
        equal(one(&store, "MATCH (n:Person) RETURN count(n)").await?, 1.into())?;
    }
    unique_constraint_is_kept_by_set(store) {
        store.create_constraint(unique(&["email"])).await?;
        write(&store, "CREATE (:Person {email: 'a'}), (:Person {email: 'b'})").await?;
        fails(write(&store, "MATCH (n:Person) WHERE n.email = 'b' SET n.email = 'a'").await, "constraint")?;
        equal(one(&store, "MATCH (n:Person) WHERE n.email = 'b' RETURN count(n)").await?, 1.into())?;
    }
    unique_constraint_is_kept_by_changes(store) {
        store.create_constraint(unique(&["email"])).await?;
        let result = apply(&store, |changes| {
            changes.upsert_node(key("Person", "1"), &[], properties([("email", "a".into())]));
            changes.upsert_node(key("Person", "2"), &[], properties([("email", "a".into())]));
        }).await;
        fails(result, "constraint")?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 0.into())?;
    }
    unique_constraint_allows_absent_values(store) {
        store.create_constraint(unique(&["email"])).await?;
        write(&store, "CREATE (:Person {x: 1}), (:Person {x: 1})").await?;
        equal(one(&store, "MATCH (n:Person) RETURN count(n)").await?, 2.into())?;
    }
    unique_constraint_on_two_properties(store) {
        store.create_constraint(unique(&["first", "last"])).await?;
        write(&store, "CREATE (:Person {first: 'a', last: 'b'}), (:Person {first: 'a', last: 'c'})").await?;
        fails(write(&store, "CREATE (:Person {first: 'a', last: 'b'})").await, "constraint")?;
    }
    constraint_that_the_data_breaks_is_not_made(store) {
        write(&store, "CREATE (:Person {email: 'a'}), (:Person {email: 'a'})").await?;
        fails(store.create_constraint(unique(&["email"])).await, "constraint")?;
        equal(store.schema(crate::store::SchemaOptions::default()).await?.constraints.len(), 0)?;
    }
    constraint_made_twice_is_one(store) {
        store.create_constraint(unique(&["email"])).await?;
        store.create_constraint(unique(&["email"])).await?;
        equal(store.schema(crate::store::SchemaOptions::default()).await?.constraints.len(), 1)?;
    }
    dropped_constraint_is_gone(store) {
        store.create_constraint(unique(&["email"])).await?;
        let schema = store.schema(crate::store::SchemaOptions::default()).await?;
        let name = schema.constraints.first().map(|constraint| constraint.name.clone()).unwrap_or_default();
        store.drop_constraint(&name).await?;
        write(&store, "CREATE (:Person {email: 'a'}), (:Person {email: 'a'})").await?;
        fails(store.drop_constraint(&name).await, "not_found")?;
    }
    constrained_value_is_free_again_after_delete(store) {
        store.create_constraint(unique(&["email"])).await?;
        write(&store, "CREATE (:Person {email: 'a'})").await?;
        write(&store, "MATCH (n:Person) DETACH DELETE n").await?;
        write(&store, "CREATE (:Person {email: 'a'})").await?;
        equal(one(&store, "MATCH (n:Person) RETURN count(n)").await?, Value::from(1))?;
    }
    checkpoint_keeps_everything(store) {
        small_graph(&store).await?;
        store.checkpoint().await?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 3.into())?;
    }
}
