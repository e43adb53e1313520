//! Clauses that leave out their verb: `A is led by B, C by D`; `A designed B and C D`.

use super::{Found, Reader};
use crate::facts::{
    collect::Status,
    grammar,
    slots::{self, Objects, Term},
    units::Sentence,
};

impl Reader<'_, '_> {
    /// Reads pairs of names that repeat what a cue just said, each after `,`, `;` or `and`: name, the cue's last
    /// preposition where it has one, name, and then the next pair or the end.
    pub(super) fn read_gaps(&mut self, sentence: &Sentence<'_>, found: &Found, start: usize, status: Status) {
        let vocabulary = self.lexicon.vocabulary;
        let cue = &vocabulary.cues[found.cue];
        let cue_link = cue.link(found.reading.passive);
        let (left, right) = cue_link.sides(vocabulary);
        let link = sentence.word(found.end - 1);
        let link = (found.end - 1 > found.head && grammar::is_preposition(link)).then_some(link);
        if let Some(unit) = echo(sentence, start) {
            self.read_echo(sentence, found, unit, status);
            return;
        }
        if cue.is_weak() {
            return;
        }
        let mut at = start;
        while let Some((one, other, end)) = pair(sentence, at, link) {
            let term = |unit: usize| sentence.name_at(unit).map(Term::Name);
            let (Some(subject), Some(object)) = (term(one), term(other)) else { return };
            let named = |term: &Term, kinds: &[usize]| !self.resolve(sentence, term, kinds, one).is_empty();
            if !named(&subject, left) || !named(&object, right) {
                return;
            }
            let objects = Objects::one(object, other);
            self.emit(sentence, cue_link, &[subject], &objects, status, one);
            at = end;
        }
    }
}

impl Reader<'_, '_> {
    /// `A uses X, as does B`: the same of another subject.
    fn read_echo(&mut self, sentence: &Sentence<'_>, found: &Found, unit: usize, status: Status) {
        let cue_link = self.lexicon.vocabulary.cues[found.cue].link(found.reading.passive);
        let others: Vec<Term> =
            slots::objects(self.lexicon, sentence, unit).terms.into_iter().map(|(term, _)| term).collect();
        let objects = slots::objects(self.lexicon, sentence, found.end);
        self.emit(sentence, cue_link, &others, &objects, status, found.start);
    }
}

/// `, as do A and B`, `and so is A`: the unit where the names start.
fn echo(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    let mut at = start;
    while matches!(sentence.word(at), "," | "and" | ";") {
        at += 1;
    }
    let verb = sentence.word(at + 1);
    let echoes = at > start
        && matches!(sentence.word(at), "as" | "so")
        && (grammar::is_do(verb) || grammar::is_be(verb) || grammar::is_have(verb));
    (echoes && !verb.ends_with("n't")).then_some(at + 2)
}

/// A pair of names after a separator, with the unit after it.
fn pair(sentence: &Sentence<'_>, start: usize, link: Option<&str>) -> Option<(usize, usize, usize)> {
    let mut at = start;
    while matches!(sentence.word(at), "," | ";" | "and" | "while" | "but") {
        at += 1;
    }
    if at == start {
        return None;
    }
    let one = past_determiners(sentence, at);
    sentence.name_at(one)?;
    at = one + 1;
    if let Some(link) = link {
        if sentence.word(at) != link {
            return None;
        }
        at += 1;
    }
    let other = past_determiners(sentence, at);
    sentence.name_at(other)?;
    let next = sentence.word(other + 1);
    let ends = matches!(next, "" | "," | ";" | "." | "and" | "in" | "on" | "since" | "for");
    ends.then_some((one, other, other + 1))
}

fn past_determiners(sentence: &Sentence<'_>, mut unit: usize) -> usize {
    while sentence.is_word(unit) && grammar::is_determiner(sentence.word(unit)) {
        unit += 1;
    }
    unit
}
