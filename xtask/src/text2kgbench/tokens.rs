//! Measures what reading costs in tokens, with a model that answers from the gold triples.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use anyhow::{Context, Result};
use graphwright_core::{Document, document::TextFormat};
use graphwright_documents::{
    Extraction, Extractor, ParsedDocument, extraction::KnownEntities, split::Splitter,
};
use graphwright_ingest::ModelExtractor;
use graphwright_llm::{Message, ScriptedModel, Usage};
use graphwright_ontology::Ontology;
use serde_json::{Value as Json, json};

use super::{Sentence, ontologies, ontology, sentences};

/// Number of sentences in a document.
const SENTENCES: usize = 120;

/// Counts for documents made of the sentences of each ontology, and prints a line for each.
pub(crate) fn measure(data: Option<PathBuf>) -> Result<()> {
    let data = data.context("GRAPHWRIGHT_DATA does not name the folder of public data")?;
    let folder = data.join("text2kgbench/wikidata_tekgen");
    let runtime = tokio::runtime::Builder::new_multi_thread().build()?;
    for (_, name) in ontologies(&folder)? {
        let turtle = std::fs::read_to_string(folder.join(format!("ontologies/owl/{name}.ttl")))?;
        let ontology = ontology::convert(&turtle)?.ontology;
        let (mut words, mut facts, mut usage) = (0, 0, Usage::default());
        for part in sentences(&folder, &name)?.chunks(SENTENCES) {
            let document = document_of(part);
            words += document.text.split_whitespace().count();
            let found = runtime.block_on(read(part.to_vec(), &document, &ontology))?;
            usage += found.usage;
            facts += found.facts.len();
            facts += found.entities.iter().map(|entity| entity.properties.len()).sum::<usize>();
        }
        let per = |tokens: u64| tokens as f64 * 1_000.0 / words as f64;
        println!(
            "{name}: {words} words, {} requests, {facts} facts; tokens per 1,000 words: {:.0} sent, {:.0} received, {:.0} in all",
            usage.requests,
            per(usage.input_tokens),
            per(usage.output_tokens),
            per(usage.tokens()),
        );
    }
    Ok(())
}

/// Makes a document of sentences, five in a paragraph.
fn document_of(sentences: &[Sentence]) -> ParsedDocument {
    let paragraph =
        |five: &[Sentence]| five.iter().map(|sentence| sentence.sent.as_str()).collect::<Vec<_>>().join(" ");
    let text: Vec<String> = sentences.chunks(5).map(paragraph).collect();
    ParsedDocument::from(Document {
        id: "text".into(),
        source: "text".into(),
        title: "Text".into(),
        text: text.join("\n\n"),
        format: TextFormat::Markdown,
        hash: String::new(),
        metadata: BTreeMap::default(),
    })
}

async fn read(gold: Vec<Sentence>, document: &ParsedDocument, ontology: &Ontology) -> Result<Extraction> {
    let own = ontology.clone();
    let model = ScriptedModel::answering(move |request| {
        let text = request.messages.get(1).map(Message::text).unwrap_or_default();
        Ok(answer(&gold, &own, &text).to_string().into())
    });
    let chunks = Splitter::default().split(document);
    let extractor = ModelExtractor::new(Arc::new(model));
    Ok(extractor.extract(document, &chunks, ontology, &KnownEntities::default()).await?)
}

/// Writes the gold of the sentences that a request holds, as the request asks for it.
fn answer(gold: &[Sentence], ontology: &Ontology, text: &str) -> Json {
    let numbered: Vec<&str> = text.lines().filter(|line| line.starts_with('[')).collect();
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let number = |sentence: &Sentence, name: &str| {
        let whole = plain(&sentence.sent);
        let inside = numbered
            .iter()
            .enumerate()
            .filter(|(_, line)| line.split_once("] ").is_some_and(|(_, line)| whole.contains(line)));
        let mut inside: Vec<(usize, &&str)> = inside.collect();
        inside.sort_by_key(|(_, line)| !line.contains(name));
        inside.first().map(|(index, _)| index + 1)
    };
    let mut ids: BTreeMap<(String, String), String> = BTreeMap::new();
    let (mut entities, mut facts, mut details) = (Vec::new(), Vec::new(), Vec::new());
    for sentence in gold {
        for triple in &sentence.triples {
            let Some(number) = number(sentence, &triple.obj) else { continue };
            let mut id = |kind: &str, name: &str| {
                let next = format!("e{}", ids.len() + 1);
                ids.entry((kind.to_owned(), name.to_owned()))
                    .or_insert_with(|| {
                        entities.push(json!({"id": next, "type": kind, "name": name}));
                        next
                    })
                    .clone()
            };
            let kind = triple.rel.trim().replace(' ', "_").to_uppercase();
            if let Some(relationship) = ontology.relationships.get(&kind) {
                let (Some(from), Some(to)) = (relationship.from.first(), relationship.to.first()) else {
                    continue;
                };
                let (from, to) = (id(from, &triple.sub), id(to, &triple.obj));
                facts.push(json!({"id": format!("f{}", facts.len() + 1), "from": from, "type": kind, "to": to, "in": [number]}));
            } else if let Some((label, _)) =
                ontology.nodes.iter().find(|(_, node)| node.properties.contains_key(&kind.to_lowercase()))
            {
                details.push(json!({"of": id(label, &triple.sub), "name": kind.to_lowercase(), "value": triple.obj, "in": [number]}));
            }
        }
    }
    json!({"entities": entities, "facts": facts, "details": details})
}
