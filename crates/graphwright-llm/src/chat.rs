//! The contract of chat models, in the terms that all providers share.

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use futures::{StreamExt, stream, stream::BoxStream};
use serde::{Deserialize, Serialize};

use crate::Result;

/// A model that continues a conversation.
#[async_trait]
pub trait ChatModel: Debug + Send + Sync {
    /// Returns the model's name, as `provider/model`.
    fn name(&self) -> &str;

    /// Sends a request and waits for the whole reply.
    async fn chat(&self, request: ChatRequest) -> Result<ChatReply>;

    /// Sends a request and streams the reply; the last event is [`StreamEvent::End`].
    async fn stream(&self, request: ChatRequest) -> Result<ChatStream>;
}

/// The events of a streamed reply.
pub type ChatStream = BoxStream<'static, Result<StreamEvent>>;

/// A request to a chat model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The tools that the model may call.
    pub tools: Arc<[ToolSpec]>,
    /// Whether the model must call a tool.
    pub tool_choice: ToolChoice,
    /// The form of the reply.
    pub output: OutputFormat,
    /// The sampling temperature. The provider's default when absent, or when the model does not
    /// take one.
    pub temperature: Option<f64>,
    /// The seed, for providers that take one.
    pub seed: Option<u64>,
    /// The effort of reasoning, for models that can reason.
    ///
    /// Anthropic's cannot with a forced tool, nor after tool calls before which they did not.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// The most tokens of the reply.
    pub max_tokens: Option<u32>,
    /// Whether to ask the model even if a reply is remembered ([`ReplyCache`](crate::ReplyCache)).
    #[serde(default)]
    pub fresh: bool,
}

impl ChatRequest {
    /// Creates a request of one system and one user message.
    pub fn new(system: impl Into<String>, user: impl Into<String>) -> Self {
        Self { messages: vec![Message::system(system), Message::user(user)], ..Self::default() }
    }
}

/// Makes the smallest request to a model, to learn whether it answers at all. Returns what that used.
///
/// # Errors
/// Fails as the request does.
pub async fn probe(model: &dyn ChatModel) -> Result<Usage> {
    let mut request = ChatRequest::new("You are being tested.", "Reply with the word ready.");
    request.max_tokens = Some(16);
    // A cached reply would say nothing about the model now.
    request.fresh = true;
    Ok(model.chat(request).await?.usage)
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A tool, with its result.
    Tool,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Text.
    Text(String),
    /// What the model thought before the parts that follow.
    Reasoning(Reasoning),
    /// A tool call of the model.
    ToolCall(ToolCall),
    /// The result of the tool call with that id.
    ToolResult {
        /// [`ToolCall::id`].
        id: String,
        /// The result as text.
        content: String,
    },
}

/// A model's thoughts.
///
/// They are no part of what it says. Kept in the conversation they go back to the model between tool
/// calls, as most providers want it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reasoning {
    /// The thoughts, as far as the provider shows them.
    pub text: String,
    /// What the provider wants back as it came: signatures, encrypted thoughts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed: Option<SealedReasoning>,
}

/// The part of a model's thoughts that only its provider can read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SealedReasoning {
    /// The model that thought, as `provider/model`. No other is given it.
    pub model: String,
    /// The part, in the provider's form.
    pub data: serde_json::Value,
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The author.
    pub role: Role,
    /// The parts.
    pub content: Vec<Content>,
}

impl Message {
    /// Creates a message with instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self { role: Role::System, content: vec![Content::Text(text.into())] }
    }

    /// Creates a message of the person.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, content: vec![Content::Text(text.into())] }
    }

    /// Creates a message of the model.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, content: vec![Content::Text(text.into())] }
    }

    /// Returns all its text.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|part| match part {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }
}

/// A tool as the model sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// The tool's name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: serde_json::Value,
}

/// A tool call that the model makes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The identifier, to send the result back.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments: an object, or the model's text where that is no JSON, as when the limit of
    /// tokens cut it off.
    pub arguments: serde_json::Value,
}

/// A rule for whether the model calls a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// The model must not call a tool.
    None,
    /// The model must call some tool.
    Required,
    /// The model must call this tool.
    Tool(String),
}

/// The form of a reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputFormat {
    /// Any text.
    #[default]
    Text,
    /// JSON under a schema. The reply's text is the bare JSON.
    ///
    /// Any other reply is an error ([`LlmError::BadReply`](crate::LlmError::BadReply)).
    JsonSchema {
        /// A name for the schema, of letters and underscores.
        name: String,
        /// The schema. Optional fields may come as null.
        schema: serde_json::Value,
    },
    /// JSON under a schema, returned as it came.
    ///
    /// For callers that use the good parts of a bad reply (with [`find_json`](crate::find_json)).
    LenientJsonSchema {
        /// A name for the schema, of letters and underscores.
        name: String,
        /// The schema. Optional fields may come as null.
        schema: serde_json::Value,
    },
}

/// The effort of a model's reasoning before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningEffort {
    /// As little reasoning as possible.
    Minimal,
    /// Little reasoning.
    Low,
    /// Some reasoning.
    Medium,
    /// Much reasoning.
    High,
}

/// The tokens and money that one or several calls used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// The number of calls.
    pub requests: u64,
    /// The tokens sent, cached ones included.
    pub input_tokens: u64,
    /// The part of the input tokens that the provider read from its cache.
    pub cached_tokens: u64,
    /// The tokens received, reasoning included.
    pub output_tokens: u64,
    /// The part of the output tokens that was spent on reasoning.
    pub reasoning_tokens: u64,
    /// The cost in US dollars, if the price is known.
    pub cost: Option<f64>,
    /// The number of replies remembered from an earlier call ([`ReplyCache`](crate::ReplyCache)).
    ///
    /// They cost nothing and count nowhere else.
    #[serde(default)]
    pub cached_replies: u64,
}

impl Usage {
    /// Returns the tokens sent and received.
    pub const fn tokens(&self) -> u64 {
        self.input_tokens + self.output_tokens
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.input_tokens += other.input_tokens;
        self.cached_tokens += other.cached_tokens;
        self.output_tokens += other.output_tokens;
        self.reasoning_tokens += other.reasoning_tokens;
        self.cached_replies += other.cached_replies;
        // A cost that is not known stays `None` only as long as no call has a known one.
        self.cost = match (self.cost, other.cost) {
            (None, None) => None,
            (left, right) => Some(left.unwrap_or(0.0) + right.unwrap_or(0.0)),
        };
    }
}

/// The reason why a reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model was done.
    #[default]
    Stop,
    /// The model calls tools.
    ToolCalls,
    /// The limit of tokens was reached.
    Length,
    /// The provider's filter stopped it.
    Filter,
    /// The model refused to answer. Its words are the text.
    Refusal,
}

/// A whole reply of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatReply {
    /// The model's message, tool calls included.
    pub message: Message,
    /// The reason why it ended.
    pub finish: FinishReason,
    /// The tokens and money that it used.
    pub usage: Usage,
    /// The model that answered, as the provider names it.
    pub model: String,
}

impl ChatReply {
    /// Returns all its text.
    pub fn text(&self) -> String {
        self.message.text()
    }

    /// Returns the events of a stream that gives this reply, for models that have it as a whole.
    pub fn into_stream(self) -> ChatStream {
        let mut events = Vec::new();
        for content in &self.message.content {
            match content {
                Content::Text(text) => {
                    events.extend(text.split_inclusive(' ').map(|word| StreamEvent::Text(word.to_owned())));
                }
                Content::ToolCall(call) => {
                    events.push(StreamEvent::ToolCallStart { id: call.id.clone(), name: call.name.clone() });
                    let arguments = call.arguments.to_string();
                    events.push(StreamEvent::ToolCallDelta { id: call.id.clone(), arguments });
                }
                Content::Reasoning(reasoning) => {
                    let text = Some(&reasoning.text).filter(|text| !text.is_empty());
                    events.extend(text.cloned().map(StreamEvent::Reasoning));
                }
                Content::ToolResult { .. } => {}
            }
        }
        events.push(StreamEvent::End(Box::new(self)));
        stream::iter(events.into_iter().map(Ok)).boxed()
    }

    /// Returns what the model thought, as far as the provider shows it.
    pub fn reasoning(&self) -> String {
        let thoughts = self.message.content.iter().filter_map(|part| match part {
            Content::Reasoning(reasoning) => Some(reasoning.text.as_str()),
            _ => None,
        });
        thoughts.collect()
    }

    /// Returns the tool calls that it makes.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.message.content.iter().filter_map(|part| match part {
            Content::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}

/// An event of a streamed reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StreamEvent {
    /// A further piece of text.
    Text(String),
    /// A further piece of reasoning, if the provider shows it.
    Reasoning(String),
    /// A tool call begins.
    ToolCallStart {
        /// The identifier of the call.
        id: String,
        /// The name of the tool.
        name: String,
    },
    /// A further piece of a call's arguments (JSON text, only what is new).
    ToolCallDelta {
        /// The identifier of the call.
        id: String,
        /// The new piece.
        arguments: String,
    },
    /// The end of the stream, with the whole reply.
    End(Box<ChatReply>),
}

#[async_trait]
impl<M: ChatModel + ?Sized> ChatModel for Arc<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        (**self).chat(request).await
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        (**self).stream(request).await
    }
}
