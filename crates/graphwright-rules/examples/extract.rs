//! Prints what the model-free extractor finds in a folder, one JSON line for each fact and
//! property.
//!
//! `cargo run -p graphwright-ingest --example extract -- --ontology ontology.yaml DIR`

#![expect(clippy::disallowed_methods, reason = "it is a chore whose output a program reads")]

use std::{error::Error, fs, io::Write};

use graphwright_documents::{
    Extractor, ParsedDocument,
    extraction::KnownEntities,
    load::{self, Input, Limits},
};
use graphwright_ontology::Ontology;
use graphwright_rules::RulesExtractor;
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [flag, ontology, folder] = arguments.as_slice() else {
        return Err("usage: extract --ontology FILE DIR".into());
    };
    if flag != "--ontology" {
        return Err("usage: extract --ontology FILE DIR".into());
    }
    let ontology: Ontology = serde_saphyr::from_str(&fs::read_to_string(ontology)?)?;
    let (documents, failed) = load::documents(&[Input::parse(folder)], &Limits::default());
    for failure in failed {
        writeln!(std::io::stderr(), "{}: {}", failure.path, failure.reason)?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(print(&ontology, &documents))
}

async fn print(ontology: &Ontology, documents: &[ParsedDocument]) -> Result<(), Box<dyn Error>> {
    let rules = RulesExtractor::default();
    let started = std::time::Instant::now();
    let mut entities = Vec::new();
    for document in documents {
        entities.extend(rules.survey(document, ontology).await?);
    }
    entities.sort();
    entities.dedup();
    let known = KnownEntities { entities: entities.into() };
    let mut out = std::io::stdout().lock();
    let mut bytes = 0;
    for document in documents {
        bytes += document.text.len();
        let found = rules.extract(document, &[], ontology, &known).await?;
        let entity =
            |index: usize| json!({"type": found.entities[index].kind, "name": found.entities[index].name});
        for fact in &found.facts {
            let line = json!({
                "document": document.source, "text": &document.text[fact.span.range()], "type": fact.kind,
                "from": entity(fact.from), "to": entity(fact.to), "confidence": fact.confidence,
                "properties": fact.properties.iter().map(|(name, value)| (name, format!("{value:?}"))).collect::<std::collections::BTreeMap<_, _>>(),
            });
            writeln!(out, "{line}")?;
        }
        for (index, item) in found.entities.iter().enumerate() {
            for property in &item.properties {
                let line = json!({
                    "document": document.source, "text": &document.text[property.span.range()], "entity": entity(index),
                    "property": property.name, "value": serde_json::to_value(&property.value)?, "confidence": property.confidence,
                });
                writeln!(out, "{line}")?;
            }
        }
        writeln!(
            std::io::stderr(),
            "{}: {} entities, {} facts, dropped {:?}",
            document.source,
            found.entities.len(),
            found.facts.len(),
            found.dropped
        )?;
    }
    writeln!(std::io::stderr(), "{bytes} bytes in {:?}", started.elapsed())?;
    Ok(())
}
