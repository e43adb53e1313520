//! Comments in a text that may hold prose too. What is commented out is never taken for a query.

use std::ops::Range;

use crate::lexer::comment_length;

/// Returns the comments of a text, in order.
///
/// Strings are not told from prose, in which an apostrophe opens none: what looks like a comment
/// counts as one. The `//` of an address such as `https://neo4j.com` does not, nor does the `/*` of
/// a path that nothing closes.
pub(super) fn comments(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('/')) {
        let start = at + next;
        let (before, rest) = text.split_at(start);
        at = match comment_length(rest) {
            Some(length) if !is_in_word(before, rest, length) => {
                found.push(start..start + length);
                start + length
            }
            _ => start + 1,
        };
    }
    found
}

/// What stands before the `//` of an address.
const SCHEMES: [&str; 6] = ["http:", "https:", "ftp:", "file:", "bolt:", "neo4j:"];

/// Returns whether the signs of a comment are part of an address or a path.
fn is_in_word(before: &str, comment: &str, length: usize) -> bool {
    let is_closed = comment.get(..length).is_some_and(|comment| comment.ends_with("*/"));
    if comment.starts_with("/*") {
        !is_closed && !before.is_empty() && !before.ends_with(char::is_whitespace)
    } else {
        SCHEMES.iter().any(|scheme| before.ends_with(scheme))
    }
}

/// Returns whether a place is inside of one of these comments.
pub(super) fn is_within(comments: &[Range<usize>], at: usize) -> bool {
    let next = comments.partition_point(|comment| comment.end <= at);
    comments.get(next).is_some_and(|comment| comment.start < at)
}
