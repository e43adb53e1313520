//! Reading an answer through our client.

use futures::StreamExt;
use graphwright_llm::{
    ChatModel, ChatReply, ChatRequest, Content, LlmError, ModelSettings, StreamEvent, Traffic, connect,
};
use serde_json::{Value, json};

use super::{
    exchange::{Exchange, Form},
    reading::Reading,
    server::{Answer, Server},
};

/// What the client made of an answer.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) found: Reading,
    /// The error's words.
    pub(super) failure: Option<String>,
    /// The pieces of the text, put together, where they were streamed.
    pub(super) pieces: Option<String>,
}

impl Read {
    /// Returns whether the client says that the reply did not come whole.
    pub(super) fn broke_off(&self) -> bool {
        self.found.error == Some("unavailable")
    }
}

/// Lets the client ask a question that gets a given body as its answer.
pub(super) async fn ask(exchange: &Exchange, form: Form, body: &[u8], server: &Server) -> Read {
    let answer = Answer { status: exchange.status, headers: exchange.headers.clone(), body: body.to_vec() };
    let result = match model(exchange, form, &server.keep(answer)) {
        Ok(model) if exchange.is_streamed() => streamed(&*model).await,
        Ok(model) => model.chat(question()).await.map(|reply| (reply, None)),
        Err(error) => Err(error),
    };
    match result {
        Ok((reply, pieces)) => Read { found: found(&reply), failure: None, pieces },
        Err(error) => Read {
            found: Reading { error: Some(error.kind()), ..Reading::default() },
            failure: Some(format!("{}: {error}", error.kind())),
            pieces: None,
        },
    }
}

fn question() -> ChatRequest {
    ChatRequest::new("Answer briefly.", "What is recorded?")
}

fn model(exchange: &Exchange, form: Form, address: &str) -> Result<std::sync::Arc<dyn ChatModel>, LlmError> {
    let provider = match form {
        Form::Completions if exchange.provider == "openai" => "openai",
        Form::Completions => "openai-compatible",
        Form::Responses => "openai-responses",
        Form::Anthropic => "anthropic",
        Form::Gemini => "gemini",
        Form::Ollama => "ollama",
    };
    let mut settings = ModelSettings::new(format!("{provider}/recorded").parse()?);
    settings.provider.address = Some(address.to_owned());
    settings.provider.key = Some("recorded".into());
    settings.traffic = Traffic::new();
    settings.retries = 0;
    connect(&settings)
}

async fn streamed(model: &dyn ChatModel) -> Result<(ChatReply, Option<String>), LlmError> {
    let mut stream = model.stream(question()).await?;
    let mut pieces = String::new();
    while let Some(event) = stream.next().await {
        match event? {
            StreamEvent::Text(new) => pieces.push_str(&new),
            StreamEvent::End(reply) => return Ok((*reply, Some(pieces))),
            _ => {}
        }
    }
    Err(LlmError::BadReply { model: model.name().to_owned(), message: "a stream without an end".to_owned() })
}

/// Returns all texts in a value.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

fn found(reply: &ChatReply) -> Reading {
    let mut found = Reading { text: reply.text(), ..Reading::default() };
    for part in &reply.message.content {
        match part {
            Content::ToolCall(call) => found.calls.push((call.name.clone(), call.arguments.clone())),
            Content::Reasoning(reasoning) => {
                found.reasoning.push_str(&reasoning.text);
                found.opaque.extend(reasoning.sealed.iter().flat_map(|sealed| texts(&sealed.data)));
            }
            Content::Text(_) | Content::ToolResult { .. } => {}
        }
    }
    let usage = &reply.usage;
    found.usage = [usage.input_tokens, usage.cached_tokens, usage.output_tokens, usage.reasoning_tokens];
    found.finish = match json!(reply.finish) {
        Value::String(name) if name == "stop" => "stop",
        Value::String(name) if name == "tool_calls" => "tool_calls",
        Value::String(name) if name == "length" => "length",
        Value::String(name) if name == "filter" => "filter",
        Value::String(name) if name == "refusal" => "refusal",
        _ => "unknown",
    };
    found
}
