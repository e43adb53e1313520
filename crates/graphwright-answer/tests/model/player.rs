//! A model that plays replies as real ones come: whole, cut off in the middle, or not at all.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use futures::{StreamExt, stream};
use graphwright_llm::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, Result, StreamEvent, Usage};

/// What is played for one request.
#[derive(Clone, Debug)]
pub(crate) enum Played {
    Whole(ChatReply),
    /// A text after which the connection breaks.
    Cut(&'static str),
    Fails(LlmError),
}

impl From<&str> for Played {
    fn from(text: &str) -> Self {
        Self::Whole(text.into())
    }
}

impl From<ChatReply> for Played {
    fn from(reply: ChatReply) -> Self {
        Self::Whole(reply)
    }
}

/// A provider that is down.
pub(crate) fn down() -> Played {
    Played::Fails(LlmError::Unavailable { provider: "test".into(), message: "down".into() })
}

/// A model that plays what it is given, and counts what it is asked.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    script: Arc<Mutex<VecDeque<Played>>>,
    requests: Arc<Mutex<Vec<ChatRequest>>>,
}

impl Player {
    pub(crate) fn new(script: impl IntoIterator<Item = Played>) -> Self {
        Self { script: Arc::new(Mutex::new(script.into_iter().collect())), requests: Arc::default() }
    }

    pub(crate) fn requests(&self) -> Vec<ChatRequest> {
        self.requests.lock().unwrap().clone()
    }

    fn next(&self, request: ChatRequest) -> Played {
        self.requests.lock().unwrap().push(request);
        let mut played = self.script.lock().unwrap().pop_front().unwrap_or_else(down);
        if let Played::Whole(reply) = &mut played {
            reply.usage = Usage { requests: 1, input_tokens: 100, output_tokens: 10, ..Usage::default() };
        }
        played
    }
}

#[async_trait]
impl ChatModel for Player {
    fn name(&self) -> &'static str {
        "test/model"
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        match self.next(request) {
            Played::Whole(reply) => Ok(reply),
            Played::Cut(_) => Err(LlmError::Unavailable { provider: "test".into(), message: "cut".into() }),
            Played::Fails(error) => Err(error),
        }
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        match self.next(request) {
            Played::Whole(reply) => Ok(reply.into_stream()),
            Played::Cut(text) => {
                let error = LlmError::Unavailable { provider: "test".into(), message: "cut".into() };
                let pieces = text.split_inclusive(' ').map(|word| Ok(StreamEvent::Text(word.to_owned())));
                Ok(stream::iter(pieces.chain([Err(error)]).collect::<Vec<_>>()).boxed())
            }
            Played::Fails(error) => Err(error),
        }
    }
}
