//! Runs `graphwright schema`.

use std::{path::Path, process::ExitCode};

use anyhow::Result;
use graphwright::{
    Access, GraphSchema, names, schema_prompt,
    store::{SchemaOptions, Selection},
};

use super::open;
use crate::{
    arguments::{Global, SchemaArguments},
    failure::UsageError,
    output::Output,
    render::schema_text,
};

/// Reads a schema from a file, for commands that check queries without a store.
pub(crate) fn read_file(file: &Path) -> Result<GraphSchema> {
    let fails = |error: &dyn std::fmt::Display| {
        let hint = "write one with `graphwright schema --json > schema.json`";
        UsageError::new(format!("cannot read the schema {}: {error}", file.display()), hint)
    };
    let text = std::fs::read_to_string(file).map_err(|error| fails(&error))?;
    Ok(GraphSchema::from_json(&text).map_err(|error| fails(&error))?)
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
    if output.json {
        output.line(&schema)?;
    } else {
        output.text(&if arguments.prompt { schema_prompt(&schema) } else { schema_text(&schema) })?;
    }
    Ok(ExitCode::SUCCESS)
}
