//! Tests what is told of two people of one name, whom a model read from two documents.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "this is a test")]

mod sample;

use std::{fs, path::Path};

use sample::graphwright;
use serde_json::{Value as Json, json};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers::method};

/// Reads Jon Berg from a document, with what it says of him.
struct Player;

impl Respond for Player {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let asked = String::from_utf8_lossy(&request.body).into_owned();
        let (born, home) = if asked.contains("Oslo") { (1931, "Oslo") } else { (1968, "Cork") };
        let detail = |name: &str, value: Json| json!({"of": "e1", "name": name, "value": value, "in": [1]});
        let content = json!({
            "entities": [{"id": "e1", "type": "Keeper", "name": "Jon Berg"}],
            "facts": [],
            "details": [detail("born", born.into()), detail("home", home.into())],
        });
        let message = json!({"role": "assistant", "content": content.to_string()});
        ResponseTemplate::new(200).set_body_json(json!({
            "model": "gpt-4o-mini",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }))
    }
}

async fn run(folder: &Path, address: &str, arguments: &'static [&str]) -> String {
    let mut command = graphwright();
    command.current_dir(folder).env("OPENAI_API_KEY", "k").env("OPENAI_BASE_URL", address).args(arguments);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_of_one_name_are_told_wherever_one_is_looked_at() {
    let (server, folder) = (MockServer::start().await, tempfile::tempdir().unwrap());
    Mock::given(method("POST")).respond_with(Player).mount(&server).await;
    for (file, text) in [
        ("documents/north.md", "Jon Berg was born in 1931 and hails from Oslo."),
        ("documents/south.md", "Jon Berg was born in 1968 and hails from Cork."),
        ("ontology.yaml", "nodes: {Keeper: {properties: {born: {type: integer}, home: {type: string}}}}"),
    ] {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let address = format!("{}/v1", server.uri());
    let run = async |arguments| run(folder.path(), &address, arguments).await;
    let told = "born 1931, home Oslo (north.md), born 1968, home Cork (south.md)";

    let ingested =
        run(&["--model", "openai/gpt-4o-mini", "ingest", "documents", "--ontology", "ontology.yaml"]).await;
    assert!(ingested.contains(&format!("may be two: Keeper Jon Berg: {told}")), "{ingested}");
    let looked_up = run(&["lookup", "Jon Berg"]).await;
    assert!(looked_up.contains(&format!("may be two: {told}")), "{looked_up}");
    let as_json: Json = serde_json::from_str(&run(&["--json", "lookup", "Jon Berg"]).await).unwrap();
    assert_eq!(
        as_json["may_be_two"],
        json!(["born 1931, home Oslo (north.md)", "born 1968, home Cork (south.md)"])
    );
    let answered = run(&["ask", "When was Jon Berg born?"]).await;
    assert!(answered.contains(&format!("Jon Berg may be two: {told}.")), "{answered}");
}
