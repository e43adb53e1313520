//! What words mean that the graph's own vocabulary does not have: by general English, as somebody, or as what is had.

use graphwright_english::{inflection, questions::word, words};

use super::{Annotator, Piece, Place, Span, push_senses};
use crate::{lexicon::Meaning, question::Form};

/// How well an unknown verb says that one thing has another.
const HAVING: f64 = 0.7;

impl Annotator<'_> {
    /// What general English has for a word that the graph's own vocabulary does not have.
    pub(super) fn neighbour_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let token = &self.tokens[first];
        if self.takes_place(first) {
            return;
        }
        push_senses(spans, first, first + 1, &self.lexicon.types_by_thesaurus(token));
        let mut properties = self.lexicon.properties_by_thesaurus(token);
        // When the record of it was `created` is not what somebody made.
        let asks_what = self.head.form == Form::Which && self.head.date_word.is_none();
        let is_dated = spans.iter().any(|span| matches!(span.piece, Piece::Time(..) | Piece::Month(_)));
        if asks_what && !is_dated && words::is_likely_verb(&token.lower) {
            properties.retain(|sense| !matches!(sense.meaning, Meaning::Property(property) if self.schema.is_date_like(property)));
        }
        push_senses(spans, first, first + 1, &properties);
        spans.extend(self.having(first));
        let noun = inflection::singular(&token.lower);
        let place = match &*noun {
            noun if words::is_human(noun) && words::is_somebody(noun) => Place::People,
            noun if words::is_somebody(noun) => Place::Who,
            noun if words::is_somewhere(noun) => Place::Where,
            _ => return,
        };
        // `Took the place of it`, where the graph has no places.
        if !place.labels(self.schema).is_empty() {
            spans.push(Span::new(first, first + 1, Piece::Someone(place), 0.85));
        }
    }

    /// `Which languages are spoken in Kenya`, where Kenya has languages. It is no ground to say yes or no: what is had may
    /// also be sold.
    fn having(&self, first: usize) -> Option<Span> {
        let asks_what = matches!(self.head.form, Form::Which | Form::Count);
        let is_verb = !self.tokens[first].is_capital() && !self.is_noun_by_place(first);
        let readings = self.lexicon.frames.having();
        let end = first + 1 + usize::from(words::is_preposition(word(self.tokens, first + 1)));
        (asks_what && is_verb && !readings.is_empty())
            .then(|| Span::new(first, end, Piece::Having(readings), HAVING))
    }

    /// `How much was invoice 306`: its price, or what else is an amount, where no other property is spoken of.
    pub(super) fn amount_spans(&self, spans: &mut Vec<Span>) {
        let how_much = (1..self.tokens.len()).find(|&at| {
            word(self.tokens, at) == "much"
                && word(self.tokens, at - 1) == "how"
                && words::is_auxiliary(word(self.tokens, at + 1))
        });
        let speaks_of_other = spans.iter().any(|span| matches!(span.piece, Piece::Property(_)));
        if let Some(much) = how_much.filter(|_| !speaks_of_other) {
            self.neighbour_spans(much, spans);
        }
    }
}
