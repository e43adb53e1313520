//! Replays the raw replies that Text2KGBench was published with through the extractor that `ingest` runs with a model.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use graphwright_core::{Chunk, Document, Span, document::TextFormat};
use graphwright_documents::{
    Extractor, ParsedDocument,
    extraction::{KnownEntities, KnownEntity},
};
use graphwright_ingest::ModelExtractor;
use graphwright_llm::ScriptedModel;
use graphwright_ontology::Ontology;
use serde::Deserialize;

use super::{
    GoldTriple, Measures, Scorer, Sentence, Triple, gold, ontologies, ontology, score, sentences, triples,
};

/// A raw reply, with the triples that the benchmark's authors read from it.
#[derive(Debug, Deserialize)]
struct Reply {
    id: String,
    response: String,
    triples: Vec<Vec<String>>,
}

/// Measures of the same replies, as the benchmark's authors read them and as we do.
#[derive(Default)]
struct Pair {
    theirs: Vec<Measures>,
    ours: Vec<Measures>,
}

/// Replays every file of replies of the sets in the folder of public data, and prints a table.
pub(crate) fn replay(data: Option<PathBuf>, show_errors: bool) -> Result<()> {
    let data = data.context("GRAPHWRIGHT_DATA does not name the folder of public data")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().build()?;
    let mut all: Vec<(String, Pair)> = Vec::new();
    for set in ["wikidata_tekgen", "dbpedia_webnlg"] {
        let folder = data.join("text2kgbench").join(set);
        if !folder.exists() {
            continue;
        }
        for (_, name) in ontologies(&folder)? {
            for file in files(&folder, &name)? {
                let pair = runtime.block_on(replay_file(&folder, &name, &file, show_errors))?;
                let model = file
                    .components()
                    .rev()
                    .nth(2)
                    .map(|part| part.as_os_str().to_string_lossy().into_owned());
                print(&format!("{name}, {}", model.unwrap_or_default()), &pair);
                all.push((name.clone(), pair));
            }
        }
    }
    if all.is_empty() {
        bail!("there are no replies in {}", data.join("text2kgbench").display());
    }
    let mean = |of: fn(&Pair) -> &Vec<Measures>| {
        Measures::mean(&all.iter().map(|(_, pair)| Measures::mean(of(pair))).collect::<Vec<_>>())
    };
    print("mean", &Pair { theirs: vec![mean(|pair| &pair.theirs)], ours: vec![mean(|pair| &pair.ours)] });
    Ok(())
}

/// Lists the files with replies about an ontology.
fn files(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for model in fs::read_dir(folder.join("baselines"))? {
        let replies = model?.path().join("llm_responses");
        for file in fs::read_dir(&replies).into_iter().flatten() {
            let path = file?.path();
            let own =
                path.file_name().and_then(|file| file.to_str()).and_then(|file| file.strip_prefix(name));
            if own.is_some_and(|rest| rest.starts_with('_')) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

async fn replay_file(folder: &Path, name: &str, file: &Path, show_errors: bool) -> Result<Pair> {
    let turtle = fs::read_to_string(folder.join(format!("ontologies/owl/{name}.ttl")))?;
    let converted = ontology::convert(&turtle)?;
    let scorer = Scorer::new(&converted.concepts, &converted.relations);
    let about: HashMap<String, Sentence> =
        sentences(folder, name)?.into_iter().map(|sentence| (sentence.id.clone(), sentence)).collect();
    let mut pair = Pair::default();
    for reply in super::read_lines::<Reply>(file)? {
        let Some(sentence) = about.get(&reply.id) else { continue };
        let (document, chunk) = page(sentence);
        let said = reply.response.clone();
        let model = ScriptedModel::answering(move |_| Ok(said.clone().into()));
        let extractor = ModelExtractor::new(Arc::new(model));
        let chunks = std::slice::from_ref(&chunk);
        let found = extractor
            .extract(&document, chunks, &converted.ontology, &subjects(sentence, &converted.ontology))
            .await?;
        let (ours, gold) = (triples(&found)?, gold(sentence));
        let part = |triple: &Vec<String>, index: usize| triple.get(index).cloned().unwrap_or_default();
        let theirs: Vec<Triple> =
            reply.triples.iter().map(|triple| (part(triple, 0), part(triple, 1), part(triple, 2))).collect();
        if show_errors {
            println!("\n{}\nreply   {}", sentence.sent, reply.response.replace('\n', "\n        "));
            for triple in score::wrong(&gold, &ours) {
                let lost = if score::wrong(std::slice::from_ref(triple), &theirs).is_empty() {
                    "LOST"
                } else {
                    "missed"
                };
                println!("{lost} {triple:?}");
            }
            for triple in score::wrong(&ours, &gold) {
                println!("wrong {triple:?}");
            }
            println!(
                "dropped {:?}",
                found.dropped_items.iter().map(|item| (item.reason, &item.what)).collect::<Vec<_>>()
            );
        }
        pair.theirs.push(scorer.score(&sentence.sent, &theirs, &gold));
        pair.ours.push(scorer.score(&sentence.sent, &ours, &gold));
    }
    Ok(pair)
}

/// Puts a sentence below the title of the page that it is from.
///
/// TekGen took the sentences that state an entity's triples from that entity's page of Wikipedia (Agarwal et al., NAACL
/// 2021, section 3.1), so the subjects of the gold are the titles. A title only allows a name that the reply gives.
fn page(sentence: &Sentence) -> (ParsedDocument, Chunk) {
    let titles: BTreeSet<&str> = sentence.triples.iter().map(|triple| triple.sub.as_str()).collect();
    let mut text: String = titles.iter().map(|title| format!("{title}\n\n")).collect();
    let start = text.len();
    text.push_str(&sentence.sent);
    let chunk = Chunk {
        id: sentence.id.clone(),
        document: sentence.id.clone(),
        index: 1,
        span: Span::new(start, text.len()),
        headings: Vec::new(),
        pages: None,
        text: sentence.sent.clone(),
    };
    let document = Document {
        id: sentence.id.clone(),
        source: sentence.id.clone(),
        title: titles.first().map(|&title| title.to_owned()).unwrap_or_default(),
        text,
        format: TextFormat::Plain,
        hash: String::new(),
        metadata: BTreeMap::default(),
    };
    (ParsedDocument::from(document), chunk)
}

/// Returns the entities that the pages are about, as a graph holds them that was built from a list of pages.
fn subjects(sentence: &Sentence, ontology: &Ontology) -> KnownEntities {
    let of_triple = |triple: &GoldTriple| {
        let kind =
            ontology.relationships.get(&triple.rel.trim().replace(' ', "_").to_uppercase())?.from.first()?;
        Some(KnownEntity { kind: kind.clone(), name: triple.sub.clone(), ..KnownEntity::default() })
    };
    let all: BTreeSet<KnownEntity> = sentence.triples.iter().filter_map(of_triple).collect();
    KnownEntities { entities: all.into_iter().collect() }
}

fn print(name: &str, pair: &Pair) {
    let (theirs, ours) = (Measures::mean(&pair.theirs), Measures::mean(&pair.ours));
    println!(
        "{name:<36} F1 {:.3} -> {:.3} ({:+.3}), precision {:.3} -> {:.3}, recall {:.3} -> {:.3}, conformance {:.3} -> {:.3}",
        theirs.f1,
        ours.f1,
        ours.f1 - theirs.f1,
        theirs.precision,
        ours.precision,
        theirs.recall,
        ours.recall,
        theirs.conformance,
        ours.conformance,
    );
}
