//! A question, made ready to be read: its words, what values they may be, and what each word says for each part of a meaning.

use graphwright_english::thesaurus;
use rustc_hash::FxHashSet;

use crate::{
    features::{Part, Weights, hash},
    graph::Graph,
    parts::{CONDITION, NOTHING, Parts},
    values::{Fit, Link, Span},
    words::{Word, split},
};

/// A question with its features.
#[derive(Debug)]
pub(crate) struct Sentence {
    pub(crate) words: Vec<Word>,
    pub(crate) spans: Vec<Span>,
    /// For each word its features.
    pub(crate) features: Vec<Vec<u64>>,
    /// For each span the features around it.
    pub(crate) around: Vec<Vec<u64>>,
}

/// The scores of a sentence under some weights.
#[derive(Debug)]
pub(crate) struct Scores {
    parts: usize,
    words: Vec<f32>,
    spans: Vec<f32>,
}

impl Sentence {
    /// Reads a question. Words that are not known stand for one another.
    pub(crate) fn of(text: &str, graph: &Graph, known: &FxHashSet<String>) -> Self {
        let words = split(text);
        let spans = graph.values.link(text, &words);
        Self::with(words, spans, known)
    }

    /// What a condition of a reading stands for: the span and which of its links.
    pub(crate) fn link(&self, (span, link): (u8, u8)) -> &Link {
        &self.spans[usize::from(span)].links[usize::from(link)]
    }

    /// Makes a sentence of words and the values among them.
    pub(crate) fn with(words: Vec<Word>, spans: Vec<Span>, known: &FxHashSet<String>) -> Self {
        let mut shown: Vec<String> = words.iter().map(|word| shown(word, known)).collect();
        for span in spans.iter().filter(|span| !matches!(span.links[0].fit, Fit::Words(_))) {
            shown[span.from..span.to].fill("<v>".to_owned());
        }
        let at = |place: isize| -> &str {
            if place < 0 { "<s>" } else { shown.get(place as usize).map_or("</s>", String::as_str) }
        };
        let features =
            words.iter().enumerate().map(|(place, word)| word_features(word, place as isize, &at)).collect();
        let around = spans.iter().map(|span| span_features(span, &words, &at)).collect();
        Self { words, spans, features, around }
    }

    /// The words up to one place, followed by those of another sentence from one on. Values that are cut through are left out.
    /// Returns also the number that the first value of the second part has there, less the one that it had.
    pub(crate) fn joined(
        &self,
        to: usize,
        other: &Self,
        from: usize,
        known: &FxHashSet<String>,
    ) -> (Self, isize) {
        let words = self.words[..to].iter().chain(&other.words[from..]).cloned().collect();
        let mut spans: Vec<Span> = self.spans.iter().filter(|span| span.to <= to).cloned().collect();
        let left_out = other.spans.iter().filter(|span| span.from < from).count();
        let moved = spans.len() as isize - left_out as isize;
        spans.extend(other.spans.iter().filter(|span| span.from >= from).map(|span| Span {
            from: span.from - from + to,
            to: span.to - from + to,
            links: span.links.clone(),
        }));
        (Self::with(words, spans, known), moved)
    }

    pub(crate) fn score(&self, weights: &Weights, parts: &Parts) -> Scores {
        let parts = parts.len();
        let mut scores = Scores {
            parts,
            words: vec![0.0; parts * self.words.len()],
            spans: vec![0.0; parts * self.spans.len()],
        };
        for (features, row) in self.features.iter().zip(scores.words.chunks_mut(parts)) {
            for feature in features {
                weights.add_to(*feature, row);
            }
        }
        for (features, row) in self.around.iter().zip(scores.spans.chunks_mut(parts)) {
            for feature in features {
                weights.add_to(*feature, row);
            }
        }
        scores
    }
}

impl Scores {
    /// What a word says for a state with some parts.
    pub(crate) fn word(&self, word: usize, parts: &[Part]) -> f32 {
        let row = &self.words[word * self.parts..(word + 1) * self.parts];
        parts.iter().map(|part| row[usize::from(*part)]).sum()
    }

    pub(crate) fn no_part(&self, word: usize) -> f32 {
        self.words[word * self.parts + usize::from(NOTHING)]
    }

    /// What the words around a span say for a condition.
    pub(crate) fn span(&self, span: usize, parts: &[Part]) -> f32 {
        let row = &self.spans[span * self.parts..(span + 1) * self.parts];
        row[usize::from(CONDITION)] + parts.iter().map(|part| row[usize::from(*part)]).sum::<f32>()
    }

    /// What it costs to leave a span without a meaning.
    pub(crate) fn unused(&self, span: usize) -> f32 {
        self.spans[span * self.parts + usize::from(NOTHING)]
    }
}

fn shown(word: &Word, known: &FxHashSet<String>) -> String {
    if known.contains(&word.stem) {
        return word.stem.clone();
    }
    if word.lower.starts_with(|letter: char| letter.is_ascii_digit()) {
        return "<number>".to_owned();
    }
    if word.capital { "<name>".to_owned() } else { "<word>".to_owned() }
}

fn word_features<'a>(word: &Word, at: isize, shown: &impl Fn(isize) -> &'a str) -> Vec<u64> {
    let (own, before, after) = (shown(at), shown(at - 1), shown(at + 1));
    let mut features = vec![
        hash(&format!("s={own}")),
        hash(&format!("b {before} {own}")),
        hash(&format!("a {own} {after}")),
        hash(&format!("t {before} {own} {after}")),
        hash(&format!("bb {} {before} {own}", shown(at - 2))),
        hash(&format!("aa {own} {after} {}", shown(at + 2))),
    ];
    if own != "<v>" {
        features.push(hash(&format!("w={}", word.lower)));
        let alike =
            thesaurus::noun_neighbours(&word.stem).iter().chain(thesaurus::verb_neighbours(&word.stem));
        let group =
            alike.filter(|neighbour| neighbour.words.len() == 1).map(|neighbour| neighbour.words[0].as_str());
        if let Some(first) = group.chain([word.stem.as_str()]).min() {
            features.push(hash(&format!("g={first}")));
        }
    }
    features
}

fn span_features<'a>(span: &Span, words: &[Word], shown: &impl Fn(isize) -> &'a str) -> Vec<u64> {
    let (from, to) = (span.from as isize, span.to as isize);
    let (before, after) = (shown(from - 1), shown(to));
    let fit = match span.links[0].fit {
        Fit::Exact => "exact",
        Fit::Case => "case",
        Fit::Form => "form",
        Fit::Words(0) => "all words",
        Fit::Words(1) => "most words",
        Fit::Words(_) => "some words",
    };
    let length = (to - from).min(3);
    let near: Vec<&str> = (1..=4).map(|back| shown(from - back)).collect();
    let mut features = vec![
        hash("value"),
        hash(&format!("fit {fit}")),
        hash(&format!("fit {fit} {length}")),
        hash(&format!("v- {before}")),
        hash(&format!("v-- {} {before}", shown(from - 2))),
        hash(&format!("v--- {} {} {before}", shown(from - 3), shown(from - 2))),
        hash(&format!("v+ {after}")),
        hash(&format!("v++ {after} {}", shown(to + 1))),
        hash(&format!("v-+ {before} {after}")),
    ];
    if matches!(span.links[0].fit, Fit::Words(_)) {
        features.extend(words[span.from..span.to].iter().map(|word| hash(&format!("in {}", word.lower))));
    }
    features.extend(near.iter().map(|word| hash(&format!("near {word}"))));
    features
}
