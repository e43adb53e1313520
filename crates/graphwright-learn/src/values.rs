//! Which values a question speaks of.

use std::collections::BTreeMap;

use graphwright_core::Value;
use graphwright_english::dates::Days;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    scale::Scale,
    schema::{Label, Property},
    words::{Word, join, key, shown, singulars, split},
};

/// The most words of a value that questions are expected to say.
const LONGEST: usize = 14;
/// The most values of a property that is a choice among few (`status`), whose values questions say in other words.
const FEW: usize = 60;
/// The most values from which the scale of a property is told.
const SAMPLE: usize = 500;
/// The least share of the words of such a value that a question must say.
const LEAST_COVER: f64 = 0.5;

/// A value of a property of nodes of a label.
#[derive(Clone, Debug)]
struct Entry {
    label: Label,
    property: Property,
    value: Value,
    nodes: Vec<u32>,
}

/// The values of a graph by their words.
#[derive(Debug, Default)]
pub(crate) struct Values {
    entries: Vec<Entry>,
    numbers: FxHashMap<(Label, Property, String), u32>,
    by_key: FxHashMap<String, Vec<u32>>,
    longest: usize,
    /// Properties with few values: for each stem the values that have it.
    choices: FxHashMap<String, Vec<u32>>,
    /// The stems of such values.
    stems: FxHashMap<u32, FxHashSet<String>>,
    weights: FxHashMap<String, f64>,
    /// Properties whose dates in figures begin with the day.
    day_first: FxHashSet<Property>,
}

/// How a value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// As it is written.
    Exact,
    /// In other letters, capitals where the value has none or the other way round.
    Case,
    /// In the plural, or a date in other words.
    Form,
    /// Some of its words: all, most or half.
    Words(u8),
}

/// A value that a span of words may stand for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Link {
    pub(crate) label: Label,
    pub(crate) property: Property,
    pub(crate) value: Value,
    pub(crate) fit: Fit,
}

/// Words with what they may stand for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) links: Vec<Link>,
}

impl Values {
    pub(crate) fn add(&mut self, node: u32, label: Label, property: Property, value: &Value) {
        let text = shown(value);
        if matches!(value, Value::List(_) | Value::Map(_) | Value::Null) || text.len() > 200 {
            return;
        }
        let next = self.entries.len() as u32;
        let entry = *self.numbers.entry((label, property, text)).or_insert(next);
        if entry == next {
            self.entries.push(Entry { label, property, value: value.clone(), nodes: Vec::new() });
        }
        self.entries[entry as usize].nodes.push(node);
    }

    /// What the values of each property are measured by.
    pub(crate) fn scales(&self) -> FxHashMap<(Label, Property), Scale> {
        let mut values: FxHashMap<(Label, Property), Vec<&Value>> = FxHashMap::default();
        for entry in &self.entries {
            values.entry((entry.label, entry.property)).or_default().push(&entry.value);
        }
        values.into_iter().map(|(of, values)| (of, Scale::of(values.into_iter().take(SAMPLE)))).collect()
    }

    /// Makes the indexes, once all values are in.
    pub(crate) fn finish(&mut self) {
        let mut few: BTreeMap<(Label, Property), Vec<u32>> = BTreeMap::new();
        for (at, entry) in self.entries.iter().enumerate() {
            let text = shown(&entry.value);
            let key = key(&text);
            let length = key.split(' ').count();
            few.entry((entry.label, entry.property)).or_default().push(at as u32);
            if is_day_first(&text) {
                self.day_first.insert(entry.property);
            }
            if !key.is_empty() && length <= LONGEST {
                self.longest = self.longest.max(length);
                self.by_key.entry(key).or_default().push(at as u32);
            }
        }
        for entries in few.into_values() {
            let nodes: usize = entries.iter().map(|at| self.entries[*at as usize].nodes.len()).sum();
            if entries.len() <= FEW && nodes >= 3 * entries.len() {
                self.add_choices(&entries);
            }
        }
    }

    fn add_choices(&mut self, entries: &[u32]) {
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        for &at in entries {
            let words = split(&shown(&self.entries[at as usize].value));
            let content = words.iter().filter(|word| word.is_content() && !is_number(&word.lower));
            let stems: FxHashSet<String> = content.map(|word| root(&word.stem)).collect();
            for stem in &stems {
                *counts.entry(stem.clone()).or_default() += 1;
                self.choices.entry(stem.clone()).or_default().push(at);
            }
            if !stems.is_empty() {
                self.stems.insert(at, stems);
            }
        }
        for (stem, count) in counts {
            let weight = (1.0 + entries.len() as f64 / count as f64).ln();
            self.weights.insert(stem, weight);
        }
    }

    /// The nodes of a label that have a value.
    pub(crate) fn nodes(&self, label: Label, property: Property, value: &Value) -> &[u32] {
        let at = self.numbers.get(&(label, property, shown(value)));
        at.map_or(&[], |at| &self.entries[*at as usize].nodes)
    }

    /// The stored value of a property with a text.
    pub(crate) fn stored(&self, label: Label, property: Property, value: &Value) -> Option<&Value> {
        let at = self.numbers.get(&(label, property, shown(value)))?;
        Some(&self.entries[*at as usize].value)
    }

    /// Finds what the words of a question may stand for: the longest values first, and what is within one is left out.
    pub(crate) fn link(&self, text: &str, words: &[Word]) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut taken = vec![false; words.len()];
        for length in (1..=self.longest.min(words.len())).rev() {
            for from in 0..=words.len() - length {
                let to = from + length;
                if taken[from..to].contains(&true) || !may_be_value(words, from, to) {
                    continue;
                }
                let mut links = self.exact(text, words, from, to);
                if links.is_empty() {
                    links = self.inflected(words, from, to);
                }
                if links.is_empty() {
                    links = self.dates(words, from, to);
                }
                if links.is_empty() {
                    links = self.times(words, from, to);
                }
                if !links.is_empty() {
                    taken[from..to].fill(true);
                    spans.push(Span { from, to, links });
                }
            }
        }
        spans.extend(self.worded(words, &taken));
        spans.sort_by_key(|span| (span.from, span.to));
        spans
    }

    fn exact(&self, text: &str, words: &[Word], from: usize, to: usize) -> Vec<Link> {
        let written = &text[words[from].range.0..words[to - 1].range.1];
        let found = self.by_key.get(&join(words[from..to].iter().map(|word| word.lower.as_str())));
        let mut links: Vec<Link> =
            found.into_iter().flatten().map(|at| self.as_link(*at, Fit::Exact)).collect();
        for link in &mut links {
            let value = shown(&link.value);
            if value.chars().next().is_some_and(char::is_uppercase)
                != written.chars().next().is_some_and(char::is_uppercase)
            {
                link.fit = Fit::Case;
            }
        }
        links
    }

    fn as_link(&self, at: u32, fit: Fit) -> Link {
        let entry = &self.entries[at as usize];
        Link { label: entry.label, property: entry.property, value: entry.value.clone(), fit }
    }

    fn inflected(&self, words: &[Word], from: usize, to: usize) -> Vec<Link> {
        let last = &words[to - 1].lower;
        if !words[from].capital || is_number(last) {
            return Vec::new();
        }
        for form in singulars(last) {
            let parts = words[from..to - 1].iter().map(|word| word.lower.as_str()).chain([form.as_str()]);
            if let Some(found) = self.by_key.get(&join(parts)) {
                return found.iter().map(|at| self.as_link(*at, Fit::Form)).collect();
            }
        }
        Vec::new()
    }

    /// A date in words, or in figures of another order.
    fn dates(&self, words: &[Word], from: usize, to: usize) -> Vec<Link> {
        if to - from < 3 || to - from > 5 || !words[from..to].iter().any(|word| is_number(&word.lower)) {
            return Vec::new();
        }
        let written = join(words[from..to].iter().map(|word| word.lower.as_str()));
        let Some(days) = Days::parse(&written).filter(|days| days.first == days.last) else {
            return Vec::new();
        };
        let (year, month, day) = (days.first.year(), days.first.month(), days.first.day());
        let mut links = Vec::new();
        for (key, day_first) in [
            (format!("{day} {month} {year}"), Some(true)),
            (format!("{month} {day} {year}"), Some(false)),
            (format!("{year} {month} {day}"), None),
        ] {
            for &at in self.by_key.get(&key).into_iter().flatten() {
                let property = self.entries[at as usize].property;
                if day_first.is_none_or(|first| first == self.day_first.contains(&property)) {
                    links.push(self.as_link(at, Fit::Form));
                }
            }
        }
        links
    }

    /// A time of day as clocks of twelve hours tell it (`10:26 PM`).
    fn times(&self, words: &[Word], from: usize, to: usize) -> Vec<Link> {
        let afternoon = match words[to - 1].lower.as_str() {
            "pm" => 12,
            "am" => 0,
            _ => return Vec::new(),
        };
        let number = |at: usize| words[from..to - 1].get(at).map(|word| word.lower.parse::<u32>().ok());
        let (Some(Some(hour @ 1..=12)), minute) = (number(0), number(1)) else { return Vec::new() };
        let ((2, None) | (3, Some(Some(_)))) = (to - from, minute) else { return Vec::new() };
        let key = format!("{} {}", hour % 12 + afternoon, minute.flatten().unwrap_or(0));
        self.by_key.get(&key).into_iter().flatten().map(|at| self.as_link(*at, Fit::Form)).collect()
    }

    /// Values of which few are there, by some of their words.
    fn worded(&self, words: &[Word], taken: &[bool]) -> Vec<Span> {
        let mut hits: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (at, word) in words.iter().enumerate().filter(|(at, _)| !taken[*at]) {
            for &entry in self.choices.get(&root(&word.stem)).into_iter().flatten() {
                hits.entry(entry).or_default().push(at);
            }
        }
        let mut spans: Vec<Span> = Vec::new();
        for (entry, places) in hits {
            let Some((from, to, fit)) = self.best_window(entry, &places, words) else { continue };
            let link = self.as_link(entry, fit);
            match spans.iter_mut().find(|span| (span.from, span.to) == (from, to)) {
                Some(span) => span.links.push(link),
                None => spans.push(Span { from, to, links: vec![link] }),
            }
        }
        spans
    }

    /// The span with most of the words of a value.
    fn best_window(&self, entry: u32, places: &[usize], words: &[Word]) -> Option<(usize, usize, Fit)> {
        let stems = self.stems.get(&entry)?;
        let weight = |stem: &String| self.weights.get(stem).copied().unwrap_or(1.0);
        let whole: f64 = stems.iter().map(weight).sum();
        let widest = stems.len() + 3;
        let mut best: Option<(f64, usize, usize)> = None;
        for (at, &from) in places.iter().enumerate() {
            let mut seen: FxHashSet<String> = FxHashSet::default();
            for &last in places[at..].iter().take_while(|last| **last < from + widest) {
                seen.insert(root(&words[last].stem));
                let cover = seen.iter().map(weight).sum::<f64>() / whole;
                let better = best.is_none_or(|(known, start, end)| {
                    cover > known + 1e-9 || (cover > known - 1e-9 && last + 1 - from < end - start)
                });
                if better {
                    best = Some((cover, from, last + 1));
                }
            }
        }
        let (cover, from, to) = best.filter(|(cover, ..)| *cover >= LEAST_COVER)?;
        let fit = if cover > 0.99 {
            0
        } else if cover > 0.7 {
            1
        } else {
            2
        };
        Some((from, to, Fit::Words(fit)))
    }
}

/// The beginning of a stem, which nouns share with the adjectives and verbs beside them (`violence`, `violent`).
fn root(stem: &str) -> String {
    stem.chars().take(6).collect()
}

fn is_number(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Whether a text is a date in figures that can only begin with the day.
fn is_day_first(text: &str) -> bool {
    let parts: Vec<Option<u32>> = text.split(['/', '.', '-']).map(|part| part.parse().ok()).collect();
    matches!(parts[..], [Some(day), Some(month), Some(year)] if (13..=31).contains(&day) && (1..=12).contains(&month) && year > 31)
}

/// Whether a span may be a value: no part of a quotation, and no word that is in every question.
fn may_be_value(words: &[Word], from: usize, to: usize) -> bool {
    let quote = words[from].quote;
    let around = [from.checked_sub(1), Some(to)].into_iter().flatten();
    let cuts = around.filter_map(|at| words.get(at)).any(|word| quote.is_some() && word.quote == quote);
    let same = words[from..to].iter().all(|word| word.quote == quote);
    let plain = |word: &Word| graphwright_english::words::is_function_word(&word.lower) && quote.is_none();
    let function = words[from..to].iter().all(plain) && (to - from == 1 || !words[from].capital);
    !cuts && same && !function
}
