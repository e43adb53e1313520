//! Tests that `graphwright demo` answers its questions as the sample's gold does, and shows the
//! evidence.

#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]

mod sample;

use std::{collections::BTreeSet, fs, path::Path};

use sample::{SAMPLE, answered, graphwright, lines};
use serde_json::Value as Json;

#[test]
fn the_demo_is_right_and_shows_why() {
    let output = graphwright().args(["demo", "--json"]).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    let answers = shown["answers"].as_array().expect("answers");
    assert_eq!(answers.len(), 4);
    let gold = lines("questions.jsonl");
    for answer in answers {
        let gold =
            gold.iter().find(|line| line["question"] == answer["question"]).expect("the question has gold");
        let expected: BTreeSet<String> = gold["answers"]
            .as_array()
            .expect("answers")
            .iter()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect();
        assert!(answer["model"].is_null(), "no model was set");
        if gold["status"] == "not_in_graph" {
            // What the graph does not say, the documents do.
            assert_eq!(answer["status"], "quoted", "{answer}");
            let quoted = answer["answer"].as_str().expect("text");
            assert!(quoted.starts_with("There is no service for refunds by cheque;"), "{answer}");
            continue;
        }
        assert_eq!(answer["status"], "answered", "{answer}");
        assert_eq!(answered(answer), expected, "{}", answer["question"]);
        assert!(!answer["passages"].as_array().expect("passages").is_empty(), "{answer}");
    }
}

/// `.ci/readme demo` compares the same with the release build; this tells of a difference without one.
#[test]
fn the_readme_shows_what_the_demo_prints() {
    let output = graphwright().arg("demo").output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("text");
    let readme = include_str!("../../../README.md");
    let transcript = readme.split("```text\n$ graphwright demo\n").nth(1).expect("a transcript");
    let shown = transcript.split("\n```").next().expect("its text");
    assert_eq!(without_time(shown), without_time(printed.trim_end()));
}

/// The lines but the one that tells how long it took, which differs from run to run.
fn without_time(transcript: &str) -> Vec<&str> {
    let is_time = |line: &str| line.strip_suffix(" s").is_some_and(|time| time.parse::<f64>().is_ok());
    transcript.lines().filter(|line| !is_time(line)).collect()
}

/// The program carries a copy, since the sample lies outside of its package.
#[test]
fn the_sample_in_the_program_is_the_one_of_the_examples() {
    let copy = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample");
    for file in ["demo.txt", "ontology.yaml", "gold.jsonl", "questions.jsonl"] {
        assert_eq!(read(&copy.join(file)), read(&Path::new(SAMPLE).join(file)), "{file}");
    }
    let (copied, documents) = (files(&copy.join("documents")), files(&Path::new(SAMPLE).join("documents")));
    assert_eq!(copied.len(), 25);
    assert_eq!(copied, documents);
}

fn read(file: &Path) -> Vec<u8> {
    fs::read(file).expect("is there")
}

/// All files below a folder, by their paths in it, with what is in them.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, text)| (format!("{name}/{below}"), text)));
        } else {
            found.push((name, read(&path)));
        }
    }
    found.sort();
    found
}
