//! The words of questions and values, as they are compared.

use graphwright_core::Value;
use graphwright_english::{inflection::base_stem, words};

/// A word of a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub(crate) lower: String,
    pub(crate) stem: String,
    pub(crate) capital: bool,
    /// First byte in the text, and one past the last.
    pub(crate) range: (usize, usize),
    /// Stands in brackets or quotation marks with this number.
    pub(crate) quote: Option<usize>,
}

impl Word {
    /// A word that may distinguish a value from others.
    pub(crate) fn is_content(&self) -> bool {
        !words::is_function_word(&self.lower) && self.lower.len() > 1
    }
}

/// Splits a text into runs of letters and digits. Numbers are without leading zeros, so that `06/08` is `6/8`.
pub(crate) fn split(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (letter.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push(word(text, from, at));
                start = None;
            }
            _ => {}
        }
    }
    mark_quotes(text, &mut found);
    found
}

fn word(text: &str, from: usize, to: usize) -> Word {
    let written = &text[from..to];
    let mut lower = written.to_lowercase();
    if lower.bytes().all(|letter| letter.is_ascii_digit()) {
        let short = lower.trim_start_matches('0');
        lower = if short.is_empty() { "0".to_owned() } else { short.to_owned() };
    }
    let stem = base_stem(&lower);
    Word { stem, lower, capital: written.starts_with(char::is_uppercase), range: (from, to), quote: None }
}

fn mark_quotes(text: &str, found: &mut [Word]) {
    let mut number = 0;
    for (open, close) in [('[', ']'), ('"', '"'), ('“', '”'), ('«', '»')] {
        let mut from = 0;
        while let Some(start) = text[from..].find(open).map(|at| from + at + open.len_utf8()) {
            let Some(end) = text[start..].find(close).map(|at| start + at) else { break };
            number += 1;
            for word in found.iter_mut().filter(|word| word.range.0 >= start && word.range.1 <= end) {
                word.quote.get_or_insert(number);
            }
            from = end + close.len_utf8();
        }
    }
}

/// The key under which a value is found: its words.
pub(crate) fn key(text: &str) -> String {
    let words = split(text);
    if words.is_empty() {
        // A name of signs alone (`$`).
        return text.trim().to_lowercase();
    }
    join(words.iter().map(|word| word.lower.as_str()))
}

pub(crate) fn join<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for word in words {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// The forms of a word that may stand for a name in the plural (`Robinsons`, `Joneses`, `Stephanies`).
pub(crate) fn singulars(word: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if word.len() > 3 {
        forms.extend(word.strip_suffix('s').map(str::to_owned));
        forms.extend(word.strip_suffix("es").map(str::to_owned));
        forms.extend(word.strip_suffix("ies").map(|root| format!("{root}y")));
    }
    forms
}

/// How a value is written where it is compared or shown.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Date(date) => date.to_string(),
        other => format!("{other:?}"),
    }
}
