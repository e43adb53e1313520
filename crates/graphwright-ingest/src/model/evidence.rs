//! Finds where a window states something.

use std::{cell::OnceCell, cmp::Reverse};

use graphwright_core::Span;

use super::{locate::Words, reply::Evidence, window::Window};

/// How far apart numbered sentences may be that are one piece of evidence.
const MOST_APART: usize = 3;

/// A window, searched for names and evidence. All ranges are bytes of the document.
pub(super) struct Place<'w> {
    window: &'w Window<'w>,
    words: Words<'w>,
    document: OnceCell<Words<'w>>,
}

impl<'w> Place<'w> {
    pub(super) fn new(window: &'w Window<'w>) -> Self {
        Self { window, words: Words::new(window.text()), document: OnceCell::new() }
    }

    pub(super) fn span(&self) -> Span {
        self.window.span()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        !self.words.find_name(name).is_empty()
    }

    pub(super) fn quotes(&self, text: &str) -> bool {
        self.words.find_quotation(text).is_some()
    }

    pub(super) fn mentions(&self, name: &str) -> Vec<Span> {
        self.words.find_name(name).into_iter().map(|span| self.in_document(span)).collect()
    }

    /// Finds the mention that is nearest to the window: the last before it, else the first after it. A window may speak of
    /// what a heading or another passage names.
    pub(super) fn mention_elsewhere(&self, names: &[String]) -> Option<Span> {
        let words = self.document.get_or_init(|| Words::new(&self.window.document.text));
        let all: Vec<Span> = names.iter().flat_map(|name| words.find_name(name)).collect();
        let before = all.iter().filter(|span| span.end <= self.span().start).max();
        before.or_else(|| all.iter().min()).copied()
    }

    fn in_document(&self, span: Span) -> Span {
        let start = self.span().start;
        Span::new(start + span.start, start + span.end)
    }

    /// Finds the range that states something about things, each under one of its names.
    ///
    /// A quotation that holds all of them is the range. Else it is the sentences that the model numbers or quotes from,
    /// of which one must hold a thing, since a pronoun may stand for the others; or the one before them must, since it
    /// may stand for all. Where that fails, the evidence is invented, and a sentence that holds all of them is used.
    pub(super) fn evidence(&self, said: &Evidence, things: &[&[String]]) -> Option<Span> {
        let mentions: Vec<Vec<Span>> =
            things.iter().map(|names| names.iter().flat_map(|name| self.mentions(name)).collect()).collect();
        let held = |span: Span| {
            let holds = |mentions: &&Vec<Span>| {
                mentions.iter().any(|mention| span.start <= mention.start && mention.end <= span.end)
            };
            mentions.iter().filter(holds).count()
        };
        let spans: Vec<Span> = self.window.sentences.iter().map(|sentence| sentence.span).collect();
        let quoted = self.quoted(&said.quotation, &spans);
        if let Some(quoted) = quoted.filter(|quoted| held(*quoted) == things.len()) {
            return Some(quoted);
        }
        let mut numbers: Vec<usize> = match quoted {
            Some(quoted) => overlapping(&spans, quoted).collect(),
            None => said.sentences.iter().filter_map(|number| number.checked_sub(1)).collect(),
        };
        numbers.retain(|number| *number < spans.len());
        if spans.len() == 1 {
            numbers = vec![0];
        }
        numbers.sort_unstable();
        numbers.dedup();
        let joined = |length: usize| {
            let runs = spans.windows(length).map(|run| Span::new(run[0].start, run[length - 1].end));
            runs.into_iter().find(|span| held(*span) == things.len())
        };
        // Invented evidence is believed for less than none.
        let most = if *said == Evidence::default() { MOST_APART } else { 1 };
        let whole = (1..=most).find_map(joined);
        stated(&numbers, &spans, things.len(), &held).or(whole)
    }

    /// Finds what is quoted, word by word or as a paraphrase.
    fn quoted(&self, quotation: &str, spans: &[Span]) -> Option<Span> {
        if quotation.is_empty() {
            return None;
        }
        if let Some(found) = self.words.find_quotation(quotation) {
            return Some(self.in_document(found));
        }
        let start = self.span().start;
        let own: Vec<Span> =
            spans.iter().map(|span| Span::new(span.start - start, span.end - start)).collect();
        self.words.find_paraphrase(quotation, &own).map(|found| self.in_document(found))
    }
}

/// Returns the range of the sentences with these numbers that holds the things, as far as `held` counts them.
fn stated(numbers: &[usize], spans: &[Span], all: usize, held: &dyn Fn(Span) -> usize) -> Option<Span> {
    let (&first, &last) = (numbers.first()?, numbers.last()?);
    // The shortest that holds all of them, or most of them.
    let best = numbers.iter().copied().max_by_key(|number| (held(spans[*number]), Reverse(*number)))?;
    if held(spans[best]) == all || last - first > MOST_APART {
        return (held(spans[best]) > 0).then_some(spans[best]);
    }
    let wide = Span::new(spans[first].start, spans[last].end);
    if held(wide) > held(spans[best]) {
        return Some(wide);
    }
    if held(spans[best]) > 0 {
        return Some(spans[best]);
    }
    let before = first.checked_sub(1).filter(|before| held(spans[*before]) > 0)?;
    Some(Span::new(spans[before].start, spans[first].end))
}

fn overlapping(spans: &[Span], wanted: Span) -> impl Iterator<Item = usize> {
    spans
        .iter()
        .enumerate()
        .filter(move |(_, span)| span.start < wanted.end && wanted.start < span.end)
        .map(|(index, _)| index)
}
