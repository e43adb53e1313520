//! Whose a value is: the subject of its verb, its possessor, the thing that it stands before.

use super::Holder;
use crate::facts::{
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
        let base = inflect::bases(word).into_iter().next().filter(|_| !grammar::is_preposition(word));
        let base = base.unwrap_or_default();
        let form = inflect::forms(&base)
            .into_iter()
            .find(|(surface, _)| surface == word)
            .map_or(Form::PAST | Form::PARTICIPLE, |(_, form)| form);
        let reading = modality::read_verb(sentence, head, form, &group, event)?;
        let apposed = group.auxiliary.is_none() && !form.has(Form::THIRD);
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

    /// Whose count or measure stands at a unit: the subject of `has`, the name before `with`, the thing that `of` joins it
    /// to, the name before its bracket.
    pub(super) fn count_holder(&self, sentence: &Sentence<'_>, start: usize, owner: usize) -> Option<Holder> {
        if let Some(holder) = bracket_holder(sentence, start) {
            return Some(holder);
        }
        if let Some(possessive) = start.checked_sub(1)
            && matches!(sentence.word(possessive), "its" | "their" | "his" | "her")
        {
            // `Its 12 units have …`
            return Some((vec![Term::Stand(possessive)], Status::Fact, start));
        }
        let Some(verb) = before_count(sentence, start) else {
            // `14,000 bottles.`
            let opens = (0..start).all(|unit| is_about(sentence.word(unit))) && is_verbless(sentence, start);
            return opens.then(|| (vec![Term::Topic], Status::Fact, start));
        };
        let word = sentence.word(verb);
        if word == "of" && verb > 0 {
            return self.whole(sentence, verb, owner);
        }
        let group = modality::group(sentence, verb);
        let form =
            if group.auxiliary.is_some() { Form::BASE | Form::PARTICIPLE } else { Form::THIRD | Form::BASE };
        let status = match word {
            "with" | "at" | "within" | "for" | "on" | "of" => Status::Fact,
            _ => modality::read_verb(sentence, verb, form, &group, false)
                .map_or(Status::NotCurrent, |reading| reading.status),
        };
        if !matches!(word, "with" | "at" | "within" | "for" | "on" | "of") {
            return Some((slots::subjects(sentence, group.start, false), status, verb));
        }
        if verb == 0 {
            // `With 900 seats, X …`
            let comma = (start..sentence.units.len()).find(|unit| sentence.word(*unit) == ",")?;
            return Some((vec![term_after(sentence, comma + 1)?], status, verb));
        }
        let before = verb - 1;
        if sentence.name_at(before).is_some() && word == "with" {
            return Some((slots::subjects(sentence, verb, true), status, verb));
        }
        if word == "with"
            && let Some(holder) = self.whole(sentence, verb, owner)
        {
            return Some(holder);
        }
        if word == "with" && sentence.is_word(before) {
            // `X, a pilot with 31 patients`
            let described = slots::described_by(sentence, before);
            if !described.is_empty() {
                return Some((described, status, verb));
            }
        }
        Some((vec![Term::First], status, verb))
    }

    /// What a noun phrase before `of` or `with` describes, when its head is a word for the owner's type.
    pub(super) fn whole(&self, sentence: &Sentence<'_>, preposition: usize, owner: usize) -> Option<Holder> {
        let head = preposition.checked_sub(1)?;
        let token = sentence.units[head].tokens.end - 1;
        let (_, kinds) = self.lexicon.vocabulary.type_words.find(sentence.tokens, token)?;
        if !kinds.iter().any(|kind| **kind == owner) {
            return None;
        }
        let terms = slots::described_by(sentence, head);
        (!terms.is_empty()).then_some((terms, Status::Fact, head))
    }

    /// Whose word a noun is: `X's severity`, `the severity of X`, `its severity`; with the unit after it.
    pub(super) fn possessor(
        &self,
        sentence: &Sentence<'_>,
        first: usize,
        last: usize,
    ) -> Option<(Vec<Term>, usize)> {
        let mut first = first;
        let mut steps = 0;
        while steps < 2
            && first > 0
            && sentence.is_word(first - 1)
            && !grammar::is_closed(sentence.word(first - 1))
            && !matches!(sentence.word(first - 1), "'s" | "'")
        {
            first -= 1;
            steps += 1;
        }
        if first > 1 && matches!(sentence.word(first - 1), "'s" | "'") {
            let owner = match sentence.units[first - 2].kind {
                UnitKind::Name(mention) => Term::Name(mention),
                UnitKind::Described(_) => Term::Stand(first - 2),
                _ => return None,
            };
            return Some((vec![owner], last + 1));
        }
        if first > 1 && sentence.word(first - 1) == "whose" {
            let terms = slots::antecedent(sentence, first - 1);
            return (!terms.is_empty()).then(|| (terms, last + 1));
        }
        if first > 0 && matches!(sentence.word(first - 1), "its" | "their" | "his" | "her") {
            return Some((vec![Term::Stand(first - 1)], last + 1));
        }
        // `turnover for 2023`
        let last = if matches!(sentence.word(last + 1), "for" | "in")
            && modality::is_year(sentence.word(last + 2))
        {
            last + 2
        } else {
            last
        };
        if matches!(sentence.word(last + 1), "of" | "for") {
            let of = slots::objects(self.lexicon, sentence, last + 2);
            if !of.terms.is_empty() {
                return Some((of.terms.iter().map(|(term, _)| term.clone()).collect(), of.last + 1));
            }
        }
        // `The severity is high.`: of what the page or section is about.
        let next = sentence.word(last + 1);
        let opens = first == 0 || first == 1 && sentence.word(0) == "the";
        let amounts = (opens || first > 0 && sentence.word(first - 1) == "the") && super::is_amounting(next);
        (opens && grammar::is_be(next) || amounts).then(|| (vec![Term::Topic], last + 1))
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
        // `the Redis store X`, `the Redis store`: the value stands within the words of a name or description.
        match sentence.units[last].kind {
            UnitKind::Name(mention) if first == last => {
                let known = self.known(&sentence.mentions[mention])?;
                return (known.kind == owner).then(|| (vec![Term::Name(mention)], Status::Fact, last));
            }
            UnitKind::Described(_) => return Some((vec![Term::Stand(last)], Status::Fact, last)),
            _ => {}
        }
        // The head: a word for the owner's type, or a name with such a word.
        let head = loop {
            let unit = sentence.units.get(at)?;
            match &unit.kind {
                UnitKind::Name(mention) if steps == 0 && opens_phrase(sentence, first) => {
                    let known = self.known(&sentence.mentions[*mention])?;
                    return (known.kind == owner).then(|| (vec![Term::Name(*mention)], Status::Fact, at));
                }
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
        if sentence.word(before) == ":" {
            let described = slots::described_by(sentence, head);
            return (!described.is_empty()).then_some((described, status, head));
        }
        None
    }

    /// `The bridge, 240 m long, crosses …`: the name before the comma.
    fn apposed_name(sentence: &Sentence<'_>, comma: usize) -> Option<usize> {
        sentence.name_at(comma.checked_sub(1)?).filter(|_| sentence.word(comma) == ",")
    }

    /// What a value between commas, behind a name, is of.
    pub(super) fn apposed(sentence: &Sentence<'_>, first: usize, last: usize) -> Option<Holder> {
        let name = Self::apposed_name(sentence, first.checked_sub(1)?)?;
        let number = sentence.tokens[sentence.units[first].tokens.start].is_number();
        let closes = number && last > first && matches!(sentence.word(last + 1), "," | "." | "");
        closes.then(|| (vec![Term::Name(name)], Status::Fact, first))
    }

    /// `X, an oral steroid`: what the phrase with a value as its adjective describes.
    pub(super) fn adjectival(sentence: &Sentence<'_>, first: usize) -> Option<Holder> {
        let open = |unit: usize| sentence.is_word(unit) && !grammar::is_closed(sentence.word(unit));
        let article = first.checked_sub(1)?;
        if !open(first + 1) || !matches!(sentence.word(article), "a" | "an") || !sentence.is_word(article) {
            return None;
        }
        let terms = slots::described_by(sentence, first);
        (!terms.is_empty()).then_some((terms, Status::Fact, first))
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
                    | "too"
                    | "also"
                    | "now"
                    | "today"
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
        let mut verb = before;
        while verb > 0
            && sentence.is_word(verb)
            && matches!(sentence.word(verb), "to" | "on" | "under" | "as" | "in")
        {
            verb -= 1;
        }
        if (verb < before || at < first) && is_classing(sentence.word(verb)) && sentence.is_word(verb) {
            return Self::verb_holder(sentence, verb, false);
        }
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

/// Whether a noun phrase may start with an adjective at a unit.
fn opens_phrase(sentence: &Sentence<'_>, unit: usize) -> bool {
    unit == 0 || sentence.is_word(unit - 1) && grammar::is_determiner(sentence.word(unit - 1))
}

/// The name or described thing before the bracket that a unit stands in: `X (population 8,420)`.
fn bracket_holder(sentence: &Sentence<'_>, unit: usize) -> Option<Holder> {
    let open = (0..unit)
        .rev()
        .take(12)
        .take_while(|at| sentence.word(*at) != ")")
        .find(|at| sentence.word(*at) == "(")?;
    let before = open.checked_sub(1)?;
    let terms = match sentence.units[before].kind {
        UnitKind::Name(mention) => vec![Term::Name(mention)],
        UnitKind::Described(_) => vec![Term::Stand(before)],
        UnitKind::Word => slots::described_by(sentence, before),
        _ => return None,
    };
    let status = slots::bracket_status(sentence, open + 1, unit);
    (!terms.is_empty()).then_some((terms, status, unit))
}

/// Whether no finite verb follows, but for what says only that the counted things are there: `Some 90,000 bottles are made.`
fn is_verbless(sentence: &Sentence<'_>, start: usize) -> bool {
    let finite = |unit: usize| {
        let word = sentence.word(unit);
        let made =
            grammar::is_be(word) && matches!(sentence.word(unit + 1), "made" | "produced" | "built" | "sold");
        sentence.is_word(unit)
            && !made
            && (grammar::is_auxiliary(word)
                || grammar::is_relative(word)
                || grammar::is_likely_verb(word) && word.ends_with('s'))
    };
    !(start + 1..sentence.units.len())
        .any(|unit| finite(unit) || sentence.name_at(unit).is_some() || sentence.word(unit) == ",")
}

graphwright_english::word_class! {
    pub(in crate::facts) is_about:
    "about" "some" "over" "only" "around" "roughly" "approximately" "nearly" "just"
}

/// The verb or preposition that a count or measure belongs to: past other counts (`has a budget of 2 million and 84
/// players`), adjectives and nouns.
fn before_count(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    let mut joined = false;
    for unit in (0..start).rev().take(14) {
        let word = sentence.word(unit);
        match sentence.units[unit].kind {
            UnitKind::Mark if word == "," => joined = true,
            UnitKind::Word if is_before_count(word) && !(joined && word == "of") => return Some(unit),
            UnitKind::Word if matches!(word, "at" | "within" | "for" | "on") && !joined => return Some(unit),
            UnitKind::Word => {
                let number = sentence.tokens[sentence.units[unit].tokens.start].is_number();
                let passes = number
                    || grammar::is_determiner(word)
                    || grammar::is_adverbial(word)
                    || matches!(
                        word,
                        "about" | "over" | "approximately" | "around" | "up" | "to" | "of" | "and"
                    )
                    || !grammar::is_closed(word) && !grammar::is_likely_verb(word);
                if !passes {
                    return None;
                }
                joined |= word == "and";
            }
            UnitKind::Name(_) if super::scan::is_money(word) => {}
            _ => return None,
        }
    }
    None
}

graphwright_english::word_class! {
    /// Verbs after which a value stands: `belongs to tier 1`, `runs on Redis`, `comes as a tablet`.
    pub(in crate::facts) is_classing:
    "belongs" "belong" "runs" "run" "falls" "ranks" "counts" "comes" "taken" "given" "supplied" "sold" "made" "written"
    "built" "available" "based" "operates" "works" "carries" "bears"
}

graphwright_english::word_class! {
    /// Words before the count of a thing's parts: `has 40 seats`, `with 40 seats`, `a capacity of 40 seats`.
    pub(in crate::facts) is_before_count:
    "has" "have" "with" "employs" "of" "offers" "holds" "houses" "carries" "operates" "runs" "provides" "counts" "comprises"
    "farms" "covers" "occupies" "cultivates" "tends" "owns" "boasts" "includes" "contains" "numbers" "totals" "measures"
    "serves" "keeps" "manages" "takes" "stretches" "spans" "handles" "welcomes" "attracts" "receives" "treats" "admits" "sees" "draws" "hosts" "reaches" "attains" "reached"
    "enrolled" "enrols" "enrolls" "seats" "produces" "bottles"
}
