//! Words that are a part of a longer name.

use graphwright_english::{
    inflection,
    questions::{Token, word},
    words,
};

use graphwright_retrieve::NodeIndex;

use super::{Annotator, Piece, Span, push_senses};
use crate::{question::Form, schema::Label};

/// More values that begin alike are not meant by their first word.
const MOST_VALUES: usize = 8;
/// So many things are called by the same words at most.
const MOST_CALLED: usize = 1_000;
/// How well words say which things of a type are meant, of whose names they are a part.
const CALLED: f64 = 0.9;
/// How well the first word says a value.
const BEGINNING: f64 = 0.8;

impl Annotator<'_> {
    /// Runs of words that are part of a longer name.
    pub(super) fn partial_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let names = &self.lexicon.names;
        let mut found: Option<Span> = None;
        if self.is_predicate(first) {
            return;
        }
        for end in first + 1..=(first + names.longest).min(self.tokens.len()) {
            let words = &self.tokens[first..end];
            let last = &words[words.len() - 1];
            if words[0].is_possessive() || last.is_possessive() || words::is_filler(&words[0].lower) {
                break;
            }
            // `The most`, `the last` rank, unless they are written as a name: `Top` at the beginning is not.
            let is_written_small = |at: usize| at == 0 || !self.tokens[at].is_capital();
            let ranks = (first..end).all(is_written_small) && self.extreme(&self.tokens[first..]).is_some();
            if words::is_filler(&last.lower) || ranks {
                continue;
            }
            let telling = words.iter().any(|token| token.is_capital() || token.has_digit());
            let limit = if telling { 8 } else { 3 };
            let whole = spans.iter().any(|span| {
                let is_value = matches!(span.piece, Piece::Value(_)) && words.iter().any(Token::is_capital);
                span.has(first)
                    && span.end >= end
                    && (span.weight >= 1.0 && span.is_entity() || span.weight >= 0.9 && is_value)
            });
            let nodes = names.partial(words, limit);
            // `Which states` asks for several things, and is no part of the name of one.
            let are_asked = !telling
                && self.is_asked_for(first)
                && inflection::is_plural(&last.lower)
                && nodes.iter().all(|(_, share)| *share < 1.0);
            if nodes.is_empty() || whole || are_asked {
                continue;
            }
            if names.exact(words).is_empty() {
                let share = nodes.iter().map(|node| node.1).fold(0.0, f64::max);
                let known = words.len() == 1
                    && (self.lexicon.frames.is_head(&last.stem) || !self.lexicon.phrases(words).is_empty());
                let weight = if telling { 0.72 + 0.2 * share } else { 0.35 + 0.35 * share };
                let weight = if known { weight - 0.35 } else { weight };
                found = Some(Span::new(first, end, Piece::Entity(nodes), weight));
            }
        }
        if found.is_none() {
            self.beginning_spans(first, spans);
        }
        self.called_spans(first, spans);
        spans.extend(found);
    }

    /// Whether a small word is a verb right behind its plural subject: `tracks run longer`.
    pub(super) fn is_predicate(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        !token.is_capital()
            && token.quote.is_none()
            && words::is_likely_verb(&token.lower)
            && before
                .is_some_and(|before| inflection::is_plural(&before.lower) && self.lexicon.has_type(before))
    }

    /// Words that are a part of the names of several things of a type, beside the word for it: `stops on Mill Street`.
    fn called_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let token = &self.tokens[first];
        if token.is_possessive() || words::is_filler(&token.lower) || words::is_question_word(&token.lower) {
            return;
        }
        for end in first + 1..=(first + self.lexicon.names.longest).min(self.tokens.len()) {
            let words = &self.tokens[first..end];
            let telling =
                words.iter().any(|token| token.is_capital() || token.has_digit()) || words.len() > 2;
            let labels: Vec<Label> = self.types_beside(first, end, spans).collect();
            if !telling || labels.is_empty() || words::is_filler(&words[words.len() - 1].lower) {
                continue;
            }
            let mut nodes = self.lexicon.names.with_words(words, MOST_CALLED);
            nodes.retain(|node| self.schema.is_of(*node, &labels));
            if nodes.len() > 1 && self.lexicon.names.exact(words).is_empty() {
                spans.push(Span::new(first, end, Piece::Called(nodes), CALLED));
            }
        }
    }

    /// `The canton of Mons`, where a canton is called so: no canton that something else called Mons has.
    pub(super) fn titled_spans(&self, spans: &mut Vec<Span>) {
        let is_asked = |at: usize| matches!(word(self.tokens, at.wrapping_sub(1)), "which" | "what");
        let is_value = |span: &Span| matches!(span.piece, Piece::Value(_));
        let mut found = Vec::new();
        for title in spans.iter().filter(|span| !is_asked(span.first)) {
            let Piece::Type(labels) = &title.piece else { continue };
            let are_several = inflection::is_plural(&self.tokens[title.end - 1].lower);
            if are_several || !matches!(word(self.tokens, title.end), "of" | "called" | "named") {
                continue;
            }
            let named = spans.iter().filter(|span| span.first == title.end + 1);
            let mut ends: Vec<usize> =
                named.filter(|span| span.is_entity() || is_value(span)).map(|span| span.end).collect();
            ends.dedup();
            for end in ends {
                let words = &self.tokens[title.end + 1..end];
                let of_type = |nodes: Vec<NodeIndex>| -> Vec<NodeIndex> {
                    nodes.into_iter().filter(|node| self.schema.is_of(*node, labels)).collect()
                };
                let mut own = of_type(self.lexicon.names.exact(words));
                if own.is_empty() {
                    own = of_type(self.lexicon.names.with_words(words, MOST_CALLED));
                    if own.len() > 1 {
                        own.clear();
                    }
                }
                if !own.is_empty() {
                    let nodes = own.into_iter().map(|node| (node, 1.0)).collect();
                    found.push(Span::new(title.first, end, Piece::Entity(nodes), 1.0));
                }
            }
        }
        spans.extend(found);
    }

    /// The types of which a word stands before a span, with a preposition of place between, or directly behind it.
    fn types_beside<'s>(
        &'s self,
        first: usize,
        end: usize,
        spans: &'s [Span],
    ) -> impl Iterator<Item = Label> + 's {
        let between = word(self.tokens, first.wrapping_sub(1));
        let is_beside = move |span: &&Span| {
            let is_behind = span.end + 1 == first
                && (words::is_preposition_of_place(between) || matches!(between, "called" | "named"));
            // `The Silver Street station` is one.
            let are_several = || inflection::is_plural(&self.tokens[span.end - 1].lower);
            is_behind || span.first == end && are_several()
        };
        spans
            .iter()
            .filter(is_beside)
            .flat_map(|span| match &span.piece {
                Piece::Type(labels) => labels.as_slice(),
                _ => &[],
            })
            .copied()
    }

    /// Values of which the question has the first words only: `Bombardier` for `BOMBARDIER INC`.
    fn beginning_spans(&self, first: usize, spans: &mut Vec<Span>) {
        // `Union` of `European Union` is a part of another name.
        let is_name = |at: &usize| self.tokens.get(*at).is_some_and(Token::is_capital);
        let end = (first..self.tokens.len()).take_while(is_name).last().map_or(first, |last| last + 1);
        let begins = first > self.head.lead && end > first && !is_name(&(first - 1));
        let says = || (first..end).any(|at| !words::is_filler(&self.tokens[at].lower));
        let is_open = |spans: &[Span]| !(first..end).any(|at| spans.iter().any(|span| span.has(at)));
        if begins && says() && self.head.form != Form::Truth && is_open(spans) {
            let mut values = self.lexicon.values_beginning_with(&self.tokens[first..end], MOST_VALUES);
            for value in &mut values {
                value.weight = BEGINNING;
            }
            push_senses(spans, first, end, &values);
        }
    }
}
