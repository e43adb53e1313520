//! Checks of writes by key: upserts, replacement, deletion.

use super::{
    apply, checks, ensure, equal, fails, key, one, properties, relationship, rows, small_graph, write,
};
use crate::{
    Properties, Value,
    conformance::collect,
    store::{Change, OnExisting},
};

checks! { "changes":
    counters_tell_what_was_done(store) {
        let counters = small_graph(&store).await?;
        equal((counters.nodes_created, counters.relationships_created), (3, 3))?;
        let counters = small_graph(&store).await?;
        equal((counters.nodes_created, counters.relationships_created), (0, 0))?;
    }
    same_changes_again_change_nothing(store) {
        small_graph(&store).await?;
        let text = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN n.__id__, r.__id__, r.since ORDER BY n.__id__, r.__id__";
        let before = rows(&store, text).await?;
        small_graph(&store).await?;
        equal(rows(&store, text).await?, before)?;
    }
    key_is_kept_as_a_property(store) {
        small_graph(&store).await?;
        equal(one(&store, "MATCH (n:Person {name: 'Ada'}) RETURN n.__id__").await?, "ada".into())?;
        equal(one(&store, "MATCH ()-[r:KNOWS]->() RETURN r.__id__").await?, "1".into())?;
    }
    node_has_the_label_of_its_key_and_the_others(store) {
        small_graph(&store).await?;
        // Neo4j lists labels in the order in which the database has met them.
        let text = "MATCH (n {__id__: 'ada'}) UNWIND labels(n) AS label RETURN label ORDER BY label";
        equal(rows(&store, text).await?, vec![vec!["Person".into()], vec!["__Entity__".into()]])?;
    }
    merge_keeps_other_properties(store) {
        small_graph(&store).await?;
        apply(&store, |changes| changes.upsert_node(key("Person", "ada"), &[], properties([("field", "mathematics".into())]))).await?;
        let expected = vec![vec!["Ada".into(), 1815.into(), "mathematics".into()]];
        equal(rows(&store, "MATCH (n:Person {__id__: 'ada'}) RETURN n.name, n.born, n.field").await?, expected)?;
    }
    merge_removes_by_null(store) {
        small_graph(&store).await?;
        apply(&store, |changes| changes.upsert_node(key("Person", "ada"), &[], properties([("born", Value::Null)]))).await?;
        equal(one(&store, "MATCH (n:Person {__id__: 'ada'}) RETURN n.born").await?, Value::Null)?;
        equal(one(&store, "MATCH (n:Person {__id__: 'ada'}) RETURN 'born' IN keys(n)").await?, false.into())?;
    }
    replace_keeps_exactly_the_given_properties(store) {
        small_graph(&store).await?;
        apply(&store, |changes| changes.push(Change::UpsertNode {
            key: key("Person", "ada"),
            labels: Vec::new(),
            properties: properties([("name", "Ada".into())]),
            on_existing: OnExisting::Replace,
        })).await?;
        let row = rows(&store, "MATCH (n:Person {__id__: 'ada'}) RETURN n.name, n.born").await?;
        equal(row, vec![vec!["Ada".into(), Value::Null]])?;
    }
    replace_keeps_relationships_and_labels(store) {
        small_graph(&store).await?;
        apply(&store, |changes| changes.push(Change::UpsertNode {
            key: key("Person", "ada"),
            labels: Vec::new(),
            properties: Properties::new(),
            on_existing: OnExisting::Replace,
        })).await?;
        equal(one(&store, "MATCH (n:Person {__id__: 'ada'})-[r]->() RETURN count(r)").await?, 3.into())?;
        equal(one(&store, "MATCH (n:__Entity__ {__id__: 'ada'}) RETURN count(n)").await?, 1.into())?;
    }
    relationships_of_one_type_between_the_same_ends_stay_apart(store) {
        small_graph(&store).await?;
        let years = rows(&store, "MATCH (:Person)-[r:WORKS_AT]->(:Company) RETURN r.since ORDER BY r.since").await?;
        equal(years, vec![vec![1840.into()], vec![1850.into()]])?;
    }
    relationship_merge_and_replace(store) {
        small_graph(&store).await?;
        let which = relationship("WORKS_AT", &key("Person", "ada"), &key("Company", "acme"), "1");
        apply(&store, |changes| changes.upsert_relationship(which.clone(), properties([("role", "clerk".into())]))).await?;
        let text = "MATCH ()-[r:WORKS_AT {__id__: '1'}]->() RETURN r.since, r.role";
        equal(rows(&store, text).await?, vec![vec![1840.into(), "clerk".into()]])?;
        apply(&store, |changes| changes.push(Change::UpsertRelationship {
            key: which,
            properties: properties([("role", "chief".into())]),
            on_existing: OnExisting::Replace,
        })).await?;
        equal(rows(&store, text).await?, vec![vec![Value::Null, "chief".into()]])?;
    }
    relationship_without_its_ends_is_refused(store) {
        let result = apply(&store, |changes| {
            changes.upsert_relationship(relationship("KNOWS", &key("Person", "a"), &key("Person", "b"), "1"), Properties::new());
        }).await;
        fails(result, "not_found")?;
    }
    relationship_to_a_node_of_the_same_batch(store) {
        apply(&store, |changes| {
            changes.upsert_node(key("A", "1"), &[], Properties::new());
            changes.upsert_relationship(relationship("R", &key("A", "1"), &key("A", "1"), "loop"), Properties::new());
        }).await?;
        equal(one(&store, "MATCH (n:A)-[r:R]->(n) RETURN count(r)").await?, 1.into())?;
    }
    relationship_before_the_nodes_of_the_same_batch(store) {
        apply(&store, |changes| {
            for (from, to) in [("1", "2"), ("2", "3")] {
                changes.upsert_relationship(relationship("R", &key("A", from), &key("A", to), "r"), Properties::new());
                changes.upsert_node(key("A", from), &[], Properties::new());
                changes.upsert_node(key("A", to), &[], properties([("to", to.into())]));
            }
        }).await?;
        equal(one(&store, "MATCH (:A)-[:R]->(m:A {to: '2'})-[:R]->(:A {to: '3'}) RETURN count(m)").await?, 1.into())?;
        let result = apply(&store, |changes| {
            changes.upsert_relationship(relationship("R", &key("A", "1"), &key("A", "4"), "r"), Properties::new());
            changes.push(Change::DeleteNode { key: key("A", "1") });
            changes.upsert_node(key("A", "4"), &[], Properties::new());
        }).await;
        fails(result, "not_found")?;
    }
    deleting_a_node_takes_its_relationships(store) {
        small_graph(&store).await?;
        let counters = apply(&store, |changes| changes.push(Change::DeleteNode { key: key("Person", "ada") })).await?;
        equal((counters.nodes_deleted, counters.relationships_deleted), (1, 3))?;
        equal(one(&store, "MATCH (n) RETURN count(n)").await?, 2.into())?;
        equal(one(&store, "MATCH ()-[r]->() RETURN count(r)").await?, 0.into())?;
    }
    deleting_what_is_not_there_is_no_error(store) {
        let which = relationship("KNOWS", &key("Person", "a"), &key("Person", "b"), "1");
        let counters = apply(&store, |changes| {
            changes.push(Change::DeleteNode { key: key("Person", "nobody") });
            changes.push(Change::DeleteRelationship { key: which });
        }).await?;
        equal(counters.nodes_deleted + counters.relationships_deleted, 0)?;
    }
    deleting_one_of_two_parallel_relationships(store) {
        small_graph(&store).await?;
        let which = relationship("WORKS_AT", &key("Person", "ada"), &key("Company", "acme"), "1");
        apply(&store, |changes| changes.push(Change::DeleteRelationship { key: which })).await?;
        equal(rows(&store, "MATCH ()-[r:WORKS_AT]->() RETURN r.since").await?, vec![vec![1850.into()]])?;
    }
    deleted_node_can_be_made_again(store) {
        small_graph(&store).await?;
        apply(&store, |changes| {
            changes.push(Change::DeleteNode { key: key("Person", "ada") });
            changes.upsert_node(key("Person", "ada"), &[], properties([("name", "New".into())]));
        }).await?;
        let row = rows(&store, "MATCH (n:Person {__id__: 'ada'}) OPTIONAL MATCH (n)-[r]-() RETURN n.name, n.born, count(r)").await?;
        equal(row, vec![vec!["New".into(), Value::Null, 0.into()]])?;
    }
    empty_change_set_does_nothing(store) {
        let before = store.version().await?;
        apply(&store, |_| {}).await?;
        equal(store.version().await?, before)?;
    }
    names_with_spaces_and_back_ticks(store) {
        apply(&store, |changes| {
            let odd = key("Odd `label`", "1");
            changes.upsert_node(odd.clone(), &["with space"], properties([("a `b` c", 1.into())]));
            changes.upsert_relationship(relationship("HAS `x`", &odd, &odd, "1"), properties([("w x", 2.into())]));
        }).await?;
        let row = rows(&store, "MATCH (n:`Odd ``label```:`with space`)-[r:`HAS ``x```]->() RETURN n.`a ``b`` c`, r.`w x`").await?;
        equal(row, vec![vec![1.into(), 2.into()]])?;
    }
    names_that_engines_reserve(store) {
        let given = properties([("id", 1.into()), ("title", "t".into()), ("name", "n".into()), ("type", "x".into())]);
        apply(&store, |changes| changes.upsert_node(key("Thing", "k"), &[], given.clone())).await?;
        equal(rows(&store, "MATCH (n:Thing) RETURN n.id, n.title, n.name, n.type").await?, vec![vec![1.into(), "t".into(), "n".into(), "x".into()]])?;
        let node = one(&store, "MATCH (n:Thing) RETURN n").await?;
        let found = node.as_node().map(|node| node.properties.clone()).unwrap_or_default();
        ensure(given.iter().all(|(name, value)| found.get(name) == Some(value)) && found.len() == 5, format!("{found:?}"))?;
    }
    statement_counters(store) {
        let result = write(&store, "CREATE (a:A {x: 1})-[:R]->(b:B) RETURN a.x AS x").await?;
        equal((result.counters.nodes_created, result.counters.relationships_created), (2, 1))?;
        equal(result.table.columns, vec!["x".to_owned()])?;
        let result = write(&store, "MATCH (n) DETACH DELETE n").await?;
        equal((result.counters.nodes_deleted, result.counters.relationships_deleted), (2, 1))?;
    }
    vectors_are_kept_and_streamed(store) {
        small_graph(&store).await?;
        apply(&store, |changes| for (id, vector) in [("ada", vec![1.0, 0.0]), ("bob", vec![0.5, 0.5])] {
            changes.push(Change::SetVector { key: key("Person", id), property: "embedding".to_owned(), vector });
        }).await?;
        let mut vectors: Vec<Vec<f32>> = collect(store.vectors("Person", "embedding").await?).await?.into_iter().map(|(_, vector)| vector).collect();
        vectors.sort_by(|left, right| order(left, right));
        equal(vectors, vec![vec![0.5, 0.5], vec![1.0, 0.0]])?;
        equal(collect(store.vectors("Company", "embedding").await?).await?.len(), 0)?;
        equal(store.vector_names().await?, vec!["embedding".to_owned()])?;
    }
    vector_of_a_deleted_node_is_gone(store) {
        small_graph(&store).await?;
        apply(&store, |changes| changes.push(Change::SetVector { key: key("Person", "ada"), property: "embedding".to_owned(), vector: vec![1.0] })).await?;
        apply(&store, |changes| changes.push(Change::DeleteNode { key: key("Person", "ada") })).await?;
        equal(collect(store.vectors("Person", "embedding").await?).await?.len(), 0)?;
    }
    vectors_of_other_length_are_refused(store) {
        small_graph(&store).await?;
        let set = |id: &str, vector| Change::SetVector { key: key("Person", id), property: "embedding".to_owned(), vector };
        apply(&store, |changes| changes.push(set("ada", vec![1.0, 0.0]))).await?;
        let result = apply(&store, |changes| changes.push(set("bob", vec![1.0]))).await;
        ensure(result.is_err(), "a vector of another length was taken")?;
    }
    vector_of_a_missing_node_is_refused(store) {
        let change = Change::SetVector { key: key("Person", "nobody"), property: "embedding".to_owned(), vector: vec![1.0] };
        fails(apply(&store, |changes| changes.push(change)).await, "not_found")?;
    }
}

fn order(left: &[f32], right: &[f32]) -> std::cmp::Ordering {
    left.iter()
        .zip(right)
        .map(|(left, right)| left.total_cmp(right))
        .find(|order| order.is_ne())
        .unwrap_or(left.len().cmp(&right.len()))
}
