//! Conversations that are kept.

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
    /// Its identifier.
    pub id: String,
    /// What was said, the calls of tools and their results included.
    pub messages: Vec<Message>,
    /// What was said before the part that models see.
    pub summary: Option<Summary>,
}

impl Thread {
    /// Without messages.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), ..Self::default() }
    }
}

/// What a conversation said, in few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The words.
    pub text: String,
    /// How many messages it stands for, from the first.
    pub until: usize,
}

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadInfo {
    /// Its identifier.
    pub id: String,
    /// How many messages it has.
    pub messages: usize,
}

/// Where conversations are kept.
#[async_trait]
pub trait ThreadStore: Debug + Send + Sync {
    /// A conversation; one that is not there has no messages.
    async fn load(&self, id: &str) -> Result<Thread>;

    /// Adds messages behind the first `at`.
    ///
    /// # Errors
    /// [`ThreadConflict`](crate::AgentError::ThreadConflict) if there are not `at` messages, as when somebody else adds to the same thread.
    async fn append(&self, id: &str, at: usize, messages: &[Message]) -> Result<()>;

    /// Keeps the summary of a conversation in place of the one it had.
    async fn summarise(&self, id: &str, summary: &Summary) -> Result<()>;

    /// All conversations by identifier.
    async fn list(&self) -> Result<Vec<ThreadInfo>>;

    /// Deletes a conversation; whether there was one.
    async fn delete(&self, id: &str) -> Result<bool>;
}

#[cfg(test)]
mod tests;
