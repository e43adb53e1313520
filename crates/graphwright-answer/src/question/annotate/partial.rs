//! Words that are a part of a longer name.

use graphwright_english::{questions::Token, words};

use super::{Annotator, Piece, Span, push_senses};
use crate::question::Form;

/// More values that begin alike are not meant by their first word.
const MOST_VALUES: usize = 8;
/// How well the first word says a value.
const BEGINNING: f64 = 0.8;

impl Annotator<'_> {
    /// Runs of words that are part of a longer name.
    pub(super) fn partial_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let names = &self.lexicon.names;
        let mut found: Option<Span> = None;
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
            if nodes.is_empty() || whole {
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
        spans.extend(found);
    }

    /// Values of which the question has the first word only: `Bombardier` for `BOMBARDIER INC`.
    fn beginning_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let token = &self.tokens[first];
        // `Union` of `European Union` is a part of another name.
        let is_part = |at: usize| self.tokens.get(at).is_some_and(Token::is_capital);
        let alone = first > self.head.lead && !is_part(first - 1) && !is_part(first + 1);
        let is_name = alone && token.is_capital() && !words::is_filler(&token.lower);
        if is_name && self.head.form != Form::Truth && !spans.iter().any(|span| span.has(first)) {
            let mut values = self.lexicon.values_beginning_with(token, MOST_VALUES);
            for value in &mut values {
                value.weight = BEGINNING;
            }
            push_senses(spans, first, first + 1, &values);
        }
    }
}
