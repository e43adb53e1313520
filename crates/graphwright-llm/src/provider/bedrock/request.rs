//! Translates [`ChatRequest`] to the client library's requests.

use genai::chat as wire;

use super::super::asked::in_words;
use crate::{ChatRequest, Content, Message, OutputFormat, ProviderSettings, Role, ToolChoice};

pub(super) fn conversation(request: ChatRequest) -> wire::ChatRequest {
    let names: Vec<(String, String)> = request.messages.iter().flat_map(call_names).collect();
    let mut messages = request.messages.into_iter().peekable();
    let mut system: Vec<String> = messages
        .next_if(|message| message.role == Role::System)
        .map(|message| message.text())
        .into_iter()
        .collect();
    // The interface has no form of replies.
    if let OutputFormat::JsonSchema { schema, .. } | OutputFormat::LenientJsonSchema { schema, .. } =
        &request.output
    {
        system.push(in_words(schema));
    }
    let system = (!system.is_empty()).then(|| system.join("\n\n"));
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
        _ => None,
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
    let parts = message.content.into_iter().filter_map(|part| match part {
        Content::Text(text) => Some(wire::ContentPart::Text(text)),
        Content::Reasoning(_) => None,
        Content::ToolCall(call) => Some(wire::ContentPart::ToolCall(wire::ToolCall {
            call_id: call.id,
            fn_name: call.name,
            fn_arguments: call.arguments,
            thought_signatures: None,
        })),
        Content::ToolResult { id, content } => {
            let name = names.iter().find(|(call, _)| *call == id).map(|(_, name)| name.clone());
            Some(wire::ContentPart::ToolResponse(wire::ToolResponse { call_id: id, fn_name: name, content }))
        }
    });
    wire::ChatMessage::new(role, parts.collect::<wire::MessageContent>())
}

pub(super) fn options(request: &ChatRequest, settings: &ProviderSettings) -> wire::ChatOptions {
    let tool_choice = (!request.tools.is_empty()).then(|| match &request.tool_choice {
        ToolChoice::Auto => wire::ToolChoice::Auto,
        ToolChoice::None => wire::ToolChoice::None,
        ToolChoice::Required => wire::ToolChoice::Required,
        ToolChoice::Tool(name) => wire::ToolChoice::tool(name),
    });
    // No effort: thoughts would have to go back between tool calls, and the library loses them.
    wire::ChatOptions {
        temperature: settings.temperature.or(request.temperature),
        max_tokens: settings.max_output_tokens.or(request.max_tokens),
        seed: request.seed,
        tool_choice,
        // Without it, the end of a stream does not tell it.
        capture_usage: Some(true),
        ..wire::ChatOptions::default()
    }
}
