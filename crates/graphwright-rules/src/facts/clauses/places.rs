//! Ends of a relationship that stand elsewhere: in front, before a relative clause, in a list of examples.

use super::{Found, Place, Reader};
use crate::facts::{
    collect::Status,
    grammar, modality, people,
    slots::{self, Objects, Term},
    units::{Sentence, UnitKind},
};

impl Reader<'_, '_> {
    /// `In Rome stands X`; `Rome, where X stands`.
    pub(super) fn relate_placed(
        &mut self,
        sentence: &Sentence<'_>,
        found: &Found,
        place: Place,
        after: &Objects,
    ) {
        let link = self.lexicon.vocabulary.cues[found.cue].link(found.reading.passive);
        let (subjects, terms, last): (Vec<Term>, Vec<Term>, usize) = match place {
            Place::Front(unit) => {
                let subjects = after.terms.iter().map(|(term, _)| term.clone()).collect();
                (subjects, sentence.name_at(unit).map(Term::Name).into_iter().collect(), after.last)
            }
            Place::Before(relative) => (
                slots::subjects(sentence, found.start, false),
                slots::antecedent(sentence, relative),
                found.head,
            ),
        };
        self.relate_terms(sentence, found, link, &subjects, terms, last);
    }

    /// `X, which Y owns`: what the relative stands for is the object.
    pub(super) fn relate_relative(&mut self, sentence: &Sentence<'_>, found: &Found) {
        if found.reading.passive || found.reading.reduced || found.reading.bare && found.start == 0 {
            return;
        }
        let Some(relative) = relative_before(sentence, found.start) else { return };
        if !matches!(sentence.word(relative), "which" | "that" | "whom" | "who") {
            return;
        }
        // The order of the words alone says too little of their types: both must be known, or one be a person's name.
        let subjects = slots::subjects(sentence, found.start, false);
        let terms = slots::antecedent(sentence, relative);
        let own = self.lexicon.vocabulary.cues[found.cue].link(false);
        let person = matches!(subjects.as_slice(), [Term::Name(name)]
            if people::is_person_name(self.lexicon, &sentence.mentions[*name].name) == Some(true));
        let (left, _) = own.sides(self.lexicon.vocabulary);
        let human = left.iter().all(|kind| self.lexicon.vocabulary.types[*kind].human);
        let trust = if person && human { super::Trust::General } else { super::Trust::Weak };
        let link = super::Link { trust, ..own };
        self.relate_terms(sentence, found, link, &subjects, terms, found.head);
    }

    /// `X (Rome, 900 seats)`: a name that a bracket begins with, where only one relationship may be meant.
    pub(super) fn read_brackets(&mut self, sentence: &Sentence<'_>) {
        for open in 1..sentence.units.len() {
            if sentence.word(open) != "(" || !matches!(sentence.word(open + 2), "," | ")" | ";") {
                continue;
            }
            let (Some(one), Some(other)) = (sentence.name_at(open - 1), sentence.name_at(open + 1)) else {
                continue;
            };
            let (Some(left), Some(right)) =
                (self.known(&sentence.mentions[one]), self.known(&sentence.mentions[other]))
            else {
                continue;
            };
            let vocabulary = self.lexicon.vocabulary;
            let Some((relation, turned)) = vocabulary.only_relation(left.kind, right.kind) else { continue };
            let close = (open..sentence.units.len()).find(|unit| sentence.word(*unit) == ")");
            let close = close.unwrap_or(open + 2);
            let status = slots::bracket_status(sentence, open + 2, close).max(self.base);
            let link = super::Link { relation, turned, trust: super::Trust::Weak };
            let objects = Objects::one(Term::Name(other), open + 1);
            self.emit(sentence, link, &[Term::Name(one)], &objects, status, open);
        }
    }

    fn relate_terms(
        &mut self,
        sentence: &Sentence<'_>,
        found: &Found,
        link: super::Link,
        subjects: &[Term],
        terms: Vec<Term>,
        last: usize,
    ) {
        let objects = Objects {
            terms: terms.into_iter().map(|term| (term, Status::Fact)).collect(),
            last,
            alternatives: false,
        };
        let status = found
            .reading
            .status
            .max(modality::surroundings(sentence, found.head, last, found.now))
            .max(self.base);
        self.emit(sentence, link, subjects, &objects, status, found.start);
    }

    /// The examples of a subject that is only a word for a type: `Two lakes feed it: A and B`; `lakes, including A and B,
    /// feed it`.
    pub(super) fn examples(&self, sentence: &Sentence<'_>, found: &Found, last: usize) -> Option<Vec<Term>> {
        let start = found.start.min(found.head);
        let before = start.checked_sub(1)?;
        if sentence.word(before) == "," {
            return listed_before(sentence, before);
        }
        let predicate_head =
            if sentence.is_word(before) || found.head == 0 { before } else { found.head - 1 };
        let is_type = |unit: usize| {
            let token = sentence.units[unit].tokens.end - 1;
            sentence.is_word(unit)
                && sentence.tokens[token].singular.is_some()
                && self.lexicon.vocabulary.type_words.find(sentence.tokens, token).is_some()
        };
        if !(is_type(predicate_head) || found.head > 0 && is_type(found.head - 1)) {
            return None;
        }
        let mut at = last + 1;
        if sentence.word(at) == "," && matches!(sentence.word(at + 1), "namely" | "including") {
            at += 1;
        }
        // `Only two lakes feed it, A and B`
        let count = (0..=predicate_head).rev().take(3).find_map(|unit| count_of(sentence.word(unit)));
        if sentence.word(at) == ","
            && let Some(count) = count
        {
            let listed = slots::objects(self.lexicon, sentence, at + 1);
            let terms: Vec<Term> = listed.terms.into_iter().map(|(term, _)| term).collect();
            return (terms.len() == count).then_some(terms);
        }
        if !matches!(sentence.word(at), ":" | "—" | "–" | "namely" | "including" | "(") {
            return None;
        }
        let listed = slots::objects(self.lexicon, sentence, at + 1);
        (!listed.terms.is_empty()).then(|| listed.terms.into_iter().map(|(term, _)| term).collect())
    }
}

/// The number that a word for a small one says.
fn count_of(word: &str) -> Option<usize> {
    ["two", "three", "four", "five", "six"].iter().position(|number| *number == word).map(|at| at + 2)
}

/// The names of `including A and B` or `such as A and B` that a comma ends.
fn listed_before(sentence: &Sentence<'_>, comma: usize) -> Option<Vec<Term>> {
    let lead = (0..comma).rev().take(12).find(|unit| {
        sentence.is_word(*unit)
            && (matches!(sentence.word(*unit), "including" | "namely")
                || sentence.word(*unit) == "as" && *unit > 0 && sentence.word(unit - 1) == "such")
    })?;
    let terms: Vec<Term> =
        (lead + 1..comma).filter_map(|unit| sentence.name_at(unit)).map(Term::Name).collect();
    let plain = (lead + 1..comma).all(|unit| {
        sentence.name_at(unit).is_some()
            || matches!(sentence.word(unit), "," | "and" | "&")
            || grammar::is_determiner(sentence.word(unit))
    });
    (plain && !terms.is_empty()).then_some(terms)
}

/// The relative word before the subject that ends before a unit.
pub(in crate::facts) fn relative_before(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    let mut at = start.checked_sub(1)?;
    if sentence.word(at) == ")" {
        // `which X (1848–1911) founded`
        at = (0..at).rev().find(|unit| sentence.word(*unit) == "(")?.checked_sub(1)?;
    }
    if !matches!(sentence.units[at].kind, UnitKind::Name(_) | UnitKind::Described(_) | UnitKind::Pronoun) {
        return None;
    }
    while at > 0 {
        at -= 1;
        let word = sentence.word(at);
        if sentence.is_word(at) && (grammar::is_relative(word) || word == "where") {
            return Some(at);
        }
        let passes = sentence.name_at(at).is_some()
            || sentence.is_word(at) && (grammar::is_determiner(word) || matches!(word, "and" | "&"));
        if !passes {
            return None;
        }
    }
    None
}
