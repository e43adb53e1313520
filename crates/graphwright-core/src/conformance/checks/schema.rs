//! Checks of the schema, indexes and scans.

use super::{checks, ensure, equal, fails, small_graph, write};
use crate::{
    Value,
    conformance::collect,
    schema::{Index, IndexKind, Similarity, Target},
    store::{ScanOptions, SchemaOptions, Selection},
};

fn index(properties: &[&str], kind: IndexKind) -> Index {
    Index {
        name: String::new(),
        target: Target::Label("Person".to_owned()),
        properties: properties.iter().map(|&property| property.to_owned()).collect(),
        kind,
    }
}

checks! { "schema":
    labels_and_types_are_counted(store) {
        small_graph(&store).await?;
        let schema = store.schema(SchemaOptions::default()).await?;
        let mut labels: Vec<_> = schema.labels.iter().map(|label| (label.name.as_str(), label.count)).collect();
        labels.sort_unstable();
        equal(labels, vec![("Company", 1), ("Person", 2), ("__Entity__", 3)])?;
        let mut types: Vec<_> = schema.relationship_types.iter().map(|kind| (kind.name.as_str(), kind.count)).collect();
        types.sort_unstable();
        equal(types, vec![("KNOWS", 1), ("WORKS_AT", 2)])?;
    }
    properties_have_types_and_samples(store) {
        small_graph(&store).await?;
        let schema = store.schema(SchemaOptions::default()).await?;
        let person = schema.labels.iter().find(|label| label.name == "Person");
        let born = person.and_then(|label| label.properties.iter().find(|property| property.name == "born"));
        match born {
            Some(born) => {
                equal(born.types.clone(), vec!["INTEGER".to_owned()])?;
                equal((born.count, born.samples.clone()), (1, vec![1815.into()]))?;
                equal((born.min.clone(), born.max.clone()), (Some(1815.into()), Some(1815.into())))?;
            }
            None => ensure(false, "the property is not described")?,
        }
    }
    patterns_are_counted(store) {
        small_graph(&store).await?;
        let schema = store.schema(SchemaOptions::default()).await?;
        let found = schema.patterns.iter().find(|pattern| pattern.kind == "WORKS_AT" && pattern.from == "Person" && pattern.to == "Company");
        equal(found.map(|pattern| pattern.count), Some(2))?;
    }
    empty_store_has_an_empty_schema(store) {
        let schema = store.schema(SchemaOptions::default()).await?;
        equal((schema.labels.len(), schema.relationship_types.len(), schema.patterns.len()), (0, 0, 0))?;
    }
    selection_leaves_names_out(store) {
        small_graph(&store).await?;
        let options = SchemaOptions { labels: Selection::only(["Person"]), relationship_types: Selection::None, ..SchemaOptions::default() };
        let schema = store.schema(options).await?;
        let labels: Vec<_> = schema.labels.iter().map(|label| label.name.as_str()).collect();
        equal((labels, schema.relationship_types.len()), (vec!["Person"], 0))?;
    }
    deleted_labels_disappear(store) {
        small_graph(&store).await?;
        write(&store, "MATCH (n:Company) DETACH DELETE n").await?;
        let schema = store.schema(SchemaOptions::default()).await?;
        ensure(schema.labels.iter().all(|label| label.name != "Company" || label.count == 0), "a deleted label is counted")?;
    }
    property_index_is_made_and_listed(store) {
        small_graph(&store).await?;
        store.create_index(index(&["name"], IndexKind::Property)).await?;
        store.create_index(index(&["name"], IndexKind::Property)).await?;
        let found = store.schema(SchemaOptions::default()).await?.indexes;
        let ours: Vec<_> = found.iter().filter(|index| index.properties == ["name"] && index.kind == IndexKind::Property).collect();
        equal(ours.len(), 1)?;
    }
    index_leaves_answers_as_they_are(store) {
        small_graph(&store).await?;
        let text = "MATCH (n:Person {name: 'Ada'}) RETURN n.born";
        let before = super::rows(&store, text).await?;
        store.create_index(index(&["name"], IndexKind::Property)).await?;
        equal(super::rows(&store, text).await?, before)?;
        write(&store, "CREATE (:Person {name: 'Ada', born: 2000})").await?;
        equal(super::rows(&store, text).await?.len(), 2)?;
    }
    composite_index(store) {
        small_graph(&store).await?;
        store.create_index(index(&["name", "born"], IndexKind::Property)).await?;
        let found = store.schema(SchemaOptions::default()).await?.indexes;
        let has_both = |index: &Index| index.properties.len() == 2 && ["name", "born"].iter().all(|&name| index.properties.iter().any(|found| found == name));
        ensure(found.iter().any(has_both), format!("{found:?}"))?;
    }
    composite_index_in_another_order_is_the_same(store) {
        small_graph(&store).await?;
        for properties in [["name", "born"], ["born", "name"]] {
            store.create_index(index(&properties, IndexKind::Property)).await?;
        }
        equal(store.schema(SchemaOptions::default()).await?.indexes.len(), 1)?;
    }
    vector_index(store) {
        small_graph(&store).await?;
        let kind = IndexKind::Vector { dimensions: 2, similarity: Similarity::Cosine };
        store.create_index(index(&["embedding"], kind)).await?;
        let found = store.schema(SchemaOptions::default()).await?.indexes;
        ensure(found.iter().any(|index| index.kind == kind), format!("{found:?}"))?;
    }
    full_text_index(store) {
        small_graph(&store).await?;
        store.create_index(index(&["name"], IndexKind::FullText)).await?;
        let found = store.schema(SchemaOptions::default()).await?.indexes;
        ensure(found.iter().any(|index| index.kind == IndexKind::FullText), format!("{found:?}"))?;
    }
    dropped_index_is_gone(store) {
        small_graph(&store).await?;
        store.create_index(index(&["name"], IndexKind::Property)).await?;
        let found = store.schema(SchemaOptions::default()).await?.indexes;
        let name = found.first().map(|index| index.name.clone()).unwrap_or_default();
        store.drop_index(&name).await?;
        equal(store.schema(SchemaOptions::default()).await?.indexes.len(), found.len() - 1)?;
        fails(store.drop_index(&name).await, "not_found")?;
    }
    unknown_index_cannot_be_dropped(store) {
        fails(store.drop_index("no_such_index").await, "not_found")?;
    }
    scan_gives_the_whole_graph_nodes_first(store) {
        small_graph(&store).await?;
        let batches = collect(store.scan(ScanOptions::default()).await?).await?;
        let mut relationships_begun = false;
        for batch in &batches {
            ensure(!relationships_begun || batch.nodes.is_empty(), "a node came after a relationship")?;
            relationships_begun |= !batch.relationships.is_empty();
        }
        let nodes: Vec<_> = batches.iter().flat_map(|batch| &batch.nodes).collect();
        let relationships: Vec<_> = batches.iter().flat_map(|batch| &batch.relationships).collect();
        equal((nodes.len(), relationships.len()), (3, 3))?;
        let known = |id| nodes.iter().any(|node| node.element_id == id);
        ensure(relationships.iter().all(|one| known(one.start.clone()) && known(one.end.clone())), "an end is missing")?;
        let ada = nodes.iter().find(|node| node.id() == "ada").map(|node| (node.kind(), node.properties.get("born").cloned()));
        equal(ada, Some(("Person", Some(Value::from(1815)))))?;
    }
    scan_reads_what_is_selected(store) {
        small_graph(&store).await?;
        let options = ScanOptions {
            labels: Selection::only(["Person"]),
            relationship_types: Selection::only(["KNOWS"]),
            node_properties: Selection::only(["name"]),
            relationship_properties: Selection::None,
        };
        let batches = collect(store.scan(options).await?).await?;
        let nodes: Vec<_> = batches.iter().flat_map(|batch| &batch.nodes).collect();
        let relationships: Vec<_> = batches.iter().flat_map(|batch| &batch.relationships).collect();
        equal((nodes.len(), relationships.len()), (2, 1))?;
        ensure(nodes.iter().all(|node| node.properties.keys().eq(["name"])), format!("{nodes:?}"))?;
        ensure(relationships.iter().all(|one| one.properties.is_empty()), format!("{relationships:?}"))?;
    }
    scan_reads_nodes_without_labels(store) {
        write(&store, "CREATE ({x: 1})-[:R]->(:A)").await?;
        let batches = collect(store.scan(ScanOptions::default()).await?).await?;
        let bare: Vec<_> = batches.iter().flat_map(|batch| &batch.nodes).filter(|node| node.labels.is_empty()).collect();
        equal(bare.first().and_then(|node| node.properties.get("x")), Some(&Value::from(1)))?;
    }
}
