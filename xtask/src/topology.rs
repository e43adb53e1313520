//! Measures the snapshot of a generated graph.
//!
//! The measurement is an example of `graphwright-retrieve`, so that it is built with optimisation and without the rest.

use std::{path::PathBuf, process::Command};

use anyhow::{Context, Result, ensure};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Number of nodes
    #[arg(long, default_value_t = 1_000_000)]
    nodes: usize,
    /// Number of relationships
    #[arg(long, default_value_t = 5_000_000)]
    relationships: usize,
    /// Seed of the graph and of the questions
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Number of walks of each kind
    #[arg(long, default_value_t = 1_000)]
    queries: usize,
    /// Folder of the snapshot, where no store is named; one for temporary files by default
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Folder of an embedded store: filled with the graph if it is not there, and asked the same in Cypher
    #[arg(long)]
    store: Option<PathBuf>,
    /// Built command to time from the start of its process, with the store
    #[arg(long, requires = "store")]
    graphwright: Option<PathBuf>,
    /// Times searches as well, the first of which makes the search index
    #[arg(long, requires = "graphwright")]
    search: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--release", "-p", "graphwright-retrieve", "--example", "topology", "--"]);
    for (name, number) in
        [("nodes", options.nodes), ("relationships", options.relationships), ("queries", options.queries)]
    {
        command.args([format!("--{name}"), number.to_string()]);
    }
    command.args(["--seed".to_owned(), options.seed.to_string()]);
    let folders =
        [("folder", &options.folder), ("store", &options.store), ("graphwright", &options.graphwright)];
    for (name, folder) in folders {
        if let Some(folder) = folder {
            command.arg(format!("--{name}")).arg(folder);
        }
    }
    if options.search {
        command.arg("--search");
    }
    let status = command.status().context("cannot start cargo")?;
    ensure!(status.success(), "the measurement failed");
    Ok(())
}
