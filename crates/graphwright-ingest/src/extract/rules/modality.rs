//! Whether a sentence states a fact: negation, tense, mood, and what governs the verb.

use super::{
    collect::Status,
    grammar,
    inflect::Form,
    units::{Sentence, UnitKind},
};

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

/// Whether a comma, dash, bracket or conjunction at a unit begins another part of the sentence.
fn divides(sentence: &Sentence<'_>, unit: usize) -> bool {
    match sentence.units[unit].kind {
        UnitKind::Mark => matches!(sentence.word(unit), "," | ";" | "—" | "–" | "(" | ")" | ":"),
        UnitKind::Word => {
            matches!(
                sentence.word(unit),
                "but" | "while" | "whereas" | "although" | "though" | "because" | "which" | "who" | "yet"
            ) || (sentence.word(unit) == "and" && starts_predicate(sentence, unit + 1))
        }
        _ => false,
    }
}

/// Whether a verb group, not another name, follows.
fn starts_predicate(sentence: &Sentence<'_>, mut unit: usize) -> bool {
    while sentence.is_word(unit)
        && (grammar::is_adverbial(sentence.word(unit)) || grammar::is_negation(sentence.word(unit)))
    {
        unit += 1;
    }
    sentence.is_word(unit)
        && (grammar::is_auxiliary(sentence.word(unit)) || grammar::is_likely_verb(sentence.word(unit)))
}

/// What the words around a cue say of it: from the start of its part of the sentence to the end of the part in
/// which its last name stands, a part in front, and one behind if they begin with such a word.
pub(super) fn surroundings(sentence: &Sentence<'_>, verb: usize, last: usize, now: bool) -> Status {
    let count = sentence.units.len();
    let mut start = verb;
    while start > 0 && !divides(sentence, start - 1) {
        start -= 1;
    }
    let mut end = last.max(verb) + 1;
    while end < count && !divides(sentence, end) {
        end += 1;
    }
    let mut status = clause_status(sentence, start, verb, end, now);
    if start > 0 {
        let mut front = 0;
        while front < start && !divides(sentence, front) {
            front += 1;
        }
        let other_clause =
            (front..start).any(|unit| matches!(sentence.word(unit), "but" | ";" | "while" | "whereas"));
        if fronts(sentence, 0) && !other_clause {
            status = status.max(clause_status(sentence, 0, front, front, false));
        }
    }
    if end < count && sentence.units[end].kind == UnitKind::Mark && trails(sentence, end + 1) {
        let mut stop = end + 1;
        while stop < count && !divides(sentence, stop) {
            stop += 1;
        }
        status = status.max(clause_status(sentence, end + 1, end + 1, stop, now));
        if matches!(
            sentence.word(end + 1),
            "planned" | "proposed" | "expected" | "tentatively" | "subject" | "pending"
        ) {
            status = status.max(Status::NotCurrent);
        }
    }
    status.max(whole_sentence(sentence, verb))
}

fn fronts(sentence: &Sentence<'_>, unit: usize) -> bool {
    let word = sentence.word(unit);
    matches!(
        word,
        "until"
            | "till"
            | "before"
            | "prior"
            | "in"
            | "from"
            | "between"
            | "by"
            | "next"
            | "at"
            | "later"
            | "during"
            | "starting"
            | "beginning"
            | "once"
            | "upon"
            | "pending"
            | "subject"
            | "as"
            | "under"
            | "up"
            | "for"
            | "to"
    ) || grammar::is_former_adverb(word)
        || grammar::is_hedge(word)
}

fn trails(sentence: &Sentence<'_>, unit: usize) -> bool {
    let word = sentence.word(unit);
    matches!(
        word,
        "until"
            | "till"
            | "before"
            | "prior"
            | "subject"
            | "pending"
            | "planned"
            | "proposed"
            | "expected"
            | "in"
            | "from"
            | "at"
            | "though"
            | "but"
            | "once"
    ) || grammar::is_hedge(word)
        || grammar::is_conditional(word)
}

/// Conditions, questions and denied reports reach over the whole sentence.
fn whole_sentence(sentence: &Sentence<'_>, verb: usize) -> Status {
    let count = sentence.units.len();
    let verb_token = sentence.units[verb].tokens.start;
    let start = (0..verb_token).rev().find(|at| sentence.tokens[*at].lower == ";").map_or(0, |at| at + 1);
    let end = (verb_token..sentence.tokens.len())
        .find(|at| sentence.tokens[*at].lower == ";")
        .unwrap_or(sentence.tokens.len());
    if sentence.tokens[sentence.tokens.len() - 1].lower == "?"
        || sentence.tokens[..].iter().rev().take(2).any(|token| token.lower == "?")
    {
        return Status::NotCurrent;
    }
    if matches!(
        sentence.tokens[start].lower.as_str(),
        "should" | "were" | "had" | "imagine" | "let" | "consider" | "todo" | "please"
    ) {
        return Status::NotCurrent;
    }
    let mut status = Status::Fact;
    for at in start..end {
        let word = sentence.tokens[at].lower.as_str();
        let next = sentence.tokens.get(at + 1).map_or("", |token| token.lower.as_str());
        let previous = at.checked_sub(1).map_or("", |at| sentence.tokens[at].lower.as_str());
        if (grammar::is_conditional(word) && !matches!(previous, "even" | "as" | "regardless"))
            || (matches!(word, "provided" | "providing") && next == "that")
            || (word == "case" && previous == "in" && next != "of")
        {
            status = status.max(Status::NotCurrent);
        }
        let reported = grammar::is_report_denial(word)
            || (word == "evidence" && previous == "no")
            || (word == "true" && matches!(previous, "not" | "longer" | "isn't"))
            || (word == "contrary" && next == "to")
            || (word == "case"
                && previous == "the"
                && at >= 2
                && sentence.tokens[..at].iter().any(|token| token.lower == "not"));
        if at > verb_token && is_refused(word) && grammar::is_be(previous) {
            status = status.max(Status::NotCurrent);
        }
        if reported
            && (at < verb_token
                || matches!(
                    word,
                    "false"
                        | "untrue"
                        | "incorrect"
                        | "denied"
                        | "unfounded"
                        | "refuted"
                        | "disputed"
                        | "unconfirmed"
                ))
        {
            status = status.max(Status::Negated);
        }
    }
    let _ = count;
    status
}

/// What the words of one part of a sentence say of a verb in it.
fn clause_status(sentence: &Sentence<'_>, start: usize, verb: usize, end: usize, now: bool) -> Status {
    let mut status = Status::Fact;
    for unit in start..end {
        // `Legend has it that …`: a word at the start of a sentence may look like a name.
        let opening = unit == 0 && sentence.units[0].tokens.len() == 1;
        if !sentence.is_word(unit) && !opening {
            continue;
        }
        let word = sentence.word(unit);
        let next = sentence.word(unit + 1);
        let previous = if unit > 0 { sentence.word(unit - 1) } else { "" };
        let before_verb = unit < verb;
        let former = (grammar::is_former_adverb(word)
            && !(word == "once" && next == "a")
            && !(word == "earlier" && previous != "," && unit > verb))
            || (word == "past" && previous == "the" && unit > 0)
            || (word == "time" && previous == "the" && unit > 1 && sentence.word(unit - 2) == "at")
            || (word == "prior" && next == "to")
            || (matches!(word, "until" | "till") && !matches!(next, "now" | "today"))
            || (word == "before" && (is_year(next) || grammar::is_month(next)))
            || (word == "longer" && previous == "no")
            || (matches!(word, "to" | "and")
                && is_year(next)
                && (start..unit).rev().take(4).any(|at| is_year(sentence.word(at))))
            || ((is_year(word) || grammar::is_month(word)) && previous == "by" && unit > 0)
            || (word == "used" && next == "to" && !(unit > 0 && grammar::is_be(previous)));
        let coming = (matches!(word, "next" | "coming")
            && matches!(
                next,
                "year" | "month" | "week" | "quarter" | "spring" | "summer" | "autumn" | "winter"
            ))
            || (word == "future" && matches!(previous, "the" | "in" | "near"))
            || (word == "later" && next == "this")
            || (word == "tomorrow")
            || (word == "once" && matches!(next, "the" | "it" | "a") && unit > verb);
        if (former || coming) && !(now && former) {
            status = status.max(Status::NotCurrent);
        }
        if grammar::is_hedge(word) && !(word == "likely" && unit > verb) {
            status = status.max(Status::NotCurrent);
        }
        if before_verb && grammar::is_plan(word) && !grammar::is_determiner(previous) {
            status = status.max(Status::NotCurrent);
        }
        let claimed = grammar::is_claim(word)
            && word != "decision"
            && (unit + 1..verb.min(end)).any(|unit| matches!(sentence.word(unit), "that" | "to"))
            || grammar::is_contention(word) && next == "that"
            || is_said(word) && (next == "that" || next == "to" && grammar::is_be(previous))
            || matches!(word, "say" | "says")
                && matches!(previous, "they" | "people" | "some" | "many" | "legend");
        if before_verb && claimed {
            status = status.max(Status::NotCurrent);
        }
        if before_verb && grammar::is_denial(word) {
            status = status.max(Status::Negated);
        }
        if before_verb && matches!(word, "neither" | "nor" | "nobody" | "none") {
            status = status.max(Status::Negated);
        }
        if before_verb && matches!(word, "rather" | "instead") && matches!(next, "than" | "of") {
            status = status.max(Status::Negated);
        }
    }
    status
}

grammar::words! {
/// What ends a request or proposal.
is_refused: "refused" "rejected" "declined" "dismissed" "withdrawn" "denied" "overruled" }

grammar::words! {
/// Participles of an impersonal report: `it is said that`, `X is thought to`.
is_said: "said" "thought" "believed" "held" "rumoured" "rumored" "reputed" "supposed" "alleged" "assumed" "reported" }

/// Whether a word is a year.
pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(&word[..2], "15" | "16" | "17" | "18" | "19" | "20" | "21")
}
