//! The output of a tool.

use graphwright_llm::estimate_tokens;
use serde::Serialize;
use serde_json::Value;

use super::ToolError;

/// The output of a tool: text for the model, and optionally a value for programs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutput {
    /// The text that the model reads.
    pub text: String,
    /// The result as a value for programs, if it holds more than the text.
    pub structured: Option<Value>,
}

impl ToolOutput {
    /// Creates the output from a value. The model reads it as JSON; a string becomes the text as it
    /// is.
    ///
    /// # Errors
    /// Fails if the value cannot be written as JSON, for example a map whose keys are not strings.
    pub fn from_value(value: &impl Serialize) -> Result<Self, ToolError> {
        Ok(serde_json::to_value(value)?.into())
    }

    /// Cuts the text to a number of tokens, by estimate, and adds a note of how much is missing. A
    /// text that fits stays unchanged.
    #[must_use]
    pub fn within(mut self, tokens: u64) -> Self {
        let all = estimate_tokens(&self.text);
        if all > tokens {
            let bytes = usize::try_from(tokens.saturating_mul(4)).unwrap_or(usize::MAX);
            self.text.truncate(self.text.floor_char_boundary(bytes));
            let note =
                format!("\n[cut: {tokens} of about {all} tokens are shown; ask for less, or for a part]");
            self.text.push_str(&note);
        }
        self
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_letters() {
        let cut = |text: &str| ToolOutput::from(text).within(3).text;
        assert_eq!(cut("short"), "short");
        assert_eq!(
            cut(&"ä".repeat(100)),
            "ääääää\n[cut: 3 of about 50 tokens are shown; ask for less, or for a part]"
        );
    }
}
