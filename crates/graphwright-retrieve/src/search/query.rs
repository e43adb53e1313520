//! Parses the words of a search.

use std::collections::HashSet;

use graphwright_english::words::is_function_word;

use crate::dictionary::{stem, tokens};

/// A clause of a query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Clause {
    /// A word: its stem, and the word as written.
    Word { stem: String, written: String },
    /// All words with this beginning.
    Prefix(String),
    /// Stems that follow one another. The text must contain them.
    Phrase(Vec<String>),
}

impl Clause {
    /// Formats the clause as people write it.
    pub(super) fn written(&self) -> String {
        match self {
            Self::Word { written, .. } => written.clone(),
            Self::Prefix(prefix) => format!("{prefix}*"),
            Self::Phrase(words) => format!("\"{}\"", words.join(" ")),
        }
    }
}

/// The most characters of a query that are compared. Each word is looked up in all texts.
pub(super) const MOST_CHARACTERS: usize = 2_000;

/// Returns the part of a query that is compared.
pub(super) fn compared(query: &str) -> &str {
    query.char_indices().nth(MOST_CHARACTERS).map_or(query, |(end, _)| &query[..end])
}

/// Parses a query. Every text is valid. Function words count only if there is nothing else.
pub(super) fn parse(query: &str) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let pieces: Vec<&str> = query.split('"').collect();
    for (position, piece) in pieces.iter().enumerate() {
        let closed = position + 1 < pieces.len();
        if position % 2 == 1 && closed {
            let words: Vec<String> = tokens(piece).iter().map(|word| stem(&word.text).into_owned()).collect();
            if !words.is_empty() {
                clauses.push(Clause::Phrase(words));
            }
        } else {
            for word in piece.split_whitespace() {
                push_words(word, &mut clauses);
            }
        }
    }
    let telling =
        |clause: &Clause| !matches!(clause, Clause::Word { written, .. } if is_function_word(written));
    if clauses.iter().any(telling) {
        clauses.retain(telling);
    }
    let mut seen = HashSet::new();
    clauses.retain(|clause| seen.insert(clause.clone()));
    clauses
}

fn push_words(text: &str, clauses: &mut Vec<Clause>) {
    let mut words = tokens(text);
    let prefix = if text.ends_with('*') { words.pop() } else { None };
    for word in words {
        clauses.push(Clause::Word { stem: stem(&word.text).into_owned(), written: word.text });
    }
    if let Some(word) = prefix {
        clauses.push(Clause::Prefix(word.text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(query: &str) -> String {
        parse(query).iter().map(Clause::written).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_prefixes_and_phrases_are_told_apart() {
        assert_eq!(
            show("Which services use \"auth lib\" and auth-serv*?"),
            "services use \"auth lib\" auth serv"
        );
        assert_eq!(show("auth-serv*"), "auth serv*");
        assert_eq!(show("the who"), "the who");
        assert_eq!(show("an \"unclosed quote"), "unclosed quote");
        assert_eq!(show("same same"), "same");
        assert_eq!(show(" * \"\" ** "), "");
    }

    #[test]
    fn the_beginning_of_a_long_query_is_compared() {
        assert_eq!(compared(&"ä".repeat(100_000)).chars().count(), MOST_CHARACTERS);
        assert_eq!(compared("auth"), "auth");
    }
}
