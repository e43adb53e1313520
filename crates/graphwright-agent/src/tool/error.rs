//! Why a tool call failed, as the model is told.

use std::{
    error::Error,
    fmt::{self, Display, Formatter},
};

use graphwright_answer::AnswerError;
use graphwright_core::StoreError;
use graphwright_llm::LlmError;
use graphwright_retrieve::RetrieveError;
use serde::{Deserialize, Serialize};

use crate::AgentError;

/// What sort of failure it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// There is no tool of that name.
    UnknownTool,
    /// The arguments are not what the schema says; the tool did not run.
    BadArguments,
    /// The tool ran and could not do it.
    #[default]
    Failed,
    /// The work was stopped.
    Cancelled,
}

/// Why a tool call failed, in words that the model can act on.
///
/// Every error turns into it by `?`; those of this project keep their hints. (So it is no [`std::error::Error`] itself, as a type cannot be both.)
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
    /// What sort of failure it is.
    pub kind: ToolErrorKind,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ToolError {
    /// The tool could not do it.
    pub fn new(message: impl Into<String>) -> Self {
        Self::of_kind(ToolErrorKind::Failed, message)
    }

    /// The arguments pass the schema and are wrong all the same, as a name that is empty.
    pub fn bad_arguments(message: impl Into<String>) -> Self {
        Self::of_kind(ToolErrorKind::BadArguments, message)
    }

    pub(crate) fn of_kind(kind: ToolErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// All that the model is told.
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

/// The message, and those of its causes that it does not say itself.
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
