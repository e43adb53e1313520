//! Types of names.

use std::collections::{BTreeMap, HashMap, HashSet};

use graphwright_core::text::identifier_words;
use graphwright_english::{inflection::singular, names::name_key as normalise};

use super::{
    common_words::is_function_word,
    names::Name,
    text::{Text, words},
};

/// Words after which a noun phrase ends.
const ENDS: [&str; 33] = [
    "that", "which", "for", "of", "to", "in", "on", "with", "used", "from", "by", "and", "or", "you",
    "where", "when", "whose", "who", "at", "as", "but", "designed", "built", "provided", "based", "called",
    "it", "we", "is", "can", "too", "again", "today",
];
/// Nouns too general to be a type.
const GENERAL: [&str; 44] = [
    "collection",
    "combination",
    "series",
    "suite",
    "variety",
    "group",
    "subset",
    "member",
    "version",
    "name",
    "way",
    "set",
    "part",
    "kind",
    "type",
    "number",
    "example",
    "one",
    "thing",
    "lot",
    "method",
    "form",
    "result",
    "case",
    "step",
    "term",
    "factor",
    "aspect",
    "area",
    "point",
    "key",
    "choice",
    "option",
    "means",
    "must",
    "good",
    "great",
    "approach",
    "document",
    "chunk",
    "single",
    "common",
    "critical",
    "range",
];

/// The type of each name, where it shows one.
pub(super) fn assign(
    texts: &[Text],
    names: &[Name],
    common: &HashSet<String>,
    least: usize,
    most: usize,
) -> Vec<Option<String>> {
    let index: HashMap<String, usize> = names
        .iter()
        .enumerate()
        .flat_map(|(index, name)| {
            std::iter::once(&name.text).chain(&name.aliases).map(move |text| (normalise(text), index))
        })
        .collect();
    // What is said of a name weighs more than how it ends.
    let mut votes: Vec<BTreeMap<String, usize>> = vec![BTreeMap::new(); names.len()];
    for (name, head) in statements(texts).into_iter().chain(sections(texts)) {
        if let Some(&index) = index.get(&name) {
            *votes[index].entry(head).or_default() += 2;
        }
    }
    for (name, votes) in names.iter().zip(&mut votes) {
        if name.notion {
            votes.clear();
            continue;
        }
        let last = name.text.split_whitespace().next_back().filter(|_| name.text.contains(' '));
        // "… SKU" and "… Azure" share a name, not a noun.
        let head = last.filter(|last| !last.chars().skip(1).any(char::is_uppercase)).and_then(noun);
        if let Some(head) = head.filter(|head| common.contains(head)) {
            *votes.entry(head).or_default() += 1;
        }
    }
    let mut kept: BTreeMap<String, usize> = BTreeMap::new();
    for head in votes.iter().flat_map(BTreeMap::keys) {
        *kept.entry(head.clone()).or_default() += 1;
    }
    // A name goes to one of its types, which may leave another with too few.
    loop {
        let kinds: Vec<Option<String>> = votes.iter().map(|votes| best(votes, &kept)).collect();
        let mut members: BTreeMap<&str, usize> = BTreeMap::new();
        for kind in kinds.iter().flatten() {
            *members.entry(kind).or_default() += 1;
        }
        let before = kept.len();
        kept.retain(|head, _| members.get(head.as_str()).is_some_and(|count| *count >= least));
        if kept.len() == before && kept.len() <= most {
            return kinds.into_iter().map(|kind| kind.map(|head| label(&head))).collect();
        }
        if kept.len() == before {
            let fewest = kept.keys().min_by_key(|head| members.get(head.as_str())).cloned();
            fewest.map(|head| kept.remove(&head));
        }
    }
}

/// The type with the most votes that is still there; of several, the one that more names could have.
fn best(votes: &BTreeMap<String, usize>, kept: &BTreeMap<String, usize>) -> Option<String> {
    let kinds = votes.iter().filter_map(|(head, votes)| Some((*votes, *kept.get(head)?, head)));
    kinds.max().map(|(_, _, head)| head.clone())
}

/// Nouns of which the texts speak as of things that can be counted: in small letters after `a`, or in the plural after
/// a determiner or preposition.
pub(super) fn common_nouns(texts: &[Text]) -> HashSet<String> {
    const BEFORE_PLURALS: [&str; 16] = [
        "the",
        "these",
        "those",
        "all",
        "your",
        "our",
        "their",
        "of",
        "for",
        "with",
        "other",
        "multiple",
        "many",
        "several",
        "different",
        "between",
    ];
    let mut found = HashSet::new();
    for block in texts.iter().flat_map(|text| &text.blocks) {
        let words = words(block);
        for (index, pair) in words.windows(2).enumerate().filter(|(_, pair)| pair[1].joins) {
            let word = pair[1].text;
            if !word.chars().all(char::is_lowercase) || is_function_word(word) {
                continue;
            }
            let last = words.get(index + 2).is_none_or(|next| {
                !next.joins
                    || next.opens
                    || is_function_word(next.text)
                    || ENDS.contains(&next.text)
                    || matches!(
                        next.text,
                        "are" | "was" | "were" | "have" | "has" | "should" | "could" | "do"
                    )
            });
            let singular = singular(word).into_owned();
            let counted = match pair[0].text {
                "a" | "an" => singular == word,
                before => singular != word && BEFORE_PLURALS.contains(&before),
            };
            if counted && last && !found.contains(&singular) {
                found.insert(singular);
            }
        }
    }
    found
}

/// Whether a heading of a column is a noun phrase: `Azure service`, not `Strike a balance`.
pub(super) fn is_noun_phrase(heading: &str) -> bool {
    let words: Vec<&str> = heading.split_whitespace().collect();
    let inner = words.iter().all(|word| !is_function_word(word) || matches!(*word, "of" | "and" | "&"));
    inner && words.last().is_some_and(|last| noun(last).is_some())
}

/// "X is a … head": the normal form of X and the head.
fn statements(texts: &[Text]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for block in texts.iter().flat_map(|text| &text.blocks) {
        let words = words(block);
        for (index, window) in words.windows(2).enumerate() {
            let is_a = matches!(window[0].text, "is" | "are" | "was") && matches!(window[1].text, "a" | "an");
            if !is_a || window[1].opens || index == 0 {
                continue;
            }
            let phrase = words[index + 2..]
                .iter()
                .take(6)
                .take_while(|word| word.joins && !word.opens && !ENDS.contains(&word.text))
                .last();
            let Some(head) = phrase.and_then(|word| noun(word.text)) else { continue };
            // All endings of the text before that may be a name.
            let bracket = block[..words[index - 1].end]
                .rfind('(')
                .filter(|_| block[words[index - 1].end..].starts_with(')'));
            let last = match bracket {
                Some(bracket) => {
                    words[..index].iter().rposition(|word| word.end <= bracket).map_or(0, |last| last + 1)
                }
                None => index,
            };
            for start in last.saturating_sub(6)..last {
                let contiguous = words[start + 1..last].iter().all(|word| word.joins);
                if contiguous {
                    found.push((normalise(&block[words[start].start..words[last - 1].end]), head.clone()));
                }
            }
        }
    }
    found
}

/// Under a heading that is a plural noun, headings of the next level name such things.
fn sections(texts: &[Text]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for text in texts {
        for (position, (level, heading)) in text.headings.iter().enumerate() {
            let last = heading.split_whitespace().next_back().unwrap_or_default();
            let plural =
                last.ends_with('s') && !last.ends_with("ss") && heading.split_whitespace().count() <= 2;
            let Some(head) = noun(last).filter(|_| plural) else { continue };
            let below = text.headings[position + 1..].iter().take_while(|(below, _)| below > level);
            let names: Vec<&String> =
                below.filter(|(below, _)| *below == level + 1).map(|(_, name)| name).collect();
            if names.len() >= 2 {
                found.extend(names.into_iter().map(|name| (normalise(name), head.clone())));
            }
        }
    }
    found
}

/// A word as the singular noun of a type, in lower case.
pub(super) fn noun(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let letters = lower.len() >= 3 && lower.chars().all(char::is_alphabetic);
    let singular = singular(&lower).into_owned();
    let adverb = lower.ends_with("ly") || lower.ends_with("ed");
    (letters && !adverb && !is_function_word(&lower) && !GENERAL.contains(&singular.as_str()))
        .then_some(singular)
}

/// Words as a label: `backend service` becomes `BackendService`.
pub(super) fn label(words: &str) -> String {
    let mut label = String::new();
    for word in words.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        label.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        label.push_str(letters.as_str());
    }
    let taken = [graphwright_core::names::DOCUMENT, graphwright_core::names::CHUNK].contains(&label.as_str());
    if taken { format!("{label}Entry") } else { label }
}

/// A label as words: `BackendService` becomes `backend service`.
pub(super) fn in_words(label: &str) -> String {
    identifier_words(label).join(" ")
}
