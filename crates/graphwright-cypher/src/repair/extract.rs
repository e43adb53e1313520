//! Extraction of the query from a model's reply: removes thinking, Markdown fences, JSON and prose
//! around it.

mod characters;
mod comments;
mod envelope;
mod prose;

use graphwright_core::Span;

use super::{Change, ChangeCode, Reason, ReasonCode};
use crate::{lexer::Keyword, syntax::parse};

/// A query and the changes that extracted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Extracted {
    pub(super) text: String,
    pub(super) changes: Vec<Change>,
}

impl Extracted {
    /// Narrows the text down to a part, if one was found.
    fn narrow(&mut self, part: Option<(String, String)>) {
        self.change(ChangeCode::Extracted, part);
    }

    fn change(&mut self, code: ChangeCode, part: Option<(String, String)>) {
        if let Some((text, message)) = part {
            self.text = text;
            self.changes.push(Change { code, message });
        }
    }
}

/// Finds the query in a text that is none as a whole. There are no changes if nothing stands around
/// it.
///
/// # Errors
///
/// Returns a reason if the text has no word that begins a clause.
pub(super) fn extract(text: &str) -> Result<Extracted, Reason> {
    let mut extracted = Extracted { text: text.to_owned(), changes: Vec::new() };
    extracted.narrow(envelope::without_thinking(&extracted.text));
    extracted.narrow(envelope::from_json(&extracted.text));
    extracted.narrow(envelope::from_fence(&extracted.text));
    // A fence may hold JSON, as JSON may hold a fence.
    extracted.narrow(envelope::from_json(&extracted.text));
    extracted.narrow(envelope::without_quotes(&extracted.text));
    extracted.change(ChangeCode::Characters, characters::decoded(&extracted.text));
    extracted.narrow(prose::without_introduction(&extracted.text));
    extracted.narrow(prose::without_explanation(&extracted.text));
    // After the prose, in which an apostrophe could be taken for an opening quote.
    extracted.change(ChangeCode::Characters, characters::plain(&extracted.text));
    let is_clause = |word: &str| Keyword::from_word(word).is_some_and(Keyword::begins_clause);
    // SQL is refused later, with advice.
    let is_query = |word: &str| is_clause(word) || word.eq_ignore_ascii_case("select");
    if words(&extracted.text).any(is_query) {
        Ok(extracted)
    } else {
        let message =
            "expected a query, found no clause in the text; begin with MATCH, CALL, UNWIND, WITH or RETURN";
        let span = Span::new(0, text.len());
        Err(Reason { code: ReasonCode::NoQuery, span, message: message.to_owned() })
    }
}

/// Returns the words of letters, digits and underscores.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|part: char| !part.is_alphanumeric() && part != '_').filter(|word| !word.is_empty())
}

/// Returns whether a text begins like a query rather than like a sentence.
fn begins_as_query(text: &str) -> bool {
    let text = text.trim_start();
    let Some(first) = words(text).next().filter(|first| text.starts_with(first)) else { return false };
    let Some(keyword) = Keyword::from_word(first) else { return false };
    let is_capital = first.bytes().all(|byte| byte.is_ascii_uppercase());
    match keyword {
        Keyword::Match | Keyword::Optional | Keyword::Create | Keyword::Merge => {
            // A pattern begins within a few words, as in `OPTIONAL MATCH p = ALL SHORTEST (a)`.
            text.split('(')
                .next()
                .is_some_and(|before| words(before).count() <= 7 && before.len() < text.len())
        }
        Keyword::Return
        | Keyword::With
        | Keyword::Unwind
        | Keyword::Call
        | Keyword::Use
        | Keyword::Load
        | Keyword::ForEach
        | Keyword::Explain
        | Keyword::Profile
        | Keyword::Cypher
        | Keyword::Show => is_capital || parses(text),
        _ => false,
    }
}

fn parses(text: &str) -> bool {
    !text.trim().is_empty() && parse(text).diagnostics.is_empty()
}
