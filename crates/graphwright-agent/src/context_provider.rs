//! Context that is put before a message, so that the model need not call tools for it.

mod graph;

use std::fmt::Debug;

use async_trait::async_trait;
use graphwright_llm::Message;
use serde::{Deserialize, Serialize};

pub use graph::GraphContext;

use crate::ToolError;

/// Looks up what a message needs before the model is asked.
///
/// [`Agent::with_context`](crate::Agent::with_context) puts it before the message that the model sees. The thread keeps the
/// message alone, so what is put before one message does not fill the conversation. [`GraphContext`] is one over any
/// [`Retriever`](graphwright_retrieve::Retriever).
#[async_trait]
pub trait ContextProvider: Debug + Send + Sync {
    /// Returns what the last of the messages needs; `None` where it needs nothing.
    ///
    /// # Errors
    /// Whatever keeps it from looking. The run goes on without the context, and says so.
    async fn provide(&self, messages: &[Message]) -> Result<Option<ProvidedContext>, ToolError>;
}

/// What was put before a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvidedContext {
    /// What brought it, such as `HybridRetriever`.
    pub source: String,
    /// What was looked for.
    pub query: String,
    /// The text that the model sees.
    pub text: String,
    /// The identifiers of what is in it, where there are such.
    pub ids: Vec<String>,
    /// How much was left out since the conversation has it already.
    pub repeated: usize,
    /// Notices for the reader, such as what did not fit.
    pub notices: Vec<String>,
}
