//! The part of a long conversation that the model sees.

use graphwright_llm::{ChatModel, ChatRequest, Content, LlmError, Message, Role, Usage, estimate_tokens};

/// The window: how much of a long conversation the model sees.
///
/// The model sees the latest questions, each with everything that followed it, within a number of
/// tokens. Older messages are summarised or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The most tokens of conversation before the current question, by estimate; 16,000 by default.
    /// The latest earlier question is always shown, whatever its length.
    pub tokens: u64,
    /// Whether the model summarises older messages, which takes one more call whenever the window
    /// moves; true by default. The summary is kept with the thread.
    pub summarises: bool,
}

impl Default for Window {
    fn default() -> Self {
        Self { tokens: 16_000, summarises: true }
    }
}

impl Window {
    /// Returns the index of the first message that the model sees: the earliest question from which
    /// on everything fits.
    pub(super) fn start(&self, messages: &[Message]) -> usize {
        let mut start = messages.len();
        let mut tokens = 0;
        for (at, message) in messages.iter().enumerate().rev() {
            tokens += self::tokens(message);
            if tokens > self.tokens && start < messages.len() {
                break;
            }
            if message.role == Role::User {
                start = at;
            }
        }
        // Without a question there is no place to cut at.
        if start == messages.len() { 0 } else { start }
    }
}

fn tokens(message: &Message) -> u64 {
    let part = |content: &Content| match content {
        Content::Text(text) | Content::ToolResult { content: text, .. } => estimate_tokens(text),
        Content::Reasoning(reasoning) => estimate_tokens(&reasoning.text),
        Content::ToolCall(call) => estimate_tokens(&call.arguments.to_string()),
    };
    message.content.iter().map(part).sum()
}

/// Summarises a conversation, continuing from the summary of what came before it.
pub(super) async fn summarise(
    model: &dyn ChatModel,
    before: Option<&str>,
    messages: &[Message],
) -> Result<(String, Usage), LlmError> {
    let mut told = String::new();
    if let Some(before) = before {
        told.push_str(&format!("Summary of what was before:\n{before}\n\n"));
    }
    told.push_str(&transcript(messages));
    let reply = model.chat(ChatRequest::new(include_str!("../../prompts/summarise_thread.md"), told)).await?;
    Ok((graphwright_llm::without_thoughts(&reply.text()).to_owned(), reply.usage))
}

/// The number of characters of a tool result that a transcript holds.
const RESULT_LETTERS: usize = 400;

/// Writes a conversation as text.
pub(super) fn transcript(messages: &[Message]) -> String {
    let mut text = String::new();
    for message in messages {
        for part in &message.content {
            let line = match (message.role, part) {
                (Role::User, Content::Text(said)) => format!("User: {said}\n"),
                (_, Content::Text(said)) => format!("Assistant: {said}\n"),
                // What it thought is no part of the conversation.
                (_, Content::Reasoning(_)) => continue,
                (_, Content::ToolCall(call)) => format!("Assistant calls {} {}\n", call.name, call.arguments),
                (_, Content::ToolResult { content, .. }) => {
                    format!("Result: {}\n", content.chars().take(RESULT_LETTERS).collect::<String>())
                }
            };
            text.push_str(&line);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_begins_at_a_question() {
        let conversation = [
            Message::user("a".repeat(40)),
            Message::assistant("b".repeat(40)),
            Message::user("c".repeat(40)),
            Message::assistant("d".repeat(40)),
        ];
        let start = |tokens| Window { tokens, summarises: false }.start(&conversation);
        assert_eq!(start(1_000), 0);
        assert_eq!(start(40), 0);
        assert_eq!(start(39), 2);
        assert_eq!(start(20), 2);
        // The latest question is seen however long it is.
        assert_eq!(start(1), 2);
        assert_eq!(Window::default().start(&[]), 0);
    }
}
