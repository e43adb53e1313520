//! The forms of requests and replies. Each module knows one.

mod anthropic;
mod completions;
mod gemini;
mod ollama;
mod responses;
mod schema;

use serde_json::{Value, json};

use super::{asked::Asked, draft::Draft};
use crate::{Content, Message, ModelName, Provider, Role};

/// A form of requests and replies, which several providers may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Completions,
    Responses,
    Anthropic,
    Gemini,
    Ollama,
}

/// Why a piece of a reply cannot be read.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The provider tells of an error, in these words.
    Told(Value),
    /// The model's reply is no good.
    Bad(String),
}

impl Form {
    /// Returns the form of a chat model. None where it is the client library's matter, and where there are no chat models.
    pub(super) fn of(name: &ModelName) -> Option<Self> {
        match name.provider {
            Provider::OpenAi | Provider::Azure | Provider::Cohere | Provider::OpenAiCompatible => {
                Some(Self::Completions)
            }
            Provider::Vertex if name.model.starts_with("claude") => Some(Self::Anthropic),
            Provider::OpenAiResponses => Some(Self::Responses),
            Provider::Anthropic => Some(Self::Anthropic),
            Provider::Gemini | Provider::Vertex => Some(Self::Gemini),
            Provider::Ollama => Some(Self::Ollama),
            Provider::Bedrock | Provider::Jina | Provider::Voyage | Provider::Tei => None,
        }
    }

    pub(super) fn body(self, asked: Asked<'_>) -> Value {
        match self {
            Self::Completions => completions::body(asked),
            Self::Responses => responses::body(asked),
            Self::Anthropic => anthropic::body(asked),
            Self::Gemini => gemini::body(asked),
            Self::Ollama => ollama::body(asked),
        }
    }

    /// Reads a whole reply.
    pub(super) fn read_whole(self, body: &Value, draft: &mut Draft) -> Result<(), Trouble> {
        match self {
            Self::Completions => completions::read(body, draft),
            Self::Responses => responses::read_whole(body, draft),
            Self::Anthropic => anthropic::read_whole(body, draft),
            Self::Gemini => gemini::read(body, draft),
            Self::Ollama => ollama::read(body, draft),
        }
    }

    /// Reads a piece of a streamed reply.
    pub(super) fn read_piece(self, piece: &Value, draft: &mut Draft) -> Result<(), Trouble> {
        match self {
            Self::Completions => completions::read(piece, draft),
            Self::Responses => responses::read_piece(piece, draft),
            Self::Anthropic => anthropic::read_piece(piece, draft),
            Self::Gemini => gemini::read(piece, draft),
            Self::Ollama => ollama::read(piece, draft),
        }
    }
}

/// Returns a text field, empty if there is none.
fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

/// Returns a number of tokens, 0 if there is none. Some servers write them as fractions.
fn count(value: &Value, path: &str) -> u64 {
    let found = value.pointer(path);
    found.and_then(|number| number.as_u64().or_else(|| Some(number.as_f64()? as u64))).unwrap_or(0)
}

/// Returns a list, empty if there is none.
fn list<'v>(value: &'v Value, path: &str) -> &'v [Value] {
    value.pointer(path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the error in a body or piece that otherwise would be a reply.
fn error_in(value: &Value) -> Result<(), Trouble> {
    match value.get("error") {
        None | Some(Value::Null) => Ok(()),
        // Without what the model said before, whose words prove nothing.
        Some(error) => Err(Trouble::Told(json!({"error": error}))),
    }
}

/// The messages of the forms that have a message for each role and for each result of a tool, written by its identifier and
/// content.
fn messages_by_role(
    asked: Asked<'_>,
    assistant: fn(Asked<'_>, &Message, bool) -> Value,
    result: impl Fn(&str, &str) -> Value,
) -> Vec<Value> {
    let mut messages = Vec::new();
    let instructions = asked.instructions();
    if !instructions.is_empty() {
        messages.push(json!({"role": "system", "content": instructions}));
    }
    for (message, keeps_thoughts) in asked.messages() {
        match message.role {
            Role::System => {}
            Role::User => messages.push(json!({"role": "user", "content": message.text()})),
            Role::Assistant => messages.push(assistant(asked, message, keeps_thoughts)),
            Role::Tool => messages.extend(message.content.iter().filter_map(|part| match part {
                Content::ToolResult { id, content } => Some(result(id, content)),
                _ => None,
            })),
        }
    }
    messages
}
