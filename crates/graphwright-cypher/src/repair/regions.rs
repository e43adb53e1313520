//! The clauses of a text that cannot be parsed, found by their tokens.

use super::{draft::Draft, step::Step};
use crate::lexer::Keyword;

/// Returns whether a clause begins at a token.
fn begins_clause(draft: &Draft<'_>, index: usize) -> bool {
    let Some(token) = draft.tokens.get(index) else { return false };
    let begins = token.keyword.is_some_and(|keyword| keyword.begins_clause() || keyword == Keyword::Union);
    // In these places the word is a name, or belongs to the word beside it.
    let is_part = index.checked_sub(1).is_some_and(|before| {
        [".", ":", "AS", "STARTS", "ENDS", "OPTIONAL", "$"].iter().any(|part| draft.is(before, part))
    });
    let is_name = [".", ":", ")", ",", "="].iter().any(|symbol| draft.is(index + 1, symbol));
    begins && !is_part && !is_name
}

/// Returns the keyword of the clause that contains a token. A page (`ORDER BY`, `LIMIT`) is no
/// clause of its own.
pub(super) fn clause_start(draft: &Draft<'_>, at: usize) -> Option<usize> {
    let mut index = at;
    while let Some(before) = index.checked_sub(1) {
        index = before;
        match draft.token(index) {
            ")" | "]" | "}" => index = draft.opening(index)?,
            "(" | "[" | "{" => return None,
            _ if begins_clause(draft, index) && !is_page(draft, index) => {
                return Some(if draft.is(index, "OPTIONAL") { index + 1 } else { index });
            }
            _ => {}
        }
    }
    None
}

fn is_page(draft: &Draft<'_>, index: usize) -> bool {
    ["ORDER", "SKIP", "LIMIT", "OFFSET"].iter().any(|word| draft.is(index, word))
}

/// The words that end a part of a clause and begin none.
const ENDS: [&str; 3] = ["WHERE", "HAVING", "GROUP"];

/// Returns the token behind the part of a clause that contains token `from`: the next clause or
/// page, a closing bracket or the end.
pub(super) fn clause_end(draft: &Draft<'_>, from: usize) -> usize {
    let mut at = from;
    while at < draft.tokens.len() {
        match draft.token(at) {
            "(" | "[" | "{" => at = draft.closing(at).unwrap_or(at),
            ")" | "]" | "}" | ";" => return at,
            _ if begins_clause(draft, at) || ENDS.iter().any(|word| draft.is(at, word)) => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Adds a condition before the clause at a token: to the `WHERE` of the clause before it, as its
/// `WHERE`, or with a `WITH *`.
pub(super) fn with_condition_before(step: Step, draft: &Draft<'_>, begin: usize, condition: &str) -> Step {
    let place = begin.checked_sub(1).map_or(0, |before| draft.end_of(before));
    let before = clause_start(draft, begin);
    let keyword = before.map(|before| draft.token(before).to_ascii_uppercase()).unwrap_or_default();
    let optional =
        before.and_then(|before| before.checked_sub(1)).is_some_and(|index| draft.is(index, "OPTIONAL"));
    let present = before.and_then(|before| condition_of(draft, before, begin));
    match (keyword.as_str(), present) {
        ("MATCH" | "WITH", None) if !optional => step.insert(place, format!(" WHERE {condition}")),
        ("MATCH" | "WITH", Some(present)) if !optional => {
            let start = draft.start_of(present);
            step.insert(start, "(").insert(place, format!(") AND ({condition})"))
        }
        _ => step.insert(place, format!(" WITH * WHERE {condition}")),
    }
}

/// Returns the first token of the condition of a clause.
fn condition_of(draft: &Draft<'_>, begin: usize, end: usize) -> Option<usize> {
    let mut at = begin + 1;
    while at < end {
        match draft.token(at) {
            "(" | "[" | "{" => at = draft.closing(at)?,
            _ if draft.is(at, "WHERE") => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}
