//! Runs `graphwright demo`: the sample documents, which are part of the program, become a graph
//! that answers questions.

use std::{path::Path, process::ExitCode};

use anyhow::{Context, Result};
use graphwright::{Access, Graph, Ingested, Ontology, StoreSettings};
use include_dir::{Dir, include_dir};
use serde_json::json;

use super::ask;
use crate::{
    arguments::{DemoArguments, Global},
    output::Output,
    render, settings,
};

/// A copy of examples/software-catalogue, which lies outside of this package; a test keeps them equal.
pub(super) static SAMPLE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/sample");

pub(crate) async fn run(global: &Global, arguments: &DemoArguments, output: &Output) -> Result<ExitCode> {
    let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
    SAMPLE.extract(temporary.path()).context("cannot write the sample documents")?;
    let folder = arguments.keep.clone().unwrap_or_else(|| temporary.path().join("graph"));
    let mut settings = settings::read(global)?;
    settings.store = StoreSettings::Folder(folder);
    let graph = Graph::open(settings, Access::Write).await?;
    let report = build(&graph, temporary.path()).await?;
    if !output.json {
        output.text(&format!(
            "The sample: a software catalogue of {} documents (examples/software-catalogue).\n{}",
            report.report.documents.added,
            render::ingest_text(&report.report, false)
        ))?;
    }
    let mut answers = Vec::new();
    for question in questions() {
        let answer = graph.ask(question).await?;
        if !output.json {
            output.text(&format!("\n> {question}\n\n{}", ask::answer_text(&answer)))?;
        }
        answers.push(answer);
    }
    if output.json {
        output.line(&json!({"ingest": report, "answers": answers}))?;
    } else if let Some(folder) = &arguments.keep {
        output.note(&format!("\nThe graph is in {0}: graphwright --store {0} ask \"…\"", folder.display()));
    } else {
        output.note("\nKeep the graph with `graphwright demo --keep FOLDER`, or ingest your own documents: `graphwright ingest FOLDER`");
    }
    Ok(ExitCode::SUCCESS)
}

async fn build(graph: &Graph, sample: &Path) -> Result<Ingested> {
    let ontology = Ontology::read(&sample.join("ontology.yaml")).map_err(graphwright::Error::from)?;
    Ok(graph.ingest([sample.join("documents")]).ontology(ontology).await?)
}

fn questions() -> impl Iterator<Item = &'static str> {
    let file = SAMPLE.get_file("demo.txt").and_then(|file| file.contents_utf8()).unwrap_or_default();
    file.lines().filter(|line| !line.trim().is_empty())
}
