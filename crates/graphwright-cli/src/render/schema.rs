//! Formats a schema as tables for people.

use std::fmt::Write;

use graphwright::{
    GraphSchema,
    schema::{Constraint, ElementSchema, Index, IndexKind, PropertySchema, Target},
};

use super::{Table, line, shorten, value_text};

/// Formats a schema for people.
pub(crate) fn schema_text(schema: &GraphSchema) -> String {
    if schema.labels.is_empty() {
        return "The graph is empty. Fill it with `graphwright ingest` or `graphwright import`.".to_owned();
    }
    let mut text = elements("Label", &schema.labels);
    if !schema.relationship_types.is_empty() {
        text.push('\n');
        text.push_str(&elements("Relationship type", &schema.relationship_types));
        text.push_str("\nPatterns\n");
        for pattern in &schema.patterns {
            let (from, kind, to) = (&pattern.from, &pattern.kind, &pattern.to);
            text.push_str(&line(&format!("  (:{from})-[:{kind}]->(:{to})  {}", pattern.count)));
        }
    }
    if !schema.indexes.is_empty() || !schema.constraints.is_empty() {
        text.push_str("\nIndexes and constraints\n");
    }
    text.push_str(&indexes_text(schema));
    text
}

/// Formats indexes and constraints, one on each line.
pub(crate) fn indexes_text(schema: &GraphSchema) -> String {
    let mut text = String::new();
    for index in &schema.indexes {
        text.push_str(&line(&format!("  {}", index_text(index))));
    }
    for constraint in &schema.constraints {
        text.push_str(&line(&format!("  {}", constraint_text(constraint))));
    }
    text
}

/// Formats a constraint, such as `unique_Person_email  unique (:Person) email`.
pub(crate) fn constraint_text(constraint: &Constraint) -> String {
    format!("{}  unique (:{}) {}", constraint.name, constraint.label, constraint.properties.join(", "))
}

/// Formats an index, such as `index_Person_name  property index on (:Person) name`.
pub(crate) fn index_text(index: &Index) -> String {
    let kind = match &index.kind {
        IndexKind::Property => "property index".to_owned(),
        IndexKind::FullText => "full-text index".to_owned(),
        IndexKind::Vector { dimensions, .. } => format!("vector index, {dimensions} dimensions"),
    };
    let target = match &index.target {
        Target::Label(label) => format!("(:{label})"),
        Target::RelationshipType(kind) => format!("[:{kind}]"),
    };
    format!("{}  {kind} on {target} {}", index.name, index.properties.join(", "))
}

fn elements(what: &str, elements: &[ElementSchema]) -> String {
    let mut table = Table::new([what, "Count", "Properties"]);
    for element in elements {
        let properties: Vec<_> = element.properties.iter().map(property_text).collect();
        table.add_row([element.name.clone(), element.count.to_string(), properties.join("\n")]);
    }
    format!("{table}\n")
}

fn property_text(property: &PropertySchema) -> String {
    let mut text = format!("{}: {}", property.name, property.types.join(" or "));
    if let Some(values) = &property.values {
        let values: Vec<_> = values.iter().map(value_text).collect();
        let _ = write!(text, " of {}", shorten(&values.join(" | "), 60));
    } else if let (Some(min), Some(max)) = (&property.min, &property.max) {
        let _ = write!(text, " from {} to {}", value_text(min), value_text(max));
    } else if let Some(sample) = property.samples.first() {
        let _ = write!(text, ", as {}", shorten(&value_text(sample), 40));
    }
    text
}
