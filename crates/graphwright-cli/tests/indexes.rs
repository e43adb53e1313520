//! Plans, missing indexes and integers for programs, in a folder and (where it is there) on a Neo4j server.

#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]

mod sample;

use std::path::Path;

use sample::graphwright;
use serde_json::{Value as Json, json};

const GRAPH: &str = "CREATE (:Person {name: 'Ada', born: 1815})-[:KNOWS {since: 1833}]->(:Person {name: 'Charles', born: 1791})";
const SECRET: &str = "MATCH (p:Person) WHERE p.name = 'top secret' RETURN p.born";

/// Runs the command in a folder on a store; its standard output, or its standard error where it fails.
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

/// All files below a folder.
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
#[ignore = "needs neo4j"]
fn doctor_names_the_indexes_that_queries_miss_on_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = std::env::var("NEO4J_URI").expect("NEO4J_URI is set");
    run(folder.path(), &store, &["cypher", "--write", "MATCH (n) DETACH DELETE n"]).expect("succeeds");
    let listed = run(folder.path(), &store, &["index", "list", "--json"]).expect("succeeds");
    let listed: Json = serde_json::from_str(&listed).expect("JSON");
    for index in listed["indexes"].as_array().expect("indexes") {
        run(folder.path(), &store, &["index", "drop", index["name"].as_str().expect("a name")])
            .expect("succeeds");
    }
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
    // What is exported is read again as it was.
    let [plain, safe] = [&["export"][..], &["export", "--safe-integers"]].map(&run);
    // The first line names the export.
    assert_eq!(plain.split_once('\n').expect("lines").1, safe.split_once('\n').expect("lines").1);
    run(&["export", "all.jsonl", "--safe-integers"]);
    let other = self::run(folder.path(), "other", &["import", "all.jsonl"]);
    assert!(other.is_ok(), "{other:?}");
    let back = self::run(folder.path(), "other", &query).expect("succeeds");
    assert!(back.contains(r#""rows":[[9007199254740993,[9007199254740993,-3],{"#), "{back}");
}
