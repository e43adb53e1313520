//! The names right of a cue: one, or a list.

use super::{Objects, Term, bracket_status, modified_status, term_at};
use crate::facts::{
    collect::Status,
    grammar, inflect, kinds,
    mentions::{Lexicon, Mention},
    modality,
    units::{Sentence, UnitKind},
    values,
};

/// Finds the names that follow a cue, from the unit after it.
pub(in crate::facts) fn objects(lexicon: Lexicon<'_>, sentence: &Sentence<'_>, start: usize) -> Objects {
    let is_verb_ahead = |unit: usize| is_verb_ahead(lexicon, sentence, unit);
    let mut found = Objects { last: start.saturating_sub(1), ..Objects::default() };
    let mut at = past_exception(sentence, start);
    let mut coordinated = false;
    loop {
        if coordinated
            && sentence.is_word(at)
            && matches!(sentence.word(at), "a" | "an")
            && sentence.word(at - 1) == ","
        {
            break;
        }
        // `… works at A and leads B`: another verb.
        if coordinated && sentence.is_word(at) && is_verb_ahead(at) {
            break;
        }
        let Some(unit) = head_ahead(sentence, at, coordinated) else {
            let Some((start, end)) = small_phrase_ahead(sentence, at) else { break };
            if coordinated && is_verb_ahead(end) {
                break;
            }
            found.last = end - 1;
            found.terms.push((
                Term::Phrase(sentence.units[start].tokens.start, sentence.units[end - 1].tokens.end),
                Status::Fact,
            ));
            let Some(after) = conjunction(sentence, end, &mut found) else { break };
            at = after;
            coordinated = true;
            continue;
        };
        let Some(term) = term_at(sentence, unit) else { break };
        if let Term::Stand(stand) = term
            && coordinated
            && sentence.units[stand].kind == UnitKind::Pronoun
        {
            break;
        }
        // `… uses A and B depends on C`: B starts a new clause.
        if coordinated
            && (is_verb_ahead(unit + 1) || past_insertion(sentence, unit + 1).is_some_and(is_verb_ahead))
        {
            break;
        }
        if is_modifier(sentence, unit) {
            // `a digoxin level`: a name in small letters within another one.
            let first = sentence.units[unit].tokens.start;
            let small = sentence.is_word(unit + 1) && !sentence.tokens[first].capital;
            let end = (unit + 1..sentence.units.len())
                .take(3)
                .take_while(|unit| sentence.is_word(*unit) && !grammar::is_closed(sentence.word(*unit)))
                .last();
            let Some(last) = end.filter(|_| small) else { break };
            found.last = last;
            found.terms.push((Term::Phrase(first, sentence.units[last].tokens.end), Status::Fact));
            let Some(after) = conjunction(sentence, last + 1, &mut found) else { break };
            at = after;
            coordinated = true;
            continue;
        }
        if coordinated && starts_gap(sentence, start, unit) {
            break;
        }
        // `by A, B crosses …`, `the head of A, B, …`: things of other types go on differently.
        if coordinated
            && sentence.word(at - 1) == ","
            && !is_closed_list(sentence, unit)
            && let (Some(one), Some(other)) = (sentence.name_at(found.last), sentence.name_at(unit))
            && are_unlike(lexicon, &sentence.mentions[one], &sentence.mentions[other])
        {
            break;
        }
        let mut status = modified_status(sentence, at, unit);
        found.last = unit;
        let mut next = unit + 1;
        if sentence.word(next) == "(" {
            let close = (next..sentence.units.len()).find(|unit| sentence.word(*unit) == ")");
            let close = close.unwrap_or(sentence.units.len() - 1);
            if !is_life(lexicon, sentence, unit, next + 1..close) {
                status = status.max(bracket_status(sentence, next + 1, close));
            }
            next = close + 1;
        }
        found.terms.push((term, status));
        if matches!(sentence.word(unit), "here" | "there") && sentence.name_at(unit).is_none() {
            break;
        }
        // An apposition to the object: `, a fast cache, and …`.
        if sentence.word(next) == "," && matches!(sentence.word(next + 1), "a" | "an") {
            let close = (next + 1..sentence.units.len()).find(|unit| sentence.word(*unit) == ",");
            if let Some(close) = close.filter(|close| !(next + 1..*close).any(&is_verb_ahead))
                && matches!(sentence.word(close + 1), "and" | "or")
            {
                next = close;
            }
        }
        let next = past_purpose(sentence, next).unwrap_or(next);
        let Some(after) = conjunction(sentence, next, &mut found) else { break };
        at = after;
        coordinated = true;
    }
    found
}

/// `…, and X, then nineteen, played …`: the unit behind a short remark without names between commas.
fn past_insertion(sentence: &Sentence<'_>, comma: usize) -> Option<usize> {
    if sentence.word(comma) != "," {
        return None;
    }
    let plain = |unit: &usize| sentence.is_word(*unit);
    let end = (comma + 1..sentence.units.len()).take(5).take_while(plain).last()? + 1;
    (sentence.word(end) == ",").then_some(end + 1)
}

/// `uses nothing but X`, `by none other than X`: the unit of what is meant.
fn past_exception(sentence: &Sentence<'_>, start: usize) -> usize {
    let denies = matches!(sentence.word(start), "nothing" | "nobody" | "none");
    let opens = (start + 1..sentence.units.len()).take(3);
    let opens = opens.take_while(|unit| sentence.is_word(*unit));
    let found = opens.into_iter().find(|unit| modality::opens_exception(sentence, *unit));
    found.filter(|_| denies).map_or(start, |unit| unit + 1)
}

/// `calls A for rates and B for places`: the unit after a phrase that the next of the list has too.
fn past_purpose(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    let preposition = sentence.word(start);
    if !sentence.is_word(start) || !matches!(preposition, "for" | "in" | "on" | "as" | "to" | "from" | "with")
    {
        return None;
    }
    let end =
        (start + 1..sentence.units.len()).take(6).find(|unit| matches!(sentence.word(*unit), "and" | ","))?;
    let plain =
        (start + 1..end).all(|unit| sentence.is_word(unit) && !grammar::is_auxiliary(sentence.word(unit)));
    let mut name = end + 1;
    while sentence.is_word(name)
        && (grammar::is_determiner(sentence.word(name)) || sentence.word(name) == "and")
    {
        name += 1;
    }
    let goes_on = sentence.name_at(name).is_some() && sentence.word(name + 1) == preposition;
    (plain && end > start + 1 && goes_on).then_some(end)
}

/// The unit after `,`, `and`, `as well as` and the like; `None` when the list ends.
fn conjunction(sentence: &Sentence<'_>, start: usize, found: &mut Objects) -> Option<usize> {
    let mut at = start;
    let mut any = false;
    let mut joined = false;
    loop {
        match sentence.word(at) {
            "," | "and" | "&" | "plus" | "also" if sentence.name_at(at).is_none() => {
                joined |= sentence.word(at) != ",";
                any = true;
                if joined
                    && sentence.word(at + 1) == ","
                    && sentence.is_word(at + 2)
                    && grammar::is_preposition(sentence.word(at + 2))
                    && let Some(close) =
                        (at + 3..sentence.units.len()).take(4).find(|unit| sentence.word(*unit) == ",")
                {
                    // `A and, since 2020, B`
                    at = close;
                }
                at += 1;
            }
            "or" => {
                found.alternatives = true;
                joined = true;
                any = true;
                at += 1;
            }
            "but" if sentence.word(at + 1) == "also" => {
                any = true;
                at += 2;
            }
            "as" if sentence.word(at + 1) == "well" && sentence.word(at + 2) == "as" => {
                any = true;
                at += 3;
            }
            "together" | "along" if sentence.word(at + 1) == "with" => {
                any = true;
                at += 2;
            }
            "not" | "except" | "rather" | "instead" => return None,
            "on" | "to" | "in" | "by" | "with" | "from" | "of" | "for" | "at"
                if joined && start > 1 && sentence.name_at(past_article(sentence, at + 1)).is_some() =>
            {
                // `on A and on B`: the preposition may be repeated.
                return Some(past_article(sentence, at + 1));
            }
            _ => return any.then_some(at),
        }
    }
}

fn past_article(sentence: &Sentence<'_>, unit: usize) -> usize {
    let article = sentence.is_word(unit) && matches!(sentence.word(unit), "a" | "an" | "the");
    unit + usize::from(article)
}

/// The head of the noun phrase ahead: past determiners, adjectives and nouns that stand before a name.
fn head_ahead(sentence: &Sentence<'_>, start: usize, coordinated: bool) -> Option<usize> {
    let mut at = start;
    let mut steps = 0;
    let mut of = false;
    while at < sentence.units.len() {
        match sentence.units[at].kind {
            UnitKind::Name(_) => {
                // The possessor of another thing is not the object.
                return (sentence.word(at + 1) != "'s" && sentence.word(at + 1) != "'").then_some(at);
            }
            // `the services A and B`, `the following services: A and B`
            UnitKind::Described(_)
                if sentence.name_at(at + 1).is_some()
                    || sentence.word(at + 1) == ":" && sentence.name_at(at + 2).is_some() => {}
            UnitKind::Described(_) | UnitKind::Pronoun => return (steps == 0).then_some(at),
            UnitKind::Mark => {
                let opens = matches!(sentence.word(at), "\"" | "“" | "«") && steps < 4;
                let introduces = sentence.word(at) == ":" && !coordinated && steps < 4;
                if !(opens || introduces) {
                    return None;
                }
            }
            UnitKind::Word => {
                let word = sentence.word(at);
                // `by A and starring B`, `at A, led B`: another verb follows, not another name.
                let verb = word.ends_with("ing")
                    || grammar::is_likely_verb(word) && (word.ends_with('s') || inflect::is_participle(word));
                if coordinated && steps == 0 && verb {
                    return None;
                }
                let fine = grammar::is_determiner(word) && !grammar::is_relative(word) && word != "no"
                    || grammar::is_number_word(word)
                    || matches!(word, "both" | "only" | "mainly" | "primarily" | "namely" | "two" | "following" | "either" | "not" if word != "not")
                    || sentence.tokens[sentence.units[at].tokens.start].is_number()
                    || (word == "not" && sentence.word(at + 1) == "only");
                let modifier = !grammar::is_closed(word) && !grammar::is_auxiliary(word);
                let partitive = !of
                    && steps > 0
                    && !coordinated
                    && (word == "of" && is_partitive(sentence.word(at - 1))
                        || matches!(word, "with" | "on") && grammar::is_bearer(sentence.word(at - 1))
                        || matches!(word, "at" | "in" | "near") && is_place(sentence.word(at - 1)));
                of |= partitive;
                if !(fine || modifier || partitive) || steps > 5 {
                    return None;
                }
            }
        }
        steps += 1;
        at += 1;
    }
    None
}

/// A phrase of at most four words in small letters that may be a name, from its first to one past its last unit.
fn small_phrase_ahead(sentence: &Sentence<'_>, start: usize) -> Option<(usize, usize)> {
    let mut start = start;
    if matches!(sentence.word(start), "a" | "an" | "the") {
        start += 1;
    }
    let mut end = start;
    if sentence.units.get(start).is_some_and(|unit| sentence.tokens[unit.tokens.start].is_number()) {
        return None;
    }
    while sentence.is_word(end)
        && !grammar::is_closed(sentence.word(end))
        && sentence.word(end) != "'s"
        && !grammar::is_auxiliary(sentence.word(end))
    {
        end += 1;
    }
    let stops = end >= sentence.units.len()
        || sentence.units[end].kind == UnitKind::Mark
        || sentence.is_word(end) && sentence.word(end) != "of" && sentence.word(end) != "'s";
    let generic = end > start
        && (grammar::is_generic_noun(sentence.word(end - 1))
            || grammar::is_likely_verb(sentence.word(start)) && start + 1 == end);
    (end > start && end - start <= 4 && stops && !generic).then_some((start, end))
}

graphwright_english::word_class! {
    /// `version 2 of X`, `parts of X`, `the services of X`: the object is X still.
    pub(in crate::facts) is_part:
    "version" "versions" "release" "services" "part" "parts" "all" "use" "most" "help" "group" "city" "town" "instance"
    "instances" "copy" "copies" "form" "forms" "care" "patients" "cases" "treatment" "village" "port" "availability" "team"
    "growing" "members" "trains" "units" "vehicles" "vessels" "staff" "data"
}

graphwright_english::word_class! {
    /// Parts of a place: `the square of X`, `the river at X`.
    pub(in crate::facts) is_place:
    "square" "river" "harbour" "harbor" "coast" "view" "street" "streets" "orchards" "fields" "hills" "outskirts" "centre"
    "center" "north" "south" "east" "west" "edge" "heart" "middle" "banks" "bank" "shore" "market" "region" "district"
    "area" "province" "county" "island" "valley" "mouth" "suburb" "parish" "skyline" "gardens" "walls" "rooftops"
}

/// Whether what follows a noun and `of` is the object still.
fn is_partitive(word: &str) -> bool {
    is_part(word)
        || is_place(word)
        || kinds::is_place_noun(&inflect::singular(word))
        || word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Whether a name is only the first part of a compound: `Kafka topics`.
fn is_modifier(sentence: &Sentence<'_>, unit: usize) -> bool {
    let next = unit + 1;
    if !sentence.is_word(next) {
        return false;
    }
    let word = sentence.word(next);
    let token = &sentence.tokens[sentence.units[next].tokens.start];
    !(grammar::is_closed(word)
        || grammar::is_time_lead(word)
        || grammar::is_adverbial(word)
        || grammar::is_class_noun(word)
        || token.is_number()
        || !token.spaced
        || token.capital
        || word.starts_with('v') && word[1..].starts_with(|letter: char| letter.is_ascii_digit())
        || grammar::is_likely_verb(word)
        || inflect::is_irregular_past(word)
        || word.ends_with("ing")
        || word.ends_with("ed")
        || word.ends_with('s')
            && sentence.is_word(next + 1)
            && grammar::is_determiner(sentence.word(next + 1)))
}

/// `… by A, X by B`, `… designed A and B the C`: the name begins a clause without its verb.
fn starts_gap(sentence: &Sentence<'_>, start: usize, unit: usize) -> bool {
    let next = sentence.word(unit + 1);
    let link = start.checked_sub(1).map_or("", |before| sentence.word(before));
    let repeated = grammar::is_preposition(link) && next == link;
    let direct =
        sentence.is_word(unit + 1) && matches!(next, "the" | "a") && sentence.name_at(unit + 2).is_some()
            || sentence.name_at(unit + 1).is_some();
    repeated || direct
}

/// Whether the name at a unit is followed by more names up to one after `and`.
fn is_closed_list(sentence: &Sentence<'_>, unit: usize) -> bool {
    let mut at = unit;
    loop {
        let mut next = at + 1;
        let closes = matches!(sentence.word(next), "and" | "&" | "or")
            || sentence.word(next) == "," && matches!(sentence.word(next + 1), "and" | "or");
        if !closes && sentence.word(next) != "," {
            return false;
        }
        while matches!(
            sentence.word(next),
            "," | "and" | "&" | "or" | "the" | "a" | "an" | "on" | "by" | "in" | "of"
        ) {
            next += 1;
        }
        if sentence.name_at(next).is_none() {
            return false;
        }
        if closes {
            return true;
        }
        at = next;
    }
}

/// Whether a bracket after a name holds the years of somebody's life: `(1880–1951)`.
fn is_life(
    lexicon: Lexicon<'_>,
    sentence: &Sentence<'_>,
    unit: usize,
    bracket: std::ops::Range<usize>,
) -> bool {
    let Some(mention) = sentence.name_at(unit).map(|mention| &sentence.mentions[mention]) else {
        return false;
    };
    let (Some(first), Some(last)) = (sentence.units.get(bracket.start), sentence.units.get(bracket.end - 1))
    else {
        return false;
    };
    let years = values::year_range(sentence.text(first.tokens.start..last.tokens.end));
    let hits = mention.hits.iter().map(|hit| lexicon.gazetteer.entries[hit.entry].kind);
    let people = hits.chain(mention.kinds.iter().copied()).all(|kind| lexicon.vocabulary.types[kind].human);
    years.is_some_and(|(born, died)| people && died - born > 15)
}

/// Whether two names are known to be of different types.
fn are_unlike(lexicon: Lexicon<'_>, one: &Mention, other: &Mention) -> bool {
    let kinds = |mention: &Mention| -> Vec<usize> {
        let hits = mention.hits.iter().map(|hit| lexicon.gazetteer.entries[hit.entry].kind);
        hits.chain(mention.kinds.iter().copied()).collect()
    };
    let (one, other) = (kinds(one), kinds(other));
    !one.is_empty() && !other.is_empty() && !one.iter().any(|kind| other.contains(kind))
}

/// Whether a finite verb group starts at a unit.
pub(in crate::facts) fn is_verb_ahead(
    lexicon: Lexicon<'_>,
    sentence: &Sentence<'_>,
    mut unit: usize,
) -> bool {
    while sentence.is_word(unit)
        && (grammar::is_adverbial(sentence.word(unit)) || grammar::is_negation(sentence.word(unit)))
    {
        unit += 1;
    }
    if !sentence.is_word(unit) {
        return false;
    }
    let word = sentence.word(unit);
    if word == "'s" {
        return false;
    }
    if grammar::is_auxiliary(word) {
        return true;
    }
    let next = sentence.word(unit + 1);
    let participle = word.ends_with("ing")
        || word.ends_with("ed") && matches!(next, "by" | "in" | "on" | "at" | "for" | "with" | "to");
    let known = lexicon.vocabulary.heads.contains_key(word)
        || grammar::is_likely_verb(word)
        || inflect::is_irregular_past(word);
    (known || looks_finite(sentence, unit)) && !participle
}

/// `spans the river`, `painted Rome`: by the ending and what stands after it, a verb that no list knows.
fn looks_finite(sentence: &Sentence<'_>, unit: usize) -> bool {
    let word = sentence.word(unit);
    let ending =
        word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") || word.ends_with("ed");
    let next = sentence.word(unit + 1);
    let object = sentence.name_at(unit + 1).is_some()
        || sentence.is_word(unit + 1) && matches!(next, "the" | "a" | "an" | "its" | "their" | "his" | "her");
    ending && word.len() > 3 && !grammar::is_closed(word) && object
}
