//! Checks that replies under a JSON Schema keep it.

use async_trait::async_trait;
use serde_json::Value;

use super::at_end;
use crate::{
    ChatModel, ChatReply, ChatRequest, ChatStream, Content, FinishReason, LlmError, OutputFormat, Result,
    json::{find_json, nullable_optionals},
};

#[derive(Debug)]
pub(super) struct Validated<M> {
    inner: M,
}

impl<M> Validated<M> {
    pub(super) fn new(inner: M) -> Self {
        Self { inner }
    }
}

/// Allows optional properties to be null, and returns the schema that the reply must keep.
///
/// Providers turn optional properties into required ones, so they must be allowed to be null.
fn prepare(request: &mut ChatRequest) -> Option<Value> {
    match &mut request.output {
        OutputFormat::Text => None,
        OutputFormat::LenientJsonSchema { schema, .. } => {
            *schema = nullable_optionals(schema);
            None
        }
        OutputFormat::JsonSchema { schema, .. } => {
            *schema = nullable_optionals(schema);
            Some(schema.clone())
        }
    }
}

/// Returns whether a value keeps a schema, in which optional properties may be null.
pub(super) fn keeps_schema(schema: &Value, value: &Value) -> bool {
    jsonschema::validator_for(&nullable_optionals(schema)).is_ok_and(|validator| validator.is_valid(value))
}

/// Checks a reply and leaves the bare JSON as its text. A reply that calls tools is not the answer
/// yet.
fn check(model: &str, schema: &Value, reply: &mut ChatReply) -> Result<()> {
    let bad_reply = |message| Err(LlmError::BadReply { model: model.to_owned(), message });
    if reply.tool_calls().next().is_some() {
        return Ok(());
    }
    let Some(json) = find_json(&reply.text()) else {
        let message = match reply.finish {
            FinishReason::Length => "it was cut off at the limit of tokens",
            FinishReason::Filter => "the provider's filter stopped it",
            FinishReason::Refusal => "the model refuses to answer",
            FinishReason::Stop | FinishReason::ToolCalls => "it is not JSON",
        };
        return bad_reply(message.to_owned());
    };
    match jsonschema::validator_for(schema) {
        Err(error) => {
            return Err(LlmError::Configuration {
                message: format!("the schema of the reply is not valid: {error}"),
            });
        }
        Ok(validator) => {
            if let Err(error) = validator.validate(&json) {
                let path = error.instance_path().to_string();
                let place = if path.is_empty() { String::new() } else { format!("at {path}: ") };
                // Masked: errors are logged, and what the model said may be confidential.
                return bad_reply(format!("it does not keep the schema: {place}{}", error.masked()));
            }
        }
    }
    reply.message.content.retain(|part| !matches!(part, Content::Text(_)));
    reply.message.content.push(Content::Text(json.to_string()));
    Ok(())
}

#[async_trait]
impl<M: ChatModel> ChatModel for Validated<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, mut request: ChatRequest) -> Result<ChatReply> {
        let schema = prepare(&mut request);
        let mut reply = self.inner.chat(request).await?;
        if let Some(schema) = schema {
            check(self.name(), &schema, &mut reply)?;
        }
        Ok(reply)
    }

    async fn stream(&self, mut request: ChatRequest) -> Result<ChatStream> {
        let schema = prepare(&mut request);
        let stream = self.inner.stream(request).await?;
        let Some(schema) = schema else { return Ok(stream) };
        let name = self.name().to_owned();
        Ok(at_end(stream, move |reply| check(&name, &schema, reply)))
    }
}
