//! Resolving the names that a model uses.

use graphwright_answer::AnswerEntity;
use graphwright_core::text::{brief_name, like};
use graphwright_retrieve::{Agreement, Candidate, NodeIndex, Role, Topology, one_item};
use serde_json::{Value, json};

use super::GraphSnapshot;
use crate::ToolError;

/// The largest number of candidates for an ambiguous name.
const MOST_CANDIDATES: usize = 8;
/// The largest number of labels, types or properties listed in a hint.
const MOST_NAMES: usize = 20;
/// How alike an unknown label or type must be to an existing one to be suggested, from 0 to 1.
const LEAST_LIKENESS: f64 = 0.75;

/// The possible meanings of a name.
pub(super) enum Meaning {
    /// Exactly one thing has the name.
    One(NodeIndex, Candidate<NodeIndex>),
    /// Several things have the name.
    Several(Vec<NodeIndex>),
    /// Nothing has the name; these things have a similar one.
    Near(Vec<NodeIndex>),
}

/// Finds the things with a name. It may be an alternative name, a near spelling or an identifier.
pub(super) fn resolve(graph: &GraphSnapshot, name: &str, kind: Option<&str>) -> Meaning {
    let topology = graph.topology();
    let found = graph.find(name, kind, MOST_CANDIDATES);
    let Some((first, best)) = found.first() else { return Meaning::Near(Vec::new()) };
    if matches!(best.agreement, Agreement::Part | Agreement::Spelling) {
        return Meaning::Near(found.iter().map(|(node, _)| *node).collect());
    }
    let role = topology.role(*first);
    let best_score = found.iter().map(|(_, candidate)| candidate.score).fold(0.0, f64::max);
    // Only things of the same role compete: an entity is preferred to a page of that name.
    let equal: Vec<NodeIndex> = found
        .iter()
        .filter(|(node, candidate)| topology.role(*node) == role && candidate.score >= best_score)
        .map(|(node, _)| *node)
        .collect();
    match equal.as_slice() {
        // Only a page agrees better, and the thing is preferred all the same.
        [] => Meaning::One(*first, best.clone()),
        [node] => {
            let candidate = found.iter().find(|(candidate, _)| candidate == node);
            Meaning::One(*node, candidate.map_or_else(|| best.clone(), |(_, candidate)| candidate.clone()))
        }
        _ => Meaning::Several(equal),
    }
}

/// Finds the one thing with a name. Fails if there is none or more than one.
pub(super) fn resolve_one(graph: &GraphSnapshot, name: &str) -> Result<NodeIndex, ToolError> {
    let topology = graph.topology();
    match resolve(graph, name, None) {
        Meaning::One(node, _) => Ok(node),
        Meaning::Several(nodes) => Err(ToolError::bad_arguments(format!(
            "{} things are called {name:?}: {}",
            nodes.len(),
            list(topology, &nodes)
        ))
        .with_hint("give the id of the one you mean in place of the name")),
        Meaning::Near(nodes) => Err(unknown(topology, name, &nodes)),
    }
}

/// Creates the error for a name that nothing has.
pub(super) fn unknown(topology: &Topology, name: &str, near: &[NodeIndex]) -> ToolError {
    let error = ToolError::bad_arguments(format!("nothing in the graph is called {:?}", brief_name(name)));
    if near.is_empty() {
        return error.with_hint("use search for words that are no names, or another name");
    }
    error.with_hint(format!("near are {}", list(topology, near)))
}

/// Writes several things as a list, such as `ledger (Service, id s1); …`.
pub(super) fn list(topology: &Topology, nodes: &[NodeIndex]) -> String {
    nodes.iter().map(|node| describe(topology, *node)).collect::<Vec<_>>().join("; ")
}

/// Writes a thing with its type and identifier, such as `ledger (Service, id s1)`.
pub(super) fn describe(topology: &Topology, node: NodeIndex) -> String {
    let content = topology.node(node);
    one_item(&format!("{} ({}, id {})", content.display_name(), content.kind(), content.id()))
}

/// Converts a thing into JSON for programs.
pub(super) fn entity(topology: &Topology, node: NodeIndex, score: f64) -> Value {
    json!(AnswerEntity::from_node(topology, node, score))
}

/// Tells whether a node is an entity.
pub(super) fn is_entity(topology: &Topology, node: NodeIndex) -> bool {
    topology.role(node) == Role::Entity
}

/// Finds a name among the existing ones, ignoring case. The error suggests names that are alike.
pub(super) fn known<'a>(
    what: &str,
    asked: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<&'a str, ToolError> {
    let names: Vec<&str> = names.collect();
    let same = names.iter().find(|name| **name == asked);
    if let Some(name) = same.or_else(|| names.iter().find(|name| name.eq_ignore_ascii_case(asked))) {
        return Ok(name);
    }
    let mut near = like(asked, names.iter().copied(), LEAST_LIKENESS);
    near.truncate(3);
    let error = ToolError::bad_arguments(format!("there is no {what} {asked:?} in the graph"));
    let hint = match near.as_slice() {
        [] => {
            let some: Vec<&str> = names.into_iter().take(MOST_NAMES).collect();
            format!(
                "there are {}",
                if some.is_empty() { "none".to_owned() } else { one_item(&some.join(", ")) }
            )
        }
        near => format!("did you mean {}?", one_item(&near.join(" or "))),
    };
    Err(error.with_hint(hint))
}
