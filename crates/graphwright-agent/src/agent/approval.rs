//! Calls that a person has to approve.

use std::fmt::Debug;

use async_trait::async_trait;
use graphwright_llm::ToolCall;

/// Decides whether calls of tools that need approval may happen.
#[async_trait]
pub trait ApproveCall: Debug + Send + Sync {
    /// Whether this one may.
    async fn approve(&self, call: &ToolCall) -> Verdict;
}

/// What was decided of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may happen.
    Approved,
    /// It may not.
    Refused {
        /// What the model is told, if anything.
        reason: Option<String>,
    },
}
