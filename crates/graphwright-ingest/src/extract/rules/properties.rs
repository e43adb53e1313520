//! Properties that sentences give: `written in Go`, `a tier 1 service`, `has 450 beds`, `the severity of X is high`.

use std::ops::Range;

use graphwright_core::Value;

use super::{
    clauses::Reader,
    collect::Status,
    context::Entity,
    grammar,
    inflect::{self, Form},
    modality,
    slots::{self, Term},
    units::{Sentence, UnitKind},
    values,
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

    /// The subject of a participle or past verb.
    fn verb_holder(sentence: &Sentence<'_>, head: usize, event: bool) -> Option<Holder> {
        let word = sentence.word(head);
        let group = modality::group(sentence, head);
        let base = inflect::bases(word).into_iter().next()?;
        let form = inflect::forms(&base)
            .into_iter()
            .find(|(surface, _)| surface == word)
            .map_or(Form::PAST | Form::PARTICIPLE, |(_, form)| form);
        let reading = modality::read_verb(sentence, head, form, &group, event)?;
        let apposed = group.auxiliary.is_none();
        let mut terms = slots::subjects(sentence, group.start, apposed);
        if apposed && terms == [Term::Topic] && group.start == 0 {
            // `Founded in 1921, the clinic …`
            let comma = (head..sentence.units.len()).find(|unit| sentence.word(*unit) == ",");
            if let Some(term) = comma.and_then(|comma| term_after(sentence, comma + 1)) {
                terms = vec![term];
            }
        }
        Some((terms, reading.status, head))
    }

    /// The subject of `has`, or the name before `with`, that a count stands after.
    fn holder_of_count(sentence: &Sentence<'_>, start: usize) -> Option<Holder> {
        let mut at = start;
        let mut steps = 0;
        while at > 0
            && steps < 4
            && sentence.is_word(at - 1)
            && !matches!(
                sentence.word(at - 1),
                "has"
                    | "have"
                    | "with"
                    | "employs"
                    | "of"
                    | "offers"
                    | "holds"
                    | "houses"
                    | "carries"
                    | "operates"
                    | "runs"
                    | "provides"
                    | "counts"
                    | "comprises"
            )
        {
            let word = sentence.word(at - 1);
            if !(grammar::is_determiner(word)
                || grammar::is_adverbial(word)
                || matches!(
                    word,
                    "about" | "over" | "approximately" | "around" | "total" | "maximum" | "rated" | "nominal"
                )
                || !grammar::is_closed(word) && !grammar::is_likely_verb(word))
            {
                return None;
            }
            at -= 1;
            steps += 1;
        }
        let verb = at.checked_sub(1)?;
        let word = sentence.word(verb);
        if !sentence.is_word(verb)
            || !matches!(
                word,
                "has"
                    | "have"
                    | "with"
                    | "employs"
                    | "offers"
                    | "holds"
                    | "houses"
                    | "carries"
                    | "operates"
                    | "runs"
                    | "provides"
                    | "counts"
                    | "comprises"
            )
        {
            return None;
        }
        let group = modality::group(sentence, verb);
        let status = modality::read_verb(sentence, verb, Form::THIRD | Form::BASE, &group, false)
            .map_or(Status::NotCurrent, |reading| reading.status);
        Some((slots::subjects(sentence, group.start, word == "with"), status, verb))
    }

    /// Whose word a noun is: `X's severity`, `the severity of X`, `its severity`; with the unit after it.
    fn possessor(sentence: &Sentence<'_>, first: usize, last: usize) -> Option<(Vec<Term>, usize)> {
        if first > 1 && matches!(sentence.word(first - 1), "'s" | "'") {
            let owner = match sentence.units[first - 2].kind {
                UnitKind::Name(mention) => Term::Name(mention),
                UnitKind::Described(_) => Term::Stand(first - 2),
                _ => return None,
            };
            return Some((vec![owner], last + 1));
        }
        if first > 0 && matches!(sentence.word(first - 1), "its" | "their" | "his" | "her") {
            return Some((vec![Term::Stand(first - 1)], last + 1));
        }
        if matches!(sentence.word(last + 1), "of" | "for") {
            let of = slots::objects(sentence, last + 2, &|_| false);
            if !of.terms.is_empty() {
                return Some((of.terms.iter().map(|(term, _)| term.clone()).collect(), of.last + 1));
            }
        }
        // `The severity is high.`: of what the page or section is about.
        let opens = first == 1 && sentence.word(0) == "the" && grammar::is_be(sentence.word(last + 1));
        opens.then(|| (vec![Term::Topic], last + 1))
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

    /// The thing whose type's word a value stands before.
    fn modified(&self, sentence: &Sentence<'_>, first: usize, last: usize, owner: usize) -> Option<Holder> {
        let vocabulary = self.lexicon.vocabulary;
        let mut at = last + 1;
        let mut steps = 0;
        // The head: a word for the owner's type, or a name with such a word.
        let head = loop {
            let unit = sentence.units.get(at)?;
            match &unit.kind {
                UnitKind::Name(mention) => {
                    let mention_kinds = &sentence.mentions[*mention].kinds;
                    return (mention_kinds.contains(&owner)
                        && unit.tokens.start < sentence.mentions[*mention].tokens.start)
                        .then(|| (vec![Term::Name(*mention)], Status::Fact, at));
                }
                UnitKind::Word => {
                    if let Some((_, kinds)) = vocabulary.type_words.find(sentence.tokens, unit.tokens.start)
                        && kinds.iter().any(|kind| **kind == owner)
                    {
                        break at;
                    }
                    let word = sentence.word(at);
                    if grammar::is_closed(word) && !matches!(word, "and" | "-") || steps > 4 {
                        return None;
                    }
                }
                UnitKind::Mark if sentence.word(at) == "," && steps < 3 => {}
                _ => return None,
            }
            at += 1;
            steps += 1;
        };
        let mut start = first;
        while start > 0
            && sentence.is_word(start - 1)
            && !grammar::is_closed(sentence.word(start - 1))
            && !grammar::is_likely_verb(sentence.word(start - 1))
        {
            start -= 1;
        }
        let mut former = false;
        for unit in start..first {
            former |=
                grammar::is_former_adjective(sentence.word(unit)) || grammar::is_plan(sentence.word(unit));
        }
        if start > 0
            && sentence.is_word(start - 1)
            && matches!(sentence.word(start - 1), "a" | "an" | "the" | "our" | "one")
        {
            start -= 1;
        }
        let status = if former { Status::NotCurrent } else { Status::Fact };
        if start == 0 {
            return Some((vec![Term::Topic], status, head));
        }
        // `the Go service X`: the name follows.
        if let Some(mention) = sentence.name_at(head + 1)
            && sentence.mentions[mention].kinds.contains(&owner)
        {
            return Some((vec![Term::Name(mention)], status, head));
        }
        let before = start - 1;
        if sentence.is_word(before)
            && (grammar::is_be(sentence.word(before))
                || grammar::is_negation(sentence.word(before))
                || grammar::is_adverbial(sentence.word(before))
                || matches!(sentence.word(before), "remains" | "became"))
        {
            return Self::copula(sentence, before + 1, status, head);
        }
        if matches!(sentence.word(before), "," | "—" | "–" | "(" | ":" | "-")
            && before > 0
            && let Some(mention) = sentence.name_at(before - 1)
        {
            return Some((vec![Term::Name(mention)], status, head));
        }
        None
    }

    /// The subject of a form of *be* that ends at a unit.
    fn copula(sentence: &Sentence<'_>, end: usize, status: Status, head: usize) -> Option<Holder> {
        let group = modality::group(sentence, end);
        let linking = group.start == end && matches!(sentence.word(end - 1), "remains" | "became");
        if !group.be && !linking {
            return None;
        }
        let reading = if linking {
            Status::Fact
        } else {
            modality::read_verb(sentence, end, Form::PARTICIPLE | Form::GERUND, &group, false)?.status
        };
        let start = if linking { end - 1 } else { group.start };
        Some((slots::subjects(sentence, start, false), status.max(reading), head))
    }

    /// `X is deprecated`, `X is tier 1`.
    fn predicated(sentence: &Sentence<'_>, first: usize, last: usize) -> Option<Holder> {
        let next = sentence.word(last + 1);
        let ends = last + 1 >= sentence.units.len()
            || sentence.units[last + 1].kind == UnitKind::Mark
            || matches!(
                next,
                "and"
                    | "but"
                    | "since"
                    | "in"
                    | "on"
                    | "as"
                    | "by"
                    | "for"
                    | "because"
                    | "with"
                    | "at"
                    | "from"
                    | "following"
                    | "after"
                    | "while"
                    | "so"
                    | "due"
                    | "under"
            );
        if !ends || first == 0 {
            return None;
        }
        let mut at = first;
        while at > 0
            && sentence.is_word(at - 1)
            && matches!(
                sentence.word(at - 1),
                "a" | "an"
                    | "the"
                    | "rated"
                    | "classified"
                    | "marked"
                    | "listed"
                    | "as"
                    | "of"
                    | "at"
                    | "in"
                    | "considered"
                    | "designated"
            )
        {
            at -= 1;
        }
        let before = at.checked_sub(1)?;
        if !sentence.is_word(before) {
            return None;
        }
        let event = inflect::is_participle(sentence.word(first));
        let group = modality::group(sentence, at);
        if !group.be {
            return None;
        }
        let reading = modality::read_verb(sentence, at, Form::PARTICIPLE | Form::GERUND, &group, event)?;
        Some((slots::subjects(sentence, group.start, false), reading.status, first))
    }

    /// The value that starts at a token, with the token after it.
    fn value_at(
        &self,
        sentence: &Sentence<'_>,
        start: usize,
        property: usize,
        free: bool,
    ) -> Option<(Value, usize)> {
        let entry = &self.lexicon.vocabulary.properties[property];
        let mut start = start;
        while sentence.tokens.get(start).is_some_and(|token| {
            matches!(
                token.lower.as_str(),
                "\"" | "“" | "about" | "approximately" | "around" | "roughly" | "exactly" | "over"
            ) || (free && matches!(token.lower.as_str(), "the" | "a" | "an"))
        }) {
            start += 1;
        }
        if start >= sentence.tokens.len() {
            return None;
        }
        let text_free = self.lexicon.vocabulary.is_free_text(property);
        if text_free || entry.definition.kind == DataType::List(Box::new(DataType::String)) {
            return if free { free_text(sentence, start, property, self) } else { None };
        }
        let most = (start + 6).min(sentence.tokens.len());
        for end in (start + 1..=most).rev() {
            let inside = &sentence.tokens[start..end];
            if inside.iter().skip(1).any(|token| matches!(token.lower.as_str(), "." | ";" | ")" | "(" | ":"))
                || inside.last().is_some_and(|token| token.punctuation)
            {
                continue;
            }
            let numeric = matches!(entry.definition.kind, DataType::Integer | DataType::Float);
            if numeric && (end - start > 3 || inside.iter().any(|token| token.punctuation)) {
                continue;
            }
            if numeric && end < sentence.tokens.len() && sentence.tokens[end].is_number() {
                continue;
            }
            let text = sentence.text(start..end);
            let value = values::read(text, &entry.definition);
            if let Some(value) = value.filter(|_| !numeric || fits_unit(text, entry.unit.as_deref())) {
                let percent = sentence.tokens.get(end).is_some_and(|token| token.lower == "%");
                if numeric && percent && !matches!(entry.unit.as_deref(), Some("percent" | "pct")) {
                    return None;
                }
                return Some((value, end));
            }
        }
        None
    }

    /// The value that ends before a token: `450 beds`, `high priority`; with its first token.
    fn value_before(&self, sentence: &Sentence<'_>, end: usize, property: usize) -> Option<(Value, usize)> {
        let entry = &self.lexicon.vocabulary.properties[property];
        let numeric = matches!(entry.definition.kind, DataType::Integer | DataType::Float);
        if !numeric && entry.definition.values.is_empty() {
            return None;
        }
        for gap in 0..=usize::from(numeric) {
            let Some(stop) = end.checked_sub(gap) else { continue };
            if gap == 1 {
                let between = &sentence.tokens[stop];
                if between.punctuation || grammar::is_closed(&between.lower) {
                    continue;
                }
            }
            for length in (1..=3).rev() {
                let Some(start) = stop.checked_sub(length) else { continue };
                let text = sentence.text(start..stop);
                if sentence.tokens[start..stop].iter().any(|token| token.punctuation) {
                    continue;
                }
                if numeric
                    && !sentence.tokens[start].is_number()
                    && !grammar::is_number_word(&sentence.tokens[start].lower)
                {
                    continue;
                }
                if let Some(value) = values::read(text, &entry.definition) {
                    return Some((value, start));
                }
            }
        }
        None
    }
}

/// A value of free text after a copula: a name, a number, a quoted piece, or a few words up to the end of the clause.
fn free_text(
    sentence: &Sentence<'_>,
    start: usize,
    property: usize,
    reader: &Reader<'_, '_>,
) -> Option<(Value, usize)> {
    let mut end = start;
    while let Some(token) = sentence.tokens.get(end) {
        if token.punctuation
            && matches!(token.lower.as_str(), "." | "," | ";" | ":" | "(" | ")" | "\"" | "”" | "—" | "–")
        {
            break;
        }
        if end > start
            && (grammar::is_relative(&token.lower)
                || grammar::is_coordinator(&token.lower)
                || grammar::is_subordinator(&token.lower)
                || grammar::is_auxiliary(&token.lower))
        {
            break;
        }
        end += 1;
    }
    let adverb = sentence.tokens.get(start).is_some_and(|token| grammar::is_closed(&token.lower));
    if end == start || end - start > 6 || adverb {
        return None;
    }
    values::read(sentence.text(start..end), &reader.lexicon.vocabulary.properties[property].definition)
        .map(|value| (value, end))
}

/// Whether a number's unit is the one that the property's name ends in.
fn fits_unit(text: &str, unit: Option<&str>) -> bool {
    let Some(word) = text.split(' ').nth(1).map(|word| word.trim_end_matches('.').to_lowercase()) else {
        return true;
    };
    let Some(unit) = unit else {
        return true;
    };
    let long = match unit {
        "kg" => "kilogram",
        "g" => "gram",
        "mg" => "milligram",
        "t" => "tonne",
        "km" => "kilometre",
        "m" => "metre",
        "cm" => "centimetre",
        "mm" => "millimetre",
        "mw" => "megawatt",
        "kw" => "kilowatt",
        "gb" => "gigabyte",
        "ms" => "millisecond",
        "percent" | "pct" => "%",
        other => other,
    };
    let word_one = inflect::singular(&word);
    word == unit
        || word_one == unit
        || word_one == inflect::singular(unit)
        || word_one == long
        || word_one == long.replace("metre", "meter")
        || word == "million"
        || word == "thousand"
}

/// The name or description that starts at a unit, past a determiner.
fn term_after(sentence: &Sentence<'_>, mut unit: usize) -> Option<Term> {
    while sentence.is_word(unit) && grammar::is_determiner(sentence.word(unit)) {
        unit += 1;
    }
    match sentence.units.get(unit)?.kind {
        UnitKind::Name(mention) => Some(Term::Name(mention)),
        UnitKind::Described(_) | UnitKind::Pronoun => Some(Term::Stand(unit)),
        _ => None,
    }
}
