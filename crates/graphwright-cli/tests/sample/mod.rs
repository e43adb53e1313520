//! The sample in a folder of its own, and the command that runs on it.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "each test uses its part of this"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use assert_cmd::Command;
use serde_json::{Value as Json, json};

pub const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/software-catalogue");

/// Returns the command without the settings and data of the person who runs the tests.
pub fn graphwright() -> Command {
    Command::from_std(plain_graphwright())
}

/// Returns the command of the standard library, which can be started and killed.
pub fn plain_graphwright() -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_graphwright"));
    for variable in [
        "GRAPHWRIGHT_STORE",
        "GRAPHWRIGHT_MODEL",
        "GRAPHWRIGHT_EMBEDDER",
        "GRAPHWRIGHT_BUDGET",
        "GRAPHWRIGHT_ROUTES",
        "NEO4J_URI",
    ] {
        command.env_remove(variable);
    }
    // Settings of the person, data of a server's graph that is kept on this machine, what was learned of models.
    command.env("XDG_CONFIG_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/config"));
    command.env("XDG_DATA_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/data"));
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

/// Returns the lines of a JSON Lines file of the sample.
pub fn lines(file: &str) -> Vec<Json> {
    let text = fs::read_to_string(Path::new(SAMPLE).join(file)).expect("the sample is there");
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// Builds a graph from a folder with `documents/` and `ontology.yaml`, and asks it.
pub fn build_and_ask(folder: &Path, questions: &[String]) -> BTreeMap<String, Json> {
    let store = folder.join("graph");
    let run = |command: &mut Command| {
        let output =
            command.current_dir(folder).args(["--store"]).arg(&store).output().expect("the command runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    run(graphwright().args(["ingest", "documents", "--ontology", "ontology.yaml", "--json"]));
    let batch: String = questions
        .iter()
        .map(|question| format!("{}\n", json!({"id": question, "question": question})))
        .collect();
    let answers = run(graphwright().args(["ask", "--batch"]).write_stdin(batch));
    answers
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).expect("JSON"))
        .map(|answer| (answer["id"].as_str().expect("id").to_owned(), answer))
        .collect()
}

/// Returns the names of the answers, or the values if the question asks for values.
pub fn answered(answer: &Json) -> BTreeSet<String> {
    let names =
        answer["entities"].as_array().into_iter().flatten().filter_map(|entity| entity["name"].as_str());
    names.map(str::to_owned).collect()
}

/// Copies the sample and passes its texts through `change`, which receives the path below
/// `documents/`.
pub fn copy(target: &Path, change: &dyn Fn(&str, String) -> String) {
    let ontology = fs::read_to_string(Path::new(SAMPLE).join("ontology.yaml")).expect("ontology");
    fs::write(target.join("ontology.yaml"), change("ontology.yaml", ontology)).expect("writes");
    copy_folder(&Path::new(SAMPLE).join("documents"), &target.join("documents"), Path::new(""), change);
}

fn copy_folder(from: &Path, to: &Path, below: &Path, change: &dyn Fn(&str, String) -> String) {
    fs::create_dir_all(to).expect("writes");
    for entry in fs::read_dir(from).expect("reads") {
        let path = entry.expect("entry").path();
        let name = path.file_name().expect("name");
        let place: PathBuf = below.join(name);
        if path.is_dir() {
            copy_folder(&path, &to.join(name), &place, change);
        } else {
            let text = fs::read_to_string(&path).expect("text");
            fs::write(to.join(name), change(&place.to_string_lossy(), text)).expect("writes");
        }
    }
}

/// Returns the content of a store, independent of the order and time of writing.
pub fn content(store: &Path) -> BTreeSet<String> {
    content_of(&export(graphwright().arg("--store").arg(store)))
}

/// Returns the lines of an export.
pub fn export(command: &mut Command) -> String {
    let output = command.arg("export").output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the content of an export, independent of the order and time of writing and of the
/// store's identifiers.
pub fn content_of(export: &str) -> BTreeSet<String> {
    let mut names = BTreeMap::new();
    let mut content = BTreeSet::new();
    for line in export.lines() {
        let mut line: Json = serde_json::from_str(line).expect("JSON");
        if let Some(properties) = line["properties"].as_object_mut() {
            properties.retain(|name, _| !matches!(name.as_str(), "recorded_at" | "ingested_at"));
        }
        if let Some(name) = line["node"].as_str() {
            names.insert(name.to_owned(), line["properties"]["__id__"].clone());
            line["node"] = Json::Null;
        } else if line["relationship"].is_string() {
            line["relationship"] = Json::Null;
            for end in ["from", "to"] {
                line[end] = names[line[end].as_str().expect("a name")].clone();
            }
        } else if line["graphwright"].is_number() {
            continue;
        }
        content.insert(line.to_string());
    }
    content
}

/// Takes all nodes, indexes and constraints from a store, with commands that `run` runs on it.
pub fn empty(run: impl Fn(&[&str]) -> String) {
    run(&["cypher", "--write", "MATCH (n) DETACH DELETE n"]);
    let listed: Json = serde_json::from_str(&run(&["index", "list", "--json"])).expect("JSON");
    for listed in [&listed["indexes"], &listed["constraints"]] {
        for one in listed.as_array().expect("a list") {
            run(&["index", "drop", one["name"].as_str().expect("a name")]);
        }
    }
}

/// A command with commands of its own, on one store.
pub struct Subcommand<'a> {
    pub name: &'a str,
    pub store: &'a Path,
}

impl Subcommand<'_> {
    fn output(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = graphwright();
        command.arg(self.name).args(arguments).arg("--store").arg(self.store);
        command.output().expect("runs")
    }

    pub fn text(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    pub fn json(&self, arguments: &[&str]) -> Json {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        serde_json::from_str(&self.text(&arguments)).expect("JSON")
    }

    /// Returns the exit code and what is said of a failure.
    pub fn error(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.output(arguments);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
