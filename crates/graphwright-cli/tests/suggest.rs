//! Tests `suggest`, and what is said to a message that asks nothing of the graph.

#![allow(clippy::expect_used, reason = "this is a test")]

mod played;
mod sample;

use std::path::Path;

use played::{Played, sample_store};
use sample::graphwright;
use serde_json::Value as Json;

fn run(folder: &Path, arguments: &[&str]) -> Json {
    let mut command = graphwright();
    command.arg("--store").arg(folder.join("graph")).args(arguments).arg("--json");
    let output = command.output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn questions(suggested: &Json) -> Vec<String> {
    let all = suggested["suggestions"].as_array().expect("suggestions").iter();
    all.map(|suggestion| suggestion["question"].as_str().expect("a question").to_owned()).collect()
}

#[test]
fn what_is_suggested_is_answered() {
    let folder = sample_store();
    let suggested = run(folder.path(), &["suggest", "--limit", "8"]);
    let questions = questions(&suggested);
    assert_eq!(questions.len(), 8);
    for question in questions {
        let answer = run(folder.path(), &["ask", &question]);
        assert_eq!(answer["status"], "answered", "{question}");
    }
}

#[test]
fn a_graph_without_facts_suggests_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("graph");
    let ingested =
        graphwright().args(["ingest", "-", "--store"]).arg(&store).write_stdin("Nothing here.").output();
    assert!(ingested.expect("runs").status.success());
    assert_eq!(run(folder.path(), &["suggest"])["suggestions"].as_array().map(Vec::len), Some(0));
    let answer = run(folder.path(), &["ask", "What can I ask?"]);
    assert_eq!(answer["status"], "talk");
}

#[test]
fn who_asks_nothing_is_told_what_can_be_asked() {
    let folder = sample_store();
    for message in ["Thanks!", "Hello", "What can I ask?", "What can you do?", "How can you help me?", "help"]
    {
        let answer = run(folder.path(), &["ask", message]);
        assert_eq!(answer["status"], "talk", "{message}");
        assert!(answer["suggestions"].as_array().is_some_and(|all| (3..=5).contains(&all.len())), "{answer}");
        assert!(answer["passages"].as_array().is_some_and(Vec::is_empty), "{answer}");
    }
    // What names something, or has words that the graph uses, is a question.
    for question in [
        "Do you know ledger?",
        "What do you know about Platform?",
        "Can you list the services?",
        "release notes",
        "welcome page",
    ] {
        assert_ne!(run(folder.path(), &["ask", question])["status"], "talk", "{question}");
    }
    let off_topic = run(folder.path(), &["ask", "What is the weather in Paris?"]);
    assert_eq!(off_topic["status"], "not_in_graph");
    assert!(off_topic["suggestions"].as_array().is_some_and(|all| !all.is_empty()));
}

#[test]
fn no_model_is_asked_for_thanks() {
    let folder = sample_store();
    let model = Played::saying(Vec::new());
    let (answer, _) = model.run(&folder.path().join("graph"), &["ask", "Thanks!", "--json"], "");
    let answer: Json = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["status"], "talk");
    assert!(model.sent().is_empty());
}
