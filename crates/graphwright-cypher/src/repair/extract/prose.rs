//! Sentences before and behind a query.

use graphwright_core::text::cut;

use super::{
    begins_as_query,
    comments::{comments, is_within},
    parses, words,
};
use crate::lexer::Keyword;

/// The most places that are tried as the beginning or the end of a query.
const MAX_PLACES: usize = 200;

/// Removes the text before the query.
pub(super) fn without_introduction(text: &str) -> Option<(String, String)> {
    let first = words(text).next().filter(|first| text.trim_start().starts_with(first));
    let is_clause = first.is_some_and(|first| {
        Keyword::from_word(first).is_some_and(Keyword::begins_clause)
            && !first.bytes().any(|byte| byte.is_ascii_lowercase())
    });
    if is_clause || begins_as_query(text) || parses(text) {
        return None;
    }
    let comments = comments(text);
    let start = beginnings(text)
        .filter(|&start| !is_within(&comments, start))
        .take(MAX_PLACES)
        .find(|&start| text.get(start..).is_some_and(begins_as_query))?;
    let query = text.get(start..)?.to_owned();
    Some((query, format!("left out the text before the query: `{}`", shortened(text.get(..start)?))))
}

/// Returns where words begin that are in capitals, or the first of a line or behind a colon.
fn beginnings(text: &str) -> impl Iterator<Item = usize> {
    let mut before = '\n';
    let mut first_of_line = true;
    text.char_indices().filter_map(move |(at, character)| {
        let begins = character.is_ascii_alphabetic() && !before.is_alphanumeric() && before != '_';
        let rest = text.get(at..).unwrap_or_default();
        let is_capital = rest.as_bytes().get(1).is_some_and(u8::is_ascii_uppercase);
        let found = begins && (first_of_line || is_capital);
        first_of_line = matches!(character, '\n' | ':') || (first_of_line && !character.is_alphanumeric());
        before = character;
        found.then_some(at)
    })
}

/// Removes the sentences behind the query.
pub(super) fn without_explanation(text: &str) -> Option<(String, String)> {
    let comments = comments(text);
    let places: Vec<usize> = endings(text)
        .filter(|&end| !is_within(&comments, end) && text.get(end..).is_some_and(is_prose))
        .take(MAX_PLACES)
        .collect();
    let query = |end: usize| text.get(..end).map(str::trim_end);
    let is_apart = |end: &&usize| {
        query(**end).is_some_and(|query| {
            query.ends_with(';')
                || text.get(query.len()..**end).is_some_and(|gap| gap.matches('\n').count() > 1)
        })
    };
    let end = places
        .iter()
        .find(|&&end| query(end).is_some_and(parses))
        .or_else(|| places.iter().find(is_apart))?;
    let message = format!("left out the text behind the query: `{}`", shortened(text.get(*end..)?));
    Some((query(*end)?.to_owned(), message))
}

/// Returns where a text may end and another begin: behind line ends and semicolons.
fn endings(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices(['\n', ';']).map(|(at, _)| at + 1)
}

/// Returns whether a text begins with a sentence or with Markdown rather than with Cypher.
fn is_prose(text: &str) -> bool {
    let text = text.trim_start();
    let line = text.lines().next().unwrap_or_default();
    if line.starts_with("```") || line.starts_with('#') || line.starts_with("**") {
        return true;
    }
    let bullet = line.strip_prefix(['-', '*', '•']).filter(|rest| rest.starts_with(' '));
    let sentence = bullet.unwrap_or(line).trim_start();
    let mut found = sentence.split_whitespace();
    let Some(first) = found.next() else { return false };
    let is_cypher = words(first).next().is_none_or(|word| {
        Keyword::from_word(word).is_some() || word.bytes().all(|byte| byte.is_ascii_uppercase())
    });
    let is_word = |word: &str| {
        word.trim_end_matches([',', '.', ':', ';', '!', '?'])
            .chars()
            .all(|part| part.is_alphabetic() || matches!(part, '\'' | '’' | '-'))
    };
    !is_cypher
        && is_word(first)
        && (found.by_ref().take(2).filter(|word| is_word(word)).count() == 2 || first.ends_with(':'))
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    cut(text.trim(), LONGEST).into_owned()
}
