//! Runs `graphwright eval live`.

use std::{path::Path, process::ExitCode};

use anyhow::{Context, Result};
use graphwright::{Access, Graph, StoreSettings};
use graphwright_eval::{corpus::Corpus, live};

use super::demo::SAMPLE;
use crate::{
    arguments::{Global, LiveArguments},
    failure::UsageError,
    output::Output,
    render, settings,
};

pub(crate) async fn run(global: &Global, arguments: &LiveArguments, output: &Output) -> Result<ExitCode> {
    let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut settings = settings::read(global)?;
    if settings.model.is_none() {
        let hint = "name one with --model, as openai/gpt-4o-mini or ollama/qwen3";
        return Err(UsageError::new("no model is set, and it is a model that is measured", hint).into());
    }
    let corpus = match &arguments.folder {
        Some(folder) => Corpus::read(folder)?,
        None => sample(&temporary.path().join("sample"))?,
    };
    settings.store = StoreSettings::Folder(temporary.path().join("graph"));
    let graph = Graph::open(settings, Access::Write).await?;
    let questions = arguments.questions.map_or(usize::MAX, |number| number as usize);
    let tell = |what: &str| output.note(what);
    let report = live::measure(graph, &corpus, questions, !arguments.no_agent, tell).await?;
    output.print(&report, render::live_text)?;
    Ok(ExitCode::SUCCESS)
}

fn sample(folder: &Path) -> Result<Corpus> {
    std::fs::create_dir_all(folder)
        .and_then(|()| SAMPLE.extract(folder))
        .context("cannot write the sample")?;
    Ok(Corpus::read(folder)?)
}
