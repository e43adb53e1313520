//! The tool `lookup_entity`.

use graphwright_answer::AnswerPath;
use graphwright_core::text::brief_name;
use graphwright_retrieve::{Agreement, Candidate, Context, ContextFormat, Follow, NodeIndex, Step, one_item};
use serde_json::json;

use super::{
    GraphSnapshot,
    evidence::{sources, sources_line},
    lines::counted,
    naming::{Meaning, describe, entity, known, list, resolve},
};
use crate::{ToolError, ToolOutput};

/// The largest number of connections in the structured result.
const MOST_CONNECTIONS: usize = 100;

/// Looks a thing up by its name or identifier, and lists candidates if it is not certain which is
/// meant.
pub(super) fn lookup(
    graph: &GraphSnapshot,
    name: &str,
    kind: Option<&str>,
    budget: u64,
) -> Result<ToolOutput, ToolError> {
    let topology = graph.topology();
    let kind = kind.map(|kind| known("type", kind, topology.labels().map(|(label, _)| label))).transpose()?;
    match resolve(graph, name, kind) {
        Meaning::One(node, candidate) => Ok(one(graph, node, &candidate, budget)),
        Meaning::Several(nodes) => {
            let text = format!(
                "{} things are called {name:?}: {}. Look up the id of the one you mean, or give its type.",
                nodes.len(),
                list(topology, &nodes)
            );
            let candidates: Vec<_> = nodes.iter().map(|node| entity(topology, *node, 0.5)).collect();
            Ok(ToolOutput {
                text,
                structured: Some(json!({"status": "ambiguous", "candidates": candidates})),
            })
        }
        Meaning::Near(nodes) => {
            let of_kind = kind.map_or_else(String::new, |kind| format!(" of type {kind}"));
            let near = if nodes.is_empty() {
                " Use search for words that are no names.".to_owned()
            } else {
                format!(" Near are: {}.", list(topology, &nodes))
            };
            let text = format!("Nothing{of_kind} in the graph is called {:?}.{near}", brief_name(name));
            let candidates: Vec<_> = nodes.iter().map(|node| entity(topology, *node, 0.5)).collect();
            Ok(ToolOutput { text, structured: Some(json!({"status": "unknown", "candidates": candidates})) })
        }
    }
}

/// Describes one thing: its properties, its connections and the passages that state them.
fn one(graph: &GraphSnapshot, node: NodeIndex, candidate: &Candidate<NodeIndex>, budget: u64) -> ToolOutput {
    let topology = graph.topology();
    let following = topology.following(&Follow::default());
    let mut steps: Vec<Step> = following.steps(node).collect();
    let weight = |step: &Step| topology.edge(step.relationship).weight;
    steps.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    let mut context = Context::default();
    context.add_node(node, 1.0, 0);
    for step in &steps {
        context.add_relationship(step.relationship, weight(step));
    }
    let matched = match candidate.agreement {
        Agreement::Name => String::new(),
        agreement => format!(" Found by {}: {:?}.", agreement.as_str(), candidate.name),
    };
    let count = steps.len();
    let connections = counted(count, "connection");
    let told = topology.node(node).may_be_two();
    let doubt = match told.as_slice() {
        [] => String::new(),
        told => format!(" It may be two of this name: {}.", one_item(&told.join(", "))),
    };
    let mut text = format!("{}, {connections}.{matched}{doubt}\n\n", describe(topology, node));
    let rendered = context.render(topology, ContextFormat::Markdown, budget);
    text.push_str(&rendered.text);
    let mut stated = sources(topology, steps.iter().map(|step| step.relationship));
    for support in topology.mentions(node) {
        let id = topology.node(support.chunk).id();
        if !stated.iter().any(|known| known == id) {
            stated.push(id.to_owned());
        }
    }
    text.push_str(&sources_line(&stated));
    let shown = steps.iter().take(MOST_CONNECTIONS);
    let paths: Vec<AnswerPath> = shown.map(|step| AnswerPath::from_walk(topology, node, &[*step])).collect();
    let mut found = entity(topology, node, candidate.score);
    found["properties"] = json!(graphwright_retrieve::properties_json(&topology.node(node).properties));
    if !told.is_empty() {
        found["may_be_two"] = json!(told);
    }
    let structured = json!({
        "status": "found",
        "matched": {"name": candidate.name, "how": candidate.agreement.as_str()},
        "entities": [found],
        "connections": count,
        "paths": paths,
        "sources": stated,
    });
    ToolOutput { text, structured: Some(structured) }
}
