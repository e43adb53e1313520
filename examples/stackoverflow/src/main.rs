//! Imports posts and answers questions about them; see README.md.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

mod settings;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use graphwright::{
    Access, Answer, CancellationToken, Event, Graph, Result, ToolContext,
    exchange::{ImportOptions, ImportPhase, ImportProgress},
};
use serde_json::{Value, json};
use stackoverflow::{Imported, Source, agent, import, tools};

use crate::settings::Place;

/// Questions and answers of a Stack Exchange site as a graph, and an agent that answers from them.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Imports a dump (a folder with Posts.xml, Users.xml, Comments.xml) or the published graph (a Data Importer zip, or its folder).
    Import {
        /// The folder or the zip.
        path: PathBuf,
        /// The host of the site, for links to posts; the folder's name where it is one.
        #[arg(long)]
        site: Option<String>,
        /// Leave out rows with mistakes and count them, instead of ending before anything is written.
        #[arg(long)]
        skip_bad: bool,
    },
    /// Lets the agent answer a question, and shows which tools it calls.
    Ask {
        /// The question.
        #[arg(required = true)]
        question: Vec<String>,
    },
    /// Finds posts by similarity, without a model.
    Search {
        /// What they are about.
        #[arg(required = true)]
        query: Vec<String>,
        /// Only posts of this user.
        #[arg(long)]
        author: Option<String>,
    },
    /// Lists the tools of the agent as JSON.
    Tools,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    });
    match run(arguments, cancel).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            if let Some(hint) = error.hint() {
                eprintln!("hint: {hint}");
            }
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments, cancel: CancellationToken) -> Result<()> {
    let settings = arguments.place.settings()?;
    match arguments.command {
        Command::Import { path, site, skip_bad } => {
            let source = Source::from_path(&path, site)?;
            let graph = Graph::open(settings, Access::Write).await?;
            let options = ImportOptions { skip_bad, cancel, ..ImportOptions::default() };
            let imported = import(&graph, &source, &options, &mut tell).await?;
            eprintln!();
            print!("{}", summary(&imported));
        }
        Command::Ask { question } => {
            let graph = Graph::open(settings, Access::Read).await?;
            ask(&graph, &question.join(" "), cancel).await?;
        }
        Command::Search { query, author } => {
            let graph = Graph::open(settings, Access::Read).await?;
            let arguments = json!({"query": query.join(" "), "author": author});
            search(&graph, arguments, cancel).await?;
        }
        Command::Tools => {
            let graph = Graph::open(settings, Access::Read).await?;
            println!("{:#}", tools(&graph).await?.to_json());
        }
    }
    Ok(())
}

fn tell(progress: ImportProgress) {
    let ImportProgress { phase, nodes, relationships, .. } = progress;
    match phase {
        ImportPhase::Checking => eprint!("\rchecking: {nodes} rows          "),
        _ => eprint!("\rwriting: {nodes} nodes, {relationships} relationships          "),
    }
}

fn summary(imported: &Imported) -> String {
    let Imported { report, index, notes } = imported;
    let seconds = report.elapsed.as_secs_f64();
    let each = (report.nodes + report.relationships) as f64 / seconds.max(0.001);
    let mut text = format!(
        "{} nodes and {} relationships in {seconds:.1} s ({each:.0} a second)\n{} can be searched; {} texts were embedded\n",
        report.nodes, report.relationships, index.nodes, index.embedded
    );
    for skipped in report.skipped.values() {
        for example in &skipped.examples {
            text.push_str(&format!("left out: {example}\n"));
        }
        let more = skipped.count - skipped.examples.len() as u64;
        if more > 0 {
            text.push_str(&format!("left out: {more} more of the same kind\n"));
        }
    }
    for note in notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text
}

async fn ask(graph: &Graph, question: &str, cancel: CancellationToken) -> Result<()> {
    if graph.model().is_none() {
        eprintln!(
            "No model is set, so no agent can answer: set one with --model or GRAPHWRIGHT_MODEL, as openai/gpt-4o-mini"
        );
        eprintln!(
            "(with OPENAI_API_KEY) or ollama/qwen3. The posts that are nearest to the question by words and meaning:\n"
        );
        return search(graph, json!({"query": question}), cancel).await;
    }
    let context =
        ToolContext::new("stackoverflow").with_cancellation(cancel).with_events(|event| match event {
            Event::ToolCall { name, arguments, .. } => eprintln!("  {name} {arguments}"),
            Event::ToolResult { text, .. } => eprintln!("  → {}", text.lines().next().unwrap_or_default()),
            Event::Step { what } | Event::Fallback { reason: what } => eprintln!("  {what}"),
            _ => {}
        });
    let answer = graph.ask_agent(&agent(graph).await?, question, &context).await?;
    print!("{}", answer_text(&answer));
    Ok(())
}

fn answer_text(answer: &Answer) -> String {
    let mut text = format!("{}\n", answer.answer);
    let mut sources: Vec<(&str, &str)> =
        answer.passages.iter().map(|passage| (passage.chunk.as_str(), passage.document.as_str())).collect();
    sources.sort_unstable();
    sources.dedup();
    if !sources.is_empty() {
        text.push_str("\nFrom\n");
    }
    for (id, source) in sources {
        text.push_str(&format!("  {id}: {source}\n"));
    }
    text
}

async fn search(graph: &Graph, arguments: Value, cancel: CancellationToken) -> Result<()> {
    let context = ToolContext::new("stackoverflow").with_cancellation(cancel);
    match tools(graph).await?.call("search_posts_by_similarity", arguments, &context).await {
        Ok(output) => print!("{}", output.text),
        Err(error) => {
            return Err(graphwright::Error::Settings {
                message: error.message,
                hint: error.hint.unwrap_or_default(),
            });
        }
    }
    Ok(())
}
