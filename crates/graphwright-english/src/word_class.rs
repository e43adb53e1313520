//! Word classes as functions.

/// Defines a function that tells whether a word is one of a list.
///
/// ```
/// graphwright_english::word_class! {
///     /// Words before a noun.
///     is_article: "a" "an" "the"
/// }
///
/// assert!(is_article("the") && !is_article("tree"));
/// ```
#[macro_export]
macro_rules! word_class {
    ($(#[$meta:meta])* $visibility:vis $name:ident: $($word:literal)+) => {
        $(#[$meta])*
        $visibility fn $name(word: &str) -> bool {
            matches!(word, $($word)|+)
        }
    };
}
