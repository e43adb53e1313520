mod damage;

use graphwright_core::{Span, Value, store::Selection};

use super::*;
use crate::fixture::{at, name, node, properties, relationship, topology};

fn small() -> Topology {
    topology(
        &["Service:auth", "Service|__Entity__:pay", "Library:lib"],
        &["auth -USES 0.9-> lib", "pay -USES-> lib", "pay -CALLS 0.8-> auth", "auth -CALLS-> auth"],
    )
}

fn arrivals(topology: &Topology, steps: impl Iterator<Item = Step>) -> Vec<String> {
    let arrow = |step: &Step| if step.forward { "->" } else { "<-" };
    steps.map(|step| format!("{}{}", arrow(&step), name(topology, step.node))).collect()
}

#[test]
fn steps_follow_direction_and_type() {
    let topology = small();
    let auth = at(&topology, "auth");
    assert_eq!(arrivals(&topology, topology.steps(auth, Direction::Outgoing)), ["->auth", "->lib"]);
    assert_eq!(arrivals(&topology, topology.steps(auth, Direction::Incoming)), ["<-auth", "<-pay"]);
    assert_eq!(arrivals(&topology, topology.steps(auth, Direction::Both)), ["->auth", "->lib", "<-pay"]);
    let lib = at(&topology, "lib");
    assert_eq!(arrivals(&topology, topology.steps_along(lib, Direction::Both, "USES")), ["<-auth", "<-pay"]);
    assert_eq!(topology.steps_along(lib, Direction::Both, "NOPE").count(), 0);
    let types = Selection::Except(vec!["CALLS".into()]);
    let following = topology.following(&Follow { types, ..Follow::default() });
    assert_eq!(arrivals(&topology, following.steps(auth)), ["->lib"]);
    assert_eq!(arrivals(&topology, following.steps(lib)), ["<-auth", "<-pay"]);
}

#[test]
fn tables_are_found_by_label_type_and_id() {
    let topology = small();
    assert_eq!(topology.nodes_with_label("Service").len(), 2);
    assert_eq!(topology.nodes_with_label("Nope").len(), 0);
    assert_eq!(topology.relationship_types().collect::<Vec<_>>(), [("CALLS", 2), ("USES", 2)]);
    assert_eq!(topology.relationships_of_type("USES").count(), 2);
    assert_eq!(topology.node_by_id("element lib"), topology.node_by_id("lib"));
    assert_eq!(topology.node_by_id("nobody"), None);
}

#[test]
fn weights_that_cannot_be_used_are_counted() {
    let weights = ["a -W 3-> b", "a -W -1-> b", "a -W 0.25-> b", "a -W-> b"];
    let topology = topology(&["X:a", "X:b"], &weights);
    let read: Vec<f64> = topology.relationships().map(|edge| topology.edge(edge).weight).collect();
    assert_eq!(read, [1.0, 0.5, 0.25, 0.5]);
    assert_eq!(topology.unusable_weights(), 2);
}

#[test]
fn a_relationship_without_its_end_is_left_out_and_counted() {
    let topology = topology(&["X:a"], &["a -R-> gone"]);
    assert_eq!((topology.relationship_count(), topology.loose_relationships()), (0, 1));
}

#[test]
fn roles_follow_labels() {
    let labels = ["Film:1", "Document:2", "Chunk|__Node__:3", "__Meta__:4", "Document|__Entity__:5"];
    let topology = topology(&labels, &[]);
    let roles: Vec<Role> = topology.nodes().map(|node| topology.role(node)).collect();
    assert_eq!(roles, [Role::Entity, Role::Document, Role::Chunk, Role::Record, Role::Entity]);
}

#[test]
fn supports_and_mentions_lead_to_passages() {
    let integers = |items: &[i64]| Value::List(items.iter().map(|&item| Value::Integer(item)).collect());
    let mut fact = relationship("auth -USES-> lib");
    let chunks = Value::from(vec!["c1".to_owned(), "c2".to_owned()]);
    fact.properties =
        properties(&[("chunks", chunks), ("starts", integers(&[5, 90])), ("ends", integers(&[20, 99]))]);
    let mut mention = relationship("auth -FROM_CHUNK-> c1");
    mention.properties = properties(&[("starts", integers(&[5])), ("ends", integers(&[9]))]);
    let mut stated = relationship("auth -FROM_CHUNK-> c2");
    stated.properties = properties(&[
        ("property", "language".into()),
        ("value", "Go".into()),
        ("start", 30_i64.into()),
        ("end", 40_i64.into()),
        ("confidence", 0.9.into()),
    ]);
    let foreign = relationship("c2 -HAS_ENTITY-> lib");
    let part = relationship("c1 -PART_OF-> d");
    let nodes = ["S:auth", "L:lib", "Chunk:c1", "Chunk:c2", "Document:d"].map(node).into();
    let relationships = vec![fact, mention, stated, foreign, part];
    let topology = Topology::from_parts("1", nodes, relationships);
    let [auth, lib, c1, c2, d] = ["auth", "lib", "c1", "c2", "d"].map(|id| at(&topology, id));

    let fact = topology.relationships_of_type("USES").next().unwrap();
    assert!(topology.is_fact(fact));
    assert_eq!(
        topology.supports(fact),
        [
            Support { chunk: c1, span: Some(Span::new(5, 20)) },
            Support { chunk: c2, span: Some(Span::new(90, 99)) }
        ]
    );
    assert_eq!(topology.mentions(auth), [Support { chunk: c1, span: Some(Span::new(5, 9)) }]);
    assert_eq!(topology.mentions(lib), [Support { chunk: c2, span: None }]);
    let stated = topology.property_supports(auth);
    assert_eq!((stated.len(), stated[0].property, stated[0].value), (1, "language", Some(&"Go".into())));
    assert_eq!(stated[0].support, Support { chunk: c2, span: Some(Span::new(30, 40)) });
    assert_eq!(topology.document_of(c1), Some(d));
    assert_eq!(topology.document_of(c2), None);
}

#[test]
fn texts_of_passages_and_vectors_are_not_kept() {
    let mut chunk = node("Chunk:c");
    chunk.properties.insert("text".into(), "long".into());
    let mut entity = node("X:x");
    entity.properties.insert("text".into(), "kept".into());
    entity.properties.insert("embedding".into(), vec![0.5_f64; 4].into());
    entity.properties.insert("picture".into(), vec![0.5_f64; 129].into());
    let topology = Topology::from_parts("1", vec![chunk, entity], vec![]);
    let kept = |id: &str| topology.node(at(&topology, id)).properties.keys().cloned().collect::<Vec<_>>();
    assert_eq!(kept("c"), ["__id__", "name"]);
    assert_eq!(kept("x"), ["__id__", "name", "text"]);
}
