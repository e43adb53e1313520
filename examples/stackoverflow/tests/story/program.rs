//! Tests the program as people run it.

use std::process::{Command, Output};

use crate::site::dump;

fn run(folder: &std::path::Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stackoverflow"));
    for variable in ["GRAPHWRIGHT_MODEL", "GRAPHWRIGHT_STORE", "GRAPHWRIGHT_EMBEDDER", "OPENAI_API_KEY"] {
        command.env_remove(variable);
    }
    command.current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn posts_are_imported_and_without_a_model_the_nearest_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = dump();
    let imported = run(folder.path(), &["import", path.to_str().unwrap(), "--site", "bread.example.com"]);
    assert!(imported.status.success(), "{}", text(&imported.stderr));
    let summary = text(&imported.stdout);
    assert!(summary.starts_with("33 nodes and 35 relationships in "), "{summary}");
    assert!(summary.contains("left out: Posts.xml, line 14: Answer:12 has no ANSWERED"), "{summary}");

    let asked = run(folder.path(), &["ask", "How long may dough rest in the fridge?"]);
    assert!(asked.status.success(), "{}", text(&asked.stderr));
    assert!(text(&asked.stderr).contains("No model is set"), "{}", text(&asked.stderr));
    let shown = text(&asked.stdout);
    assert!(shown.contains("- Question:4 by Ines Farrow, score 8"), "{shown}");
    assert!(shown.contains("Source: https://bread.example.com/q/4"), "{shown}");

    let asked = run(folder.path(), &["ask", "--model", "openai/gpt-4o-mini", "Why?"]);
    assert_eq!(asked.status.code(), Some(1));
    let error = text(&asked.stderr);
    assert!(error.starts_with("error: the key of openai is missing\nhint: set OPENAI_API_KEY"), "{error}");
}
