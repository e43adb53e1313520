//! Sentences of many fields: what they state, and what they do not.

mod airlines;
mod any_words;
mod breweries;
mod bridges;
mod constructions;
mod courts;
mod documents;
mod entries;
mod films;
mod firms;
mod gardens;
mod layouts;
mod lighthouses;
mod names;
mod nested;
mod orchestras;
mod pages;
mod records;
mod references;
mod relational;
mod schools;
mod sentences;
mod services;
mod tables;

use graphwright_core::{Document, Properties, document::TextFormat};
use graphwright_documents::{
    Extraction, Extractor, ParsedDocument,
    extraction::{KnownEntities, KnownEntity},
};
use graphwright_ontology::Ontology;

use super::RulesExtractor;

fn document(source: &str, text: &str) -> ParsedDocument {
    let format = match source.rsplit('.').next() {
        Some("csv") => TextFormat::Csv,
        Some("json") => TextFormat::Json,
        Some("txt") => TextFormat::Plain,
        Some("yaml") => TextFormat::Yaml,
        Some("toml") => TextFormat::Toml,
        _ => TextFormat::Markdown,
    };
    ParsedDocument::from(Document {
        id: source.to_owned(),
        source: source.to_owned(),
        title: source.to_owned(),
        text: text.to_owned(),
        format,
        hash: String::new(),
        metadata: Properties::new(),
    })
}

/// Extracts a document with what its own survey found.
fn extract(ontology: &str, source: &str, text: &str) -> Extraction {
    extract_knowing(ontology, source, text, Vec::new())
}

/// Extracts a document with what its own survey and those of other documents found.
fn extract_knowing(ontology: &str, source: &str, text: &str, mut others: Vec<KnownEntity>) -> Extraction {
    let ontology: Ontology = serde_saphyr::from_str(ontology).unwrap();
    let document = document(source, text);
    let rules = RulesExtractor::default();
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
        others.extend(rules.survey(&document, &ontology).await.unwrap());
        let known = KnownEntities { entities: others.into() };
        rules.extract(&document, &[], &ontology, &known).await.unwrap()
    })
}

/// The names of what is of a type.
fn names_of<'e>(found: &'e Extraction, kind: &str) -> Vec<&'e str> {
    let of_kind = found.entities.iter().filter(|entity| entity.kind == kind);
    of_kind.map(|entity| entity.name.as_str()).collect()
}

/// What a text states, one line each: `X RELATION Y`, `X.property = value`; sorted.
fn stated(ontology: &str, source: &str, text: &str) -> Vec<String> {
    let found = extract(ontology, source, text);
    for fact in &found.facts {
        assert!(text.get(fact.span.range()).is_some(), "span on character boundaries");
    }
    let mut lines: Vec<String> = found
        .facts
        .iter()
        .map(|fact| {
            format!("{} {} {}", found.entities[fact.from].name, fact.kind, found.entities[fact.to].name)
        })
        .collect();
    for entity in &found.entities {
        for property in &entity.properties {
            let value = serde_json::to_value(&property.value).unwrap();
            let shown = match &value {
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Object(tagged) => tagged
                    .values()
                    .filter_map(serde_json::Value::as_str)
                    .next_back()
                    .unwrap_or_default()
                    .to_owned(),
                other => other.to_string(),
            };
            lines.push(format!("{}.{} = {shown}", entity.name, property.name));
        }
    }
    lines.sort();
    lines.dedup();
    lines
}

/// Checks many texts at once and lists all that differ.
fn check(ontology: &str, cases: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let got = stated(ontology, "page.md", text);
        let mut expected: Vec<String> = expected.iter().map(|line| (*line).to_owned()).collect();
        expected.sort();
        if got != expected {
            wrong.push(format!("{text}\n    expected {expected:?}\n    got      {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
