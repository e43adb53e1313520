//! The schema of a graph as models read it.

use std::fmt::Write;

use graphwright_core::{
    GraphSchema, Value,
    schema::{ElementSchema, Pattern, PropertySchema},
    text::shorten,
};

use crate::{in_words, one_item};

/// The longest value that is shown, in characters.
const LONGEST_VALUE: usize = 80;

/// Writes a schema in the three-part form that models know from training: the properties of labels,
/// the properties of relationship types, and the patterns. Each property comes with typical values.
pub fn schema_prompt(schema: &GraphSchema) -> String {
    let mut text = "Node properties:\n".to_owned();
    elements(&mut text, &schema.labels);
    text.push_str("Relationship properties:\n");
    elements(&mut text, &schema.relationship_types);
    text.push_str("The relationships:\n");
    for found in &schema.patterns {
        let _ = writeln!(text, "{}", pattern_line(found));
    }
    text
}

fn elements(text: &mut String, elements: &[ElementSchema]) {
    for element in elements.iter().filter(|element| !element.properties.is_empty()) {
        let _ = writeln!(text, "{}", one_item(&format!("- **{}**", element.name)));
        for found in &element.properties {
            let _ = writeln!(text, "{}", property_line(found));
        }
    }
}

/// Writes a pattern on one line: `(:Person)-[:OWNS]->(:Service)`.
pub fn pattern_line(found: &Pattern) -> String {
    one_item(&format!("(:{})-[:{}]->(:{})", found.from, found.kind, found.to))
}

/// Writes a property on one line, with its types and what shows its values.
pub fn property_line(found: &PropertySchema) -> String {
    one_item(&format!("  - `{}`: {}{}", found.name, found.types.join(" | "), detail(found)))
}

/// Describes the values of a property by their range, their options or an example.
fn detail(found: &PropertySchema) -> String {
    let quoted = |value: &Value| format!("\"{}\"", shorten(&in_words(value), LONGEST_VALUE));
    if let (Some(min), Some(max)) = (&found.min, &found.max) {
        return format!(" Min: {}, Max: {}", in_words(min), in_words(max));
    }
    if let Some(values) = &found.values {
        return format!(" Available options: [{}]", values.iter().map(quoted).collect::<Vec<_>>().join(", "));
    }
    found.samples.first().map_or_else(String::new, |sample| format!(" Example: {}", quoted(sample)))
}
