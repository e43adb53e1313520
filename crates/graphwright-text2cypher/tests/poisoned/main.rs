//! Poisoned feedback: wrong verdicts on recorded output of models must not lower what examples are worth.
//!
//! The questions, the right queries and what six models wrote are those of the replay sets (CypherBench; Feng, Papicchio, Rahman, 2024,
//! arXiv:2412.18702). Their graphs are not public, so each question gets a graph that has what its right query looks for, and what those of
//! all other questions look for. A model is played from the recordings. Of the questions, every second one is learned from, and the others
//! are asked; what is right is decided by the rows of the right query.

#![expect(clippy::unwrap_used, reason = "what fails fails the test")]

mod player;
mod recordings;
mod witnesses;

use std::sync::Arc;

use async_trait::async_trait;
use graphwright_answer::Answerer;
use graphwright_core::GraphStore;
use graphwright_cypher::lint::{Suggest, SuggestError, Suggestion, WantedValue};
use graphwright_text2cypher::{ExampleBook, ExampleStatus, FlowName, FlowOptions, Learning, Text2Cypher};

use crate::{
    player::Player,
    recordings::{Recording, graphs},
};

/// How many of the asked questions were answered rightly.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    right: usize,
    asked: usize,
    /// Examples that were kept, and those of them whose query is wrong.
    kept: usize,
    wrong: usize,
}

impl std::ops::AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.asked += other.asked;
        self.kept += other.kept;
        self.wrong += other.wrong;
    }
}

/// Suggests nothing: what a question means is not what is measured, and takes most of the time.
#[derive(Debug)]
struct NoSuggestions;

#[async_trait]
impl Suggest for NoSuggestions {
    async fn values(&self, _: &WantedValue, _: usize) -> Result<Vec<Suggestion>, SuggestError> {
        Ok(Vec::new())
    }

    async fn names(&self, _: &str, _: &[String], _: usize) -> Result<Vec<Suggestion>, SuggestError> {
        Ok(Vec::new())
    }
}

struct Class {
    store: Arc<dyn GraphStore>,
    answerer: Answerer,
    recordings: Arc<Vec<Recording>>,
}

impl Class {
    async fn of(graph: &str) -> Self {
        let recordings = recordings::read(graph);
        let store = witnesses::store(&recordings).await;
        let mut usable = Vec::new();
        for recording in recordings {
            if recordings::rows(&*store, &recording.gold).await.is_some_and(|rows| !rows.is_empty()) {
                usable.push(recording);
            }
        }
        let answerer = Answerer::open(Arc::clone(&store)).await.unwrap();
        Self { store, answerer, recordings: Arc::new(usable) }
    }

    async fn flows(&self, player: Player, book: Option<Arc<ExampleBook>>, learning: Learning) -> Text2Cypher {
        let (store, answerer) = (Arc::clone(&self.store), self.answerer.clone());
        let flows = Text2Cypher::open(store, answerer, Arc::new(player)).await.unwrap();
        let flows = flows.with_suggestions(Arc::new(NoSuggestions));
        match book {
            Some(book) => flows.with_examples(book, learning),
            None => flows,
        }
    }

    fn player(&self, wrong_verdicts: bool) -> Player {
        Player::new(Arc::clone(&self.store), Arc::clone(&self.recordings), wrong_verdicts)
    }

    /// Asks every second question, beginning with the first, and learns from them.
    async fn learn(&self, book: &Arc<ExampleBook>, wrong_verdicts: bool) {
        let flows = self.flows(self.player(wrong_verdicts), Some(Arc::clone(book)), Learning::Own).await;
        for recording in self.recordings.iter().step_by(2) {
            let options = FlowOptions::new(FlowName::RetryCheck);
            flows.ask(&recording.question, &options, |_| {}).await.unwrap();
        }
    }

    /// Asks the other questions, and counts what is right.
    async fn ask(&self, book: Option<Arc<ExampleBook>>) -> Score {
        let mut score = Score::default();
        for example in book.iter().flat_map(|book| book.read().unwrap().examples) {
            if example.status == ExampleStatus::Kept {
                let gold = self.recordings.iter().find(|recording| recording.question == example.question);
                score.kept += 1;
                score.wrong +=
                    usize::from(!recordings::agree(&*self.store, &example.cypher, &gold.unwrap().gold).await);
            }
        }
        let flows = self.flows(self.player(false), book, Learning::Off).await;
        for recording in self.recordings.iter().skip(1).step_by(2) {
            let answer =
                flows.ask(&recording.question, &FlowOptions::new(FlowName::Naive), |_| {}).await.unwrap();
            score.asked += 1;
            let Some(cypher) = answer.cypher else { continue };
            score.right += usize::from(recordings::agree(&*self.store, &cypher, &recording.gold).await);
        }
        score
    }
}

fn percent(right: usize, all: usize) -> f64 {
    100.0 * right as f64 / all.max(1) as f64
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs public data"]
async fn a_fifth_of_wrong_verdicts_lowers_no_accuracy() {
    let mut scores = [Score::default(); 3];
    println!(
        "| graph | asked | without | verdicts right | 20 % wrong | kept (wrong) | kept with 20 % wrong (wrong) |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let show = |graph: &str, scores: &[Score; 3]| {
        let [none, right, poisoned] = scores;
        let shown = scores.map(|score| format!("{:.1}", percent(score.right, score.asked)));
        println!(
            "| {graph} | {} | {} | {} | {} | {} ({}) | {} ({}) |",
            none.asked, shown[0], shown[1], shown[2], right.kept, right.wrong, poisoned.kept, poisoned.wrong
        );
    };
    for graph in graphs() {
        let class = Class::of(graph).await;
        let folder = tempfile::tempdir().unwrap();
        let mut found = [class.ask(None).await, Score::default(), Score::default()];
        for (at, wrong_verdicts) in [(1, false), (2, true)] {
            let book = Arc::new(ExampleBook::at(folder.path().join(format!("{at}.jsonl"))));
            class.learn(&book, wrong_verdicts).await;
            found[at] = class.ask(Some(book)).await;
        }
        show(graph, &found);
        scores.iter_mut().zip(found).for_each(|(all, score)| *all += score);
    }
    show("all", &scores);
    let [without, right, poisoned] = scores;
    assert!(right.right > without.right, "examples help: {right:?} against {without:?}");
    assert!(poisoned.right >= without.right, "{poisoned:?} against {without:?}");
}
