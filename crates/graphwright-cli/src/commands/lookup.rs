//! Runs `graphwright lookup`.

mod contents;
mod unknown;

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{
    Access, AnswerPath, Graph, Node, names,
    search::{Agreement, Candidate, NeighbourhoodOptions, NodeIndex, Role, Topology},
};
use serde_json::{Value as Json, json};

use super::open;
use crate::{
    arguments::{Global, LookupArguments},
    output::Output,
    render,
};

pub(crate) use unknown::unknown_name;

/// Number of candidates shown if a name is not exact.
const CANDIDATES: usize = 5;
/// Properties that say where a node comes from rather than what it is.
const HIDDEN: &[&str] = &[
    "name",
    "chunks",
    "starts",
    "ends",
    "embedding",
    "text",
    "hash",
    "extractor",
    "link_targets",
    "link_texts",
];

pub(crate) async fn run(global: &Global, arguments: &LookupArguments, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    let name = arguments.name.join(" ");
    let found = graph.find(&name, arguments.entity_type.as_deref(), CANDIDATES).await?;
    let topology = graph.topology().await?;
    let Some((node, _)) = found.first() else {
        return Err(unknown_name(&topology, &name, arguments.entity_type.as_deref()));
    };
    let paths = connections(&graph, *node, arguments).await?;
    let contents = contents::of_document(&topology, *node);
    let hits: Vec<Json> = found
        .iter()
        .map(|(node, candidate)| hit(topology.node(*node), candidate.score, candidate.agreement.as_str()))
        .collect();
    topology.require_whole().map_err(graphwright::Error::from)?;
    let may_be_two = topology.node(*node).may_be_two();
    let object = json!({"hits": hits, "paths": paths, "contents": contents, "may_be_two": may_be_two});
    output.print(&object, |_| {
        let mut text = candidates_text(&topology, &name, &found);
        text.push_str(&node_text(topology.node(*node)));
        text.push_str(&contents::text(contents.as_ref()));
        if !paths.is_empty() {
            text.push_str("\nConnections\n");
        }
        for path in &paths {
            text.push_str(&render::line(&format!("  {}", render::path_text(path))));
        }
        text
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Says what else the name may mean: what is nearly so called if nothing is so called, else the
/// others that are.
fn candidates_text(topology: &Topology, name: &str, found: &[(NodeIndex, Candidate<NodeIndex>)]) -> String {
    let is_near = |(_, candidate): &(_, Candidate<_>)| {
        matches!(candidate.agreement, Agreement::Part | Agreement::Spelling)
    };
    let listed = |found: &[(NodeIndex, _)]| {
        let described: Vec<_> = found.iter().map(|(node, _)| described(topology, *node)).collect();
        described.join(", ")
    };
    match found {
        [first, ..] if is_near(first) => {
            let name = graphwright::text::brief_name(name);
            render::line(&format!("Nothing is called {name:?}. Did you mean {}?", listed(found))) + "\n"
        }
        [_, others @ ..] if !others.is_empty() => {
            render::line(&format!("Also called so: {}", listed(others))) + "\n"
        }
        _ => String::new(),
    }
}

/// Formats a node as `ledger (Service)`. Documents of one title differ in their source.
fn described(topology: &Topology, node: NodeIndex) -> String {
    let content = topology.node(node);
    match topology.role(node) {
        Role::Document => format!("{} ({} {})", content.display_name(), content.kind(), content.id()),
        _ => format!("{} ({})", content.display_name(), content.kind()),
    }
}

async fn connections(graph: &Graph, node: NodeIndex, arguments: &LookupArguments) -> Result<Vec<AnswerPath>> {
    let topology = graph.topology().await?;
    let options = NeighbourhoodOptions {
        depth: arguments.depth,
        limit: arguments.limit,
        minimum: 0.0,
        ..NeighbourhoodOptions::default()
    };
    let neighbourhood = topology.neighbourhood(&[node], &options);
    let reached = neighbourhood.nodes.iter().filter(|reached| reached.depth > 0);
    Ok(reached
        .map(|reached| {
            let path = neighbourhood.path(reached);
            AnswerPath::from_walk(&topology, path.start, &path.steps)
        })
        .collect())
}

fn hit(node: &Node, score: f64, why: &str) -> Json {
    let properties: serde_json::Map<String, Json> = shown(node)
        .map(|(name, value)| (name.clone(), serde_json::to_value(value).unwrap_or_default()))
        .collect();
    json!({
        "kind": "node", "id": node.id(), "name": node.display_name(), "type": node.kind(),
        "document": null, "text": node_text(node), "score": score, "why": why, "properties": properties,
    })
}

fn shown(node: &Node) -> impl Iterator<Item = (&String, &graphwright::Value)> {
    let is_shown = |name: &str| !HIDDEN.contains(&name) && !names::is_reserved(name);
    node.properties.iter().filter(move |(name, _)| is_shown(name))
}

fn node_text(node: &Node) -> String {
    let mut text = render::line(&format!("{} {}", node.kind(), node.display_name()));
    let told = node.may_be_two();
    if !told.is_empty() {
        text.push_str(&render::line(&format!("  may be two: {}", told.join(", "))));
    }
    for (name, value) in shown(node) {
        let value = render::shorten(&render::value_text(value), 120);
        text.push_str(&render::line(&format!("  {name}: {value}")));
    }
    text
}
