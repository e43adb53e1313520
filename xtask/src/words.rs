//! Asks the built command the questions of `xtask/questions/words.jsonl`, in each of which one word changes the meaning, and compares
//! the answers with what their Cypher gives.

mod graphs;
mod verdict;
mod world_cup;

use std::{
    collections::BTreeMap,
    ops::AddAssign,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use graphwright_eval::corpus::{percent, read_lines};
use serde_json::Value;

use self::verdict::{Gold, Verdict};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The folder of public data, which has `graphs` and `real/countries`
    #[arg(long, env = "GRAPHWRIGHT_DATA")]
    data: PathBuf,
    /// Files of questions, in place of those in `xtask/questions`
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Asks only the questions with odd or even numbers
    #[arg(long)]
    half: Option<Half>,
    /// Lists the questions that are not answered right; without `--half` only the odd ones, so that the even ones stay unseen
    #[arg(long)]
    errors: bool,
    /// The command to ask; the one that stands beside this program when none is named
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Fails below this share of right answers, in percent
    #[arg(long, default_value_t = 0.0)]
    floor: f64,
    /// Fails if more answers than this are wrong without a warning
    #[arg(long)]
    wrong: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Half {
    Odd,
    Even,
}

impl Half {
    fn of(id: u64) -> Self {
        if id.is_multiple_of(2) { Self::Even } else { Self::Odd }
    }
}

/// A line of the file.
#[derive(Debug)]
struct Question {
    id: u64,
    /// The name of a public graph, or a file beside the questions that can be imported.
    graph: String,
    construction: String,
    text: String,
    /// The query for the right answer. `None` if a warning is right.
    cypher: Option<String>,
}

/// A question with its right answer, the given one, and what is thought of it.
#[derive(Debug)]
struct Judged {
    question: Question,
    gold: Gold,
    answer: Value,
    verdict: Verdict,
}

/// How many answers had each verdict.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    right: usize,
    right_but_warned: usize,
    told: usize,
    wrong: usize,
}

impl Tally {
    fn of(verdict: Verdict) -> Self {
        let mut tally = Self::default();
        match verdict {
            Verdict::Right => tally.right = 1,
            Verdict::RightButWarned => tally.right_but_warned = 1,
            Verdict::Told => tally.told = 1,
            Verdict::Wrong => tally.wrong = 1,
        }
        tally
    }

    fn all_right(self) -> usize {
        self.right + self.right_but_warned
    }

    fn all(self) -> usize {
        self.all_right() + self.told + self.wrong
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.right_but_warned += other.right_but_warned;
        self.told += other.told;
        self.wrong += other.wrong;
    }
}

/// Prints a table by construction. Fails if too few answers are right, or too many wrong without a warning.
pub(crate) fn score(options: &Options) -> Result<()> {
    let judged = ask_all(options)?;
    if options.errors {
        list(&judged, options.half.unwrap_or(Half::Odd));
    }
    print(&judged);
    let total = sum(&judged, |_| true);
    let reached = percent(total.all_right(), total.all());
    if reached < options.floor {
        bail!("{reached:.1} % of the answers are right; the floor is {} %", options.floor);
    }
    if let Some(most) = options.wrong.filter(|most| total.wrong > *most) {
        bail!("{} answers are wrong without a warning, more than {most}", total.wrong);
    }
    Ok(())
}

/// Asks the questions graph by graph, and returns them in the order of their numbers.
fn ask_all(options: &Options) -> Result<Vec<Judged>> {
    let binary = crate::answers::binary(options.binary.as_deref())?;
    let mut by_graph: BTreeMap<String, Vec<Question>> = BTreeMap::new();
    for question in questions(&options.files)? {
        if options.half.is_none_or(|half| half == Half::of(question.id)) {
            by_graph.entry(question.graph.clone()).or_default().push(question);
        }
    }
    let mut judged = Vec::new();
    for (graph, questions) in by_graph {
        judged.extend(ask(&graph, questions, &binary, &options.data).with_context(|| graph.clone())?);
    }
    judged.sort_by_key(|judged| judged.question.id);
    Ok(judged)
}

fn questions(files: &[PathBuf]) -> Result<Vec<Question>> {
    let own = || vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("questions/words.jsonl")];
    let files = if files.is_empty() { own() } else { files.to_vec() };
    let mut all = Vec::new();
    for file in &files {
        for line in read_lines(file)? {
            let mut question = parse(&line).with_context(|| format!("{} is not complete", line["id"]))?;
            let beside = file.with_file_name(format!("{}.jsonl", question.graph));
            if beside.exists() {
                question.graph = beside.display().to_string();
            }
            all.push(question);
        }
    }
    Ok(all)
}

fn parse(line: &Value) -> Option<Question> {
    let text = |member: &str| line[member].as_str().map(str::to_owned);
    let cypher = text("cypher");
    (cypher.is_some() != (line["expect"] == "warn")).then_some(())?;
    Some(Question {
        id: line["id"].as_u64()?,
        graph: text("graph")?,
        construction: text("construction")?,
        text: text("question")?,
        cypher,
    })
}

fn ask(graph: &str, questions: Vec<Question>, binary: &Path, data: &Path) -> Result<Vec<Judged>> {
    let place = tempfile::tempdir()?;
    let graph = graphs::Graph::load(graph, binary, data, place.path())?;
    let queries: Vec<&str> = questions.iter().filter_map(|question| question.cypher.as_deref()).collect();
    let mut rows = graph.query(&queries)?.into_iter();
    let texts: Vec<&str> = questions.iter().map(|question| question.text.as_str()).collect();
    let answers = graph.ask(&texts)?;
    ensure!(answers.len() == questions.len(), "{} of {} answers", answers.len(), questions.len());
    let judge = |(question, answer): (Question, Value)| {
        let gold = match question.cypher {
            Some(_) => Gold::from_rows(&rows.next().context("a query gave no result")?)
                .with_context(|| format!("question {}", question.id))?,
            None => Gold::Warning,
        };
        let verdict = gold.judge(&answer);
        Ok(Judged { question, gold, answer, verdict })
    };
    questions.into_iter().zip(answers).map(judge).collect()
}

fn list(judged: &[Judged], half: Half) {
    let failed = |judged: &&Judged| judged.verdict != Verdict::Right && Half::of(judged.question.id) == half;
    for Judged { question, gold, answer, verdict } in judged.iter().filter(failed) {
        println!("{} {} ({}): {}", question.id, question.construction, question.graph, question.text);
        println!("    {verdict}\n    wanted {gold}\n    got    {}\n", verdict::describe(answer));
    }
}

fn print(judged: &[Judged]) {
    println!(
        "{:<20} {:>6} {:>17} {:>5} {:>6} {:>4}",
        "", "right", "right but warned", "told", "wrong", "all"
    );
    let mut constructions: Vec<&str> =
        judged.iter().map(|judged| judged.question.construction.as_str()).collect();
    constructions.dedup();
    for construction in constructions {
        print_row(construction, sum(judged, |question| question.construction == construction));
    }
    println!();
    for (name, half) in [("odd", Half::Odd), ("even", Half::Even)] {
        print_row(name, sum(judged, |question| Half::of(question.id) == half));
    }
    let total = sum(judged, |_| true);
    print_row("all", total);
    println!(
        "\nwarnings on {} of {} right answers; {} wrong without a warning",
        total.right_but_warned,
        total.all_right(),
        total.wrong
    );
}

fn print_row(name: &str, tally: Tally) {
    let (all, share) = (tally.all(), percent(tally.all_right(), tally.all()));
    if all > 0 {
        let Tally { right, right_but_warned, told, wrong } = tally;
        println!(
            "{name:<20} {right:>6} {right_but_warned:>17} {told:>5} {wrong:>6} {all:>4} {share:>5.1} % right"
        );
    }
}

fn sum(judged: &[Judged], counts: impl Fn(&Question) -> bool) -> Tally {
    let mut tally = Tally::default();
    for judged in judged.iter().filter(|judged| counts(&judged.question)) {
        tally += Tally::of(judged.verdict);
    }
    tally
}
