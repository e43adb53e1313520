//! The contract of chat models, in the terms that all providers share.

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use futures::{StreamExt, stream, stream::BoxStream};
use serde::{Deserialize, Serialize};

use crate::Result;

/// A model that continues a conversation.
#[async_trait]
pub trait ChatModel: Debug + Send + Sync {
    /// `provider/model`.
    fn name(&self) -> &str;

    /// Sends a request and waits for the whole reply.
    async fn chat(&self, request: ChatRequest) -> Result<ChatReply>;

    /// Sends a request and streams the reply; the last event is [`StreamEvent::End`].
    async fn stream(&self, request: ChatRequest) -> Result<ChatStream>;
}

/// Events of a streamed reply.
pub type ChatStream = BoxStream<'static, Result<StreamEvent>>;

/// What is asked of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The tools that the model may call.
    pub tools: Arc<[ToolSpec]>,
    /// Whether it must call one.
    pub tool_choice: ToolChoice,
    /// The form of the reply.
    pub output: OutputFormat,
    /// Sampling temperature; the provider's default when absent or not taken by the model.
    pub temperature: Option<f64>,
    /// Seed, where the provider has one.
    pub seed: Option<u64>,
    /// How long to reason, where the model can (Anthropic's cannot after tool calls or with a forced tool).
    pub reasoning_effort: Option<ReasoningEffort>,
    /// The most tokens of the reply.
    pub max_tokens: Option<u32>,
    /// Whether the model is asked even where a reply is remembered ([`ReplyCache`](crate::ReplyCache)).
    #[serde(default)]
    pub fresh: bool,
}

impl ChatRequest {
    /// A request of one system and one user message.
    pub fn new(system: impl Into<String>, user: impl Into<String>) -> Self {
        Self { messages: vec![Message::system(system), Message::user(user)], ..Self::default() }
    }
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// The result of a tool.
    Tool,
}

/// One part of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Text.
    Text(String),
    /// The model calls a tool.
    ToolCall(ToolCall),
    /// What the tool with that call id returned.
    ToolResult {
        /// [`ToolCall::id`].
        id: String,
        /// The result as text.
        content: String,
    },
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Vec<Content>,
}

impl Message {
    /// Instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self { role: Role::System, content: vec![Content::Text(text.into())] }
    }

    /// What the person says.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, content: vec![Content::Text(text.into())] }
    }

    /// What the model said.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, content: vec![Content::Text(text.into())] }
    }

    /// All its text.
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
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: serde_json::Value,
}

/// A call that the model makes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Identifier, to send the result back.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments.
    pub arguments: serde_json::Value,
}

/// Whether the model must call a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// It decides.
    #[default]
    Auto,
    /// It must not.
    None,
    /// It must call some tool.
    Required,
    /// It must call this tool.
    Tool(String),
}

/// The form of a reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputFormat {
    /// Text.
    #[default]
    Text,
    /// JSON under a schema; another reply is an error ([`LlmError::BadReply`](crate::LlmError::BadReply)), and the
    /// reply's text is the bare JSON.
    JsonSchema {
        /// A name for the schema, letters and underscores.
        name: String,
        /// The schema; optional fields may come as null.
        schema: serde_json::Value,
    },
    /// JSON under a schema, given back as it came, for callers that use the good parts of a bad reply
    /// (with [`find_json`](crate::find_json)).
    LenientJsonSchema {
        /// A name for the schema, letters and underscores.
        name: String,
        /// The schema; optional fields may come as null.
        schema: serde_json::Value,
    },
}

/// How long a model reasons before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningEffort {
    /// As little as possible.
    Minimal,
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

/// Tokens and money of one or several calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Calls made.
    pub requests: u64,
    /// Tokens sent, cached ones included.
    pub input_tokens: u64,
    /// Of these, read from the provider's cache.
    pub cached_tokens: u64,
    /// Tokens received, reasoning included.
    pub output_tokens: u64,
    /// Of these, spent on reasoning.
    pub reasoning_tokens: u64,
    /// US dollars, where the price is known.
    pub cost: Option<f64>,
    /// Replies that were remembered from an earlier call ([`ReplyCache`](crate::ReplyCache)): they cost nothing and
    /// count nowhere else.
    #[serde(default)]
    pub cached_replies: u64,
}

impl Usage {
    /// Tokens sent and received.
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
        self.cost = match (self.cost, other.cost) {
            (None, None) => None,
            (left, right) => Some(left.unwrap_or(0.0) + right.unwrap_or(0.0)),
        };
    }
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model was done.
    #[default]
    Stop,
    /// It calls tools.
    ToolCalls,
    /// The limit of tokens was reached.
    Length,
    /// The provider's filter stopped it.
    Filter,
}

/// A whole reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatReply {
    /// What the model said, tool calls included.
    pub message: Message,
    /// Why it ended.
    pub finish: FinishReason,
    /// What it took.
    pub usage: Usage,
    /// The model that answered, as the provider names it.
    pub model: String,
}

impl ChatReply {
    /// All its text.
    pub fn text(&self) -> String {
        self.message.text()
    }

    /// The events of a stream that gives this reply, for models that have it as a whole.
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
                Content::ToolResult { .. } => {}
            }
        }
        events.push(StreamEvent::End(Box::new(self)));
        stream::iter(events.into_iter().map(Ok)).boxed()
    }

    /// The calls it makes.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.message.content.iter().filter_map(|part| match part {
            Content::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}

/// A piece of a streamed reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StreamEvent {
    /// More text.
    Text(String),
    /// More reasoning, where the provider shows it.
    Reasoning(String),
    /// A tool call begins.
    ToolCallStart {
        /// Identifier of the call.
        id: String,
        /// The tool.
        name: String,
    },
    /// More of a call's arguments (JSON text, only what is new).
    ToolCallDelta {
        /// Identifier of the call.
        id: String,
        /// The new piece.
        arguments: String,
    },
    /// The reply is whole.
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
