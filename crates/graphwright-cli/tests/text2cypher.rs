//! Tests `graphwright eval text2cypher`, with the player and with a model that the test plays, over the wire.

#![allow(clippy::expect_used, reason = "this is a test")]

mod played;
mod sample;

use std::{
    collections::HashSet,
    fs,
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

use played::{Played, Say, sample_store};
use sample::{graphwright, plain_graphwright};
use serde_json::Value as Json;

/// Runs the benchmark on one question of each kind. Returns its exit code, its output and what it said.
fn bench(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = graphwright();
    command.current_dir(folder).args(["eval", "text2cypher"]).args(arguments);
    let output = command.output().expect("runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const SHORT: [&str; 6] = ["--each", "1", "--flow", "naive,auto", "--model", "player@0.5:1"];

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn a_run_is_reported_resumed_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (code, shown, said) = bench(folder, &[&SHORT[..], &["--floor", "50"]].concat());
    assert_eq!(code, Some(0), "{said}");
    assert!(shown.contains("| player@0.5:1 | naive | 9 | 0 |"), "{shown}");
    assert!(shown.contains("## Faults of player@0.5:1"), "{shown}");
    assert!(said.contains("Replies, report and picture are in text2cypher."), "{said}");
    let out = folder.join("text2cypher");
    let (run, report) = (read(&out.join("run.jsonl")), read(&out.join("report.json")));
    assert_eq!(read(&out.join("report.md")), shown);
    assert!(read(&out.join("heat.svg")).contains("Right answers, %"));
    assert_eq!(run.lines().count(), 1 + 9 * 2);

    // All is there, so nobody is asked again; another flow is asked alone.
    let (_, printed, _) = bench(folder, &[&SHORT[..], &["--json"]].concat());
    let printed: Json = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(printed, serde_json::from_str::<Json>(&report).expect("JSON"));
    assert_eq!(read(&out.join("run.jsonl")), run);

    let replayed =
        bench(folder, &["--each", "1", "--replay", "text2cypher", "--out", "again", "--flow", "naive,auto"]);
    assert_eq!(replayed.0, Some(0), "{}", replayed.2);
    assert_eq!(read(&folder.join("again/report.json")), report);
    assert_eq!(replayed.1, shown);

    let (code, _, said) = bench(folder, &[&SHORT[..], &["--floor", "100.1"]].concat());
    assert_eq!(code, Some(1));
    assert!(said.contains("auto of player@0.5:1 has "), "{said}");
    let (code, _, said) = bench(folder, &[&SHORT[..], &["--seed", "2"]].concat());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("the seed is another") && said.contains("--fresh"), "{said}");
}

#[test]
fn a_run_that_was_killed_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("text2cypher/run.jsonl");
    let mut command = plain_graphwright();
    command
        .current_dir(folder.path())
        .args(["eval", "text2cypher", "--quiet", "--concurrency", "1"])
        .args(SHORT);
    let mut child = command.spawn().expect("starts");
    let started = Instant::now();
    let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    while lines() < 4 && started.elapsed() < Duration::from_mins(2) {
        sleep(Duration::from_millis(5));
    }
    child.kill().expect("is killed");
    child.wait().expect("ends");
    let before = read(&file);
    let whole = before.rfind('\n').map_or("", |end| &before[..=end]);
    assert!((4..19).contains(&whole.lines().count()), "{before}");

    let (code, shown, said) = bench(folder.path(), &SHORT);
    assert_eq!(code, Some(0), "{said}");
    let after = read(&file);
    assert!(after.starts_with(whole), "what was asked stays");
    let keys: HashSet<String> = after
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Json>(line).expect("JSON"))
        .map(|entry| format!("{} {}", entry["question"], entry["flow"]))
        .collect();
    assert_eq!((keys.len(), after.lines().count()), (18, 19), "nothing is asked twice");
    assert!(shown.contains("| player@0.5:1 | auto | 9 | 0 |"), "{shown}");
}

#[test]
fn a_model_is_asked_over_the_wire_and_judged() {
    let store = sample_store();
    let folder = tempfile::tempdir().expect("a folder");
    let questions = folder.path().join("owners.jsonl");
    let gold = "MATCH (t:Team)-[:OWNS]->(s:Service {name: 'edge-gateway'}) RETURN t.name AS team";
    let line = serde_json::json!({"id": "1", "kind": "look_up", "question": "Which team owns edge-gateway?", "cypher": gold});
    fs::write(&questions, line.to_string()).expect("writes");
    let query = "```cypher\nMATCH (t:Team)<-[:OWNS]-(s:Service {name: 'edge-gateway'}) RETURN t.name\n```";
    let relevant = r#"{"questions": ["Which team owns edge-gateway?"], "noncommittal": false}"#;
    let model = Played::saying(vec![Say::Text(query), Say::Text("No words."), Say::Text(relevant)]);
    let (data, out) = (questions.to_str().expect("UTF-8"), folder.path().join("out"));
    let arguments = [
        "eval",
        "text2cypher",
        "--data",
        data,
        "--flow",
        "naive",
        "--judge",
        "openai/gpt-4o-mini",
        "--json",
        "--out",
        out.to_str().expect("UTF-8"),
    ];
    let (report, _) = model.run(&store.path().join("graph"), &arguments, "");
    let report: Json = serde_json::from_str(&report).expect("JSON");
    let cell = &report["cells"][0];
    assert_eq!((&cell["right"], &cell["executable"]), (&100.0.into(), &100.0.into()), "{report}");
    assert_eq!((&cell["as_written"], &cell["exact"]), (&0.0.into(), &0.0.into()), "{report}");
    assert_eq!(cell["relevancy"], 1.0, "{report}");
    assert!(cell["cost"].as_f64().is_some_and(|cost| cost > 0.0), "{report}");
    assert!(cell["tokens"].as_f64().is_some_and(|tokens| tokens >= 220.0), "{report}");
    assert_eq!(report["judge"], "openai/gpt-4o-mini");
    // What the judge was asked is no part of what the flow costs.
    let entry = read(&out.join("run.jsonl"));
    let entry: Json = serde_json::from_str(entry.lines().nth(1).expect("an entry")).expect("JSON");
    assert_eq!(entry["judged"].as_array().map(Vec::len), Some(1), "{entry}");
}

#[test]
fn gold_rows_are_filled_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let set = folder.path().join("toys");
    fs::create_dir(&set).expect("a folder");
    fs::write(
        set.join("graph.cypher"),
        "CREATE (:Toy {name: 'top', price: 3}), (:Toy {name: 'kite', price: 5});\n",
    )
    .expect("writes");
    let questions = set.join("questions.jsonl");
    let line = r#"{"id": "1", "kind": "sum", "question": "What do all toys cost?", "cypher": "MATCH (t:Toy) RETURN sum(t.price)"}"#;
    fs::write(&questions, line).expect("writes");
    let (code, _, said) = bench(folder.path(), &["--data", "toys", "--fill"]);
    assert_eq!(code, Some(0), "{said}");
    let filled: Json = serde_json::from_str(&read(&questions)).expect("JSON");
    assert_eq!(filled["rows"], serde_json::json!([[8]]));

    fs::write(&questions, line.replace("sum(t", "sum(u")).expect("writes");
    let (code, _, said) = bench(folder.path(), &["--data", "toys", "--fill"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("the gold query of 1 does not run"), "{said}");
}

#[test]
fn what_cannot_be_measured_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("bad.jsonl"), "{\"id\": \"1\"}\n").expect("writes");
    for (arguments, expected) in [
        (&["--each", "1"][..], "no model is set"),
        (&["--model", "player@2"], "no probability from 0 to 1"),
        (&["--model", "player", "--flow", "quick"], "retry-check"),
        (&["--model", "player", "--data", "bad.jsonl"], "line 1: missing field `kind`"),
        (&["--model", "player", "--data", "none.jsonl"], "cannot read none.jsonl"),
        (&["--replay", "none"], "cannot read none/run.jsonl"),
        (&["--replay", "text2cypher"], "cannot be played into its own folder"),
        (&["--replay", "none", "--seed", "2"], "cannot be used with"),
        (&["--fill"], "there is no file of questions to fill"),
    ] {
        let (code, _, said) = bench(folder.path(), arguments);
        assert!(code == Some(2) || code == Some(1), "{arguments:?}: {code:?}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}
