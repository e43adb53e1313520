//! Tests that `graphwright eval live` measures a model at work, with a model that is played.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "this is a test")]

mod sample;

use sample::{graphwright, lines};
use serde_json::{Value as Json, json};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers::method};

/// Reads documents by their gold facts, calls a tool once, and never says anything that the evidence bears out.
struct Player {
    gold: Vec<Json>,
}

impl Respond for Player {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let body: Json = request.body_json().expect("JSON");
        let messages = body["messages"].as_array().expect("messages");
        let told = messages.last().expect("one")["content"].as_str().unwrap_or_default();
        let form = body["response_format"].to_string();
        let is_result = |message: &Json| message["role"] == "tool";
        let message = if form.contains("facts") {
            says(&self.read(told).to_string())
        } else if form.contains("pairs") {
            says(r#"{"pairs": []}"#)
        } else if body["tools"].is_array() && !messages.iter().any(is_result) {
            let function = json!({"name": "lookup_entity", "arguments": r#"{"name": "ledger"}"#});
            let call = json!({"index": 0, "id": "1", "type": "function", "function": function});
            json!({"role": "assistant", "content": null, "tool_calls": [call]})
        } else {
            says("Zoe Quandt did it [1].")
        };
        let usage = json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110});
        let finish = if message["content"].is_null() { "tool_calls" } else { "stop" };
        if body["stream"] != true {
            let choice = json!({"index": 0, "message": message, "finish_reason": finish});
            let reply = json!({"model": "gpt-4o-mini", "choices": [choice], "usage": usage});
            return ResponseTemplate::new(200).set_body_json(reply);
        }
        let event = |choices: Json, usage: Json| {
            format!("data: {}\n\n", json!({"model": "gpt-4o-mini", "choices": choices, "usage": usage}))
        };
        let events = [
            event(json!([{"index": 0, "delta": message}]), Json::Null),
            event(json!([{"index": 0, "delta": {}, "finish_reason": finish}]), Json::Null),
            event(json!([]), usage),
            "data: [DONE]\n\n".to_owned(),
        ];
        ResponseTemplate::new(200).set_body_raw(events.concat(), "text/event-stream")
    }
}

fn says(text: &str) -> Json {
    json!({"role": "assistant", "content": text})
}

impl Player {
    /// The gold facts whose sentences stand in a text.
    fn read(&self, text: &str) -> Json {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = plain(text);
        let stated = |gold: &&Json| {
            let said = plain(gold["text"].as_str().unwrap_or_default());
            gold["holds"] == true && gold["type"].is_string() && shown.contains(&said)
        };
        let (mut entities, mut facts) = (Vec::new(), Vec::new());
        for gold in self.gold.iter().filter(stated) {
            for end in ["from", "to"] {
                let entity =
                    json!({"id": gold[end]["name"], "type": gold[end]["type"], "name": gold[end]["name"]});
                if !entities.contains(&entity) {
                    entities.push(entity);
                }
            }
            facts.push(json!({
                "type": gold["type"], "from": gold["from"]["name"], "to": gold["to"]["name"], "evidence": gold["text"],
            }));
        }
        json!({"entities": entities, "facts": facts, "details": []})
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_played_model_is_measured() {
    let server = MockServer::start().await;
    let player = Player { gold: lines("gold.jsonl") };
    Mock::given(method("POST")).respond_with(player).mount(&server).await;
    let run = |more: &[&str]| {
        let mut command = graphwright();
        command.env("OPENAI_API_KEY", "k").env("OPENAI_BASE_URL", format!("{}/v1/", server.uri()));
        command
            .args(["eval", "live", "--model", "openai/gpt-4o-mini", "--questions", "3", "--quiet"])
            .args(more);
        tokio::task::spawn_blocking(move || command.output().expect("runs"))
    };
    let output = run(&["--json"]).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    let reading = &report["reading"];
    assert_eq!((&reading["documents"], &reading["incomplete"]), (&json!(25), &json!(0)), "{report}");
    let count = |what: &str| reading["facts"][what].as_u64().expect("a number");
    // What the player says is right; of the properties, which it leaves out, and of sentences in other dress it finds nothing.
    assert!(count("right") * 10 >= count("found") * 9 && count("right") * 10 > count("gold") * 3, "{report}");
    assert_eq!(
        reading["usage"]["input_tokens"].as_u64(),
        reading["usage"]["requests"].as_u64().map(|n| n * 100)
    );
    let (answers, agent) = (&report["answers"], &report["agent"]);
    assert_eq!((&answers["asked"], &answers["refused"]), (&json!(3), &json!(3)), "{report}");
    assert_eq!((&agent["tool_calls"], &agent["refused"]), (&json!(3), &json!(3)), "{report}");

    let output = run(&["--no-agent"]).await.unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.starts_with("openai/gpt-4o-mini\n\nReading: 25 documents of "), "{shown}");
    assert!(shown.contains("3 answered by the graph instead\n") && !shown.contains("as an agent"), "{shown}");
}

#[test]
fn without_a_model_nothing_is_measured() {
    let output = graphwright().args(["eval", "live"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no model is set"));
}
