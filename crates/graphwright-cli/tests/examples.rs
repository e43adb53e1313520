//! Tests examples: learned by `ask --flow`, and reviewed on the command line.

#![allow(clippy::expect_used, reason = "this is a test")]

mod played;
mod sample;

use std::fs;

use played::{Played, Say, sample_store};
use sample::{Subcommand, graphwright};
use serde_json::{Value as Json, json};

const GATEWAY: &str = "Which team owns edge-gateway?";
const LEDGER: &str = "Which team owns ledger?";
const WRONG: &str = "MATCH (t:Team)-[:OWNS]->(s:Service {name: 'edge-gateway'}) RETURN t.caption";
const RIGHT: &str = "MATCH (t:Team)-[:OWNS]->(s:Service {name: 'edge-gateway'}) RETURN t.name";
const OF_LEDGER: &str = "MATCH (t:Team)-[:OWNS]->(s:Service {name: 'ledger'}) RETURN t.name";
const YES: &str = r#"{"answers": true, "missing": ""}"#;

/// A model whose first query is wrong, and that writes the same one a second time when it is right.
fn healing() -> Played {
    let says = [WRONG, RIGHT, YES, "No words.", RIGHT];
    Played::saying(says.map(Say::Text).to_vec())
}

fn told(request: &Json) -> String {
    request["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .map(|message| message["content"].to_string())
        .collect()
}

#[test]
fn a_flow_learns_an_example_and_shows_it_for_questions_like_it() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let examples = Subcommand { name: "examples", store: &store };
    assert!(examples.text(&[]).starts_with("No example is there for "));
    let (_, said) = healing().run(&store, &["ask", GATEWAY, "--flow"], "");
    assert!(said.contains("Learned as example "), "{said}");
    let found = examples.json(&[]);
    let example = &found["examples"][0];
    assert_eq!((&example["status"], &example["origin"]), (&json!("kept"), &json!("self_healed")));
    assert_eq!((&example["question"], &example["cypher"]), (&json!(GATEWAY), &json!(RIGHT)));
    assert_eq!(example["kind"], "which team owns <Service>");
    let id = example["id"].as_str().expect("an identifier");
    let shown = examples.text(&["show", &id[..6]]);
    assert!(
        shown.contains("a judge agreed, a second query agreed") && shown.contains("Team -[OWNS]-> Service"),
        "{shown}"
    );

    let ask = ["ask", LEDGER, "--flow", "naive", "--json"];
    let model = Played::saying(vec![Say::Text(OF_LEDGER), Say::Text("No words.")]);
    model.run(&store, &ask, "");
    assert!(told(&model.sent()[0]).contains(RIGHT));
    assert_eq!(examples.json(&[])["examples"][0]["used"], 1);
    let model = Played::saying(vec![Say::Text(OF_LEDGER), Say::Text("No words.")]);
    model.run(&store, &[ask.as_slice(), &["--no-examples"]].concat(), "");
    assert!(!told(&model.sent()[0]).contains(RIGHT));
}

#[test]
fn nothing_is_learned_where_that_is_off() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let settings = folder.path().join("off.toml");
    fs::write(&settings, "learn = \"off\"\n").expect("writes");
    healing().run(&store, &["ask", GATEWAY, "--flow", "--config", settings.to_str().expect("UTF-8")], "");
    healing().run(&store, &["ask", GATEWAY, "--flow", "--no-examples"], "");
    assert!(!store.join("search.examples.jsonl").exists());
    fs::write(&settings, "learn = \"some\"\n").expect("writes");
    let (code, said) = Subcommand { name: "examples", store: &store }
        .error(&["--config", settings.to_str().expect("UTF-8")]);
    assert_eq!(code, Some(2));
    assert!(said.contains("learn"), "{said}");
}

#[test]
fn examples_are_written_edited_exported_and_forgotten() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let examples = Subcommand { name: "examples", store: &store };
    let (code, said) = examples.error(&["show", "0a"]);
    assert_eq!(code, Some(1));
    assert!(
        said.contains("there is no example \"0a\"") && said.contains("graphwright examples list"),
        "{said}"
    );
    assert_eq!(examples.error(&["forget"]).0, Some(2));
    assert_eq!(examples.error(&["edit", "0a"]).0, Some(2));
    let (code, said) = examples.error(&["add", "Who?", "MATCH (n) DETACH DELETE n"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("docs/examples.md"), "{said}");

    let added = examples.json(&["add", LEDGER, OF_LEDGER]);
    let id = added["id"].as_str().expect("an identifier");
    examples.text(&["add", "How many whales are there?", "MATCH (w:Whale) RETURN w.name"]);
    assert_eq!(
        examples.text(&["verify"]),
        "1 example verified; 1 do not hold any more and wait as candidates\n"
    );
    let candidates = examples.json(&["list", "--status", "candidate"]);
    assert!(
        candidates["examples"][0]["reason"].as_str().expect("a reason").contains("Whale"),
        "{candidates}"
    );
    assert_eq!(examples.json(&["show", id])["kind"], "which team owns <Service>");
    assert_eq!(examples.json(&["verify"]), json!({"holding": 0, "failing": 0}));

    let edited = examples.json(&["edit", id, "--question", "Who owns ledger?"]);
    assert_eq!((&edited["question"], &edited["schema"]), (&json!("Who owns ledger?"), &json!("")));
    let whale = candidates["examples"][0]["id"].as_str().expect("an identifier");
    examples.text(&["approve", whale]);
    assert_eq!(
        examples.json(&["list", "--status", "kept", "--question", "WHALES"])["examples"][0]["id"],
        whale
    );

    let file = folder.path().join("examples.jsonl");
    let path = file.to_str().expect("UTF-8");
    assert!(examples.text(&["export", path]).starts_with("2 examples written to "));
    assert_eq!(fs::read_to_string(&file).expect("the file"), examples.text(&["export"]));
    assert_eq!(examples.json(&["forget", id])["forgotten"], 1);
    assert_eq!(examples.text(&["forget", "--all", "--yes"]), "1 example forgotten\n");
    assert!(!store.join("search.examples.jsonl").exists());
    assert_eq!(examples.text(&["import", path]), "2 examples imported\n");
    fs::write(&file, "{\"question\": \"Who?\"}\n").expect("writes");
    let (code, said) = examples.error(&["import", path]);
    assert_eq!(code, Some(1));
    assert!(said.contains("line 1: missing field `cypher`"), "{said}");
}

#[test]
fn what_is_left_out_is_not_told_to_the_model() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let model = Played::saying(vec![Say::Text("MISSING: owners")]);
    let ask = ["ask", GATEWAY, "--flow", "naive", "--leave-out", "OWNS", "--leave-out", "Whale"];
    let (answer, said) = model.run(&store, &ask, "");
    assert!(answer.starts_with("Not in the graph"), "{answer}");
    assert!(!told(&model.sent()[0]).contains("OWNS"));
    assert!(said.contains("Nothing in the graph is called Whale"), "{said}");
    let output = graphwright().args(["ask", GATEWAY, "--leave-out", "OWNS"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(2));
}
