//! Names: how they are compared, and the dictionary of known ones.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::{prose::Token, words};

mod build;

pub(super) use build::{Given, legal_form};

/// How surely a piece of text is a known name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// The beginning of a longer name, where nothing else of this name is known.
    Beginning,
    /// Only where the sentence has a place for a name of this type: a part of the name, or a common word.
    Weak,
    /// Wherever it stands.
    Full,
}

/// A known entity found in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// Index in [`Gazetteer::entries`].
    pub(super) entry: usize,
    pub(super) strength: Strength,
}

/// A known entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Index of its type in the vocabulary.
    pub(super) kind: usize,
    pub(super) name: String,
    /// Whether its type was only concluded from the place that the name takes in a statement.
    pub(super) inferred: bool,
}

/// All known names.
#[derive(Debug, Default)]
pub(super) struct Gazetteer {
    pub(super) entries: Vec<Entry>,
    words: HashMap<String, u32>,
    edges: HashMap<(u32, u32), u32>,
    ends: HashMap<u32, Vec<(usize, Variant)>>,
    /// Entities whose names go on after these words.
    longer: HashMap<u32, Vec<usize>>,
    nodes: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Variant {
    /// The whole name, not a part of it.
    whole: bool,
    /// Written with a capital first letter.
    capital: bool,
    /// Short and all capitals.
    acronym: bool,
    /// One plain word.
    single: bool,
}

/// The words by which a name is compared: small letters and digits, without accents; `&` is `and`.
pub(super) fn parts(name: &str) -> Vec<String> {
    let folded: String = if name.is_ascii() {
        name.to_ascii_lowercase()
    } else {
        name.nfkd()
            .filter(|letter| !unicode_normalization::char::is_combining_mark(*letter))
            .collect::<String>()
            .to_lowercase()
    };
    let folded = if folded.contains('&') { folded.replace('&', " and ") } else { folded };
    folded
        .split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '+' | '#'))
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A name without the quotation marks around it.
pub(super) fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix(['\'', '‘', '"', '“', '«', '„']);
    let inner = inner.and_then(|inner| inner.strip_suffix(['\'', '’', '"', '”', '»', '“']));
    inner.filter(|inner| !inner.is_empty()).map_or(text, str::trim)
}

/// A name as one comparable string.
pub(super) fn key(name: &str) -> String {
    parts(name).join(" ")
}

impl Gazetteer {
    /// The longest known name that starts at a token: how many tokens it takes and what it may be.
    pub(super) fn find(&self, tokens: &[Token], at: usize) -> Option<(usize, Vec<Hit>)> {
        let mut node = 0;
        let mut best = None;
        let mut index = at;
        while let Some(token) = tokens.get(index) {
            let skips = token.punctuation
                && matches!(token.lower.as_str(), "." | "-" | "‐" | "/")
                && !token.spaced
                && index > at;
            if !skips {
                let own = if token.lower == "'s" { vec!["s".to_owned()] } else { token_parts(&token.lower) };
                if own.is_empty() {
                    break;
                }
                let mut reached = Some(node);
                for part in &own {
                    reached = reached.and_then(|node| self.step(node, part));
                }
                let Some(reached) = reached else { break };
                node = reached;
                if let Some(ends) = self.ends.get(&node) {
                    let hits = Self::judge(ends, &tokens[at..=index]);
                    if !hits.is_empty() {
                        best = Some((index + 1 - at, hits));
                    }
                }
            }
            index += 1;
        }
        best
    }

    /// The known entities whose name is exactly this text.
    pub(super) fn lookup(&self, name: &str) -> Vec<usize> {
        let words = parts(name);
        let found = self.lookup_parts(&words);
        match words.split_first() {
            // `Dr Roe` where the name is known without the title.
            Some((title, rest))
                if found.is_empty() && !rest.is_empty() && super::words::is_honorific(title) =>
            {
                self.lookup_parts(rest)
            }
            _ => found,
        }
    }

    /// The known entities of which this text is the whole name, or another name.
    pub(super) fn lookup_whole(&self, name: &str) -> Vec<usize> {
        let ends = self.walk(&parts(name)).and_then(|node| self.ends.get(&node));
        ends.into_iter().flatten().filter(|(_, variant)| variant.whole).map(|(entry, _)| *entry).collect()
    }

    fn lookup_parts(&self, words: &[String]) -> Vec<usize> {
        let Some(node) = self.walk(words) else { return Vec::new() };
        let Some(ends) = self.ends.get(&node) else { return Vec::new() };
        let mut found: Vec<usize> =
            ends.iter().filter(|(_, variant)| variant.whole).map(|(entry, _)| *entry).collect();
        if found.is_empty() {
            found = ends.iter().map(|(entry, _)| *entry).collect();
        }
        found
    }

    /// What names begin with the words at a token, `and` between capitals included: how many tokens and which entities.
    pub(super) fn find_beginning(&self, tokens: &[Token], at: usize) -> Option<(usize, Vec<Hit>)> {
        let mut node = 0;
        let mut best = None;
        for (index, token) in tokens.iter().enumerate().skip(at) {
            if !token.capital && !matches!(token.lower.as_str(), "and" | "&" | "of" | "the" | "for") {
                break;
            }
            let own = token_parts(&token.lower);
            let reached = own.iter().try_fold(node, |node, part| self.step(node, part));
            let Some(reached) = reached.filter(|_| !own.is_empty() || token.lower == "&") else { break };
            node = reached;
            if let Some(entries) = self.longer.get(&node).filter(|_| token.capital) {
                let hits = entries.iter().map(|entry| Hit { entry: *entry, strength: Strength::Beginning });
                best = Some((index + 1 - at, hits.collect()));
            }
        }
        best
    }

    fn walk(&self, words: &[String]) -> Option<u32> {
        words.iter().try_fold(0, |node, part| self.step(node, part))
    }

    fn step(&self, node: u32, part: &str) -> Option<u32> {
        let word = self.words.get(part)?;
        self.edges.get(&(node, *word)).copied()
    }

    fn judge(ends: &[(usize, Variant)], tokens: &[Token]) -> Vec<Hit> {
        let first = &tokens[0];
        let mut hits = Vec::new();
        for (entry, variant) in ends {
            let capital = first.capital || tokens.iter().any(|token| token.capital);
            let identifier =
                first.lower.contains(['-', '_']) || first.lower.bytes().any(|byte| byte.is_ascii_digit());
            // `It` is no `IT`.
            let word = words::is_closed(&first.lower) && !first.capitals;
            if variant.acronym && tokens.len() == 1 && (!capital || word)
                || !variant.whole && variant.capital && !capital
            {
                continue;
            }
            let strength = if !variant.whole {
                Strength::Weak
            } else if !variant.single || identifier || tokens.len() > 1 || (capital && variant.capital) {
                Strength::Full
            } else {
                Strength::Weak
            };
            hits.push(Hit { entry: *entry, strength });
        }
        if hits.iter().any(|hit| ends.iter().any(|(entry, variant)| *entry == hit.entry && variant.whole)) {
            hits.retain(|hit| ends.iter().any(|(entry, variant)| *entry == hit.entry && variant.whole));
        }
        hits
    }
}

/// The parts of a token in small letters.
fn token_parts(lower: &str) -> Vec<String> {
    if lower.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return vec![lower.to_owned()];
    }
    parts(lower)
}
