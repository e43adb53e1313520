//! Splits questions into words.

use super::forms;

pub use graphwright_core::text::identifier_words;

/// A word of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// The word as written.
    pub text: String,
    /// The word in lower case, without apostrophes; `'s` for a possessive.
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

impl Token {
    /// Tells whether it begins with a capital letter.
    pub fn is_capital(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }

    /// Tells whether it holds a digit.
    pub fn has_digit(&self) -> bool {
        self.text.chars().any(|letter| letter.is_ascii_digit())
    }

    /// Tells whether it is the mark of a possessive.
    pub fn is_possessive(&self) -> bool {
        self.lower == "'s"
    }
}

/// Splits a text into words.
///
/// Hyphens, slashes and underscores separate words. Dots, commas and hyphens between digits do not
/// (`1,200.5`, `2024-03-31`). A possessive becomes a token of its own.
pub fn tokenize(text: &str) -> Vec<Token> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        if !letters[at].1.is_alphanumeric() {
            at += 1;
            continue;
        }
        let first = at;
        while at < letters.len() && continues(&letters, at, first) {
            at += 1;
        }
        let start = letters[first].0;
        let end = letters.get(at).map_or(text.len(), |letter| letter.0);
        push_word(&mut tokens, text, start, end);
    }
    mark_quotes(text, &mut tokens);
    tokens
}

/// Words after which `'s` is `is`.
const CONTRACTING: [&str; 10] = ["who", "what", "where", "when", "how", "that", "it", "there", "he", "she"];

/// Numbers the brackets and quotation marks of a text, and marks the words inside them.
fn mark_quotes(text: &str, tokens: &mut [Token]) {
    let mut number = 0;
    for (open, close) in [('[', ']'), ('"', '"'), ('“', '”'), ('«', '»')] {
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

fn continues(letters: &[(usize, char)], at: usize, first: usize) -> bool {
    let letter = letters[at].1;
    if letter.is_alphanumeric() {
        return true;
    }
    let before = (at > first).then(|| letters[at - 1].1);
    let after = letters.get(at + 1).map(|letter| letter.1);
    match letter {
        '.' | ',' | '-' | '/' => {
            before.is_some_and(|letter| letter.is_ascii_digit())
                && after.is_some_and(|letter| letter.is_ascii_digit())
                && letters[first].1.is_ascii_digit()
        }
        '\'' | '’' => {
            before.is_some_and(char::is_alphanumeric)
                && (after.is_some_and(char::is_alphabetic) || before == Some('s'))
        }
        '+' | '#' => before.is_some_and(|letter| letter.is_alphabetic() || letter == '+' || letter == '#'),
        _ => false,
    }
}

fn push_word(tokens: &mut Vec<Token>, text: &str, start: usize, end: usize) {
    let word = &text[start..end];
    for mark in ["'s", "’s", "'S", "’S", "'", "’"] {
        if let Some(owner) = word.strip_suffix(mark).filter(|owner| !owner.is_empty()) {
            tokens.push(token(owner, start));
            let split = start + owner.len();
            let is = CONTRACTING.contains(&owner.to_lowercase().as_str());
            let lower = if is { "is" } else { "'s" };
            tokens.push(Token {
                text: word[owner.len()..].to_owned(),
                lower: lower.to_owned(),
                stem: forms::stem(lower),
                start: split,
                end,
                quote: None,
            });
            return;
        }
    }
    tokens.push(token(word, start));
}

fn token(word: &str, start: usize) -> Token {
    let lower: String = word.to_lowercase().chars().filter(|letter| !matches!(letter, '\'' | '’')).collect();
    Token {
        text: word.to_owned(),
        stem: forms::stem(&lower),
        lower,
        start,
        end: start + word.len(),
        quote: None,
    }
}

/// Returns the key under which phrases of a question are looked up: only letters and digits, in
/// lower case. It is wider than [`name_key`](crate::names::name_key), which tells entities apart:
/// `auth-lib-v2`, `Auth Lib v2` and `AuthLibV2` have one phrase key.
pub fn phrase_key(tokens: &[Token]) -> String {
    let mut key = String::new();
    for token in tokens.iter().filter(|token| !token.is_possessive()) {
        key.extend(token.lower.chars().filter(|letter| !matches!(letter, '.' | ',' | '-' | '/')));
    }
    key
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
            ["who", "runs", "obrien", "'s", "auth", "lib", "v2", "since", "2024-03-31", "1,200.5", "c++"]
        );
        assert_eq!(words("the teams' services don't"), ["the", "teams", "'s", "services", "dont"]);
    }

    #[test]
    fn spellings_of_a_name_have_one_phrase_key() {
        let key = |text: &str| phrase_key(&tokenize(text));
        assert_eq!(key("auth-lib-v2"), key("AuthLib V2"));
        assert_ne!(key("auth-lib-v2"), key("auth-lib-v1"));
    }

    #[test]
    fn identifiers_become_words() {
        assert_eq!(identifier_words("DEPENDS_ON"), ["depends", "on"]);
        assert_eq!(identifier_words("SecurityIssue"), ["security", "issue"]);
        assert_eq!(identifier_words("HTTPServer"), ["http", "server"]);
        assert_eq!(identifier_words("launch_date"), ["launch", "date"]);
    }
}
