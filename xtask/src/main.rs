//! Chores of the workspace: `cargo xtask <chore>`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who runs it")]

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
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Layers => layers::check(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
