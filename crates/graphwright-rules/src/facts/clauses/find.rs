//! Where cues stand in a sentence: verbs with their groups, and predicates.

use super::{Found, Place, Reader, places::relative_before};
use crate::facts::{
    collect::Status,
    cues::{self, Shape},
    grammar,
    inflect::{self, Form},
    modality::{self, Reading},
    units::{Sentence, UnitKind},
};

impl Reader<'_, '_> {
    pub(super) fn verbs(&self, sentence: &Sentence<'_>) -> Vec<Found> {
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
                            reading.status = status_of_reduced(sentence, unit);
                        }
                        reading.passive = false;
                    }
                    Shape::Verb => {
                        let mut by = tail.clone();
                        by.push("by".to_owned());
                        let with_by = match_tail(sentence, unit + 1, &by).is_some();
                        if reading.passive && !with_by && self.may_stand_at_place(cue) {
                            all.extend(place_behind(sentence, unit).map(|end| Found {
                                cue: *index,
                                head: unit,
                                end,
                                start: group.start,
                                reading,
                                now: group_now(sentence, &group, unit),
                                over_object: false,
                                at_place: true,
                                place: None,
                            }));
                        }
                        if reading.passive || (reading.reduced && with_by) {
                            if !with_by {
                                continue;
                            }
                            reading.passive = true;
                            if reading.reduced {
                                reading.status = status_of_reduced(sentence, unit);
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
                let after = match_tail(sentence, unit + 1, &tail);
                let beyond = if after.is_none() && !cue.general {
                    past_object(sentence, unit + 1, &tail)
                } else {
                    None
                };
                let after = after.or(beyond);
                let place =
                    if after.is_none() { place_elsewhere(sentence, group.start, &tail) } else { None };
                let Some(end) = after.or_else(|| place.map(|_| unit + 1)) else { continue };
                all.push(Found {
                    cue: *index,
                    head: unit,
                    end,
                    start: group.start,
                    reading,
                    now: group_now(sentence, &group, unit),
                    place,
                    over_object: beyond.is_some(),
                    at_place: false,
                });
            }
        }
        all
    }

    pub(super) fn predicates(&self, sentence: &Sentence<'_>) -> Vec<Found> {
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
                    let lasting = cue.past_holds || grammar::is_lasting_noun(&cue.words[0]);
                    let Some((start, reading, now)) = predicate_reading(sentence, unit, lasting) else {
                        continue;
                    };
                    if cue.is_weak() && !self.may_be_weak(sentence, unit, start, reading) {
                        continue;
                    }
                    all.push(Found {
                        cue: *index,
                        head: unit,
                        end,
                        start,
                        reading,
                        now,
                        place: None,
                        over_object: false,
                        at_place: false,
                    });
                }
            }
        }
        all
    }
}

impl Reader<'_, '_> {
    /// Whether the doer of a verb may be a place, a list or a rule at or in which something is done.
    fn may_stand_at_place(&self, cue: &cues::Cue) -> bool {
        let vocabulary = self.lexicon.vocabulary;
        let relation = &vocabulary.relations[cue.relation];
        let doers = if cue.inverse { &relation.to } else { &relation.from };
        cue.tail.is_empty() && doers.iter().all(|kind| !vocabulary.types[*kind].human)
    }

    /// Whether a preposition alone says something of the name before it: after a form of *be*, between commas or in
    /// brackets, or where the name begins the clause or follows a preposition itself.
    fn may_be_weak(&self, sentence: &Sentence<'_>, unit: usize, start: usize, reading: Reading) -> bool {
        let word = sentence.word(unit);
        if !reading.reduced {
            return word != "of" && start < unit;
        }
        if start < unit {
            // `X, an opera by Y`
            let token = sentence.units[unit - 1].tokens.end - 1;
            return self.lexicon.vocabulary.type_words.find(sentence.tokens, token).is_some()
                || cues::names_person(&sentence.tokens[token].lower);
        }
        let Some(before) = unit.checked_sub(1) else { return false };
        let Some(name) = sentence.name_at(before) else {
            return word != "of" && matches!(sentence.word(before), "," | "(");
        };
        let known = self.known(&sentence.mentions[name]);
        let human = known.is_some_and(|entity| self.lexicon.vocabulary.types[entity.kind].human);
        if human && matches!(word, "in" | "at" | "on") {
            return false;
        }
        let mut left = before;
        while left > 0 && sentence.is_word(left - 1) && grammar::is_determiner(sentence.word(left - 1)) {
            left -= 1;
        }
        left == 0
            || sentence.units[left - 1].kind == UnitKind::Mark
            || word == "of"
            || word == "by"
            || grammar::is_preposition(sentence.word(left - 1))
    }
}

/// Where the end that a cue's preposition leads to stands, when the preposition is not behind the verb.
fn place_elsewhere(sentence: &Sentence<'_>, start: usize, tail: &[String]) -> Option<Place> {
    let [preposition] = tail else { return None };
    if !matches!(preposition.as_str(), "in" | "at" | "on" | "to" | "from" | "by" | "with" | "for" | "of") {
        return None;
    }
    if let Some(relative) = relative_before(sentence, start) {
        let by_place =
            sentence.word(relative) == "where" && matches!(preposition.as_str(), "in" | "at" | "on");
        if by_place {
            return Some(Place::Before(relative));
        }
        let led = relative > 0 && sentence.word(relative - 1) == preposition;
        return (led && matches!(sentence.word(relative), "which" | "whom"))
            .then_some(Place::Before(relative));
    }
    if start < 2 {
        return None;
    }
    sentence.name_at(start - 1)?;
    let mut at = start - 1;
    while at > 0 && sentence.is_word(at - 1) && grammar::is_determiner(sentence.word(at - 1)) {
        at -= 1;
    }
    let fronted = at > 0
        && sentence.word(at - 1) == preposition
        && (at == 1 || matches!(sentence.word(at - 2), "," | ";" | "and" | "but"));
    fronted.then_some(Place::Front(start - 1))
}

/// `is permitted in X`, `is permitted there`: the unit after the preposition, or of the word for the place.
fn place_behind(sentence: &Sentence<'_>, verb: usize) -> Option<usize> {
    let mut at = verb + 1;
    while sentence.is_word(at) && grammar::is_adverbial(sentence.word(at)) && sentence.word(at) != "there" {
        at += 1;
    }
    match sentence.word(at) {
        "in" | "at" | "on" => Some(at + 1),
        "there" | "here" => Some(at),
        _ => None,
    }
}

/// What a verb without its auxiliary states.
fn status_of_reduced(sentence: &Sentence<'_>, unit: usize) -> Status {
    if group_is_negated(sentence, unit) { Status::Negated } else { Status::Fact }
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
            let listed = (wanted == "by" || at == start) && sentence.word(at) == ",";
            if unit.kind != UnitKind::Word && unit.kind != UnitKind::Pronoun && !listed {
                return None;
            }
            if sentence.tokens[unit.tokens.start].is(wanted) {
                at += 1;
                break;
            }
            let word = sentence.word(at);
            if at == start && word == "," {
                // `objected, by letter, to X`
                at = past_inserted(sentence, at)?;
                continue;
            }
            if wanted == "by" && matches!(word, "and" | ",") && is_participle_at(sentence, at + 1) {
                // `written and directed by X`
                at += if sentence.word(at + 1) == "and" { 3 } else { 2 };
                continue;
            }
            if wanted == "by"
                && let Some(agent) = past_year(sentence, at)
            {
                at = agent;
                continue;
            }
            if word == "in" && modality::is_year(sentence.word(at + 1)) {
                // `launched in 1898 at X`
                at += 2;
                continue;
            }
            if let Some(after) = past_lapse(sentence, at) {
                at = after;
                continue;
            }
            if wanted == "by" && grammar::is_preposition(word) {
                at = agent_ahead(sentence, at)?;
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

/// The unit after a lapse of time: `sank four years later off X`.
fn past_lapse(sentence: &Sentence<'_>, unit: usize) -> Option<usize> {
    let number = grammar::is_number_word(sentence.word(unit))
        || matches!(sentence.word(unit), "a" | "some")
        || sentence.tokens[sentence.units[unit].tokens.start].is_number();
    let time = matches!(
        inflect::singular(sentence.word(unit + 1)).as_str(),
        "year" | "month" | "week" | "day" | "decade" | "hour"
    );
    let after = matches!(sentence.word(unit + 2), "later" | "earlier" | "afterwards" | "ago" | "before");
    (number && time && after).then_some(unit + 3)
}

/// The `by` after a bare year: `introduced 1874 by X`, `introduced 1902, again by X`.
fn past_year(sentence: &Sentence<'_>, unit: usize) -> Option<usize> {
    if !modality::is_year(sentence.word(unit)) {
        return None;
    }
    let mut at = unit + 1 + usize::from(sentence.word(unit + 1) == ",");
    at += usize::from(sentence.is_word(at) && grammar::is_adverbial(sentence.word(at)));
    (sentence.word(at) == "by").then_some(at)
}

fn is_participle_at(sentence: &Sentence<'_>, unit: usize) -> bool {
    let word =
        sentence.word(unit + usize::from(matches!(sentence.word(unit), "and" | "co" | "then" | "also")));
    sentence.is_word(unit) && inflect::is_participle(word)
}

/// `teaches Latin at X`: the unit after the preposition of a cue behind the verb's own object.
fn past_object(sentence: &Sentence<'_>, start: usize, tail: &[String]) -> Option<usize> {
    let [preposition] = tail else { return None };
    if !matches!(preposition.as_str(), "at" | "in" | "for" | "with" | "on" | "under" | "against") {
        return None;
    }
    let end = (start..sentence.units.len())
        .take(6)
        .find(|unit| sentence.is_word(*unit) && sentence.word(*unit) == preposition)?;
    let object = (start..end).all(|unit| match sentence.units[unit].kind {
        UnitKind::Mark => false,
        UnitKind::Word => {
            let word = sentence.word(unit);
            grammar::is_determiner(word) && word != "no"
                || matches!(word, "and" | "by")
                || !grammar::is_closed(word)
        }
        _ => true,
    });
    (object && end > start).then_some(end + 1)
}

/// The unit after a short insertion between commas.
fn past_inserted(sentence: &Sentence<'_>, comma: usize) -> Option<usize> {
    let close = (comma + 2..sentence.units.len()).take(4).find(|unit| sentence.word(*unit) == ",")?;
    let plain = (comma + 1..close).all(|unit| sentence.is_word(unit));
    let opens =
        grammar::is_preposition(sentence.word(comma + 1)) || grammar::is_adverbial(sentence.word(comma + 1));
    (plain && opens).then_some(close + 1)
}

/// The `by` after phrases of time and place: `painted in 1870 by X`, `opened for the town on 3 May by X`.
fn agent_ahead(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    for at in start..(start + 10).min(sentence.units.len()) {
        let word = sentence.word(at);
        if sentence.is_word(at) && word == "by" {
            let next = sentence.tokens.get(sentence.units[at].tokens.end)?;
            return (!next.is_number() && !next.lower.ends_with("ing")).then_some(at);
        }
        let between_names =
            sentence.name_at(at + 1).is_some() && at > 0 && sentence.name_at(at - 1).is_some();
        let passes = match sentence.units[at].kind {
            UnitKind::Mark => word == "," && between_names,
            UnitKind::Word if word == "and" && between_names => true,
            UnitKind::Word => {
                !grammar::is_relative(word)
                    && !grammar::is_coordinator(word)
                    && !grammar::is_auxiliary(word)
                    && !grammar::is_subordinator(word)
                    || word == "as"
            }
            _ => true,
        };
        if !passes {
            return None;
        }
    }
    None
}

/// Reads the verb before a predicate: a form of *be* or a verb like it, or an apposition.
fn predicate_reading(sentence: &Sentence<'_>, head: usize, lasting: bool) -> Option<(usize, Reading, bool)> {
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
            let full = modality::read_verb(sentence, at - 1, Form::GERUND, &group, lasting);
            reading.status = full.map_or(Status::NotCurrent, |full| full.status);
            let negated = (at..head)
                .any(|unit| matches!(sentence.word(unit), "not" | "never" | "longer" | "no" | "neither"));
            if negated
                && !((at..head).any(|unit| sentence.word(unit) == "not" && sentence.word(unit + 1) == "only"))
            {
                reading.status = Status::Negated;
            } else if past && !lasting && reading.status == Status::Fact {
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
            // `was found to be susceptible to`
            let outer = group.start.checked_sub(1).filter(|_| sentence.word(group.start) == "to");
            let start = outer.map_or(group.start, |verb| modality::group(sentence, verb).start);
            return Some((start, reading, now));
        }
        if matches!(word, "remains" | "remain" | "became" | "becomes" | "stays")
            || at == head && grammar::is_resting(word)
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
        let present = if sentence.word(at) == "the" { at + 1 } else { at };
        let skips = grammar::is_determiner(word) && !grammar::is_relative(word)
            || word == "at"
                && matches!(sentence.word(present), "present" | "moment")
                && modality::is_at_present(sentence, present)
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
