//! What may be a name, by how it is written.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use graphwright_english::{dates::is_calendar_name, inflection::singular};

use super::uses::has_inner_capital;
use crate::infer::{
    common_words::is_function_word,
    text::{Text, Word, words},
};

/// A name has at most so many words.
const LONGEST: usize = 6;

/// The candidates that stand in the texts often enough.
pub(super) fn find(texts: &[Text], least: usize) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut opening: Vec<Vec<String>> = Vec::new();
    for block in texts.iter().flat_map(|text| &text.blocks) {
        for run in runs(&words(block)) {
            let date = run.len() == 1 && is_calendar_name(&run[0].text.to_lowercase());
            // "AI-driven" describes, it does not name.
            let last = run[run.len() - 1].text;
            let describes = last.rsplit_once('-').is_some_and(|(_, last)| is_small(last));
            let parts: Vec<String> = run.iter().map(|word| word.text.to_owned()).collect();
            if date || describes {
                continue;
            }
            // The capital of a sentence's first word says nothing, unless the word has others.
            if run[0].opens && !has_inner_capital(run[0].text) {
                opening.push(parts);
            } else {
                *counts.entry(parts.join(" ")).or_default() += 1;
            }
        }
    }
    // At the start of a sentence, what is a name elsewhere counts, with or without the first word.
    for parts in opening {
        for name in [parts.join(" "), parts[1..].join(" ")] {
            if let Some(count) = counts.get_mut(&name) {
                *count += 1;
                break;
            }
        }
    }
    let often = counts.into_iter().filter(|(_, count)| *count >= least).map(|(name, _)| name);
    let mut found: BTreeSet<String> = often.collect();
    found.extend(identifiers(texts, least));
    found.into_iter().collect()
}

/// Runs of capitalised words; `of` and `for` may stand between two of them.
fn runs<'w, 't>(words: &'w [Word<'t>]) -> Vec<&'w [Word<'t>]> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < words.len() {
        if !is_capitalised(words[start].text) || is_function_word(words[start].text) {
            start += 1;
            continue;
        }
        let mut end = start + 1;
        while end < words.len() && words[end].joins {
            if is_capitalised(words[end].text) && !is_function_word(words[end].text) {
                end += 1;
            } else if matches!(words[end].text, "of" | "for")
                && words.get(end + 1).is_some_and(|next| next.joins && is_capitalised(next.text))
                && (end > start + 1 || words[end].text == "of" && !words[start].opens)
            {
                end += 2;
            } else {
                break;
            }
        }
        if end - start <= LONGEST {
            runs.push(&words[start..end]);
        }
        start = end;
    }
    runs
}

fn is_capitalised(word: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./&+#'’".contains(letter);
    word.chars().next().is_some_and(char::is_uppercase) && word.chars().count() > 1 && word.chars().all(plain)
}

fn is_small(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_lowercase)
}

/// Code spans that are written as identifiers, and single words that are code or a link in several documents.
fn identifiers(texts: &[Text], least: usize) -> Vec<String> {
    let mut found: BTreeMap<&str, (BTreeSet<usize>, usize)> = BTreeMap::new();
    for (index, text) in texts.iter().enumerate() {
        for term in text
            .code
            .iter()
            .filter(|term| is_identifier(term))
            .chain(&text.links)
            .filter(|term| is_word(term))
        {
            let entry = found.entry(term).or_default();
            entry.0.insert(index);
            entry.1 += 1;
        }
    }
    let several = 2.min(texts.len());
    found
        .into_iter()
        .filter(|(_, (documents, count))| documents.len() >= several && *count >= least)
        .map(|(term, _)| term.to_owned())
        .collect()
}

/// `auth-service`, `AppConfig`, `http2`: one word that no sentence writes so.
fn is_identifier(text: &str) -> bool {
    let joined = text.trim_matches(|letter: char| !letter.is_alphanumeric()).contains(['-', '_']);
    is_word(text) && (joined || has_inner_capital(text))
}

fn is_word(text: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    (3..=40).contains(&text.len())
        && text.starts_with(char::is_alphabetic)
        && text.ends_with(char::is_alphanumeric)
        && text.chars().all(plain)
        && !is_function_word(text)
}

/// Phrases of two or three words that several documents mark, bold or as a link, and that end in a noun; with how often.
pub(super) fn terms(texts: &[Text], nouns: &HashSet<String>) -> BTreeMap<String, usize> {
    let mut found: BTreeMap<String, (BTreeSet<usize>, usize)> = BTreeMap::new();
    for (index, text) in texts.iter().enumerate() {
        for term in text.bold.iter().chain(&text.links).filter(|term| is_term(term, nouns)) {
            let entry = found.entry(term.to_lowercase()).or_default();
            entry.0.insert(index);
            entry.1 += 1;
        }
    }
    let often = found.into_iter().filter(|(_, (documents, _))| documents.len() >= 2.min(texts.len()));
    often.map(|(term, (_, count))| (term, count)).collect()
}

fn is_term(text: &str, nouns: &HashSet<String>) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let plain = |word: &&str| {
        word.chars().all(|letter| letter.is_alphabetic() || letter == '-')
            && !word.is_empty()
            && !is_function_word(word)
    };
    let last = words.last().map_or_else(String::new, |last| singular(&last.to_lowercase()).into_owned());
    matches!(words.len(), 2 | 3) && words.iter().all(plain) && nouns.contains(&last)
}
