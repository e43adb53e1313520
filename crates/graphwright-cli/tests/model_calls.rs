//! Tests the command's model calls against a local server: cached, within limits, and shown on
//! demand.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "this is a test")]

mod sample;

use std::{fs, path::Path, process::Output};

use sample::graphwright;
use serde_json::{Value as Json, json};
use wiremock::{Mock, MockServer, ResponseTemplate, matchers::method};

const KEY: &str = "sk-very-secret";

/// Starts a server that extracts one entity from every passage.
async fn server() -> MockServer {
    let entity = json!({"id": "e1", "type": "Service", "name": "ledger"});
    let content = json!({"entities": [entity], "facts": [], "details": []}).to_string();
    answering(ResponseTemplate::new(200).set_body_json(json!({
        "model": "gpt-4o-mini",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
    })))
    .await
}

async fn answering(template: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(template).mount(&server).await;
    server
}

async fn calls(server: &MockServer) -> usize {
    server.received_requests().await.expect("recorded").len()
}

/// Runs the command in a folder, with the server as its model.
async fn run(folder: &Path, server: &MockServer, arguments: &[&str]) -> Output {
    let mut command = graphwright();
    command.current_dir(folder).env("OPENAI_API_KEY", KEY).args(["--model", "openai/gpt-4o-mini"]);
    command.env("OPENAI_BASE_URL", format!("{}/v1", server.uri())).args(arguments);
    let output = tokio::task::spawn_blocking(move || command.output().expect("runs")).await.expect("runs");
    for printed in [&output.stdout, &output.stderr] {
        assert!(!String::from_utf8_lossy(printed).contains("very-secret"));
    }
    output
}

fn write_documents(folder: &Path) {
    fs::write(folder.join("note.md"), "# Ledger\n\nThe service `ledger` keeps the books.\n").expect("writes");
    fs::write(folder.join("ontology.yaml"), "nodes: {Service: {}}\n").expect("writes");
}

fn usage(output: &Output) -> Json {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    printed["usage"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_replies_saves_the_second_reading() {
    let (server, folder) = (server().await, tempfile::tempdir().expect("a folder"));
    write_documents(folder.path());
    let read = async |store: &str, cache: &str| {
        let arguments = [
            "--store",
            store,
            "--cache",
            cache,
            "--json",
            "ingest",
            "note.md",
            "--ontology",
            "ontology.yaml",
        ];
        usage(&run(folder.path(), &server, &arguments).await)
    };
    let first = read("one", "replies").await;
    assert_eq!((&first["requests"], &first["cached_replies"]), (&json!(1), &json!(0)), "{first}");
    assert!(first["cost"].as_f64().expect("a price") > 0.0);
    let second = read("two", "replies").await;
    assert_eq!((&second["requests"], &second["cached_replies"]), (&json!(0), &json!(1)), "{second}");
    assert_eq!(second["cost"], 0.0);
    assert_eq!(calls(&server).await, 1);
    read("three", "off").await;
    assert_eq!(calls(&server).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_prices_goes_over_the_table() {
    let (server, folder) = (server().await, tempfile::tempdir().expect("a folder"));
    write_documents(folder.path());
    let prices = r#"{"models": [{"name": "openai/gpt-4o-mini", "input": 1000, "output": 10000}]}"#;
    fs::write(folder.path().join("prices.json"), prices).expect("writes");
    fs::write(folder.path().join("graphwright.toml"), "prices = \"prices.json\"\n").expect("writes");
    let output =
        run(folder.path(), &server, &["--json", "ingest", "note.md", "--ontology", "ontology.yaml"]).await;
    assert_eq!(usage(&output)["cost"], 2.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_call_is_shown_on_demand_with_what_was_said_only_where_that_is_asked_for_too() {
    let (server, folder) = (server().await, tempfile::tempdir().expect("a folder"));
    write_documents(folder.path());
    fs::write(folder.path().join("said.toml"), "trace_content = true\n").expect("writes");
    let log = async |options: &[&str], store: &str| {
        let ingest = ["--store", store, "ingest", "note.md", "--ontology", "ontology.yaml"];
        let output = run(folder.path(), &server, &[options, &ingest].concat()).await;
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        let calls = text.split_once("graphwright_llm::calls").map(|(_, calls)| calls.to_owned());
        calls.unwrap_or_default()
    };
    assert_eq!(log(&[], "one").await, "");
    let shown = log(&["-v"], "two").await;
    assert!(shown.contains("call model=openai/gpt-4o-mini messages=2"), "{shown}");
    assert!(shown.contains("input_tokens=1000 output_tokens=100 cost=0.00021"), "{shown}");
    assert!(!shown.contains("keeps the books"), "{shown}");
    let shown = log(&["-v", "--config", "said.toml"], "three").await;
    assert!(shown.contains("keeps the books") && shown.contains("details"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_asks_the_model_anew_and_tells_what_is_wrong_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    write_documents(folder.path());
    assert!(
        run(folder.path(), &server().await, &["ingest", "note.md", "--ontology", "ontology.yaml"])
            .await
            .status
            .success()
    );
    let good = server().await;
    for _ in 0..2 {
        let output = run(folder.path(), &good, &["--cache", "replies", "doctor"]).await;
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("model: openai/gpt-4o-mini answers"), "{text}");
        assert!(text.contains("cache: replies of up to 30 days are remembered in replies"), "{text}");
    }
    assert_eq!(calls(&good).await, 2);
    fs::write(folder.path().join("graphwright.toml"), "judge = \"openai/gpt-4o\"\n").expect("writes");
    let output = run(folder.path(), &good, &["doctor"]).await;
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("judge: openai/gpt-4o answers"), "{text}");
    fs::remove_file(folder.path().join("graphwright.toml")).expect("removes");
    let refusing = answering(
        ResponseTemplate::new(401).set_body_json(json!({"error": {"message": "Incorrect API key provided"}})),
    )
    .await;
    let output = run(folder.path(), &refusing, &["doctor"]).await;
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("model: openai refused the credentials: Incorrect API key provided"), "{text}");
}
