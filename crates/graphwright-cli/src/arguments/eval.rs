//! Arguments of `graphwright eval`.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Subcommand};

use super::cypher::parse_seconds;

#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// Replays Cypher that models wrote through gate, lint and repair, and counts what runs and what is right
    ///
    /// Each line of a file is an object with `graph`, `gold_cypher`, `pred_cypher` and, where they were recorded, `metrics`
    /// (`executable`, `execution_accuracy`). Verdicts, report and plot are kept in a folder; a run that was ended goes on
    /// where it stopped.
    Replay(ReplayArguments),
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  graphwright eval replay model.jsonl
  graphwright eval replay runs/*.jsonl --graph shop=.graphwright --graph films=bolt://localhost:7687")]
pub(crate) struct ReplayArguments {
    /// Files of JSON Lines
    #[arg(required = true, value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
    /// The store of a graph by the name that the files give it: a folder or an address; user and password are those of the
    /// settings. Without one, the graph's queries are checked and not run
    #[arg(long = "graph", value_name = "NAME=STORE")]
    pub(crate) graphs: Vec<String>,
    /// The schema of a graph as `graphwright schema --json` prints it; without one that of its store
    #[arg(long = "schema-file", value_name = "NAME=FILE")]
    pub(crate) schema_files: Vec<String>,
    /// The folder for verdicts, report and plot
    #[arg(long, value_name = "FOLDER", default_value = "replay")]
    pub(crate) output: PathBuf,
    /// Forgets the verdicts in that folder and begins anew
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Takes so many lines of each file, spread over it
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sample: Option<u32>,
    /// The longest that a query may run, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time_limit: Duration,
    /// How many questions are worked on at a time
    #[arg(long, value_name = "NUMBER", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) jobs: u32,
}
