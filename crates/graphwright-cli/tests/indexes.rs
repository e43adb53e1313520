//! Tests plans, missing indexes and safe integers, in a folder and, if there is one, on a Neo4j
//! server.

#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]

mod sample;

use std::{
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use sample::graphwright;
use serde_json::{Value as Json, json};

const GRAPH: &str = "CREATE (:Person {name: 'Ada', born: 1815})-[:KNOWS {since: 1833}]->(:Person {name: 'Charles', born: 1791})";
const SECRET: &str = "MATCH (p:Person) WHERE p.name = 'top secret' RETURN p.born";

/// Runs the command in a folder on a store. Returns its standard output, or its standard error if
/// it fails.
fn run(folder: &Path, store: &str, arguments: &[&str]) -> Result<String, String> {
    let mut command = graphwright();
    command.current_dir(folder).env("XDG_DATA_HOME", folder.join("data")).args(["--store", store]);
    let output = command.args(arguments).output().expect("runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

fn tell_missing_indexes(folder: &Path, store: &str) {
    let run = |arguments: &[&str]| run(folder, store, arguments).expect("succeeds");
    let json = |arguments: &[&str]| serde_json::from_str::<Json>(&run(arguments)).expect("JSON");
    run(&["cypher", "--write", GRAPH]);
    let check = || {
        let told = json(&["doctor", "--json"]);
        let checks = told["checks"].as_array().expect("checks").clone();
        checks.into_iter().find(|check| check["name"] == "property indexes").expect("the check")
    };
    assert_eq!(check()["status"], "ok");

    run(&["cypher", SECRET]);
    run(&["cypher", "MATCH (p:Person) WHERE p.shoe = 44 RETURN p"]);
    run(&["cypher", "MATCH ()-[k:KNOWS {since: 1833}]->() RETURN k.since"]);
    let found = check();
    assert_eq!(found["status"], "warning");
    // What the graph does not hold needs no index.
    assert_eq!(
        found["hint"],
        "graphwright index create Person name\ngraphwright index create KNOWS since --relationships"
    );
    for command in found["hint"].as_str().expect("commands").lines() {
        let words: Vec<_> = command.split_whitespace().skip(1).collect();
        assert!(run(&words).contains("can be used"));
        assert!(run(&words).contains("can be used"), "again");
    }
    assert_eq!(check()["status"], "ok");

    let listed = json(&["index", "list", "--json"]);
    let names: Vec<_> =
        listed["indexes"].as_array().expect("indexes").iter().map(|index| &index["name"]).collect();
    assert_eq!(names, ["index_KNOWS_since", "index_Person_name"]);
    for name in names {
        run(&["index", "drop", name.as_str().expect("a name")]);
    }
    assert_eq!(check()["status"], "warning");
    let unknown = self::run(folder, store, &["index", "drop", "nope"]).expect_err("fails");
    assert!(unknown.contains("the index `nope` does not exist"), "{unknown}");
}

/// Returns the server that `NEO4J_URI` names, without nodes, indexes and constraints, for one test
/// at a time.
fn emptied_server(folder: &Path) -> (MutexGuard<'static, ()>, String) {
    static SERVER: Mutex<()> = Mutex::new(());
    let alone = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
    let store = std::env::var("NEO4J_URI").expect("NEO4J_URI is set");
    sample::empty(|arguments| run(folder, &store, arguments).expect("succeeds"));
    (alone, store)
}

/// Returns all files below a folder.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("reads").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn doctor_names_the_indexes_that_queries_miss() {
    let folder = tempfile::tempdir().expect("a folder");
    tell_missing_indexes(folder.path(), "graph");
    let remembered = folder.path().join("graph/search.lookups.jsonl");
    let text = std::fs::read_to_string(remembered).expect("remembered");
    assert!(text.contains("name") && !text.contains("secret") && !text.contains("44"), "{text}");
}

#[test]
fn doctor_says_when_no_more_look_ups_are_remembered() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| run(folder.path(), "graph", arguments).expect("succeeds");
    run(&["cypher", "--write", GRAPH]);
    let line = |number: usize| format!("{{\"label\":\"A\",\"property\":\"p{number}\"}}\n");
    let file = folder.path().join("graph/search.lookups.jsonl");
    for (number, is_full) in [(499, false), (500, true)] {
        std::fs::write(&file, (0..number).map(line).collect::<String>()).expect("writes");
        assert_eq!(run(&["doctor"]).contains("search.lookups.jsonl to begin anew"), is_full, "{number}");
    }
}

/// Creates and removes a uniqueness constraint.
fn keep_unique(folder: &Path, store: &str) {
    let run = |arguments: &[&str]| run(folder, store, arguments);
    run(&["cypher", "--write", GRAPH]).expect("succeeds");
    for _ in 0..2 {
        let made = run(&["index", "create", "Person", "name", "--unique"]).expect("succeeds");
        assert_eq!(made.trim(), "unique_Person_name  unique (:Person) name holds");
    }
    let listed = run(&["index", "list", "--json"]).expect("succeeds");
    let constraint = json!([{"name": "unique_Person_name", "label": "Person", "properties": ["name"]}]);
    assert_eq!(serde_json::from_str::<Json>(&listed).expect("JSON")["constraints"], constraint);
    let twice = ["cypher", "--write", "CREATE (:Person {name: 'Ada'})"];
    assert!(run(&twice).expect_err("fails").contains("Ada"));
    run(&["index", "drop", "unique_Person_name"]).expect("succeeds");
    run(&twice).expect("succeeds");
    let broken = run(&["index", "create", "Person", "name", "--unique"]).expect_err("fails");
    assert!(broken.contains("Ada"), "{broken}");
}

#[test]
fn values_can_be_kept_unique() {
    let folder = tempfile::tempdir().expect("a folder");
    keep_unique(folder.path(), "graph");
}

#[test]
#[ignore = "needs neo4j"]
fn values_can_be_kept_unique_on_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_alone, store) = emptied_server(folder.path());
    keep_unique(folder.path(), &store);
}

#[test]
#[ignore = "needs neo4j"]
fn doctor_names_the_indexes_that_queries_miss_on_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_alone, store) = emptied_server(folder.path());
    tell_missing_indexes(folder.path(), &store);
    for file in files(folder.path()) {
        let bytes = std::fs::read(&file).expect("reads");
        assert!(!bytes.windows(10).any(|window| window == b"top secret"), "{}", file.display());
    }
}

#[test]
fn a_plan_says_what_is_known_and_which_index_would_help() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| run(folder.path(), "graph", arguments);
    run(&["cypher", "--write", GRAPH]).expect("succeeds");
    insta::assert_snapshot!(run(&["cypher", "--explain", SECRET]).expect("succeeds"));

    let profiled = run(&["cypher", "--profile", "--json", SECRET]).expect("succeeds");
    let profiled: Json = serde_json::from_str(&profiled).expect("JSON");
    assert_eq!(profiled["query_type"], "read");
    assert_eq!(profiled["plan"]["rows"], 0);
    assert_eq!(profiled["plan"]["db_hits"], Json::Null);
    let index = json!({"target": {"label": "Person"}, "property": "name", "command": "graphwright index create Person name"});
    assert_eq!(profiled["findings"][0]["index"], index);

    let writing = "MATCH (p:Person) SET p.seen = true";
    let refused = run(&["cypher", "--profile", writing]).expect_err("fails");
    assert!(refused.contains("only reading is allowed"), "{refused}");
    let explained = run(&["cypher", "--explain", "--write", "--json", writing]).expect("succeeds");
    assert!(explained.contains(r#""query_type":"write""#), "{explained}");
    // A query that is only explained does not run, even if its text begins with `PROFILE`.
    let text = format!("PROFILE {writing}");
    let explained = run(&["cypher", "--explain", "--write", "--json", &text]).expect("succeeds");
    assert!(explained.contains(r#""columns":[]"#) && !explained.contains("counters"), "{explained}");
    let seen = run(&["cypher", "--json", "MATCH (p) WHERE p.seen RETURN p.name"]).expect("succeeds");
    assert!(seen.contains(r#""rows":[]"#), "{seen}");
    let profiled = run(&["cypher", "--profile", "--write", "--json", writing]).expect("succeeds");
    assert!(profiled.contains(r#""properties_set":2"#), "{profiled}");
}

#[test]
fn integers_beyond_what_programs_hold_are_strings_where_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| run(folder.path(), "graph", arguments).expect("succeeds");
    run(&["cypher", "--write", "CREATE (:Account {number: 9007199254740993, owner: 'x', small: -3})"]);
    let query = ["cypher", "--json", "MATCH (a:Account) RETURN a.number, [a.number, a.small], a"];
    assert!(run(&query).contains(r#""rows":[[9007199254740993,[9007199254740993,-3],{"#));
    let safe = run(&[&query[..], &["--safe-integers"]].concat());
    assert!(safe.contains(r#""rows":[["9007199254740993",["9007199254740993",-3],{"#), "{safe}");
    assert!(safe.contains(r#""number":"9007199254740993""#), "{safe}");
    // What is exported can be imported as it was.
    let [plain, safe] = [&["export"][..], &["export", "--safe-integers"]].map(&run);
    // The first line names the export.
    assert_eq!(plain.split_once('\n').expect("lines").1, safe.split_once('\n').expect("lines").1);
    run(&["export", "all.jsonl", "--safe-integers"]);
    let other = self::run(folder.path(), "other", &["import", "all.jsonl"]);
    assert!(other.is_ok(), "{other:?}");
    let back = self::run(folder.path(), "other", &query).expect("succeeds");
    assert!(back.contains(r#""rows":[[9007199254740993,[9007199254740993,-3],{"#), "{back}");
}
