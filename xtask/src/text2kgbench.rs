//! Measures the model-free extractor on Text2KGBench (Mihindukulasooriya et al., ISWC 2023; data CC
//! BY-SA 4.0), beside the language model that the benchmark was published with.

mod ontology;
pub(crate) mod replay;
mod score;
pub(crate) mod tokens;

use std::{
    collections::BTreeMap,
    fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use graphwright_core::{Document, Value, document::TextFormat};
use graphwright_documents::{Extraction, ParsedDocument};
use serde::Deserialize;

use self::score::{Measures, Scorer, Triple};
use crate::extraction;

/// What the data folder's README quotes for Vicuna-13B over all ten Wikidata ontologies.
const PUBLISHED: &str =
    "published for Vicuna-13B over all ten ontologies of the set: F1 0.35, conformance 0.84";

/// A sentence with its gold triples.
#[derive(Clone, Debug, Deserialize)]
struct Sentence {
    id: String,
    sent: String,
    triples: Vec<GoldTriple>,
}

#[derive(Clone, Debug, Deserialize)]
struct GoldTriple {
    sub: String,
    rel: String,
    obj: String,
}

/// Statements of the language model, with the measures that the benchmark's authors took.
#[derive(Debug, Deserialize)]
struct Baseline {
    id: String,
    precision: String,
    recall: String,
    f1: String,
    onto_conf: String,
    sub_halluc: String,
    rel_halluc: String,
    obj_halluc: String,
    #[cfg(test)]
    llm_triples: Vec<Vec<String>>,
}

/// Measures of one ontology.
struct Row {
    name: String,
    stated: usize,
    right: usize,
    ours: Measures,
    baseline: Measures,
}

/// Scores the ontologies with these numbers in the folder of public data, and prints a table.
pub(crate) fn score(data: Option<PathBuf>, numbers: &RangeInclusive<usize>, show_errors: bool) -> Result<()> {
    let Some(data) = data else {
        println!("Text2KGBench: skipped, since GRAPHWRIGHT_DATA does not name the folder of public data");
        return Ok(());
    };
    let folder = data.join("text2kgbench/wikidata_tekgen");
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut rows = Vec::new();
    for (number, name) in ontologies(&folder)? {
        if numbers.contains(&number) {
            rows.push((number, runtime.block_on(score_ontology(&folder, &name, show_errors))?));
        }
    }
    if rows.is_empty() {
        bail!(
            "no ontology of {} has a number from {} to {}",
            folder.display(),
            numbers.start(),
            numbers.end()
        );
    }
    print(&rows);
    Ok(())
}

/// Parses `1-5` or `3`.
pub(crate) fn parse_numbers(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err(format!("'{text}' is neither a number nor a range as 1-5")),
    }
}

/// Lists the ontologies by number and name: `ont_1_movie.ttl` is 1, `ont_1_movie`.
fn ontologies(folder: &Path) -> Result<Vec<(usize, String)>> {
    let folder = folder.join("ontologies/owl");
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(".ttl") else { continue };
        let number = name.split('_').nth(1).and_then(|number| number.parse().ok());
        found.push((number.with_context(|| format!("no number in {name}"))?, name.to_owned()));
    }
    found.sort();
    Ok(found)
}

async fn score_ontology(folder: &Path, name: &str, show_errors: bool) -> Result<Row> {
    let path = folder.join(format!("ontologies/owl/{name}.ttl"));
    let converted = ontology::convert(&fs::read_to_string(&path)?)
        .with_context(|| format!("cannot read {}", path.display()))?;
    converted.ontology.require_valid(&path)?;
    let scorer = Scorer::new(&converted.concepts, &converted.relations);
    let sentences = sentences(folder, name)?;
    let documents: Vec<ParsedDocument> = sentences.iter().map(document).collect();
    let mut found = Vec::new();
    let (mut stated, mut right) = (0, 0);
    let extractions = extraction::extract(&converted.ontology, &documents).await?;
    for (sentence, extraction) in sentences.iter().zip(&extractions) {
        let triples = triples(extraction)?;
        let gold = gold(sentence);
        let wrong = score::wrong(&triples, &gold);
        stated += triples.len();
        right += triples.len() - wrong.len();
        if show_errors {
            for triple in score::wrong(&gold, &triples) {
                println!("missed  {triple:?}: {}", sentence.sent);
            }
            for triple in &wrong {
                println!("wrong   {triple:?}: {}", sentence.sent);
            }
        }
        found.push(scorer.score(&sentence.sent, &triples, &gold));
    }
    let baseline: Vec<Measures> = baselines(folder, name)?.iter().map(published).collect::<Result<_>>()?;
    Ok(Row {
        name: format!("{name} ({} sentences)", sentences.len()),
        stated,
        right,
        ours: Measures::mean(&found),
        baseline: Measures::mean(&baseline),
    })
}

fn sentences(folder: &Path, name: &str) -> Result<Vec<Sentence>> {
    read_lines(&folder.join(format!("ground_truth/{name}_ground_truth.jsonl")))
}

fn baselines(folder: &Path, name: &str) -> Result<Vec<Baseline>> {
    read_lines(&folder.join(format!("baselines/Vicuna-13B/eval_metrics/{name}_llm_stats.jsonl")))
}

fn read_lines<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).with_context(|| format!("{}: {line}", path.display())))
        .collect()
}

/// A sentence as a document without a title, which would be a name that the sentence does not have.
fn document(sentence: &Sentence) -> ParsedDocument {
    ParsedDocument::from(Document {
        id: sentence.id.clone(),
        source: sentence.id.clone(),
        title: String::new(),
        text: sentence.sent.clone(),
        format: TextFormat::Plain,
        hash: String::new(),
        metadata: BTreeMap::default(),
    })
}

fn gold(sentence: &Sentence) -> Vec<Triple> {
    let triples = sentence.triples.iter();
    triples.map(|triple| (triple.sub.clone(), triple.rel.clone(), triple.obj.clone())).collect()
}

/// Returns the facts, and the properties with one triple for each value.
fn triples(extraction: &Extraction) -> Result<Vec<Triple>> {
    let name = |index: usize| extraction.entities[index].name.clone();
    let mut triples: Vec<Triple> = extraction
        .facts
        .iter()
        .map(|fact| (name(fact.from), fact.kind.to_lowercase(), name(fact.to)))
        .collect();
    for entity in &extraction.entities {
        for property in &entity.properties {
            for value in property.value.as_list().unwrap_or(std::slice::from_ref(&property.value)) {
                triples.push((entity.name.clone(), property.name.clone(), shown(value)?));
            }
        }
    }
    triples.sort();
    triples.dedup();
    Ok(triples)
}

/// Formats a value as the benchmark does: a date as `01 January 2010`.
fn shown(value: &Value) -> Result<String> {
    Ok(match value {
        Value::Date(date) => date.strftime("%d %B %Y").to_string(),
        Value::String(text) => text.clone(),
        other => serde_json::to_string(other)?,
    })
}

/// Returns the measures that the benchmark's authors took of the language model on a sentence.
fn published(baseline: &Baseline) -> Result<Measures> {
    let number = |text: &str| text.parse().with_context(|| format!("{}: '{text}' is no number", baseline.id));
    Ok(Measures {
        precision: number(&baseline.precision)?,
        strict_precision: f64::NAN,
        recall: number(&baseline.recall)?,
        f1: number(&baseline.f1)?,
        conformance: number(&baseline.onto_conf)?,
        subject_hallucination: number(&baseline.sub_halluc)?,
        relation_hallucination: number(&baseline.rel_halluc)?,
        object_hallucination: number(&baseline.obj_halluc)?,
    })
}

fn print(rows: &[(usize, Row)]) {
    println!(
        "Text2KGBench, Wikidata ontologies, all test sentences; hallucination of subject/relation/object"
    );
    println!(
        "{:<38} {:>6} {:>6} {:>6} {:>6} {:>6}  hallucinated",
        "", "prec.", "strict", "recall", "F1", "conf."
    );
    for (_, row) in rows {
        println!("{}, {} of {} stated triples in the gold", row.name, row.right, row.stated);
        print_pair(&row.ours, &row.baseline);
    }
    for (name, numbers) in
        [("mean of 1-3", 1..=3), ("mean of the others", 4..=usize::MAX), ("mean", 0..=usize::MAX)]
    {
        let chosen = || rows.iter().filter(|(number, _)| numbers.contains(number)).map(|(_, row)| row);
        if chosen().next().is_some() {
            println!("{name}");
            let ours: Vec<Measures> = chosen().map(|row| row.ours).collect();
            let baseline: Vec<Measures> = chosen().map(|row| row.baseline).collect();
            print_pair(&Measures::mean(&ours), &Measures::mean(&baseline));
        }
    }
    println!("{PUBLISHED}");
}

fn print_pair(ours: &Measures, baseline: &Measures) {
    print_measures("rules", ours);
    print_measures("Vicuna-13B, as published with the data", baseline);
}

fn print_measures(name: &str, measures: &Measures) {
    let strict = match measures.strict_precision {
        unknown if unknown.is_nan() => "-".to_owned(),
        known => format!("{known:.3}"),
    };
    println!(
        "{name:<38} {:>6.3} {strict:>6} {:>6.3} {:>6.3} {:>6.3}  {:.3} {:.3} {:.3}",
        measures.precision,
        measures.recall,
        measures.f1,
        measures.conformance,
        measures.subject_hallucination,
        measures.relation_hallucination,
        measures.object_hallucination,
    );
}

#[cfg(test)]
mod tests;
