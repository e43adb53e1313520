//! The names left of a verb group: its subject, the head of an apposition, what a relative stands for.

use super::{Term, term_at};
use crate::facts::{
    fragments, grammar, inflect, modality,
    units::{Sentence, UnitKind},
};

/// Finds the subjects whose verb group starts at a unit; `apposed` when there is no finite verb, so that the name
/// before a comma is meant.
pub(in crate::facts) fn subjects(sentence: &Sentence<'_>, start: usize, apposed: bool) -> Vec<Term> {
    let found = nearest_subjects(sentence, start, apposed);
    match found.as_slice() {
        [Term::Name(name)] if fragments::complement(sentence) == Some(*name) => vec![Term::Topic],
        _ => found,
    }
}

fn nearest_subjects(sentence: &Sentence<'_>, start: usize, apposed: bool) -> Vec<Term> {
    let mut at = start;
    while at > 0
        && sentence.is_word(at - 1)
        && (grammar::is_adverbial(sentence.word(at - 1))
            || matches!(sentence.word(at - 1), "each" | "both" | "all"))
    {
        at -= 1;
    }
    // `a film written, directed and animated by X`: all participles tell of the same.
    while apposed
        && at > 1
        && matches!(sentence.word(at - 1), "," | "and" | "&")
        && sentence.is_word(at - 2)
        && inflect::is_participle(sentence.word(at - 2))
    {
        at -= 2;
    }
    if at == 0 {
        return vec![Term::Topic];
    }
    let left = at - 1;
    if apposed
        && at < start
        && matches!(sentence.word(at), "both" | "all" | "each")
        && sentence.word(left) == ","
    {
        // `A and B, both made by C`
        return if left > 0 { noun_phrase_ending(sentence, left - 1) } else { Vec::new() };
    }
    match &sentence.units[left].kind {
        UnitKind::Name(_) | UnitKind::Described(_) | UnitKind::Pronoun => noun_phrase_ending(sentence, left),
        UnitKind::Mark => match sentence.word(left) {
            "(" if apposed && left > 0 && sentence.name_at(left - 1).is_some() => {
                sentence.name_at(left - 1).map(Term::Name).into_iter().collect()
            }
            "," if apposed && open_bracket(sentence, left).is_some() => open_bracket(sentence, left)
                .and_then(|open| sentence.name_at(open.checked_sub(1)?))
                .map(Term::Name)
                .into_iter()
                .collect(),
            "," if apposed && parallel_participle(sentence, left).is_some() => {
                parallel_participle(sentence, left).map_or_else(Vec::new, |at| subjects(sentence, at, true))
            }
            "," if apposed
                && left > 0
                && sentence.name_at(left - 1).is_some()
                && enclosing(sentence, left).is_empty() =>
            {
                sentence.name_at(left - 1).map(Term::Name).into_iter().collect()
            }
            "," if apposed && left > 0 && sentence.word(left - 1) == ")" => {
                before_bracket(sentence, left - 1)
            }
            "," => before_comma(sentence, left),
            ")" => before_bracket(sentence, left),
            "—" | "–" | "-" | ":" => {
                if left > 0 && sentence.name_at(left - 1).is_some() {
                    noun_phrase_ending(sentence, left - 1)
                } else {
                    Vec::new()
                }
            }
            ";" | "•" => vec![Term::First],
            "\"" | "”" if left > 0 && sentence.name_at(left - 1).is_some() => {
                noun_phrase_ending(sentence, left - 1)
            }
            _ => Vec::new(),
        },
        UnitKind::Word => {
            let word = sentence.word(left);
            if grammar::is_relative(word) {
                return antecedent(sentence, left);
            }
            if matches!(word, "and" | "but" | "then" | "or" | "&") {
                return vec![Term::First];
            }
            if apposed && !grammar::is_closed(word) {
                return described_by(sentence, left);
            }
            let number = sentence.tokens[sentence.units[left].tokens.start].is_number();
            if number && left > 0 && sentence.name_at(left - 1).is_some() {
                // `Falcon Ridge 2021 comes from …`
                return noun_phrase_ending(sentence, left - 1);
            }
            small_name_ending(sentence, left)
        }
    }
}

/// The participle before a comma that another follows: `a hall designed by A and B, built by C`.
fn parallel_participle(sentence: &Sentence<'_>, comma: usize) -> Option<usize> {
    let mut at = comma.checked_sub(1)?;
    while at > 0 && (sentence.name_at(at).is_some() || matches!(sentence.word(at), "," | "and" | "&")) {
        at -= 1;
    }
    let verb = (at + 1 < comma && sentence.word(at) == "by").then(|| at.checked_sub(1)).flatten()?;
    let reduced = sentence.is_word(verb)
        && inflect::is_participle(sentence.word(verb))
        && !modality::group(sentence, verb).be;
    reduced.then_some(verb)
}

/// What `which`, `that` or `who` at a unit stands for.
pub(in crate::facts) fn antecedent(sentence: &Sentence<'_>, relative: usize) -> Vec<Term> {
    let Some(mut at) = relative.checked_sub(1) else { return Vec::new() };
    if sentence.word(relative) == "which"
        && sentence.is_word(at)
        && grammar::is_preposition(sentence.word(at))
    {
        let Some(before) = at.checked_sub(1) else { return Vec::new() };
        at = before;
    }
    let quantified =
        sentence.word(relative - 1) == "of" && matches!(sentence.word(at), "both" | "all" | "each");
    if quantified {
        // `A and B, both of which opened in 1867`
        let Some(before) = at.checked_sub(2).filter(|_| sentence.word(at - 1) == ",") else {
            return Vec::new();
        };
        return names_ending(sentence, before);
    }
    let comma = sentence.word(at) == ",";
    if comma {
        match at.checked_sub(1) {
            Some(before) => at = before,
            None => return Vec::new(),
        }
    }
    if sentence.word(at) == "and" && at > 0 {
        // `X, who led A and whose pupil led B`
        let other = (1..at)
            .rev()
            .take(20)
            .take_while(|unit| sentence.word(*unit) != ";")
            .find(|unit| matches!(sentence.word(*unit), "who" | "which") && sentence.is_word(*unit));
        return other.map_or_else(|| vec![Term::First], |other| antecedent(sentence, other));
    }
    if sentence.word(at) == ")" {
        let open = (0..at).rev().find(|unit| sentence.word(*unit) == "(");
        let name = open.and_then(|open| sentence.name_at(open.checked_sub(1)?));
        return name.map_or_else(|| before_bracket(sentence, at), |name| vec![Term::Name(name)]);
    }
    match sentence.units[at].kind {
        UnitKind::Described(_) => vec![Term::Stand(at)],
        // Only the nearest of a list: `a, b and c, which …` may mean c alone.
        UnitKind::Name(mention) => {
            let listed = at > 0 && matches!(sentence.word(at - 1), "and" | "or");
            // Without a comma, a relative clause tells a thing from others of its kind: it is not of the name in
            // `X is a firm in Rome which builds bridges`.
            let kind = at.checked_sub(2).filter(|_| !comma && grammar::is_preposition(sentence.word(at - 1)));
            let described = kind.map_or_else(Vec::new, |noun| described_by(sentence, noun));
            if !described.is_empty() {
                described
            } else if listed && !comma {
                Vec::new()
            } else {
                vec![Term::Name(mention)]
            }
        }
        UnitKind::Word => described_by(sentence, at),
        _ => Vec::new(),
    }
}

/// What a noun phrase that ends at a unit describes: `X is a service`, `X, a service`, `X (a service`.
pub(in crate::facts) fn described_by(sentence: &Sentence<'_>, at: usize) -> Vec<Term> {
    let copula =
        (0..at).rev().take(12).find(|unit| sentence.is_word(*unit) && grammar::is_be(sentence.word(*unit)));
    if let Some(copula) = copula {
        let between = copula..at;
        // A name may stand before the noun (`a Warner cartoon`), but not in a phrase of its own.
        let named = between.clone().any(|unit| sentence.name_at(unit).is_some());
        let plain = !between.clone().any(|unit| {
            sentence.units[unit].kind == UnitKind::Mark && !is_inner_mark(sentence, unit, named)
                || named && sentence.is_word(unit) && grammar::is_preposition(sentence.word(unit))
        });
        if plain
            && sentence.is_word(copula + 1)
            && matches!(sentence.word(copula + 1), "a" | "an" | "the" | "one" | "our")
            && !grammar::is_preposition(sentence.word(at))
        {
            let group = modality::group(sentence, copula + 1);
            return subjects(sentence, group.start, false);
        }
    }
    if let Some(name) = apposition_head(sentence, at) {
        return vec![Term::Name(name)];
    }
    if let Some(colon) = explaining_colon(sentence, at) {
        return described_by(sentence, colon - 1);
    }
    fronted_head(sentence, at).map(Term::Name).into_iter().collect()
}

/// `X is our shop on the web: a small application that …`: the colon before a noun phrase that explains another.
fn explaining_colon(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    let colon = (1..=at).rev().take(8).find(|unit| sentence.word(*unit) == ":")?;
    let plain = (colon + 1..=at).all(|unit| sentence.is_word(unit));
    let article = matches!(sentence.word(colon + 1), "a" | "an");
    let copula = (0..colon).find(|unit| sentence.is_word(*unit) && grammar::is_be(sentence.word(*unit)))?;
    (plain && article && copula + 1 < colon).then_some(colon)
}

/// Whether a mark stands within a noun phrase: `Warner Bros. cartoon`, `a small, fast library`.
fn is_inner_mark(sentence: &Sentence<'_>, unit: usize, named: bool) -> bool {
    match sentence.word(unit) {
        "." | "-" | "/" => true,
        "," => {
            let next = sentence.word(unit + 1);
            !named
                && sentence.is_word(unit + 1)
                && !grammar::is_closed(next)
                && !grammar::is_likely_verb(next)
                && !inflect::is_participle(next)
        }
        _ => false,
    }
}

/// The name after a phrase in front that describes it: `A hall of 900 seats, X is …`.
fn fronted_head(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    if !matches!(sentence.word(0), "a" | "an" | "the" | "one") || sentence.name_at(0).is_some() {
        return None;
    }
    if (0..at).any(|unit| sentence.units[unit].kind == UnitKind::Mark || sentence.name_at(unit).is_some()) {
        return None;
    }
    let comma = (at..sentence.units.len()).find(|unit| sentence.word(*unit) == ",")?;
    let start = usize::from(sentence.is_word(comma + 1) && sentence.word(comma + 1) == "the");
    sentence.name_at(comma + 1 + start)
}

/// The words in small letters that end at a unit, where they may be a name; with those joined to them by `and`.
fn small_name_ending(sentence: &Sentence<'_>, last: usize) -> Vec<Term> {
    let Some(start) = small_phrase_start(sentence, last) else { return Vec::new() };
    vec![Term::Phrase(sentence.units[start].tokens.start, sentence.units[last].tokens.end)]
}

/// Where a phrase of at most four words in small letters starts that may be a name: at the start of the sentence or of
/// a clause, without an article.
fn small_phrase_start(sentence: &Sentence<'_>, last: usize) -> Option<usize> {
    let mut at = last;
    for _ in 0..4 {
        let word = sentence.word(at);
        if !sentence.is_word(at)
            || grammar::is_closed(word)
            || grammar::is_likely_verb(word) && word.ends_with('s')
            || grammar::is_generic_noun(word)
        {
            return None;
        }
        if at == 0 || matches!(sentence.word(at - 1), "," | ";" | "that" | "both") || bears(sentence, at - 1)
        {
            return Some(at);
        }
        at -= 1;
    }
    None
}

/// The name that an apposition ending at a unit explains: `X, a Go service that …`.
fn apposition_head(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    let comma = (0..=at)
        .rev()
        .take(10)
        .take_while(|unit| sentence.name_at(*unit).is_none())
        .find(|unit| matches!(sentence.word(*unit), "," | "—" | "–" | "-" | ":" | "("))?;
    let article = matches!(sentence.word(comma + 1), "a" | "an" | "the" | "one" | "our");
    if !article || comma == 0 {
        return None;
    }
    sentence.name_at(comma - 1)
}

/// The names of the noun phrase that ends at a unit: one, or all of a list.
fn noun_phrase_ending(sentence: &Sentence<'_>, last: usize) -> Vec<Term> {
    let Some(term) = term_at(sentence, last) else { return Vec::new() };
    let mut terms = vec![term];
    let mut at = last;
    while let Some(before) = skip_modifiers_left(sentence, at) {
        let word = sentence.word(before);
        if matches!(word, "and" | "&" | "," | "or" | "nor" | "plus") {
            let mut previous = before;
            while previous > 0
                && matches!(sentence.word(previous - 1), "," | "and" | "also")
                && sentence.name_at(previous - 1).is_none()
            {
                previous -= 1;
            }
            let Some(unit) = previous.checked_sub(1) else { break };
            let Some(term) = term_at(sentence, unit).filter(|term| matches!(term, Term::Name(_))) else {
                break;
            };
            if word == "," && terms.len() == 1 && !list_has_and(sentence, unit, last) {
                // `In A, B uses …`: the comma ends something in front.
                break;
            }
            // `X uses A and B depends on C`: A is the object of another verb.
            if before_is_verb(sentence, unit) {
                break;
            }
            terms.push(term);
            at = unit;
            continue;
        }
        if matches!(word, "as" | "including")
            && (word == "including" || before > 0 && sentence.word(before - 1) == "such")
        {
            break;
        }
        // `No member other than X leads …`: X does.
        if modality::opens_exception(sentence, before) {
            break;
        }
        if bears(sentence, before) {
            break;
        }
        if sentence.is_word(before) && grammar::is_preposition(word) && before > 0 {
            // A name within a prepositional phrase is not the head.
            return head_before(sentence, before);
        }
        if sentence.word(before) == "'s" {
            return Vec::new();
        }
        break;
    }
    terms.reverse();
    terms
}

/// `patients with X`, `the trains of X`: whether the preposition at a unit joins X to those that stand for it.
fn bears(sentence: &Sentence<'_>, preposition: usize) -> bool {
    let Some(noun) = preposition.checked_sub(1).filter(|noun| sentence.is_word(*noun)) else { return false };
    let noun = sentence.word(noun);
    match sentence.word(preposition) {
        "with" | "on" => grammar::is_bearer(noun),
        "of" => {
            grammar::is_bearer(noun)
                || matches!(noun, "members" | "services" | "trains" | "units" | "staff" | "vehicles")
        }
        _ => false,
    }
}

/// The names of the list that ends at a unit, whatever stands before it.
fn names_ending(sentence: &Sentence<'_>, last: usize) -> Vec<Term> {
    let mut names = Vec::new();
    let mut at = last;
    while let Some(name) = sentence.name_at(at) {
        names.insert(0, Term::Name(name));
        let Some(joint) = at.checked_sub(1).filter(|at| matches!(sentence.word(*at), "," | "and" | "&"))
        else {
            break;
        };
        let Some(before) = joint.checked_sub(1) else { break };
        at = before;
    }
    names
}

fn list_has_and(sentence: &Sentence<'_>, from: usize, to: usize) -> bool {
    (from..to).any(|unit| matches!(sentence.word(unit), "and" | "&" | "or"))
}

fn before_is_verb(sentence: &Sentence<'_>, unit: usize) -> bool {
    let Some(before) = skip_modifiers_left(sentence, unit) else { return false };
    sentence.is_word(before)
        && (grammar::is_likely_verb(sentence.word(before))
            || (before > 0
                && grammar::is_preposition(sentence.word(before))
                && grammar::is_likely_verb(sentence.word(before - 1))))
}

/// The unit left of a noun phrase's determiner and adjectives; `None` at the start of the sentence.
fn skip_modifiers_left(sentence: &Sentence<'_>, unit: usize) -> Option<usize> {
    let mut at = unit.checked_sub(1)?;
    let mut steps = 0;
    loop {
        if !sentence.is_word(at) {
            return Some(at);
        }
        let word = sentence.word(at);
        if grammar::is_determiner(word) && !grammar::is_relative(word) {
            return at.checked_sub(1);
        }
        let modifier = !grammar::is_closed(word)
            && !grammar::is_likely_verb(word)
            && steps < 3
            && word != "'s"
            && word != "&";
        if !modifier {
            return Some(at);
        }
        steps += 1;
        at = at.checked_sub(1)?;
    }
}

/// The head of `X of Y`, `X in Y`, when a name; nothing when it is another noun.
fn head_before(sentence: &Sentence<'_>, preposition: usize) -> Vec<Term> {
    let Some(before) = preposition.checked_sub(1) else { return Vec::new() };
    match sentence.word(preposition) {
        "in" | "at" | "from" | "of" | "on" | "with" | "near" | "for" | "by" => {
            match sentence.units[before].kind {
                UnitKind::Name(_) => noun_phrase_ending(sentence, before),
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// The subject before a comma that ends an apposition or clause; else the subject of the verb phrase before.
fn before_comma(sentence: &Sentence<'_>, comma: usize) -> Vec<Term> {
    if let Some(name) = explained(sentence, comma) {
        return vec![Term::Name(name)];
    }
    let found = enclosing(sentence, comma);
    if found.is_empty() { vec![Term::First] } else { found }
}

/// The name that explains a noun before it: `X's owner, Y,`; `the chair of the board, Y,`.
fn explained(sentence: &Sentence<'_>, comma: usize) -> Option<usize> {
    let at = comma.checked_sub(1)?;
    let name = sentence.name_at(at)?;
    let open = at.checked_sub(1).filter(|open| sentence.word(*open) == ",")?;
    let before = open.checked_sub(1)?;
    let noun = match sentence.units[before].kind {
        UnitKind::Word => !grammar::is_closed(sentence.word(before)),
        UnitKind::Described(_) => true,
        // `the owner of X, Y,`
        UnitKind::Name(_) => {
            before > 1
                && matches!(sentence.word(before - 1), "of" | "the")
                && sentence.word(0) == "the"
                && (1..before)
                    .all(|unit| sentence.is_word(unit) && !grammar::is_auxiliary(sentence.word(unit)))
        }
        _ => false,
    };
    noun.then_some(name)
}

/// The subject before the inserted part that a comma ends.
fn enclosing(sentence: &Sentence<'_>, comma: usize) -> Vec<Term> {
    // The nearest earlier comma after a name encloses an inserted part.
    let mut at = comma;
    while at > 0 {
        at -= 1;
        if sentence.word(at) == ","
            && at > 0
            && (sentence.name_at(at - 1).is_some()
                || matches!(sentence.word(at - 1), ")")
                || matches!(sentence.word(at + 1), "a" | "an")
                    && !small_name_ending(sentence, at - 1).is_empty())
            && is_inserted(sentence, at + 1, comma)
        {
            return if sentence.is_word(at - 1) {
                small_name_ending(sentence, at - 1)
            } else if sentence.word(at - 1) == ")" {
                before_bracket(sentence, at - 1)
            } else {
                noun_phrase_ending(sentence, at - 1)
            };
        }
    }
    Vec::new()
}

/// The bracket that is open at a unit.
fn open_bracket(sentence: &Sentence<'_>, unit: usize) -> Option<usize> {
    (0..unit).rev().take(15).take_while(|at| sentence.word(*at) != ")").find(|at| sentence.word(*at) == "(")
}

/// Whether a stretch between commas is an apposition, a clause or a participle, not an item of a list.
fn is_inserted(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    if start >= end {
        return false;
    }
    if sentence.units[start].kind != UnitKind::Word {
        return false;
    }
    let word = sentence.word(start);
    matches!(
        word,
        "a" | "an"
            | "the"
            | "one"
            | "our"
            | "its"
            | "their"
            | "which"
            | "who"
            | "whose"
            | "formerly"
            | "also"
            | "known"
            | "like"
            | "unlike"
            | "together"
            | "along"
            | "alongside"
            | "aged"
            | "now"
            | "then"
            | "although"
            | "though"
            | "while"
            | "when"
            | "where"
            | "however"
            | "too"
            | "for"
            | "in"
            | "at"
            | "with"
            | "as"
            | "previously"
            | "originally"
            | "part"
            | "under"
            | "on"
            | "not"
    ) || word.ends_with("ed")
        || word.ends_with("ing")
        || grammar::is_adverbial(word)
        || inflect::is_participle(word)
}

fn before_bracket(sentence: &Sentence<'_>, close: usize) -> Vec<Term> {
    let open = (0..close).rev().find(|unit| sentence.word(*unit) == "(");
    match open {
        Some(open) if open > 0 => match sentence.units[open - 1].kind {
            UnitKind::Name(_) | UnitKind::Described(_) => noun_phrase_ending(sentence, open - 1),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
