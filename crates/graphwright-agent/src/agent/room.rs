//! Making room in a conversation that exceeds the model's context length.

use graphwright_llm::{Content, Message, Role, estimate_tokens};

/// The text that replaces a dropped result.
const DROPPED: &str = "[dropped to make room; call the tool again if you need it]";

/// The number of latest messages whose results are kept.
const KEPT: usize = 2;

/// Drops the oldest tool results until about half of all their tokens are saved, and returns the
/// number of tokens saved.
///
/// Results in the latest messages stay. A return value of 0 means that nothing is left to drop.
pub(super) fn drop_old_results(messages: &mut [Message]) -> u64 {
    let end = messages.len().saturating_sub(KEPT);
    let results = messages[..end].iter_mut().filter(|message| message.role == Role::Tool);
    let mut texts: Vec<&mut String> = results
        .flat_map(|message| &mut message.content)
        .filter_map(|part| match part {
            Content::ToolResult { content, .. } => Some(content),
            Content::Text(_) | Content::Reasoning(_) | Content::ToolCall(_) => None,
        })
        // Short results, and those dropped before, would save nothing.
        .filter(|text| text.len() > DROPPED.len())
        .collect();
    let all: u64 = texts.iter().map(|text| estimate_tokens(text)).sum();
    let mut saved = 0;
    for text in &mut texts {
        if saved * 2 >= all {
            break;
        }
        saved += estimate_tokens(text);
        DROPPED.clone_into(text);
    }
    saved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(length: usize) -> Message {
        let content = vec![Content::ToolResult { id: "1".to_owned(), content: "x".repeat(length) }];
        Message { role: Role::Tool, content }
    }

    fn lengths(messages: &[Message]) -> Vec<usize> {
        let texts = messages.iter().flat_map(|message| &message.content).map(|part| match part {
            Content::ToolResult { content, .. } => content.len(),
            _ => 0,
        });
        texts.collect()
    }

    #[test]
    fn older_results_go_first_and_the_latest_stay() {
        let mut messages = vec![result(400), result(400), result(400), result(4_000), result(8_000)];
        assert_eq!(drop_old_results(&mut messages), 200);
        let note = DROPPED.len();
        assert_eq!(lengths(&messages), [note, note, 400, 4_000, 8_000]);
        assert_eq!(drop_old_results(&mut messages), 100);
        assert_eq!(drop_old_results(&mut messages), 0);
        assert_eq!(lengths(&messages), [note, note, note, 4_000, 8_000]);
    }
}
