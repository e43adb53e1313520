//! Tests models that refuse, fail, break off and talk nonsense: what a person sees, and what
//! happens to the graph.

#![allow(clippy::expect_used, reason = "this is a test")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use assert_cmd::Command;
use serde_json::{Value as Json, json};

use crate::bench::{Bench, assert_shown};

/// A key that must never be printed.
pub(crate) const KEY: &str = "sk-very-secret-key";

pub(crate) const MODEL: &str = "openai/gpt-4o-mini";

/// The reply of a provider to every request.
#[derive(Clone, Copy)]
pub(crate) enum Reply {
    /// Replies with this status and body.
    Whole(u16, &'static str),
    /// Begins a reply and hangs up before its end.
    Cut,
    /// Replies with this text, whole or in pieces as requested.
    Says(&'static str),
}

/// Starts a provider and returns its address.
pub(crate) fn provider(reply: Reply) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(stream, reply));
        }
    });
    address
}

/// Answers a request. Ignores a client that leaves.
fn answer(mut stream: TcpStream, reply: Reply) -> Option<()> {
    let asked = read(&stream)?;
    let streams = asked["stream"] == true;
    let (status, body, promised) = match reply {
        Reply::Whole(status, body) => (status, body.to_owned(), body.len()),
        Reply::Says(text) => {
            let body = said(text, streams);
            let length = body.len();
            (200, body, length)
        }
        Reply::Cut => {
            let mut body = said("ledger depends on it [1].", streams);
            body.truncate(body.len() / 2);
            (200, body, 10_000)
        }
    };
    let kind = if streams && status == 200 { "text/event-stream" } else { "application/json" };
    let wait = if status == 429 { "retry-after: 7\r\n" } else { "" };
    write!(
        stream,
        "HTTP/1.1 {status} Some\r\ncontent-type: {kind}\r\ncontent-length: {promised}\r\n{wait}connection: close\r\n\r\n{body}"
    )
    .ok()
}

fn said(text: &str, streams: bool) -> String {
    let message = json!({"role": "assistant", "content": text});
    if !streams {
        let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
        return json!({"id": "1", "model": "gpt-4o-mini", "choices": [choice]}).to_string();
    }
    let piece = |choice: Json| {
        format!("data: {}\n\n", json!({"id": "1", "model": "gpt-4o-mini", "choices": [choice]}))
    };
    let first = piece(json!({"index": 0, "delta": message}));
    let last = piece(json!({"index": 0, "delta": {}, "finish_reason": "stop"}));
    format!("{first}{last}data: [DONE]\n\n")
}

fn read(stream: &TcpStream) -> Option<Json> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    let mut line = String::new();
    while reader.read_line(&mut line).ok()? > 2 {
        if let Some(bytes) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = bytes.trim().parse().ok()?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// Returns the command with the provider's address and with a key that it must not print.
fn command(bench: &Bench, address: &str) -> Command {
    let mut command = bench.command();
    command.env("OPENAI_API_KEY", KEY).env("OPENAI_BASE_URL", format!("{address}/v1"));
    command
}

fn shown(bench: &Bench, address: &str, arguments: &[&str], input: &str) -> String {
    let arguments = [arguments, &["--model", MODEL]].concat();
    let shown = bench.show(command(bench, address), &arguments, input);
    assert!(!shown.contains("very-secret"), "{shown}");
    shown.replace(address, "[PROVIDER]")
}

/// Returns what people see when they ask, for each way to ask.
fn asking(reply: Reply) -> String {
    let bench = Bench::with_graph();
    // Retries have tests of their own.
    bench.write("graphwright.toml", "[providers.openai]\nretries = 0\n");
    let before = bench.graph();
    let address = provider(reply);
    let question = "What depends on money-types?";
    let shown = [
        shown(&bench, &address, &["ask", question], ""),
        shown(&bench, &address, &["ask", "--agent", question], ""),
        shown(&bench, &address, &["chat"], &format!("{question}\n")),
    ];
    assert_eq!(bench.graph(), before);
    shown.join("\n")
}

#[test]
fn a_key_that_is_refused() {
    assert_shown!(asking(Reply::Whole(401, r#"{"error": {"message": "Incorrect API key provided"}}"#)));
}

#[test]
fn a_key_that_the_provider_repeats_is_not_shown() {
    let bench = Bench::with_graph();
    let address =
        provider(Reply::Whole(401, r#"{"error": {"message": "There is no key sk-very-secret-key"}}"#));
    for volume in ["-q", "-v", "-vv", "--json"] {
        let shown = shown(&bench, &address, &["ask", "--agent", volume, "What depends on money-types?"], "");
        assert!(shown.contains("There is no key ***"), "{shown}");
    }
}

#[test]
fn a_provider_that_is_busy() {
    assert_shown!(asking(Reply::Whole(429, r#"{"error": {"message": "Slow down"}}"#)));
}

#[test]
fn a_provider_that_fails() {
    assert_shown!(asking(Reply::Whole(500, r#"{"error": {"message": "Internal error"}}"#)));
}

#[test]
fn a_model_that_the_provider_does_not_have() {
    assert_shown!(asking(Reply::Whole(
        404,
        r#"{"error": {"message": "The model `gpt-4o-mini` does not exist"}}"#
    )));
}

#[test]
fn an_address_of_something_else() {
    assert_shown!(asking(Reply::Whole(200, "<html>Welcome</html>")));
}

#[test]
fn a_reply_that_breaks_off() {
    assert_shown!(asking(Reply::Cut));
}

#[test]
fn a_reply_that_is_no_json() {
    assert_shown!(asking(Reply::Whole(200, r#"{"choices": ["#)));
}

#[test]
fn a_reply_that_says_nothing() {
    assert_shown!(asking(Reply::Says("")));
}

#[test]
fn nobody_at_the_address() {
    let bench = Bench::with_graph();
    bench.write("graphwright.toml", "[providers.openai]\nretries = 0\n");
    let before = bench.graph();
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let question = "What depends on money-types?";
    let address = format!("http://{free}");
    assert_shown!(shown(&bench, &address, &["ask", "--agent", question], ""));
    assert_eq!(bench.graph(), before);
}

#[test]
fn documents_that_a_failing_model_should_read() {
    let mut all = Vec::new();
    for reply in [
        Reply::Whole(401, r#"{"error": {"message": "Incorrect API key provided"}}"#),
        Reply::Whole(429, r#"{"error": {"message": "Slow down"}}"#),
        Reply::Whole(500, r#"{"error": {"message": "Internal error"}}"#),
        Reply::Cut,
        Reply::Says("There are a service and a library."),
        Reply::Says(r#"{"entities": 7}"#),
    ] {
        let bench = Bench::with_graph();
        bench.write("graphwright.toml", "[providers.openai]\nretries = 0\n");
        bench.write("other.md", "# More\n\nThe service `ledger` depends on the library `auth-lib`.\n");
        let before = bench.graph();
        let arguments = ["ingest", "other.md", "--ontology", "ontology.yaml"];
        all.push(shown(&bench, &provider(reply), &arguments, ""));
        // What was in the graph is still there.
        let after = bench.graph();
        assert!(before.lines().filter(|line| line.contains("money-types")).all(|line| after.contains(line)));
    }
    assert_shown!(all.join("\n"));
}
