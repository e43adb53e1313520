//! Making room in a conversation that has become longer than the model's context.

use graphwright_llm::{Content, Message, Role, estimate_tokens};

/// What stands in place of a result that was dropped.
const DROPPED: &str = "[dropped to make room; call the tool again if you need it]";

/// How many of the latest messages keep their results.
const KEPT: usize = 2;

/// Drops the older half, by tokens, of the results of tools, the oldest first; those of the latest step stay. Returns how many tokens that saved;
/// none is left to drop when it is 0.
pub(super) fn drop_old_results(messages: &mut [Message]) -> u64 {
    let end = messages.len().saturating_sub(KEPT);
    let results = messages[..end].iter_mut().filter(|message| message.role == Role::Tool);
    let mut texts: Vec<&mut String> = results
        .flat_map(|message| &mut message.content)
        .filter_map(|part| match part {
            Content::ToolResult { content, .. } => Some(content),
            Content::Text(_) | Content::ToolCall(_) => None,
        })
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
