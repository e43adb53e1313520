//! Runs `graphwright schema`.

mod apart;

use std::{fs::File, path::Path, process::ExitCode};

use anyhow::Result;
use apart::Apart;
use graphwright::{
    Access, GraphSchema, names, schema_prompt,
    store::{SchemaOptions, Selection},
    text::read_at_most,
};

use super::open;
use crate::{
    arguments::{Global, SchemaArguments},
    failure::UsageError,
    output::Output,
    render::{self, schema_text},
};

/// Schemas of graphs with very many types have some megabytes.
const MOST_BYTES: u64 = 100_000_000;

/// Reads a schema from a file, for commands that check queries without a store.
pub(crate) fn read_file(file: &Path) -> Result<GraphSchema> {
    let fails = |error: &dyn std::fmt::Display| {
        let hint = "write one with `graphwright schema --json > schema.json`";
        UsageError::new(format!("cannot read the schema {}: {error}", file.display()), hint)
    };
    let text =
        File::open(file).and_then(|file| read_at_most(file, MOST_BYTES)).map_err(|error| fails(&error))?;
    Ok(Apart::joined(&text).map_err(|error| fails(&error))?)
}

pub(crate) async fn run(global: &Global, arguments: &SchemaArguments, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    let selection = if !arguments.include.is_empty() {
        Selection::Only(arguments.include.clone())
    } else if !arguments.exclude.is_empty() {
        Selection::Except(arguments.exclude.clone())
    } else {
        Selection::All
    };
    let options = SchemaOptions {
        labels: selection.clone(),
        relationship_types: selection,
        ..SchemaOptions::default()
    };
    let schema = graph.store().schema(options).await.map_err(graphwright::Error::from)?;
    let asks_for_ours = arguments.all || arguments.include.iter().any(|name| names::is_reserved(name));
    let schema = if asks_for_ours { schema } else { schema.without_reserved() };
    let complete = graph.ontology().await?.map_or_else(Vec::new, |ontology| ontology.complete_names());
    if output.json {
        output.line(&Apart::new(schema).with_complete(complete))?;
    } else if arguments.prompt {
        output.text(&schema_prompt(&schema))?;
    } else if arguments.include.is_empty() {
        let mut text = apart_text(Apart::new(schema), arguments.all);
        if !complete.is_empty() {
            text.push_str(&format!(
                "\nComplete, so that what is not there is not so: {}\n",
                complete.join(", ")
            ));
        }
        output.text(&text)?;
    } else {
        output.text(&schema_text(&schema))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Formats the domain, and what is kept beside it if that is asked for.
fn apart_text(apart: Apart, all: bool) -> String {
    let (documents, passages) = (apart.count(names::DOCUMENT), apart.count(names::CHUNK));
    if all {
        let Apart { domain, kept, .. } = apart;
        return match (domain.labels.is_empty(), kept.labels.is_empty()) {
            (false, false) => format!("{}\nKept beside it\n\n{}", schema_text(&domain), schema_text(&kept)),
            (true, false) => schema_text(&kept),
            (_, true) => schema_text(&domain),
        };
    }
    if documents == 0 {
        return schema_text(&apart.without_support().domain);
    }
    let documents = render::count(documents as usize, "document");
    let passages = render::count(passages as usize, "passage");
    let kept = format!("{documents} with {passages}; --all shows how they are kept\n");
    if apart.domain.labels.is_empty() {
        return format!("No entity was found yet in {kept}");
    }
    format!("{}\nRead from {kept}", schema_text(&apart.without_support().domain))
}
