//! Builds the request: the ontology in words, the schema of the reply, and the passage.

use std::fmt::Write;

use graphwright_core::{Chunk, Document, text::quotable};
use graphwright_documents::extraction::{KnownEntities, KnownEntity};
use graphwright_llm::{ChatRequest, OutputFormat, ReasoningEffort};
use graphwright_ontology::{DataType, Ontology, PropertyType};
use indexmap::{IndexMap, IndexSet};
use serde_json::{Value, json};

use super::locate;

const PROMPT: &str = include_str!("prompt.txt");

/// Maximum tokens of a reply. No passage needs more, but small models may repeat themselves
/// forever.
const MOST_REPLY_TOKENS: u32 = 8_192;

/// Maximum number of known names in a request. More would drown the passage.
const MOST_KNOWN_NAMES: usize = 60;

pub(super) fn for_chunk(
    document: &Document,
    chunk: &Chunk,
    ontology: &Ontology,
    known: &KnownEntities,
) -> ChatRequest {
    let output = OutputFormat::LenientJsonSchema { name: "knowledge".to_owned(), schema: schema(ontology) };
    ChatRequest {
        output,
        temperature: Some(0.0),
        // Reading needs no thoughts, and they cost.
        reasoning_effort: Some(ReasoningEffort::Minimal),
        max_tokens: Some(MOST_REPLY_TOKENS),
        ..ChatRequest::new(system(ontology), passage(document, chunk, known))
    }
}

/// Builds the system prompt. It is equal for all passages, so that providers can cache it.
pub(super) fn system(ontology: &Ontology) -> String {
    let mut text = format!("{PROMPT}\nTypes of entities:\n");
    for (label, node) in &ontology.nodes {
        let _ = write!(text, "- {label}");
        write_words(&mut text, &node.description, &node.synonyms);
        write_properties(&mut text, &node.properties, node.key.as_deref().unwrap_or("name"));
    }
    text.push_str("\nTypes of facts:\n");
    for (kind, relationship) in &ontology.relationships {
        let ends = |labels: &[String]| if labels.is_empty() { "any".to_owned() } else { labels.join(" or ") };
        let _ = write!(text, "- {kind} (from {}, to {})", ends(&relationship.from), ends(&relationship.to));
        let phrases: Vec<String> = relationship.cues.iter().chain(&relationship.synonyms).cloned().collect();
        write_words(&mut text, &relationship.description, &phrases);
        write_properties(&mut text, &relationship.properties, "");
    }
    text
}

fn write_words(text: &mut String, description: &str, synonyms: &[String]) {
    if !description.is_empty() {
        let _ = write!(text, ": {description}");
    }
    if !synonyms.is_empty() {
        let _ = write!(text, " (also: {})", synonyms.join(", "));
    }
    text.push('\n');
}

fn write_properties(text: &mut String, properties: &IndexMap<String, PropertyType>, key: &str) {
    for (name, property) in properties.iter().filter(|(name, _)| *name != key) {
        let _ = write!(text, "  - property {name}: {}", kind_in_words(&property.kind));
        if !property.values.is_empty() {
            let values: Vec<String> = property.values.iter().map(ToString::to_string).collect();
            let _ = write!(text, ", one of {}", values.join(", "));
        }
        write_words(text, &property.description, &property.synonyms);
    }
}

fn kind_in_words(kind: &DataType) -> String {
    match kind {
        DataType::String => "text".to_owned(),
        DataType::Integer => "whole number".to_owned(),
        DataType::Float => "number".to_owned(),
        DataType::Boolean => "true or false".to_owned(),
        DataType::Date => "date as YYYY-MM-DD".to_owned(),
        DataType::DateTime => "date and time as YYYY-MM-DDThh:mm:ss".to_owned(),
        DataType::Duration => "duration as PnDTnHnM".to_owned(),
        DataType::Point => "longitude and latitude as \"x, y\"".to_owned(),
        DataType::List(item) => format!("list, separated by commas, of {}", kind_in_words(item)),
    }
}

fn passage(document: &Document, chunk: &Chunk, known: &KnownEntities) -> String {
    let mut text = format!("Document: {}\n", on_one_line(&document.title));
    if !chunk.headings.is_empty() {
        let _ = writeln!(text, "Under: {}", on_one_line(&chunk.headings.join(" > ")));
    }
    let names: Vec<&KnownEntity> = known
        .entities
        .iter()
        .filter(|entity| locate::mentions(&chunk.text, entity))
        .take(MOST_KNOWN_NAMES)
        .collect();
    if !names.is_empty() {
        text.push_str("Known names:\n");
        for KnownEntity { kind, name, aliases, .. } in names {
            let aliases: Vec<String> = aliases.iter().map(|alias| on_one_line(alias)).collect();
            let _ = write!(text, "- {} ({kind})", on_one_line(name));
            write_words(&mut text, "", &aliases);
        }
    }
    // No line of the passage is its end.
    let quoted = format!("\n{}\n", quotable(&chunk.text)).replace("\n>>>", "\n >>>");
    let _ = write!(text, "Passage:\n<<<{quoted}>>>");
    text
}

fn on_one_line(text: &str) -> String {
    quotable(text).replace('\n', " ")
}

/// Builds the schema of the reply.
///
/// Properties are lists of names and values, since not every provider accepts free keys.
pub(super) fn schema(ontology: &Ontology) -> Value {
    let labels: Vec<&String> = ontology.nodes.keys().collect();
    let of_entities = ontology.nodes.values().flat_map(|node| node.properties.keys());
    let of_facts = ontology.relationships.values().flat_map(|relationship| relationship.properties.keys());
    let status = json!({"type": "string", "enum": ["holds", "denied", "not_current"]});
    let (text, confidence) = (json!({"type": "string"}), json!({"type": "number"}));
    let entity = object(&json!({
        "type": {"type": "string", "enum": labels},
        "name": text,
        "aliases": {"type": "array", "items": text},
        "properties": {"type": "array", "items": object(&json!({
            "name": choice(&of_entities.collect()), "value": text, "evidence": text, "confidence": confidence,
        }))},
    }));
    let fact = object(&json!({
        "from": text,
        "from_type": {"type": "string", "enum": labels},
        "type": choice(&ontology.relationships.keys().collect()),
        "to": text,
        "to_type": {"type": "string", "enum": labels},
        "evidence": text,
        "confidence": confidence,
        "status": status,
        "properties": {"type": "array", "items": object(&json!({"name": choice(&of_facts.collect()), "value": text}))},
    }));
    object(&json!({
        "entities": {"type": "array", "items": entity},
        "facts": {"type": "array", "items": fact},
    }))
}

/// Builds an object schema with all properties required and no others allowed, as every provider's
/// strict mode demands.
fn object(properties: &Value) -> Value {
    let required: Vec<&String> = properties.as_object().map(|map| map.keys().collect()).unwrap_or_default();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// Builds a schema for one of `names`. Without names it allows any text, since an empty enumeration
/// is invalid.
fn choice(names: &IndexSet<&String>) -> Value {
    if names.is_empty() { json!({"type": "string"}) } else { json!({"type": "string", "enum": names}) }
}
