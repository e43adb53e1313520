//! A model that the test plays, over the wire, and the command that asks it.

#![allow(dead_code, unreachable_pub, clippy::expect_used, reason = "each test uses its part of this")]

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::{Value as Json, json};
use tokio::runtime::Runtime;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers::method};

use crate::sample::{SAMPLE, graphwright, plain_graphwright};

/// The next reply of the model.
#[derive(Clone)]
pub enum Say {
    Text(&'static str),
    /// Tool calls with their arguments.
    Calls(Vec<(&'static str, Json)>),
    /// A call whose arguments are not JSON.
    Broken(&'static str, &'static str),
    Status(u16),
    /// Nothing, for as long as a test may take.
    Nothing,
}

/// A model behind OpenAI's protocol that follows a script, and the requests that it received.
pub struct Played {
    server: MockServer,
    /// Runs the server.
    _runtime: Runtime,
    sent: Arc<Mutex<Vec<Json>>>,
}

struct Script {
    says: Mutex<std::vec::IntoIter<Say>>,
    sent: Arc<Mutex<Vec<Json>>>,
}

impl Respond for Script {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let body: Json = request.body_json().expect("JSON");
        let streams = body["stream"] == true;
        self.sent.lock().expect("lock").push(body);
        let message = match self.says.lock().expect("lock").next().unwrap_or(Say::Status(418)) {
            Say::Status(status) => {
                return ResponseTemplate::new(status).set_body_json(json!({"error": {"message": "no"}}));
            }
            Say::Nothing => return ResponseTemplate::new(200).set_delay(Duration::from_hours(1)),
            Say::Text(text) => json!({"role": "assistant", "content": text}),
            Say::Calls(calls) => {
                calling(calls.iter().map(|(name, arguments)| (*name, arguments.to_string())))
            }
            Say::Broken(name, arguments) => calling([(name, arguments.to_owned())]),
        };
        let finish = if message["content"].is_null() { "tool_calls" } else { "stop" };
        let usage = json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110});
        if !streams {
            let choice = json!({"index": 0, "message": message, "finish_reason": finish});
            return ResponseTemplate::new(200).set_body_json(
                json!({"id": "1", "model": "gpt-4o-mini", "choices": [choice], "usage": usage}),
            );
        }
        let chunk = |choices: Json, usage: Json| {
            format!(
                "data: {}\n\n",
                json!({"id": "1", "model": "gpt-4o-mini", "choices": choices, "usage": usage})
            )
        };
        let events = [
            chunk(json!([{"index": 0, "delta": message}]), Json::Null),
            chunk(json!([{"index": 0, "delta": {}, "finish_reason": finish}]), Json::Null),
            chunk(json!([]), usage),
            "data: [DONE]\n\n".to_owned(),
        ];
        ResponseTemplate::new(200).set_body_raw(events.concat(), "text/event-stream")
    }
}

fn calling(calls: impl IntoIterator<Item = (&'static str, String)>) -> Json {
    let call = |(index, (name, arguments)): (usize, (&str, String))| {
        let function = json!({"name": name, "arguments": arguments});
        json!({"index": index, "id": format!("call_{index}"), "type": "function", "function": function})
    };
    let calls: Vec<_> = calls.into_iter().enumerate().map(call).collect();
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

impl Played {
    pub fn saying(says: Vec<Say>) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let sent: Arc<Mutex<Vec<Json>>> = Arc::default();
        let script = Script { says: Mutex::new(says.into_iter()), sent: Arc::clone(&sent) };
        let server = runtime.block_on(async {
            let server = MockServer::start().await;
            Mock::given(method("POST")).respond_with(script).mount(&server).await;
            server
        });
        Self { server, _runtime: runtime, sent }
    }

    fn command(&self, store: &Path, arguments: &[&str]) -> Command {
        let mut command = plain_graphwright();
        command
            .env("OPENAI_API_KEY", "sk-test")
            .env("OPENAI_BASE_URL", format!("{}/v1/", self.server.uri()))
            .args(arguments)
            .args(["--model", "openai/gpt-4o-mini", "--store"])
            .arg(store);
        command
    }

    /// Runs the command with this model. Returns its standard output and its standard error.
    pub fn run(&self, store: &Path, arguments: &[&str], input: &str) -> (String, String) {
        let command = assert_cmd::Command::from_std(self.command(store, arguments));
        let output = { command }.write_stdin(input).output().expect("runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        assert!(output.status.success(), "{}", text(output.stderr));
        (text(output.stdout), text(output.stderr))
    }

    /// Runs the command, and kills it when it has asked the model for this many replies.
    pub fn kill_when_asked(&self, requests: usize, store: &Path, arguments: &[&str], input: &str) {
        let mut command = self.command(store, arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn().expect("starts");
        process.stdin.as_mut().expect("a pipe").write_all(input.as_bytes()).expect("is read");
        let started = Instant::now();
        while self.sent().len() < requests {
            assert!(started.elapsed() < Duration::from_mins(2), "it asks the model");
            sleep(Duration::from_millis(5));
        }
        // On systems with signals this is SIGKILL: nothing is cleaned up.
        process.kill().expect("is killed");
        process.wait().expect("ends");
    }

    pub fn sent(&self) -> Vec<Json> {
        self.sent.lock().expect("lock").clone()
    }
}

/// Returns the tool results in a request.
pub fn results(request: &Json) -> Vec<&str> {
    let messages = request["messages"].as_array().expect("messages").iter();
    messages
        .filter(|message| message["role"] == "tool")
        .filter_map(|message| message["content"].as_str())
        .collect()
}

pub fn sample_store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    ingest_sample(&folder.path().join("graph"));
    folder
}

/// Runs a story on the server that `NEO4J_URI` names, with the sample in it. Empties its database
/// before and after.
pub fn on_server(story: impl FnOnce(&Path)) {
    let server = std::env::var("NEO4J_URI").expect("NEO4J_URI is set");
    let store = Path::new(&server);
    let empty = || run(store, &["cypher", "--write", "--yes", "MATCH (n) DETACH DELETE n"]);
    empty();
    ingest_sample(store);
    story(store);
    empty();
}

fn ingest_sample(store: &Path) {
    let (documents, ontology) = (format!("{SAMPLE}/documents"), format!("{SAMPLE}/ontology.yaml"));
    run(store, &["ingest", &documents, "--ontology", &ontology]);
}

fn run(store: &Path, arguments: &[&str]) {
    let output = graphwright().args(arguments).arg("--store").arg(store).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

pub fn lookup(name: &str) -> (&'static str, Json) {
    ("lookup_entity", json!({"name": name}))
}
