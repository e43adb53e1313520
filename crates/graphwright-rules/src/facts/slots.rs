//! Who does it, and to whom: the names left and right of a cue.

mod objects;
mod subjects;

pub(super) use objects::{is_verb_ahead, objects};
pub(super) use subjects::{antecedent, described_by, subjects};

use super::{
    collect::Status,
    grammar, modality,
    units::{Sentence, UnitKind},
};

/// What stands in a place of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    /// A name of the sentence.
    Name(usize),
    /// A description or pronoun at a unit.
    Stand(usize),
    /// Words in small letters that may be a name: their tokens.
    Phrase(usize, usize),
    /// Nothing: the topic of the item, section or page is meant.
    Topic,
    /// The first subject of the sentence, whose verb phrase goes on.
    First,
}

/// The names in the place after a cue.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Objects {
    /// Each with what is said of it alone.
    pub(super) terms: Vec<(Term, Status)>,
    /// The last unit that belongs to them.
    pub(super) last: usize,
    /// They are alternatives (`a or b`).
    pub(super) alternatives: bool,
}

impl Objects {
    /// One thing at a unit.
    pub(super) fn one(term: Term, unit: usize) -> Self {
        Self { terms: vec![(term, Status::Fact)], last: unit, alternatives: false }
    }
}

fn term_at(sentence: &Sentence<'_>, unit: usize) -> Option<Term> {
    match sentence.units.get(unit)?.kind {
        UnitKind::Name(mention) => Some(Term::Name(mention)),
        UnitKind::Described(_) | UnitKind::Pronoun => Some(Term::Stand(unit)),
        _ => None,
    }
}

/// What the words before an object say of it: `a planned X`, `the former Y`.
fn modified_status(sentence: &Sentence<'_>, start: usize, unit: usize) -> Status {
    let mut status = Status::Fact;
    for at in start..unit {
        let word = sentence.word(at);
        if grammar::is_former_adjective(word) && !matches!(word, "old" | "late" | "then" | "past")
            || matches!(
                word,
                "planned"
                    | "proposed"
                    | "future"
                    | "upcoming"
                    | "forthcoming"
                    | "potential"
                    | "possible"
                    | "prospective"
                    | "hypothetical"
            )
        {
            status = Status::NotCurrent;
        }
        if word == "no" {
            status = Status::Negated;
        }
    }
    status
}

/// What a bracket after a name says of it: `(planned)`, `(until 2021)`, `(formerly X)` says nothing.
pub(super) fn bracket_status(sentence: &Sentence<'_>, start: usize, end: usize) -> Status {
    text_status((start..end).map(|unit| sentence.word(unit)))
}

/// The same for the words of a note.
pub(super) fn text_status<'a>(words: impl Iterator<Item = &'a str>) -> Status {
    let words: Vec<&str> = words.collect();
    let first = words.first().copied().unwrap_or("");
    let ended = matches!(
        first,
        "until"
            | "till"
            | "former"
            | "ended"
            | "retired"
            | "discontinued"
            | "removed"
            | "historical"
            | "past"
            | "previously"
            | "ex"
            | "expired"
            | "terminated"
            | "cancelled"
            | "canceled"
            | "withdrawn"
            | "rejected"
            | "dropped"
            | "closed"
            | "inactive"
    ) || (first == "formerly" && words.len() == 1);
    let coming = matches!(
        first,
        "planned"
            | "proposed"
            | "future"
            | "from"
            | "tbc"
            | "tentative"
            | "expected"
            | "pending"
            | "upcoming"
            | "provisional"
            | "under"
            | "candidate"
            | "optional"
            | "possibly"
            | "not"
    ) && !(first == "from"
        && words.len() == 2
        && words[1].starts_with(['1', '2'])
        && !modality::is_coming(words[1]));
    let range = words.len() >= 3
        && super::modality::is_year(words[0])
        && matches!(words[1], "–" | "-" | "—" | "to")
        && super::modality::is_year(words[2]);
    if ended || coming || range { Status::NotCurrent } else { Status::Fact }
}
