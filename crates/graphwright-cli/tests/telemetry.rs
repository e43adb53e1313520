//! Tests that spans of model calls reach a collector, with OpenTelemetry's names and without the
//! texts.

#![cfg(feature = "opentelemetry")]
#![allow(clippy::expect_used, reason = "this is a test")]

mod sample;

use sample::graphwright;
use serde_json::json;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{method, path},
};

/// Runs `doctor` with a model and a collector. Returns what was sent to the collector.
async fn spans(content: bool) -> String {
    let server = MockServer::start().await;
    let reply = json!({
        "model": "gpt-4o-mini",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "ready"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 2, "total_tokens": 22},
    });
    let on = |place: &str| Mock::given(method("POST")).and(path(place));
    let replies = ResponseTemplate::new(200).set_body_json(reply);
    on("/v1/chat/completions").respond_with(replies).mount(&server).await;
    on("/v1/traces").respond_with(ResponseTemplate::new(200)).mount(&server).await;

    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("note.md"), "The service `ledger` is old.\n").expect("writes");
    let address = server.uri();
    let ran = tokio::task::spawn_blocking(move || {
        let run = |arguments: &[&str]| {
            let mut command = graphwright();
            command.current_dir(folder.path()).env("OPENAI_API_KEY", "sk-very-secret");
            command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &address);
            command.env("OPENAI_BASE_URL", format!("{address}/v1"));
            command.env("GRAPHWRIGHT_TRACE_CONTENT", content.to_string());
            command.args(["--model", "openai/gpt-4o-mini"]).args(arguments).output().expect("runs")
        };
        run(&["ingest", "note.md", "--extractor", "rules"]);
        run(&["doctor"])
    });
    let output = ran.await.expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let requests = server.received_requests().await.expect("recorded");
    let sent = requests.iter().filter(|request| request.url.path() == "/v1/traces");
    // Protocol buffers store texts as they are.
    sent.map(|request| String::from_utf8_lossy(&request.body).into_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_gets_a_span_for_each_call() {
    let sent = spans(false).await;
    for name in [
        "chat gpt-4o-mini",
        "gen_ai.operation.name",
        "gen_ai.provider.name",
        "gen_ai.request.model",
        "gen_ai.response.finish_reasons",
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.output_tokens",
        "graphwright.cost",
        "service.name",
    ] {
        assert!(sent.contains(name), "{name} in {sent}");
    }
    assert!(!sent.contains("You are being tested") && !sent.contains("very-secret"), "{sent}");
    let sent = spans(true).await;
    assert!(sent.contains("You are being tested") && sent.contains("gen_ai.output.messages"), "{sent}");
}
