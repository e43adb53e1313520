//! Counts how many of the corpora's questions the built command answers right, from their documents
//! and from their gold facts.

pub(crate) mod evidence;
mod gold;

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use graphwright_eval::corpus::{explain, is_right, read_lines};
use serde_json::{Value, json};

/// What to score, and what must be reached.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Folders with documents, ontology, gold facts and questions; all of the repository when none is named
    folders: Vec<PathBuf>,
    /// Lists what was asked, wanted and got
    #[arg(long)]
    errors: bool,
    /// Instead, tells for how many questions of these public sets the answer is in the evidence that `context` gathers: folders with
    /// `docs`, `ontology.yaml` and `questions.jsonl` that has regular expressions for the answers
    #[arg(long, value_name = "FOLDER", num_args = 1.., conflicts_with_all = ["folders", "floor", "gold_floor"])]
    evidence: Vec<PathBuf>,
    /// With `--evidence`: fails below this share within 2,000 tokens, in percent
    #[arg(long, default_value_t = 0.0)]
    evidence_floor: f64,
    /// The command to ask; the one that stands beside this program when none is named
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Fails below this share of right answers from documents, in percent
    #[arg(long, default_value_t = 0.0)]
    floor: f64,
    /// Fails below this share of right answers from gold facts, in percent
    #[arg(long, default_value_t = 0.0)]
    gold_floor: f64,
}

/// Origin of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// Extracted from the documents by the rules.
    Documents,
    /// Written from the gold facts, as by a perfect extractor. What is still wrong lies in the
    /// question.
    Gold,
}

/// Number of right answers by source, and of all questions.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    documents: usize,
    gold: usize,
    all: usize,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.documents += other.documents;
        self.gold += other.gold;
        self.all += other.all;
    }

    fn percent(self, source: Source) -> f64 {
        let right = if source == Source::Documents { self.documents } else { self.gold };
        100.0 * right as f64 / self.all.max(1) as f64
    }
}

/// Asks all questions and prints a table by corpus and by kind of question.
pub(crate) fn score(options: &Options) -> Result<()> {
    let folders =
        if options.folders.is_empty() { crate::extraction::corpora()? } else { options.folders.clone() };
    let binary = binary(options.binary.as_deref())?;
    if !options.evidence.is_empty() {
        return evidence::score(&options.evidence, &binary, options.evidence_floor, options.errors);
    }
    let mut by_kind: BTreeMap<String, Tally> = BTreeMap::new();
    let mut total = Tally::default();
    println!("{:<26} {:>16} {:>16}", "", "from documents", "from gold facts");
    for folder in &folders {
        let mut corpus = Tally::default();
        for (kind, tally) in score_corpus(folder, &binary, options.errors)? {
            by_kind.entry(kind).or_default().add(tally);
            corpus.add(tally);
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        print(&name, corpus);
        total.add(corpus);
    }
    println!();
    for (kind, tally) in &by_kind {
        print(kind, *tally);
    }
    println!();
    print("all", total);
    for (source, floor) in [(Source::Documents, options.floor), (Source::Gold, options.gold_floor)] {
        let reached = total.percent(source);
        if reached < floor {
            bail!("{reached:.1} % of the answers are right ({source:?}); the floor is {floor} %");
        }
    }
    Ok(())
}

/// The command to ask: the named one, or the one that stands beside this program.
pub(crate) fn binary(named: Option<&Path>) -> Result<PathBuf> {
    let binary = match named {
        Some(binary) => binary.to_owned(),
        None => std::env::current_exe()?.with_file_name("graphwright"),
    };
    ensure!(
        binary.is_file(),
        "{} is not there; build it with: cargo build -p graphwright-cli",
        binary.display()
    );
    Ok(binary)
}

/// The ontology that the command infers from a corpus's documents.
pub(crate) fn infer(folder: &Path, binary: &Path) -> Result<String> {
    let place = tempfile::tempdir()?;
    let documents = folder.join("documents");
    run(binary, place.path(), &[Path::new("ontology"), Path::new("infer"), &documents], None)
}

/// All answers to a corpus's questions, each with what the graph was made from.
pub(crate) fn all(folder: &Path, binary: &Path) -> Result<Vec<(&'static str, Value)>> {
    let questions = read_lines(&folder.join("questions.jsonl"))?;
    let mut all = Vec::new();
    for (name, source) in [("documents", Source::Documents), ("gold", Source::Gold)] {
        all.extend(answers(folder, binary, &questions, source)?.into_iter().map(|answer| (name, answer)));
    }
    Ok(all)
}

fn score_corpus(folder: &Path, binary: &Path, errors: bool) -> Result<BTreeMap<String, Tally>> {
    let questions = read_lines(&folder.join("questions.jsonl"))?;
    let mut by_kind: BTreeMap<String, Tally> = BTreeMap::new();
    let facts = read_lines(&folder.join("gold.jsonl"))?;
    let from_documents = answers(folder, binary, &questions, Source::Documents)?;
    let from_gold = answers(folder, binary, &questions, Source::Gold)?;
    for (question, (documents, gold)) in questions.iter().zip(from_documents.iter().zip(&from_gold)) {
        let right = [(Source::Documents, documents), (Source::Gold, gold)].map(|(source, answer)| {
            let right = is_right(question, answer, &facts);
            if errors && !right {
                println!("{source:?} {}", explain(question, answer));
            }
            usize::from(right)
        });
        let kind = question["kind"].as_str().unwrap_or("other").to_owned();
        by_kind.entry(kind).or_default().add(Tally { documents: right[0], gold: right[1], all: 1 });
    }
    Ok(by_kind)
}

/// Returns the command's answers in the order of the questions, over a graph of its own.
fn answers(folder: &Path, binary: &Path, questions: &[Value], source: Source) -> Result<Vec<Value>> {
    let place = tempfile::tempdir()?;
    let store = place.path().join("store");
    if source == Source::Documents {
        let (ontology, documents) = (folder.join("ontology.yaml"), folder.join("documents"));
        let ingest = ["ingest", "--extractor", "rules", "--quiet", "--ontology"].map(Path::new);
        run(binary, &store, &[&ingest[..], &[&ontology, &documents]].concat(), None)?;
    } else {
        let facts = place.path().join("gold.jsonl");
        gold::write(folder, &facts)?;
        run(binary, &store, &[Path::new("import"), Path::new("--quiet"), &facts], None)?;
    }
    let input = place.path().join("questions.jsonl");
    let lines: Vec<String> = questions
        .iter()
        .map(|question| json!({"id": question["id"], "question": question["question"]}).to_string())
        .collect();
    fs::write(&input, lines.join("\n"))?;
    let output = run(binary, &store, &["ask", "--batch", "--no-model"].map(Path::new), Some(&input))?;
    let answers: Vec<Value> = output.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    ensure!(answers.len() == questions.len(), "{} of {} answers", answers.len(), questions.len());
    Ok(answers)
}

/// Runs the command over a store and returns what it prints.
pub(crate) fn run(binary: &Path, store: &Path, arguments: &[&Path], input: Option<&Path>) -> Result<String> {
    let mut command = Command::new(binary);
    command.arg("--store").arg(store).args(arguments).stdin(Stdio::null());
    if let Some(input) = input {
        command.stdin(File::open(input)?);
    }
    let output = command.output().with_context(|| format!("{} does not start", binary.display()))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn print(name: &str, tally: Tally) {
    let share = |right: usize, source| format!("{right}/{} {:>5.1} %", tally.all, tally.percent(source));
    println!(
        "{name:<26} {:>16} {:>16}",
        share(tally.documents, Source::Documents),
        share(tally.gold, Source::Gold)
    );
}
