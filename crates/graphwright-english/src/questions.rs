//! The words of questions: those of [`names`], with stems, possessives and numbers.

use crate::{inflection::base_stem, names, words};

/// What [`Token::lower`] has for the mark of a possessive: nothing else is so, and `'s` may also be `is`.
const POSSESSIVE: &str = "'";

/// A word of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// The word as written.
    pub text: String,
    /// The word as names are compared: in lower case, without apostrophes; `'` for a possessive.
    pub lower: String,
    /// The stem of its base form.
    pub stem: String,
    /// First byte in the text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Number of the brackets or quotation marks in which the word stands.
    pub quote: Option<usize>,
}

/// The acronym of which a word is the plural: `SRFI` of `SRFIs`.
fn acronym_of(text: &str) -> Option<&str> {
    let acronym = text.strip_suffix('s')?;
    let is_acronym = acronym.len() > 1 && acronym.bytes().all(|letter| letter.is_ascii_uppercase());
    is_acronym.then_some(acronym)
}

impl Token {
    fn new(text: &str, (start, end): (usize, usize), lower: String) -> Self {
        let text = &text[start..end];
        let stem = match acronym_of(text) {
            Some(acronym) => acronym.to_lowercase(),
            None => base_stem(&lower),
        };
        Self { text: text.to_owned(), lower, stem, start, end, quote: None }
    }

    /// Tells whether it begins with a capital letter.
    pub fn is_capital(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    /// Tells whether it holds a digit.
    pub fn has_digit(&self) -> bool {
        self.text.contains(|letter: char| letter.is_ascii_digit())
    }

    /// Tells whether it is the mark of a possessive.
    pub fn is_possessive(&self) -> bool {
        self.lower == POSSESSIVE
    }
}

/// Returns a word in lower case; nothing where there is no word.
pub fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| &token.lower)
}

/// Splits a text into words.
///
/// They are those of [`names::tokens`], but dots, commas, hyphens and slashes between digits do not separate them (`1,200.5`,
/// `2024-03-31`), and a possessive is a token of its own.
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for word in names::tokens(text) {
        let token = match tokens.pop_if(|last| is_within_number(text, last, &word)) {
            Some(number) => {
                let range = (number.start, word.end);
                Token::new(text, range, text[range.0..range.1].to_lowercase())
            }
            None if is_negative(text, &word) => {
                let range = (word.start - 1, word.end);
                Token::new(text, range, text[range.0..range.1].to_lowercase())
            }
            None => Token::new(text, (word.start, word.end), word.text),
        };
        match contracted(&token) {
            Some(verb) => {
                let part =
                    |from: usize, to: usize| Token::new(text, (from, to), text[from..to].to_lowercase());
                tokens.extend([
                    part(token.start, verb),
                    part(verb + text[verb..].chars().next().map_or(0, char::len_utf8), token.end),
                ]);
            }
            None => tokens.push(token),
        }
        tokens.extend(possessive(text, tokens.last()));
    }
    mark_quotes(text, &mut tokens);
    tokens
}

/// Where the apostrophe stands in `who've` and `they'll`.
fn contracted(token: &Token) -> Option<usize> {
    let (pronoun, verb) = token.text.split_once(['\'', '’'])?;
    let contracts = words::is_contracting(&pronoun.to_lowercase());
    let verb = verb.to_lowercase();
    (contracts && matches!(verb.as_str(), "ve" | "ll")).then_some(token.start + pronoun.len())
}

/// Tells whether a word is a number behind a sign that stands alone: `-1`, not `3-1` or `- 1`.
fn is_negative(text: &str, word: &names::Token) -> bool {
    let before = text[..word.start].strip_suffix('-');
    before.is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace))
        && word.text.starts_with(|first: char| first.is_ascii_digit())
}

/// Tells whether a word goes on with the number before it.
fn is_within_number(text: &str, number: &Token, word: &names::Token) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    matches!(&text[number.end..word.start], "." | "," | "-" | "/")
        && text[word.start..].starts_with(is_digit)
        && number.text.starts_with(is_digit)
        && number.text.ends_with(is_digit)
}

/// The mark behind the owner in `Ada's`, `teams'`; in `who's` it is `is`.
fn possessive(text: &str, owner: Option<&Token>) -> Option<Token> {
    let owner = owner?;
    let rest = text[owner.end..].strip_prefix(['\'', '’'])?;
    let after_mark = rest.strip_prefix(['s', 'S']);
    let behind = after_mark.or_else(|| owner.lower.ends_with('s').then_some(rest))?;
    let is = after_mark.is_some() && words::is_contracting(&owner.lower);
    let lower = if is { "is" } else { POSSESSIVE };
    let end = text.len() - behind.len();
    let ends = !behind.starts_with(char::is_alphanumeric);
    ends.then(|| Token::new(text, (owner.end, end), lower.to_owned()))
}

/// Numbers the brackets and quotation marks of a text, and marks the words inside them.
fn mark_quotes(text: &str, tokens: &mut [Token]) {
    let mut number = 0;
    for (open, close) in [('(', ')'), ('[', ']'), ('"', '"'), ('“', '”'), ('«', '»')] {
        let mut from = 0;
        while let Some(start) = text[from..].find(open).map(|at| from + at) {
            let inside = start + open.len_utf8();
            let Some(end) = text[inside..].find(close).map(|at| inside + at) else { break };
            number += 1;
            for token in tokens.iter_mut().filter(|token| token.start >= inside && token.end <= end) {
                token.quote = Some(number);
            }
            from = end + close.len_utf8();
        }
    }
}

/// Returns the key under which phrases of a question are looked up: only letters and digits, in
/// lower case. It is wider than [`name_key`](crate::names::name_key), which tells entities apart:
/// `auth-lib-v2`, `Auth Lib v2` and `AuthLibV2` have one phrase key.
pub fn phrase_key(tokens: &[Token]) -> String {
    let words = tokens.iter().filter(|token| !token.is_possessive());
    words
        .flat_map(|token| token.lower.chars().filter(|letter| !matches!(letter, '.' | ',' | '-' | '/')))
        .collect()
}

/// Returns the key under which words are looked up in any form: their stems.
pub fn stem_key(tokens: &[Token]) -> String {
    let stems: Vec<&str> =
        tokens.iter().filter(|token| !token.is_possessive()).map(|token| token.stem.as_str()).collect();
    stems.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        tokenize(text).into_iter().map(|token| token.lower).collect()
    }

    #[test]
    fn words_numbers_and_possessives_are_separated() {
        assert_eq!(
            words("Who runs O'Brien's auth-lib-v2, since 2024-03-31 (1,200.5 C++)?"),
            ["who", "runs", "obrien", "'", "auth", "lib", "v2", "since", "2024-03-31", "1,200.5", "c++"]
        );
        assert_eq!(words("the teams' services don't"), ["the", "teams", "'", "services", "dont"]);
        assert_eq!(words("Who’s that, Ada’s?"), ["who", "is", "that", "ada", "'"]);
        assert_eq!(words("who've left, and they’ll"), ["who", "ve", "left", "and", "they", "ll"]);
    }

    #[test]
    fn words_stand_where_they_were_written() {
        let text = "Which “Ünal’s R&D” [a 1.5]?";
        let tokens = tokenize(text);
        assert!(tokens.iter().all(|token| text[token.start..token.end] == token.text));
        let quotes: Vec<_> = tokens.iter().map(|token| token.quote).collect();
        assert_eq!(quotes, [None, Some(2), Some(2), Some(2), Some(2), Some(2), Some(1), Some(1)]);
    }

    #[test]
    fn spellings_of_a_name_have_one_phrase_key() {
        let key = |text: &str| phrase_key(&tokenize(text));
        assert_eq!(key("auth-lib-v2"), key("AuthLib V2"));
        assert_ne!(key("auth-lib-v2"), key("auth-lib-v1"));
    }
}
