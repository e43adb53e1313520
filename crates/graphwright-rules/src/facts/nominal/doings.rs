//! Facts from nouns for what is done: `X's dependency on Y`, `the use of Y by X`, `the upkeep of Y is in the hands of X`.

use crate::facts::{
    clauses::Reader,
    collect::Status,
    cues::Shape,
    grammar, modality,
    slots::{self, Objects, Term},
    units::{Sentence, UnitKind},
};

impl Reader<'_, '_> {
    /// Reads what the noun of a verb at a unit states.
    pub(super) fn read_doing(&mut self, sentence: &Sentence<'_>, head: usize, index: usize) {
        let cue = &self.lexicon.vocabulary.cues[index];
        if cue.shape != Shape::Verb || cue.general && !cue.tail.is_empty() {
            return;
        }
        let cue_link = cue.link(false);
        let link = cue.tail.first().map_or("of", String::as_str);
        let Some((subjects, objects)) = self.doer_and_done(sentence, head, link) else { return };
        if subjects.is_empty() || objects.terms.is_empty() {
            return;
        }
        let status = if sentence.tokens.iter().any(|token| is_doubtful(&token.lower)) {
            Status::NotCurrent
        } else {
            Status::Fact
        };
        let status = status.max(modality::surroundings(sentence, head, objects.last, false)).max(self.base);
        self.emit(sentence, cue_link, &subjects, &objects, status, head);
    }

    /// `Its publications include A and B`, `among X's discoveries are A and B`: the plural is what was done.
    pub(super) fn read_products(&mut self, sentence: &Sentence<'_>, head: usize, index: usize) {
        let cue = &self.lexicon.vocabulary.cues[index];
        let linked =
            matches!(sentence.word(head + 1), "are" | "is" | "include" | "includes" | "were" | "included");
        if cue.shape != Shape::Verb || !cue.tail.is_empty() || !linked {
            return;
        }
        let cue_link = cue.link(false);
        let Some(owner) = head.checked_sub(1) else { return };
        let subject = match sentence.word(owner) {
            "'s" | "'" => owner.checked_sub(1).and_then(|unit| possessor(sentence, unit)),
            word if grammar::is_possessive(word) => Some(Term::Stand(owner)),
            _ => None,
        };
        let Some(subject) = subject else { return };
        let objects = slots::objects(self.lexicon, sentence, head + 2);
        let status = modality::surroundings(sentence, head, objects.last, false).max(self.base);
        self.emit(sentence, cue_link, &[subject], &objects, status, head);
    }

    /// Who does what a noun says, and to what.
    fn doer_and_done(
        &self,
        sentence: &Sentence<'_>,
        head: usize,
        link: &str,
    ) -> Option<(Vec<Term>, Objects)> {
        let next = sentence.word(head + 1);
        if next != link && next != "of" {
            return None;
        }
        let objects = slots::objects(self.lexicon, sentence, head + 2);
        let terms =
            |objects: &Objects| objects.terms.iter().map(|(term, _)| term.clone()).collect::<Vec<_>>();
        let mut at = head;
        while at > 0
            && head - at < 2
            && sentence.is_word(at - 1)
            && !grammar::is_closed(sentence.word(at - 1))
            && sentence.word(at - 1) != "'s"
        {
            at -= 1;
        }
        if at > 1 && matches!(sentence.word(at - 1), "'s" | "'") {
            return Some((possessor(sentence, at - 2).into_iter().collect(), objects));
        }
        if at > 0 && grammar::is_possessive(sentence.word(at - 1)) && next == link {
            return Some((vec![Term::Stand(at - 1)], objects));
        }
        if objects.terms.is_empty() {
            return None;
        }
        let after = objects.last + 1;
        if matches!(sentence.word(after), "by" | "on") {
            // `use of Y by X`; `dependency of X on Y`.
            let others = slots::objects(self.lexicon, sentence, after + 1);
            if sentence.word(after) == "by" && next == "of" && link == "of" {
                return Some((terms(&others), objects));
            }
            if sentence.word(after) == link && next == "of" && link != "of" {
                return Some((terms(&objects), others));
            }
            return None;
        }
        if next != "of" || link != "of" {
            return None;
        }
        if let Some(start) = after_task(sentence, after) {
            return Some((terms(&slots::objects(self.lexicon, sentence, start)), objects));
        }
        let doer = before_task(sentence, at)?;
        Some((slots::subjects(sentence, doer, false), objects))
    }
}

/// `… is in the hands of X`, `… is the responsibility of X`, `… is by X`: the unit where X starts.
fn after_task(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    if !grammar::is_be(sentence.word(start)) || grammar::is_past_be(sentence.word(start)) {
        return None;
    }
    let phrases: [&[&str]; 6] = [
        &["in", "the", "hands", "of"],
        &["the", "responsibility", "of"],
        &["the", "task", "of"],
        &["the", "work", "of"],
        &["left", "to"],
        &["by"],
    ];
    phrases.iter().find_map(|phrase| {
        let stands = phrase.iter().enumerate().all(|(at, word)| sentence.word(start + 1 + at) == *word);
        stands.then(|| start + 1 + phrase.len())
    })
}

/// `X is responsible for the …`, `X is in charge of the …`: the unit where the verb group starts.
fn before_task(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    let mut at = start;
    while at > 0 && sentence.is_word(at - 1) && grammar::is_determiner(sentence.word(at - 1)) {
        at -= 1;
    }
    if at >= 1 && gives(sentence.word(at - 1)) && sentence.is_word(at - 1) {
        return Some(modality::group(sentence, at - 1).start);
    }
    let charge = at >= 3 && sentence.word(at - 1) == "of" && sentence.word(at - 2) == "charge";
    let responsible = at >= 2 && sentence.word(at - 1) == "for" && sentence.word(at - 2) == "responsible";
    let verb = if charge { at - 3 } else { at.checked_sub(2)? };
    (responsible || charge && sentence.word(verb) == "in").then(|| modality::group(sentence, verb).start)
}

graphwright_english::word_class! {
    /// Verbs that say no more than that something is done: `gave the premiere of`, `provides the upkeep of`.
    pub(in crate::facts) gives:
    "gave" "gives" "did" "does" "provides" "performs" "performed" "undertakes" "undertook" "handles" "handled"
}

fn possessor(sentence: &Sentence<'_>, unit: usize) -> Option<Term> {
    match sentence.units[unit].kind {
        UnitKind::Name(mention) => Some(Term::Name(mention)),
        UnitKind::Described(_) => Some(Term::Stand(unit)),
        _ => None,
    }
}

/// Words by which the doing is planned, ended or doubted.
fn is_doubtful(word: &str) -> bool {
    grammar::is_plan(word)
        || grammar::is_denial(word)
        || grammar::is_modal(word)
        || grammar::is_negation(word)
        || is_ending(word)
}

graphwright_english::word_class! {
    pub(in crate::facts) is_ending:
    "talks" "negotiations" "talk" "rumours" "discussions" "hopes" "end" "ended" "ends" "former" "remove" "removing" "drop" "eliminate" "eliminated" "any" "potential" "possible"
}
