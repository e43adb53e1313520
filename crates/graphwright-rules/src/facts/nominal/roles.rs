//! Who bears the role that a noun names: `Y is the N`, `Y, the N,`, `Y serves as N`, `Z appointed Y as N`.

use crate::facts::{
    collect::Status,
    grammar,
    inflect::Form,
    modality,
    slots::{self, Term},
    units::{Sentence, UnitKind},
};

/// The bearers of the role that a noun phrase starting at a unit names, and whether they bear it. `lasting`: who once
/// bore it still does, as with `author`.
pub(super) fn bearers(
    sentence: &Sentence<'_>,
    start: usize,
    after: usize,
    lasting: bool,
) -> Option<(Vec<Term>, Status)> {
    let Some(before) = start.checked_sub(1) else {
        // `The winemaker of X.` on a page about somebody.
        let verb = (0..sentence.units.len()).any(|unit| {
            let word = sentence.word(unit);
            sentence.is_word(unit)
                && (grammar::is_auxiliary(word) || grammar::is_likely_verb(word) && unit > 1)
        });
        return (!verb).then(|| (vec![Term::Topic], Status::Fact));
    };
    let word = sentence.word(before);
    if !sentence.is_word(before) {
        return beside(sentence, before).map(|term| (vec![term], Status::Fact));
    }
    if word == "as" {
        return replaced(sentence, before, after).or_else(|| as_role(sentence, before));
    }
    if is_appointing(word) {
        return appointed(sentence, before);
    }
    if is_becoming(word) {
        let group = modality::group(sentence, before);
        let form = Form::THIRD | Form::PAST;
        let reading = modality::read_verb(sentence, before, form, &group, true)?;
        return Some((slots::subjects(sentence, group.start, false), reading.status));
    }
    let linked = grammar::is_be(word)
        || matches!(word, "not" | "also" | "now" | "still" | "currently" | "become" | "never");
    if !linked {
        return None;
    }
    let group = modality::group(sentence, start);
    if !group.be {
        return None;
    }
    let form = Form::PARTICIPLE | Form::GERUND;
    let status = modality::read_verb(sentence, start, form, &group, lasting)
        .map_or(Status::NotCurrent, |reading| reading.status);
    Some((slots::subjects(sentence, group.start, false), status))
}

/// The name before a comma, bracket or dash: `Y, the N`, `Y (b. 1880), the N`.
fn beside(sentence: &Sentence<'_>, mark: usize) -> Option<Term> {
    if !matches!(sentence.word(mark), "," | "(" | "—" | "–" | "-") {
        return None;
    }
    let mut at = mark.checked_sub(1)?;
    if sentence.word(at) == ")" {
        at = (0..at).rev().find(|unit| sentence.word(*unit) == "(")?.checked_sub(1)?;
    }
    sentence.name_at(at).map(Term::Name)
}

/// `W was succeeded as N of X by Y`
fn replaced(sentence: &Sentence<'_>, as_unit: usize, after: usize) -> Option<(Vec<Term>, Status)> {
    let verb = as_unit.checked_sub(1)?;
    if !matches!(sentence.word(verb), "succeeded" | "replaced" | "followed") || sentence.word(after) != "by" {
        return None;
    }
    let group = modality::group(sentence, verb);
    let reading = modality::read_verb(sentence, verb, Form::PARTICIPLE, &group, true)?;
    let name = sentence.name_at(after + 1)?;
    group.be.then(|| (vec![Term::Name(name)], reading.status))
}

/// `Y serves as N`, `Z appointed Y as N`, `Y succeeded W as N`.
fn as_role(sentence: &Sentence<'_>, as_unit: usize) -> Option<(Vec<Term>, Status)> {
    let last = as_unit.checked_sub(1)?;
    if sentence.is_word(last) {
        let word = sentence.word(last);
        if is_acting(word) {
            let group = modality::group(sentence, last);
            let form = Form::THIRD | Form::BASE | Form::GERUND;
            let status = modality::read_verb(sentence, last, form, &group, true)
                .map_or(Status::NotCurrent, |reading| reading.status);
            return Some((slots::subjects(sentence, group.start, word.ends_with("ing")), status));
        }
        let took_over =
            word == "over" && last > 0 && matches!(sentence.word(last - 1), "took" | "takes" | "taken");
        if took_over || matches!(word, "continues" | "started" | "joined" | "returned") {
            let verb = if took_over { last - 1 } else { last };
            let group = modality::group(sentence, verb);
            let form = if group.auxiliary.is_some() { Form::PARTICIPLE } else { Form::PAST | Form::THIRD };
            let status = modality::read_verb(sentence, verb, form, &group, true)
                .map_or(Status::NotCurrent, |reading| reading.status);
            return Some((slots::subjects(sentence, group.start, false), status));
        }
        return if is_appointing(word) { appointed(sentence, last) } else { None };
    }
    let UnitKind::Name(name) = sentence.units[last].kind else { return None };
    let mut verb = last.checked_sub(1)?;
    while verb > 0 && sentence.is_word(verb) && grammar::is_determiner(sentence.word(verb)) {
        verb -= 1;
    }
    let word = sentence.word(verb);
    let group = modality::group(sentence, verb);
    if is_appointing(word) || grammar::is_have(word) {
        let form =
            if group.auxiliary.is_some() { Form::PARTICIPLE | Form::BASE } else { Form::PAST | Form::THIRD };
        let status = modality::read_verb(sentence, verb, form, &group, true)
            .map_or(Status::NotCurrent, |reading| reading.status);
        return Some((vec![Term::Name(name)], status));
    }
    if matches!(word, "succeeded" | "replaced" | "succeeds" | "replaces" | "followed") && !group.be {
        let form = if group.auxiliary.is_some() { Form::PARTICIPLE } else { Form::PAST | Form::THIRD };
        let status = modality::read_verb(sentence, verb, form, &group, true)
            .map_or(Status::NotCurrent, |reading| reading.status);
        return Some((slots::subjects(sentence, group.start, false), status));
    }
    None
}

/// `Y was appointed N`.
fn appointed(sentence: &Sentence<'_>, verb: usize) -> Option<(Vec<Term>, Status)> {
    let group = modality::group(sentence, verb);
    let reading = modality::read_verb(sentence, verb, Form::PARTICIPLE, &group, true)?;
    let terms = slots::subjects(sentence, group.start, group.auxiliary.is_none());
    (group.be || group.auxiliary.is_none()).then_some((terms, reading.status))
}

graphwright_english::word_class! {
    /// Verbs that give somebody a role.
    pub(in crate::facts) is_appointing:
    "appointed" "named" "elected" "made" "chosen" "chose" "hired" "confirmed" "installed" "nominated" "engaged" "re-elected"
    "selected" "appoints" "elects" "names" "employs"
}

graphwright_english::word_class! {
    /// Verbs of coming to be or staying something.
    pub(in crate::facts) is_becoming:
    "became" "becomes" "remains" "remained" "stays"
}

graphwright_english::word_class! {
    pub(in crate::facts) is_acting:
    "serves" "acts" "works" "serving" "acting" "functions" "operates" "doubles" "serve" "act" "work"
}
