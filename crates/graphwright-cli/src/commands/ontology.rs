//! Runs `graphwright ontology`.

use std::{path::Path, process::ExitCode};

use anyhow::Result;
use graphwright::{
    Access, Error, Input, Ontology,
    ontology::{Finding, OntologyError, Severity},
};
use serde_json::json;

use super::open;
use crate::{
    arguments::{Global, OntologyCommand},
    failure::UsageError,
    output::{self, Output},
    render,
};

pub(crate) async fn run(global: &Global, command: OntologyCommand, output: &Output) -> Result<ExitCode> {
    match command {
        OntologyCommand::Check { file } => check(&file, output),
        OntologyCommand::Infer { documents } => infer(global, &documents, output).await,
        OntologyCommand::Schema => {
            output.exact_text(&serde_json::to_string_pretty(&Ontology::json_schema())?)?;
            Ok(ExitCode::SUCCESS)
        }
        OntologyCommand::Show => show(global, output).await,
    }
}

fn check(file: &Path, output: &Output) -> Result<ExitCode> {
    let ontology = Ontology::read_unchecked(file).map_err(Error::from)?;
    let findings = ontology.check();
    let worst = findings.iter().map(|finding| finding.severity).max();
    let object = json!({
        "status": worst.map_or("ok", Severity::as_str),
        "nodes": ontology.nodes.len(),
        "relationships": ontology.relationships.len(),
        "findings": findings,
    });
    output.print(&object, |_| {
        let line = |finding: &Finding| format!("{}: {finding}\n", finding.severity.as_str());
        let mut text: String = findings.iter().map(line).collect();
        text.push_str(&format!(
            "{}: {}, {}, {}",
            file.display(),
            render::count(ontology.nodes.len(), "type"),
            render::count(ontology.relationships.len(), "relationship type"),
            if findings.is_empty() {
                "nothing wrong".to_owned()
            } else {
                render::count(findings.len(), "finding")
            },
        ));
        text
    })?;
    Ok(if worst == Some(Severity::Error) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn infer(global: &Global, documents: &[String], output: &Output) -> Result<ExitCode> {
    let inputs: Vec<_> = documents.iter().map(|document| Input::parse(document)).collect();
    let (ontology, failed) =
        graphwright::infer_ontology(&inputs, &crate::settings::read(global)?.workers).await?;
    if let Some(first) = failed.first().filter(|_| ontology.nodes.is_empty()) {
        let (path, message) = (first.path.clone().into(), first.reason.clone());
        return Err(Error::from(OntologyError::Read { path, message }).into());
    }
    for failure in &failed {
        output::remark(&render::failure_text(failure));
    }
    print(&ontology, output)?;
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn show(global: &Global, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    let Some(ontology) = graph.ontology().await? else {
        return Err(UsageError::new(
            "the graph has no ontology",
            "give one with `graphwright ingest --ontology FILE`",
        )
        .into());
    };
    print(&ontology, output)?;
    Ok(ExitCode::SUCCESS)
}

fn print(ontology: &Ontology, output: &Output) -> Result<()> {
    let yaml = ontology.to_yaml().map_err(Error::from)?;
    if output.json { output.line(ontology) } else { output.exact_text(&yaml) }
}
