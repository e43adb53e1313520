//! Singular and plural of nouns.

use std::borrow::Cow;

use super::{irregular::IRREGULAR, with_s};

/// Returns the singular of a noun, or the word itself if it does not look like a plural.
pub fn singular(word: &str) -> Cow<'_, str> {
    if let Some(singular) = IRREGULAR.singular(word) {
        return Cow::Borrowed(singular);
    }
    let stays = ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    if word.len() < 4 || stays || !word.ends_with('s') || IRREGULAR.plural(word).is_some() {
        return Cow::Borrowed(word);
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return Cow::Owned(format!("{stem}y"));
    }
    let hisses = ["sses", "shes", "ches", "xes", "zzes"].iter().any(|ending| word.ends_with(ending));
    Cow::Borrowed(&word[..word.len() - if hisses || is_plural_of_us(word) { 2 } else { 1 }])
}

/// Tells whether a word in `-uses` is the plural of one in `-us`: `viruses` has lost `-es`,
/// `houses` and `causes` only `-s`.
fn is_plural_of_us(word: &str) -> bool {
    let stem = word.strip_suffix("uses").map(str::as_bytes);
    stem.is_some_and(|stem| stem.len() > 2 && !matches!(stem[stem.len() - 1], b'a' | b'o' | b'c' | b'f'))
}

/// Returns the plural of a noun phrase. Its last word takes the ending.
pub fn plural(phrase: &str) -> String {
    let (before, last) = phrase.rsplit_once(' ').map_or(("", phrase), |(before, last)| (before, last));
    let last = IRREGULAR.plural(last).map_or_else(|| with_s(last), str::to_owned);
    if before.is_empty() { last } else { format!("{before} {last}") }
}

/// Tells whether a noun looks like a plural.
pub fn is_plural(word: &str) -> bool {
    singular(word) != word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_have_their_singular() {
        for (one, many) in [
            ("library", "libraries"),
            ("person", "people"),
            ("diagnosis", "diagnoses"),
            ("status", "statuses"),
            ("virus", "viruses"),
            ("house", "houses"),
            ("tomato", "tomatoes"),
            ("snowshoe", "snowshoes"),
            ("clause", "clauses"),
            ("database", "databases"),
            ("movie", "movies"),
            ("tie", "ties"),
            ("box", "boxes"),
            ("security issue", "security issues"),
        ] {
            assert_eq!(plural(one), many);
            assert_eq!(singular(many), one);
        }
    }

    #[test]
    fn what_is_no_plural_stays() {
        for word in ["status", "glass", "analysis", "series", "lens", "bus", "gas", "café", "日本"] {
            assert_eq!(singular(word), word);
            assert!(!is_plural(word));
        }
    }
}
