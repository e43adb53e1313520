//! Runs `graphwright context`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{Access, Evidence, EvidenceContent, EvidenceOptions, search::ContextFormat};

use super::{batch, open};
use crate::{
    arguments::{ContextArguments, ContextForm, EvidenceArguments, Global},
    output::Output,
    render,
};

pub(crate) async fn run(global: &Global, arguments: &ContextArguments, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    let options = options(graph.settings().evidence.clone(), &arguments.evidence)
        .labels(&arguments.types)
        .format(match arguments.form {
            ContextForm::Markdown => ContextFormat::Markdown,
            ContextForm::Json => ContextFormat::Json,
            ContextForm::Cypher => ContextFormat::Cypher,
        });
    if arguments.batch {
        return batch::run(output, |item| {
            let (graph, options) = (&graph, &options);
            async move { Ok(graph.evidence(&item.question, options).await?) }
        })
        .await;
    }
    let evidence = graph.evidence(&arguments.question.join(" "), &options).await?;
    output.print(&evidence, |evidence| evidence_text(evidence, arguments.explain))?;
    for notice in &evidence.notices {
        output.note(notice);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns options of evidence: those of the settings, and over them what the command was given.
pub(super) fn options(settings: EvidenceOptions, given: &EvidenceArguments) -> EvidenceOptions {
    let mut options = settings;
    options.k = given.k.unwrap_or(options.k);
    options.depth = given.depth.unwrap_or(options.depth);
    options.minimum = given.minimum.unwrap_or(options.minimum);
    options.tokens = given.evidence_tokens.unwrap_or(options.tokens);
    options
}

fn evidence_text(evidence: &Evidence, explain: bool) -> String {
    let mut text = evidence.context.text.clone();
    if text.is_empty() {
        text.push_str("Nothing was found.\n");
    }
    if explain {
        text.push_str("\nWhy\n");
        for piece in &evidence.pieces {
            let what = match &piece.content {
                EvidenceContent::Path(path) | EvidenceContent::Fact(path) => render::path_text(path),
                EvidenceContent::Entity(entity) => format!("{} ({})", entity.name, entity.kind),
                EvidenceContent::Passage(passage) => passage.chunk.clone(),
            };
            text.push_str(&render::line(&format!("  {}: {}", render::shorten(&what, 100), piece.why)));
        }
    }
    text
}
