//! Whose a value is: the subject of its verb, its possessor, the thing that it stands before.

use super::Holder;
use crate::extract::rules::{
    clauses::Reader,
    collect::Status,
    grammar,
    inflect::{self, Form},
    modality,
    slots::{self, Term},
    units::{Sentence, UnitKind},
};

impl Reader<'_, '_> {
    /// The subject of a participle or past verb.
    pub(super) fn verb_holder(sentence: &Sentence<'_>, head: usize, event: bool) -> Option<Holder> {
        let word = sentence.word(head);
        let group = modality::group(sentence, head);
        let base = inflect::bases(word).into_iter().next()?;
        let form = inflect::forms(&base)
            .into_iter()
            .find(|(surface, _)| surface == word)
            .map_or(Form::PAST | Form::PARTICIPLE, |(_, form)| form);
        let reading = modality::read_verb(sentence, head, form, &group, event)?;
        let apposed = group.auxiliary.is_none();
        let mut terms = slots::subjects(sentence, group.start, apposed);
        if apposed && terms == [Term::Topic] && group.start == 0 {
            // `Founded in 1921, the clinic …`
            let comma = (head..sentence.units.len()).find(|unit| sentence.word(*unit) == ",");
            if let Some(term) = comma.and_then(|comma| term_after(sentence, comma + 1)) {
                terms = vec![term];
            }
        }
        Some((terms, reading.status, head))
    }

    /// The subject of `has`, or the name before `with`, that a count stands after.
    pub(super) fn holder_of_count(sentence: &Sentence<'_>, start: usize) -> Option<Holder> {
        let mut at = start;
        let mut steps = 0;
        while at > 0 && steps < 4 && sentence.is_word(at - 1) && !is_before_count(sentence.word(at - 1)) {
            let word = sentence.word(at - 1);
            if !(grammar::is_determiner(word)
                || grammar::is_adverbial(word)
                || matches!(
                    word,
                    "about" | "over" | "approximately" | "around" | "total" | "maximum" | "rated" | "nominal"
                )
                || !grammar::is_closed(word) && !grammar::is_likely_verb(word))
            {
                return None;
            }
            at -= 1;
            steps += 1;
        }
        let verb = at.checked_sub(1)?;
        let word = sentence.word(verb);
        if !sentence.is_word(verb) || word == "of" || !is_before_count(word) {
            return None;
        }
        let group = modality::group(sentence, verb);
        let status = modality::read_verb(sentence, verb, Form::THIRD | Form::BASE, &group, false)
            .map_or(Status::NotCurrent, |reading| reading.status);
        Some((slots::subjects(sentence, group.start, word == "with"), status, verb))
    }

    /// Whose word a noun is: `X's severity`, `the severity of X`, `its severity`; with the unit after it.
    pub(super) fn possessor(
        sentence: &Sentence<'_>,
        first: usize,
        last: usize,
    ) -> Option<(Vec<Term>, usize)> {
        if first > 1 && matches!(sentence.word(first - 1), "'s" | "'") {
            let owner = match sentence.units[first - 2].kind {
                UnitKind::Name(mention) => Term::Name(mention),
                UnitKind::Described(_) => Term::Stand(first - 2),
                _ => return None,
            };
            return Some((vec![owner], last + 1));
        }
        if first > 0 && matches!(sentence.word(first - 1), "its" | "their" | "his" | "her") {
            return Some((vec![Term::Stand(first - 1)], last + 1));
        }
        if matches!(sentence.word(last + 1), "of" | "for") {
            let of = slots::objects(sentence, last + 2, &|_| false);
            if !of.terms.is_empty() {
                return Some((of.terms.iter().map(|(term, _)| term.clone()).collect(), of.last + 1));
            }
        }
        // `The severity is high.`: of what the page or section is about.
        let opens = first == 1 && sentence.word(0) == "the" && grammar::is_be(sentence.word(last + 1));
        opens.then(|| (vec![Term::Topic], last + 1))
    }

    /// The thing whose type's word a value stands before.
    pub(super) fn modified(
        &self,
        sentence: &Sentence<'_>,
        first: usize,
        last: usize,
        owner: usize,
    ) -> Option<Holder> {
        let vocabulary = self.lexicon.vocabulary;
        let mut at = last + 1;
        let mut steps = 0;
        // The head: a word for the owner's type, or a name with such a word.
        let head = loop {
            let unit = sentence.units.get(at)?;
            match &unit.kind {
                UnitKind::Name(mention) => {
                    let mention_kinds = &sentence.mentions[*mention].kinds;
                    return (mention_kinds.contains(&owner)
                        && unit.tokens.start < sentence.mentions[*mention].tokens.start)
                        .then(|| (vec![Term::Name(*mention)], Status::Fact, at));
                }
                UnitKind::Word => {
                    if let Some((_, kinds)) = vocabulary.type_words.find(sentence.tokens, unit.tokens.start)
                        && kinds.iter().any(|kind| **kind == owner)
                    {
                        break at;
                    }
                    let word = sentence.word(at);
                    if grammar::is_closed(word) && !matches!(word, "and" | "-") || steps > 4 {
                        return None;
                    }
                }
                UnitKind::Mark if sentence.word(at) == "," && steps < 3 => {}
                _ => return None,
            }
            at += 1;
            steps += 1;
        };
        let mut start = first;
        while start > 0
            && sentence.is_word(start - 1)
            && !grammar::is_closed(sentence.word(start - 1))
            && !grammar::is_likely_verb(sentence.word(start - 1))
        {
            start -= 1;
        }
        let mut former = false;
        for unit in start..first {
            former |=
                grammar::is_former_adjective(sentence.word(unit)) || grammar::is_plan(sentence.word(unit));
        }
        if start > 0
            && sentence.is_word(start - 1)
            && matches!(sentence.word(start - 1), "a" | "an" | "the" | "our" | "one")
        {
            start -= 1;
        }
        let status = if former { Status::NotCurrent } else { Status::Fact };
        if start == 0 {
            return Some((vec![Term::Topic], status, head));
        }
        // `the Go service X`: the name follows.
        if let Some(mention) = sentence.name_at(head + 1)
            && sentence.mentions[mention].kinds.contains(&owner)
        {
            return Some((vec![Term::Name(mention)], status, head));
        }
        let before = start - 1;
        if sentence.is_word(before)
            && (grammar::is_be(sentence.word(before))
                || grammar::is_negation(sentence.word(before))
                || grammar::is_adverbial(sentence.word(before))
                || matches!(sentence.word(before), "remains" | "became"))
        {
            return Self::copula(sentence, before + 1, status, head);
        }
        if matches!(sentence.word(before), "," | "—" | "–" | "(" | ":" | "-")
            && before > 0
            && let Some(mention) = sentence.name_at(before - 1)
        {
            return Some((vec![Term::Name(mention)], status, head));
        }
        None
    }

    /// The subject of a form of *be* that ends at a unit.
    fn copula(sentence: &Sentence<'_>, end: usize, status: Status, head: usize) -> Option<Holder> {
        let group = modality::group(sentence, end);
        let linking = group.start == end && matches!(sentence.word(end - 1), "remains" | "became");
        if !group.be && !linking {
            return None;
        }
        let reading = if linking {
            Status::Fact
        } else {
            modality::read_verb(sentence, end, Form::PARTICIPLE | Form::GERUND, &group, false)?.status
        };
        let start = if linking { end - 1 } else { group.start };
        Some((slots::subjects(sentence, start, false), status.max(reading), head))
    }

    /// `X is deprecated`, `X is tier 1`.
    pub(super) fn predicated(sentence: &Sentence<'_>, first: usize, last: usize) -> Option<Holder> {
        let next = sentence.word(last + 1);
        let ends = last + 1 >= sentence.units.len()
            || sentence.units[last + 1].kind == UnitKind::Mark
            || matches!(
                next,
                "and"
                    | "but"
                    | "since"
                    | "in"
                    | "on"
                    | "as"
                    | "by"
                    | "for"
                    | "because"
                    | "with"
                    | "at"
                    | "from"
                    | "following"
                    | "after"
                    | "while"
                    | "so"
                    | "due"
                    | "under"
            );
        if !ends || first == 0 {
            return None;
        }
        let mut at = first;
        while at > 0
            && sentence.is_word(at - 1)
            && matches!(
                sentence.word(at - 1),
                "a" | "an"
                    | "the"
                    | "rated"
                    | "classified"
                    | "marked"
                    | "listed"
                    | "as"
                    | "of"
                    | "at"
                    | "in"
                    | "considered"
                    | "designated"
            )
        {
            at -= 1;
        }
        let before = at.checked_sub(1)?;
        if !sentence.is_word(before) {
            return None;
        }
        let event = inflect::is_participle(sentence.word(first));
        let group = modality::group(sentence, at);
        if !group.be {
            return None;
        }
        let reading = modality::read_verb(sentence, at, Form::PARTICIPLE | Form::GERUND, &group, event)?;
        Some((slots::subjects(sentence, group.start, false), reading.status, first))
    }
}

/// The name or description that starts at a unit, past a determiner.
fn term_after(sentence: &Sentence<'_>, mut unit: usize) -> Option<Term> {
    while sentence.is_word(unit) && grammar::is_determiner(sentence.word(unit)) {
        unit += 1;
    }
    match sentence.units.get(unit)?.kind {
        UnitKind::Name(mention) => Some(Term::Name(mention)),
        UnitKind::Described(_) | UnitKind::Pronoun => Some(Term::Stand(unit)),
        _ => None,
    }
}

grammar::words! {
/// Words before the count of a thing's parts: `has 40 seats`, `with 40 seats`, `a capacity of 40 seats`.
is_before_count:
"has" "have" "with" "employs" "of" "offers" "holds" "houses" "carries" "operates" "runs" "provides" "counts" "comprises" }
