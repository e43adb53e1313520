//! Runs `graphwright path`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{Access, AnswerPath, ConnectionOptions, Graph, search::NodeIndex};
use serde_json::json;

use super::{lookup::unknown_name, open};
use crate::{
    arguments::{Global, PathArguments},
    output::Output,
    render,
};

pub(crate) async fn run(global: &Global, arguments: &PathArguments, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    let from = end(&graph, &arguments.from).await?;
    let to = end(&graph, &arguments.to).await?;
    let options = ConnectionOptions::default()
        .max_hops(arguments.max_hops)
        .limit(arguments.limit)
        .types(&arguments.types)
        .directed(arguments.directed)
        .best(arguments.best);
    let paths = graph.connections(from, to, &options).await?;
    let object = json!({
        "from": arguments.from, "to": arguments.to, "max_hops": arguments.max_hops,
        "status": if paths.is_empty() { "no_path" } else { "answered" },
        "hits": [], "paths": paths,
    });
    output.print(&object, |_| paths_text(&paths, arguments))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the node that fits a name best.
async fn end(graph: &Graph, name: &str) -> Result<NodeIndex> {
    match graph.find(name, None, 1).await?.first() {
        Some((node, _)) => Ok(*node),
        None => Err(unknown_name(&*graph.topology().await?, name, None)),
    }
}

fn paths_text(paths: &[AnswerPath], arguments: &PathArguments) -> String {
    if paths.is_empty() {
        let (from, to, hops) = (&arguments.from, &arguments.to, arguments.max_hops);
        return format!("No path from {from} to {to} within {hops} hops.");
    }
    paths.iter().map(|path| render::line(&render::path_text(path))).collect()
}
