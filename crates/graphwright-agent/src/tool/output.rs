//! What a tool returns.

use serde::Serialize;
use serde_json::Value;

use super::ToolError;

/// What a tool returns: text for the model, and the same as a value for programs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutput {
    /// What the model reads.
    pub text: String,
    /// The same for programs, where there is more to it than the text.
    pub structured: Option<Value>,
}

impl ToolOutput {
    /// A value, as JSON for the model too; a string is its own text.
    ///
    /// # Errors
    /// If it is not to be had as JSON, as a map whose keys are not text.
    pub fn of(value: &impl Serialize) -> Result<Self, ToolError> {
        Ok(serde_json::to_value(value)?.into())
    }
}

impl From<String> for ToolOutput {
    fn from(text: String) -> Self {
        Self { text, structured: None }
    }
}

impl From<&str> for ToolOutput {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Value> for ToolOutput {
    fn from(value: Value) -> Self {
        match value {
            Value::String(text) => text.into(),
            Value::Null => "nothing".into(),
            value => Self { text: value.to_string(), structured: Some(value) },
        }
    }
}
