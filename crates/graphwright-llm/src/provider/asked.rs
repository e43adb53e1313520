//! A request as the forms write it.

use serde_json::Value;

use super::takes::Limits;
use crate::{
    ChatRequest, Content, Message, ModelName, OutputFormat, Provider, ProviderSettings, Role,
    tokens::estimate_request,
};

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

impl Asked<'_> {
    /// Returns whether the request is longer than the context that is set: its server would cut it
    /// silently.
    pub(super) fn is_too_long(&self) -> bool {
        let context = self.settings.context.filter(|_| self.name.provider == Provider::Ollama);
        context.is_some_and(|context| estimate_request(self.request) > u64::from(context))
    }

    /// Returns the messages with, for each, whether the model's thoughts in it go back to it: they
    /// do since the last word of the person.
    pub(super) fn messages(&self) -> impl Iterator<Item = (&Message, bool)> {
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
    pub(super) fn instructions(&self) -> String {
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
    pub(super) fn schema(&self) -> Option<(&str, &Value)> {
        match &self.request.output {
            OutputFormat::Text => None,
            OutputFormat::JsonSchema { name, schema } | OutputFormat::LenientJsonSchema { name, schema } => {
                Some((name, schema))
            }
        }
    }

    /// Returns the tool of the call with an identifier: the latest one, as identifiers may recur.
    pub(super) fn tool_of(&self, wanted: &str) -> Option<&str> {
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
