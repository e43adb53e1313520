//! Properties that sentences give: `written in Go`, `a tier 1 service`, `has 450 beds`, `the severity of X is high`.

mod descriptions;
mod events;
mod gaps;
mod holders;
mod possession;
mod scan;

use std::ops::Range;

use graphwright_core::Value;
use graphwright_ontology::DataType;

use super::{
    clauses::{GUESSED, Reader},
    collect::Status,
    context::Entity,
    fragments, grammar, inflect, modality,
    slots::Term,
    units::{Sentence, UnitKind},
    values,
};

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
            self.read_compound(sentence, at);
            self.read_period(sentence, at);
            self.read_description(sentence, at);
            self.read_size(sentence, at);
            self.read_extent(sentence, at);
            self.read_year_of_work(sentence, at);
            self.read_life_dates(sentence, at);
            self.read_life_place(sentence, at);
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

    /// A short value such as `Go` must be written as the ontology writes it.
    pub(in crate::facts) fn is_written_as(&self, sentence: &Sentence<'_>, at: usize, length: usize) -> bool {
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
        let status = holder.1.max(modality::surroundings(sentence, holder.2, last, false));
        self.give_at(sentence, &(holder.0.clone(), status, holder.2), property, value);
    }

    /// Gives a value whatever the words around say.
    fn give_at(&mut self, sentence: &Sentence<'_>, holder: &Holder, property: usize, value: &Value) {
        let owner = [self.lexicon.vocabulary.properties[property].owner];
        let (terms, status, head) = holder;
        let status = (*status).max(self.base);
        let mut found: Vec<(Entity, f64)> = Vec::new();
        for term in terms {
            found.extend(self.resolve(sentence, term, &owner, *head));
        }
        if found.is_empty() && fragments::may_mean_topic(sentence, terms) {
            found = self.resolve(sentence, &Term::Topic, &owner, *head);
        }
        for (entity, confidence) in found {
            // A name of no known type does not become a thing by a property alone.
            let sure = (confidence - GUESSED).abs() > f64::EPSILON || self.is_life_date(property);
            if sure {
                self.collector.property(&entity, property, value.clone(), status, confidence, self.span);
            }
        }
    }

    fn read_property(&mut self, sentence: &Sentence<'_>, tokens: Range<usize>, property: usize) {
        let vocabulary = self.lexicon.vocabulary;
        let definition = &vocabulary.properties[property].definition;
        let first = sentence.unit_of[tokens.start];
        let verbal = inflect::is_participle(&sentence.tokens[tokens.start].lower)
            || inflect::is_participle(&sentence.tokens[tokens.end - 1].lower)
            || grammar::is_preposition(&sentence.tokens[tokens.end - 1].lower) && tokens.len() > 1;
        if definition.kind == DataType::Boolean {
            let last = sentence.unit_of[tokens.end - 1];
            if !self.read_possession(sentence, first, last, property) {
                self.read_bare_value(sentence, tokens, property, &Value::Boolean(true));
            }
        } else if verbal && !self.is_numeric(property) {
            self.read_verbal(sentence, first, tokens.end, property);
        } else if !self.read_beside(sentence, &tokens, property) {
            self.read_owned(sentence, &tokens, property);
            if verbal || self.is_event(property) && grammar::is_past(&sentence.tokens[tokens.start].lower) {
                self.read_verbal(sentence, first, tokens.end, property);
            }
        }
    }

    /// A value directly beside its word: `tier 1`, `priority high`, `450 beds`, `240 m long`, `costs £3m`.
    fn read_beside(&mut self, sentence: &Sentence<'_>, tokens: &Range<usize>, property: usize) -> bool {
        let closed = !self.lexicon.vocabulary.properties[property].definition.values.is_empty();
        if !closed && !self.is_numeric(property) {
            return false;
        }
        let owner = self.lexicon.vocabulary.properties[property].owner;
        let (first, last) = (sentence.unit_of[tokens.start], sentence.unit_of[tokens.end - 1]);
        // `costs`, `runs for`: the phrase is the verb.
        let acts = tokens.len() == 1 || grammar::is_preposition(&sentence.tokens[tokens.end - 1].lower);
        if let Some((value, end)) = self.value_at(sentence, tokens.end, property, false) {
            if !self.read_bare_value(sentence, tokens.start..end, property, &value) {
                let last = sentence.unit_of[end - 1];
                let holder = self
                    .count_holder(sentence, first, owner)
                    .or_else(|| Self::verb_holder(sentence, first, true).filter(|_| acts));
                if let Some(holder) = holder {
                    self.give(sentence, &holder, property, &value, last);
                    self.read_value_gaps(sentence, last + 1, property, holder.1);
                }
            }
            return true;
        }
        let Some((value, start)) = self.value_before(sentence, tokens.start, property) else { return false };
        if let Some(holder) = self.count_holder(sentence, sentence.unit_of[start], owner) {
            self.give(sentence, &holder, property, &value, last);
            self.read_value_gaps(sentence, last + 1, property, holder.1);
        } else {
            self.read_bare_value(sentence, start..tokens.end, property, &value);
        }
        true
    }

    /// `has a capacity of 200`, `at a cost of £3m`, `its capacity is 200`, `the capacity of X is 200`.
    fn read_owned(&mut self, sentence: &Sentence<'_>, tokens: &Range<usize>, property: usize) {
        let (first, last) = (sentence.unit_of[tokens.start], sentence.unit_of[tokens.end - 1]);
        let owner = self.lexicon.vocabulary.properties[property].owner;
        if sentence.word(last + 1) == "of"
            && let Some(start) = sentence.units.get(last + 2).map(|unit| unit.tokens.start)
            && let Some((value, end)) = self.value_at(sentence, start, property, false)
            && let Some(holder) = self.count_holder(sentence, first, owner)
        {
            self.give(sentence, &holder, property, &value, sentence.unit_of[end - 1]);
            self.read_value_gaps(sentence, sentence.unit_of[end - 1] + 1, property, holder.1);
            return;
        }
        // `had its premiere on 3 May 2021`
        if self.is_event(property)
            && matches!(sentence.word(last + 1), "on" | "in")
            && let Some(start) = sentence.units.get(last + 2).map(|unit| unit.tokens.start)
            && let Some((value, end)) = self.value_at(sentence, start, property, false)
            && let Some((holder, _)) = self.possessor(sentence, first, last)
        {
            self.give(sentence, &(holder, Status::Fact, first), property, &value, sentence.unit_of[end - 1]);
            return;
        }
        if self.lexicon.vocabulary.is_free_text(property) {
            self.read_seat(sentence, first, last, property);
        }
        if let Some((holder, from)) = self.possessor(sentence, first, last) {
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
                || is_amounting(word)
                || matches!(word, "remains" | "stands" | "became"))
        {
            while sentence.is_word(at)
                && (grammar::is_auxiliary(sentence.word(at))
                    || grammar::is_adverbial(sentence.word(at))
                    || grammar::is_negation(sentence.word(at))
                    || is_amounting(sentence.word(at))
                    || matches!(
                        sentence.word(at),
                        "remains"
                            | "at"
                            | "stands"
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
                    || grammar::is_past_be(word) && !self.past_holds(property)
                    || grammar::is_former_adverb(word)
                {
                    status = status.max(Status::NotCurrent);
                }
                at += 1;
            }
        } else if matches!(word, ":" | "of") || word == "," && self.is_numeric(property) {
            // `the cost of X, £3m, …`
            at += 1;
        } else {
            return;
        }
        // `its summit is Cloud Peak (1,506 m)`
        let named = self.is_numeric(property) && sentence.name_at(at).is_some();
        at += if named && sentence.word(at + 1) == "(" { 2 } else { 0 };
        let Some(start) = sentence.units.get(at).map(|unit| unit.tokens.start) else { return };
        if let Some((value, end)) = self.value_at(sentence, start, property, true) {
            let last = sentence.unit_of[end - 1];
            self.give(sentence, &(holder.to_vec(), status, from), property, &value, last);
        }
    }

    /// `a 240-metre bridge`, `the 900-seat X`.
    fn read_compound(&mut self, sentence: &Sentence<'_>, at: usize) {
        if !sentence.tokens[at].lower.contains('-') {
            return;
        }
        for property in 0..self.lexicon.vocabulary.properties.len() {
            if let Some(value) = self.compound(sentence, at, property) {
                self.read_bare_value(sentence, at..at + 1, property, &value);
            }
        }
    }

    fn is_event(&self, property: usize) -> bool {
        matches!(
            self.lexicon.vocabulary.properties[property].definition.kind,
            DataType::Date | DataType::DateTime
        )
    }

    /// Whether a value given in the simple past is so still: a date, what was paid or counted once, and whatever is told
    /// of an event.
    fn past_holds(&self, property: usize) -> bool {
        let entry = &self.lexicon.vocabulary.properties[property];
        let once = |word: &String| is_once(word);
        self.is_event(property)
            || entry.phrases.iter().filter_map(|phrase| phrase.last()).any(once)
            || self.lexicon.vocabulary.types[entry.owner].event
    }

    /// A value that stands as an adjective or predicate: `a Go service`, `X is deprecated`, `the tier 1 service X`.
    fn read_bare_value(
        &mut self,
        sentence: &Sentence<'_>,
        tokens: Range<usize>,
        property: usize,
        value: &Value,
    ) -> bool {
        let (first, last) = (sentence.unit_of[tokens.start], sentence.unit_of[tokens.end - 1]);
        let owner = self.lexicon.vocabulary.properties[property].owner;
        // A word of a name says nothing: `Halden Energy` may be a bakery.
        if let UnitKind::Name(mention) = sentence.units[last].kind
            && tokens.end > sentence.mentions[mention].tokens.start
        {
            return false;
        }
        let Some((terms, status, head)) = self
            .modified(sentence, first, last, owner)
            .or_else(|| Self::predicated(sentence, first, last))
            .or_else(|| Self::apposed(sentence, first, last))
            .or_else(|| Self::adjectival(sentence, first))
        else {
            return false;
        };
        if *value == Value::Boolean(true) && status == Status::Negated {
            self.give(sentence, &(terms, Status::Fact, head), property, &Value::Boolean(false), last);
            return true;
        }
        self.give(sentence, &(terms, status, head), property, value, last);
        self.read_value_gaps(sentence, last + 1, property, status);
        true
    }
}

graphwright_english::word_class! {
    /// Verbs before the amount that a noun reached: `turnover rose to £3m`.
    pub(in crate::facts) is_amounting:
    "amounts" "amounted" "came" "comes" "rose" "fell" "grew" "increased" "decreased" "dropped" "totalled" "totaled" "totals"
    "reached" "reaches" "stood" "climbed" "sank" "shrank" "ran" "runs"
}

graphwright_english::word_class! {
    /// Nouns for what is paid, counted or found once, for a time that is over.
    pub(in crate::facts) is_once:
    "cost" "costs" "price" "turnover" "revenue" "sales" "profit" "loss" "expenditure" "income" "result" "score" "dose" "delay"
    "duration" "attendance" "enrolment" "enrollment" "participants" "damage" "casualties" "cause" "outcome" "endpoint"
    "yield" "output" "production" "weight" "length" "height" "width" "depth" "area"
}
