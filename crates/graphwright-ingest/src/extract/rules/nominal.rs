//! Facts from nouns: `the owner of X is Y`, `X's owner, Y`, `Y is the owner of X`, `X's dependency on Y`.

use super::{
    clauses::Reader,
    collect::Status,
    cues::{NounCue, Role, Shape},
    grammar, modality,
    slots::{self, Objects, Term},
    units::{Sentence, UnitKind},
};

impl Reader<'_, '_> {
    /// Reads all facts that nouns for an end of a relationship state.
    pub(super) fn read_nouns(&mut self, sentence: &Sentence<'_>) {
        let mut at = 0;
        while at < sentence.tokens.len() {
            let unit = sentence.unit_of[at];
            if !sentence.is_word(unit) {
                // A possessed description: `its owner` is a word, `the owner` may be a description.
                at += 1;
                continue;
            }
            if let Some((length, nouns)) = self.lexicon.vocabulary.nouns.find(sentence.tokens, at) {
                let nouns: Vec<NounCue> = nouns.into_iter().copied().filter(|noun| !noun.key_only).collect();
                let last = sentence.unit_of[at + length - 1];
                for noun in nouns {
                    self.read_noun(sentence, unit, last, noun);
                }
            }
            if let Some(cues) = self.lexicon.vocabulary.doings.get(&sentence.tokens[at].lower) {
                let cues = cues.clone();
                for cue in cues {
                    self.read_doing(sentence, unit, cue);
                }
            }
            at += 1;
        }
    }

    /// The types at both sides of a noun: what it is of, and what it names.
    fn sides(&self, noun: NounCue) -> (&[usize], &[usize]) {
        let relation = &self.lexicon.vocabulary.relations[noun.relation];
        match noun.role {
            Role::To => (&relation.from, &relation.to),
            Role::From => (&relation.to, &relation.from),
        }
    }

    fn read_noun(&mut self, sentence: &Sentence<'_>, first: usize, last: usize, noun: NounCue) {
        let plural = sentence.tokens[sentence.units[last].tokens.start].singular.is_some();
        let before_first = first.checked_sub(1);
        let former = before_first.is_some_and(|unit| is_former_or_planned(sentence, unit));
        // The possessor: `X's owner`, `its owner`, `the owner of X`.
        let mut after = last + 1;
        let mut owners: Vec<Term> = Vec::new();
        let mut possessive_start = first;
        let adjective = |unit: usize| {
            sentence.is_word(unit) && !grammar::is_closed(sentence.word(unit)) && sentence.word(unit) != "'s"
        };
        let mut left = first;
        while left > 0 && first - left < 2 && adjective(left - 1) {
            left -= 1;
        }
        if left > 1
            && matches!(sentence.word(left - 1), "'s" | "'")
            && sentence.units[left - 2].kind != UnitKind::Mark
        {
            match sentence.units[left - 2].kind {
                UnitKind::Name(mention) => owners.push(Term::Name(mention)),
                UnitKind::Described(_) => owners.push(Term::Stand(left - 2)),
                _ => {}
            }
            possessive_start = left - 2;
        } else if left > 0
            && grammar::is_possessive(sentence.word(left - 1))
            && !matches!(sentence.word(left - 1), "our" | "whose")
        {
            owners.push(Term::Stand(left - 1));
            possessive_start = left - 1;
        } else if left > 1 && sentence.word(left - 1) == "whose" {
            let antecedent =
                if sentence.word(left - 2) == "," { left.checked_sub(3) } else { Some(left - 2) };
            owners.extend(antecedent.and_then(|unit| sentence.name_at(unit)).map(Term::Name));
            possessive_start = left - 1;
        }
        if owners.is_empty() && matches!(sentence.word(after), "of" | "for") {
            let ahead = |unit: usize| self.is_verb_ahead(sentence, unit);
            let of = slots::objects(sentence, after + 1, &|_| false);
            if !of.terms.is_empty() {
                let _ = ahead;
                owners = of.terms.iter().map(|(term, _)| term.clone()).collect();
                after = of.last + 1;
                possessive_start = left;
                while possessive_start > 0
                    && grammar::is_determiner(sentence.word(possessive_start - 1))
                    && sentence.is_word(possessive_start - 1)
                {
                    possessive_start -= 1;
                }
            }
        }
        if left == 1 && owners.is_empty() && sentence.word(0) == "the" && grammar::is_be(sentence.word(after))
        {
            // `The owner is Y.`: of what the page or section is about.
            owners.push(Term::Topic);
            possessive_start = 0;
        }
        if owners.is_empty() {
            self.read_has_noun(sentence, first, last, noun, plural);
            return;
        }
        let status = if former { Status::NotCurrent } else { Status::Fact };
        self.noun_then_name(sentence, noun, &owners, after, status, first);
        self.name_then_noun(sentence, noun, &owners, possessive_start, status, first);
    }

    /// `X's owner is Y`, `X's owner, Y,`, `X's owner Y`, `its owners include A and B`.
    fn noun_then_name(
        &mut self,
        sentence: &Sentence<'_>,
        noun: NounCue,
        owners: &[Term],
        after: usize,
        status: Status,
        head: usize,
    ) {
        let mut at = after;
        let mut negated = false;
        let mut verb_status = Status::Fact;
        let next = sentence.word(at);
        let is_adverb = |unit: usize| {
            sentence.is_word(unit)
                && (grammar::is_adverbial(sentence.word(unit)) || grammar::is_negation(sentence.word(unit)))
        };
        if sentence.is_word(at)
            && (grammar::is_auxiliary(next)
                || matches!(next, "include" | "includes" | "remains" | "remain" | "became" | "comprise")
                || is_adverb(at))
        {
            let mut past = false;
            while sentence.is_word(at)
                && (grammar::is_auxiliary(sentence.word(at))
                    || is_adverb(at)
                    || matches!(
                        sentence.word(at),
                        "include"
                            | "includes"
                            | "remains"
                            | "remain"
                            | "became"
                            | "named"
                            | "called"
                            | "comprise"
                            | "longer"
                    ))
            {
                let word = sentence.word(at);
                negated |= grammar::is_negation(word) || word.ends_with("n't");
                past |= grammar::is_past_be(word);
                if grammar::is_modal(word) || grammar::is_former_adverb(word) || grammar::is_hedge(word) {
                    verb_status = Status::NotCurrent;
                }
                at += 1;
            }
            if past && !negated && !past_of_event(noun, self) {
                verb_status = Status::NotCurrent;
            }
            if negated {
                verb_status = Status::Negated;
            }
        } else if matches!(next, "," | ":" | "(" | "—" | "–") {
            at += 1;
            if sentence.name_at(at).is_none() {
                return;
            }
        } else if sentence.name_at(at).is_none() {
            return;
        }
        let ahead = |unit: usize| self.is_verb_ahead(sentence, unit);
        let objects = slots::objects(sentence, at, &ahead);
        // After a comma only one name is meant: what follows may be a list of other things.
        let objects = if next == "," { first_only(objects) } else { objects };
        if objects.terms.is_empty() {
            return;
        }
        let status = status
            .max(verb_status)
            .max(modality::surroundings(sentence, head, objects.last, false))
            .max(self.base);
        self.relate_noun(sentence, noun, owners, &objects, status, head);
    }

    /// `Y is the owner of X`, `Y, the owner of X,`, `Y (owner of X)`, `Y as owner of X`.
    fn name_then_noun(
        &mut self,
        sentence: &Sentence<'_>,
        noun: NounCue,
        owners: &[Term],
        start: usize,
        status: Status,
        head: usize,
    ) {
        let Some(before) = start.checked_sub(1) else { return };
        let word = sentence.word(before);
        let mut verb_status = Status::Fact;
        let subjects = if sentence.is_word(before)
            && (grammar::is_be(word)
                || matches!(
                    word,
                    "not"
                        | "also"
                        | "now"
                        | "still"
                        | "currently"
                        | "become"
                        | "became"
                        | "remains"
                        | "as"
                        | "been"
                )) {
            let verb = if word == "as" { before } else { before + 1 };
            let group = modality::group(sentence, verb);
            if word == "as" {
                let at = before.saturating_sub(1);
                if !matches!(sentence.word(at), "serves" | "acts" | "works" | "serving" | "acting") {
                    return;
                }
                slots::subjects(sentence, at, false)
            } else {
                if !group.be && !matches!(word, "became" | "remains") {
                    return;
                }
                let form = super::inflect::Form::PARTICIPLE | super::inflect::Form::GERUND;
                verb_status =
                    modality::read_verb(sentence, before + 1, form, &group, past_of_event(noun, self))
                        .map_or(Status::NotCurrent, |reading| reading.status);
                slots::subjects(
                    sentence,
                    group.start.min(if matches!(word, "became" | "remains") { before } else { group.start }),
                    false,
                )
            }
        } else if matches!(word, "," | "(" | "—" | "–" | "-")
            && before > 0
            && sentence.name_at(before - 1).is_some()
        {
            sentence.name_at(before - 1).map(Term::Name).into_iter().collect()
        } else {
            return;
        };
        let names: Vec<Term> = subjects;
        if names.is_empty() {
            return;
        }
        let objects = Objects {
            terms: names.into_iter().map(|term| (term, Status::Fact)).collect(),
            last: head,
            alternatives: false,
        };
        let status =
            status.max(verb_status).max(modality::surroundings(sentence, head, head, false)).max(self.base);
        self.relate_noun(sentence, noun, owners, &objects, status, head);
    }

    /// `X has Y as its owner`, `X has two owners: A and B`, `X, with owner Y`.
    fn read_has_noun(
        &mut self,
        sentence: &Sentence<'_>,
        first: usize,
        last: usize,
        noun: NounCue,
        plural: bool,
    ) {
        let mut at = first;
        while at > 0
            && first - at < 3
            && sentence.is_word(at - 1)
            && (grammar::is_determiner(sentence.word(at - 1))
                || grammar::is_number_word(sentence.word(at - 1))
                || !grammar::is_closed(sentence.word(at - 1)))
        {
            at -= 1;
        }
        if at == 0 || !matches!(sentence.word(at - 1), "has" | "have" | "with") || !sentence.is_word(at - 1) {
            return;
        }
        let next = sentence.word(last + 1);
        let start = match next {
            ":" | "," | "—" | "–" | "on" | "namely" => last + 2,
            _ => last + 1,
        };
        if next == "," && !plural {
            return;
        }
        let ahead = |unit: usize| self.is_verb_ahead(sentence, unit);
        let objects = slots::objects(sentence, start, &ahead);
        if objects.terms.is_empty()
            || (next == "on" && !self.lexicon.vocabulary.doings.contains_key(sentence.word(first)))
        {
            return;
        }
        let group = modality::group(sentence, at - 1);
        let verb_status = modality::read_verb(
            sentence,
            at - 1,
            super::inflect::Form::THIRD | super::inflect::Form::BASE,
            &group,
            false,
        )
        .map_or(Status::NotCurrent, |reading| reading.status);
        let subjects = slots::subjects(sentence, group.start, sentence.word(at - 1) == "with");
        let status =
            verb_status.max(modality::surroundings(sentence, first, objects.last, false)).max(self.base);
        let no = (at..first).any(|unit| sentence.word(unit) == "no");
        let status = if no { Status::Negated } else { status };
        self.relate_noun(sentence, noun, &subjects, &objects, status, first);
    }

    fn relate_noun(
        &mut self,
        sentence: &Sentence<'_>,
        noun: NounCue,
        owners: &[Term],
        named: &Objects,
        status: Status,
        head: usize,
    ) {
        let (of, names) = self.sides(noun);
        let (of, names) = (of.to_vec(), names.to_vec());
        let turned = noun.role == Role::From;
        self.emit(sentence, noun.relation, turned, owners, &of, named, &names, status, head);
    }

    /// `X's dependency on Y`, `the use of Y by X`, `the acquisition of Y by X`.
    fn read_doing(&mut self, sentence: &Sentence<'_>, head: usize, index: usize) {
        let cue = &self.lexicon.vocabulary.cues[index];
        if cue.shape != Shape::Verb || cue.general {
            return;
        }
        let relation = &self.lexicon.vocabulary.relations[cue.relation];
        let (left, right) =
            if cue.inverse { (&relation.to, &relation.from) } else { (&relation.from, &relation.to) };
        let (left, right, turned, kind) = (left.clone(), right.clone(), cue.inverse, cue.relation);
        let link = cue.tail.first().map_or("of", String::as_str).to_owned();
        let next = sentence.word(head + 1);
        let ahead = |unit: usize| self.is_verb_ahead(sentence, unit);
        let possessor = |unit: usize| match sentence.units[unit].kind {
            UnitKind::Name(mention) => Some(Term::Name(mention)),
            UnitKind::Described(_) => Some(Term::Stand(unit)),
            _ => None,
        };
        let mut subjects = Vec::new();
        let mut objects = Objects::default();
        if next == link || next == "of" {
            objects = slots::objects(sentence, head + 2, &ahead);
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
                subjects.extend(possessor(at - 2));
            } else if at > 0 && grammar::is_possessive(sentence.word(at - 1)) && next == link {
                subjects.push(Term::Stand(at - 1));
            } else if !objects.terms.is_empty() && matches!(sentence.word(objects.last + 1), "by" | "on") {
                // `use of Y by X`; `dependency of X on Y`.
                let others = slots::objects(sentence, objects.last + 2, &ahead);
                let others_terms: Vec<Term> = others.terms.iter().map(|(term, _)| term.clone()).collect();
                if sentence.word(objects.last + 1) == "by" && next == "of" && link == "of" {
                    subjects = others_terms;
                } else if sentence.word(objects.last + 1) == link && next == "of" && link != "of" {
                    subjects = objects.terms.iter().map(|(term, _)| term.clone()).collect();
                    objects = others;
                }
            }
        }
        if subjects.is_empty() || objects.terms.is_empty() {
            return;
        }
        // The doing is stated only where it is not what is planned, ended or doubted.
        let doubtful = sentence.tokens.iter().any(|token| {
            grammar::is_plan(&token.lower)
                || grammar::is_denial(&token.lower)
                || grammar::is_modal(&token.lower)
                || grammar::is_negation(&token.lower)
                || matches!(
                    token.lower.as_str(),
                    "end"
                        | "ended"
                        | "ends"
                        | "former"
                        | "remove"
                        | "removing"
                        | "drop"
                        | "eliminate"
                        | "eliminated"
                        | "any"
                        | "potential"
                        | "possible"
                )
        });
        let status = if doubtful { Status::NotCurrent } else { Status::Fact };
        let status = status.max(modality::surroundings(sentence, head, objects.last, false)).max(self.base);
        self.emit(sentence, kind, turned, &subjects, &left, &objects, &right, status, head);
    }
}

fn first_only(mut objects: Objects) -> Objects {
    objects.terms.truncate(1);
    objects
}

/// Whether an adjective before a noun says that it holds no more, or not yet.
fn is_former_or_planned(sentence: &Sentence<'_>, unit: usize) -> bool {
    let word = sentence.word(unit);
    sentence.is_word(unit)
        && (grammar::is_former_adjective(word)
            || matches!(
                word,
                "planned"
                    | "proposed"
                    | "potential"
                    | "possible"
                    | "future"
                    | "prospective"
                    | "next"
                    | "likely"
                    | "designated"
                    | "incoming"
                    | "outgoing"
                    | "alleged"
                    | "intended"
            ))
}

/// Whether the noun names who did something once, so that `was the author of` still holds.
fn past_of_event(noun: NounCue, reader: &Reader<'_, '_>) -> bool {
    reader.lexicon.vocabulary.cues.iter().any(|cue| {
        cue.relation == noun.relation && cue.shape == Shape::Verb && cue.past_holds && cue.tail.is_empty()
    })
}
