//! Names of types in the form that graphs use, made from words of a model.

use graphwright_core::{names, text::identifier_words};

fn words(name: &str) -> Vec<String> {
    let parts = name.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.flat_map(identifier_words).collect()
}

/// Returns the form of labels: `software service` is `SoftwareService`.
pub(crate) fn pascal_case(name: &str) -> String {
    let capital = |word: String| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    };
    words(name).into_iter().map(capital).collect()
}

/// Returns the form of properties: `launch date` is `launch_date`.
pub(crate) fn snake_case(name: &str) -> String {
    words(name).join("_").to_lowercase()
}

/// Returns the form of relationship types: `owned by` is `OWNED_BY`.
pub(crate) fn upper_snake_case(name: &str) -> String {
    snake_case(name).to_uppercase()
}

/// Returns whether a label is not one of ours.
pub(crate) fn may_be_label(label: &str) -> bool {
    !label.is_empty() && !matches!(label, names::DOCUMENT | names::CHUNK) && !names::is_reserved(label)
}

/// Returns whether a relationship type is not one of ours.
pub(crate) fn may_be_relationship(kind: &str) -> bool {
    !kind.is_empty() && !names::is_lexical(kind) && !names::is_reserved(kind)
}
