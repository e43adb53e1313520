//! Tests `graphwright eval retrieval`.

#![expect(clippy::expect_used, reason = "a test stops at what it does not expect")]

mod sample;

use std::{fs, path::Path};

use sample::graphwright;
use serde_json::Value as Json;

const CORPUS: &str = r#"[
    {"title": "Journal of Integration", "text": "The journal is published by the Vienna Society."},
    {"title": "Adolescence", "text": "Stanley Hall was the first president of the Vienna Society."},
    {"title": "Printing", "text": "The first president of a journal association printed."},
    {"title": "Presidents", "text": "A first president leads an association that published little."}
]"#;
const QUESTIONS: &str = r#"[{
    "question": "Who was first president of the association that published Journal of Integration?",
    "paragraphs": [
        {"title": "Journal of Integration", "paragraph_text": "The journal is published by the Vienna Society."},
        {"title": "Adolescence", "paragraph_text": "Stanley Hall was the first president of the Vienna Society."},
        {"title": "Printing", "paragraph_text": "…", "is_supporting": false}
    ]
}]"#;

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = graphwright();
    command.current_dir(folder).args(["eval", "retrieval", "--corpus", "corpus.json"]).args(arguments);
    let output = command.output().expect("runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("corpus.json"), CORPUS).expect("writes");
    fs::write(folder.path().join("questions.json"), QUESTIONS).expect("writes");
    folder
}

#[test]
fn each_way_of_searching_is_measured() {
    let folder = folder();
    let (code, output, _) =
        run(folder.path(), &["--questions", "questions.json", "--svg", "recall.svg", "--json"]);
    let report: Json = serde_json::from_str(&output).expect("JSON");
    assert_eq!(
        (code, report["passages"].as_u64(), report["questions"].as_u64()),
        (Some(0), Some(4), Some(1))
    );
    let methods = report["methods"].as_array().expect("methods");
    let names: Vec<_> = methods.iter().filter_map(|method| method["name"].as_str()).collect();
    assert_eq!(names, ["fulltext", "vector", "hybrid", "pagerank", "graph"]);
    assert_eq!(methods[4]["recall"]["2"], 100.0, "{output}");
    assert!(methods[0]["recall"]["2"].as_f64() < Some(100.0), "{output}");
    let drawn = fs::read_to_string(folder.path().join("recall.svg")).expect("a picture");
    assert!(drawn.contains("graph R@2"));
    let (_, table, _) =
        run(folder.path(), &["--questions", "questions.json", "--mode", "graph", "--mode", "vector"]);
    assert!(table.contains("graph") && !table.contains("hybrid"), "{table}");
    assert!(table.contains("R@5 of 2") && table.contains("4 passages, 1 questions"), "{table}");
}

#[test]
fn a_floor_and_what_is_malformed_end_it() {
    let folder = folder();
    let floored = ["--questions", "questions.json", "--floor", "101"];
    let (code, _, notes) = run(folder.path(), &floored);
    assert!(code == Some(1) && notes.contains("below the floor of 101 %"), "{notes}");
    fs::write(folder.path().join("bare.json"), r#"[{"question": "Who?"}]"#).expect("writes");
    let (code, _, error) = run(folder.path(), &["--questions", "bare.json"]);
    let told = "bare.json: question 1: `paragraphs`, `contexts` and `supporting_facts` are missing";
    assert!(code == Some(1) && error.contains(told), "{error}");
}
