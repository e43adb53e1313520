//! Translates [`ChatRequest`] to the client library's requests.

use genai::chat as wire;
use serde_json::{Value, json};

use super::wishes::Wishes;
use crate::{
    ChatRequest, Content, Message, ModelName, OutputFormat, Provider, ReasoningEffort, Role, ToolChoice,
};

pub(super) fn conversation(request: ChatRequest) -> wire::ChatRequest {
    let names: Vec<(String, String)> = request.messages.iter().flat_map(call_names).collect();
    let mut messages = request.messages.into_iter().peekable();
    let system = messages.next_if(|message| message.role == Role::System).map(|message| message.text());
    let messages = messages.map(|message| translate(message, &names)).collect();
    let tools: Vec<wire::Tool> = request
        .tools
        .iter()
        .cloned()
        .map(|tool| {
            wire::Tool::new(tool.name).with_description(tool.description).with_schema(tool.parameters)
        })
        .collect();
    wire::ChatRequest {
        system,
        messages,
        tools: (!tools.is_empty()).then_some(tools),
        previous_response_id: None,
        store: None,
    }
}

/// Returns the identifier and tool of each call. Gemini wants the tool's name with the result.
fn call_names(message: &Message) -> Vec<(String, String)> {
    let calls = message.content.iter().filter_map(|part| match part {
        Content::ToolCall(call) => Some((call.id.clone(), call.name.clone())),
        Content::Text(_) | Content::ToolResult { .. } => None,
    });
    calls.collect()
}

fn translate(message: Message, names: &[(String, String)]) -> wire::ChatMessage {
    let role = match message.role {
        Role::System => wire::ChatRole::System,
        Role::User => wire::ChatRole::User,
        Role::Assistant => wire::ChatRole::Assistant,
        Role::Tool => wire::ChatRole::Tool,
    };
    let parts = message.content.into_iter().map(|part| match part {
        Content::Text(text) => wire::ContentPart::Text(text),
        Content::ToolCall(call) => wire::ContentPart::ToolCall(wire::ToolCall {
            call_id: call.id,
            fn_name: call.name,
            fn_arguments: call.arguments,
            thought_signatures: None,
        }),
        Content::ToolResult { id, content } => {
            let name = names.iter().find(|(call, _)| *call == id).map(|(_, name)| name.clone());
            wire::ContentPart::ToolResponse(wire::ToolResponse { call_id: id, fn_name: name, content })
        }
    });
    wire::ChatMessage::new(role, parts.collect::<wire::MessageContent>())
}

pub(super) fn options(name: &ModelName, request: &ChatRequest) -> wire::ChatOptions {
    let tool_choice = (!request.tools.is_empty()).then(|| match &request.tool_choice {
        ToolChoice::Auto => wire::ToolChoice::Auto,
        ToolChoice::None => wire::ToolChoice::None,
        ToolChoice::Required => wire::ToolChoice::Required,
        ToolChoice::Tool(name) => wire::ToolChoice::tool(name),
    });
    let response_format = match &request.output {
        OutputFormat::Text => None,
        OutputFormat::JsonSchema { name, schema } | OutputFormat::LenientJsonSchema { name, schema } => {
            Some(wire::JsonSpec::new(name, schema.clone()).into())
        }
    };
    let wishes = Wishes::new(name, request);
    let reasoning_effort = wishes.effort.map(|effort| match effort {
        ReasoningEffort::Minimal => wire::ReasoningEffort::Minimal,
        ReasoningEffort::Low => wire::ReasoningEffort::Low,
        ReasoningEffort::Medium => wire::ReasoningEffort::Medium,
        ReasoningEffort::High => wire::ReasoningEffort::High,
    });
    wire::ChatOptions {
        temperature: wishes.temperature,
        max_tokens: request.max_tokens,
        seed: wishes.seed,
        tool_choice,
        response_format,
        reasoning_effort,
        // Without these, the end of a stream does not hold the whole reply.
        capture_usage: Some(true),
        capture_content: Some(true),
        capture_tool_calls: Some(true),
        extra_body: extra_body(name, request),
        ..wire::ChatOptions::default()
    }
}

/// Returns the fields that the client library does not send by itself.
fn extra_body(name: &ModelName, request: &ChatRequest) -> Option<Value> {
    let mut extra = serde_json::Map::new();
    // Keeps the provider from storing the conversation. The library says so to Responses; other
    // servers know no such field.
    if name.provider == Provider::OpenAi {
        extra.insert("store".to_owned(), json!(false));
    }
    // The library takes endings such as -high or -max of a model's name for an effort and cuts them
    // off, so the body repeats the whole name and takes the effort back.
    let (effort, _) = wire::ReasoningEffort::from_model_name(&name.model);
    if effort.is_some() && request.reasoning_effort.is_none() {
        let field = match name.provider {
            Provider::OpenAiResponses => Some("reasoning"),
            Provider::OpenAi | Provider::Azure | Provider::Ollama | Provider::OpenAiCompatible => {
                Some("reasoning_effort")
            }
            Provider::Anthropic | Provider::Gemini => None,
        };
        if let Some(field) = field {
            extra.insert("model".to_owned(), json!(name.model));
            extra.insert(field.to_owned(), Value::Null);
        }
    }
    (!extra.is_empty()).then_some(Value::Object(extra))
}
