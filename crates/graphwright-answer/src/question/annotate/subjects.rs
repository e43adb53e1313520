//! Documents that are meant by what they are about: `the RFC about yanked files`, `the decision to leave`, `the caching page`.

use std::ops::Range;

use graphwright_core::Value;
use graphwright_english::{inflection, questions::word, words};

use super::{Annotator, Piece, Span};
use crate::schema::{Label, Property};

/// The most words that say what a document is about.
const LONGEST: usize = 14;
/// How well a document is meant of which nothing, and of which all is as it is said.
const WEIGHTS: (f64, f64) = (0.6, 0.97);

/// Whether a word leads to what a document is about.
fn is_about(word: &str) -> bool {
    matches!(
        word,
        "about"
            | "on"
            | "to"
            | "for"
            | "regarding"
            | "concerning"
            | "describing"
            | "covering"
            | "introducing"
            | "proposing"
            | "explaining"
    )
}

impl Annotator<'_> {
    /// Adds the documents that are meant by what they are about. A part of a title in such words names no other document.
    pub(super) fn subject_spans(&self, spans: &mut Vec<Span>) {
        let found = self.subjects(spans);
        spans.retain(|span| {
            let within = |subject: &Span| subject.first <= span.first && span.end <= subject.end;
            !(self.is_part_of_title(span) && found.iter().any(within))
        });
        spans.extend(found);
    }

    /// Whether a span is a part of names of documents alone.
    fn is_part_of_title(&self, span: &Span) -> bool {
        let Piece::Entity(nodes) = &span.piece else { return false };
        let pages = &self.lexicon.pages.labels;
        let is_page = |node| self.schema.label_of(node).is_some_and(|label| pages.contains(&label));
        span.weight < 1.0 && nodes.iter().all(|(node, _)| is_page(*node))
    }

    fn subjects(&self, spans: &[Span]) -> Vec<Span> {
        let mut found = Vec::new();
        let types: Vec<(Range<usize>, Vec<Label>)> = spans
            .iter()
            .filter_map(|span| match &span.piece {
                Piece::Type(labels) => Some((span.first..span.end, self.of_pages(labels))),
                // `The Bosh runbook`: a page in the section `runbook`.
                Piece::Value(values) if span.end == span.first + 1 => {
                    Some((span.first..span.end, self.pages_having(values)))
                }
                _ => None,
            })
            .filter(|(_, labels)| !labels.is_empty())
            .collect();
        for (noun, labels) in types {
            let last = &self.tokens[noun.end - 1];
            if inflection::is_plural(&last.lower) {
                continue;
            }
            if self.is_definite(noun.start) && is_about(word(self.tokens, noun.end)) {
                found.extend(self.ending_behind(noun.start, noun.end + 1, &labels));
            }
            found.extend(self.before(&noun, &labels));
        }
        for verb in self.head.lead..self.tokens.len() {
            let labels = self.lexicon.pages_by_verb(&self.tokens[verb]);
            if !labels.is_empty() && matches!(word(self.tokens, verb + 1), "to" | "on" | "about" | "against")
            {
                found.extend(self.ending_behind(self.subject_of(verb), verb + 2, labels));
            }
        }
        found
    }

    fn of_pages(&self, labels: &[Label]) -> Vec<Label> {
        labels.iter().copied().filter(|label| self.lexicon.pages.labels.contains(label)).collect()
    }

    /// The types of documents that have one of these values.
    fn pages_having(&self, values: &[(Property, Value)]) -> Vec<Label> {
        let labels = values.iter().flat_map(|(property, _)| &self.schema.property(*property).labels);
        self.of_pages(&labels.copied().collect::<Vec<Label>>())
    }

    /// Whether one document is meant: behind `the`, perhaps with an adjective between.
    fn is_definite(&self, noun: usize) -> bool {
        let is_the = |at: usize| matches!(word(self.tokens, at), "the" | "that" | "this" | "our");
        (1..=2).filter_map(|back| noun.checked_sub(back)).any(is_the)
    }

    /// Where the subject of a verb begins, behind the helping verb: `did the team decide`.
    fn subject_of(&self, verb: usize) -> usize {
        let auxiliary =
            (self.head.lead..verb).rev().take(4).find(|&at| words::is_auxiliary(&self.tokens[at].lower));
        auxiliary.map_or(verb, |at| at + 1)
    }

    /// The words from `start` on that say what a document is about, up to each that its title has.
    fn ending_behind(&self, first: usize, start: usize, labels: &[Label]) -> Vec<Span> {
        let ends = start + 1..=(start + LONGEST).min(self.tokens.len());
        ends.filter_map(|end| self.about(first..end, start..end, labels)).collect()
    }

    /// `The federated identity page`: what stands between the article and the noun.
    fn before(&self, noun: &Range<usize>, labels: &[Label]) -> Option<Span> {
        let article = (self.head.lead..noun.start)
            .rev()
            .take(6)
            .find(|&at| words::is_article(&self.tokens[at].lower))?;
        let said = article + 1..noun.start;
        (!said.is_empty()).then(|| self.about(said.start..noun.end, said, labels))?
    }

    fn about(&self, span: Range<usize>, said: Range<usize>, labels: &[Label]) -> Option<Span> {
        let tokens = self.tokens.get(said)?;
        let last = tokens.last().filter(|last| !words::is_filler(&last.lower) && !last.is_possessive())?;
        let found = self.lexicon.pages.about(self.schema, labels, tokens, self.near)?;
        let named = self.lexicon.names.exact(tokens).contains(&found.node);
        // A word of the graph behind the title may be what is asked: `the page about gates links to`.
        let own = || {
            self.lexicon.frames.is_head(&last.stem)
                || !self.lexicon.phrases(std::slice::from_ref(last)).is_empty()
        };
        let ends = found.ends_in_title || found.ends_in_text && !own();
        ends.then(|| Span {
            is_subject: !named,
            ..Span::new(
                span.start,
                span.end,
                Piece::Entity(vec![(found.node, found.share)]),
                WEIGHTS.0 + (WEIGHTS.1 - WEIGHTS.0) * found.share,
            )
        })
    }
}
