//! The forms of requests and replies. Each module knows one.

mod anthropic;
mod completions;
mod gemini;
mod ollama;
mod responses;
mod schema;

pub(super) use self::anthropic::thought_tokens;

use serde_json::{Value, json};

use super::{draft::Draft, takes::Limits};
use crate::{
    ChatRequest, Content, Message, ModelName, OutputFormat, Provider, ProviderSettings, Role,
    tokens::estimate_request,
};

/// A form of requests and replies, which several providers may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Completions,
    Responses,
    Anthropic,
    Gemini,
    Ollama,
}

/// A request, and all that its body depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) name: &'a ModelName,
    pub(super) request: &'a ChatRequest,
    pub(super) settings: &'a ProviderSettings,
    /// What the model was found not to take.
    pub(super) limits: &'a Limits,
    pub(super) stream: bool,
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
    /// Returns the form of a model. None where it is the client library's matter.
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
            Provider::Bedrock => None,
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

impl Asked<'_> {
    /// Returns whether the request is longer than the context that is set: its server would cut it
    /// silently.
    pub(super) fn is_too_long(&self) -> bool {
        let context = self.settings.context.filter(|_| self.name.provider == Provider::Ollama);
        context.is_some_and(|context| estimate_request(self.request) > u64::from(context))
    }

    /// Returns the messages with, for each, whether the model's thoughts in it go back to it: they
    /// do since the last word of the person.
    fn messages(&self) -> impl Iterator<Item = (&Message, bool)> {
        let messages = &self.request.messages;
        let since = messages.iter().rposition(|message| message.role == Role::User).unwrap_or(0);
        let keeps = !self.limits.without_thoughts;
        messages.iter().enumerate().map(move |(at, message)| (message, keeps && at > since))
    }

    /// Returns what the provider wants back of the thoughts in a part, if this model had them.
    pub(super) fn sealed<'p>(&self, part: &'p Content) -> Option<(&'p str, &'p Value)> {
        let Content::Reasoning(reasoning) = part else { return None };
        let sealed = reasoning.sealed.as_ref()?;
        (sealed.model == self.name.to_string()).then_some((reasoning.text.as_str(), &sealed.data))
    }

    /// Returns the instructions, with the form of the reply where only words can ask for it.
    fn instructions(&self) -> String {
        let system = self.request.messages.iter().filter(|message| message.role == Role::System);
        let mut texts: Vec<String> = system.map(Message::text).filter(|text| !text.is_empty()).collect();
        if let Some((_, schema)) = self.schema()
            && self.limits.output.needs_words()
        {
            texts.push(in_words(schema));
        }
        texts.join("\n\n")
    }

    /// Returns name and schema of the reply, if it is to be JSON.
    fn schema(&self) -> Option<(&str, &Value)> {
        match &self.request.output {
            OutputFormat::Text => None,
            OutputFormat::JsonSchema { name, schema } | OutputFormat::LenientJsonSchema { name, schema } => {
                Some((name, schema))
            }
        }
    }

    /// Returns the tool of the call with an identifier: the latest one, as identifiers may recur.
    fn tool_of(&self, wanted: &str) -> Option<&str> {
        let parts = self.request.messages.iter().rev().flat_map(|message| &message.content);
        parts.into_iter().find_map(|part| match part {
            Content::ToolCall(call) if call.id == wanted => Some(call.name.as_str()),
            _ => None,
        })
    }
}

/// Asks in words for JSON under a schema.
pub(super) fn in_words(schema: &Value) -> String {
    format!("Answer with one JSON object and nothing else. It keeps this JSON Schema:\n{schema}")
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
