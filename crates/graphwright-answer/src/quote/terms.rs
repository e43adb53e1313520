//! What a question says: its words that tell sentences apart.

use std::collections::BTreeMap;

use graphwright_english::{inflection::base_stem, names, thesaurus, words};

use super::stems::Stems;

/// The number of sentences from which frequencies tell something; fewer are taken for as many.
const LEAST_SENTENCES: usize = 30;

/// A word of a question, or several that are written as one (`session-kit-v1`).
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// The word as it is compared, if it is one.
    pub(super) word: Option<String>,
    /// The stems of its words.
    pub(super) stems: Vec<String>,
    /// The stems of words that people use in its place.
    pub(super) neighbours: Vec<Vec<String>>,
    /// Whether it names something: it has a capital or a digit, or is written together.
    pub(super) is_name: bool,
    /// Whether it means the text itself (`which page …`), so that every passage has it.
    pub(super) is_document: bool,
    /// The inverse document frequency (Spärck Jones 1972) among the sentences.
    pub(super) weight: f64,
}

/// What a term counts where only a word in its place stands, or one of its root.
const IN_ITS_PLACE: f64 = 0.5;

impl Term {
    /// How far a text says it: 1 if it does, less if another word stands in its place.
    pub(super) fn said_by(&self, words: &Stems) -> f64 {
        if words.have(&self.stems) {
            1.0
        } else if self.neighbours.iter().any(|neighbour| words.have_all(neighbour))
            || (self.word.is_some() && self.stems.iter().all(|stem| words.have_root_of(stem)))
        {
            IN_ITS_PLACE
        } else {
            0.0
        }
    }
}

/// The terms of a question. They have an order, so that sums over them are the same each time.
pub(super) fn terms(question: &str, sentences: &[&Stems]) -> Vec<Term> {
    let mut found: BTreeMap<Vec<String>, Term> = BTreeMap::new();
    for (number, run) in runs(question).into_iter().enumerate() {
        let [first, ..] = run.as_slice() else { continue };
        let alone = run.len() == 1;
        if alone && (words::is_function_word(&first.text) || (number == 0 && words::is_command(&first.text)))
        {
            continue;
        }
        let written = |token: &names::Token| &question[token.start..token.end];
        let has_capital =
            number > 0 && run.iter().any(|token| written(token).starts_with(char::is_uppercase));
        let has_digit = run.iter().any(|token| token.text.contains(|letter: char| letter.is_ascii_digit()));
        let stems: Vec<String> = run.iter().map(|token| base_stem(&token.text)).collect();
        let word = alone.then(|| first.text.clone());
        let neighbours = if alone { neighbours(&stems[0]) } else { Vec::new() };
        let weight = weight(&stems, sentences);
        let is_document = alone && matches!(stems[0].as_str(), "page" | "document" | "text");
        let is_name = has_capital || has_digit || !alone;
        found.entry(stems.clone()).or_insert(Term { word, stems, neighbours, is_name, is_document, weight });
    }
    found.into_values().collect()
}

/// The words of a question; those with nothing but signs between them are one.
fn runs(question: &str) -> Vec<Vec<names::Token>> {
    let mut runs: Vec<Vec<names::Token>> = Vec::new();
    for token in names::tokens(question) {
        let last = runs.last_mut().filter(|run| {
            run.last().is_some_and(|last| {
                let between = &question[last.end..token.start];
                between.chars().all(|sign| matches!(sign, '-' | '_' | '.' | '/' | ':' | '+' | '#'))
            })
        });
        match last {
            Some(run) => run.push(token),
            None => runs.push(vec![token]),
        }
    }
    runs
}

fn weight(stems: &[String], sentences: &[&Stems]) -> f64 {
    let having = sentences.iter().filter(|words| words.have(stems)).count();
    (1.0 + sentences.len().max(LEAST_SENTENCES) as f64 / (0.5 + having as f64)).ln()
}

fn neighbours(stem: &str) -> Vec<Vec<String>> {
    let groups =
        [thesaurus::verb_neighbours(stem), thesaurus::noun_neighbours(stem), thesaurus::measures(stem)];
    let content = |neighbour: &thesaurus::Neighbour| -> Vec<String> {
        neighbour.words.iter().filter(|word| !words::is_function_word(word)).cloned().collect()
    };
    groups.into_iter().flatten().map(content).filter(|words| !words.is_empty()).collect()
}
