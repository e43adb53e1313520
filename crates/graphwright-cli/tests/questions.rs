//! Questions in anybody's words, from documents to answers: over the sample, and over a page of notes as teams keep them.

#![allow(clippy::expect_used, reason = "this is a test")]

mod sample;

use std::path::{Path, PathBuf};

use sample::{SAMPLE, graphwright};
use serde_json::Value as Json;

/// Reads a folder of documents under an ontology into a new graph.
fn ingest(documents: &Path, ontology: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = graphwright();
    command.args(["ingest", "--extractor", "rules", "--store"]).arg(folder.path().join("graph"));
    let output = command.arg("--ontology").arg(ontology).arg(documents).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

fn ask(folder: &Path, question: &str) -> Json {
    let mut command = graphwright();
    command.arg("--store").arg(folder.join("graph")).args(["ask", question, "--json"]);
    let output = command.output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn names(answer: &Json) -> Vec<&str> {
    let entities = answer["entities"].as_array().expect("entities").iter();
    let mut names: Vec<&str> = entities.map(|entity| entity["name"].as_str().expect("a name")).collect();
    names.sort_unstable();
    names
}

#[test]
fn the_sample_answers_questions_in_other_words() {
    let sample = Path::new(SAMPLE);
    let folder = ingest(&sample.join("documents"), &sample.join("ontology.yaml"));
    for (question, wanted) in [
        (
            "Which microservices, written in Go, will be affected by the upcoming deprecation of the v2 auth-lib?",
            &["edge-gateway", "ledger", "order-service"][..],
        ),
        ("Tell me about the security issue that requires a migration by Q1 2024.", &["SEC-2023-41"]),
        ("Trace the chain of ownership of web-store through five levels", &["Storefront"]),
    ] {
        let answer = ask(folder.path(), question);
        assert_eq!(answer["status"], "answered", "{question} {}", answer["answer"]);
        assert_eq!(names(&answer), wanted, "{question}");
    }
    // `Reporting services` is a heading above several.
    let counted = ask(folder.path(), "How many services are there?");
    assert_eq!(counted["values"][0], 13, "{}", counted["answer"]);
}

#[test]
#[ignore = "needs public data"]
fn a_page_of_notes_answers() {
    let data =
        std::env::var_os("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA names the folder of public data");
    let notes = PathBuf::from(data).join("real/notes");
    let folder = ingest(&notes.join("docs"), &notes.join("ontology.yaml"));
    for (question, wanted) in [
        (
            "Which microservices, written in Kotlin, will be affected by the coming end of session-kit-v1?",
            "Invoice Service",
        ),
        ("What is the Invoice Service written in?", "Kotlin"),
        ("Which libraries does mail-room use?", "pdf-writer"),
        ("Why is session-kit-v1 going away?", "tokens never expire"),
        ("Which services are written in Rust?", "Search Gateway and Stock Service"),
        ("How many services depend on pdf-writer?", "2 services"),
    ] {
        let answer = ask(folder.path(), question);
        let text = answer["answer"].as_str().expect("a text");
        assert!(text.contains(wanted), "{question} {text}");
    }
}
