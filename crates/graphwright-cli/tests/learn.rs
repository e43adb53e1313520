//! Learning from pairs on the command line, and questions that are answered so.

#![allow(clippy::expect_used, reason = "this is a test")]

mod sample;

use std::{collections::BTreeSet, fs, path::Path, process::Output};

use sample::graphwright;
use serde_json::{Value as Json, json};

/// People and the towns where they live: a graph of which the questions use words that are not in it.
const PEOPLE: [(&str, &str); 8] = [
    ("Ada", "Leeds"),
    ("Boris", "York"),
    ("Clara", "Leeds"),
    ("Dora", "Hull"),
    ("Emil", "York"),
    ("Fanny", "Bath"),
    ("Gustav", "Hull"),
    ("Hanna", "Leeds"),
];

fn run(store: &Path, arguments: &[&str]) -> Output {
    graphwright().args(arguments).arg("--store").arg(store).output().expect("runs")
}

fn json(store: &Path, arguments: &[&str]) -> Json {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
    let output = run(store, &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn graph(folder: &Path) -> std::path::PathBuf {
    let mut lines = vec![json!({"graphwright": 1, "graph": "people"})];
    let towns: BTreeSet<&str> = PEOPLE.iter().map(|(_, town)| *town).collect();
    let people = PEOPLE.iter().map(|(person, _)| ("Person", *person));
    for (label, name) in people.chain(towns.iter().map(|town| ("Town", *town))) {
        lines.push(json!({"node": name, "labels": [label], "properties": {"name": name}}));
    }
    for (person, town) in PEOPLE {
        let id = format!("{person} {town}");
        lines.push(
            json!({"relationship": id, "type": "LIVES_IN", "from": person, "to": town, "properties": {}}),
        );
    }
    let nodes = PEOPLE.len() + towns.len();
    lines.push(json!({"end": {"nodes": nodes, "relationships": PEOPLE.len(), "vectors": 0}}));
    let file = folder.join("people.jsonl");
    let lines: Vec<String> = lines.iter().map(Json::to_string).collect();
    fs::write(&file, lines.join("\n") + "\n").expect("writes");
    let store = folder.join("graph");
    let output = run(&store, &["import", file.to_str().expect("UTF-8")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    store
}

/// Pairs of questions for all but one of each, which are asked later.
fn pairs() -> String {
    let mut lines = Vec::new();
    for town in ["York", "Hull", "Bath"] {
        let cypher = format!("MATCH (p:Person)-[:LIVES_IN]->(t:Town {{name: '{town}'}}) RETURN p");
        for question in [format!("Who hangs out around {town}?"), format!("Which souls roam {town}?")] {
            lines.push(json!({"question": question, "cypher": cypher}).to_string());
        }
        let cypher =
            format!("MATCH (p:Person)-[:LIVES_IN]->(:Town {{name: '{town}'}}) RETURN count(DISTINCT p)");
        lines.push(
            json!({"question": format!("What is the head tally around {town}?"), "cypher": cypher})
                .to_string(),
        );
    }
    for (person, town) in &PEOPLE[..7] {
        let question = format!("what is the burrow of {person}");
        lines.push(json!({"question": question, "answers": [town], "topic": person}).to_string());
    }
    lines.push(json!({"question": "Who?", "cypher": "MATCH (p) WHERE p.age > 3 RETURN p"}).to_string());
    lines.join("\n")
}

#[test]
fn what_pairs_teach_is_asked_first_and_can_be_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = graph(folder.path());
    let file = folder.path().join("pairs.jsonl");
    fs::write(&file, pairs()).expect("writes");

    let report = json(&store, &["learn", file.to_str().expect("UTF-8")]);
    assert_eq!((report["pairs"].as_u64(), report["used"].as_u64()), (Some(17), Some(16)), "{report}");
    assert_eq!(report["left_out"][0]["number"], 17);
    assert!(
        report["left_out"][0]["reason"].as_str().is_some_and(|reason| reason.contains("for equality")),
        "{report}"
    );

    let answer = json(&store, &["ask", "Who hangs out around Leeds?"]);
    let names: Vec<&str> = answer["entities"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!((answer["way"].as_str(), names), (Some("learned"), vec!["Ada", "Clara", "Hanna"]), "{answer}");
    assert_eq!(
        answer["paths"][0]["relationships"][0]["kind"]
            .as_str()
            .or(answer["paths"][0]["relationships"][0]["type"].as_str()),
        Some("LIVES_IN")
    );
    assert_eq!(json(&store, &["ask", "What is the head tally around Leeds?"])["values"], json!([3]));
    let burrow = json(&store, &["ask", "what is the burrow of Hanna"]);
    assert_eq!(
        (burrow["way"].as_str(), burrow["entities"][0]["name"].as_str()),
        (Some("learned"), Some("Leeds"))
    );

    let without = json(&store, &["ask", "Who hangs out around Leeds?", "--no-learned"]);
    assert_ne!(without["way"], "learned");
    assert_eq!(json(&store, &["learn", "--show"])["learned"]["schema_changed"], false);
    assert_eq!(json(&store, &["learn", "--forget"])["forgotten"], true);
    assert_eq!(json(&store, &["learn", "--forget"])["forgotten"], false);
    assert_ne!(json(&store, &["ask", "Who hangs out around Leeds?"])["way"], "learned");
}

#[test]
fn pairs_and_files_that_cannot_be_read_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = graph(folder.path());
    let file = folder.path().join("pairs.jsonl");
    fs::write(&file, "{\"question\": \"Who?\", \"cypher\": \"RETURN 1\"}\n{\"question\": 3}\n")
        .expect("writes");
    let output = run(&store, &["learn", file.to_str().expect("UTF-8")]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("line 2"), "{error}");

    fs::write(&file, "{\"question\": \"Who?\", \"cypher\": \"RETURN 1\"}\n").expect("writes");
    let output = run(&store, &["learn", file.to_str().expect("UTF-8")]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("nothing can be learned"), "{error}");

    for (kept, told) in [("{\"version\": 2}\n", "is damaged"), ("{\"version\": 1}\n", "older version")] {
        fs::write(store.join("search.learned.jsonl"), kept).expect("writes");
        let output = run(&store, &["learn", "--show"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(told), "{error}");
    }
    // A question is answered all the same.
    assert!(run(&store, &["ask", "Where does Ada live?"]).status.success());
}
