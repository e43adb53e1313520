//! Measures what is learned from pairs: each set is split, learned from on one side and asked on the other.

mod films;
mod paths;
mod splits;

use std::{collections::BTreeSet, path::PathBuf, time::Instant};

use anyhow::{Result, bail};
use clap::Args;
use graphwright_learn::{Example, Graph, Meaning, Model, Outcome, agrees, learn_and_measure};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The folder of public data, which has `zograscope` and `metaqa`
    #[arg(long, env = "GRAPHWRIGHT_DATA")]
    data: PathBuf,
    /// Learns from this file of questions with queries (CSV with `nl` and `mr`) and asks those of --test
    #[arg(long, requires = "test")]
    train: Option<PathBuf>,
    /// Asks the questions of this file
    #[arg(long, requires = "train")]
    test: Option<PathBuf>,
    /// Measures only this set
    #[arg(long)]
    set: Option<Set>,
    /// Lists the questions that are not read right, of one half of the queries, so that the other stays unseen
    #[arg(long)]
    errors: bool,
    /// Fails below this share of right answers, in percent, for iid, compositional and length
    #[arg(long, value_delimiter = ',')]
    path_floors: Vec<f64>,
    /// Fails below this share of right answers, in percent, for one, two and three hops
    #[arg(long, value_delimiter = ',')]
    film_floors: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Set {
    /// Questions with queries
    Zograscope,
    /// Questions with answers
    Metaqa,
}

/// A question with what is right for it.
struct Asked {
    question: String,
    gold: Gold,
    /// What is shown of the right answer.
    shown: String,
    /// May be shown.
    seen: bool,
}

enum Gold {
    /// A query; none if it is of a kind that is not learned, which counts as wrong.
    Query(Option<Meaning>),
    /// The names that answer.
    Names(BTreeSet<String>),
}

/// How a split came out.
#[derive(Debug, Default)]
struct Score {
    asked: usize,
    right: usize,
    /// Those answered with enough confidence, and of these the right ones.
    answered: usize,
    right_of_answered: usize,
    milliseconds: Vec<f64>,
}

/// Learns and asks, prints the table, and fails below the floors.
pub(crate) fn run(options: &Options) -> Result<()> {
    println!(
        "{:<16} {:>6} {:>7} {:>9} {:>9} {:>12} {:>8} {:>8}",
        "split", "pairs", "asked", "right %", "answered", "right of it", "p50 ms", "p95 ms"
    );
    let mut low = Vec::new();
    if options.set != Some(Set::Metaqa) {
        low.extend(paths::measure(options)?);
    }
    if options.set != Some(Set::Zograscope) && options.train.is_none() {
        low.extend(films::measure(options)?);
    }
    if low.is_empty() { Ok(()) } else { bail!("below the floor: {}", low.join(", ")) }
}

/// Learns from examples with a threshold that they give themselves.
fn taught(examples: &[Example], graph: &Graph) -> Model {
    learn_and_measure(examples, graph, &|_| {}).0
}

/// Asks all questions.
fn ask(
    model: &Model,
    graph: &Graph,
    asked: &[Asked],
    name: impl Fn(&Outcome) -> BTreeSet<String>,
    errors: bool,
) -> Score {
    let mut score = Score { asked: asked.len(), ..Score::default() };
    for one in asked {
        let start = Instant::now();
        let understood = model.understand(&one.question, graph);
        score.milliseconds.push(start.elapsed().as_secs_f64() * 1000.0);
        let given = understood.as_ref().map(|understood| graph.run(&understood.meaning));
        let right = match (&one.gold, &understood, &given) {
            (Gold::Query(Some(gold)), Some(understood), Some(given)) => {
                agrees(gold, &graph.run(gold), &understood.meaning, given)
            }
            (Gold::Names(names), _, Some(given)) => *names == name(given),
            _ => false,
        };
        let confidence = understood.as_ref().map_or(0.0, |understood| understood.confidence);
        score.right += usize::from(right);
        if confidence >= model.threshold() {
            score.answered += 1;
            score.right_of_answered += usize::from(right);
        }
        if errors && !right && one.seen {
            let read = understood.and_then(|understood| understood.meaning.statement(graph.schema()).ok());
            let read = read.map_or_else(
                || "nothing".to_owned(),
                |read| format!("{} {:?}", read.text(), read.parameters()),
            );
            println!("{}\n  right: {}\n  read ({confidence:.2}): {read}", one.question, one.shown);
        }
    }
    score
}

impl Score {
    fn percent(part: usize, of: usize) -> f64 {
        if of == 0 { 0.0 } else { 100.0 * part as f64 / of as f64 }
    }

    fn right(&self) -> f64 {
        Self::percent(self.right, self.asked)
    }

    /// Prints a line of the table.
    fn print(&mut self, split: &str, pairs: usize) {
        self.milliseconds.sort_by(f64::total_cmp);
        let at = |share: usize| {
            self.milliseconds.get(self.milliseconds.len() * share / 100).copied().unwrap_or(0.0)
        };
        println!(
            "{split:<16} {pairs:>6} {:>7} {:>9.1} {:>9.1} {:>12.1} {:>8.2} {:>8.2}",
            self.asked,
            self.right(),
            Self::percent(self.answered, self.asked),
            Self::percent(self.right_of_answered, self.answered),
            at(50),
            at(95)
        );
    }
}
