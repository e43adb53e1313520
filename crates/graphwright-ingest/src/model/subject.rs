//! What a document is about, and the words by which it is called there.

use graphwright_documents::extraction::KnownEntity;
use graphwright_english::names::{Token, name_key, tokens};

use super::vocabulary::Vocabulary;

/// Words that stand for what was named before.
const PRONOUNS: [&str; 12] =
    ["it", "he", "she", "they", "this", "that", "these", "those", "him", "her", "them", "who"];
const ARTICLES: [&str; 5] = ["the", "a", "an", "this", "its"];

/// What a name in a reply means.
pub(super) enum Meant<'k> {
    /// The thing of that name.
    Name(&'k str),
    /// What the document is about.
    Subject(&'k KnownEntity),
    /// Nothing that has a name: a pronoun, or words that only tell a type.
    Nothing,
}

/// Returns what a name means in a document about `subject`, which is of the type of the name.
pub(super) fn meant<'k>(
    name: &'k str,
    subject: Option<&'k KnownEntity>,
    vocabulary: &Vocabulary<'_>,
) -> Meant<'k> {
    let words = tokens(name);
    let stands_for = || subject.map_or(Meant::Nothing, Meant::Subject);
    match words.as_slice() {
        [word] if PRONOUNS.contains(&word.text.as_str()) => return stands_for(),
        [article, second, ..]
            if ARTICLES.contains(&article.text.as_str()) && vocabulary.names_type(&name[second.start..]) =>
        {
            return stands_for();
        }
        _ if vocabulary.node(name).is_some() => return Meant::Nothing,
        _ => {}
    }
    match subject {
        Some(known) if is_form_of(name, &words, &tokens(&known.name)) => Meant::Subject(known),
        _ => Meant::Name(name),
    }
}

/// Returns the known entity of a type that a document is named after.
pub(super) fn subject<'k>(
    title: &str,
    same_type: impl Iterator<Item = &'k KnownEntity>,
) -> Option<&'k KnownEntity> {
    let title = name_key(title);
    let mut named = same_type.filter(|known| name_key(&known.name) == title);
    named.next().filter(|_| !title.is_empty())
}

/// Returns whether a document calls what it is about by this name too: by its last word (`Shea` for Brek Shea), with an
/// article before it, or with more names inside it.
fn is_form_of(name: &str, words: &[Token], own: &[Token]) -> bool {
    let (Some(first), Some(last)) = (own.first(), own.last()) else { return false };
    if let [word] = words {
        return own.len() > 1 && word.text == last.text && name.starts_with(char::is_uppercase);
    }
    let words = match words {
        [article, rest @ ..] if ARTICLES.contains(&article.text.as_str()) && first.text != article.text => {
            rest
        }
        words => words,
    };
    let inside = |words: &[Token]| {
        let mut rest = words.iter();
        let figures =
            words.iter().filter(|word| word.text.contains(|letter: char| letter.is_ascii_digit())).count();
        let own_figures =
            own.iter().filter(|word| word.text.contains(|letter: char| letter.is_ascii_digit())).count();
        figures == own_figures && own.iter().all(|word| rest.any(|other| other.text == word.text))
    };
    words.first().is_some_and(|word| word.text == first.text)
        && words.last().is_some_and(|word| word.text == last.text)
        && inside(words)
}
