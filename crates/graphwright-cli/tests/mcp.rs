//! `graphwright mcp` with the protocol's own Python client at the other end (PyPI `mcp`).

#![allow(clippy::expect_used, reason = "this is a test")]

mod sample;

use std::process::Command;

use sample::{SAMPLE, graphwright};
use serde_json::Value as Json;

const CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp_client.py");

/// What the client reports of a whole conversation.
fn talk(store: &str, flags: &[&str]) -> Json {
    let python = std::env::var("GRAPHWRIGHT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let command = graphwright();
    let program = command.get_program();
    let output = Command::new(python)
        .arg(CLIENT)
        .arg(program)
        .args(["mcp", "--store", store])
        .args(flags)
        .output()
        .expect("python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a report in JSON")
}

#[test]
#[ignore = "needs python"]
fn an_assistant_works_with_the_graph() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("graph").display().to_string();
    let documents = format!("{SAMPLE}/documents");
    let ontology = format!("{SAMPLE}/ontology.yaml");
    let built = graphwright()
        .args(["ingest", &documents, "--ontology", &ontology, "--store", &store])
        .output()
        .expect("runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let report = talk(&store, &[]);
    let tools = report["tools"].as_object().expect("tools");
    for name in [
        "lookup_entity",
        "explore_neighbors",
        "find_connection",
        "search",
        "get_schema",
        "run_cypher",
        "count_and_sample",
        "get_document",
        "get_neo4j_schema",
        "read_neo4j_cypher",
    ] {
        let tool = &tools[name];
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{name}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
    }
    assert!(!tools.contains_key("write_neo4j_cypher"));

    assert!(report["lookup"].as_str().expect("text").contains("ledger"));
    assert_eq!(report["read"]["is_error"], false);
    assert!(report["read"]["text"].as_str().expect("text").contains("14"), "{}", report["read"]);
    assert_eq!(report["write_as_read"]["is_error"], true);
    assert_eq!(report["malformed"]["is_error"], true);
    assert!(report["schema_resource"].as_str().expect("text").contains("Service"));
    assert!(report["document"].as_str().expect("text").contains("ledger"), "{}", report["document"]);
    assert!(report["missing"].as_str().expect("an error").contains("there is nothing at"));
    assert!(report["prompt"].as_str().expect("text").contains("Who owns ledger?"));

    let writing = talk(&store, &["--write"]);
    assert_eq!(writing["tools"]["write_neo4j_cypher"]["annotations"]["readOnlyHint"], false);
    assert_eq!(writing["write"]["is_error"], false, "{}", writing["write"]);
    assert_eq!(writing["new_label"]["is_error"], true);
}
