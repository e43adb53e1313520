use graphwright_core::{
    NodeKey, Properties, RelationshipKey,
    schema::{Constraint, Index, IndexKind, Target},
    store::{Change, ChangeSet},
};
use proptest::prelude::*;

use super::*;

async fn exported(store: &EmbeddedStore) -> String {
    let mut text = Vec::new();
    export_json_lines(store, &mut text, &ExportOptions::default(), &mut |_| {}).await.unwrap();
    String::from_utf8(text).unwrap()
}

async fn copy_of(store: &EmbeddedStore) -> EmbeddedStore {
    let copy = EmbeddedStore::in_memory();
    import_texts(&copy, &[("g.jsonl", &exported(store).await)]).await.unwrap();
    copy
}

/// One value of each type that a property can have, in the form of the format.
const EVERY_TYPE: &str = r#"{"boolean":true,"integer":-9223372036854775808,"float":1.0,"string":"é\n\"","list":[1,2],"date":{"$type":"date","value":"2024-03-01"},"time":{"$type":"time","value":"10:00:00+02:00"},"local_time":{"$type":"local_time","value":"10:00:00.5"},"datetime":{"$type":"datetime","value":"2024-03-01T10:00:00+01:00[Europe/Paris]"},"local_datetime":{"$type":"local_datetime","value":"2024-03-01T10:00:00"},"duration":{"$type":"duration","value":"P1Y2M3DT4H5M6.5S"},"point":{"$type":"point","srid":7203,"x":1.5,"y":-2.0}}"#;

#[tokio::test]
async fn nothing_is_lost() {
    let store = EmbeddedStore::in_memory();
    let properties: Properties = serde_json::from_str(EVERY_TYPE).unwrap();
    let awkward = ["id", "title", "name", "type", "label", "a b`c"];
    let named: Properties = awkward.iter().map(|name| ((*name).to_owned(), Value::from(*name))).collect();
    let (a, b, bare) = (NodeKey::new("A", "1"), NodeKey::new("B", "1"), NodeKey::new("", "2"));
    let mut changes = ChangeSet::new();
    changes.upsert_node(a.clone(), &["Second", "Third label"], properties.clone());
    changes.upsert_node(b.clone(), &[], named.clone());
    changes.upsert_node(bare.clone(), &[], Properties::new());
    let key = |id: &str, from: &NodeKey, to: &NodeKey| RelationshipKey {
        kind: "KNOWS".to_owned(),
        from: from.clone(),
        to: to.clone(),
        id: id.to_owned(),
    };
    changes.upsert_relationship(key("1", &a, &b), properties);
    changes.upsert_relationship(key("2", &a, &b), named);
    changes.upsert_relationship(key("1", &bare, &bare), Properties::new());
    let property = names::EMBEDDING.to_owned();
    changes.push(Change::SetVector { key: a, property: property.clone(), vector: vec![0.5, -1.25] });
    changes.push(Change::SetVector { key: bare.clone(), property, vector: vec![1.0, 0.1] });
    changes.push(Change::SetVector { key: bare, property: "shape".to_owned(), vector: vec![3.0] });
    store.apply(changes).await.unwrap();
    let constraint = Constraint { name: "b_id".into(), label: "B".into(), properties: vec!["id".into()] };
    store.create_constraint(constraint).await.unwrap();
    let target = Target::Label("B".into());
    let index =
        Index { name: "b_name".into(), target, properties: vec!["name".into()], kind: IndexKind::Property };
    store.create_index(index).await.unwrap();

    let copy = copy_of(&store).await;
    assert_eq!(contents(&copy).await, contents(&store).await);
    assert_eq!(vectors(&copy).await, vectors(&store).await);
    assert_eq!(vectors(&copy).await.len(), 3);
    let schema = |store: EmbeddedStore| async move {
        let schema = store.schema(SchemaOptions::default()).await.unwrap();
        (schema.constraints, schema.indexes)
    };
    assert_eq!(schema(copy).await, schema(store).await);
}

async fn vectors(store: &EmbeddedStore) -> Vec<(String, Vec<f32>)> {
    let (nodes, _) = elements(store).await;
    let mut found = Vec::new();
    for (label, property) in [("A", names::EMBEDDING), ("", names::EMBEDDING), ("", "shape")] {
        let mut stream = store.vectors(label, property).await.unwrap();
        while let Some(vector) = stream.next().await {
            let (id, values) = vector.unwrap();
            let node = nodes.iter().find(|node| node.element_id == id).unwrap();
            found.push((node.id().to_owned(), values));
        }
    }
    found
}

#[tokio::test]
async fn elements_without_our_identifier_get_one_that_stays() {
    let store = EmbeddedStore::in_memory();
    let create = Statement::fixed("CREATE (a:A {x: 1})-[:R {y: 2}]->(:B), (a)-[:R]->()");
    store.write(create, QueryOptions::default()).await.unwrap();
    let copy = copy_of(&store).await;
    assert_eq!(single(&copy, "MATCH (:A {x: 1})-[:R {y: 2}]->(:B) RETURN count(*)").await, Value::from(1));
    let second = copy_of(&copy).await;
    assert_eq!(contents(&second).await, contents(&copy).await);
    let both = import_texts(&second, &[("g.jsonl", &exported(&copy).await)]).await.unwrap();
    assert_eq!((both.changed.nodes_created, both.changed.relationships_created), (0, 0));
}

#[tokio::test]
async fn a_part_of_a_graph() {
    let store = EmbeddedStore::in_memory();
    let create = Statement::fixed("CREATE (:A)-[:R]->(b:B)-[:R]->(:C), (b)-[:S]->(:B)");
    store.write(create, QueryOptions::default()).await.unwrap();
    let options = ExportOptions {
        labels: graphwright_core::store::Selection::only(["A", "B"]),
        relationship_types: graphwright_core::store::Selection::only(["R"]),
        ..ExportOptions::default()
    };
    let mut text = Vec::new();
    let report = export_json_lines(&store, &mut text, &options, &mut |_| {}).await.unwrap();
    assert_eq!((report.nodes, report.relationships), (3, 1));
}

#[tokio::test]
async fn broken_files_change_nothing() {
    let header = "{\"graphwright\":1,\"graph\":\"g\"}\n";
    let node = "{\"node\":\"1\",\"labels\":[\"A\"]}\n";
    let end = "{\"end\":{\"nodes\":1,\"relationships\":0,\"vectors\":0}}\n";
    let mut shown = Vec::new();
    for lines in [
        "",
        node,
        "{\"graphwright\":7,\"graph\":\"g\"}\n",
        &format!("{header}{node}"),
        &format!("{header}{node}{{\"node\": 1"),
        &format!("{header}{{\"node\": \"1\"\n{end}"),
        &format!("{header}[1]\n"),
        &format!("{header}{{\"name\":\"1\"}}\n"),
        &format!("{header}{{\"node\":\"1\",\"lables\":[]}}\n"),
        &format!("{header}{{\"node\":\"1\",\"labels\":\"A\"}}\n"),
        &format!(
            "{header}{{\"node\":\"1\",\"properties\":{{\"a\":{{\"$type\":\"date\",\"value\":\"x\"}}}}}}\n"
        ),
        &format!("{header}{{\"relationship\":\"1\",\"type\":\"R\",\"from\":\"1\"}}\n"),
        &format!("{header}{node}{node}{end}"),
        &format!(
            "{header}{node}{{\"relationship\":\"1\",\"type\":\"R\",\"from\":\"1\",\"to\":\"2\"}}\n{end}"
        ),
        &format!("{header}{end}"),
    ] {
        shown.push(problem(&[("g.jsonl", lines)]).await);
    }
    insta::assert_snapshot!(shown.join("\n\n"));
}

fn value() -> impl Strategy<Value = Value> {
    let text = "[a-zé;,\"' ]{0,6}";
    prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(|number: f64| Value::from(number)),
        text.prop_map(Value::from),
        proptest::collection::vec(text, 1..3).prop_map(Value::from),
    ]
}

fn properties() -> impl Strategy<Value = Properties> {
    proptest::collection::btree_map("[a-c]|id|name|title|type", value(), 0..3)
}

/// A graph: label and properties of each node, ends and properties of each relationship.
type Graph = (Vec<(String, Properties)>, Vec<(usize, usize, Properties)>);

fn graph() -> impl Strategy<Value = Graph> {
    let nodes = proptest::collection::vec(("[AB]|", properties()), 1..5);
    let relationships = proptest::collection::vec((0..5_usize, 0..5_usize, properties()), 0..5);
    (nodes, relationships)
}

async fn store_of((nodes, relationships): Graph) -> EmbeddedStore {
    let key =
        |index: usize| NodeKey::new(nodes[index % nodes.len()].0.clone(), (index % nodes.len()).to_string());
    let mut changes = ChangeSet::new();
    for (index, (_, properties)) in nodes.iter().enumerate() {
        changes.upsert_node(key(index), &[], properties.clone());
    }
    for (index, (from, to, properties)) in relationships.into_iter().enumerate() {
        let (from, to) = (key(from), key(to));
        let key = RelationshipKey { kind: "R".to_owned(), from, to, id: index.to_string() };
        changes.upsert_relationship(key, properties);
    }
    let store = EmbeddedStore::in_memory();
    store.apply(changes).await.unwrap();
    store
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_graph_comes_back_as_it_was(graph in graph()) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(async {
            let store = store_of(graph).await;
            let copy = copy_of(&store).await;
            assert_eq!(contents(&copy).await, contents(&store).await);
        });
    }
}

#[tokio::test]
async fn a_node_of_too_many_properties_is_told_and_may_be_left_out() {
    let properties: Vec<String> = (0..10_001).map(|number| format!("\"p{number}\":{number}")).collect();
    let wide =
        format!("{{\"node\":\"1\",\"labels\":[\"Wide\"],\"properties\":{{{}}}}}", properties.join(","));
    let narrow = r#"{"node":"2","labels":["Narrow"],"properties":{"name":"a"}}"#;
    let text = format!(
        "{{\"graphwright\":1,\"graph\":\"g\"}}\n{wide}\n{narrow}\n{{\"end\":{{\"nodes\":2,\"relationships\":0,\"vectors\":0}}}}\n"
    );
    let store = EmbeddedStore::in_memory();
    let error = import_texts(&store, &[("g.jsonl", &text)]).await.unwrap_err();
    assert!(error.to_string().contains("g.jsonl, line 2: it has 10001 properties"), "{error}");
    assert!(contents(&store).await.0.is_empty());
}
