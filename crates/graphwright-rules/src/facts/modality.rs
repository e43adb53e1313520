//! Whether a sentence states a fact: negation, tense, mood, and what governs the verb.

mod surroundings;

pub(super) use surroundings::{is_coming, is_year, opens_exception, surroundings};

use super::{collect::Status, grammar, inflect::Form, units::Sentence};

/// The auxiliaries, adverbs and negations before a verb.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// The first unit of the group.
    pub(super) start: usize,
    /// The auxiliary nearest to the verb.
    pub(super) auxiliary: Option<String>,
    pub(super) be: bool,
    past_be: bool,
    have: bool,
    past_have: bool,
    modal: bool,
    past_do: bool,
    do_support: bool,
    negated: bool,
    to: bool,
    now: bool,
    former: bool,
    hedged: bool,
}

/// Reads the words left of a verb that belong to it.
pub(super) fn group(sentence: &Sentence<'_>, verb: usize) -> Group {
    let mut group = Group { start: verb, ..Group::default() };
    let mut at = verb;
    while at > 0 {
        if !sentence.is_word(at - 1) {
            // `was not, as is often written, designed`
            match inserted_before(sentence, at - 1) {
                Some(before) => at = before,
                None => break,
            }
        }
        let word = sentence.word(at - 1);
        if grammar::is_auxiliary(word) && !(word == "'s" && sentence.name_at(at.wrapping_sub(2)).is_some()) {
            group.be |= grammar::is_be(word);
            group.past_be |= grammar::is_past_be(word);
            group.have |= grammar::is_have(word);
            group.past_have |= word.starts_with("had");
            group.modal |= grammar::is_modal(word);
            group.do_support |= grammar::is_do(word);
            group.past_do |= word.starts_with("did");
            group.negated |= word.ends_with("n't") || word == "cannot";
            group.auxiliary.get_or_insert_with(|| word.to_owned());
        } else if matches!(word, "present" | "moment") && is_at_present(sentence, at - 1) {
            group.now = true;
            at -= if sentence.word(at - 2) == "the" { 2 } else { 1 };
        } else if grammar::is_negation(word) {
            group.negated |= !(word == "not" && sentence.word(at) == "only");
        } else if word == "longer" {
            group.negated |= at >= 2 && sentence.word(at - 2) == "no";
        } else if word == "to" {
            group.to = true;
            at -= 1;
            break;
        } else if grammar::is_adverbial(word) {
            group.now |= matches!(word, "now" | "currently" | "still" | "today");
            group.former |= grammar::is_former_adverb(word);
            group.hedged |= grammar::is_hedge(word);
        } else {
            break;
        }
        at -= 1;
    }
    // Adverbs alone at the start of a sentence or after a comma are not part of the group.
    group.start = at;
    group
}

/// `at present`, `at the moment`
pub(super) fn is_at_present(sentence: &Sentence<'_>, noun: usize) -> bool {
    let before = |steps: usize| noun.checked_sub(steps).map_or("", |unit| sentence.word(unit));
    before(1) == "at" || before(1) == "the" && before(2) == "at"
}

/// The unit after the auxiliary or negation before an inserted remark that a comma ends.
fn inserted_before(sentence: &Sentence<'_>, comma: usize) -> Option<usize> {
    if sentence.word(comma) != "," {
        return None;
    }
    let open = (0..comma).rev().take(9).find(|unit| sentence.word(*unit) == ",")?;
    let before = open.checked_sub(1)?;
    let remark = matches!(
        sentence.word(open + 1),
        "as" | "however" | "though" | "contrary" | "according" | "it" | "despite"
    ) || grammar::is_adverbial(sentence.word(open + 1));
    let word = sentence.word(before);
    (remark && sentence.is_word(before) && (grammar::is_auxiliary(word) || grammar::is_negation(word)))
        .then_some(open)
}

/// What a verb in a form says with its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) passive: bool,
    /// A participle without a form of *be*.
    pub(super) reduced: bool,
    pub(super) gerund: bool,
    /// Without auxiliary and ending: it needs a plural subject, or takes over the group of the verb before it.
    pub(super) bare: bool,
    pub(super) status: Status,
}

/// Reads a verb form with its group. `past_holds`: the simple past says that it still is so.
pub(super) fn read_verb(
    sentence: &Sentence<'_>,
    verb: usize,
    form: Form,
    group: &Group,
    past_holds: bool,
) -> Option<Reading> {
    let mut reading =
        Reading { passive: false, reduced: false, gerund: false, bare: false, status: Status::Fact };
    let past = match group.auxiliary.as_deref() {
        Some(word) if grammar::is_be(word) => {
            if form.has(Form::GERUND) {
                group.past_be
            } else if form.has(Form::PARTICIPLE) {
                reading.passive = true;
                group.past_be && !group.have
            } else {
                return None;
            }
        }
        Some(word) if grammar::is_have(word) => {
            if !form.has(Form::PARTICIPLE) {
                return None;
            }
            group.past_have
        }
        Some(word) if grammar::is_modal(word) || grammar::is_do(word) => {
            if !form.has(Form::BASE) {
                return None;
            }
            group.past_do
        }
        _ if group.to => {
            if !form.has(Form::BASE) {
                return None;
            }
            false
        }
        _ => {
            if form.has(Form::THIRD) {
                false
            } else if form.has(Form::BASE) {
                reading.bare = true;
                false
            } else if form.has(Form::GERUND) {
                reading.gerund = true;
                false
            } else if form.has(Form::PAST) {
                reading.reduced = form.has(Form::PARTICIPLE);
                true
            } else {
                reading.reduced = true;
                false
            }
        }
    };
    let under_way = group.auxiliary.as_deref() == Some("being") && past_holds && reading.passive;
    if group.negated {
        reading.status = Status::Negated;
    } else if under_way || group.modal || group.former || group.hedged || (past && !past_holds) {
        reading.status = Status::NotCurrent;
    }
    if group.past_have && !past_holds {
        reading.status = reading.status.max(Status::NotCurrent);
    }
    if group.to {
        reading.status = reading.status.max(infinitive(sentence, group.start));
    }
    let _ = verb;
    Some(reading)
}

/// Whether an infinitive states a fact, by the word before its `to`.
fn infinitive(sentence: &Sentence<'_>, to: usize) -> Status {
    let mut at = to;
    while at > 0 && grammar::is_adverbial(sentence.word(at - 1)) {
        at -= 1;
    }
    let before = if at > 0 { sentence.word(at - 1) } else { "" };
    let outer = group(sentence, at.saturating_sub(1));
    let passive_use = before == "used" && outer.be;
    if (grammar::keeps_fact(before) || passive_use) && !outer.negated && !outer.modal {
        Status::Fact
    } else if outer.negated || grammar::is_denial(before) {
        Status::Negated
    } else {
        Status::NotCurrent
    }
}

/// Whether what governs a gerund leaves it a fact; `None` when nothing governs it.
pub(super) fn gerund(sentence: &Sentence<'_>, start: usize) -> Option<Status> {
    if start == 0 {
        return None;
    }
    let before = sentence.word(start - 1);
    if !sentence.is_word(start - 1) {
        return None;
    }
    if grammar::is_denial(before) || matches!(before, "without" | "against" | "from" | "instead" | "not") {
        return Some(Status::Negated);
    }
    if matches!(
        before,
        "by" | "through"
            | "via"
            | "while"
            | "keeps"
            | "keep"
            | "started"
            | "began"
            | "start"
            | "begins"
            | "starts"
            | "continues"
            | "continued"
            | "resumed"
            | "resumes"
    ) {
        let outer = group(sentence, start - 1);
        return Some(if outer.modal || outer.negated || outer.to {
            Status::NotCurrent
        } else {
            Status::Fact
        });
    }
    // `a film starring X`, `a film directed by Y and starring X`: it tells of the noun.
    let noun = !grammar::is_closed(before) && !grammar::is_plan(before) && !grammar::is_likely_verb(before);
    if noun || before == "and" && follows_agent(sentence, start - 1) {
        return None;
    }
    Some(Status::NotCurrent)
}

/// Whether names after a participle with `by` end before a unit.
fn follows_agent(sentence: &Sentence<'_>, end: usize) -> bool {
    let mut at = end;
    while at > 0 && (sentence.name_at(at - 1).is_some() || matches!(sentence.word(at - 1), "," | "and" | "&"))
    {
        at -= 1;
    }
    at > 1
        && at < end
        && sentence.word(at - 1) == "by"
        && super::inflect::is_participle(sentence.word(at - 2))
}
