//! Chores of the workspace: `cargo xtask <chore>`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who runs it")]

mod extraction;
mod layers;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(about = "Chores of the workspace")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Checks that crates use only the rows above them, and that nothing goes round the Cypher gate
    Layers,
    /// Scores the model-free extractor on the corpora with gold facts
    Extraction {
        /// Folders with documents, ontology and gold facts; all of the repository when none is named
        folders: Vec<std::path::PathBuf>,
        /// Lists what was missed and what is wrong
        #[arg(long)]
        errors: bool,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Layers => layers::check(),
        Chore::Extraction { folders, errors } => extraction::score(&folders, errors),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
