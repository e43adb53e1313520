//! Tests `context` on the sample: what a question needs of the graph and of the documents, without a model.

#![allow(clippy::expect_used, reason = "this is a test")]

mod played;
mod sample;

use std::{collections::BTreeSet, path::Path};

use played::sample_store;
use sample::graphwright;
use serde_json::Value as Json;

const CONNECTED: &str = "What connects edge-gateway and DEP-014?";

fn context(folder: &Path, arguments: &[&str]) -> String {
    let mut command = graphwright();
    command.arg("--store").arg(folder.join("graph")).arg("context").args(arguments);
    let output = command.output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn pieces(folder: &Path, arguments: &[&str]) -> Vec<Json> {
    let text = context(folder, &[arguments, &["--json"]].concat());
    let evidence: Json = serde_json::from_str(&text).expect("JSON");
    evidence["pieces"].as_array().expect("pieces").clone()
}

#[test]
fn paths_facts_entities_and_passages_come_in_one_text() {
    let folder = sample_store();
    insta::assert_snapshot!(context(folder.path(), &[CONNECTED, "--explain", "--evidence-tokens", "700"]));
}

#[test]
fn nothing_comes_twice_and_each_piece_says_why_it_came() {
    let folder = sample_store();
    let pieces = pieces(folder.path(), &[CONNECTED]);
    let kinds: BTreeSet<&str> = pieces.iter().filter_map(|piece| piece["kind"].as_str()).collect();
    assert_eq!(kinds, ["entity", "fact", "passage", "path"].into());
    assert!(pieces.iter().all(|piece| piece["why"].as_str().is_some_and(|why| !why.is_empty())));
    let mut known = BTreeSet::new();
    for piece in pieces.iter().filter(|piece| piece["kind"] == "fact") {
        assert!(known.insert(piece["relationships"].to_string()), "{piece} comes twice");
    }
    assert!(!known.is_empty());
}

#[test]
fn the_text_keeps_to_its_budget() {
    let folder = sample_store();
    for tokens in [200, 2_000] {
        let text = context(folder.path(), &[CONNECTED, "--evidence-tokens", &tokens.to_string()]);
        // A token has at least a character, and about four of them.
        assert!(text.len() < tokens * 6, "{} bytes for {tokens} tokens", text.len());
    }
}

#[test]
fn the_text_has_other_forms() {
    let folder = sample_store();
    let cypher = context(folder.path(), &[CONNECTED, "--context", "cypher"]);
    assert!(cypher.contains("-[:DEPENDS_ON"), "{cypher}");
    let json = context(folder.path(), &[CONNECTED, "--context", "json"]);
    let json: Json = serde_json::from_str(&json).expect("JSON");
    assert!(json.is_object() || json.is_array());
}

#[test]
fn types_and_limits_of_the_walk_narrow_it() {
    let folder = sample_store();
    let question = "Who looks after the services that break when auth-lib-v2 goes away?";
    let teams = pieces(folder.path(), &[question, "--type", "Team"]);
    for entity in teams.iter().filter(|piece| piece["kind"] == "entity") {
        assert_eq!(entity["type"], "Team", "{entity}");
    }
    let facts = |depth: &str| {
        let all = pieces(folder.path(), &[question, "--k", "1", "--depth", depth]);
        all.iter().filter(|piece| piece["kind"] == "fact").count()
    };
    assert!(facts("1") < facts("5"));
}

#[test]
fn a_batch_gives_each_question_its_evidence() {
    let folder = sample_store();
    let questions = "{\"id\": \"a\", \"question\": \"edge-gateway\"}\n{\"id\": \"b\", \"question\": \"\"}\n";
    let mut command = graphwright();
    command
        .arg("--store")
        .arg(folder.path().join("graph"))
        .args(["context", "--batch"])
        .write_stdin(questions);
    let output = command.output().expect("runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0]["context"]["text"].as_str().is_some_and(|text| text.contains("edge-gateway")));
    assert!(lines[1]["error"]["message"].is_string() || lines[1]["error"].is_string(), "{}", lines[1]);
}
