//! The parts of a text that can stand for themselves: sentences, list items, table rows and fields.

use std::ops::Range;

/// What begins and ends a block of code.
const FENCE: &str = "```";
/// The most words of the name of a field.
const MOST_NAME_WORDS: usize = 3;

/// Cuts a text into sentences, list items, table rows, and fields of records. Each is given by its
/// bytes, without the white space around it.
///
/// ```
/// let text = "One. Two\n\n- three\n";
/// let parts: Vec<&str> =
///     graphwright_retrieve::sentences(text).into_iter().map(|part| &text[part]).collect();
/// assert_eq!(parts, ["One.", "Two", "- three"]);
/// ```
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    // Only ASCII characters end a sentence, so the byte after one is a boundary.
    let ends = text.char_indices().filter(|&(at, _)| ends_sentence(text, at)).map(|(at, _)| at + 1);
    for end in ends.chain([text.len()]) {
        let part = &text[start..end];
        let first = start + (part.len() - part.trim_start().len());
        let trimmed = part.trim();
        if !trimmed.is_empty() {
            parts.push(first..first + trimmed.len());
        }
        start = end;
    }
    parts
}

/// Widens a range to the ends of its sentences, but not beyond its paragraph, list item or table
/// row.
pub(crate) fn sentences_around(text: &str, start: usize, end: usize) -> (usize, usize) {
    let before = (0..start).rev().find(|&at| text.is_char_boundary(at) && ends_sentence(text, at));
    let first = before.map_or(0, |at| at + 1);
    // From the last byte of the range on, which may itself end the sentence.
    let last = (end.saturating_sub(1).max(start)..text.len())
        .find(|&at| text.is_char_boundary(at) && ends_sentence(text, at))
        .map_or(text.len(), |at| at + 1);
    // Only ASCII characters end a sentence, so the byte after one is a boundary.
    let widened = &text[first..last];
    let first = first + (widened.len() - widened.trim_start().len());
    (first.min(start), (first + text[first..last].trim_end().len()).max(end))
}

/// Returns whether the byte at `at` ends a sentence or a line that stands for itself.
fn ends_sentence(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    if let Some(next) = rest.strip_prefix('\n') {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        let alone = |line: &str| {
            let line = line.trim_start();
            line.is_empty()
                || line.starts_with(['|', '#', '-', '*', '+', '>', '{', '}'])
                || line.starts_with(FENCE)
                || starts_with_number(line)
                || is_field(line)
        };
        let line = line.trim_start();
        return alone(next.lines().next().unwrap_or_default())
            || line.starts_with(['|', '#'])
            || line.starts_with(FENCE);
    }
    rest.starts_with(['.', '!', '?']) && rest[1..].starts_with(char::is_whitespace)
}

/// Returns whether a line is a field of a record, such as `tier: 1` or `tier = 1`.
fn is_field(line: &str) -> bool {
    field(line).is_some()
}

/// Returns the name and the value of a field of a record, such as `tier: 1`, `"tier": 1` or `tier = 1`.
///
/// ```
/// assert_eq!(graphwright_retrieve::field("tier = 1"), Some(("tier", "1")));
/// assert_eq!(graphwright_retrieve::field("What they do is this: they run."), None);
/// ```
pub fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':').filter(|(name, _)| !name.contains(" = ")).or_else(|| {
        let (name, value) = line.split_once(" =")?;
        (!name.contains(char::is_whitespace)).then_some((name, value))
    })?;
    let words = name.split_whitespace().count();
    let is_field = (value.is_empty() || value.starts_with([' ', '\n']))
        && (1..=MOST_NAME_WORDS).contains(&words)
        && !name.contains(['.', ',', '?']);
    is_field.then(|| (name.trim_matches('"'), value.trim()))
}

/// Returns whether a line starts with `1.` or `1)`.
fn starts_with_number(line: &str) -> bool {
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(['.', ')'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_widen_to_sentences_items_and_rows() {
        let around = |text: &str, inner: &str| {
            let start = text.find(inner).unwrap();
            let (start, end) = sentences_around(text, start, start + inner.len());
            text[start..end].to_owned()
        };
        let text = "First one. Über auth v1.2 uses\nlib here! Last\n\nNew paragraph";
        assert_eq!(around(text, "auth v1.2 uses\nlib"), "Über auth v1.2 uses\nlib here!");
        assert_eq!(around(text, "First"), "First one.");
        assert_eq!(around(text, "here! Last"), "Über auth v1.2 uses\nlib here! Last");
        assert_eq!(around(text, "paragraph"), "New paragraph");
        assert_eq!(around("# Title\n| a | b |\n| c | d |\n- one\n- two\n1. three", "c"), "| c | d |");
        assert_eq!(around("Intro:\n- one\n- two", "one"), "- one");
        assert_eq!(around("language: Go\ntier: 1\nowner: Pay", "1"), "tier: 1");
        assert_eq!(around("{\"a\": 1}\n{\"b\": 2}\n{\"c\": 3}", "b"), "{\"b\": 2}");
        assert_eq!(around("x", "x"), "x");
    }
}
