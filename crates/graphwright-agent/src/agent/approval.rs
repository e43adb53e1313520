//! Approval of calls by a person.

use std::fmt::Debug;

use async_trait::async_trait;
use graphwright_llm::ToolCall;

/// Decides whether calls of tools that need approval may be made.
#[async_trait]
pub trait ApproveCall: Debug + Send + Sync {
    /// Decides about one call.
    async fn approve(&self, call: &ToolCall) -> Verdict;
}

/// The decision about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The call may be made.
    Approved,
    /// The call may not be made.
    Refused {
        /// The reason that the model is told, if any.
        reason: Option<String>,
    },
}
