//! Dates and years of events: `opened on 3 May 2021`, `born in 1880`, `(1880–1951)`, `from 3 May to 6 June 2021`.

use graphwright_core::Value;
use graphwright_ontology::DataType;

use super::{Holder, descriptions::is_place};
use crate::facts::{
    clauses::{Reader, relative_before},
    collect::Status,
    grammar,
    inflect::Form,
    lives, modality,
    slots::{self, Term},
    tokens::Token,
    units::Sentence,
    vocabulary,
};

impl Reader<'_, '_> {
    /// `launched on 3 May 2021`, `written in Go`.
    pub(super) fn read_verbal(
        &mut self,
        sentence: &Sentence<'_>,
        head: usize,
        after: usize,
        property: usize,
    ) {
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
        let found = self.value_at(sentence, start, property, false);
        let dated = self.is_event(property) || self.is_year(property);
        let found = found
            .or_else(|| self.date_behind(sentence, after, property).filter(|_| dated))
            .or_else(|| self.date_in_front(sentence, head, property).filter(|_| dated));
        let Some((value, end)) = found else {
            // `A and B were opened by X, the former in 1901 and the latter in 1904`
            let comma = (head..sentence.units.len()).take(8).find(|unit| sentence.word(*unit) == ",");
            if let Some(comma) = comma.filter(|_| dated) {
                self.read_value_gaps(sentence, comma, property, Status::Fact);
            }
            return;
        };
        let Some(holder) = Self::verb_holder(sentence, head, true) else { return };
        let holder = self.object_holder(sentence, head, property).unwrap_or(holder);
        self.give(sentence, &holder, property, &value, sentence.unit_of[end - 1].max(head));
        self.read_value_gaps(sentence, sentence.unit_of[end - 1] + 1, property, holder.1);
    }

    /// The thing that an active verb makes, where the property is its: `X founded Y in 1968`.
    fn object_holder(&self, sentence: &Sentence<'_>, head: usize, property: usize) -> Option<Holder> {
        let group = modality::group(sentence, head);
        if group.be {
            return None;
        }
        let owner = [self.lexicon.vocabulary.properties[property].owner];
        let objects =
            slots::objects(self.lexicon, sentence, head + 1 + usize::from(sentence.word(head + 1) == "up"));
        // `X, which Y founded in 1872`
        let relative = || {
            let relative = relative_before(sentence, group.start)?;
            let led = matches!(sentence.word(relative), "which" | "that");
            slots::antecedent(sentence, relative).into_iter().next().filter(|_| led)
        };
        let only = match objects.terms.as_slice() {
            [(term, _)] => Some(term.clone()),
            [] => relative(),
            _ => None,
        };
        let term = &only?;
        if self.resolve(sentence, term, &owner, head).is_empty() {
            return None;
        }
        let status = modality::read_verb(sentence, head, Form::PAST | Form::PARTICIPLE, &group, true)?.status;
        Some((vec![term.clone()], status, head))
    }

    /// Whether a property is a year or day of birth or death that only one type has: who is born is of that type.
    pub(super) fn is_life_date(&self, property: usize) -> bool {
        ["born", "died"].iter().any(|verb| {
            let properties = self.lexicon.vocabulary.event_verbs.get(*verb);
            properties.is_some_and(|properties| properties.as_slice() == [property])
        })
    }

    fn is_year(&self, property: usize) -> bool {
        let entry = &self.lexicon.vocabulary.properties[property];
        vocabulary::is_year(&entry.phrases, &entry.definition)
    }

    /// The date later in the same part of the sentence: `opened to the public on 3 May 2021`.
    fn date_behind(&self, sentence: &Sentence<'_>, after: usize, property: usize) -> Option<(Value, usize)> {
        for at in after..(after + 12).min(sentence.tokens.len()) {
            let token = &sentence.tokens[at];
            if matches!(token.lower.as_str(), "on" | "in" | "since")
                && let Some(found) = self.value_at(sentence, at + 1, property, false)
            {
                return Some(found);
            }
            // `published by X 1937.`
            let closes = sentence.tokens.get(at + 1).is_none_or(|next| next.punctuation);
            if closes
                && at > after
                && modality::is_year(&token.lower)
                && sentence.name_at(sentence.unit_of[at - 1]).is_some()
                && let Some(found) = self.value_at(sentence, at, property, false)
            {
                return Some(found);
            }
            let later =
                sentence.tokens.get(at + 1).is_some_and(|next| matches!(next.lower.as_str(), "in" | "on"));
            let stops = token.punctuation && !(token.lower == "," && later)
                || grammar::is_negation(&token.lower)
                || matches!(token.lower.as_str(), "and" | "but" | "or")
                || grammar::is_relative(&token.lower)
                || grammar::is_auxiliary(&token.lower)
                || self.lexicon.vocabulary.event_verbs.contains_key(&token.lower);
            if stops {
                return None;
            }
        }
        None
    }

    /// The date that the sentence begins with: `On 3 May 2021 X was opened`.
    fn date_in_front(&self, sentence: &Sentence<'_>, head: usize, property: usize) -> Option<(Value, usize)> {
        if !matches!(sentence.word(0), "on" | "in") {
            return None;
        }
        let first = sentence.units[0].tokens.end..sentence.units[head].tokens.start;
        let others = first.clone().any(|at| {
            let word = &sentence.tokens[at].lower;
            self.lexicon.vocabulary.event_verbs.contains_key(word)
                || grammar::is_relative(word)
                || matches!(word.as_str(), "and" | "but" | ";")
        });
        if others || first.len() > 14 {
            return None;
        }
        self.value_at(sentence, first.start, property, false)
    }

    /// Verbs of properties that are dates or years: `launch_date` and `launched on …`.
    pub(super) fn read_event(&mut self, sentence: &Sentence<'_>, at: usize) {
        self.read_founding_place(sentence, at);
        let word = &sentence.tokens[at].lower;
        // `set up in 1872` tells of the founding.
        let sets_up = is_set_up(sentence, at);
        let verb = if sets_up { "founded" } else { word };
        let Some(properties) = self.lexicon.vocabulary.event_verbs.get(verb) else { return };
        let head = sentence.unit_of[at];
        for property in properties.clone() {
            self.read_verbal(sentence, head, at + 1 + usize::from(sets_up), property);
        }
    }

    /// `founded in Kelder in 1841`: the place of a thing, where its type has a property for one.
    fn read_founding_place(&mut self, sentence: &Sentence<'_>, at: usize) {
        if !is_founding(&sentence.tokens[at].lower) && !is_set_up(sentence, at) {
            return;
        }
        let Some(place) = place_behind(sentence, at + 1) else { return };
        let named = sentence.name_at(sentence.unit_of[place.start]).map(|name| &sentence.mentions[name]);
        if named.is_some_and(|mention| !mention.is_unknown()) {
            return;
        }
        let vocabulary = self.lexicon.vocabulary;
        let head = sentence.unit_of[at];
        let text = Value::String(sentence.text(place.clone()).to_owned());
        for kind in (0..vocabulary.types.len()).filter(|kind| !vocabulary.types[*kind].human) {
            let Some(property) = self.text_property_of(kind, is_place) else { continue };
            let holder = self.object_holder(sentence, head, property);
            if let Some(holder) = holder.or_else(|| Self::verb_holder(sentence, head, true)) {
                self.give(sentence, &holder, property, &text, sentence.unit_of[place.end - 1]);
            }
        }
    }

    /// `born in Kelder in 1905`, `died at Kelder`: the place, where a type has a property for it.
    pub(super) fn read_life_place(&mut self, sentence: &Sentence<'_>, at: usize) {
        let found = self.lexicon.vocabulary.life_places(&sentence.tokens[at].lower);
        let head = sentence.unit_of[at];
        for property in found {
            let Some(place) = place_behind(sentence, at + 1) else { continue };
            let Some(holder) = Self::verb_holder(sentence, head, true) else { continue };
            let value = Value::String(sentence.text(place.clone()).to_owned());
            self.give(sentence, &holder, property, &value, sentence.unit_of[place.end - 1]);
        }
    }

    /// The years of birth and death in a bracket after a name: `Ada Roe (1812–1870)`.
    pub(super) fn read_life_dates(&mut self, sentence: &Sentence<'_>, at: usize) {
        let open = sentence.unit_of[at];
        if sentence.tokens[at].lower != "(" || open == 0 {
            return;
        }
        let Some(mention) = sentence.name_at(open - 1) else { return };
        let Some(length) = sentence.tokens[at + 1..].iter().take(16).position(|token| token.lower == ")")
        else {
            return;
        };
        let Some(life) = lives::read(sentence.text(at + 1..at + 1 + length)) else { return };
        let mention = &sentence.mentions[mention];
        let kinds = 0..self.lexicon.vocabulary.types.len();
        let dated: Vec<_> = kinds.filter_map(|kind| self.lexicon.vocabulary.life_dates(kind)).collect();
        for properties in dated {
            let owner = [self.lexicon.vocabulary.properties[properties[0]].owner];
            let known =
                !mention.hits.is_empty() || !mention.kinds.is_empty() || self.is_life_date(properties[0]);
            if let Some((entity, sure)) = self.named(mention, &owner).filter(|_| known) {
                self.collector.life(&entity, &life, (self.base, sure), self.span);
            }
        }
    }

    /// `X is a silent film of 1928`, `X, a novel from 1902`, `X is a 1928 film`: the year of a work.
    pub(super) fn read_year_of_work(&mut self, sentence: &Sentence<'_>, at: usize) {
        let vocabulary = self.lexicon.vocabulary;
        let Some(year) = sentence.tokens.get(at).filter(|token| modality::is_year(&token.lower)) else {
            return;
        };
        let unit = sentence.unit_of[at];
        let Some(before) = unit.checked_sub(1) else { return };
        let Ok(year) = year.lower.parse() else { return };
        let years = (0..vocabulary.properties.len()).filter(|property| {
            let entry = &vocabulary.properties[*property];
            let named =
                entry.phrases.iter().any(|phrase| matches!(phrase.as_slice(), [only] if only == "year"));
            vocabulary.types[entry.owner].work && named && entry.definition.kind == DataType::Integer
        });
        for property in years.collect::<Vec<_>>() {
            let owner = vocabulary.properties[property].owner;
            let holder = if matches!(sentence.word(before), "of" | "from") {
                self.whole(sentence, before, owner)
            } else if matches!(sentence.word(before), "a" | "the") {
                self.modified(sentence, unit, unit, owner)
            } else if sentence.word(before) == "(" && sentence.word(unit + 1) == ")" {
                // `She wrote X (1929) and Y (1931)`
                let name = before.checked_sub(1).and_then(|name| sentence.name_at(name));
                name.map(|name| (vec![Term::Name(name)], Status::Fact, unit))
            } else {
                None
            };
            if let Some(holder) = holder {
                self.give(sentence, &holder, property, &Value::Integer(year), unit);
            }
        }
    }

    /// `b. 1880`, `d. 1951` in a bracket after a name.
    fn read_abbreviated_life(&mut self, sentence: &Sentence<'_>, at: usize) {
        let verb = match sentence.tokens[at].lower.as_str() {
            "b" => "born",
            "d" => "died",
            _ => return,
        };
        let start =
            if sentence.tokens.get(at + 1).is_some_and(|token| token.lower == ".") { at + 2 } else { at + 1 };
        let Some(properties) = self.lexicon.vocabulary.event_verbs.get(verb) else { return };
        for property in properties.clone() {
            let owner = self.lexicon.vocabulary.properties[property].owner;
            if let Some((value, end)) = self.value_at(sentence, start, property, false)
                && let Some(holder) = self.count_holder(sentence, sentence.unit_of[at], owner)
            {
                self.give(sentence, &holder, property, &value, sentence.unit_of[end - 1]);
            }
        }
    }

    /// `from 12 October 2022 to 26 February 2023`: the first and last day of the sentence's subject.
    pub(super) fn read_period(&mut self, sentence: &Sentence<'_>, at: usize) {
        self.read_abbreviated_life(sentence, at);
        if !matches!(sentence.tokens[at].lower.as_str(), "from" | "between") {
            return;
        }
        for kind in 0..self.lexicon.vocabulary.types.len() {
            let Some([start, end]) = self.period_of(kind) else { continue };
            let Some((first, after)) = self.value_at(sentence, at + 1, start, false) else { continue };
            let joins = |token: &Token| {
                matches!(token.lower.as_str(), "to" | "until" | "till" | "and" | "through" | "–" | "-")
            };
            if !sentence.tokens.get(after).is_some_and(joins) {
                continue;
            }
            let Some((last, _)) = self.value_at(sentence, after + 1, end, false) else { continue };
            let unit = sentence.unit_of[at];
            let planned = (0..unit)
                .any(|unit| grammar::is_modal(sentence.word(unit)) || grammar::is_plan(sentence.word(unit)));
            let status = if planned { Status::NotCurrent } else { Status::Fact };
            for (property, value) in [(start, first), (end, last)] {
                let holder = (vec![Term::First], status, unit);
                self.give_at(sentence, &holder, property, &value);
            }
        }
    }

    /// The properties for the first and last day of things of a type.
    fn period_of(&self, kind: usize) -> Option<[usize; 2]> {
        let vocabulary = self.lexicon.vocabulary;
        let find = |class: fn(&str) -> bool| {
            vocabulary.types[kind].properties.iter().copied().find(|property| {
                let entry = &vocabulary.properties[*property];
                entry.definition.kind == DataType::Date
                    && entry.phrases.iter().flatten().any(|word| class(word))
            })
        };
        Some([find(is_start)?, find(is_end)?])
    }
}

fn is_set_up(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.tokens[at].lower == "set" && sentence.tokens.get(at + 1).is_some_and(|next| next.lower == "up")
}

graphwright_english::word_class! {
    pub(in crate::facts) is_founding:
    "founded" "established" "started" "formed" "created"
}

/// The capitalised words after `in` or `at`, soon after a verb: `in 1905 in Port Lorne`.
fn place_behind(sentence: &Sentence<'_>, from: usize) -> Option<std::ops::Range<usize>> {
    let within = from..(from + 10).min(sentence.tokens.len());
    let stops = |token: &Token| {
        token.punctuation && token.lower != "," || matches!(token.lower.as_str(), "and" | "but" | "to" | "as")
    };
    for at in within {
        let token = &sentence.tokens[at];
        if stops(token) {
            return None;
        }
        let capital = |at: usize| {
            sentence
                .tokens
                .get(at)
                .is_some_and(|token| token.capital && !token.is_number() && !grammar::is_month(&token.lower))
        };
        if matches!(token.lower.as_str(), "in" | "at" | "near") && capital(at + 1) {
            let length = (at + 1..sentence.tokens.len()).take_while(|at| capital(*at)).count();
            return Some(at + 1..at + 1 + length);
        }
    }
    None
}

graphwright_english::word_class! {
    pub(in crate::facts) is_start:
    "start" "starts" "started" "begin" "begins" "began" "begun" "open" "opens" "opened" "opening" "from" "first" "launch"
}

graphwright_english::word_class! {
    pub(in crate::facts) is_end:
    "end" "ends" "ended" "close" "closes" "closed" "closing" "until" "last" "finish" "finished" "completed" "expiry"
}
