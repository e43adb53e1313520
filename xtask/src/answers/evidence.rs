//! Counts for how many questions the answer is in the evidence that the built command gathers: what a perfect reader of it
//! could answer.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail, ensure};
use fancy_regex::Regex;
use graphwright_eval::corpus::{percent, read_lines};
use serde_json::{Value, json};

use super::run;

/// The budgets of the evidence, in tokens. The floor holds for the first.
const BUDGETS: [u64; 2] = [2_000, 6_000];

/// Prints a table by set and by half of the questions: odd numbers may have been looked at, even ones not.
pub(super) fn score(sets: &[impl AsRef<Path>], binary: &Path, floor: f64, errors: bool) -> Result<()> {
    let header = BUDGETS.map(|tokens| format!("in {tokens} tokens"));
    println!("{:<12} {:>20} {:>8} {:>20} {:>8}", "", header[0], "even", header[1], "even");
    let mut total = [Tally::default(); BUDGETS.len()];
    for set in sets {
        let (folder, mut counts) = (set.as_ref(), [Tally::default(); BUDGETS.len()]);
        let questions = answerable(folder)?;
        let place = tempfile::tempdir()?;
        build(folder, binary, place.path())?;
        for ((tokens, count), total) in BUDGETS.into_iter().zip(&mut counts).zip(&mut total) {
            for (question, text) in questions.iter().zip(contexts(binary, place.path(), &questions, tokens)?)
            {
                let (is_in, is_even) = (states(question, &text)?, number(question).is_multiple_of(2));
                if errors && !is_in {
                    println!("{tokens}: {} {}", question["id"], question["question"]);
                }
                count.add(is_in, is_even);
                total.add(is_in, is_even);
            }
        }
        print(&folder.file_name().unwrap_or_default().to_string_lossy(), counts);
    }
    print("all", total);
    let reached = percent(total[0].right, total[0].all);
    if reached < floor {
        bail!(
            "the answer is in {reached:.1} % of the texts of {} tokens; the floor is {floor} %",
            BUDGETS[0]
        );
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    right: usize,
    all: usize,
    even_right: usize,
    even: usize,
}

impl Tally {
    fn add(&mut self, right: bool, even: bool) {
        self.right += usize::from(right);
        self.all += 1;
        self.even_right += usize::from(right && even);
        self.even += usize::from(even);
    }
}

fn print(name: &str, counts: [Tally; BUDGETS.len()]) {
    print!("{name:<12}");
    for Tally { right, all, even_right, even } in counts {
        let share = format!("{right}/{all} {:>5.1} %", percent(right, all));
        print!(" {share:>20} {:>8}", format!("{even_right}/{even}"));
    }
    println!();
}

fn number(question: &Value) -> u64 {
    question["id"].as_u64().unwrap_or_default()
}

/// The questions that the documents answer and that want more than a verdict.
fn answerable(folder: &Path) -> Result<Vec<Value>> {
    let mut questions = read_lines(&folder.join("questions.jsonl"))?;
    let wants =
        |question: &Value| ["gold", "all_of"].iter().any(|field| !patterns(question, field).is_empty());
    questions.retain(|question| question["answerable"] == true && wants(question));
    ensure!(!questions.is_empty(), "no question of {} has an answer", folder.display());
    Ok(questions)
}

/// Builds the graph of a set in a folder.
pub(crate) fn build(set: &Path, binary: &Path, folder: &Path) -> Result<()> {
    let (ontology, documents) = (set.join("ontology.yaml"), set.join("docs"));
    let ingest = ["ingest", "--extractor", "rules", "--quiet", "--ontology"].map(Path::new);
    run(binary, &folder.join("store"), &[&ingest[..], &[&ontology, &documents]].concat(), None).map(drop)
}

/// The texts that `context` prints for the questions.
fn contexts(binary: &Path, folder: &Path, questions: &[Value], tokens: u64) -> Result<Vec<String>> {
    let (store, input) = (folder.join("store"), folder.join("questions.jsonl"));
    let lines: Vec<String> = questions
        .iter()
        .map(|question| json!({"id": question["id"], "question": question["question"]}).to_string())
        .collect();
    fs::write(&input, lines.join("\n"))?;
    let budget = tokens.to_string();
    let command = ["context", "--batch", "--evidence-tokens", &budget].map(Path::new);
    let output = run(binary, &store, &command, Some(&input))?;
    let text = |line: &str| -> Result<String> {
        let evidence: Value = serde_json::from_str(line)?;
        Ok(evidence["context"]["text"].as_str().with_context(|| line.to_owned())?.to_owned())
    };
    let texts: Vec<String> = output.lines().map(text).collect::<Result<_>>()?;
    ensure!(texts.len() == questions.len(), "{} of {} texts", texts.len(), questions.len());
    Ok(texts)
}

/// Tells whether a text has one of the answers and all that must be there.
fn states(question: &Value, text: &str) -> Result<bool> {
    let found = |pattern: &str| -> Result<bool> { Ok(regex(pattern)?.is_match(text)?) };
    for pattern in patterns(question, "all_of") {
        if !found(pattern)? {
            return Ok(false);
        }
    }
    let gold = patterns(question, "gold");
    for pattern in &gold {
        if found(pattern)? {
            return Ok(true);
        }
    }
    Ok(gold.is_empty())
}

pub(crate) fn patterns<'a>(question: &'a Value, field: &str) -> Vec<&'a str> {
    question[field].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Small and capital letters are the same, and a dot is any character. The patterns of public sets look ahead.
pub(crate) fn regex(pattern: &str) -> Result<Regex> {
    Regex::new(&format!("(?is){pattern}")).with_context(|| format!("{pattern} is no regular expression"))
}
