//! Chores of the workspace: `cargo xtask <chore>`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who runs it")]

mod answers;
mod calibration;
mod extraction;
mod faults;
mod golden;
mod grounding;
mod indexes;
mod layers;
mod learned;
mod neo4j;
mod quotes;
mod text2kgbench;
mod topology;
mod torture;
mod wire;
mod words;

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
    /// Runs a Neo4j server for tests (needs Java and Maven)
    #[command(subcommand)]
    Neo4j(neo4j::Action),
    /// Asks the built command the corpora's questions and counts right answers
    Answers(answers::Options),
    /// Compares every fact, inferred ontology and answer of the corpora with what is kept in xtask/golden
    Golden(golden::Options),
    /// Measures the check of answers: on claims that experts judged, and on answers made from public graphs
    Grounding(grounding::Options),
    /// Measures the search index: recall on the facts of MetaQA, times with a million passages
    #[command(subcommand)]
    Indexes(indexes::Indexes),
    /// Compares the confidence of facts with how often they were judged right (xtask/judged)
    Calibration,
    /// Measures the snapshot of a generated graph: making, size, walks, the same in Cypher, commands
    Topology(topology::Options),
    /// Treats the built command badly: kills, damaged files, a full disk, exploding queries, hostile documents
    Torture(torture::Options),
    /// Replays the raw replies that Text2KGBench was published with through the extraction by a model
    Text2kgbench {
        /// Counts the tokens of a model that answers from the gold triples instead
        #[arg(long)]
        tokens: bool,
        /// Lists what was missed, lost and is wrong
        #[arg(long)]
        errors: bool,
        /// The folder of public data, which has `text2kgbench`
        #[arg(long, env = "GRAPHWRIGHT_DATA")]
        data: Option<std::path::PathBuf>,
    },
    /// Plays recorded answers of model providers to our client and compares what it reads
    Wire(wire::Options),
    /// Writes what tells whether quotations answer questions, from which their weights are fitted (tools/quotes)
    Quotes(quotes::Options),
    /// Counts the faults of recorded replies, at whose rates the player of `graphwright eval text2cypher` makes them
    Faults(faults::Options),
    /// Learns from public pairs of questions, and asks those that were kept apart
    Learned(learned::Options),
    /// Asks questions over public graphs in which one word changes the meaning (xtask/questions)
    Words(words::Options),
    /// Scores the model-free extractor on the corpora with gold facts and on Text2KGBench
    Extraction {
        /// Folders with documents, ontology and gold facts; all of the repository when none is named
        folders: Vec<std::path::PathBuf>,
        /// Lists what was missed and what is wrong
        #[arg(long)]
        errors: bool,
        /// Scores these ontologies of Text2KGBench (1-5, or 3), and corpora only where folders are named; without
        /// numbers and folders, everything is scored
        #[arg(long, value_parser = text2kgbench::parse_numbers)]
        ontologies: Option<std::ops::RangeInclusive<usize>>,
        /// The folder of public data, which has `text2kgbench`
        #[arg(long, env = "GRAPHWRIGHT_DATA")]
        data: Option<std::path::PathBuf>,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Layers => layers::check(),
        Chore::Neo4j(action) => neo4j::run(&action),
        Chore::Answers(options) => answers::score(&options),
        Chore::Calibration => calibration::print(),
        Chore::Grounding(options) => grounding::run(&options),
        Chore::Topology(options) => topology::run(&options),
        Chore::Indexes(what) => indexes::run(&what),
        Chore::Torture(options) => torture::run(&options),
        Chore::Text2kgbench { tokens: true, data, .. } => text2kgbench::tokens::measure(data),
        Chore::Text2kgbench { errors, data, .. } => text2kgbench::replay::replay(data, errors),
        Chore::Wire(options) => wire::score(&options),
        Chore::Quotes(options) => quotes::write(&options),
        Chore::Faults(options) => faults::count(&options),
        Chore::Learned(options) => learned::run(&options),
        Chore::Words(options) => words::score(&options),
        Chore::Golden(options) => golden::run(&options),
        Chore::Extraction { folders, errors, ontologies, data } => {
            let corpora = if folders.is_empty() && ontologies.is_some() {
                Ok(())
            } else {
                extraction::score(&folders, errors)
            };
            let ontologies = ontologies.or(folders.is_empty().then_some(1..=5));
            corpora.and_then(|()| match ontologies {
                Some(ontologies) => text2kgbench::score(data, &ontologies, errors),
                None => Ok(()),
            })
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
