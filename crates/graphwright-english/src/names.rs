//! Words of a text in the form in which names are compared, each with its place in the original.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The word as it is compared: NFKC, lower case, without `'s`.
    pub text: String,
    /// First byte in the original.
    pub start: usize,
    /// One past its last byte in the original.
    pub end: usize,
    /// Whether punctuation stands between it and the word before. A space, hyphen, underscore,
    /// slash, or dot inside a word does not count.
    pub after_punctuation: bool,
}

/// Splits a text into words.
///
/// Letters and digits make words, and `+` or `#` at their end (`C++`, `F#`). Each Chinese or
/// Japanese character is a word of its own, since those texts do not separate words.
///
/// ```
/// let words: Vec<String> =
///     graphwright_english::names::tokens("Auth-Lib_v2’s C++ code").into_iter().map(|token| token.text).collect();
/// assert_eq!(words, ["auth", "lib", "v2", "c++", "code"]);
/// ```
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut rest = text.char_indices().peekable();
    let mut gap_start = 0;
    while let Some(&(start, first)) = rest.peek() {
        if !first.is_alphanumeric() && first != '&' {
            rest.next();
            continue;
        }
        let end = word_end(text, start);
        while rest.next_if(|&(position, _)| position < end).is_some() {}
        let after_punctuation = !found.is_empty() && has_punctuation(&text[gap_start..start]);
        let normal = if first == '&' { "and".to_owned() } else { normal_form(&text[start..end]) };
        found.push(Token { text: normal, start, end, after_punctuation });
        gap_start = end + possessive_length(&text[end..]);
        while rest.next_if(|&(position, _)| position < gap_start).is_some() {}
    }
    found
}

/// Joins the words by single spaces. Two names are equal if their keys are.
pub fn key(tokens: &[Token]) -> String {
    let mut key = String::with_capacity(tokens.iter().map(|token| token.text.len() + 1).sum());
    for token in tokens {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(&token.text);
    }
    key
}

/// Joins the words with nothing between them and without accents. Digits of two words stay apart.
pub fn squash(tokens: &[Token]) -> String {
    let mut squashed = String::new();
    for token in tokens {
        let digits_meet = squashed.ends_with(|last: char| last.is_ascii_digit())
            && token.text.starts_with(|first: char| first.is_ascii_digit());
        if digits_meet {
            squashed.push('.');
        }
        if token.text.is_ascii() {
            squashed.push_str(&token.text);
        } else {
            squashed.extend(token.text.nfd().filter(|&letter| !is_combining_mark(letter)));
        }
    }
    squashed
}

/// Returns the key under which names are compared.
///
/// The key is the words in lower case (NFKC), joined by single spaces, without the punctuation,
/// hyphens and underscores between them. Two names of one type with one key are one entity.
///
/// ```
/// use graphwright_english::names::name_key;
///
/// assert_eq!(name_key("Auth-Lib_v2"), name_key("auth lib v2"));
/// assert_ne!(name_key("C++"), name_key("C"));
/// ```
pub fn name_key(name: &str) -> String {
    let words: Vec<String> = tokens(name).into_iter().map(|token| token.text).collect();
    if words.is_empty() { name.trim().to_lowercase() } else { words.join(" ") }
}

fn normal_form(word: &str) -> String {
    if word.is_ascii() {
        return word
            .chars()
            .filter(|&letter| letter != '\'')
            .map(|letter| letter.to_ascii_lowercase())
            .collect();
    }
    word.nfkc().filter(|&letter| !is_apostrophe(letter)).flat_map(char::to_lowercase).collect()
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '\u{2019}')
}

/// Tells whether a character belongs to a script without spaces between words.
fn stands_alone(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn word_end(text: &str, start: usize) -> usize {
    let mut letters =
        text[start..].char_indices().map(|(offset, letter)| (start + offset, letter)).peekable();
    let mut end = start;
    while let Some((position, letter)) = letters.next() {
        let next = letters.peek().map(|&(_, next)| next);
        let inside = position > start;
        let belongs = if inside && stands_alone(letter) {
            false
        } else if letter.is_alphanumeric() || is_combining_mark(letter) || !inside {
            true
        } else if is_apostrophe(letter) {
            next.is_some_and(char::is_alphanumeric) && possessive_length(&text[position..]) == 0
        } else {
            matches!(letter, '+' | '#') && !next.is_some_and(char::is_alphanumeric)
        };
        if !belongs {
            break;
        }
        end = position + letter.len_utf8();
        if stands_alone(letter) || letter == '&' {
            break;
        }
    }
    end
}

/// Returns the length of `'s` at the start of a text, if no letter follows it.
fn possessive_length(text: &str) -> usize {
    let mut letters = text.chars();
    let (first, second, third) = (letters.next(), letters.next(), letters.next());
    match (first, second) {
        (Some(apostrophe), Some('s' | 'S'))
            if is_apostrophe(apostrophe) && !third.is_some_and(char::is_alphanumeric) =>
        {
            apostrophe.len_utf8() + 1
        }
        _ => 0,
    }
}

fn has_punctuation(gap: &str) -> bool {
    let mut letters = gap.chars().peekable();
    while let Some(letter) = letters.next() {
        let joins = match letter {
            '-' | '_' | '/' | '\u{2010}'..='\u{2015}' => true,
            '.' => letters.peek().is_none(),
            _ => letter.is_whitespace() || is_apostrophe(letter),
        };
        if !joins {
            return true;
        }
    }
    gap.matches('\n').count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn hyphens_underscores_and_spaces_are_equal() {
        for text in ["auth-lib-v2", "Auth_Lib v2", "AUTH  LIB/V2", "auth\u{2011}lib v2"] {
            assert_eq!(words(text), ["auth", "lib", "v2"], "{text}");
        }
    }

    #[test]
    fn signs_that_belong_to_a_name_stay() {
        assert_eq!(words("C++, C# and a+b"), ["c++", "c#", "and", "a", "b"]);
        assert_eq!(words("R&D"), ["r", "and", "d"]);
        assert_eq!(words("O'Brien’s cafe\u{301}"), ["obrien", "caf\u{e9}"]);
        assert_eq!(words("ＦＵＬＬ 知识图"), ["full", "知", "识", "图"]);
    }

    #[test]
    fn offsets_point_into_the_original() {
        let text = "Élan’s auth-lib. Next";
        let pieces: Vec<&str> = tokens(text).iter().map(|token| &text[token.start..token.end]).collect();
        assert_eq!(pieces, ["Élan", "auth", "lib", "Next"]);
        let after: Vec<bool> = tokens(text).iter().map(|token| token.after_punctuation).collect();
        assert_eq!(after, [false, false, false, true]);
    }

    #[test]
    fn squashing_keeps_versions_apart() {
        assert_eq!(squash(&tokens("On-Call Ménü")), "oncallmenu");
        assert_ne!(squash(&tokens("lib 1 2")), squash(&tokens("lib 12")));
    }
}
