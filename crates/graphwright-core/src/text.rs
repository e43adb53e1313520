//! Text for people: shortens texts, splits identifiers into words, finds the name that a misspelt
//! one may have meant, and makes text from elsewhere and addresses safe to print and to quote.

mod address;
mod bounded;
mod quotable;
mod visible;

use std::borrow::Cow;

pub use address::{public_address, secrets_of_address, without_credentials};
pub use bounded::read_at_most;
pub use quotable::quotable;
pub use visible::{visible, visible_json, visible_on_one_line};

/// The mark at the end of a text that was cut.
const CUT: char = '…';

/// Puts a text on one line and cuts it to at most `most_characters` characters. A text that was cut
/// ends in `…`, which does not count.
///
/// ```
/// use graphwright_core::text::shorten;
///
/// assert_eq!(shorten("one\n two", 9), "one two");
/// assert_eq!(shorten("one\n two  three", 7), "one two…");
/// ```
pub fn shorten(text: &str, most_characters: usize) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(most_characters) {
        line.truncate(line[..end].trim_end().len());
        line.push(CUT);
    }
    line
}

/// Cuts a text to its first characters, unchanged. A text that was cut ends in `…`, which does not
/// count.
///
/// ```
/// use graphwright_core::text::cut;
///
/// assert_eq!(cut("größer", 6), "größer");
/// assert_eq!(cut("größer", 3), "grö…");
/// ```
pub fn cut(text: &str, most_characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most_characters) {
        Some((end, _)) => Cow::Owned(format!("{}{CUT}", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Cuts what somebody gave for a name, for a message about it: to its first 100 characters.
///
/// ```
/// use graphwright_core::text::brief_name;
///
/// assert_eq!(brief_name("ledger"), "ledger");
/// assert_eq!(brief_name(&"x".repeat(30_000)).chars().count(), 101);
/// ```
pub fn brief_name(name: &str) -> Cow<'_, str> {
    cut(name, 100)
}

/// Splits an identifier such as `DEPENDS_ON`, `SecurityIssue` or `launch_date` into words in lower
/// case. A digit ends a word before a capital.
///
/// ```
/// use graphwright_core::text::identifier_words;
///
/// assert_eq!(identifier_words("HTTPServer"), ["http", "server"]);
/// assert_eq!(identifier_words("v2Lib"), ["v2", "lib"]);
/// assert_eq!(identifier_words("teamIDwinner"), ["team", "id", "winner"]);
/// assert_eq!(identifier_words("userIDs"), ["user", "ids"]);
/// ```
pub fn identifier_words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters: Vec<char> = identifier.chars().collect();
    // `IDs`, `teamIDwinner`: small letters after the abbreviation are no part of it.
    let is_id =
        |end: usize| letters[..end].ends_with(&['I', 'D']) && (end == 2 || !letters[end - 3].is_uppercase());
    for (at, &letter) in letters.iter().enumerate() {
        let after_lower = at > 0 && (letters[at - 1].is_lowercase() || letters[at - 1].is_ascii_digit());
        let before_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let after_upper = at > 0 && letters[at - 1].is_uppercase();
        if !letter.is_alphanumeric() {
            words.push(String::new());
            continue;
        }
        let before_word = before_lower && !is_id(at + 1);
        let after_id = letter.is_lowercase() && before_lower && is_id(at);
        if letter.is_uppercase() && (after_lower || (after_upper && before_word)) || after_id {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns a name without what stands in brackets at its end, which tells it from others of that name.
///
/// ```
/// use graphwright_core::text::without_bracket;
///
/// assert_eq!(without_bracket("Boston Red Sox (2004)"), "Boston Red Sox");
/// assert_eq!(without_bracket("(b) plan"), "(b) plan");
/// ```
pub fn without_bracket(name: &str) -> &str {
    let inside = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
    inside.map_or(name, |(alone, _)| alone)
}

/// The longest text, in bytes, that is compared letter by letter, which takes time with the product of both lengths.
const LONGEST_COMPARED: usize = 200;

/// Tells whether texts are short enough to be compared letter by letter: at most 200 bytes each. Longer ones are the
/// same or are not.
pub fn are_comparable(one: &str, other: &str) -> bool {
    one.len().max(other.len()) <= LONGEST_COMPARED
}

/// Rates how alike two texts are, from 0 to 1, by Jaro–Winkler: by the letters that they share, and
/// more if they begin alike. Texts that are too long to [compare](are_comparable) give 1 or 0.
pub fn likeness(one: &str, other: &str) -> f64 {
    if are_comparable(one, other) {
        strsim::jaro_winkler(one, other)
    } else {
        f64::from(u8::from(one == other))
    }
}

/// Finds the candidates whose likeness to a word is at least `least_likeness`, ignoring case. The
/// most alike come first; candidates of equal likeness keep their order.
///
/// ```
/// use graphwright_core::text::like;
///
/// assert_eq!(like("PERSN", ["Movie", "Person", "Persons"], 0.75), ["Person", "Persons"]);
/// ```
pub fn like<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    least_likeness: f64,
) -> Vec<&'a str> {
    let word = word.to_lowercase();
    let scored = candidates.into_iter().map(|name| (likeness(&name.to_lowercase(), &word), name));
    let mut found: Vec<(f64, &str)> = scored.filter(|(likeness, _)| *likeness >= least_likeness).collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.into_iter().map(|(_, name)| name).collect()
}

/// Finds the candidate that is most like a word, ignoring case, if its likeness is at least
/// `least_likeness`. Of candidates of equal likeness, the last wins.
///
/// ```
/// use graphwright_core::text::nearest;
///
/// assert_eq!(nearest("labls", ["labels", "types"], 0.75), Some("labels"));
/// assert_eq!(nearest("colour", ["labels", "types"], 0.75), None);
/// ```
pub fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    least_likeness: f64,
) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|name| (likeness(&word, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness >= least_likeness)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortened_text_has_no_space_before_its_mark() {
        assert_eq!(shorten("one two three", 8), "one two…");
        assert_eq!(shorten("ä\u{301}bc", 1), "ä…");
        assert_eq!(shorten("", 0), "");
        assert_eq!(shorten("x", 0), "…");
    }

    #[test]
    fn a_cut_text_keeps_its_spaces() {
        assert_eq!(cut("one\ntwo", 4), "one\n…");
        assert!(matches!(cut("one", 3), Cow::Borrowed("one")));
    }

    #[test]
    fn identifiers_become_words() {
        assert_eq!(identifier_words("DEPENDS_ON"), ["depends", "on"]);
        assert_eq!(identifier_words("SecurityIssue"), ["security", "issue"]);
        assert_eq!(identifier_words("launch_date"), ["launch", "date"]);
        // Other splitters take these for one word each.
        assert_eq!(identifier_words("A1B"), ["a1", "b"]);
        assert_eq!(identifier_words("2Lib"), ["2", "lib"]);
        assert_eq!(identifier_words("__"), Vec::<String>::new());
    }

    #[test]
    fn of_equally_like_names_the_order_decides() {
        assert_eq!(like("aab", ["aac", "aad", "zzz"], 0.5), ["aac", "aad"]);
        assert_eq!(nearest("aab", ["aac", "aad", "zzz"], 0.5), Some("aad"));
        assert_eq!(nearest("aab", [], 0.5), None);
    }

    #[test]
    fn long_texts_are_the_same_or_not() {
        let (long, longer) = ("a".repeat(30_000), "a".repeat(30_001));
        assert!(likeness(&long[..199], &long[..200]) > 0.9);
        assert_eq!((likeness(&long, &long), likeness(&long, &longer)), (1.0, 0.0));
    }
}
