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
use graphwright_llm::{BuiltinEmbedder, Embedder, LlmError, ScriptedModel};

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
        if let Some(query) = &question.tempting {
            assert!(classify(query, "", Some(&lint), None).is_some(), "{query}");
        }
    }
}

/// A model that answers only some questions, then fails as one that cannot be reached.
fn failing_after(replies: usize) -> ScriptedModel {
    let count = AtomicUsize::new(0);
    let name = "test/failing";
    ScriptedModel::answering(move |_| {
        if count.fetch_add(1, Ordering::Relaxed) < replies {
            return Ok("```cypher\nMATCH (f:Film) RETURN f.title\n```".into());
        }
        Err(LlmError::Unavailable { provider: "test".to_owned(), message: "away".to_owned() })
    })
    .named(name)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_flow_understands_the_player_and_mends_some_of_its_faults() {
    let opened = opened(1).await;
    let folder = tempfile::tempdir().unwrap();
    let options = Options { trials: 3, ..Options::default() };
    let results = asked(folder.path(), &opened, &[player("player@1:1")], &options).await;
    let report = report(&opened, &results, &options);
    assert_eq!(results.entries().len(), 9 * 5 * 3);
    assert!(results.entries().iter().all(|entry| entry.error.is_none()));
    for entry in results.entries().iter().filter(|entry| entry.fault.is_none()) {
        assert!(entry.score.right, "{entry:?}");
    }
    let right = |flow| report.cell(flow, "player@1:1").unwrap().figures.right;
    assert!(right(FlowName::Naive) < right(FlowName::Retry), "{report:?}");
    assert!(right(FlowName::Retry) <= right(FlowName::RetryCheck), "{report:?}");
    // A plan is made of questions with several steps, and its queries take what earlier ones found.
    let planned = results.entries().iter().filter(|entry| entry.key.flow == FlowName::Planner);
    let by_steps =
        planned.filter_map(|entry| entry.cypher.as_deref()).filter(|query| query.contains("$step"));
    assert!(by_steps.count() > 0, "{report:?}");
    // Every flow meets the same faults.
    for recovery in &report.faults {
        let asked: Vec<usize> = recovery.flows.values().map(|count| count.asked).collect();
        assert_eq!(asked, [asked[0]; 5], "{recovery:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_seed_gives_the_same_report() {
    let opened = opened(1).await;
    let options = Options { flows: vec![FlowName::Naive, FlowName::Auto], ..Options::default() };
    let mut reports = Vec::new();
    for jobs in [1, 8] {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { jobs, ..options.clone() };
        let results = asked(folder.path(), &opened, &[player("player")], &options).await;
        let mut report = report(&opened, &results, &options);
        for cell in &mut report.cells {
            cell.figures.seconds = 0.0;
        }
        reports.push(serde_json::to_string(&report).unwrap());
    }
    assert_eq!(reports[0], reports[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_replayed_without_a_model() {
    let opened = opened(1).await;
    let folder = tempfile::tempdir().unwrap();
    let judge = ScriptedModel::answering(|request| {
        let said = request.messages.last().map(graphwright_llm::Message::text).unwrap_or_default();
        let question = format!("What is {}", said.replace(['"', '\n', '\\'], " "));
        Ok(format!(r#"{{"questions": ["{question}"], "noncommittal": false}}"#).into())
    });
    let judge = Judge { model: Arc::new(judge), embedder: Arc::new(BuiltinEmbedder::new()) };
    let options = Options { judge: Some(judge), ..Options::default() };
    let contenders = [player("player"), Contender::Model(Arc::new(failing_after(40)))];
    let recorded = asked(folder.path(), &opened, &contenders, &options).await;
    let expected = report(&opened, &recorded, &options);
    assert!(expected.cells.iter().any(|cell| cell.figures.failed > 0));
    assert!(expected.cells[0].figures.relevancy.is_some(), "{expected:?}");

    let sets = std::slice::from_ref(&opened);
    let kept = Recorded::read(&folder.path().join("run.jsonl"), sets).unwrap();
    assert_eq!((kept.judge.as_deref(), kept.seed), (Some("scripted/model"), SEED));
    // No model is there now.
    let embedder: Arc<dyn Embedder> = Arc::new(BuiltinEmbedder::new());
    let again = tempfile::tempdir().unwrap();
    let file = again.path().join("run.jsonl");
    let mut results = Results::open(&file, sets, kept.judge.as_deref(), kept.seed).unwrap();
    replay(sets, &kept.entries, &embedder, &options, &mut results, || {}).await.unwrap();
    let replayed = report(&opened, &results, &options);
    let text = |report: &Report| serde_json::to_string(report).unwrap();
    assert_eq!(text(&replayed), text(&expected));
    assert_eq!(markdown(&replayed), markdown(&expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_on_where_it_was_ended_and_asks_again_what_failed() {
    let opened = opened(1).await;
    let folder = tempfile::tempdir().unwrap();
    let options = Options { flows: vec![FlowName::Naive], jobs: 1, ..Options::default() };
    let file = folder.path().join("run.jsonl");
    let results = asked(folder.path(), &opened, &[player("player")], &options).await;
    let whole = serde_json::to_string(&report(&opened, &results, &options)).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();

    // It was killed while it wrote the fifth answer, and the fourth had failed.
    let mut lines: Vec<String> = text.lines().take(6).map(str::to_owned).collect();
    let mut failed: Entry = serde_json::from_str(&lines[4]).unwrap();
    failed.error = Some("away".to_owned());
    lines[4] = serde_json::to_string(&failed).unwrap();
    lines[5].truncate(40);
    std::fs::write(&file, lines.join("\n")).unwrap();
    let results = asked(folder.path(), &opened, &[player("player")], &options).await;
    let without_times = |text: &str| {
        let mut report: serde_json::Value = serde_json::from_str(text).unwrap();
        report["cells"][0]["seconds"] = 0.into();
        report
    };
    let resumed = serde_json::to_string(&report(&opened, &results, &options)).unwrap();
    assert_eq!(without_times(&resumed), without_times(&whole));
    let kept = std::fs::read_to_string(&file).unwrap();
    // The header, three answers that stood, one that failed, and six that were asked now.
    assert_eq!(kept.lines().count(), 1 + 3 + 1 + 6);
    assert!(kept.starts_with(&lines[..4].join("\n")));

    // All is there: nobody is asked.
    asked(folder.path(), &opened, &[player("player")], &options).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), kept);
    let other = Results::open(&file, &[opened], None, SEED + 1).unwrap_err();
    assert!(other.to_string().ends_with("the seed is another"), "{other}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_at_a_question_does_not_end_the_run() {
    let opened = opened(1).await;
    let folder = tempfile::tempdir().unwrap();
    let options = Options { flows: vec![FlowName::Naive], jobs: 1, ..Options::default() };
    let model = Contender::Model(Arc::new(failing_after(3)));
    let results = asked(folder.path(), &opened, &[model], &options).await;
    let failed = results.entries().iter().filter(|entry| entry.error.is_some());
    assert_eq!(results.entries().len(), 9);
    assert!(failed.clone().count() >= 6);
    assert!(
        failed.clone().all(|entry| entry.error.as_deref().unwrap().contains("away") && !entry.score.right)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_is_shown() {
    let opened = opened(1).await;
    let folder = tempfile::tempdir().unwrap();
    let options = Options { trials: 2, ..Options::default() };
    let players = [player("player@0.25"), player("player@0.75")];
    let results = asked(folder.path(), &opened, &players, &options).await;
    let mut report = report(&opened, &results, &options);
    for cell in &mut report.cells {
        cell.figures.seconds = 0.25;
    }
    insta::assert_snapshot!("report", markdown(&report));
    insta::assert_snapshot!("heat_maps", plot(&report));
}
