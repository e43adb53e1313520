//! Runs `graphwright models`.

use std::process::ExitCode;

use anyhow::Result;

use crate::{
    arguments::{Global, ModelsCommand, PullArguments},
    output::Output,
};

pub(crate) async fn run(global: &Global, command: ModelsCommand, output: &Output) -> Result<ExitCode> {
    match command {
        ModelsCommand::Pull(arguments) => pull(global, &arguments, output).await,
    }
}

#[cfg(not(feature = "sentence-transformers"))]
#[expect(clippy::unused_async, reason = "as the one that fetches")]
async fn pull(_: &Global, _: &PullArguments, _: &Output) -> Result<ExitCode> {
    Err(graphwright::Error::without_sentence_transformers("fetching a model").into())
}

#[cfg(feature = "sentence-transformers")]
async fn pull(global: &Global, arguments: &PullArguments, output: &Output) -> Result<ExitCode> {
    use graphwright::{
        Error,
        llm::{LlmError, ModelPull},
    };
    use serde_json::json;

    let Some(models) = crate::settings::read(global)?.models else {
        let hint = "name one with GRAPHWRIGHT_MODELS or `models` in graphwright.toml";
        return Err(crate::failure::UsageError::new("there is no folder for models", hint).into());
    };
    let failed = |error: LlmError| Error::Settings {
        message: error.to_string(),
        hint: format!(
            "check the network, the hub (--hub), and whether it has {} as a model with safetensors",
            arguments.model
        ),
    };
    let pull = ModelPull::plan(&arguments.hub, &arguments.model, &models).await.map_err(failed)?;
    if !output.json {
        output.text(&plan_text(&pull))?;
    }
    if !arguments.dry_run {
        let missing = pull.files.iter().filter(|file| !file.present);
        let template = "{bar:40} {decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec} {eta} left";
        let bar = output.progress_bar(template, missing.filter_map(|file| file.bytes).sum());
        let fetched = pull.fetch(&|bytes| bar.inc(bytes)).await;
        bar.finish_and_clear();
        fetched.map_err(failed)?;
    }
    if output.json {
        output.line(&json!({"pull": pull, "fetched": !arguments.dry_run}))?;
    } else if !arguments.dry_run {
        output.text(&format!(
            "{model} is there. Use it with --embedder {model}; a graph that has vectors needs `graphwright ingest \
             --re-embed` once. If it is a cross-encoder, use it with --reranker {model}.",
            model = arguments.model
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(feature = "sentence-transformers")]
fn plan_text(pull: &graphwright::llm::ModelPull) -> String {
    let mut text = format!("{} from {} into {}\n", pull.model, pull.hub, pull.folder.display());
    for file in &pull.files {
        let size = match file.bytes {
            Some(bytes) => indicatif::DecimalBytes(bytes).to_string(),
            None => "unknown size".to_owned(),
        };
        let note = if file.present { "  is there already" } else { "" };
        text.push_str(&format!("  {:<28} {size:>12}{note}\n", file.name));
    }
    text
}
