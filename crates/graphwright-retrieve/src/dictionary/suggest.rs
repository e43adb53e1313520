//! Suggests the nearest names for words that match none.

use graphwright_core::text;
use std::collections::HashMap;

use super::{Agreement, Candidate, Terms, best_of_each, by_acronym, find, key, tokens};

/// Minimum similarity of suggested names (Jaro-Winkler or 1 − Levenshtein distance / length).
const LEAST_SIMILARITY: f64 = 0.8;

/// What a text may mean, best first ([`NameDictionary::suggest`](super::NameDictionary::suggest)).
pub(crate) fn suggest<S: Terms>(terms: &S, text: &str, limit: usize) -> Vec<Candidate<S::Target>> {
    let mut found = find(terms, text);
    let words = tokens(text);
    if words.len() == 1 {
        found.extend(by_acronym(terms, &words[0].text, text));
    }
    let wanted = key(&words);
    if !wanted.is_empty() {
        let digits = digits(&wanted);
        let all = (0..terms.count()).filter_map(|number| terms.term(number));
        found.extend(all.filter_map(|term| {
            let (score, agreement) = nearness(&wanted, &digits, &term.key)?;
            Some(Candidate { target: term.target, name: term.name.to_owned(), score, agreement })
        }));
    }
    let mut found = best_of_each(found);
    found.truncate(limit);
    found
}

fn nearness(wanted: &str, digits: &HashMap<&str, usize>, name: &str) -> Option<(f64, Agreement)> {
    if let Some(share) = part(wanted, name) {
        let score = Agreement::Part.certainty() * (0.6 + 0.4 * share);
        return Some((score, Agreement::Part));
    }
    let (shorter, longer) = (wanted.len().min(name.len()), wanted.len().max(name.len()));
    if shorter < 4
        || shorter * 2 < longer
        || !text::are_comparable(wanted, name)
        || *digits != self::digits(name)
    {
        return None;
    }
    // A near spelling must never look like an exact match.
    let similarity = strsim::jaro_winkler(wanted, name).min(0.99);
    if similarity < LEAST_SIMILARITY {
        return None;
    }
    let similarity = similarity.min(strsim::normalized_levenshtein(wanted, name) + 0.1);
    (similarity >= LEAST_SIMILARITY)
        .then(|| (Agreement::Spelling.certainty() * similarity, Agreement::Spelling))
}

/// Returns how much of a longer name the text covers, if the text occurs in it at the start of a
/// word.
fn part(wanted: &str, name: &str) -> Option<f64> {
    if wanted.len() < 2 || wanted.len() >= name.len() {
        return None;
    }
    let starts_word = |position: usize| position == 0 || name.as_bytes()[position - 1] == b' ';
    let mut places = name.match_indices(wanted).filter(|&(position, _)| starts_word(position));
    places.find(|&(position, _)| !splits_number(name, position + wanted.len()))?;
    Some(wanted.len() as f64 / name.len() as f64)
}

fn splits_number(name: &str, position: usize) -> bool {
    let digit = |place: Option<&u8>| place.is_some_and(u8::is_ascii_digit);
    digit(name.as_bytes().get(position)) && position > 0 && digit(name.as_bytes().get(position - 1))
}

/// Returns the runs of digits in a name, with how often each occurs.
fn digits(name: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for run in name.split(|letter: char| !letter.is_ascii_digit()).filter(|run| !run.is_empty()) {
        *counts.entry(run).or_default() += 1;
    }
    counts
}
