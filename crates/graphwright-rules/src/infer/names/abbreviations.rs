//! Abbreviations that the texts introduce: `Tidal Gauge Network (TGN)`.

use std::collections::{BTreeMap, BTreeSet};

use super::form;
use crate::infer::{
    common_words::is_function_word,
    text::{Text, Word, words},
};

/// An abbreviation and what it stands for, as the text has them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Abbreviation {
    pub long: String,
    pub short: String,
}

/// An abbreviation means what it stands for in more than this share of the places that introduce it, or nothing at all.
const MAINLY: f64 = 0.66;

/// The abbreviations of a corpus, each with the one thing that it stands for; and the forms of those that stand for several.
pub(super) fn find(texts: &[Text]) -> (Vec<Abbreviation>, BTreeSet<String>) {
    let mut introduced: BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>> = BTreeMap::new();
    for block in texts.iter().flat_map(|text| &text.blocks) {
        let mut found = BTreeSet::new();
        in_block(block, &mut found);
        for Abbreviation { long, short } in found {
            let spellings = introduced.entry(short).or_default().entry(form(&long)).or_default();
            *spellings.entry(long).or_default() += 1;
        }
    }
    let (mut found, mut ambiguous) = (Vec::new(), BTreeSet::new());
    for (short, longs) in introduced {
        let count = |spellings: &BTreeMap<String, usize>| spellings.values().sum::<usize>();
        let all: usize = longs.values().map(count).sum();
        match longs.into_values().find(|spellings| count(spellings) as f64 > MAINLY * all as f64) {
            Some(main) => {
                found.extend(main.into_keys().map(|long| Abbreviation { long, short: short.clone() }));
            }
            None => drop(ambiguous.insert(form(&short))),
        }
    }
    (found, ambiguous)
}

fn in_block(block: &str, found: &mut BTreeSet<Abbreviation>) {
    if !block.contains('(') {
        return;
    }
    let words = words(block);
    for (index, word) in words.iter().enumerate() {
        let bracketed = block[..word.start].ends_with('(') && block[word.end..].starts_with(')');
        let short = word.text.strip_suffix('s').filter(|short| is_acronym(short)).unwrap_or(word.text);
        if !bracketed || !is_acronym(short) {
            continue;
        }
        let letters: Vec<char> = short.chars().collect();
        // A word may give several letters, and small words may give none.
        for length in 1..=letters.len() + 2 {
            let Some(before) = index.checked_sub(length).map(|start| &words[start..index]) else { break };
            let contiguous = before.iter().skip(1).all(|word| word.joins);
            if contiguous && spells(before, &letters) {
                let long = before.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
                found.insert(Abbreviation { long, short: short.to_owned() });
                break;
            }
        }
    }
}

/// Two capitals at least, and nothing but capitals and digits.
fn is_acronym(text: &str) -> bool {
    text.chars().filter(|letter| letter.is_uppercase()).count() >= 2
        && text.chars().all(|letter| letter.is_uppercase() || letter.is_numeric())
}

/// Whether the letters are the first ones of the words and of their parts, in order; capitals within words
/// (`OpenID Connect`, OIDC) and small words may have none.
fn spells(words: &[Word<'_>], letters: &[char]) -> bool {
    let Some((word, rest)) = words.split_first() else { return letters.is_empty() };
    if is_function_word(word.text)
        && rest.len() + 1 < words.len() + 1
        && spells(rest, letters)
        && !letters.is_empty()
    {
        return true;
    }
    let mut initials: Vec<char> = Vec::new();
    for (index, letter) in word.text.char_indices() {
        let starts_part = index == 0 || word.text[..index].ends_with(['-', '/']);
        if starts_part || letter.is_uppercase() {
            initials.extend(letter.to_uppercase());
        }
    }
    let Some((first, inner)) = initials.split_first() else { return false };
    if letters.first() != Some(first) {
        return false;
    }
    // As many of the inner letters as fit, in order.
    (0..=inner.len().min(letters.len() - 1))
        .rev()
        .any(|taken| inner[..taken] == letters[1..=taken] && spells(rest, &letters[1 + taken..]))
}
