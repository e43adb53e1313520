//! `graphwright schema`

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{
    Access, GraphSchema, names,
    schema::ElementSchema,
    store::{SchemaOptions, Selection},
};
use serde_json::{Value as Json, json};

use super::open;
use crate::{
    arguments::{Global, SchemaArguments},
    output::Output,
    render::{schema_prompt, schema_text},
};

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
        output.line(&object(&schema))?;
    } else {
        output.text(&if arguments.prompt { schema_prompt(&schema) } else { schema_text(&schema) })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The public form: names with counts, and all properties in one list.
fn object(schema: &GraphSchema) -> Json {
    let names = |elements: &[ElementSchema]| -> Vec<Json> {
        elements.iter().map(|element| json!({"name": element.name, "count": element.count})).collect()
    };
    let properties = schema.labels.iter().map(|element| ("label", element));
    let properties =
        properties.chain(schema.relationship_types.iter().map(|element| ("relationship_type", element)));
    let properties: Vec<_> = properties
        .flat_map(|(on, element)| {
            element.properties.iter().map(move |property| {
                json!({
                    "on": on, "of": element.name, "name": property.name, "types": property.types,
                    "count": property.count, "samples": property.samples, "values": property.values,
                    "min": property.min, "max": property.max,
                })
            })
        })
        .collect();
    json!({
        "labels": names(&schema.labels),
        "relationship_types": names(&schema.relationship_types),
        "properties": properties,
        "patterns": schema.patterns,
        "indexes": schema.indexes,
        "constraints": schema.constraints,
    })
}
