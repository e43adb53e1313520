//! Conversations in memory.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use graphwright_llm::Message;

use super::{Summary, Thread, ThreadInfo, ThreadStore};
use crate::{AgentError, Result};

/// A store that keeps conversations for as long as the process lives.
#[derive(Debug, Default)]
pub struct MemoryThreads {
    threads: Mutex<BTreeMap<String, Thread>>,
}

impl MemoryThreads {
    /// Creates a store without conversations.
    pub fn new() -> Self {
        Self::default()
    }

    fn threads(&self) -> MutexGuard<'_, BTreeMap<String, Thread>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ThreadStore for MemoryThreads {
    async fn load(&self, id: &str) -> Result<Thread> {
        Ok(self.threads().get(id).cloned().unwrap_or_else(|| Thread::new(id)))
    }

    async fn append(&self, id: &str, at: usize, messages: &[Message]) -> Result<()> {
        let mut threads = self.threads();
        let thread = threads.entry(id.to_owned()).or_insert_with(|| Thread::new(id));
        if thread.messages.len() != at {
            return Err(AgentError::ThreadConflict { thread: id.to_owned() });
        }
        thread.messages.extend_from_slice(messages);
        Ok(())
    }

    async fn summarise(&self, id: &str, summary: &Summary) -> Result<()> {
        let mut threads = self.threads();
        let thread = threads.entry(id.to_owned()).or_insert_with(|| Thread::new(id));
        thread.summary = Some(summary.clone());
        Ok(())
    }

    async fn list(&self) -> Result<Vec<ThreadInfo>> {
        let info = |thread: &Thread| ThreadInfo { id: thread.id.clone(), messages: thread.messages.len() };
        Ok(self.threads().values().map(info).collect())
    }

    async fn delete(&self, id: &str) -> Result<bool> {
        Ok(self.threads().remove(id).is_some())
    }
}
