//! Text that describes a thing beside its name: `X, a cardiac glycoside`, `Y, senior engineer`, `Z in Rome`.

use graphwright_core::Value;
use graphwright_ontology::DataType;

use crate::facts::{
    clauses::Reader,
    collect::Status,
    context::Entity,
    grammar, modality, people,
    units::{Sentence, UnitKind},
    values,
};

impl Reader<'_, '_> {
    /// Reads what stands right after the name at a token.
    pub(super) fn read_description(&mut self, sentence: &Sentence<'_>, at: usize) {
        let unit = sentence.unit_of[at];
        let Some(mention) = sentence.name_at(unit).filter(|_| sentence.units[unit].tokens.start == at) else {
            return;
        };
        let mention = &sentence.mentions[mention];
        let only = || {
            let [hit] = mention.hits.as_slice() else { return None };
            let entry = &self.lexicon.gazetteer.entries[hit.entry];
            Some(Entity { kind: entry.kind, name: entry.name.clone() })
        };
        let Some(entity) = self.known(mention).or_else(only) else { return };
        self.read_class(sentence, &entity, unit);
        self.read_occupation(sentence, &entity, unit);
        self.read_place(sentence, &entity, unit);
        self.read_age(sentence, &entity, unit);
    }

    /// `Mia Krag, 52, …`
    fn read_age(&mut self, sentence: &Sentence<'_>, entity: &Entity, unit: usize) {
        let vocabulary = self.lexicon.vocabulary;
        let kind = &vocabulary.types[entity.kind];
        if !kind.human || sentence.word(unit + 1) != "," || !matches!(sentence.word(unit + 3), "," | ".") {
            return;
        }
        let age = |property: &&usize| matches!(vocabulary.properties[**property].phrases[0].as_slice(), [only] if only == "age");
        let Some(property) = kind.properties.iter().find(age).copied() else { return };
        let Some(token) = sentence.units.get(unit + 2).map(|unit| unit.tokens.start) else { return };
        if let Some((value, end)) = self.value_at(sentence, token, property, false)
            && end == token + 1
            && matches!(value, Value::Integer(1..120))
        {
            self.collector.property(entity, property, value, self.base, 0.9, self.span);
        }
    }

    /// `X, a cardiac glycoside,`; `X is a cardiac glycoside`; `Y, senior engineer,`; `Y (senior engineer)`.
    fn read_class(&mut self, sentence: &Sentence<'_>, entity: &Entity, unit: usize) {
        let vocabulary = self.lexicon.vocabulary;
        let human = vocabulary.types[entity.kind].human;
        let class: fn(&str) -> bool = if human { is_role } else { is_class };
        let Some(property) = self.text_property(entity, class) else { return };
        let mut unit = unit;
        if human && sentence.word(unit + 1) == "(" {
            // `Ada Roe (1812–1870) was a miner`
            let close = (unit..sentence.units.len()).take(12).find(|unit| sentence.word(*unit) == ")");
            unit = close.filter(|close| grammar::is_be(sentence.word(close + 1))).unwrap_or(unit);
        }
        let next = sentence.word(unit + 1);
        let copula = matches!(next, "is" | "are") || human && next == "was";
        if !matches!(next, "," | "(") && !copula {
            return;
        }
        let mut start = unit + 2;
        let article = matches!(sentence.word(start), "a" | "an" | "the");
        if article {
            start += 1;
        } else if !human || copula {
            return;
        }
        let Some((first, end)) = self.plain_phrase(sentence, start, entity.kind) else { return };
        let last = sentence.units[end - 1].tokens.end - 1;
        let ends = sentence.units.get(end).is_none_or(|unit| unit.kind == UnitKind::Mark)
            || grammar::is_preposition(sentence.word(end))
            || grammar::is_past(sentence.word(end))
            || matches!(sentence.word(end), "and" | "who" | "that" | "which" | "whose");
        let noun = &sentence.tokens[last].lower;
        let person = people::names_occupation(noun);
        let seat = end == first + 1 && matches!(sentence.word(first), "chair" | "member" | "head" | "lead");
        let role = seat || vocabulary.nouns.find(sentence.tokens, last).is_some();
        if !ends || human && !person || role {
            return;
        }
        let text = sentence.text(sentence.units[first].tokens.start..last + 1);
        let status = modality::surroundings(sentence, start, end - 1, false).max(self.base);
        self.collector.property(entity, property, Value::String(text.to_owned()), status, 0.8, self.span);
    }

    /// `the photographer X`: what somebody does, before the name.
    fn read_occupation(&mut self, sentence: &Sentence<'_>, entity: &Entity, unit: usize) {
        let vocabulary = self.lexicon.vocabulary;
        let Some(property) = self.text_property(entity, is_role) else { return };
        let start = sentence.mentions.iter().find(|mention| {
            sentence.units[unit].tokens.contains(&mention.tokens.start) && !mention.tokens.is_empty()
        });
        let Some(noun) = start.and_then(|mention| mention.tokens.start.checked_sub(1)) else { return };
        let article = noun.checked_sub(1).map_or("", |at| sentence.tokens[at].lower.as_str());
        let token = &sentence.tokens[noun];
        let role = vocabulary.nouns.find(sentence.tokens, noun).is_some()
            || vocabulary.type_words.find(sentence.tokens, noun).is_some();
        if vocabulary.types[entity.kind].human
            && article == "the"
            && !token.capital
            && !role
            && people::names_occupation(&token.lower)
        {
            let value = Value::String(token.lower.clone());
            self.collector.property(entity, property, value, self.base, 0.8, self.span);
        }
    }

    /// `a ferry of 183 metres`: the only property of the type that such a unit measures.
    pub(super) fn read_size(&mut self, sentence: &Sentence<'_>, at: usize) {
        let number = |at: usize| sentence.tokens.get(at).is_some_and(crate::facts::tokens::Token::is_number);
        let word = sentence.tokens[at].lower.as_str();
        if !matches!(word, "of" | "with") || !number(at + 1) {
            return;
        }
        let vocabulary = self.lexicon.vocabulary;
        let kinds = match at.checked_sub(1).map(|before| vocabulary.type_words.find(sentence.tokens, before))
        {
            Some(Some((_, kinds))) => kinds.into_iter().copied().collect(),
            // `X, with 12 hectares the largest of all`; `Of 96 tons, she …`
            Some(None) if word == "with" && sentence.tokens[at - 1].lower == "," => {
                (0..vocabulary.types.len()).collect()
            }
            None => (0..vocabulary.types.len()).collect::<Vec<_>>(),
            _ => return,
        };
        let Some(unit) = sentence.tokens.get(at + 2).map(|token| token.lower.clone()) else { return };
        for kind in kinds {
            let measured = |property: &&usize| vocabulary.properties[**property].measure.measures(&unit);
            let found: Vec<usize> =
                vocabulary.types[kind].properties.iter().filter(measured).copied().collect();
            let [property] = found.as_slice() else { continue };
            if let Some((value, end)) = self.value_at(sentence, at + 1, *property, false)
                && let Some(holder) = self.count_holder(sentence, sentence.unit_of[at + 1], kind)
            {
                self.give(sentence, &holder, *property, &value, sentence.unit_of[end - 1]);
            }
        }
    }

    /// `covers 42 hectares`, `measures 30 cm`: the only property of the subject's type that such a unit measures.
    pub(super) fn read_extent(&mut self, sentence: &Sentence<'_>, at: usize) {
        let verb = sentence.unit_of[at];
        if !sentence.is_word(verb) || !is_extending(&sentence.tokens[at].lower) {
            return;
        }
        let mut start = at + 1;
        while sentence.tokens.get(start).is_some_and(|token| is_about(&token.lower)) {
            start += 1;
        }
        let Some(unit) = sentence.tokens.get(start + 1).map(|token| token.lower.clone()) else { return };
        if !sentence.tokens[start].is_number() || values::unit(&unit).is_none() {
            return;
        }
        let vocabulary = self.lexicon.vocabulary;
        for kind in 0..vocabulary.types.len() {
            let measured = |property: &&usize| vocabulary.properties[**property].measure.measures(&unit);
            let found: Vec<usize> =
                vocabulary.types[kind].properties.iter().filter(measured).copied().collect();
            let [property] = found.as_slice() else { continue };
            if let Some((value, end)) = self.value_at(sentence, start, *property, false)
                && let Some(holder) = Self::verb_holder(sentence, verb, false)
            {
                self.give(sentence, &holder, *property, &value, sentence.unit_of[end - 1]);
            }
        }
    }

    /// A phrase of one to four words in small letters, without allowed values in front and words for the type behind.
    fn plain_phrase(&self, sentence: &Sentence<'_>, start: usize, kind: usize) -> Option<(usize, usize)> {
        let vocabulary = self.lexicon.vocabulary;
        let mut first = start;
        let mut end = start;
        while sentence.is_word(end)
            && end - start < 6
            && !grammar::is_closed(sentence.word(end))
            && !grammar::is_past(sentence.word(end))
            && !sentence.tokens[sentence.units[end].tokens.start].capital
            && !sentence.tokens[sentence.units[end].tokens.start].is_number()
        {
            end += 1;
        }
        while first < end
            && (vocabulary.allowed_values.find(sentence.tokens, sentence.units[first].tokens.start).is_some()
                || grammar::is_former_adjective(sentence.word(first)) && first + 1 < end)
        {
            if grammar::is_former_adjective(sentence.word(first)) {
                return None;
            }
            first += 1;
        }
        if !vocabulary.types[kind].human {
            while first < end
                && vocabulary.types[kind].words.iter().any(|phrase| {
                    matches!(phrase.as_slice(), [only] if sentence.tokens[sentence.units[end - 1].tokens.start].is(only))
                })
            {
                end -= 1;
            }
        }
        let known = first < end
            && !vocabulary.types[kind].human
            && vocabulary.type_words.find(sentence.tokens, sentence.units[end - 1].tokens.start).is_some();
        (first < end && end - first <= 4 && !known).then_some((first, end))
    }

    /// `Elvdal Museum in Hamnvik`, `Stonebrook, of Canada`: the place that a property wants.
    fn read_place(&mut self, sentence: &Sentence<'_>, entity: &Entity, unit: usize) {
        if self.lexicon.vocabulary.types[entity.kind].human {
            return;
        }
        let Some(property) = self.text_property(entity, is_place) else { return };
        let mut at = unit + 1;
        if matches!(sentence.word(at), "," | "(") {
            at += 1;
        } else if matches!(sentence.word(at), "is" | "lies" | "stands") {
            at += 1;
            if matches!(sentence.word(at), "based" | "located" | "situated" | "headquartered") {
                at += 1;
            }
        }
        let comma = at == unit + 2 && sentence.word(unit + 1) == ",";
        let led = match sentence.word(at) {
            "in" => true,
            // `Lund & Sons of Harth, founded in 1880,`
            "of" => at > unit + 1 || matches!(sentence.word(at + 2), "," | "." | ""),
            "at" => comma,
            _ => false,
        };
        // `Lund & Sons, Harth, has closed`; a line `Lund & Sons, Harth`
        let next = sentence.word(at + 2);
        let bare = comma
            && (sentence.word(at + 1) == "," && grammar::is_auxiliary(next)
                || unit == 0 && matches!(sentence.word(at + 1), "" | ".") && next.is_empty());
        at += usize::from(led);
        if !led && !bare {
            return;
        }
        let Some(mention) = sentence.name_at(at).map(|mention| &sentence.mentions[mention]) else {
            return;
        };
        if bare && !mention.is_unknown() {
            return;
        }
        at -= 1;
        let before = unit.checked_sub(1).map_or("", |before| sentence.word(before));
        let attached = unit == 0
            || grammar::is_preposition(before)
            || matches!(before, "the" | "," | "and" | "is" | "was" | "(" | ";" | ":" | "that");
        let next = sentence.word(at + 2);
        if !attached || next == "'s" || self.known(mention).is_some_and(|other| other.kind == entity.kind) {
            return;
        }
        let place = mention.name.clone();
        let status = if before == "not" { Status::Negated } else { self.base };
        self.collector.property(entity, property, Value::String(place), status, 0.8, self.span);
    }

    /// `has its seat in Rome`, `whose head office is in Rome`: the name after the property's word.
    pub(super) fn read_seat(&mut self, sentence: &Sentence<'_>, first: usize, last: usize, property: usize) {
        let mut at = last + 1;
        let linked = grammar::is_be(sentence.word(at)) && sentence.is_word(at);
        at += usize::from(linked);
        if !matches!(sentence.word(at), "in" | "at") {
            return;
        }
        let Some(mention) = sentence.name_at(at + 1) else { return };
        let owner = self.lexicon.vocabulary.properties[property].owner;
        let holder = if linked {
            self.possessor(sentence, first, last).map(|(terms, _)| (terms, Status::Fact, first))
        } else {
            self.count_holder(sentence, first, owner)
        };
        let Some(holder) = holder else { return };
        let place = Value::String(sentence.mentions[mention].name.clone());
        self.give(sentence, &holder, property, &place, at + 1);
    }

    /// The only free text property of a type with a word of a class in its name.
    pub(in crate::facts) fn text_property(&self, entity: &Entity, class: fn(&str) -> bool) -> Option<usize> {
        self.text_property_of(entity.kind, class)
    }

    pub(super) fn text_property_of(&self, kind: usize, class: fn(&str) -> bool) -> Option<usize> {
        let vocabulary = self.lexicon.vocabulary;
        let mut found = vocabulary.types[kind].properties.iter().copied().filter(|property| {
            let entry = &vocabulary.properties[*property];
            entry.definition.kind == DataType::String
                && entry.definition.values.is_empty()
                && entry.phrases.iter().any(|phrase| matches!(phrase.as_slice(), [only] if class(only)))
        });
        found.next().filter(|_| found.next().is_none())
    }
}

graphwright_english::word_class! {
    /// Verbs before an extent.
    pub(in crate::facts) is_extending:
    "covers" "measures" "spans" "occupies" "stretches" "extends" "farms" "cultivates" "totals" "weighs" "rises" "climbs"
}

graphwright_english::word_class! {
    pub(in crate::facts) is_about:
    "about" "some" "over" "around" "roughly" "approximately" "nearly" "to" "for" "almost"
}

graphwright_english::word_class! {
    pub(in crate::facts) is_role:
    "role" "position" "post" "job" "occupation" "profession"
}

graphwright_english::word_class! {
    pub(in crate::facts) is_class:
    "class" "category" "genre" "species"
}

graphwright_english::word_class! {
    pub(in crate::facts) is_place:
    "city" "town" "country" "location" "place" "region" "village"
}
