//! Lists within a number of tokens, and counts in words.

use graphwright_llm::estimate_tokens;

/// The tokens set aside for the note on missing lines.
const NOTE: u64 = 12;

/// Writes a count with its noun, such as `1 step` or `3 steps`.
pub(super) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Joins the lines that fit into the budget of tokens, and notes how many do not.
pub(super) fn bounded(lines: impl IntoIterator<Item = String>, budget: u64) -> String {
    let (mut text, mut used, mut missing) = (String::new(), 0, 0);
    for line in lines {
        let tokens = estimate_tokens(&line) + 1;
        if missing == 0 && used + tokens + NOTE <= budget {
            used += tokens;
            text.push_str(&line);
            text.push('\n');
        } else {
            missing += 1;
        }
    }
    if missing > 0 {
        text.push_str(&format!("({missing} more are left out for length)\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_counted() {
        let lines = || (0..50).map(|number| format!("line number {number}"));
        assert_eq!(bounded(lines(), 10_000).lines().count(), 50);
        let text = bounded(lines(), 40);
        assert!(estimate_tokens(&text) <= 40, "{text}");
        assert!(text.ends_with("more are left out for length)\n"), "{text}");
    }
}
