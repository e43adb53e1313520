//! Tests `ask --flow` with a model that the test plays, over the wire.

#![allow(clippy::expect_used, reason = "this is a test")]

mod played;
mod sample;

use played::{Played, Say, sample_store};
use sample::graphwright;
use serde_json::Value as Json;

const QUESTION: &str = "Which team owns edge-gateway?";
const QUERY: &str =
    "```cypher\nMATCH (t:Team)-[o:OWNS]->(s:Service {name: 'edge-gateway'}) RETURN t.name\n```";

#[test]
fn a_flow_answers_with_its_query_and_paths() {
    let folder = sample_store();
    let model = Played::saying(vec![Say::Text(QUERY), Say::Text("No words.")]);
    let (answer, _) =
        model.run(&folder.path().join("graph"), &["ask", QUESTION, "--flow", "naive", "--json"], "");
    let answer: Json = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["status"], "answered", "{answer}");
    assert_eq!(answer["model"], "openai/gpt-4o-mini");
    assert!(answer["cypher"].as_str().expect("a query").starts_with("MATCH (t:Team)"));
    assert_eq!(answer["paths"][0]["relationships"][0]["type"], "OWNS");
    assert_eq!(answer["entities"][0]["type"], "Team");
    assert_eq!(answer["answer"], answer["entities"][0]["name"]);
    assert!(model.sent()[0].to_string().contains("(:Team)-[:OWNS]->(:Service)"));
}

#[test]
fn events_tell_of_the_query_and_its_rows() {
    let folder = sample_store();
    let model = Played::saying(vec![Say::Text(QUERY), Say::Text("No words.")]);
    let (told, _) = model.run(&folder.path().join("graph"), &["ask", QUESTION, "--events", "--flow"], "");
    let events: Vec<Json> = told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |kind: &str| events.iter().find(|event| event["event"] == kind).expect("an event");
    assert!(of("query")["text"].as_str().expect("a text").starts_with("MATCH (t:Team)"));
    assert_eq!(of("rows")["count"], 1);
    assert_eq!(events.last().expect("events")["event"], "done");
    assert_eq!(events.iter().filter(|event| event["event"] == "done").count(), 1);
}

#[test]
fn the_graph_answers_when_the_time_of_a_flow_is_over() {
    let folder = sample_store();
    let model = Played::saying(vec![Say::Nothing]);
    let arguments = ["ask", QUESTION, "--flow", "retry", "--max-seconds", "1", "--json"];
    let (answer, _) = model.run(&folder.path().join("graph"), &arguments, "");
    let answer: Json = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["status"], "answered", "{answer}");
    assert!(answer["model"].is_null());
    let text = answer["answer"].as_str().expect("text");
    assert!(text.ends_with("The flow `retry` did not answer within 1 s."), "{text}");
}

#[test]
fn what_a_flow_does_not_have_is_said() {
    let run = |arguments: &[&str]| {
        let output = graphwright().arg("ask").arg(QUESTION).args(arguments).output().expect("runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    let (code, said) = run(&["--flow", "quick"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("retry-check"), "{said}");
    assert_eq!(run(&["--flow", "naive", "--max-steps", "3"]).0, Some(2));
    assert_eq!(run(&["--flow", "naive", "--agent"]).0, Some(2));

    let folder = sample_store();
    let store = folder.path().join("graph");
    let without =
        graphwright().args(["ask", QUESTION, "--flow", "--store"]).arg(&store).output().expect("runs");
    assert!(without.status.success());
    assert!(String::from_utf8_lossy(&without.stderr).contains("No model is set"));
}
