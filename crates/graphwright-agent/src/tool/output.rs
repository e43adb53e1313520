//! What a tool returns.

use graphwright_llm::estimate_tokens;
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

    /// The same with the beginning of a text that is longer than so many tokens, by estimate, and a note of what is missing.
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
