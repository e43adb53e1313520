//! Builds the request: the ontology in words, examples, the schema of the reply, and the sentences.

use std::fmt::Write;

use graphwright_core::{
    names,
    text::{quotable, shorten},
};
use graphwright_documents::extraction::{KnownEntities, KnownEntity};
use graphwright_llm::{ChatRequest, Message, OutputFormat, ReasoningEffort};
use graphwright_ontology::{DataType, Ontology, PropertyType};
use indexmap::{IndexMap, IndexSet};
use serde_json::{Value, json};

use super::{
    examples,
    locate::{self, Words},
    window::Window,
};

const PROMPT: &str = include_str!("prompt.txt");

/// The rule of the prompt on types, and the one in its place where new types may come in.
const CLOSED: &str = "- Use only the types below. Leave out what fits none of them.";
const OPEN: &str = "- Use the types below. Only what matters in the text and fits none of them has a type of its own: a general word, in \
                    PascalCase for entities and UPPER_SNAKE_CASE for facts.";

/// Maximum tokens of a reply. No window needs more, but small models may repeat themselves
/// forever.
const MOST_REPLY_TOKENS: u32 = 8_192;

/// Maximum number of known names in a request. More would drown the text.
const MOST_KNOWN_NAMES: usize = 60;

/// Bytes of a reply that are quoted where it is faulty.
const MOST_QUOTED: usize = 4_000;

/// The part of all requests under one ontology that is the same. It comes first, so that providers can cache it.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) system: String,
    pub(super) schema: Value,
}

impl Frame {
    pub(super) fn new(ontology: &Ontology, descriptions: bool, open: bool) -> Self {
        Self { system: system(ontology, descriptions, open), schema: schema(ontology, descriptions, open) }
    }

    pub(super) fn request(&self, text: String) -> ChatRequest {
        let output =
            OutputFormat::LenientJsonSchema { name: "knowledge".to_owned(), schema: self.schema.clone() };
        ChatRequest {
            output,
            temperature: Some(0.0),
            // Reading needs no thoughts, and they cost.
            reasoning_effort: Some(ReasoningEffort::Minimal),
            max_tokens: Some(MOST_REPLY_TOKENS),
            ..ChatRequest::new(self.system.clone(), text)
        }
    }
}

/// Asks again after a reply that cannot be used, and quotes what is wrong with it.
pub(super) fn again(mut request: ChatRequest, reply: &str, faults: &str) -> ChatRequest {
    let faults = if faults.is_empty() { "- it is not the JSON object that was asked for" } else { faults };
    let ask = format!(
        "This cannot be used:\n{faults}\nWrite the whole JSON object again, without these faults and without other words."
    );
    let said = shorten(reply.trim(), MOST_QUOTED);
    // Not every provider takes an empty message.
    request.messages.push(Message::assistant(if said.is_empty() { "{}".to_owned() } else { said }));
    request.messages.push(Message::user(ask));
    request
}

/// Builds the system prompt.
pub(super) fn system(ontology: &Ontology, descriptions: bool, open: bool) -> String {
    let mut text = if open { PROMPT.replace(CLOSED, OPEN) } else { PROMPT.to_owned() };
    if descriptions {
        text.push_str(
            "Give each entity and fact a detail \"description\": one short sentence in words of the text.\n",
        );
    }
    text.push_str("\nTypes of entities:\n");
    for (label, node) in &ontology.nodes {
        let _ = write!(text, "- {label}");
        write_words(&mut text, &node.description, &node.synonyms);
        write_properties(&mut text, &node.properties, node.key.as_deref().unwrap_or(names::NAME));
    }
    text.push_str("\nTypes of facts:\n");
    for (kind, relationship) in &ontology.relationships {
        let ends = |labels: &[String]| if labels.is_empty() { "any".to_owned() } else { labels.join(" or ") };
        let _ = write!(text, "- {kind} (from {}, to {})", ends(&relationship.from), ends(&relationship.to));
        let phrases: Vec<String> = relationship.cues.iter().chain(&relationship.synonyms).cloned().collect();
        write_words(&mut text, &relationship.description, &phrases);
        write_properties(&mut text, &relationship.properties, "");
    }
    if !ontology.instructions.trim().is_empty() {
        let _ = write!(text, "\nInstructions for these documents:\n{}\n", ontology.instructions.trim());
    }
    for (example, reply) in examples::of(ontology) {
        let _ = write!(text, "\nExample:\n{example}\n{reply}\n");
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

/// Writes the sentences of a window, with what helps to understand them. `found` are names that an earlier passage over
/// the same text found.
///
/// Every line of the document's begins with a number or a word of ours, so that nothing in it looks like a part of the
/// request.
pub(super) fn text(window: &Window<'_>, known: &KnownEntities, found: &str) -> String {
    let mut text = format!("Document: {}\n", on_one_line(&window.document.title));
    let words = Words::new(window.text());
    let names: Vec<&KnownEntity> = known
        .entities
        .iter()
        .filter(|entity| locate::mentions(&words, entity))
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
    let before = window.before.first().zip(window.before.last());
    if let Some(before) = before.and_then(|(first, last)| window.document.text.get(first.start..last.end)) {
        let _ = writeln!(text, "Before, only to understand the rest: {}", on_one_line(before));
    }
    text.push_str("Sentences:\n");
    let mut under: Option<&[String]> = None;
    for (index, sentence) in window.sentences.iter().enumerate() {
        let headings = sentence.chunk.headings.as_slice();
        if under.replace(headings) != Some(headings) && !headings.is_empty() {
            let _ = writeln!(text, "Under: {}", on_one_line(&headings.join(" > ")));
        }
        let inside = window.document.text.get(sentence.span.range()).unwrap_or_default();
        let _ = writeln!(text, "[{}] {}", index + 1, on_one_line(inside));
    }
    if !found.is_empty() {
        let _ = write!(
            text,
            "These facts were found before:\n{found}Write only what else the sentences state.\n"
        );
    }
    text
}

fn on_one_line(text: &str) -> String {
    quotable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Builds the schema of the reply.
///
/// What only few entities and facts have is a list of its own, since every part of an object must be required for
/// providers that keep a schema strictly.
fn schema(ontology: &Ontology, descriptions: bool, open: bool) -> Value {
    let labels: IndexSet<&str> = ontology.nodes.keys().map(String::as_str).collect();
    let kinds: IndexSet<&str> = ontology.relationships.keys().map(String::as_str).collect();
    let of_entities = ontology.nodes.values().flat_map(|node| node.properties.keys());
    let of_facts = ontology.relationships.values().flat_map(|relationship| relationship.properties.keys());
    let own = ["alias", "status", names::VALID_FROM, names::VALID_TO, names::CONFIDENCE];
    let own = own.into_iter().chain(descriptions.then_some(names::DESCRIPTION));
    let details: IndexSet<&str> = own.chain(of_entities.chain(of_facts).map(String::as_str)).collect();
    let text = json!({"type": "string"});
    let sentences = json!({"type": "array", "items": {"type": "integer"}});
    let list = |of: &Value| json!({"type": "array", "items": object(of)});
    let kind = |names: &IndexSet<&str>| if open { text.clone() } else { choice(names) };
    object(&json!({
        "entities": list(&json!({"id": text, "type": kind(&labels), "name": text})),
        "facts": list(&json!({"id": text, "from": text, "type": kind(&kinds), "to": text, "in": sentences})),
        "details": list(&json!({"of": text, "name": choice(&details), "value": text, "in": sentences})),
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
fn choice(names: &IndexSet<&str>) -> Value {
    if names.is_empty() { json!({"type": "string"}) } else { json!({"type": "string", "enum": names}) }
}
