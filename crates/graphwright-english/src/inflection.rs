//! Inflection of English words: singular and plural of nouns, forms of verbs. All words are in
//! lower case.
//!
//! ```
//! use graphwright_english::inflection::{self, Form};
//!
//! assert_eq!(inflection::singular("libraries"), "library");
//! assert_eq!(inflection::plural("security issue"), "security issues");
//! assert_eq!(inflection::bases("written"), ["write"]);
//! assert!(inflection::forms("ship").contains(&("shipped".to_owned(), Form::PAST | Form::PARTICIPLE)));
//! ```

use std::{borrow::Cow, sync::LazyLock};

use irregular::IRREGULAR;
use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

mod irregular;
mod nouns;
mod verbs;

pub use nouns::{is_plural, plural, singular};
pub use verbs::{
    Form, bases, doubled, forms, irregular_base, is_irregular_past, is_own_participle, is_own_past,
    is_participle, is_past,
};

/// The longest word of English, in bytes. What is longer is no word, and takes time with the square of its length.
pub const LONGEST_WORD: usize = 64;

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// Returns the stem of an English word (Porter 2,
/// <https://snowballstem.org/algorithms/english/stemmer.html>), and what is too long to be a word unchanged.
pub fn stem(word: &str) -> Cow<'_, str> {
    if word.len() > LONGEST_WORD { Cow::Borrowed(word) } else { STEMMER.stem(word) }
}

/// Returns the stem under which all forms of a word are found: of its base form, where it is irregular (`wrote` → `write`), or
/// of the singular, in American spelling and without accents. `Leaves` are those of a tree or what somebody does: both and `leaf` have one stem.
/// Words with digits have no other forms.
pub fn base_stem(word: &str) -> String {
    let word = &*without_accents(word);
    let noun = singular(word);
    let base = irregular_base(word).unwrap_or(&noun);
    let voiced = IRREGULAR.plural(base).filter(|plural| plural.ends_with("ves"));
    let base = voiced.map_or(base, |plural| &plural[..plural.len() - 1]);
    if base.contains(|letter: char| letter.is_ascii_digit()) {
        base.to_owned()
    } else if let Some((british, american)) = IRREGULAR.spelling(base) {
        stem(&base.replacen(british, american, 1)).into_owned()
    } else {
        stem(base).into_owned()
    }
}

/// A word without accents: `pokemon`.
fn without_accents(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    word.nfd().filter(|letter| !is_combining_mark(*letter)).collect::<String>().into()
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u')
}

/// Adds `-s`, `-es` after a hiss, or `-ies` after a consonant: the plural of a noun or the third
/// person of a verb.
fn with_s(word: &str) -> String {
    let bytes = word.as_bytes();
    if let Some(stem) = word.strip_suffix('y')
        && bytes.len() > 1
        && !is_vowel(bytes[bytes.len() - 2])
    {
        return format!("{stem}ies");
    }
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|ending| word.ends_with(ending));
    if hisses { format!("{word}es") } else { format!("{word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_forms_share_a_stem() {
        for (left, right) in [
            ("owns", "owned"),
            ("wrote", "writes"),
            ("people", "person"),
            ("companies", "company"),
            ("leave", "leaves"),
            ("leaf", "leaves"),
            ("left", "leave"),
            ("colours", "color"),
            ("travelling", "travels"),
            ("organisation", "organizations"),
            ("programmes", "program"),
            ("cafés", "cafe"),
        ] {
            assert_eq!(base_stem(left), base_stem(right), "{left} {right}");
        }
    }

    #[test]
    fn what_is_longer_than_any_word_has_no_stem() {
        assert_eq!(stem("running"), "run");
        let long = "running".repeat(5_000);
        assert_eq!(stem(&long), long.as_str());
    }
}
