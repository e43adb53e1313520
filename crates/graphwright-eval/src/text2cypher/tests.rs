//! Runs of the benchmark from beginning to end, with the player and scripted models.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use graphwright::FlowName;
use graphwright_cypher::diagnose;
use graphwright_llm::{BuiltinEmbedder, LlmError, ScriptedModel};

use super::*;

const SEED: u64 = 1;

fn player(name: &str) -> Contender {
    Contender::Player(Box::new(Player::named(name, SEED).unwrap().unwrap()))
}

/// The first questions of each kind of the films, so that a test is short.
async fn opened(of_each_kind: usize) -> Opened {
    let mut set = Dataset::shipped().unwrap();
    let all = set.questions.clone();
    let rank = |at: usize| all[..at].iter().filter(|before| before.kind == all[at].kind).count();
    let chosen = (0..all.len()).filter(|at| rank(*at) < of_each_kind);
    set.questions = chosen.map(|at| all[at].clone()).collect();
    Opened::open(set, films::store().await).await.unwrap()
}

async fn asked(folder: &Path, opened: &Opened, contenders: &[Contender], options: &Options) -> Results {
    let judge = options.judge.as_ref().map(|judge| judge.model.name().to_owned());
    let sets = std::slice::from_ref(opened);
    let mut results = Results::open(&folder.join("run.jsonl"), sets, judge.as_deref(), SEED).unwrap();
    run(sets, contenders, options, &mut results, || {}).await.unwrap();
    results
}

fn report(opened: &Opened, results: &Results, options: &Options) -> Report {
    let judge = options.judge.as_ref().map(|judge| judge.model.name().to_owned());
    Report::of(results.entries(), judge, &kinds(std::slice::from_ref(opened)))
}

#[tokio::test]
async fn gold_rows_are_those_of_the_gold_queries() {
    let set = Dataset::shipped().unwrap();
    let without_rows = |question: &Question| Question { rows: None, ..question.clone() };
    let bare = Dataset { questions: set.questions.iter().map(without_rows).collect(), ..set.clone() };
    let computed = Opened::open(bare, films::store().await).await.unwrap().with_rows();
    for (kept, computed) in set.questions.iter().zip(&computed.questions) {
        assert_eq!(kept.rows, computed.rows, "{}: run `graphwright eval text2cypher --fill`", kept.id);
        let is_answer = kept.expects == Expected::Answer;
        assert_eq!(kept.rows.as_ref().is_some_and(|rows| !rows.is_empty()), is_answer, "{}", kept.id);
    }
}

#[tokio::test]
async fn gold_queries_are_without_findings_and_tempting_ones_are_not() {
    let lint = films::lint().await;
    for question in Dataset::shipped().unwrap().questions {
        let steps = question.steps.iter().map(|step| &step.cypher);
        for query in question.cypher.iter().chain(steps) {
            let found = diagnose(query, Some(&lint));
            let grave = found.iter().filter(|found| found.severity != graphwright_cypher::Severity::Hint);
            assert_eq!(grave.count(), 0, "{}: {query}: {found:?}", question.id);
        }
        for query in &question.tempting {
            assert!(classify(query, "", Some(&lint), None).is_some(), "{query}");
        }
    }
}
