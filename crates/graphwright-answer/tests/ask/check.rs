//! What a model may say of a graph: relation, direction and polarity are compared with the facts that it cites.

use std::{collections::HashMap, sync::Arc};

use graphwright_answer::{AnswerPath, Answerer, Citable, Fault, PathNode, PathRelationship};
use graphwright_ontology::Ontology;

use crate::support;

const GRAPH: &str = "
    Team Payments
    Team Insights
    Service ledger | tier = 1
    Service reports | tier = 3
    Person Ada Lovelace
    Film Speed
    Genre Comedy
    Supplier Mayumi's
    Product Konbu
    Team Payments -OWNS-> Service ledger
    Team Insights -OWNS-> Service reports
    Service reports -DEPENDS_ON-> Service ledger
    Person Ada Lovelace -MANAGES-> Team Payments
    Film Speed -has_genre-> Genre Comedy
    Supplier Mayumi's -SUPPLIES-> Product Konbu
    Supplier Fortini s.r.l. -SUPPLIES-> Product Gorgonzola
";

fn answerer() -> Answerer {
    Answerer::new(Arc::new(support::Texts(HashMap::new())), support::drawn_graph(GRAPH), &Ontology::default())
}

/// A fact of the graph as evidence: `Team/Payments OWNS Service/ledger`.
fn fact(from: &str, kind: &str, to: &str) -> Citable {
    let name = |id: &str| id.split_once('/').unwrap().1.to_owned();
    let node =
        |id: &str| PathNode { id: id.into(), name: name(id), kind: id.split_once('/').unwrap().0.into() };
    let relationship =
        PathRelationship { kind: kind.into(), from: from.into(), to: to.into(), confidence: 1.0 };
    let path = AnswerPath { nodes: vec![node(from), node(to)], relationships: vec![relationship] };
    Citable {
        text: format!("{} -{kind}-> {}", name(from), name(to)),
        paths: vec![path],
        ..Citable::default()
    }
}

fn evidence() -> Vec<Citable> {
    vec![
        fact("Team/Payments", "OWNS", "Service/ledger"),
        fact("Service/reports", "DEPENDS_ON", "Service/ledger"),
        fact("Supplier/Mayumi's", "SUPPLIES", "Product/Konbu"),
        fact("Film/Speed", "has_genre", "Genre/Comedy"),
        Citable::from("Payments owns the ledger. The ledger does not depend on reports."),
        Citable { text: "ledger is a service with tier 1.".into(), ..Citable::default() },
        fact("Supplier/Fortini s.r.l.", "SUPPLIES", "Product/Gorgonzola"),
    ]
}

fn faults(text: &str) -> Vec<Fault> {
    let answerer = answerer();
    answerer
        .check("Who owns ledger?", evidence())
        .check(text)
        .faults()
        .map(|(_, fault)| fault.clone())
        .collect()
}

#[test]
fn what_the_facts_say_is_kept_in_any_words() {
    for text in [
        "Payments owns ledger [1].",
        "The Payments team owns the ledger service [1].",
        "ledger is owned by Payments [1].",
        "LEDGER belongs to payments [1].",
        "Payments is the owner of ledger [1].",
        "The owner of ledger is the Payments team [1].",
        "Payments is responsible for ledger [1].",
        "Yes: Payments, not Insights, owns ledger [1].",
        "reports depends on ledger [2], which Payments owns [1].",
        "reports depends on ledger, and ledger has tier 1 [2][6].",
        "ledger does not depend on reports [5].",
        "There is one owner: Payments [1].",
        "Payments besitzt ledger [1].",
        "Gorgonzola is supplied by Fortini s.r.l. [7]",
        "According to the graph, Fortini s.r.l. supplies Gorgonzola [7]. Payments owns ledger [1].",
    ] {
        assert_eq!(faults(text), [], "{text}");
    }
}

#[test]
fn denied_facts_are_found() {
    for text in [
        "Payments does not own ledger [1].",
        "Payments doesn't own the ledger service [1].",
        "ledger isn't owned by Payments [1].",
        "Payments no longer owns ledger [1].",
        "Mayumi's no longer supplies Konbu [3].",
        "Fortini s.r.l. no longer supplies Gorgonzola [7].",
        "Payments never owned ledger [1].",
        "Payments is not the owner of ledger [1].",
        "It is not true that Payments owns ledger [1].",
        "Payments does not own ledger [5].",
    ] {
        assert!(matches!(faults(text).as_slice(), [Fault::Denied { .. }]), "{text}: {:?}", faults(text));
    }
}

#[test]
fn reversed_facts_are_found() {
    for text in [
        "ledger depends on reports [2].",
        "ledger owns Payments [1].",
        "Payments is owned by ledger [1].",
        "Konbu supplies Mayumi's [3].",
        "Notably, Konbu supplies Mayumi's [3].",
        "The genre of Comedy is Speed [4].",
    ] {
        assert!(matches!(faults(text).as_slice(), [Fault::Reversed { .. }]), "{text}: {:?}", faults(text));
    }
}

#[test]
fn other_relations_are_found() {
    for text in [
        "Payments depends on ledger [1].",
        "reports owns ledger [2].",
        "reports caused ledger [2].",
        "reports destroyed ledger [2].",
        "Payments destroyed ledger [1].",
        "Payments manages ledger [1].",
        "Payments was sued by ledger [1].",
    ] {
        assert!(
            matches!(faults(text).as_slice(), [Fault::OtherRelation { .. }]),
            "{text}: {:?}",
            faults(text)
        );
    }
    assert_eq!(faults("Payments owns reports [1][2]."), [Fault::NotConnected]);
    assert_eq!(faults("Payments indirectly depends on reports [1][2]."), []);
}

#[test]
fn names_that_the_graph_knows_must_be_in_what_is_cited() {
    for text in [
        "Insights owns ledger [1].",
        "ada lovelace owns ledger [1].",
        "Zoe Quandt owns ledger [1].",
        "The owner is Thaddeus Okonjo [1].",
    ] {
        assert!(matches!(faults(text).as_slice(), [Fault::Missing { .. }]), "{text}: {:?}", faults(text));
    }
}
