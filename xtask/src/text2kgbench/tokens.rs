//! Measures what reading costs in tokens, with a model that answers from the gold triples.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use anyhow::{Context, Result};
use graphwright_core::{Document, document::TextFormat};
use graphwright_documents::{Extractor, ParsedDocument, extraction::KnownEntities, split::Splitter};
use graphwright_ingest::ModelExtractor;
use graphwright_llm::ScriptedModel;
use graphwright_ontology::Ontology;
use serde_json::{Value as Json, json};

use super::{Sentence, ontologies, ontology, sentences};

pub(crate) fn measure(data: Option<PathBuf>) -> Result<()> {
    let folder = data.context("GRAPHWRIGHT_DATA")?.join("text2kgbench/wikidata_tekgen");
    let runtime = tokio::runtime::Builder::new_multi_thread().build()?;
    for (_, name) in ontologies(&folder)? {
        let text = std::fs::read_to_string(folder.join(format!("ontologies/owl/{name}.ttl")))?;
        let ontology = ontology::convert(&text)?.ontology;
        let all = sentences(&folder, &name)?;
        let (mut words, mut input, mut output, mut requests, mut facts) = (0, 0, 0, 0, 0);
        for part in all.chunks(120) {
            let text: Vec<String> = part
                .chunks(5)
                .map(|five| five.iter().map(|s| s.sent.as_str()).collect::<Vec<_>>().join(" "))
                .collect();
            let text = text.join("\n\n");
            words += text.split_whitespace().count();
            let document = ParsedDocument::from(Document {
                id: "d".into(),
                source: "d".into(),
                title: "Text".into(),
                text,
                format: TextFormat::Markdown,
                hash: String::new(),
                metadata: BTreeMap::default(),
            });
            let gold: Vec<Sentence> = part.to_vec();
            let own = ontology.clone();
            let model = ScriptedModel::answering(move |request| {
                Ok(answer(&gold, &own, &request.messages[1].text()).to_string().into())
            });
            let extractor = ModelExtractor::new(Arc::new(model));
            let chunks = Splitter::default().split(&document);
            let found = runtime.block_on(extractor.extract(
                &document,
                &chunks,
                &ontology,
                &KnownEntities::default(),
            ))?;
            input += found.usage.input_tokens;
            output += found.usage.output_tokens;
            requests += found.usage.requests;
            facts += found.facts.len() + found.entities.iter().map(|e| e.properties.len()).sum::<usize>();
        }
        let per = |n: u64| n as f64 * 1000.0 / words as f64;
        println!(
            "{name}: {words} words, {requests} requests, {facts} facts; per 1000 words: {:.0} in, {:.0} out, {:.0} together",
            per(input),
            per(output),
            per(input + output)
        );
    }
    Ok(())
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
