//! What the words around a statement say of it: its own part of the sentence, a part in front or behind, and conditions,
//! questions and denials that reach over all of it.

use crate::facts::{
    collect::Status,
    grammar,
    units::{Sentence, UnitKind},
};

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
pub(in crate::facts) fn surroundings(sentence: &Sentence<'_>, verb: usize, last: usize, now: bool) -> Status {
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

graphwright_english::word_class! {
    /// Words that begin a part of a sentence which says of another when it holds, or whether it does.
    pub(in crate::facts) is_frame:
    "until" "till" "before" "prior" "in" "from" "at" "once" "pending" "subject"
}

/// Whether a part of a sentence that begins at a unit frames the part behind it: `From 2026 X runs on Y`.
fn fronts(sentence: &Sentence<'_>, unit: usize) -> bool {
    let word = sentence.word(unit);
    is_frame(word)
        || matches!(
            word,
            "between"
                | "by"
                | "next"
                | "later"
                | "during"
                | "starting"
                | "beginning"
                | "upon"
                | "as"
                | "under"
                | "up"
                | "for"
                | "to"
        )
        || grammar::is_former_adverb(word)
        || grammar::is_hedge(word)
}

/// Whether a part of a sentence that begins at a unit frames the part before it: `X runs on Y, pending approval`.
fn trails(sentence: &Sentence<'_>, unit: usize) -> bool {
    let word = sentence.word(unit);
    is_frame(word)
        || matches!(word, "planned" | "proposed" | "expected" | "though" | "but")
        || grammar::is_hedge(word)
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
    // `For "X, made by A" read "made by B"`: a correction quotes what is wrong.
    let quoted = sentence
        .tokens
        .windows(2)
        .position(|pair| pair[0].lower == "for" && matches!(pair[1].lower.as_str(), "\"" | "“"));
    if quoted.is_some_and(|at| sentence.tokens[at..].iter().any(|token| token.lower == "read")) {
        return Status::NotCurrent;
    }
    for at in start..end {
        let word = sentence.tokens[at].lower.as_str();
        let next = sentence.tokens.get(at + 1).map_or("", |token| token.lower.as_str());
        let previous = at.checked_sub(1).map_or("", |at| sentence.tokens[at].lower.as_str());
        if (grammar::is_conditional(word) && !matches!(previous, "even" | "as" | "regardless"))
            || (matches!(word, "provided" | "providing") && next == "that")
            || (word == "case" && previous == "in" && next != "of")
            || (matches!(word, "read" | "heard" | "hear") && next == "that" && at < verb_token)
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
            || matches!(word, "from" | "in" | "by") && is_coming(next)
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
            || previous == "one" && next == "that" && matches!(word, "reads" | "hears" | "finds")
            || matches!(word, "say" | "says")
                && matches!(previous, "they" | "people" | "some" | "many" | "legend");
        if before_verb && claimed {
            status = status.max(Status::NotCurrent);
        }
        if before_verb && grammar::is_denial(word) {
            status = status.max(Status::Negated);
        }
        let except = || (unit..verb.min(end)).any(|unit| opens_exception(sentence, unit));
        // `No X was involved`; `in no time` says nothing of the subject.
        let no_subject =
            word == "no" && sentence.name_at(unit + 1).is_some() && !grammar::is_preposition(previous);
        if before_verb && (no_subject || matches!(word, "neither" | "nor" | "nobody" | "none")) && !except() {
            status = status.max(Status::Negated);
        }
        if before_verb && matches!(word, "rather" | "instead") && matches!(next, "than" | "of") {
            status = status.max(Status::Negated);
        }
    }
    status
}

/// `but X`, `except X`, `other than X` after `nobody` or `no N`.
pub(in crate::facts) fn opens_exception(sentence: &Sentence<'_>, unit: usize) -> bool {
    let word = sentence.word(unit);
    let denies = |at: usize| matches!(sentence.word(at), "nobody" | "none" | "no" | "nothing");
    let opens = matches!(word, "except" | "save" | "but")
        || word == "than" && unit > 0 && matches!(sentence.word(unit - 1), "other" | "else");
    sentence.is_word(unit) && opens && (0..unit).rev().take(10).any(denies)
}

graphwright_english::word_class! {
    /// What ends a request or proposal.
    pub(in crate::facts) is_refused:
    "refused" "rejected" "declined" "dismissed" "withdrawn" "denied" "overruled"
}

graphwright_english::word_class! {
    /// Participles of an impersonal report: `it is said that`, `X is thought to`.
    pub(in crate::facts) is_said:
    "said" "thought" "believed" "held" "rumoured" "rumored" "reputed" "supposed" "alleged" "assumed" "reported"
}

/// Whether a word is a year that has not begun.
pub(in crate::facts) fn is_coming(word: &str) -> bool {
    is_year(word) && word.parse().is_ok_and(|year: i16| year > jiff::Zoned::now().year())
}

/// Whether a word is a year.
pub(in crate::facts) fn is_year(word: &str) -> bool {
    word.len() == 4
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(&word[..2], "15" | "16" | "17" | "18" | "19" | "20" | "21")
}
