//! What the terms of a sentence stand for: names, descriptions, pronouns and left-out subjects.

use super::Reader;
use crate::facts::{
    context::Entity,
    grammar, inflect,
    mentions::Mention,
    names::Strength,
    people,
    slots::{self, Term},
    units::{Sentence, UnitKind},
};

/// How sure the type of a name is that only its place in the sentence says.
pub(in crate::facts) const GUESSED: f64 = 0.9;

impl Reader<'_, '_> {
    /// The entities that a term stands for, with how sure that is.
    pub(in crate::facts) fn resolve(
        &self,
        sentence: &Sentence<'_>,
        term: &Term,
        allowed: &[usize],
        verb: usize,
    ) -> Vec<(Entity, f64)> {
        match term {
            Term::Name(mention) => {
                let name = &sentence.mentions[*mention];
                // `X of Y, elected in 1919,`: what does not fit may only tell of the name before.
                let other = || {
                    let unit = sentence.unit_of[name.tokens.start];
                    let before = unit.checked_sub(2).filter(|_| sentence.is_word(unit - 1))?;
                    let preposition = grammar::is_preposition(sentence.word(unit - 1))
                        || matches!(sentence.word(unit - 1), "the") && before > 0;
                    let head = if sentence.word(unit - 1) == "the" { before.checked_sub(1)? } else { before };
                    let leads = unit < verb && preposition && verb - unit < 4;
                    let head = sentence.name_at(head).filter(|_| leads)?;
                    self.named(&sentence.mentions[head], allowed)
                };
                let own = self.named(name, allowed);
                let guessed = own.as_ref().is_some_and(|(_, sure)| (sure - GUESSED).abs() < f64::EPSILON);
                let other = if guessed || own.is_none() { other() } else { None };
                other.or(own).into_iter().collect()
            }
            Term::Stand(unit) => match &sentence.units[*unit].kind {
                UnitKind::Described(kinds) => {
                    let fitting: Vec<usize> =
                        kinds.iter().copied().filter(|kind| allowed.contains(kind)).collect();
                    self.described(sentence, &fitting, *unit)
                        .map(|entity| (entity, 0.8))
                        .into_iter()
                        .collect()
                }
                UnitKind::Pronoun | UnitKind::Word => {
                    let own = self.own_subjects(sentence, *unit, allowed);
                    self.context
                        .pronoun(self.lexicon.vocabulary, sentence.word(*unit), &own, allowed)
                        .into_iter()
                        .map(|entity| (entity, 0.8))
                        .collect()
                }
                _ => Vec::new(),
            },
            Term::Phrase(start, end) => {
                self.small_name(sentence, *start, *end, allowed).into_iter().collect()
            }
            Term::Topic => self
                .context
                .topic()
                .filter(|entity| allowed.contains(&entity.kind))
                .map(|entity| (entity.clone(), 0.95))
                .into_iter()
                .collect(),
            Term::First => self.first_subject(sentence, allowed, verb),
        }
    }

    /// Words in small letters are a name where names of the only possible type are mostly written so.
    fn small_name(
        &self,
        sentence: &Sentence<'_>,
        start: usize,
        end: usize,
        allowed: &[usize],
    ) -> Option<(Entity, f64)> {
        let [kind] = allowed else { return None };
        if !self.lexicon.gazetteer.lower_case.contains(kind) {
            return None;
        }
        // `the illness cold fever`
        let start = match self.lexicon.vocabulary.type_words.find(sentence.tokens, start) {
            Some((length, kinds)) if kinds.contains(&kind) && start + length < end => start + length,
            _ => start,
        };
        let text = sentence.text(start..end);
        let type_word =
            end == start + 1 && self.lexicon.vocabulary.type_words.find(sentence.tokens, start).is_some();
        let value = self.lexicon.vocabulary.allowed_values.find(sentence.tokens, start).is_some();
        let plain =
            text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '\'' | '’'));
        let few = text.split(' ').all(|word| !word.ends_with("ly")) && text.len() > 2;
        (plain && few && !type_word && !value).then(|| {
            let name = if start == 0 { lower_first(text) } else { text.to_owned() };
            (Entity { kind: *kind, name }, 0.8)
        })
    }

    /// A description stands for the only thing of its type before it in the sentence, else for what the text spoke of.
    fn described(&self, sentence: &Sentence<'_>, kinds: &[usize], unit: usize) -> Option<Entity> {
        if kinds.is_empty() {
            return None;
        }
        let before: Vec<Entity> = sentence.units[..unit]
            .iter()
            .filter_map(|unit| match unit.kind {
                UnitKind::Name(mention) => {
                    self.known(&sentence.mentions[mention]).filter(|entity| kinds.contains(&entity.kind))
                }
                _ => None,
            })
            .collect();
        match before.as_slice() {
            [] => self.context.described(kinds),
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// The subjects of the clauses before a pronoun in its own sentence.
    fn own_subjects(&self, sentence: &Sentence<'_>, unit: usize, allowed: &[usize]) -> Vec<Entity> {
        if unit < 2 {
            return Vec::new();
        }
        if sentence.word(unit) == "both" {
            let named = (0..unit).filter_map(|unit| self.known(&sentence.mentions[sentence.name_at(unit)?]));
            let mut named: Vec<Entity> = named.filter(|entity| allowed.contains(&entity.kind)).collect();
            named.dedup();
            if named.len() == 2 {
                return named;
            }
        }
        let Some(first) = first_name(sentence).filter(|first| *first < unit) else { return Vec::new() };
        let UnitKind::Name(subject) = sentence.units[first].kind else { return Vec::new() };
        let subject = self.known(&sentence.mentions[subject]);
        if subject.as_ref().is_none_or(|subject| allowed.contains(&subject.kind)) {
            return subject.into_iter().collect();
        }
        // Where the subject cannot be meant, the only other thing that can.
        let mut others: Vec<Entity> = (first + 1..unit)
            .filter_map(|unit| self.known(&sentence.mentions[sentence.name_at(unit)?]))
            .filter(|entity| allowed.contains(&entity.kind))
            .collect();
        others.dedup();
        if others.len() == 1 { others } else { subject.into_iter().collect() }
    }

    /// The subject of the sentence, whose verb phrase goes on after `and` or a comma.
    fn first_subject(&self, sentence: &Sentence<'_>, allowed: &[usize], verb: usize) -> Vec<(Entity, f64)> {
        // The nearest subject of a verb before: after `but`, `while` or `;` another clause may have begun.
        let start = (0..verb)
            .rev()
            .find(|unit| matches!(sentence.word(*unit), ";" | "while" | "whereas" | "because" | "although"))
            .map_or(0, |at| at + 1);
        let mut at = start;
        while at < verb {
            match &sentence.units[at].kind {
                UnitKind::Name(_) | UnitKind::Described(_) | UnitKind::Pronoun => {
                    if at > start
                        && sentence.is_word(at - 1)
                        && grammar::is_preposition(sentence.word(at - 1))
                    {
                        let comma = (at..verb).find(|unit| sentence.word(*unit) == ",");
                        match comma.filter(|_| at - 1 == start || at == start + 2) {
                            Some(comma) => {
                                at = comma + 1;
                                continue;
                            }
                            None => return Vec::new(),
                        }
                    }
                    break;
                }
                UnitKind::Word => {
                    let word = sentence.word(at);
                    let lead = grammar::is_determiner(word)
                        || grammar::is_adverbial(word)
                        || grammar::is_preposition(word)
                        || (!grammar::is_closed(word)
                            && (!grammar::is_likely_verb(word)
                                || sentence.tokens[sentence.units[at].tokens.start].capital && at > start));
                    if !lead {
                        // The sentence begins with its verb: the topic is meant.
                        return if at == start {
                            self.resolve(sentence, &Term::Topic, allowed, verb)
                        } else {
                            Vec::new()
                        };
                    }
                }
                UnitKind::Mark => {}
            }
            at += 1;
        }
        if at >= verb {
            return self.resolve(sentence, &Term::Topic, allowed, verb);
        }
        let mut terms = Vec::new();
        let mut unit = at;
        loop {
            match sentence.units.get(unit).map(|unit| &unit.kind) {
                Some(UnitKind::Name(mention)) => terms.push(Term::Name(*mention)),
                Some(UnitKind::Described(_) | UnitKind::Pronoun) => terms.push(Term::Stand(unit)),
                _ => break,
            }
            let mut next = unit + 1;
            while matches!(sentence.word(next), "," | "and" | "&") && next < verb {
                next += 1;
            }
            if next == unit + 1 || next >= verb || sentence.name_at(next).is_none() {
                break;
            }
            let list = (unit..verb).any(|unit| matches!(sentence.word(unit), "and" | "&"));
            if !list || slots::is_verb_ahead(self.lexicon, sentence, unit + 1) {
                break;
            }
            unit = next;
        }
        // A modifier (`Kafka consumers use`) or possessor is no subject.
        let after = sentence.word(unit + 1);
        if after == "'s" || after == "'" {
            return Vec::new();
        }
        terms.iter().flat_map(|term| self.resolve(sentence, term, allowed, at)).collect()
    }

    /// The entity that a name stands for where only some types are possible.
    pub(in crate::facts) fn named(&self, mention: &Mention, allowed: &[usize]) -> Option<(Entity, f64)> {
        let entries = &self.lexicon.gazetteer.entries;
        let hits: Vec<_> =
            mention.hits.iter().filter(|hit| allowed.contains(&entries[hit.entry].kind)).collect();
        if let Some(best) =
            hits.iter().max_by_key(|hit| (hit.strength, mention.kinds.contains(&entries[hit.entry].kind)))
        {
            let ties = hits.iter().filter(|hit| hit.strength == best.strength).count();
            let same_kind =
                hits.iter().filter(|hit| entries[hit.entry].kind == entries[best.entry].kind).count();
            let tied = || -> Vec<Entity> {
                let of_best = hits.iter().filter(|hit| {
                    hit.strength == best.strength && entries[hit.entry].kind == entries[best.entry].kind
                });
                let entities = of_best.map(|hit| &entries[hit.entry]);
                entities.map(|entry| Entity { kind: entry.kind, name: entry.name.clone() }).collect()
            };
            if ties > 1 && same_kind > 1 {
                // Of several people of one surname the one that the text speaks of.
                let tied = tied();
                let human = tied.iter().all(|entity| self.lexicon.vocabulary.types[entity.kind].human);
                let nearest = self.context.nearest(&tied.iter().collect::<Vec<_>>()).filter(|_| human);
                return nearest.map(|entity| (entity.clone(), 0.85));
            }
            let entry = &entries[best.entry];
            return Some((Entity { kind: entry.kind, name: entry.name.clone() }, 1.0));
        }
        if mention.hits.iter().any(|hit| hit.strength > Strength::Beginning) {
            return None;
        }
        let kinds: Vec<usize> = mention.kinds.iter().copied().filter(|kind| allowed.contains(kind)).collect();
        if let Some(kind) = kinds.first() {
            let name = || mention.new_name(self.lexicon.vocabulary, *kind);
            return mention.sure.then(|| (Entity { kind: *kind, name: name() }, 1.0));
        }
        if !mention.kinds.is_empty() || !mention.sure {
            return None;
        }
        let fitting = people::types_for(self.lexicon, &mention.name, allowed);
        match fitting.as_slice() {
            [only] => {
                let name = mention.new_name(self.lexicon.vocabulary, *only);
                Some((Entity { kind: *only, name }, GUESSED))
            }
            _ => None,
        }
    }

    /// A part of a name, where the document has spoken of the only thing that it may mean: `Harrow` on the page on
    /// `Harrow Mills`.
    fn shortened(&self, mention: &Mention) -> Option<Entity> {
        let [hit] = mention.hits.as_slice() else { return None };
        let entry = &self.lexicon.gazetteer.entries[hit.entry];
        let entity = Entity { kind: entry.kind, name: entry.name.clone() };
        let capital = mention.name.starts_with(char::is_uppercase);
        (capital && self.context.has_spoken_of(&entity)).then_some(entity)
    }

    /// The entity that a name stands for by itself, without a place in a pattern.
    pub(in crate::facts) fn known(&self, mention: &Mention) -> Option<Entity> {
        if !mention.is_plain() {
            return self.shortened(mention);
        }
        let all: Vec<usize> = (0..self.lexicon.vocabulary.types.len()).collect();
        let kinds: std::collections::BTreeSet<usize> = mention
            .hits
            .iter()
            .map(|hit| self.lexicon.gazetteer.entries[hit.entry].kind)
            .chain(mention.kinds.iter().copied())
            .collect();
        if kinds.len() > 1 && mention.kinds.is_empty() {
            return None;
        }
        let allowed = if mention.kinds.is_empty() { &all } else { &mention.kinds };
        self.named(mention, allowed).map(|(entity, _)| entity)
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The first name, description or pronoun of a sentence, after what stands in front of the subject.
pub(in crate::facts) fn first_name(sentence: &Sentence<'_>) -> Option<usize> {
    let stands = |unit: usize| {
        matches!(sentence.units[unit].kind, UnitKind::Name(_) | UnitKind::Described(_) | UnitKind::Pronoun)
    };
    let first = (0..sentence.units.len()).find(|unit| stands(*unit))?;
    let word = sentence.word(0);
    // `A native of X, he was …`
    let described = first > 1
        && matches!(word, "a" | "an" | "the")
        && sentence.is_word(first - 1)
        && grammar::is_preposition(sentence.word(first - 1))
        && sentence.word(first + 1) == ","
        && first + 2 < sentence.units.len()
        && stands(first + 2)
        && grammar::is_auxiliary(sentence.word(first + 3));
    if described {
        return Some(first + 2);
    }
    let fronted = first > 0
        && sentence.is_word(0)
        && (grammar::is_preposition(word)
            || matches!(word, "unlike" | "besides" | "according")
            || word.ends_with("ed")
            || inflect::is_participle(word));
    if !fronted {
        return Some(first);
    }
    // `Like A, B uses …`, `Built by A, B uses …`: the subject stands right after the comma.
    let after = (first..sentence.units.len()).filter(|unit| sentence.word(*unit) == ",").find_map(|comma| {
        let mut at = comma + 1;
        while at < comma + 3 && sentence.is_word(at) && grammar::is_determiner(sentence.word(at)) {
            at += 1;
        }
        (at < sentence.units.len() && stands(at)).then_some(at)
    });
    after.or(Some(first))
}
