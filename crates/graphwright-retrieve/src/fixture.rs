//! Small graphs for tests.

use graphwright_core::{ElementId, Node, Properties, Relationship, Value, names};

use crate::{NodeIndex, Topology};

/// Creates a node from `Label:name` or `Label|Label:name`. Its name is also its identifier.
pub(crate) fn node(text: &str) -> Node {
    let (labels, name) = text.rsplit_once(':').unwrap();
    Node {
        element_id: ElementId::new(format!("element {name}")),
        labels: labels.split('|').map(str::to_owned).collect(),
        properties: properties(&[(names::ID, name.into()), (names::NAME, name.into())]),
    }
}

/// Creates a relationship from `a -TYPE-> b` or, with a weight, `a -TYPE 0.9-> b`.
pub(crate) fn relationship(text: &str) -> Relationship {
    let (start, rest) = text.split_once(" -").unwrap();
    let (kind, end) = rest.split_once("-> ").unwrap();
    let (kind, weight) = kind.split_once(' ').map_or((kind, None), |(kind, weight)| (kind, Some(weight)));
    let weight = weight.map(|weight| (names::WEIGHT, Value::Float(weight.parse().unwrap())));
    Relationship {
        element_id: ElementId::new(text),
        kind: kind.into(),
        start: ElementId::new(format!("element {start}")),
        end: ElementId::new(format!("element {end}")),
        properties: properties(weight.as_slice()),
    }
}

pub(crate) fn properties(pairs: &[(&str, Value)]) -> Properties {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

pub(crate) fn topology(nodes: &[&str], relationships: &[&str]) -> Topology {
    let nodes = nodes.iter().map(|text| node(text)).collect();
    let relationships = relationships.iter().map(|text| relationship(text)).collect();
    Topology::from_parts("test", nodes, relationships)
}

pub(crate) fn at(topology: &Topology, id: &str) -> NodeIndex {
    topology.node_by_id(id).unwrap()
}

pub(crate) fn name(topology: &Topology, node: NodeIndex) -> String {
    topology.node(node).display_name().to_owned()
}
