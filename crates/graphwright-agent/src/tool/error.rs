//! Errors of tool calls, as the model is told of them.

use std::{
    error::Error,
    fmt::{self, Display, Formatter},
};

use graphwright_answer::AnswerError;
use graphwright_core::{StoreError, text::visible};
use graphwright_llm::LlmError;
use graphwright_retrieve::RetrieveError;
use serde::{Deserialize, Serialize};

use crate::AgentError;

/// The kind of a failed call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// No tool has the name.
    UnknownTool,
    /// The arguments do not match the schema; the tool did not run.
    BadArguments,
    /// The tool ran and failed.
    #[default]
    Failed,
    /// The work was stopped.
    Cancelled,
}

/// The error of a tool call, in words that the model can act on.
///
/// Every error converts into it with `?`, and Graphwright's own errors keep their hints. It does
/// not implement [`std::error::Error`] itself, because that conversion would then conflict with the
/// reflexive `From`.
///
/// ```
/// use graphwright_agent::ToolError;
///
/// fn parse(text: &str) -> Result<i64, ToolError> {
///     Ok(text.parse::<i64>()?)
/// }
/// let error = parse("twelve").unwrap_err().with_hint("write it in digits");
/// assert_eq!(error.to_string(), "invalid digit found in string\nHint: write it in digits");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolError {
    /// The kind of failure.
    pub kind: ToolErrorKind,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ToolError {
    /// Creates an error of a tool that ran and failed.
    pub fn new(message: impl Into<String>) -> Self {
        Self::with_kind(ToolErrorKind::Failed, message)
    }

    /// Creates an error for arguments that pass the schema but are wrong, such as an empty name.
    pub fn bad_arguments(message: impl Into<String>) -> Self {
        Self::with_kind(ToolErrorKind::BadArguments, message)
    }

    /// Shows what names from elsewhere hide in the message and the hint.
    pub(crate) fn made_visible(self) -> Self {
        let shown = |text: String| visible(&text).into_owned();
        Self { message: shown(self.message), hint: self.hint.map(shown), ..self }
    }

    pub(crate) fn with_kind(kind: ToolErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// Sets the hint: what to do about the error.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// Writes everything that the model is told: the message, and the hint on a line of its own.
impl Display for ToolError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, "\nHint: {hint}"),
            None => Ok(()),
        }
    }
}

impl<E: Error + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self { kind: ToolErrorKind::Failed, message: with_causes(&error), hint: hint(&error) }
    }
}

/// Joins the message with those of its causes that it does not repeat itself.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        cause = error.source();
    }
    message
}

/// Returns the hint of an error of Graphwright; other errors have none.
fn hint(error: &(dyn Error + 'static)) -> Option<String> {
    let store = error.downcast_ref::<StoreError>().and_then(StoreError::hint);
    let retrieve = || error.downcast_ref::<RetrieveError>().and_then(RetrieveError::hint);
    let model = || error.downcast_ref::<LlmError>().and_then(LlmError::hint);
    let answer = || match error.downcast_ref::<AnswerError>() {
        Some(AnswerError::Retrieve(error)) => error.hint(),
        _ => None,
    };
    let agent = || {
        error.downcast_ref::<AgentError>().and_then(|error| match error {
            AgentError::Store(error) => error.hint(),
            AgentError::Retrieve(error) => error.hint(),
            AgentError::Model(error) => error.hint(),
            AgentError::Refused { refusal, .. } => Some(refusal.help.clone()),
            _ => None,
        })
    };
    store.or_else(retrieve).or_else(model).or_else(answer).or_else(agent)
}
