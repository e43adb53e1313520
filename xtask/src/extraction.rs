//! Measures precision and recall of the model-free extractor on the corpora with gold facts.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use graphwright_core::Document;
use graphwright_documents::{
    Extraction, Extractor, ParsedDocument,
    extraction::KnownEntities,
    load::{self, Input, Limits},
};
use graphwright_eval::corpus::{FactKey, fact_key, gold_key, percent, property_key};
use graphwright_ontology::Ontology;
use graphwright_rules::RulesExtractor;
use serde_json::Value;

/// Counts of one corpus.
#[derive(Debug, Default)]
struct Score {
    found: usize,
    right: usize,
    gold: usize,
    /// Counts by kind of sentence: gold facts, found ones, false facts, stated ones.
    kinds: BTreeMap<String, [usize; 4]>,
}

/// Scores the corpora in folders, or all of the repository if none is named, and prints a table.
pub(crate) fn score(folders: &[PathBuf], show_errors: bool) -> Result<()> {
    let folders = if folders.is_empty() { corpora()? } else { folders.to_vec() };
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut total = Score::default();
    for folder in &folders {
        let score = runtime.block_on(score_corpus(folder, show_errors))?;
        print(&folder.display().to_string(), &score);
        total.found += score.found;
        total.right += score.right;
        total.gold += score.gold;
        for (kind, counts) in score.kinds {
            let all = total.kinds.entry(kind).or_default();
            for (sum, count) in all.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }
    print("all", &total);
    Ok(())
}

/// Finds the folders of the repository that hold documents with gold facts.
pub(crate) fn corpora() -> Result<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for folder in ["examples", "crates/graphwright-rules/tests/corpora"] {
        for entry in fs::read_dir(root.join(folder)).into_iter().flatten() {
            let path = entry?.path();
            if path.join("gold.jsonl").exists() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

async fn score_corpus(folder: &Path, show_errors: bool) -> Result<Score> {
    let ontology = fs::read_to_string(folder.join("ontology.yaml"))?;
    let ontology: Ontology = serde_saphyr::from_str(&ontology).context("the ontology does not parse")?;
    let (documents, failed) = load::documents(&[Input::Path(folder.join("documents"))], &Limits::default());
    for failure in failed {
        println!("not read: {} {}", failure.path, failure.reason);
    }
    let mut stated = BTreeSet::new();
    for (document, found) in documents.iter().zip(extract(&ontology, &documents).await?) {
        stated.extend(self::stated(document, &found)?);
    }
    let mut score = Score { found: stated.len(), ..Score::default() };
    let mut holding = BTreeSet::new();
    for line in fs::read_to_string(folder.join("gold.jsonl"))?.lines().filter(|line| !line.trim().is_empty())
    {
        let gold: Value = serde_json::from_str(line)?;
        let key = gold_key(&gold).with_context(|| format!("not a gold fact: {line}"))?;
        let counts = score.kinds.entry(gold["kind"].as_str().unwrap_or("other").to_owned()).or_default();
        if gold["holds"] == Value::Bool(true) {
            if !holding.insert(key.clone()) {
                continue;
            }
            counts[0] += 1;
            counts[1] += usize::from(stated.contains(&key));
            score.gold += 1;
            if show_errors && !stated.contains(&key) {
                println!("missed  {key:?}: {}", gold["text"]);
            }
        } else {
            counts[2] += 1;
            counts[3] += usize::from(stated.contains(&key));
        }
    }
    score.right = stated.intersection(&holding).count();
    if show_errors {
        for wrong in stated.difference(&holding) {
            println!("wrong   {wrong:?}");
        }
    }
    Ok(score)
}

/// Extracts documents as one corpus: first the names that each introduces, then each document with
/// the names of all. Returns one extraction for each document, in order.
pub(crate) async fn extract(ontology: &Ontology, documents: &[ParsedDocument]) -> Result<Vec<Extraction>> {
    let rules = RulesExtractor::default();
    let mut entities = Vec::new();
    for document in documents {
        entities.extend(rules.survey(document, ontology).await?);
    }
    entities.sort();
    entities.dedup();
    let known = KnownEntities { entities: entities.into() };
    let mut extractions = Vec::with_capacity(documents.len());
    for document in documents {
        extractions.push(rules.extract(document, &[], ontology, &known).await?);
    }
    Ok(extractions)
}

fn stated(document: &Document, found: &Extraction) -> Result<Vec<FactKey>> {
    let mut stated = Vec::new();
    for fact in &found.facts {
        let (from, to) = (&found.entities[fact.from], &found.entities[fact.to]);
        stated.push(fact_key(&document.source, &fact.kind, &from.name, &to.name));
    }
    for entity in &found.entities {
        for property in &entity.properties {
            let value = serde_json::to_value(&property.value)?;
            stated.push(property_key(&document.source, &entity.kind, &property.name, &entity.name, &value));
        }
    }
    Ok(stated)
}

fn print(name: &str, score: &Score) {
    println!(
        "{name}: precision {:.1} ({}/{}), recall {:.1} ({}/{})",
        percent(score.right, score.found),
        score.right,
        score.found,
        percent(score.right, score.gold),
        score.right,
        score.gold
    );
    for (kind, [gold, found, untrue, stated]) in &score.kinds {
        println!(
            "    {kind:<14} found {found:>3} of {gold:>3}   stated though false {stated:>2} of {untrue:>2}"
        );
    }
}
