//! What names are said to do or have, where it is a term: `managed keys` in `Kestrel supports managed keys`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use aho_corasick::{AhoCorasick, MatchKind};
use graphwright_english::names::name_key as normalise;

use super::{
    bases::Bases,
    common_words::is_function_word,
    names::{COUNTING, Name},
    text::{Text, Word, words},
    types::noun,
    verbs::is_whole,
};

/// A term has at most so many words.
const LONGEST: usize = 3;
/// A term stands so often: that names are said to have it tells already that it is one.
const LEAST: usize = 2;
/// The words of a term stand together in at least this share of the places of the rarer of its ends.
const TOGETHER: f64 = 0.01;

/// Phrases of two or three words that stand as the object of a name's verb and that the documents use again and again.
/// Other phrases are made for their sentence.
pub(super) fn find(texts: &[Text], names: &[Name], bases: &Bases, nouns: &HashSet<String>) -> Vec<Name> {
    let mut known: Vec<&String> = names.iter().filter(|name| !name.notion).map(|name| &name.text).collect();
    known.extend(names.iter().filter(|name| !name.notion).flat_map(|name| &name.aliases));
    let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&known);
    let Some(matcher) = built.ok().filter(|_| !known.is_empty()) else { return Vec::new() };
    let mut phrases: BTreeSet<Vec<String>> = BTreeSet::new();
    for block in texts.iter().flat_map(|text| &text.blocks) {
        let subjects = matcher.find_iter(block).filter(|found| is_whole(block, *found));
        let mut all: Option<Vec<Word<'_>>> = None;
        for subject in subjects {
            let words = all.get_or_insert_with(|| words(block));
            let rest = &words[words.partition_point(|word| word.start < subject.end())..];
            if let Some(length) = bases.after(&block[subject.range()], rest).map(|(_, length)| length) {
                phrases.extend(object(&rest[length..], bases, nouns));
            }
        }
    }
    let taken: HashSet<String> = names
        .iter()
        .flat_map(|name| std::iter::once(&name.text).chain(&name.aliases))
        .map(|name| normalise(name))
        .collect();
    phrases.retain(|phrase| !taken.contains(&phrase.join(" ")));
    recurring(texts, &phrases)
}

/// The noun phrase that words begin with, and its ends of two words or more.
fn object(words: &[Word<'_>], bases: &Bases, nouns: &HashSet<String>) -> Vec<Vec<String>> {
    let leads =
        |word: &&Word<'_>| word.joins && (is_function_word(word.text) || COUNTING.contains(&word.text));
    let skipped = words.iter().take_while(leads).count();
    let plain = |word: &&Word<'_>| {
        word.joins
            && !word.opens
            && word.text.chars().all(|letter| letter.is_lowercase() || letter == '-')
            && !is_function_word(word.text)
            && !super::verbs::is_preposition(word.text)
            && !word.text.ends_with("ly")
    };
    let mut phrase: Vec<String> =
        words[skipped..].iter().take_while(plain).map(|word| word.text.to_owned()).collect();
    // `a basic level of care`: the noun only measures another.
    if words.get(skipped + phrase.len()).is_some_and(|word| word.joins && word.text == "of") {
        return Vec::new();
    }
    // A verb ends the phrase: `Kestrel says queues need keys`.
    let verb = phrase.iter().skip(1).position(|word| bases.third_person(word).is_some());
    phrase.truncate(verb.map_or(phrase.len(), |at| at + 1));
    let last = phrase.last().and_then(|last| noun(last));
    if last.is_none_or(|last| !nouns.contains(&last) || bases.contains(&last)) {
        return Vec::new();
    }
    let from = phrase.len().saturating_sub(LONGEST);
    (from..phrase.len().saturating_sub(1)).map(|start| phrase[start..].to_vec()).collect()
}

/// The phrases that the documents use often, and whose words belong together. Of one that holds another, the longer.
fn recurring(texts: &[Text], phrases: &BTreeSet<Vec<String>>) -> Vec<Name> {
    let ends: HashSet<&str> = phrases.iter().flatten().map(String::as_str).collect();
    let mut single: HashMap<String, usize> = HashMap::new();
    let mut counts: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for block in texts.iter().flat_map(|text| &text.blocks) {
        let words = words(block);
        let lower: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
        for at in 0..lower.len() {
            if !ends.contains(lower[at].as_str()) {
                continue;
            }
            *single.entry(lower[at].clone()).or_default() += 1;
            for length in 2..=LONGEST.min(lower.len() - at) {
                let together = words[at + 1..at + length].iter().all(|word| word.joins);
                if together && phrases.contains(&lower[at..at + length]) {
                    *counts.entry(lower[at..at + length].to_vec()).or_default() += 1;
                }
            }
        }
    }
    let count = |word: &String| single.get(word).copied().unwrap_or_default();
    counts
        .into_iter()
        .filter(|(phrase, number)| {
            let rarer = phrase.first().map_or(0, count).min(phrase.last().map_or(0, count));
            *number >= LEAST && *number as f64 >= TOGETHER * rarer as f64
        })
        .map(|(phrase, count)| Name { text: phrase.join(" "), aliases: BTreeSet::new(), count, notion: true })
        .collect()
}
