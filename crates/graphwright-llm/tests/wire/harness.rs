//! A server that gives one answer and records its requests.

use std::sync::Arc;

use futures::TryStreamExt;
use graphwright_llm::{
    ChatModel, ChatReply, ChatRequest, Content, Message, ModelSettings, OutputFormat, ReasoningEffort,
    Result, Role, StreamEvent, ToolCall, ToolChoice, ToolSpec, Traffic, connect,
};
use serde_json::{Value, json};
use wiremock::{Mock, MockServer, ResponseTemplate, matchers::method};

pub(crate) async fn answering(template: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(template).mount(&server).await;
    server
}

pub(crate) fn json_body(body: &Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(body)
}

pub(crate) fn events(body: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body.to_owned(), "text/event-stream")
}

/// Returns settings for a model on the server, with a key and no retries.
pub(crate) fn settings(name: &str, server: &MockServer) -> ModelSettings {
    let mut settings = ModelSettings::new(name.parse().unwrap());
    settings.provider.key = Some("sk-test".into());
    let version = if name.starts_with("azure") { "" } else { "/v1" };
    settings.provider.address = Some(format!("{}{version}", server.uri()));
    settings.retries = 0;
    // Servers of other tests may have had the same address.
    settings.traffic = Traffic::new();
    settings
}

pub(crate) fn model(name: &str, server: &MockServer) -> Arc<dyn ChatModel> {
    connect(&settings(name, server)).unwrap()
}

pub(crate) fn question() -> ChatRequest {
    ChatRequest::new("Answer in one word.", "The capital of France?")
}

/// Returns a request with a tool call in its past, and every option set.
pub(crate) fn tool_request() -> ChatRequest {
    let call = ToolCall { id: "call_1".into(), name: "lookup".into(), arguments: json!({"name": "Ada"}) };
    let result = Content::ToolResult { id: "call_1".into(), content: "born 1815".into() };
    ChatRequest {
        messages: vec![
            Message::system("Use the tools."),
            Message::user("Who was Ada?"),
            Message { role: Role::Assistant, content: vec![Content::ToolCall(call)] },
            Message { role: Role::Tool, content: vec![result] },
            Message::user("And her father?"),
        ],
        tools: [ToolSpec {
            name: "lookup".into(),
            description: "Looks a person up.".into(),
            parameters: json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}),
        }]
        .into(),
        tool_choice: ToolChoice::Required,
        temperature: Some(0.25),
        seed: Some(7),
        reasoning_effort: Some(ReasoningEffort::Low),
        max_tokens: Some(200),
        ..ChatRequest::default()
    }
}

pub(crate) fn schema_request() -> ChatRequest {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "year": {"type": "integer"}},
        "required": ["name"],
    });
    ChatRequest { output: OutputFormat::JsonSchema { name: "person".into(), schema }, ..question() }
}

/// Returns the last request: where it went, with which credentials, and its body.
pub(crate) async fn sent(server: &MockServer) -> Value {
    let requests = server.received_requests().await.unwrap();
    let request = requests.last().unwrap();
    let names =
        ["authorization", "api-key", "x-api-key", "x-goog-api-key", "anthropic-version", "anthropic-beta"];
    let headers = names.iter().filter_map(|name| {
        Some(((*name).to_owned(), Value::from(request.headers.get(*name)?.to_str().unwrap())))
    });
    let query = request.url.query().map(|query| format!("?{query}")).unwrap_or_default();
    json!({
        "to": format!("{}{query}", request.url.path()),
        "headers": headers.collect::<serde_json::Map<_, _>>(),
        "body": serde_json::from_slice::<Value>(&request.body).unwrap(),
    })
}

/// Returns all events of a stream, with its reply.
pub(crate) async fn streamed(
    model: &dyn ChatModel,
    request: ChatRequest,
) -> Result<(Vec<StreamEvent>, ChatReply)> {
    let events: Vec<StreamEvent> = model.stream(request).await?.try_collect().await?;
    let Some(StreamEvent::End(reply)) = events.last() else {
        panic!("the last event is the end: {events:?}")
    };
    let reply = (**reply).clone();
    Ok((events, reply))
}
