//! The error for a name that nothing has, and what to do then.

use graphwright::{
    Node,
    search::{NodeIndex, Role, Topology},
    text::{brief_name, like, shorten},
};

/// How alike a name must be to be suggested, from 0 to 1.
const LEAST_LIKENESS: f64 = 0.7;
/// Number of names suggested.
const SUGGESTIONS: usize = 3;

/// Creates the error for a name that resembles nothing in the graph enough to be taken for it.
pub(crate) fn unknown_name(topology: &Topology, name: &str, kind: Option<&str>) -> anyhow::Error {
    let of_kind = kind.map_or_else(String::new, |kind| format!(" of type {kind}"));
    graphwright::Error::Settings {
        message: format!("nothing{of_kind} in the graph is called {:?}, or nearly so", brief_name(name)),
        hint: hint(topology, name, kind),
    }
    .into()
}

fn hint(topology: &Topology, name: &str, kind: Option<&str>) -> String {
    let has_name = |node: &NodeIndex| matches!(topology.role(*node), Role::Entity | Role::Document);
    let named = topology.nodes().filter(has_name).map(|node| topology.read_node(node));
    let of_kind = |node: &Node| {
        kind.is_none_or(|kind| node.labels.iter().any(|label| label.eq_ignore_ascii_case(kind)))
    };
    let nodes: Vec<Node> = named.filter(of_kind).collect();
    let names: Vec<&str> = nodes.iter().map(Node::display_name).collect();
    if names.is_empty() && kind.is_none() {
        return "the graph is empty; `graphwright ingest` reads documents into it".to_owned();
    }
    let search = format!("`graphwright search {:?}` looks in the documents' words", brief_name(name));
    let mut near = like(name, names, LEAST_LIKENESS);
    near.dedup();
    near.truncate(SUGGESTIONS);
    if near.is_empty() {
        return format!("{search}, and `graphwright schema` shows what the graph holds");
    }
    let near: Vec<String> = near.iter().map(|name| format!("{:?}", shorten(name, 80))).collect();
    format!("did you mean {}? {search}", near.join(" or "))
}

#[cfg(test)]
mod tests {
    use graphwright::{ElementId, Properties};

    use super::*;

    fn hint_for(names: &[&str], asked: &str) -> String {
        let node = |name: &&str| Node {
            element_id: ElementId::new(*name),
            labels: vec!["Team".to_owned()],
            properties: Properties::from([("name".to_owned(), (*name).into())]),
        };
        hint(&Topology::from_parts("1", names.iter().map(node).collect(), vec![]), asked, None)
    }

    #[test]
    fn near_names_are_suggested_and_else_what_can_be_done() {
        let names = ["Payments", "Platform", "Paintings"];
        assert_eq!(
            hint_for(&names, "Paymnts dpt"),
            "did you mean \"Payments\"? \
             `graphwright search \"Paymnts dpt\"` looks in the documents' words"
        );
        assert_eq!(
            hint_for(&names, "zzyzx"),
            "`graphwright search \"zzyzx\"` looks in the documents' words, and `graphwright schema` shows what the graph holds"
        );
        assert_eq!(hint_for(&[], "x"), "the graph is empty; `graphwright ingest` reads documents into it");
    }
}
