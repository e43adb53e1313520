//! Facts from the verbs and predicates of a sentence.

use std::collections::BTreeMap;

use graphwright_core::{Span, Value};

use super::{
    collect::{Collector, Status},
    context::{Context, Entity},
    cues::Shape,
    grammar,
    inflect::Form,
    mentions::{Lexicon, Mention},
    modality::{self, Reading},
    slots::{self, Objects, Term},
    units::{Sentence, UnitKind},
};

/// Reads facts out of sentences.
#[derive(Debug)]
pub(super) struct Reader<'a, 'b> {
    pub(super) lexicon: Lexicon<'a>,
    pub(super) context: &'b Context,
    pub(super) collector: &'b mut Collector<'a>,
    /// Where facts of this sentence stand.
    pub(super) span: Span,
    /// What the section says of all its sentences.
    pub(super) base: Status,
}

/// A cue found in a sentence.
#[derive(Clone, Copy, Debug)]
struct Found {
    cue: usize,
    /// The unit of its first word.
    head: usize,
    /// One past its last word.
    end: usize,
    /// The first unit of its verb group.
    start: usize,
    reading: Reading,
    now: bool,
}

impl Reader<'_, '_> {
    /// Reads all facts that verbs and predicates state.
    pub(super) fn read(&mut self, sentence: &Sentence<'_>) {
        let mut found = self.verbs(sentence);
        found.extend(self.predicates(sentence));
        found.sort_by_key(|found| (found.head, std::cmp::Reverse(found.end)));
        let longest: Vec<Found> = found
            .iter()
            .filter(|one| {
                !found.iter().any(|other| {
                    other.head <= one.head
                        && other.end >= one.end
                        && (other.end - other.head) > (one.end - one.head)
                        && self.lexicon.vocabulary.cues[other.cue].relation != usize::MAX
                        && self.beats(other, one)
                })
            })
            .copied()
            .collect();
        for one in &longest {
            self.relate(sentence, one);
        }
    }

    /// Whether a longer cue takes the place of a shorter one of another relationship: `is used to treat` over `uses`.
    fn beats(&self, longer: &Found, shorter: &Found) -> bool {
        let cues = &self.lexicon.vocabulary.cues;
        cues[longer.cue].relation != cues[shorter.cue].relation
            || longer.reading.passive == shorter.reading.passive
    }

    fn verbs(&self, sentence: &Sentence<'_>) -> Vec<Found> {
        let vocabulary = self.lexicon.vocabulary;
        let mut all = Vec::new();
        for unit in 0..sentence.units.len() {
            if !sentence.is_word(unit) {
                continue;
            }
            let Some(heads) = vocabulary.heads.get(sentence.word(unit)) else { continue };
            let group = modality::group(sentence, unit);
            for (index, form) in heads {
                let cue = &vocabulary.cues[*index];
                let Some(mut reading) = modality::read_verb(sentence, unit, *form, &group, cue.past_holds)
                else {
                    continue;
                };
                let mut tail = cue.tail.clone();
                match cue.shape {
                    Shape::Participle => {
                        let participle = form.has(Form::PARTICIPLE) && (reading.passive || reading.reduced)
                            || form.has(Form::PAST) && group.auxiliary.is_none()
                            || form.has(Form::PARTICIPLE)
                                && group.auxiliary.as_deref().is_some_and(grammar::is_have);
                        if !participle {
                            continue;
                        }
                        if group.auxiliary.is_none() {
                            reading.reduced = true;
                            reading.status =
                                if group_is_negated(sentence, unit) { Status::Negated } else { Status::Fact };
                        }
                        reading.passive = false;
                    }
                    Shape::Verb => {
                        let mut by = tail.clone();
                        by.push("by".to_owned());
                        let with_by = match_tail(sentence, unit + 1, &by).is_some();
                        if reading.passive || (reading.reduced && with_by) {
                            if !with_by {
                                continue;
                            }
                            reading.passive = true;
                            if reading.reduced {
                                reading.status = if group_is_negated(sentence, unit) {
                                    Status::Negated
                                } else {
                                    Status::Fact
                                };
                            }
                            tail = by;
                        } else if reading.reduced && form.has(Form::PARTICIPLE) && !form.has(Form::PAST) {
                            continue;
                        } else {
                            reading.reduced = false;
                        }
                    }
                    Shape::Predicate => continue,
                }
                let Some(end) = match_tail(sentence, unit + 1, &tail) else { continue };
                all.push(Found {
                    cue: *index,
                    head: unit,
                    end,
                    start: group.start,
                    reading,
                    now: group_now(sentence, &group, unit),
                });
            }
        }
        all
    }

    fn predicates(&self, sentence: &Sentence<'_>) -> Vec<Found> {
        let vocabulary = self.lexicon.vocabulary;
        let mut all = Vec::new();
        for unit in 0..sentence.units.len() {
            if !sentence.is_word(unit) {
                continue;
            }
            let token = &sentence.tokens[sentence.units[unit].tokens.start];
            for word in [Some(&token.lower), token.singular.as_ref()].into_iter().flatten() {
                for index in vocabulary.predicates.get(word).into_iter().flatten() {
                    let cue = &vocabulary.cues[*index];
                    let Some(end) = match_tail(sentence, unit + 1, &cue.tail) else { continue };
                    let Some((start, reading, now)) = predicate_reading(sentence, unit) else { continue };
                    all.push(Found { cue: *index, head: unit, end, start, reading, now });
                }
            }
        }
        all
    }

    fn relate(&mut self, sentence: &Sentence<'_>, found: &Found) {
        let vocabulary = self.lexicon.vocabulary;
        let cue = &vocabulary.cues[found.cue];
        let relation = &vocabulary.relations[cue.relation];
        let turned = cue.inverse != found.reading.passive;
        let (left, right) =
            if turned { (&relation.to, &relation.from) } else { (&relation.from, &relation.to) };
        let ahead = |unit: usize| self.is_verb_ahead(sentence, unit);
        let objects = slots::objects(sentence, found.end, &ahead);
        if objects.terms.is_empty() {
            return;
        }
        let mut status = found.reading.status;
        let apposed = found.reading.reduced || found.reading.gerund;
        let mut subjects = slots::subjects(sentence, found.start, apposed);
        if found.reading.gerund {
            match modality::gerund(sentence, found.start) {
                Some(governed) => {
                    status = status.max(governed);
                    subjects = vec![Term::First];
                }
                None if found.start == 0 => return,
                None => {}
            }
        }
        if subjects == [Term::First] && found.reading.bare {
            status = status.max(inherited(sentence, found.head));
        } else if found.reading.bare && !is_plural_subject(sentence, &subjects, found.start) {
            return;
        } else if subjects == [Term::First] && !found.reading.bare && found.reading.reduced {
            status = status.max(inherited(sentence, found.head));
        }
        if found.start == 0 && found.reading.reduced && subjects == [Term::Topic] {
            // `Developed by X, Y …`: what follows the comma is meant.
            if let Some(name) = after_fronted(sentence, objects.last + 1) {
                subjects = vec![Term::Name(name)];
            }
        }
        status =
            status.max(modality::surroundings(sentence, found.head, objects.last, found.now)).max(self.base);
        self.emit(sentence, cue.relation, turned, &subjects, left, &objects, right, status, found.start);
    }

    /// States the relationship between all subjects and all objects, or pairwise for `respectively`.
    #[expect(clippy::too_many_arguments, reason = "both ends with their types and the way they stand")]
    pub(super) fn emit(
        &mut self,
        sentence: &Sentence<'_>,
        relation: usize,
        turned: bool,
        subjects: &[Term],
        left: &[usize],
        objects: &Objects,
        right: &[usize],
        status: Status,
        verb: usize,
    ) {
        let mut lefts = Vec::new();
        for term in subjects {
            lefts.extend(self.resolve(sentence, term, left, verb));
        }
        let rights: Vec<Vec<(Entity, f64)>> =
            objects.terms.iter().map(|(term, _)| self.resolve(sentence, term, right, verb)).collect();
        let paired = sentence.tokens.iter().any(|token| token.lower == "respectively");
        if paired && (lefts.len() != rights.len() || rights.iter().any(|right| right.len() != 1)) {
            return;
        }
        let properties = self.validity(sentence, relation, objects.last);
        for (position, (from, sure)) in lefts.iter().enumerate() {
            for (place, (candidates, (_, own))) in rights.iter().zip(&objects.terms).enumerate() {
                if paired && place != position {
                    continue;
                }
                for (to, certain) in candidates {
                    let mut status = status.max(*own);
                    if objects.alternatives && status == Status::Fact && rights.len() > 1 {
                        status = Status::NotCurrent;
                    }
                    let (start, end) = if turned { (to, from) } else { (from, to) };
                    self.collector.fact(
                        relation,
                        start,
                        end,
                        status,
                        sure.min(*certain),
                        self.span,
                        properties.clone(),
                    );
                }
            }
        }
    }

    /// The entities that a term stands for, with how sure that is.
    pub(super) fn resolve(
        &self,
        sentence: &Sentence<'_>,
        term: &Term,
        allowed: &[usize],
        verb: usize,
    ) -> Vec<(Entity, f64)> {
        match term {
            Term::Name(mention) => self.named(&sentence.mentions[*mention], allowed).into_iter().collect(),
            Term::Stand(unit) => match &sentence.units[*unit].kind {
                UnitKind::Described(kinds) => {
                    let fitting: Vec<usize> =
                        kinds.iter().copied().filter(|kind| allowed.contains(kind)).collect();
                    self.described(sentence, &fitting, *unit)
                        .map(|entity| (entity, 0.8))
                        .into_iter()
                        .collect()
                }
                UnitKind::Pronoun => {
                    let own = self.own_subjects(sentence, *unit);
                    self.context
                        .pronoun(self.lexicon.vocabulary, sentence.word(*unit), &own, allowed)
                        .into_iter()
                        .map(|entity| (entity, 0.8))
                        .collect()
                }
                _ => Vec::new(),
            },
            Term::Phrase(start, end) => {
                self.small_name(sentence, *start, *end, allowed).into_iter().collect()
            }
            Term::Topic => self
                .context
                .topic()
                .filter(|entity| allowed.contains(&entity.kind))
                .map(|entity| (entity.clone(), 0.9))
                .into_iter()
                .collect(),
            Term::First => self.first_subject(sentence, allowed, verb),
        }
    }

    /// Words in small letters are a name where names of the only possible type are mostly written so.
    fn small_name(
        &self,
        sentence: &Sentence<'_>,
        start: usize,
        end: usize,
        allowed: &[usize],
    ) -> Option<(Entity, f64)> {
        let [kind] = allowed else { return None };
        if !self.lexicon.gazetteer.lower_case.contains(kind) {
            return None;
        }
        let text = sentence.text(start..end);
        let type_word =
            end == start + 1 && self.lexicon.vocabulary.type_words.find(sentence.tokens, start).is_some();
        let value = self.lexicon.vocabulary.allowed_values.find(sentence.tokens, start).is_some();
        let plain =
            text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '\'' | '’'));
        let few = text.split(' ').all(|word| !word.ends_with("ly")) && text.len() > 2;
        (plain && few && !type_word && !value).then(|| {
            let name = if start == 0 { lower_first(text) } else { text.to_owned() };
            (Entity { kind: *kind, name }, 0.8)
        })
    }

    /// A description stands for the only thing of its type before it in the sentence, else for what the text spoke of.
    fn described(&self, sentence: &Sentence<'_>, kinds: &[usize], unit: usize) -> Option<Entity> {
        if kinds.is_empty() {
            return None;
        }
        let before: Vec<Entity> = sentence.units[..unit]
            .iter()
            .filter_map(|unit| match unit.kind {
                UnitKind::Name(mention) => {
                    self.known(&sentence.mentions[mention]).filter(|entity| kinds.contains(&entity.kind))
                }
                _ => None,
            })
            .collect();
        match before.as_slice() {
            [] => self.context.described(kinds),
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// The subjects of the clauses before a pronoun in its own sentence.
    fn own_subjects(&self, sentence: &Sentence<'_>, unit: usize) -> Vec<Entity> {
        if unit < 2 {
            return Vec::new();
        }
        let Some(first) = first_name(sentence).filter(|first| *first < unit) else { return Vec::new() };
        match sentence.units[first].kind {
            UnitKind::Name(mention) => self.known(&sentence.mentions[mention]).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The subject of the sentence, whose verb phrase goes on after `and` or a comma.
    fn first_subject(&self, sentence: &Sentence<'_>, allowed: &[usize], verb: usize) -> Vec<(Entity, f64)> {
        // The nearest subject of a verb before: after `but`, `while` or `;` another clause may have begun.
        let start = (0..verb)
            .rev()
            .find(|unit| matches!(sentence.word(*unit), ";" | "while" | "whereas" | "because" | "although"))
            .map_or(0, |at| at + 1);
        let mut at = start;
        while at < verb {
            match &sentence.units[at].kind {
                UnitKind::Name(_) | UnitKind::Described(_) | UnitKind::Pronoun => {
                    if at > start
                        && sentence.is_word(at - 1)
                        && grammar::is_preposition(sentence.word(at - 1))
                    {
                        let comma = (at..verb).find(|unit| sentence.word(*unit) == ",");
                        match comma.filter(|_| at - 1 == start || at == start + 2) {
                            Some(comma) => {
                                at = comma + 1;
                                continue;
                            }
                            None => return Vec::new(),
                        }
                    }
                    break;
                }
                UnitKind::Word => {
                    let word = sentence.word(at);
                    let lead = grammar::is_determiner(word)
                        || grammar::is_adverbial(word)
                        || grammar::is_preposition(word)
                        || (!grammar::is_closed(word)
                            && (!grammar::is_likely_verb(word)
                                || sentence.tokens[sentence.units[at].tokens.start].capital && at > start));
                    if !lead {
                        // The sentence begins with its verb: the topic is meant.
                        return if at == start {
                            self.resolve(sentence, &Term::Topic, allowed, verb)
                        } else {
                            Vec::new()
                        };
                    }
                }
                UnitKind::Mark => {}
            }
            at += 1;
        }
        if at >= verb {
            return self.resolve(sentence, &Term::Topic, allowed, verb);
        }
        let mut terms = Vec::new();
        let mut unit = at;
        loop {
            match sentence.units.get(unit).map(|unit| &unit.kind) {
                Some(UnitKind::Name(mention)) => terms.push(Term::Name(*mention)),
                Some(UnitKind::Described(_) | UnitKind::Pronoun) => terms.push(Term::Stand(unit)),
                _ => break,
            }
            let mut next = unit + 1;
            while matches!(sentence.word(next), "," | "and" | "&") && next < verb {
                next += 1;
            }
            if next == unit + 1 || next >= verb || sentence.name_at(next).is_none() {
                break;
            }
            let list = (unit..verb).any(|unit| matches!(sentence.word(unit), "and" | "&"));
            if !list || self.is_verb_ahead(sentence, unit + 1) {
                break;
            }
            unit = next;
        }
        // A modifier (`Kafka consumers use`) or possessor is no subject.
        let after = sentence.word(unit + 1);
        if after == "'s" || after == "'" {
            return Vec::new();
        }
        terms.iter().flat_map(|term| self.resolve(sentence, term, allowed, at)).collect()
    }

    /// The entity that a name stands for where only some types are possible.
    pub(super) fn named(&self, mention: &Mention, allowed: &[usize]) -> Option<(Entity, f64)> {
        let entries = &self.lexicon.gazetteer.entries;
        let hits: Vec<_> =
            mention.hits.iter().filter(|hit| allowed.contains(&entries[hit.entry].kind)).collect();
        if let Some(best) =
            hits.iter().max_by_key(|hit| (hit.strength, mention.kinds.contains(&entries[hit.entry].kind)))
        {
            let ties = hits.iter().filter(|hit| hit.strength == best.strength).count();
            let same_kind =
                hits.iter().filter(|hit| entries[hit.entry].kind == entries[best.entry].kind).count();
            if ties > 1 && same_kind > 1 {
                return None;
            }
            let entry = &entries[best.entry];
            return Some((Entity { kind: entry.kind, name: entry.name.clone() }, 1.0));
        }
        if !mention.hits.is_empty() {
            return None;
        }
        let kinds: Vec<usize> = mention.kinds.iter().copied().filter(|kind| allowed.contains(kind)).collect();
        if let Some(kind) = kinds.first() {
            return mention.sure.then(|| (Entity { kind: *kind, name: mention.name.clone() }, 1.0));
        }
        if !mention.kinds.is_empty() || !mention.sure {
            return None;
        }
        match allowed {
            [only] => Some((Entity { kind: *only, name: mention.name.clone() }, 0.9)),
            _ => None,
        }
    }

    /// The entity that a name stands for by itself, without a place in a pattern.
    pub(super) fn known(&self, mention: &Mention) -> Option<Entity> {
        if !mention.is_plain() {
            return None;
        }
        let all: Vec<usize> = (0..self.lexicon.vocabulary.types.len()).collect();
        let kinds: std::collections::BTreeSet<usize> = mention
            .hits
            .iter()
            .map(|hit| self.lexicon.gazetteer.entries[hit.entry].kind)
            .chain(mention.kinds.iter().copied())
            .collect();
        if kinds.len() > 1 && mention.kinds.is_empty() {
            return None;
        }
        let allowed = if mention.kinds.is_empty() { &all } else { &mention.kinds };
        self.named(mention, allowed).map(|(entity, _)| entity)
    }

    /// Whether a finite verb group starts at a unit.
    pub(super) fn is_verb_ahead(&self, sentence: &Sentence<'_>, mut unit: usize) -> bool {
        while sentence.is_word(unit)
            && (grammar::is_adverbial(sentence.word(unit)) || grammar::is_negation(sentence.word(unit)))
        {
            unit += 1;
        }
        if !sentence.is_word(unit) {
            return false;
        }
        let word = sentence.word(unit);
        if word == "'s" {
            return false;
        }
        if grammar::is_auxiliary(word) {
            return true;
        }
        let finite = |word: &str| {
            !word.ends_with("ing")
                && (!word.ends_with("ed")
                    || !matches!(sentence.word(unit + 1), "by" | "in" | "on" | "at" | "for" | "with" | "to"))
        };
        (self.lexicon.vocabulary.heads.contains_key(word) || grammar::is_likely_verb(word)) && finite(word)
    }

    /// `since 2021-03-01` and `until …` after the objects, as properties of the fact.
    fn validity(&self, sentence: &Sentence<'_>, relation: usize, last: usize) -> BTreeMap<String, Value> {
        let mut properties = BTreeMap::new();
        let definition = &self.lexicon.vocabulary.relations[relation];
        for unit in last + 1..sentence.units.len() {
            let word = sentence.word(unit);
            if !matches!(word, "since" | "from") {
                continue;
            }
            let start = sentence.units[unit].tokens.end;
            let text = sentence.text(start..(start + 4).min(sentence.tokens.len()));
            let Some(date) = super::values::date(text)
                .or_else(|| super::values::date(text.split(',').next().unwrap_or("")))
            else {
                continue;
            };
            let declared = definition.properties.iter().find(|(name, property)| {
                property.kind == crate::ontology::DataType::Date
                    && (name == "since"
                        || name.contains("start")
                        || name.contains("from")
                        || name.contains("since"))
            });
            let name = declared.map_or(graphwright_core::names::VALID_FROM, |(name, _)| name.as_str());
            properties.insert(name.to_owned(), Value::Date(date));
        }
        properties
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn group_is_negated(sentence: &Sentence<'_>, unit: usize) -> bool {
    unit > 0 && matches!(sentence.word(unit - 1), "not" | "never" | "longer" | "neither" | "nor")
}

fn group_now(sentence: &Sentence<'_>, group: &modality::Group, head: usize) -> bool {
    (group.start..head).any(|unit| matches!(sentence.word(unit), "now" | "currently" | "still" | "today"))
}

/// Matches the words of a cue after its first, with up to two adverbs before each.
fn match_tail(sentence: &Sentence<'_>, start: usize, tail: &[String]) -> Option<usize> {
    let mut at = start;
    for wanted in tail {
        let mut skipped = 0;
        loop {
            let unit = sentence.units.get(at)?;
            if unit.kind != UnitKind::Word && unit.kind != UnitKind::Pronoun {
                return None;
            }
            if sentence.tokens[unit.tokens.start].is(wanted) {
                at += 1;
                break;
            }
            let word = sentence.word(at);
            if wanted == "by"
                && matches!(word, "in" | "on")
                && sentence.tokens.get(unit.tokens.end).is_some_and(super::tokens::Token::is_number)
            {
                // `painted in 1870 by X`
                at += 2;
                while sentence.is_word(at)
                    && (grammar::is_month(sentence.word(at))
                        || sentence.tokens[sentence.units[at].tokens.start].is_number())
                {
                    at += 1;
                }
                continue;
            }
            if skipped >= 2
                || !(grammar::is_adverbial(word)
                    || matches!(word, "the" | "a" | "an")
                    || (word == "in" && sentence.word(at + 1) == "part"))
            {
                return None;
            }
            skipped += 1;
            at += 1;
        }
    }
    Some(at)
}

/// Reads the verb before a predicate: a form of *be* or a verb like it, or an apposition.
fn predicate_reading(sentence: &Sentence<'_>, head: usize) -> Option<(usize, Reading, bool)> {
    let mut reading =
        Reading { passive: false, reduced: false, gerund: false, bare: false, status: Status::Fact };
    let mut at = head;
    let mut steps = 0;
    while at > 0 && steps < 5 {
        let word = sentence.word(at - 1);
        if !sentence.is_word(at - 1) {
            break;
        }
        if grammar::is_be(word) && word != "'s" {
            let group = modality::group(sentence, at);
            let past = grammar::is_past_be(word);
            let full = modality::read_verb(sentence, at - 1, Form::GERUND, &group, false);
            reading.status = full.map_or(Status::NotCurrent, |full| full.status);
            let negated = (at..head)
                .any(|unit| matches!(sentence.word(unit), "not" | "never" | "longer" | "no" | "neither"));
            if negated
                && !((at..head).any(|unit| sentence.word(unit) == "not" && sentence.word(unit + 1) == "only"))
            {
                reading.status = Status::Negated;
            } else if past && reading.status == Status::Fact {
                reading.status = Status::NotCurrent;
            }
            for unit in at..head {
                let word = sentence.word(unit);
                if grammar::is_former_adjective(word) && !matches!(word, "old" | "late" | "then" | "past")
                    || matches!(
                        word,
                        "planned" | "proposed" | "potential" | "possible" | "future" | "prospective"
                    )
                    || grammar::is_hedge(word)
                {
                    reading.status = reading.status.max(Status::NotCurrent);
                }
            }
            let now = (group.start..head)
                .any(|unit| matches!(sentence.word(unit), "now" | "currently" | "still" | "today"));
            return Some((group.start, reading, now));
        }
        if matches!(word, "remains" | "remain" | "became" | "becomes" | "stays")
            || (word == "as"
                && at > 1
                && matches!(sentence.word(at - 2), "serves" | "acts" | "works" | "functions" | "operates"))
        {
            let verb = if word == "as" { at - 2 } else { at - 1 };
            let group = modality::group(sentence, verb);
            let full = modality::read_verb(sentence, verb, Form::THIRD | Form::BASE, &group, true);
            reading.status = full.map_or(Status::NotCurrent, |full| full.status);
            return Some((group.start, reading, false));
        }
        let skips = grammar::is_determiner(word) && !grammar::is_relative(word)
            || grammar::is_adverbial(word)
            || matches!(word, "not")
            || !grammar::is_closed(word) && !grammar::is_likely_verb(word);
        if !skips {
            break;
        }
        at -= 1;
        steps += 1;
    }
    // In apposition: `X, part of Y,` or `X (part of Y)`.
    let mut start = head;
    while start > 0
        && sentence.is_word(start - 1)
        && (matches!(sentence.word(start - 1), "a" | "an" | "the" | "one" | "not")
            || !grammar::is_closed(sentence.word(start - 1))
                && !grammar::is_likely_verb(sentence.word(start - 1)))
    {
        if grammar::is_former_adjective(sentence.word(start - 1)) {
            reading.status = Status::NotCurrent;
        }
        if sentence.word(start - 1) == "not" {
            reading.status = Status::Negated;
        }
        start -= 1;
    }
    if start == 0 {
        reading.reduced = true;
        return Some((0, reading, false));
    }
    let mark = sentence.word(start - 1);
    let directly = start == head && sentence.name_at(start - 1).is_some();
    if matches!(mark, "," | "(" | "—" | "–") || directly {
        reading.reduced = true;
        return Some((start, reading, false));
    }
    if matches!(mark, "and" | "but") {
        return Some((start, reading, false));
    }
    None
}

/// Whether subjects may go with a verb without ending.
fn is_plural_subject(sentence: &Sentence<'_>, subjects: &[Term], start: usize) -> bool {
    match subjects {
        [Term::Stand(unit)] => {
            matches!(sentence.word(*unit), "they" | "we" | "these" | "those" | "both" | "i" | "you")
        }
        [Term::Name(_)] => {
            start > 0 && matches!(sentence.word(start - 1), "which" | "that" | "who" | "all" | "both")
        }
        [Term::Topic] => true,
        [] | [_] => false,
        _ => true,
    }
}

/// What the verb group before `and` says of a bare verb or participle after it.
fn inherited(sentence: &Sentence<'_>, head: usize) -> Status {
    for unit in (0..head).rev() {
        let word = sentence.word(unit);
        if matches!(word, ";" | "while" | "whereas") {
            return Status::Fact;
        }
        if sentence.is_word(unit) && grammar::is_auxiliary(word) && word != "'s"
            || (word == "to" && grammar::is_likely_verb(sentence.word(unit + 1)))
        {
            let group = modality::group(sentence, unit + 1);
            let form = if grammar::is_be(word) { Form::PARTICIPLE } else { Form::BASE | Form::PARTICIPLE };
            let Some(reading) = modality::read_verb(sentence, unit + 1, form, &group, true) else {
                return Status::Fact;
            };
            let negated = (unit..head).any(|unit| matches!(sentence.word(unit), "not" | "never"));
            return if negated { Status::Negated } else { reading.status };
        }
        if sentence.is_word(unit) && unit + 1 < head && grammar::is_likely_verb(word) && word.ends_with('s') {
            return Status::Fact;
        }
    }
    Status::Fact
}

/// The first name, description or pronoun of a sentence.
pub(super) fn first_name(sentence: &Sentence<'_>) -> Option<usize> {
    sentence
        .units
        .iter()
        .position(|unit| matches!(unit.kind, UnitKind::Name(_) | UnitKind::Described(_) | UnitKind::Pronoun))
}

/// The name directly after the comma that ends a fronted participle.
fn after_fronted(sentence: &Sentence<'_>, from: usize) -> Option<usize> {
    let comma = (from..sentence.units.len()).find(|unit| sentence.word(*unit) == ",")?;
    let mut at = comma + 1;
    while sentence.is_word(at) && grammar::is_determiner(sentence.word(at)) {
        at += 1;
    }
    sentence.name_at(at)
}
