//! The tool `get_schema`.

use graphwright_core::{
    GraphSchema,
    schema::{ElementSchema, Pattern},
};
use graphwright_llm::estimate_tokens;
use graphwright_retrieve::{one_item, pattern_line, property_line, schema_prompt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{GraphSnapshot, lines::bounded, naming::known};
use crate::{ToolError, ToolOutput};

/// Which part of a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum SchemaPart {
    /// Labels and relationship types with their numbers; everything where that fits.
    #[default]
    Overview,
    /// Which labels the relationship types connect.
    Patterns,
}

/// Describes the whole schema, or the part that is asked for.
pub(super) async fn describe(
    graph: &GraphSnapshot,
    kind: Option<&str>,
    part: SchemaPart,
    budget: u64,
) -> Result<ToolOutput, ToolError> {
    let schema = graph.schema().await?;
    if schema.labels.is_empty() {
        return Ok("The graph is empty.".into());
    }
    match (kind, part) {
        (Some(kind), _) => one(schema, kind, budget),
        (None, SchemaPart::Patterns) => {
            let text = bounded(schema.patterns.iter().map(pattern_line), budget);
            Ok(ToolOutput { text, structured: Some(json!({"patterns": schema.patterns})) })
        }
        (None, SchemaPart::Overview) => Ok(overview(schema, budget)),
    }
}

/// Writes the whole schema if it fits, or else the names with their counts.
fn overview(schema: &GraphSchema, budget: u64) -> ToolOutput {
    let whole = schema_prompt(schema);
    if estimate_tokens(&whole) <= budget {
        return ToolOutput { text: whole, structured: Some(json!(schema)) };
    }
    let counts = |elements: &[ElementSchema]| {
        let lines =
            elements.iter().map(|element| one_item(&format!("- {} ({})", element.name, element.count)));
        // The words around the two lists take about 40 tokens.
        bounded(lines.collect::<Vec<_>>(), budget.saturating_sub(40) / 2)
    };
    let text = format!(
        "Labels:\n{}Relationship types:\n{}This is an overview: call again with type for the properties and patterns of one label or \
         relationship type, or with part=patterns.\n",
        counts(&schema.labels),
        counts(&schema.relationship_types)
    );
    let names = |elements: &[ElementSchema]| {
        let names = elements.iter().map(|element| json!({"label": element.name, "count": element.count}));
        names.collect::<Vec<_>>()
    };
    let structured = json!({
        "labels": names(&schema.labels), "relationship_types": names(&schema.relationship_types),
    });
    ToolOutput { text, structured: Some(structured) }
}

/// Describes one label or relationship type, with its properties and patterns.
fn one(schema: &GraphSchema, kind: &str, budget: u64) -> Result<ToolOutput, ToolError> {
    let all = || schema.labels.iter().chain(&schema.relationship_types);
    let name = known("label or relationship type", kind, all().map(|element| element.name.as_str()))?;
    let mut lines = Vec::new();
    for (what, elements) in [("label", &schema.labels), ("relationship type", &schema.relationship_types)] {
        for element in elements.iter().filter(|element| element.name == name) {
            lines.push(one_item(&format!("{name} ({what}, {})", element.count)));
            lines.extend(element.properties.iter().map(property_line));
        }
    }
    let concerns =
        |found: &&Pattern| [&found.from, &found.kind, &found.to].into_iter().any(|one| one == name);
    let patterns: Vec<&Pattern> = schema.patterns.iter().filter(concerns).collect();
    lines.extend(patterns.iter().map(|found| pattern_line(found)));
    let of = |elements: &[ElementSchema]| {
        elements.iter().filter(|element| element.name == name).cloned().collect::<Vec<_>>()
    };
    let part = GraphSchema {
        labels: of(&schema.labels),
        relationship_types: of(&schema.relationship_types),
        patterns: patterns.into_iter().cloned().collect(),
        ..GraphSchema::default()
    };
    Ok(ToolOutput { text: bounded(lines, budget), structured: Some(json!(part)) })
}
