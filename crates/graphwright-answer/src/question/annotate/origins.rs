//! Where somebody or something is from: `European` of what is in Europe, `from Europe` of what is European; verbs before a date, and after `where`.

use graphwright_english::{
    inflection,
    questions::{Token, tokenize, word},
    thesaurus,
};

use super::{Annotator, Piece, Span, push_senses};
use crate::{
    lexicon::{Meaning, Reading, Shape},
    schema::{Content, Kind, Property},
};

/// How well such an adjective says the place.
const WEIGHT: f64 = 0.95;

impl Annotator<'_> {
    /// Adds places that the graph knows by their names or as values, where it has no other word for it: `South American` →
    /// `South America`; and what is called as from a place: `from Brazil` → `Brazilian`, also where something else is there.
    pub(super) fn origin_spans(&self, first: usize, end: usize, spans: &mut Vec<Span>) {
        let said = &self.tokens[first..end];
        let Some((last, before)) = said.split_last().filter(|(last, _)| last.is_capital()) else { return };
        let is_known = !self.lexicon.values(said).is_empty() || !self.lexicon.names.exact(said).is_empty();
        let places = if is_known { Vec::new() } else { thesaurus::places_of_origin(&last.lower) };
        for place in places {
            let words: Vec<Token> = before.iter().cloned().chain(tokenize(&place)).collect();
            self.push_origin(&words, (first, end), spans);
            self.code_spans(&words, (first, end), spans);
        }
        if word(self.tokens, first.wrapping_sub(1)) == "from" {
            let place: Vec<&str> = said.iter().map(|token| token.lower.as_str()).collect();
            for adjective in thesaurus::adjectives_of_origin(&place.join(" ")) {
                self.push_origin(&tokenize(&adjective), (first, end), spans);
            }
        }
    }

    /// Adds what the graph knows by other words for those of a span.
    fn push_origin(&self, words: &[Token], (first, end): (usize, usize), spans: &mut Vec<Span>) {
        let mut values = self.lexicon.values(words);
        for value in &mut values {
            value.weight *= WEIGHT;
        }
        push_senses(spans, first, end, &values);
        self.push_named(words, (first, end), spans);
    }

    /// Adds what is called by other words than those of a span.
    pub(super) fn push_named(&self, words: &[Token], (first, end): (usize, usize), spans: &mut Vec<Span>) {
        let named = self.lexicon.names.exact(words);
        if !named.is_empty() {
            let nodes = named.into_iter().map(|node| (node, 1.0)).collect();
            spans.push(Span::new(first, end, Piece::Entity(nodes), WEIGHT));
        }
    }

    /// `Where was Ada born`: no year, but what else is told of her birth, by texts or by relationships.
    pub(super) fn put_places(&self, spans: &mut [Span]) {
        if self.tokens.first().is_none_or(|token| token.lower != "where") {
            return;
        }
        for span in spans {
            let Piece::Property(properties) = &span.piece else { continue };
            let measured = || {
                properties.iter().filter(|property| self.schema.property(**property).content != Content::Text)
            };
            let texts: Vec<Property> =
                measured().flat_map(|property| self.schema.texts_beside(*property)).collect();
            let kinds: Vec<Kind> =
                measured().flat_map(|property| self.schema.kinds_beside(*property)).collect();
            if !kinds.is_empty() {
                let reading = |kind| Reading { kind, subject_is_start: true, weight: span.weight };
                span.piece = Piece::Relation(Shape::Verb, kinds.into_iter().map(reading).collect());
            } else if !texts.is_empty() {
                span.piece = Piece::Property(texts);
            }
        }
    }

    /// `Born before 1930`, where the graph has both where and when somebody was born: before a date, the verb says the date.
    pub(super) fn dated_verb_spans(&self, spans: &mut Vec<Span>) {
        let is_dated = |at: usize| {
            spans
                .iter()
                .any(|span| span.first == at && matches!(span.piece, Piece::Time(..) | Piece::Month(_)))
        };
        let verbs = (self.head.lead..self.tokens.len()).filter(|&at| {
            inflection::is_participle(&self.tokens[at].lower)
                && is_dated(at + 1)
                && spans
                    .iter()
                    .any(|span| span.first == at && matches!(span.piece, Piece::Relation(Shape::Verb, _)))
        });
        let mut found = Vec::new();
        for at in verbs {
            let mut senses = self.lexicon.properties_by_thesaurus(&self.tokens[at]);
            senses.retain(|sense| {
                matches!(sense.meaning, Meaning::Property(property) if self.schema.is_date_like(property))
            });
            for sense in &mut senses {
                sense.weight = WEIGHT;
            }
            push_senses(&mut found, at, at + 1, &senses);
        }
        spans.extend(found);
    }
}
