//! Facts from nouns: `the owner of X is Y`, `X's owner, Y`, `Y is the owner of X`, `X's dependency on Y`.

mod doings;
mod possessed;
mod roles;

use super::{
    clauses::{Link, Reader, Trust},
    collect::Status,
    cues::{NounCue, Role, Shape},
    grammar, modality,
    slots::{self, Objects, Term},
    units::{Sentence, UnitKind},
};

/// Where a noun stands with the words for whose it is.
#[derive(Debug)]
struct Place {
    owners: Vec<Term>,
    /// The first unit of its phrase.
    start: usize,
    /// The unit after its phrase.
    after: usize,
}

impl Reader<'_, '_> {
    /// Reads all facts that nouns for an end of a relationship state.
    pub(super) fn read_nouns(&mut self, sentence: &Sentence<'_>) {
        self.read_possessed_names(sentence);
        let mut at = 0;
        while at < sentence.tokens.len() {
            let unit = sentence.unit_of[at];
            let described = matches!(sentence.units[unit].kind, UnitKind::Described(_));
            if !sentence.is_word(unit) && !described {
                at += 1;
                continue;
            }
            if let Some((length, nouns)) = self.lexicon.vocabulary.nouns.find(sentence.tokens, at)
                && (!described || sentence.units[unit].tokens.end == at + length)
            {
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
            if let Some(cues) = sentence.tokens[at]
                .singular
                .as_ref()
                .and_then(|noun| self.lexicon.vocabulary.doings.get(noun))
            {
                for cue in cues.clone() {
                    self.read_products(sentence, unit, cue);
                }
            }
            at += 1;
        }
    }

    fn read_noun(&mut self, sentence: &Sentence<'_>, first: usize, last: usize, noun: NounCue) {
        let former = first.checked_sub(1).is_some_and(|unit| is_former_or_planned(sentence, unit));
        let Some(place) = self.place_of(sentence, first, last) else {
            let plural = sentence.tokens[sentence.units[last].tokens.end - 1].singular.is_some();
            self.read_has_noun(sentence, first, last, noun, plural);
            return;
        };
        let status = if former { Status::NotCurrent } else { Status::Fact };
        self.noun_then_name(sentence, noun, &place.owners, place.after, status, first);
        if sentence.word(place.start) != "whose" {
            self.name_then_noun(sentence, noun, &place, status, first);
        }
    }

    /// Whose noun it is: `X's owner`, `its owner`, `the owner of X`, or on a page about X `the owner`.
    fn place_of(&self, sentence: &Sentence<'_>, first: usize, last: usize) -> Option<Place> {
        let described = !sentence.is_word(first);
        let left = if described { first } else { before_adjectives(sentence, first) };
        let after = last + 1;
        if let Some((owner, start)) = possessor(sentence, left) {
            return Some(Place { owners: vec![owner], start, after });
        }
        let mut start = left;
        while start > 0 && sentence.is_word(start - 1) && grammar::is_determiner(sentence.word(start - 1)) {
            start -= 1;
        }
        if matches!(sentence.word(after), "of" | "for" | "to" | "at" | "in") {
            let of = slots::objects(self.lexicon, sentence, after + 1);
            let of = without_open_list(sentence, of);
            if !of.terms.is_empty() {
                let owners = of.terms.iter().map(|(term, _)| term.clone()).collect();
                return Some(Place { owners, start, after: of.last + 1 });
            }
        }
        // `chief executive Y of X`
        if sentence.name_at(after).is_some() && matches!(sentence.word(after + 1), "of" | "at" | "for") {
            let of = without_open_list(sentence, slots::objects(self.lexicon, sentence, after + 2));
            if !of.terms.is_empty() {
                let owners = of.terms.iter().map(|(term, _)| term.clone()).collect();
                return Some(Place { owners, start, after });
            }
        }
        // `X (owner: Y)`
        if start > 1
            && sentence.word(start - 1) == "("
            && let Some(name) = sentence.name_at(start - 2)
            && (sentence.word(after) == ":" || sentence.name_at(after).is_some())
        {
            return Some(Place { owners: vec![Term::Name(name)], start, after });
        }
        let definite = sentence.word(start) == "the" && (described || start + 1 >= left);
        let next = sentence.word(after);
        let opens =
            start == 0 && (grammar::is_be(next) || next == "," && sentence.name_at(after + 1).is_some());
        // `Designer Y; contractor Z.` on a page about something.
        let bare = start == left
            && (start == 0 || matches!(sentence.word(start - 1), ";" | "."))
            && sentence.name_at(after).is_some()
            && matches!(sentence.word(after + 1), "" | ";" | "." | ",")
            && !sentence
                .units
                .iter()
                .any(|unit| grammar::is_auxiliary(&sentence.tokens[unit.tokens.start].lower));
        if bare {
            return Some(Place { owners: vec![Term::Topic], start, after });
        }
        // `Y replaces W as treasurer.`
        let as_role = start == left
            && start > 1
            && sentence.word(start - 1) == "as"
            && matches!(next, "." | "" | "," | ";");
        if as_role {
            return Some(Place { owners: vec![Term::Topic], start, after });
        }
        let closes = start > 1
            && matches!(next, "." | "," | ")" | ";" | "")
            && (matches!(sentence.word(start - 1), "," | "(") && sentence.name_at(start - 2).is_some()
                || grammar::is_be(sentence.word(start - 1)));
        (definite && (opens || closes)).then(|| Place { owners: vec![Term::Topic], start, after })
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
        let after = past_inserted(sentence, after);
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
            let lasting = past_of_event(noun, self) || grammar::is_lasting_noun(sentence.word(head));
            if past && !negated && !lasting {
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
        let objects = slots::objects(self.lexicon, sentence, at);
        let objects = if objects.terms.is_empty() { kin_ahead(sentence, at) } else { objects };
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

    /// `Y is the owner of X`, `Y, the owner of X,`, `Y (owner of X)`, `Z made Y owner of X`.
    fn name_then_noun(
        &mut self,
        sentence: &Sentence<'_>,
        noun: NounCue,
        place: &Place,
        status: Status,
        head: usize,
    ) {
        let lasting = past_of_event(noun, self) || grammar::is_lasting_noun(sentence.word(head));
        let Some((names, verb_status)) = roles::bearers(sentence, place.start, place.after, lasting) else {
            return;
        };
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
        self.relate_noun(sentence, noun, &place.owners, &objects, status, head);
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
        let objects = slots::objects(self.lexicon, sentence, start);
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
        let trust = if noun.general { Trust::General } else { Trust::Own };
        let link = Link { relation: noun.relation, turned: noun.role == Role::From, trust };
        self.emit(sentence, link, owners, named, status, head);
    }
}

/// The first of at most two adjectives before a noun.
fn before_adjectives(sentence: &Sentence<'_>, first: usize) -> usize {
    let mut left = first;
    while left > 0
        && first - left < 2
        && sentence.is_word(left - 1)
        && !grammar::is_closed(sentence.word(left - 1))
        && sentence.word(left - 1) != "'s"
        && !roles::is_appointing(sentence.word(left - 1))
        && !roles::is_becoming(sentence.word(left - 1))
    {
        left -= 1;
    }
    left
}

/// The possessor whose words end before a unit, with its first unit: `X's`, `its`, `X, whose`.
fn possessor(sentence: &Sentence<'_>, left: usize) -> Option<(Term, usize)> {
    let before = left.checked_sub(1)?;
    match sentence.word(before) {
        "'s" | "'" => {
            let unit = before.checked_sub(1)?;
            let term = match sentence.units[unit].kind {
                UnitKind::Name(mention) => Term::Name(mention),
                UnitKind::Described(_) => Term::Stand(unit),
                _ => return None,
            };
            Some((term, unit))
        }
        "whose" => {
            let term = slots::antecedent(sentence, before).into_iter().next()?;
            Some((term, before))
        }
        "our" => None,
        word if grammar::is_possessive(word) => Some((Term::Stand(before), before)),
        _ => None,
    }
}

/// A list without `and` is no list: `the owner of A, B, …`.
fn without_open_list(sentence: &Sentence<'_>, mut objects: Objects) -> Objects {
    let Some((Term::Name(first), _)) = objects.terms.first() else { return objects };
    let unit = sentence.unit_of[sentence.mentions[*first].tokens.start];
    let closed = (unit..objects.last).any(|unit| matches!(sentence.word(unit), "and" | "&" | "or"));
    if objects.terms.len() > 1 && !closed {
        objects.terms.truncate(1);
        objects.last = unit;
    }
    objects
}

/// The form of *be* after a phrase behind the noun: `her captain on the first voyage was Y`, `its owner, however, is Y`.
fn past_inserted(sentence: &Sentence<'_>, after: usize) -> usize {
    let word = sentence.word(after);
    let remark = word == "," && sentence.word(after + 2) == "," && grammar::is_be(sentence.word(after + 3));
    if remark && matches!(sentence.word(after + 1), "however" | "though" | "too" | "then" | "incidentally") {
        return after + 3;
    }
    if !sentence.is_word(after) || !matches!(word, "on" | "in" | "at" | "during" | "from" | "since") {
        return after;
    }
    let passes = |unit: &usize| {
        let word = sentence.word(*unit);
        sentence.units[*unit].kind != UnitKind::Mark
            && !(sentence.is_word(*unit) && (grammar::is_auxiliary(word) || grammar::is_relative(word)))
    };
    let end = after + 1 + (after + 1..sentence.units.len()).take(7).take_while(passes).count();
    if sentence.is_word(end) && grammar::is_be(sentence.word(end)) { end } else { after }
}

/// `his great-grandson, Y`, `Z's nephew, Y`: the name after a noun phrase without one.
fn kin_ahead(sentence: &Sentence<'_>, start: usize) -> Objects {
    let of_name = sentence.name_at(start).is_some() && sentence.word(start + 1) == "'s";
    if !of_name && !matches!(sentence.word(start), "his" | "her" | "their" | "its" | "the" | "a" | "an") {
        return Objects::default();
    }
    let comma = (start + 1..sentence.units.len())
        .take(5)
        .take_while(|unit| sentence.is_word(*unit) || matches!(sentence.word(*unit), "," | "'s"))
        .find(|unit| sentence.word(*unit) == ",");
    let name = comma.and_then(|comma| Some((comma + 1, sentence.name_at(comma + 1)?)));
    name.map_or_else(Objects::default, |(unit, name)| Objects::one(Term::Name(name), unit))
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
        cue.relation == noun.relation
            && cue.shape == Shape::Verb
            && cue.past_holds
            && cue.tail.is_empty()
            && !cue.general
    })
}
