//! Runs the commands, one file each.

mod agent;
mod ask;
mod batch;
mod chat;
mod completions;
mod confirmation;
mod context;
mod cypher;
mod demo;
mod doctor;
mod duplicates;
mod examples;
mod exchange;
mod index;
mod ingest;
mod interrupt;
mod learn;
mod lines;
mod live;
mod lookup;
mod mcp;
mod models;
mod ontology;
mod path;
mod replay;
mod retrieval;
mod routes;
mod schema;
mod search;
mod suggest;
mod text2cypher;

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{Access, Graph};

use crate::{
    arguments::{Arguments, Command, EvalCommand, Global},
    output::Output,
    settings,
};

/// Runs a command.
pub(crate) async fn run(arguments: Arguments, output: &Output) -> Result<ExitCode> {
    let global = &arguments.global;
    match arguments.command {
        Command::Demo(arguments) => demo::run(global, &arguments, output).await,
        Command::Ingest(arguments) => ingest::run(global, &arguments, output).await,
        Command::Ontology(command) => ontology::run(global, command, output).await,
        Command::Ask(arguments) => Box::pin(ask::run(global, &arguments, output)).await,
        Command::Chat(arguments) => Box::pin(chat::run(global, &arguments, output)).await,
        Command::Routes(arguments) => routes::run(global, arguments, output).await,
        Command::Examples(arguments) => examples::run(global, arguments, output).await,
        Command::Learn(arguments) => learn::run(global, &arguments, output).await,
        Command::Context(arguments) => context::run(global, &arguments, output).await,
        Command::Suggest(arguments) => suggest::run(global, &arguments, output).await,
        Command::Search(arguments) => search::run(global, &arguments, output).await,
        Command::Lookup(arguments) => lookup::run(global, &arguments, output).await,
        Command::Path(arguments) => path::run(global, &arguments, output).await,
        Command::Schema(arguments) => schema::run(global, &arguments, output).await,
        Command::Cypher(arguments) => cypher::run(global, &arguments, output).await,
        Command::Index(command) => index::run(global, command, output).await,
        Command::Duplicates(command) => duplicates::run(global, command, output).await,
        Command::Import(arguments) => exchange::import(global, &arguments, output).await,
        Command::Export(arguments) => exchange::export(global, &arguments, output).await,
        Command::Models(command) => models::run(global, command, output).await,
        Command::Mcp(arguments) => mcp::run(global, &arguments, output).await,
        Command::Doctor(arguments) => doctor::run(global, &arguments, output).await,
        Command::Completions { shell } => completions::run(shell, output),
        Command::Eval(EvalCommand::Live(arguments)) => live::run(global, &arguments, output).await,
        Command::Eval(EvalCommand::Replay(arguments)) => replay::run(global, &arguments, output).await,
        Command::Eval(EvalCommand::Text2Cypher(arguments)) => {
            text2cypher::run(global, &arguments, output).await
        }
        Command::Eval(EvalCommand::Retrieval(arguments)) => retrieval::run(global, &arguments, output).await,
    }
}

/// Opens the graph that the settings name.
async fn open(global: &Global, access: Access) -> Result<Graph> {
    Ok(Graph::open(settings::read(global)?, access).await?)
}
