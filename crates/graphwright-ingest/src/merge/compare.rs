//! Compares names.

use std::collections::BTreeSet;

use graphwright_core::text::are_comparable;

/// The reason of a pair such as "Payments" and "Payments team".
pub(super) const TYPE_WORDS: &str = "they differ only in words that name the type";

/// Evidence that two names mean one thing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Likeness {
    pub string_similarity: f64,
    pub reason: String,
}

/// A name, with what comparing it needs.
#[derive(Debug)]
pub(super) struct Name {
    pub text: String,
    pub words: Vec<String>,
    acronyms: BTreeSet<String>,
    figures: Vec<String>,
    /// Words except generic ones, such as "service" in the name of a service.
    telling: BTreeSet<String>,
}

impl Name {
    /// Prepares a name. `generic` holds the words that name the type.
    pub(super) fn new(text: &str, generic: &BTreeSet<String>) -> Self {
        let words: Vec<String> =
            graphwright_english::names::tokens(text).into_iter().map(|token| token.text).collect();
        let acronyms = text
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| is_acronym(word))
            .map(str::to_lowercase)
            .collect();
        let figures = text.split(|character: char| !character.is_ascii_digit()).filter(|run| !run.is_empty());
        let figures = figures.map(str::to_owned).collect();
        let telling = words.iter().filter(|word| !generic.contains(*word)).cloned().collect();
        Self { text: text.to_owned(), acronyms, figures, telling, words }
    }

    /// Returns the first letters of the words.
    pub(super) fn initials(&self) -> String {
        self.words.iter().filter_map(|word| word.chars().next()).collect()
    }

    pub(super) fn squashed(&self) -> String {
        self.words.concat()
    }
}

/// Compares two names.
///
/// Returns `None` if they cannot mean one thing: because their digits differ ("v1", "v2"), because
/// their acronyms differ, or because their words are unlike.
pub(super) fn compare(left: &Name, right: &Name) -> Option<Likeness> {
    if left.figures != right.figures {
        return None;
    }
    let (left_letters, right_letters) = (left.squashed(), right.squashed());
    // What is so long is a text rather than a name.
    if !are_comparable(&left_letters, &right_letters) {
        return None;
    }
    let similarity = strsim::normalized_damerau_levenshtein(&left_letters, &right_letters);
    // Before acronyms are compared, since here only one of the two names has any.
    for (short, long) in [(left, right), (right, left)] {
        let spelled_out =
            short.words.len() == 1 && long.words.len() > 1 && short.squashed() == long.initials();
        if spelled_out && is_acronym(&short.text) {
            return Some(like(
                similarity,
                format!("'{}' are the first letters of '{}'", short.text, long.text),
            ));
        }
    }
    if left.acronyms != right.acronyms {
        return None;
    }
    if left_letters == right_letters {
        return Some(like(1.0, "the same letters, written apart in another way".to_owned()));
    }
    if !left.telling.is_empty() && left.telling == right.telling {
        return Some(like(similarity, TYPE_WORDS.to_owned()));
    }
    if left.words.len() == right.words.len() && left.words.iter().zip(&right.words).all(|(a, b)| alike(a, b))
    {
        return Some(like(similarity, "the same words in another form or with a slip of the pen".to_owned()));
    }
    let shared = left.telling.intersection(&right.telling).count();
    let most = left.telling.len().max(right.telling.len());
    (shared * 2 >= most && shared > 0)
        .then(|| like(similarity, "most of their words are the same".to_owned()))
}

fn like(string_similarity: f64, reason: String) -> Likeness {
    Likeness { string_similarity, reason }
}

/// Returns whether two words are forms or spellings of one. Short words must be equal, since one
/// letter makes them another word.
fn alike(left: &str, right: &str) -> bool {
    let short = left.chars().count().min(right.chars().count()) < 5;
    left == right
        || (!short
            && strsim::damerau_levenshtein(left, right) <= 2
            && left.chars().next() == right.chars().next())
}

fn is_acronym(word: &str) -> bool {
    let letters = word.chars().filter(|character| character.is_alphabetic()).count();
    (2..=6).contains(&letters)
        && word.chars().all(|character| character.is_uppercase() || character.is_numeric())
}
