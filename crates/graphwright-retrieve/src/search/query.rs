//! Parses the words of a search.

use std::collections::HashSet;

use graphwright_english::words::is_function_word;

use crate::dictionary::tokens;

/// A clause of a query, with its words as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Clause {
    /// A word in any inflection.
    Word(String),
    /// All words with this beginning.
    Prefix(String),
    /// All words that so many changed letters turn into this one.
    Fuzzy(String, u8),
    /// Words that follow one another. The text must contain them.
    Phrase(Vec<String>),
}

impl Clause {
    /// Formats the clause as people write it.
    pub(super) fn written(&self) -> String {
        match self {
            Self::Word(word) => word.clone(),
            Self::Prefix(prefix) => format!("{prefix}*"),
            Self::Fuzzy(word, _) => format!("{word}~"),
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

/// Returns the part of a query that is compared, without the quotes, stars and tildes of its syntax: they mean nothing to
/// models.
pub(super) fn plain(query: &str) -> String {
    compared(query).replace(['"', '*', '~'], " ")
}

/// Parses a query. Every text is valid. Function words count only if there is nothing else.
pub(super) fn parse(query: &str) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let pieces: Vec<&str> = query.split('"').collect();
    for (position, piece) in pieces.iter().enumerate() {
        let closed = position + 1 < pieces.len();
        if position % 2 == 1 && closed {
            let words: Vec<String> = tokens(piece).into_iter().map(|word| word.text).collect();
            if !words.is_empty() {
                clauses.push(Clause::Phrase(words));
            }
        } else {
            for word in piece.split_whitespace() {
                push_words(word, &mut clauses);
            }
        }
    }
    let telling = |clause: &Clause| !matches!(clause, Clause::Word(word) if is_function_word(word));
    if clauses.iter().any(telling) {
        clauses.retain(telling);
    }
    let mut seen = HashSet::new();
    clauses.retain(|clause| seen.insert(clause.clone()));
    clauses
}

/// Adds the words of a piece without spaces. A star or tilde at its end is for the last of them.
fn push_words(text: &str, clauses: &mut Vec<Clause>) {
    let (text, operator) = operator(text);
    let mut words: Vec<String> = tokens(text).into_iter().map(|word| word.text).collect();
    let last = operator.as_ref().and_then(|_| words.pop());
    clauses.extend(words.into_iter().map(Clause::Word));
    match (last, operator) {
        (Some(word), Some(Operator::Prefix)) => clauses.push(Clause::Prefix(word)),
        (Some(word), Some(Operator::Fuzzy(distance))) => {
            let distance = distance.unwrap_or_else(|| usual_distance(&word));
            clauses.push(if distance == 0 { Clause::Word(word) } else { Clause::Fuzzy(word, distance) });
        }
        _ => {}
    }
}

enum Operator {
    Prefix,
    Fuzzy(Option<u8>),
}

/// Takes `*`, `~`, `~1` or `~2` from the end of a piece.
fn operator(text: &str) -> (&str, Option<Operator>) {
    if let Some(prefix) = text.strip_suffix('*') {
        return (prefix, Some(Operator::Prefix));
    }
    match text.rsplit_once('~') {
        Some((word, "")) => (word, Some(Operator::Fuzzy(None))),
        Some((word, distance @ ("0" | "1" | "2"))) => (word, Some(Operator::Fuzzy(distance.parse().ok()))),
        _ => (text, None),
    }
}

/// Returns how many letters may be changed, as Lucene's `AUTO` has it: in short words none, in long
/// ones two.
fn usual_distance(word: &str) -> u8 {
    match word.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
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
    fn a_tilde_allows_for_changed_letters() {
        assert_eq!(parse("depreciation~"), [Clause::Fuzzy("depreciation".into(), 2)]);
        assert_eq!(parse("lib~"), [Clause::Fuzzy("lib".into(), 1)]);
        assert_eq!(parse("auth-serv~2"), [Clause::Word("auth".into()), Clause::Fuzzy("serv".into(), 2)]);
        assert_eq!(parse("v2~ x~y"), ["v2", "x", "y"].map(|word| Clause::Word(word.into())));
    }

    #[test]
    fn the_beginning_of_a_long_query_is_compared() {
        assert_eq!(compared(&"ä".repeat(100_000)).chars().count(), MOST_CHARACTERS);
        assert_eq!(compared("auth"), "auth");
    }
}
