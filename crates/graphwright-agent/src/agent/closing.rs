//! The end of a conversation's turn: what it keeps of the answer.

use std::sync::Arc;

use graphwright_llm::{Content, Message};

use crate::{Result, ThreadStore};

/// The place in a conversation where the answer goes.
#[derive(Debug)]
pub(crate) struct Closing {
    pub(super) threads: Option<Arc<dyn ThreadStore>>,
    pub(super) thread: String,
    pub(super) at: usize,
    /// The answer as the model gave it.
    pub(super) message: Message,
}

impl Closing {
    /// Keeps the part of the model's answer that is borne out, with its thoughts.
    pub(crate) async fn keep_part(mut self, text: String) -> Result<()> {
        self.message.content.retain(|part| !matches!(part, Content::Text(_)));
        self.message.content.push(Content::Text(text));
        self.append().await
    }

    /// Keeps what was answered in place of the model's answer.
    pub(crate) async fn keep_instead(mut self, text: &str) -> Result<()> {
        self.message = Message::assistant(text);
        self.append().await
    }

    async fn append(self) -> Result<()> {
        let Some(threads) = &self.threads else { return Ok(()) };
        threads.append(&self.thread, self.at, std::slice::from_ref(&self.message)).await
    }
}
