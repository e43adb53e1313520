//! Tests `graphwright eval replay`: offline on the embedded store, and with public data on Neo4j.

#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]

mod sample;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use sample::graphwright;
use serde_json::Value as Json;

const GRAPH: &str = "CREATE (a:Person {name: 'Ada', born: 1815})-[:WROTE]->(:Book {title: 'Notes', year: 1843}), \
    (a)-[:WROTE]->(:Book {title: 'Letters', year: 1852}), (:Person {name: 'Charles', born: 1791})";
const GOLD: &str = "MATCH (p:Person)-[:WROTE]->(b:Book) RETURN b.title";

/// Queries of a model: right, right with another name, right after repair, wrong, broken beyond
/// repair, empty.
const RECORDED: &str = r#"
{"graph": "books", "gold_cypher": "GOLD", "pred_cypher": "GOLD", "metrics": {"executable": 1.0, "execution_accuracy": 1.0}}
{"graph": "books", "gold_cypher": "GOLD", "pred_cypher": "MATCH (b:Book)<-[:WROTE]-() RETURN b.title AS t", "metrics": {"executable": 1.0, "execution_accuracy": 1.0}}
{"graph": "books", "gold_cypher": "GOLD", "pred_cypher": "MATCH (p:Person)-[:WROTE]->(b:Book) WITH DISTINCT p RETURN b.title", "metrics": {"executable": 0.0, "execution_accuracy": 0.0}}
{"graph": "books", "gold_cypher": "GOLD", "pred_cypher": "MATCH (p:Person) RETURN p.name", "metrics": {"executable": 1.0, "execution_accuracy": 0.0}}
{"graph": "books", "gold_cypher": "GOLD", "pred_cypher": "MATCH (p:Person) WHERE THE BOOK RETURN p", "metrics": {"executable": 1.0, "execution_accuracy": 0.0}}
{"graph": "books", "gold_cypher": "GOLD", "pred_cypher": null, "metrics": {"executable": 0.0, "execution_accuracy": 0.0}}
"#;

fn run(folder: &Path, arguments: &[&str]) -> Result<String, (Option<i32>, String)> {
    let mut command = graphwright();
    command.current_dir(folder).env("XDG_DATA_HOME", folder.join("data")).args(arguments);
    let output = command.output().expect("runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    if output.status.success() {
        Ok(text(output.stdout))
    } else {
        Err((output.status.code(), text(output.stderr)))
    }
}

fn books() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), &["--store", "graph", "cypher", "--write", GRAPH]).expect("makes the graph");
    fs::write(folder.path().join("model.jsonl"), RECORDED.replace("GOLD", GOLD)).expect("writes");
    folder
}

const REPLAY: [&str; 5] = ["eval", "replay", "model.jsonl", "--graph", "books=graph"];

#[test]
fn what_runs_and_what_is_right_is_counted_before_and_after() {
    let folder = books();
    insta::assert_snapshot!("replay_report", run(folder.path(), &REPLAY).expect("replays"));
    let report = fs::read_to_string(folder.path().join("replay/report.json")).expect("a report");
    let report: Json = serde_json::from_str(&report).expect("JSON");
    let total = &report["total"];
    assert_eq!(
        (total["executable"]["before"].as_u64(), total["executable"]["after"].as_u64()),
        (Some(3), Some(4))
    );
    assert_eq!((total["right"]["before"].as_u64(), total["right"]["after"].as_u64()), (Some(2), Some(3)));
    assert_eq!((total["harmed"].as_u64(), total["mended"].as_u64()), (Some(0), Some(1)));
    let disagreements = &total["disagreements"];
    assert_eq!(disagreements["called broken: it does not run, the label is wrong"], 1);
    let plot = fs::read_to_string(folder.path().join("replay/replay.svg")).expect("a plot");
    assert!(plot.starts_with("<svg ") && plot.contains("model books runs"));
}

#[test]
fn an_ended_replay_goes_on_where_it_stopped() {
    let folder = books();
    let json = [&REPLAY[..], &["--json"]].concat();
    let first = run(folder.path(), &json).expect("replays");
    let verdicts = folder.path().join("replay/verdicts.jsonl");
    let whole = fs::read_to_string(&verdicts).expect("verdicts");
    let cut: Vec<_> = whole.lines().take(4).collect();
    fs::write(&verdicts, cut.join("\n") + "\n{\"file\": \"mod").expect("writes");
    assert_eq!(run(folder.path(), &json).expect("goes on"), first);
    assert_eq!(fs::read_to_string(&verdicts).expect("verdicts").lines().count(), whole.lines().count());

    let shorter = [&json[..], &["--time-limit", "5"]].concat();
    let (code, told) = run(folder.path(), &shorter).expect_err("another run");
    assert!(
        code == Some(1) && told.contains("the time limit is another") && told.contains("--fresh"),
        "{told}"
    );
    assert_eq!(run(folder.path(), &[&shorter[..], &["--fresh"]].concat()).expect("begins anew"), first);
}

#[test]
fn without_a_store_queries_are_judged_by_what_they_say() {
    let folder = books();
    let schema = run(folder.path(), &["--store", "graph", "schema", "--json"]).expect("a schema");
    fs::write(folder.path().join("schema.json"), schema).expect("writes");
    let arguments = ["eval", "replay", "model.jsonl", "--schema-file", "books=schema.json", "--json"];
    let report: Json = serde_json::from_str(&run(folder.path(), &arguments).expect("replays")).expect("JSON");
    let total = &report["total"];
    assert_eq!(total["executable"]["of"], 0);
    assert_eq!(
        (total["detection"]["found"].as_u64(), total["detection"]["wrong"].as_u64()),
        (Some(2), Some(1))
    );
    assert_eq!(total["detection"]["recall"], 1.0);
}

#[test]
fn mistakes_are_told() {
    let folder = books();
    let told = |arguments: &[&str]| run(folder.path(), arguments).expect_err("fails");
    let (code, text) = told(&["eval", "replay", "model.jsonl", "--graph", "boks=graph"]);
    assert_eq!(code, Some(2));
    assert!(
        text.contains("about a graph `boks`") && text.contains("the graphs in the files are books"),
        "{text}"
    );
    assert_eq!(told(&["eval", "replay", "model.jsonl", "--graph", "books"]).0, Some(2));
    fs::write(folder.path().join("other.jsonl"), "{}\n").expect("writes");
    let (_, text) = told(&["eval", "replay", "other.jsonl"]);
    assert!(text.contains("other.jsonl, line 1: missing field `graph`"), "{text}");
}

/// A server with a graph from a dump. Dropping it stops it and removes its folder.
struct Server {
    folder: tempfile::TempDir,
    address: String,
}

const PASSWORD: &str = "replay-replay";

impl Server {
    fn with(dump: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let dump = dump.to_str().expect("UTF-8");
        xtask(folder.path(), &["start", "--password", PASSWORD, "--load", dump]);
        let status: Json = serde_json::from_str(&xtask(folder.path(), &["status", "--json"])).expect("JSON");
        let address = status["address"].as_str().expect("it runs").to_owned();
        Self { folder, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        xtask(self.folder.path(), &["stop"]);
    }
}

fn xtask(home: &Path, arguments: &[&str]) -> String {
    let program = std::env::var_os("GRAPHWRIGHT_XTASK").expect("GRAPHWRIGHT_XTASK (docs/testing.md)");
    let output =
        Command::new(program).arg("neo4j").args(arguments).arg("--home").arg(home).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn public_data() -> PathBuf {
    std::env::var_os("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA (docs/testing.md)").into()
}

/// Checks floors just below the figures of docs/replay.md, on a sample of each file.
#[test]
#[ignore = "needs a JDK and public data"]
fn repair_helps_models_on_real_graphs() {
    let data = public_data();
    let women = Server::with(&data.join("graphs/wwc2019/data/wwc2019-50.dump"));
    let bank = Server::with(&data.join("graphs/bloom/data/bloom-50.dump"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = graphwright();
    command.current_dir(data.join("cypher_replay/mind_the_query"));
    command.env("NEO4J_USERNAME", "neo4j").env("NEO4J_PASSWORD", PASSWORD);
    command.args(["eval", "replay", "--json", "--sample", "150", "--output"]).arg(folder.path());
    command.args([
        "--graph",
        &format!("wwc={}", women.address),
        "--graph",
        &format!("bloom50={}", bank.address),
    ]);
    for file in fs::read_dir(data.join("cypher_replay/mind_the_query")).expect("recordings") {
        command.arg(file.expect("a file").file_name());
    }
    let output = command.output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    let total = &report["total"];
    let number = |value: &Json| value.as_f64().expect("a number");
    assert_eq!(total["recordings"], 900);
    assert_eq!(total["harmed"], 0);
    let failing = number(&total["executable"]["of"]) - number(&total["executable"]["before"]);
    assert!(number(&total["mended"]) >= 0.5 * failing, "{total}");
    let points = number(&total["right"]["after_percent"]) - number(&total["right"]["before_percent"]);
    assert!(points >= 1.5, "{total}");
    assert!(number(&total["detection"]["precision"]) >= 0.99, "{total}");
    assert!(number(&total["detection"]["recall"]) >= 0.95, "{total}");
    let agreement = &total["agreement"];
    assert!(number(&agreement["executable"]) >= 0.99 * number(&agreement["executable_of"]), "{total}");
}

/// Tests queries for other graphs, of which there is no data: what cannot run is found by reading
/// them.
#[test]
#[ignore = "needs public data"]
fn queries_that_cannot_run_are_found() {
    let recordings = public_data().join("cypher_replay/cypherbench");
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = graphwright();
    command.current_dir(&recordings).args(["eval", "replay", "--json", "--output"]).arg(folder.path());
    let names = fs::read_dir(&recordings).expect("recordings").map(|file| file.expect("a file").file_name());
    // Files that call every query executable say nothing about it.
    let holds_failures = |name: &std::ffi::OsString| {
        fs::read_to_string(recordings.join(name)).expect("a file").contains(r#""executable": 0.0"#)
    };
    command.args(names.filter(holds_failures));
    let output = command.output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    let judged = report["files"].as_array().expect("files").iter().map(|file| &file["detection"]);
    let sum =
        |name: &str| judged.clone().map(|detection| detection[name].as_f64().expect("a count")).sum::<f64>();
    assert_eq!(judged.clone().count(), 7);
    assert!(sum("found") >= 0.95 * (sum("found") + sum("wrong")));
    assert!(sum("found") >= 0.85 * (sum("found") + sum("missed")));
}
