//! Names that a sentence only points at: `the footbridge` for `Mill Race Footbridge`, `the former`, a first name.

use std::collections::HashMap;

use super::{
    context::{Context, Entity},
    mentions::Mention,
    names,
    units::{Sentence, UnitKind},
    vocabulary::Vocabulary,
    words,
};

/// The entities that a document has named, by the words that may stand for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Pointers {
    /// By the last word of the name, and by nouns that the text has used of the thing.
    heads: HashMap<String, Vec<Entity>>,
    /// By the first word of the name.
    firsts: HashMap<String, Vec<Entity>>,
    /// By the role that they were given: `the claimant`.
    roles: HashMap<String, Vec<Entity>>,
}

impl Pointers {
    /// Notes an entity that was named.
    pub(super) fn note(&mut self, entity: &Entity) {
        let parts = names::parts(&entity.name);
        let [first, .., last] = parts.as_slice() else { return };
        self.describe(entity, last);
        // `the Bakeries` for `Ashcombe Bakeries Ltd`.
        if let [_, .., head, form] = parts.as_slice()
            && names::legal_form(form).is_some()
        {
            self.describe(entity, head);
        }
        remember(&mut self.firsts, first, entity);
    }

    /// Notes a noun that the text uses of an entity: `X, a bulk carrier`.
    pub(super) fn describe(&mut self, entity: &Entity, noun: &str) {
        remember(&mut self.heads, noun, entity);
    }

    /// Whether an entity was noted.
    pub(super) fn has(&self, entity: &Entity) -> bool {
        let parts = names::parts(&entity.name);
        parts.first().is_some_and(|first| self.by_first(first).contains(entity))
    }

    /// Notes the role that the text gives an entity: `Claimant: X`, `the claimant, X,`.
    pub(super) fn give_role(&mut self, entity: &Entity, noun: &str) {
        remember(&mut self.roles, noun, entity);
    }

    fn by_role(&self, noun: &str) -> &[Entity] {
        self.roles.get(noun).map_or(&[], Vec::as_slice)
    }

    fn by_head(&self, noun: &str) -> &[Entity] {
        self.heads.get(noun).map_or(&[], Vec::as_slice)
    }

    fn by_first(&self, word: &str) -> &[Entity] {
        self.firsts.get(word).map_or(&[], Vec::as_slice)
    }
}

fn remember(index: &mut HashMap<String, Vec<Entity>>, word: &str, entity: &Entity) {
    let known = match index.get_mut(word) {
        Some(known) => known,
        None => index.entry(word.to_owned()).or_default(),
    };
    if !known.contains(entity) {
        known.push(entity.clone());
    }
}

/// Puts names in the place of what only points at them.
pub(super) fn resolve(sentence: &mut Sentence<'_>, context: &Context, vocabulary: &Vocabulary) {
    let mut unit = 0;
    while unit < sentence.units.len() {
        if sentence.is_word(unit) && words::is_definite(sentence.word(unit)) {
            let found = former_or_latter(sentence, context, unit)
                .or_else(|| in_role(sentence, context, unit))
                .or_else(|| described(sentence, context, vocabulary, unit))
                .or_else(|| shortened(sentence, context, unit));
            if let Some((last, mention)) = found {
                sentence.replace(unit..last + 1, mention);
            }
        } else if matches!(sentence.units[unit].kind, UnitKind::Described(_)) {
            if let Some((_, mention)) = in_role(sentence, context, unit) {
                sentence.replace(unit..unit + 1, mention);
            }
        } else if let Some(mention) = first_name_of(sentence, context, vocabulary, unit) {
            sentence.replace(unit..unit + 1, mention);
        }
        unit += 1;
    }
}

fn mention_of(entity: &Entity) -> Mention {
    Mention {
        tokens: 0..0,
        name: entity.name.clone(),
        hits: Vec::new(),
        kinds: vec![entity.kind],
        sure: true,
        article: false,
    }
}

/// `the former`, `the latter`: of the two names before, in this sentence or else in the one before.
fn former_or_latter(sentence: &Sentence<'_>, context: &Context, unit: usize) -> Option<(usize, Mention)> {
    let back = match sentence.word(unit + 1) {
        "former" => 2,
        "latter" => 1,
        _ => return None,
    };
    let next = sentence.word(unit + 2);
    let adjective = sentence.name_at(unit + 2).is_some()
        || sentence.is_word(unit + 2)
            && !words::is_closed(next)
            && !words::is_likely_verb(next)
            && !next.ends_with("ed");
    if adjective {
        return None;
    }
    // Both words of a pair point at the same two names.
    let first =
        sentence.tokens.iter().position(|token| matches!(token.lower.as_str(), "former" | "latter"))?;
    let units: Vec<usize> =
        (0..sentence.unit_of[first]).filter(|unit| sentence.name_at(*unit).is_some()).collect();
    // Two that `and` joins are a pair, whatever is named after them.
    let joined = |pair: &&[usize]| pair[1] == pair[0] + 2 && sentence.word(pair[0] + 1) == "and";
    let pair = units.windows(2).rfind(joined).or_else(|| units.windows(2).last());
    let mention = if let Some(pair) = pair {
        let name = sentence.name_at(pair[2 - back])?;
        sentence.mentions[name].clone()
    } else {
        let [.., first, second] = context.last.as_slice() else { return None };
        mention_of(if back == 2 { first } else { second })
    };
    Some((unit + 1, mention))
}

/// `the claimant`, where the document has said who that is; not `the claimant is X`, `the claimant, X,`, which say so.
fn in_role(sentence: &Sentence<'_>, context: &Context, unit: usize) -> Option<(usize, Mention)> {
    let described = matches!(sentence.units[unit].kind, UnitKind::Described(_));
    let last = if described { unit } else { unit + 1 };
    let tokens = sentence.units[unit].tokens.start..sentence.units.get(last)?.tokens.end;
    if tokens.len() != 2 || sentence.name_at(last).is_some() {
        return None;
    }
    let next = sentence.word(last + 1);
    let says = matches!(next, "of" | ":")
        || sentence.name_at(last + 1).is_some()
        || (next == "," || words::is_be(next)) && sentence.name_at(last + 2).is_some();
    match context.pointers.by_role(&sentence.tokens[tokens.end - 1].lower) {
        [only] if !says => Some((last, mention_of(only))),
        _ => None,
    }
}

/// The noun for an end of a relationship that stands before the name at a unit: `the claimant, X`, `claimant X`.
pub(super) fn role_of(sentence: &Sentence<'_>, vocabulary: &Vocabulary, unit: usize) -> Option<String> {
    let before = unit.checked_sub(1)?;
    let noun = if sentence.word(before) == "," { before.checked_sub(1)? } else { before };
    let token = sentence.units[noun].tokens.clone();
    let definite = noun == before || noun > 0 && sentence.word(noun - 1) == "the";
    let is_role = vocabulary.nouns.find(&sentence.tokens[token], 0).is_some();
    (sentence.is_word(noun) && definite && is_role).then(|| sentence.word(noun).to_owned())
}

/// `the footbridge`, `the Fund`: the head of a name, or what the text has called the thing.
fn described(
    sentence: &Sentence<'_>,
    context: &Context,
    vocabulary: &Vocabulary,
    unit: usize,
) -> Option<(usize, Mention)> {
    let mut last = unit;
    while last < unit + 3 && is_noun_like(sentence, last + 1) {
        last += 1;
    }
    let head = last;
    if head == unit || sentence.word(head + 1) == "of" {
        return None;
    }
    let word = &sentence.tokens[sentence.units[head].tokens.start].lower;
    let candidates: Vec<&Entity> = context
        .pointers
        .by_head(word)
        .iter()
        .filter(|entity| {
            let parts = names::parts(&entity.name);
            !vocabulary.types[entity.kind].human
                && (unit + 1..head).all(|unit| {
                    let modifier = sentence.word(unit);
                    parts.iter().any(|part| part == modifier)
                        || matches!(modifier, "new" | "same" | "whole" | "entire" | "existing" | "present")
                })
        })
        .collect();
    let entity = match candidates.as_slice() {
        [] => {
            return generic(context, vocabulary, word)
                .filter(|_| head == unit + 1)
                .map(|entity| (head, mention_of(entity)));
        }
        [only] => only,
        _ => context.nearest(&candidates)?,
    };
    Some((head, mention_of(entity)))
}

/// `the firm`, `the accident` on a page about a firm or an accident, whatever the ontology calls such things.
fn generic<'c>(context: &'c Context, vocabulary: &Vocabulary, noun: &str) -> Option<&'c Entity> {
    let topic = context.topic()?;
    let kind = &vocabulary.types[topic.kind];
    let firm =
        words::is_organisation(noun) && kind.words.iter().flatten().any(|word| words::is_organisation(word));
    let event = kind.event && words::is_event(noun);
    (firm || event).then_some(topic)
}

/// A word that may be the head of a noun phrase or stand before it: also an unknown capitalised one.
fn is_noun_like(sentence: &Sentence<'_>, unit: usize) -> bool {
    match sentence.units.get(unit).map(|unit| &unit.kind) {
        Some(UnitKind::Word) => {
            let word = sentence.word(unit);
            !words::is_closed(word)
                && word.chars().all(char::is_alphabetic)
                && !(words::is_likely_verb(word) && word.ends_with(['s', 'd']))
        }
        Some(UnitKind::Name(mention)) => {
            let mention = &sentence.mentions[*mention];
            mention.is_unknown() && mention.tokens.len() == 1
        }
        _ => false,
    }
}

/// `the Anselm` for `Anselm Reservoir`.
fn shortened(sentence: &Sentence<'_>, context: &Context, unit: usize) -> Option<(usize, Mention)> {
    let mention = &sentence.mentions[sentence.name_at(unit + 1)?];
    if !mention.is_unknown() {
        return None;
    }
    let wanted = names::parts(&mention.name);
    let fitting: Vec<&Entity> = context
        .pointers
        .by_first(wanted.first()?)
        .iter()
        .filter(|entity| names::parts(&entity.name).starts_with(&wanted))
        .collect();
    match fitting.as_slice() {
        [only] => Some((unit + 1, mention_of(only))),
        _ => None,
    }
}

/// A first name alone, of the only person of that name in the document.
fn first_name_of(
    sentence: &Sentence<'_>,
    context: &Context,
    vocabulary: &Vocabulary,
    unit: usize,
) -> Option<Mention> {
    let mention = &sentence.mentions[sentence.name_at(unit)?];
    if !mention.is_unknown() || mention.tokens.len() != 1 {
        return None;
    }
    match context.pointers.by_first(&mention.name.to_lowercase()) {
        [only] if vocabulary.types[only.kind].human => Some(mention_of(only)),
        _ => None,
    }
}

/// The noun that a sentence uses of the name at a unit: the head of `, a bulk carrier of …`, `is a steel footbridge`.
pub(super) fn noun_of(sentence: &Sentence<'_>, unit: usize) -> Option<String> {
    let opens = matches!(sentence.word(unit + 1), "," | "(" | "is" | "—" | "–");
    if !opens || !matches!(sentence.word(unit + 2), "a" | "an" | "the") {
        return None;
    }
    let mut head = None;
    let mut at = unit + 3;
    while at < unit + 8 && sentence.is_word(at) {
        let word = sentence.word(at);
        if words::is_closed(word) || word.ends_with("ed") || word.ends_with("ing") {
            break;
        }
        head = Some(word);
        at += 1;
    }
    head.filter(|word| word.len() > 2 && word.chars().all(char::is_alphabetic)).map(str::to_owned)
}
