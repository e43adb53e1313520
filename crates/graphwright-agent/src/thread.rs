//! Kept conversations.

mod memory;
mod stored;
mod versions;

use std::fmt::Debug;

use async_trait::async_trait;
use graphwright_llm::Message;
use serde::{Deserialize, Serialize};

pub use memory::MemoryThreads;
pub use stored::StoredThreads;
pub use versions::Versions;

use crate::Result;

/// A conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    /// The identifier.
    pub id: String,
    /// All messages, including the calls of tools and their results.
    pub messages: Vec<Message>,
    /// The summary of the older part, which models no longer see in full.
    pub summary: Option<Summary>,
}

impl Thread {
    /// Creates a conversation without messages.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), ..Self::default() }
    }
}

/// A summary of the older part of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The text.
    pub text: String,
    /// The number of messages, from the first, that the summary replaces.
    pub until: usize,
}

/// A conversation as an entry of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadInfo {
    /// The identifier.
    pub id: String,
    /// The number of messages.
    pub messages: usize,
}

/// A store that keeps conversations.
#[async_trait]
pub trait ThreadStore: Debug + Send + Sync {
    /// Loads a conversation. An unknown identifier gives a conversation without messages.
    ///
    /// # Errors
    /// Fails if the store cannot be read, or if the conversation in it is damaged.
    async fn load(&self, id: &str) -> Result<Thread>;

    /// Appends messages to a conversation that has exactly `at` messages.
    ///
    /// # Errors
    /// Fails with [`ThreadConflict`](crate::AgentError::ThreadConflict) if the number of messages
    /// is not `at`, for example because another process adds to the same thread.
    async fn append(&self, id: &str, at: usize, messages: &[Message]) -> Result<()>;

    /// Stores the summary of a conversation, replacing the one it had.
    ///
    /// # Errors
    /// Fails if the store cannot be written.
    async fn summarise(&self, id: &str, summary: &Summary) -> Result<()>;

    /// Lists all conversations, ordered by identifier.
    ///
    /// # Errors
    /// Fails if the store cannot be read.
    async fn list(&self) -> Result<Vec<ThreadInfo>>;

    /// Deletes a conversation, and tells whether there was one.
    ///
    /// # Errors
    /// Fails if the store cannot be read or written.
    async fn delete(&self, id: &str) -> Result<bool>;
}

#[cfg(test)]
mod tests;
