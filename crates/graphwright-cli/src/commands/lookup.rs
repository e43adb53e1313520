//! Runs `graphwright lookup`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{
    Access, AnswerPath, Graph, Node,
    search::{Agreement, NeighbourhoodOptions, NodeIndex},
    text::brief_name,
};
use serde_json::{Value as Json, json};

use super::{ask::path_text, open};
use crate::{
    arguments::{Global, LookupArguments},
    output::Output,
    render,
};

/// Number of candidates shown if a name is not exact.
const CANDIDATES: usize = 5;
/// Properties that say where a node comes from rather than what it is.
const HIDDEN: &[&str] = &["__id__", "name", "chunks", "starts", "ends", "embedding", "text"];

pub(crate) async fn run(global: &Global, arguments: &LookupArguments, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    let name = arguments.name.join(" ");
    let found = graph.find(&name, arguments.entity_type.as_deref(), CANDIDATES).await?;
    let Some((node, best)) = found.first() else { return Err(unknown_name(&name)) };
    let topology = graph.topology().await?;
    let paths = connections(&graph, *node, arguments).await?;
    let hits: Vec<Json> = found
        .iter()
        .map(|(node, candidate)| hit(topology.node(*node), candidate.score, candidate.agreement.as_str()))
        .collect();
    let object = json!({"hits": hits, "paths": paths});
    output.print(&object, |_| {
        let mut text = node_text(topology.node(*node));
        if best.agreement == Agreement::Spelling || found.len() > 1 {
            text.push('\n');
            text.push_str(&render::line(&format!("Near: {}", others(&hits))));
        }
        if !paths.is_empty() {
            text.push_str("\nConnections\n");
        }
        for path in &paths {
            text.push_str(&render::line(&format!("  {}", path_text(path))));
        }
        text
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Creates the error for a name that resembles nothing in the graph.
pub(crate) fn unknown_name(name: &str) -> anyhow::Error {
    graphwright::Error::Settings {
        message: format!("nothing in the graph is called {:?}, or nearly so", brief_name(name)),
        hint: format!("try `graphwright search {name:?}`"),
    }
    .into()
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
    node.properties.iter().filter(|(name, _)| !HIDDEN.contains(&name.as_str()))
}

fn node_text(node: &Node) -> String {
    let mut text = render::line(&format!("{} {}", node.kind(), node.display_name()));
    for (name, value) in shown(node) {
        let value = render::shorten(&render::value_text(value), 120);
        text.push_str(&render::line(&format!("  {name}: {value}")));
    }
    text
}

fn others(hits: &[Json]) -> String {
    let names: Vec<_> = hits
        .iter()
        .skip(1)
        .map(|hit| format!("{} ({})", hit["name"].as_str().unwrap_or(""), hit["type"].as_str().unwrap_or("")))
        .collect();
    names.join(", ")
}
