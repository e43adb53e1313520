//! Runs `graphwright eval retrieval`.

use std::{fs, process::ExitCode};

use anyhow::{Context, Result};
use graphwright::{Access, Graph, StoreSettings};
use graphwright_eval::retrieval::{Collection, measure, plot};

use crate::{
    arguments::{Global, RetrievalArguments},
    output::Output,
    render, settings,
};

pub(crate) async fn run(
    global: &Global,
    arguments: &RetrievalArguments,
    output: &Output,
) -> Result<ExitCode> {
    let collection = Collection::read(&arguments.corpus, &arguments.questions, arguments.triples.as_deref())?;
    let folder = tempfile::tempdir().context("cannot make a folder for the passages")?;
    let mut settings = settings::read(global)?;
    settings.store = StoreSettings::Folder(folder.path().join("graph"));
    let graph = Graph::open(settings, Access::Write).await?;
    let modes: Vec<_> = arguments.modes.iter().map(|mode| (*mode).into()).collect();
    let report = measure(&collection, &**graph.store(), graph.embedder().clone(), &modes).await?;
    if let Some(file) = &arguments.svg {
        fs::write(file, plot(&report)).with_context(|| format!("cannot write {}", file.display()))?;
    }
    output.print(&report, render::retrieval_text)?;
    let reached = report.methods.last().and_then(|method| method.recall.get(&5)).copied().unwrap_or_default();
    if let Some(floor) = arguments.floor.filter(|floor| reached < *floor) {
        output.note(&format!("Recall at 5 is {reached} %, below the floor of {floor} %."));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
