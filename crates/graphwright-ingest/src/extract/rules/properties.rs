//! Properties that sentences give: `written in Go`, `a tier 1 service`, `has 450 beds`, `the severity of X is high`.

mod holders;
mod scan;

use std::ops::Range;

use graphwright_core::Value;

use super::{
    clauses::Reader, collect::Status, context::Entity, grammar, inflect, modality, slots::Term,
    units::Sentence, values,
};
use crate::ontology::DataType;

/// Who a value belongs to, and whether the text says that it is so.
type Holder = (Vec<Term>, Status, usize);

impl Reader<'_, '_> {
    /// Reads all properties that a sentence gives.
    pub(super) fn read_properties(&mut self, sentence: &Sentence<'_>) {
        let mut at = 0;
        while at < sentence.tokens.len() {
            if let Some((length, found)) = self.lexicon.vocabulary.property_words.find(sentence.tokens, at) {
                let found: Vec<usize> = found.into_iter().copied().collect();
                for property in found {
                    self.read_property(sentence, at..at + length, property);
                }
            }
            self.read_event(sentence, at);
            self.read_life_dates(sentence, at);
            if let Some((length, found)) = self.lexicon.vocabulary.allowed_values.find(sentence.tokens, at)
                && self.is_written_as(sentence, at, length)
            {
                let found: Vec<_> = found.into_iter().copied().collect();
                for allowed in found {
                    let definition = &self.lexicon.vocabulary.properties[allowed.property].definition;
                    let value = values::from_json(&definition.values[allowed.value]);
                    self.read_bare_value(sentence, at..at + length, allowed.property, &value);
                }
            }
            at += 1;
        }
    }

    /// The years of birth and death in a bracket after a name: `Ada Roe (1812–1870)`.
    fn read_life_dates(&mut self, sentence: &Sentence<'_>, at: usize) {
        let open = sentence.unit_of[at];
        if sentence.tokens[at].lower != "(" || open == 0 {
            return;
        }
        let Some(mention) = sentence.name_at(open - 1) else { return };
        let Some(length) = sentence.tokens[at + 1..].iter().take(4).position(|token| token.lower == ")")
        else {
            return;
        };
        let Some((born, died)) = values::year_range(sentence.text(at + 1..at + 1 + length)) else { return };
        let mention = &sentence.mentions[mention];
        let kinds = 0..self.lexicon.vocabulary.types.len();
        let dated: Vec<_> = kinds.filter_map(|kind| self.lexicon.vocabulary.life_dates(kind)).collect();
        for properties in dated {
            let owner = [self.lexicon.vocabulary.properties[properties[0]].owner];
            let known = !mention.hits.is_empty() || !mention.kinds.is_empty();
            let Some((entity, sure)) = self.named(mention, &owner).filter(|_| known) else { continue };
            for (property, year) in properties.into_iter().zip([born, died]) {
                self.collector.property(&entity, property, Value::Integer(year), self.base, sure, self.span);
            }
        }
    }

    /// A short value such as `Go` must be written as the ontology writes it.
    fn is_written_as(&self, sentence: &Sentence<'_>, at: usize, length: usize) -> bool {
        let text = sentence.text(at..at + length);
        let Some((_, found)) = self.lexicon.vocabulary.allowed_values.find(sentence.tokens, at) else {
            return false;
        };
        found.iter().any(|allowed| {
            let value =
                &self.lexicon.vocabulary.properties[allowed.property].definition.values[allowed.value];
            let shown = value.as_str().unwrap_or("");
            !shown.starts_with(char::is_uppercase) || text.starts_with(char::is_uppercase) || shown.len() > 5
        })
    }

    /// Gives a value to all that a holder stands for.
    fn give(
        &mut self,
        sentence: &Sentence<'_>,
        holder: &Holder,
        property: usize,
        value: &Value,
        last: usize,
    ) {
        let owner = [self.lexicon.vocabulary.properties[property].owner];
        let (terms, status, head) = holder;
        let status = (*status).max(modality::surroundings(sentence, *head, last, false)).max(self.base);
        let mut found: Vec<(Entity, f64)> = Vec::new();
        for term in terms {
            found.extend(self.resolve(sentence, term, &owner, *head));
        }
        for (entity, confidence) in found {
            // A name of no known type does not become a thing by a property alone.
            let sure =
                (confidence - 0.9).abs() > f64::EPSILON || matches!(terms[0], Term::Topic | Term::First);
            if sure {
                self.collector.property(&entity, property, value.clone(), status, confidence, self.span);
            }
        }
    }

    fn read_property(&mut self, sentence: &Sentence<'_>, tokens: Range<usize>, property: usize) {
        let vocabulary = self.lexicon.vocabulary;
        let definition = &vocabulary.properties[property].definition;
        let (first, last) = (sentence.unit_of[tokens.start], sentence.unit_of[tokens.end - 1]);
        let verbal = inflect::is_participle(&sentence.tokens[tokens.start].lower)
            || grammar::is_preposition(&sentence.tokens[tokens.end - 1].lower) && tokens.len() > 1;
        if definition.kind == DataType::Boolean {
            self.read_bare_value(sentence, tokens, property, &Value::Boolean(true));
            return;
        }
        if verbal {
            self.read_verbal(sentence, first, tokens.end, property);
            return;
        }
        // `tier 1`, `priority high`, `rated severity 2`.
        if let Some((value, end)) = self.value_at(sentence, tokens.end, property, false)
            && (!definition.values.is_empty()
                || matches!(definition.kind, DataType::Integer | DataType::Float))
        {
            self.read_bare_value(sentence, tokens.start..end, property, &value);
            return;
        }
        // `450 beds`, `high priority`.
        if let Some((value, start)) = self.value_before(sentence, tokens.start, property) {
            if let Some(holder) = Self::holder_of_count(sentence, sentence.unit_of[start]) {
                self.give(sentence, &holder, property, &value, last);
            } else {
                self.read_bare_value(sentence, start..tokens.end, property, &value);
            }
            return;
        }
        // `has a capacity of 200`, `with a capacity of 200`.
        let mut at = last + 1;
        if matches!(sentence.word(at), "of" | "is" | ":") {
            at += 1;
        }
        if sentence.word(last + 1) == "of"
            && let Some(start) = sentence.units.get(at).map(|unit| unit.tokens.start)
            && let Some((value, end)) = self.value_at(sentence, start, property, false)
            && let Some(holder) = Self::holder_of_count(sentence, first)
        {
            let end_unit = sentence.unit_of[end - 1];
            self.give(sentence, &holder, property, &value, end_unit);
            return;
        }
        if let Some((holder, from)) = Self::possessor(sentence, first, last) {
            self.read_possessed(sentence, &holder, from, property);
        }
    }

    /// `X's W is V`, `the W of X is V`.
    fn read_possessed(&mut self, sentence: &Sentence<'_>, holder: &[Term], from: usize, property: usize) {
        let mut at = from;
        let word = sentence.word(at);
        let mut status = Status::Fact;
        if sentence.is_word(at)
            && (grammar::is_be(word)
                || grammar::is_auxiliary(word)
                || grammar::is_adverbial(word)
                || matches!(word, "remains" | "stands" | "amounts" | "became"))
        {
            while sentence.is_word(at)
                && (grammar::is_auxiliary(sentence.word(at))
                    || grammar::is_adverbial(sentence.word(at))
                    || grammar::is_negation(sentence.word(at))
                    || matches!(
                        sentence.word(at),
                        "remains"
                            | "at"
                            | "stands"
                            | "amounts"
                            | "to"
                            | "set"
                            | "rated"
                            | "listed"
                            | "as"
                            | "became"
                            | "given"
                            | "about"
                            | "in"
                            | "on"
                    ))
            {
                let word = sentence.word(at);
                if grammar::is_negation(word) || word.ends_with("n't") {
                    status = Status::Negated;
                } else if grammar::is_modal(word)
                    || grammar::is_past_be(word) && !self.is_event(property)
                    || grammar::is_former_adverb(word)
                {
                    status = status.max(Status::NotCurrent);
                }
                at += 1;
            }
        } else if matches!(word, ":" | "of") {
            at += 1;
        } else {
            return;
        }
        let Some(start) = sentence.units.get(at).map(|unit| unit.tokens.start) else { return };
        if let Some((value, end)) = self.value_at(sentence, start, property, true) {
            let last = sentence.unit_of[end - 1];
            self.give(sentence, &(holder.to_vec(), status, from), property, &value, last);
        }
    }

    /// `launched on 3 May 2021`, `written in Go`.
    fn read_verbal(&mut self, sentence: &Sentence<'_>, head: usize, after: usize, property: usize) {
        if !sentence.is_word(head) {
            return;
        }
        let mut start = after;
        for _ in 0..2 {
            let word = sentence.tokens.get(start).map_or("", |token| token.lower.as_str());
            if matches!(word, "on" | "in" | "at" | "since" | "as" | "from" | "to" | "by" | "the")
                || grammar::is_adverbial(word)
            {
                start += 1;
            }
        }
        let Some((value, end)) = self.value_at(sentence, start, property, false) else { return };
        let Some(holder) = Self::verb_holder(sentence, head, true) else { return };
        self.give(sentence, &holder, property, &value, sentence.unit_of[end - 1]);
    }

    /// Verbs of properties that are dates or years: `launch_date` and `launched on …`.
    fn read_event(&mut self, sentence: &Sentence<'_>, at: usize) {
        let Some(properties) = self.lexicon.vocabulary.event_verbs.get(&sentence.tokens[at].lower) else {
            return;
        };
        let head = sentence.unit_of[at];
        for property in properties.clone() {
            self.read_verbal(sentence, head, at + 1, property);
        }
    }

    fn is_event(&self, property: usize) -> bool {
        matches!(
            self.lexicon.vocabulary.properties[property].definition.kind,
            DataType::Date | DataType::DateTime
        )
    }

    /// A value that stands as an adjective or predicate: `a Go service`, `X is deprecated`, `the tier 1 service X`.
    fn read_bare_value(
        &mut self,
        sentence: &Sentence<'_>,
        tokens: Range<usize>,
        property: usize,
        value: &Value,
    ) {
        let (first, last) = (sentence.unit_of[tokens.start], sentence.unit_of[tokens.end - 1]);
        let owner = self.lexicon.vocabulary.properties[property].owner;
        let Some((terms, status, head)) =
            self.modified(sentence, first, last, owner).or_else(|| Self::predicated(sentence, first, last))
        else {
            return;
        };
        if *value == Value::Boolean(true) && status == Status::Negated {
            self.give(sentence, &(terms, Status::Fact, head), property, &Value::Boolean(false), last);
            return;
        }
        self.give(sentence, &(terms, status, head), property, value, last);
    }
}
