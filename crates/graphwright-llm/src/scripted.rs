//! A chat model that answers from a script.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;

use crate::{
    ChatModel, ChatReply, ChatRequest, ChatStream, Content, FinishReason, LlmError, Message, Result, Role,
    ToolCall, Usage,
    tokens::{estimate_message, estimate_request},
};

/// A model for tests and examples that answers from a script and remembers its requests.
///
/// It answers with given replies in order, or by a function. It needs no network. Usage is
/// estimated where a reply has none.
///
/// ```
/// use graphwright_llm::{ChatModel, ChatRequest, ScriptedModel};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let model = ScriptedModel::replies(["Paris"]);
/// let request = ChatRequest::new("Answer in one word.", "The capital of France?");
/// let reply = model.chat(request).await?;
/// assert_eq!(reply.text(), "Paris");
/// assert_eq!(model.requests()[0].messages[1].text(), "The capital of France?");
/// # Ok::<(), graphwright_llm::LlmError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct ScriptedModel {
    name: String,
    script: Script,
    requests: Arc<Mutex<Vec<ChatRequest>>>,
}

type Replies = Mutex<VecDeque<Result<ChatReply>>>;
type Answer = dyn Fn(&ChatRequest) -> Result<ChatReply> + Send + Sync;

#[derive(Clone)]
enum Script {
    Replies(Arc<Replies>),
    Function(Arc<Answer>),
}

impl ScriptedModel {
    /// Creates a model that gives these replies in order, and an error when none is left.
    pub fn replies<R: Into<ChatReply>>(replies: impl IntoIterator<Item = R>) -> Self {
        Self::results(replies.into_iter().map(|reply| Ok(reply.into())))
    }

    /// Creates a model that gives these replies and errors in order, and an error when none is
    /// left.
    pub fn results(results: impl IntoIterator<Item = Result<ChatReply>>) -> Self {
        Self::with_script(Script::Replies(Arc::new(Mutex::new(results.into_iter().collect()))))
    }

    /// Creates a model that asks a function for each reply.
    pub fn answering(answer: impl Fn(&ChatRequest) -> Result<ChatReply> + Send + Sync + 'static) -> Self {
        Self::with_script(Script::Function(Arc::new(answer)))
    }

    fn with_script(script: Script) -> Self {
        Self { name: "scripted/model".to_owned(), script, requests: Arc::default() }
    }

    /// Sets the name. Defaults to `scripted/model`.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Returns the requests so far. Clones of a model share them.
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn reply(&self, request: &ChatRequest) -> Result<ChatReply> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        let mut reply = match &self.script {
            Script::Function(answer) => answer(request)?,
            Script::Replies(replies) => {
                let next = replies.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                next.unwrap_or_else(|| {
                    Err(LlmError::BadReply {
                        model: self.name.clone(),
                        message: "the script has no reply left".to_owned(),
                    })
                })?
            }
        };
        if reply.model.is_empty() {
            reply.model.clone_from(&self.name);
        }
        if reply.usage == Usage::default() {
            reply.usage = Usage {
                requests: 1,
                input_tokens: estimate_request(request),
                output_tokens: estimate_message(&reply.message),
                ..Usage::default()
            };
        }
        Ok(reply)
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ScriptedModel").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl ChatModel for ScriptedModel {
    fn name(&self) -> &str {
        &self.name
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        self.reply(&request)
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        Ok(self.reply(&request)?.into_stream())
    }
}

impl From<Vec<Content>> for ChatReply {
    /// Creates a reply with this content. Its model and usage are left empty.
    fn from(content: Vec<Content>) -> Self {
        let calls = content.iter().any(|part| matches!(part, Content::ToolCall(_)));
        Self {
            message: Message { role: Role::Assistant, content },
            finish: if calls { FinishReason::ToolCalls } else { FinishReason::Stop },
            usage: Usage::default(),
            model: String::new(),
        }
    }
}

impl From<String> for ChatReply {
    fn from(text: String) -> Self {
        vec![Content::Text(text)].into()
    }
}

impl From<&str> for ChatReply {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<ToolCall> for ChatReply {
    fn from(call: ToolCall) -> Self {
        vec![Content::ToolCall(call)].into()
    }
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt;
    use serde_json::json;

    use super::*;
    use crate::StreamEvent;

    #[tokio::test]
    async fn replies_come_in_order_and_then_end() {
        let model = ScriptedModel::replies(["one", "two"]).named("test/script");
        let ask = |text: &str| model.chat(ChatRequest::new("", text));
        assert_eq!(ask("a").await.unwrap().text(), "one");
        let second = ask("b").await.unwrap();
        assert_eq!(
            (second.text().as_str(), second.model.as_str(), second.usage.requests),
            ("two", "test/script", 1)
        );
        assert!(matches!(ask("c").await, Err(LlmError::BadReply { .. })));
        assert_eq!(model.requests().len(), 3);
    }

    #[tokio::test]
    async fn a_stream_carries_the_same_reply() {
        let call = ToolCall { id: "1".to_owned(), name: "look".to_owned(), arguments: json!({"name": "x"}) };
        let content = vec![Content::Text("let me see".to_owned()), Content::ToolCall(call)];
        let model = ScriptedModel::answering(move |_| Ok(content.clone().into()));
        let stream = model.stream(ChatRequest::new("", "what?")).await.unwrap();
        let events: Vec<StreamEvent> = stream.try_collect().await.unwrap();
        let text: String = events
            .iter()
            .filter_map(|event| match event {
                StreamEvent::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(text, "let me see");
        let Some(StreamEvent::End(reply)) = events.last() else { unreachable!("the last event is the end") };
        assert_eq!(reply.finish, FinishReason::ToolCalls);
        assert_eq!(reply.tool_calls().count(), 1);
    }
}
