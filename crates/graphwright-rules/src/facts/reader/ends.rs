//! What the ends of a statement stand for: names, descriptions of what was named before, pronouns, the topic.

use std::collections::BTreeSet;

use graphwright_english::parse::Tag;

use super::Reader;
use crate::facts::{
    collect::Status,
    context::Entity,
    mentions::Mention,
    names::{Hit, Strength},
    people,
    tree::{SentenceTree, Subject},
    units::UnitKind,
    words,
};

/// How far an end is to be trusted.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) status: Status,
    pub(super) sure: f64,
}

impl End {
    fn fact(sure: f64) -> Self {
        Self { status: Status::Fact, sure }
    }

    /// The same with what else is said of it.
    fn with(self, status: Status) -> Self {
        Self { status: self.status.max(status), ..self }
    }

    /// Whether only the place of the name in the sentence says its type.
    pub(super) fn is_guessed(self) -> bool {
        self.sure < POINTED_AT
    }
}

// How sure a statement is by what its less certain end stands for; docs/rules.md has how often such were judged right.

/// A name that stands there.
const NAMED: f64 = 0.9;
/// The topic of the item, section or page, where the sentence leaves it out.
const TOPIC: f64 = 0.85;
/// What a description or pronoun stands for.
const POINTED_AT: f64 = 0.8;
/// A name whose type only its place in the sentence says.
const GUESSED: f64 = 0.75;

impl Reader<'_, '_> {
    /// The entities of some types that the ends of a statement stand for.
    pub(super) fn ends(
        &self,
        sentence: &SentenceTree<'_>,
        ends: &[Subject],
        allowed: &[usize],
    ) -> Vec<(Entity, End)> {
        let mut found: Vec<(Entity, End)> = Vec::new();
        let mut add = |entity: Entity, end: End| {
            if !found.iter().any(|(known, _)| *known == entity) {
                found.push((entity, end));
            }
        };
        for end in ends {
            match end {
                Subject::Topic => {
                    if let Some((topic, end)) = self.topic(allowed) {
                        add(topic, end);
                    }
                }
                Subject::Word(word) => {
                    for (word, status) in sentence.listed(*word) {
                        for (entity, end) in self.denoted(sentence, word, allowed) {
                            add(entity, end.with(status));
                        }
                    }
                }
            }
        }
        found
    }

    /// The entities that one word stands for: itself, or as in `X is a library written in Go`, where the noun stands for
    /// what it is said of. One step only, so that no tree leads in a circle.
    fn denoted(&self, sentence: &SentenceTree<'_>, word: usize, allowed: &[usize]) -> Vec<(Entity, End)> {
        let own = self.denoted_itself(sentence, word, allowed);
        if !own.is_empty() || sentence.in_name(word) || sentence.tree().tag(word) != Tag::Noun {
            return own;
        }
        match Self::predicated(sentence, word) {
            Some(Subject::Word(subject)) if subject != word => {
                let listed = sentence.listed(subject).into_iter();
                let found = listed.flat_map(|(word, status)| {
                    let ends = self.denoted_itself(sentence, word, allowed).into_iter();
                    ends.map(move |(entity, end)| (entity, end.with(status)))
                });
                found.collect()
            }
            Some(Subject::Topic) => self.topic(allowed).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// What the item, section or page is about.
    fn topic(&self, allowed: &[usize]) -> Option<(Entity, End)> {
        let topic = self.context.topic().filter(|topic| allowed.contains(&topic.kind))?;
        Some((topic.clone(), End::fact(TOPIC)))
    }

    fn denoted_itself(
        &self,
        sentence: &SentenceTree<'_>,
        word: usize,
        allowed: &[usize],
    ) -> Vec<(Entity, End)> {
        if let Some(mention) = sentence.name(word) {
            // `A minimal API`: a thing of that kind, not the one of that name.
            let determiners = sentence.children(word, &["det"]).map(|det| sentence.lower(det));
            if determiners.into_iter().any(|det| words::is_determiner(det) && !words::is_definite(det)) {
                return Vec::new();
            }
            let found = self.named(&sentence.sentence.mentions[mention], allowed);
            return found.map(|(entity, sure)| (entity, End::fact(sure))).into_iter().collect();
        }
        let kind = sentence.sentence.units.get(sentence.unit(word)).map(|unit| &unit.kind);
        match kind {
            Some(UnitKind::Name(_)) | None => return Vec::new(),
            Some(UnitKind::Pronoun) => return self.pointed_at(sentence, word, allowed),
            _ if sentence.tree().tag(word) == Tag::Pron => return self.pointed_at(sentence, word, allowed),
            _ => {}
        }
        let called = self.called(sentence, word, allowed);
        if !called.is_empty() {
            return called;
        }
        let kinds = match kind {
            Some(UnitKind::Described(kinds)) => kinds.clone(),
            _ => self.described_kinds(sentence, word),
        };
        let fitting: Vec<usize> = kinds.into_iter().filter(|kind| allowed.contains(kind)).collect();
        let found = self.described(sentence, &fitting, word);
        found.map(|entity| (entity, End::fact(POINTED_AT))).into_iter().collect()
    }

    /// `the library Orrin Hall`, `the Payments team`, `a library called Falcon`: the name beside a word for its type.
    fn called(&self, sentence: &SentenceTree<'_>, word: usize, allowed: &[usize]) -> Vec<(Entity, End)> {
        let of_type = |mention: usize| {
            let own = self.named(&sentence.sentence.mentions[mention], allowed);
            own.filter(|(entity, _)| self.is_word_for(sentence, word, entity.kind))
        };
        let named = sentence.children(word, &["acl"]).filter(|clause| {
            matches!(sentence.lower(*clause), "called" | "named" | "titled" | "entitled" | "dubbed")
        });
        let named = named.flat_map(|clause| sentence.children(clause, &["obj", "xcomp", "obl"]));
        // `A West German film` has another name.
        let mut articles = sentence.children(word, &["det"]).map(|det| sentence.lower(det));
        let indefinite = articles.any(|article| matches!(article, "a" | "an"));
        let beside = sentence.children(word, &["appos", "flat", "compound", "nmod:desc"]);
        let beside = beside.filter(|name| !(indefinite && *name < word));
        let mut found = Vec::new();
        for name in beside.chain(named) {
            for (listed, status) in sentence.listed(name) {
                let named = sentence.name(listed).and_then(of_type);
                found.extend(named.map(|(entity, sure)| (entity, End { status, sure })));
            }
        }
        found
    }

    /// Whether a word is one for a type.
    fn is_word_for(&self, sentence: &SentenceTree<'_>, word: usize, kind: usize) -> bool {
        self.kinds_of_noun(sentence, word).contains(&kind)
    }

    /// The types that a noun is a word for, with up to two words before it.
    fn kinds_of_noun(&self, sentence: &SentenceTree<'_>, noun: usize) -> Vec<usize> {
        let end = sentence.token(noun) + 1;
        let tokens = sentence.sentence.tokens;
        let found = (end.saturating_sub(3)..end).find_map(|start| {
            let (length, kinds) = self.lexicon.vocabulary.type_words.find(tokens, start)?;
            (start + length == end).then(|| kinds.into_iter().copied().collect())
        });
        found.unwrap_or_default()
    }

    /// The types of what `the service` or `our service` may stand for.
    fn described_kinds(&self, sentence: &SentenceTree<'_>, noun: usize) -> Vec<usize> {
        let mut beside = sentence.children(noun, &["det", "nmod"]);
        if !beside.any(|word| words::is_definite(sentence.lower(word))) {
            return Vec::new();
        }
        self.kinds_of_noun(sentence, noun)
    }

    /// A description stands for the only thing of its type before it in the sentence, else for what the text spoke of.
    fn described(&self, sentence: &SentenceTree<'_>, kinds: &[usize], word: usize) -> Option<Entity> {
        let mut adjectives = sentence.children(word, &["amod"]);
        if kinds.is_empty() || adjectives.any(|adjective| words::is_pointing_ahead(sentence.lower(adjective)))
        {
            return None;
        }
        let mut before = self.named_before(sentence, word);
        before.retain(|entity| kinds.contains(&entity.kind));
        match before.as_slice() {
            [] => self.context.described(kinds),
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// The things that a sentence names before a word, each once.
    fn named_before(&self, sentence: &SentenceTree<'_>, word: usize) -> Vec<Entity> {
        let mut found = Vec::new();
        for name in (0..word).filter_map(|word| sentence.name(word)) {
            if let Some(entity) = self.known(&sentence.sentence.mentions[name])
                && !found.contains(&entity)
            {
                found.push(entity);
            }
        }
        found
    }

    /// What a pronoun stands for: of its own sentence the subject before it, else what the sentence before told of.
    fn pointed_at(&self, sentence: &SentenceTree<'_>, word: usize, allowed: &[usize]) -> Vec<(Entity, End)> {
        let lower = sentence.lower(word);
        let own = self.subjects_before(sentence, word, allowed);
        let found = self.context.pronoun(self.lexicon.vocabulary, lower, &own, allowed);
        found.into_iter().map(|entity| (entity, End::fact(POINTED_AT))).collect()
    }

    fn subjects_before(&self, sentence: &SentenceTree<'_>, word: usize, allowed: &[usize]) -> Vec<Entity> {
        let named = self.named_before(sentence, word);
        if sentence.lower(word) == "both" {
            let fitting: Vec<Entity> =
                named.into_iter().filter(|entity| allowed.contains(&entity.kind)).collect();
            return if fitting.len() == 2 { fitting } else { Vec::new() };
        }
        let subject = (0..word).find(|at| sentence.tree().is(*at, "nsubj") && sentence.name(*at).is_some());
        let Some(subject) = subject else { return Vec::new() };
        let subjects: Vec<Entity> = sentence
            .listed(subject)
            .into_iter()
            .filter_map(|(word, _)| self.known(&sentence.sentence.mentions[sentence.name(word)?]))
            .collect();
        if subjects.iter().all(|entity| allowed.contains(&entity.kind)) {
            return subjects;
        }
        // Where the subject cannot be meant, the only other thing that can.
        let others: Vec<Entity> = named
            .into_iter()
            .filter(|entity| !subjects.contains(entity) && allowed.contains(&entity.kind))
            .collect();
        if others.len() == 1 { others } else { subjects }
    }

    /// The entity that a name stands for where only some types are possible. What no heading, table, ontology or word beside
    /// it gives a type is none.
    pub(in crate::facts) fn named(&self, mention: &Mention, allowed: &[usize]) -> Option<(Entity, f64)> {
        let entries = &self.lexicon.gazetteer.entries;
        let entity = |entry: usize| Entity { kind: entries[entry].kind, name: entries[entry].name.clone() };
        // A word in small letters is not the name that is written with a capital: `an error` is not `Error`.
        let small = !mention.name.contains(char::is_uppercase);
        let written = |hit: &&Hit| {
            hit.strength == Strength::Full || !small || !entries[hit.entry].name.contains(char::is_uppercase)
        };
        let fits = |hit: &&Hit| allowed.contains(&entries[hit.entry].kind);
        let meant = |hit: &&Hit| hit.strength == Strength::Full || self.may_mean(mention, hit.entry);
        let hits: Vec<_> = mention.hits.iter().filter(fits).filter(written).filter(meant).collect();
        let of_kind = |entry: usize| mention.kinds.contains(&entries[entry].kind);
        if let Some(best) = hits.iter().max_by_key(|hit| (hit.strength, of_kind(hit.entry))) {
            let kind = entries[best.entry].kind;
            let tied: Vec<Entity> = hits
                .iter()
                .filter(|hit| hit.strength == best.strength && entries[hit.entry].kind == kind)
                .map(|hit| entity(hit.entry))
                .collect();
            if let [_, _, ..] = tied.as_slice() {
                // Of several of one name the one that the text speaks of.
                let nearest = self.context.nearest(&tied.iter().collect::<Vec<_>>());
                return nearest.map(|entity| (entity.clone(), POINTED_AT));
            }
            return Some((entity(best.entry), NAMED));
        }
        if mention.hits.iter().any(|hit| hit.strength > Strength::Beginning) || !mention.sure {
            return None;
        }
        let new = |kind: usize| Entity { kind, name: mention.new_name(self.lexicon.vocabulary, kind) };
        if !mention.kinds.is_empty() {
            let kind = mention.kinds.iter().copied().find(|kind| allowed.contains(kind))?;
            return Some((new(kind), NAMED));
        }
        // A name of several words in a place where only one type is possible.
        let long = mention.tokens.len() > 1 && mention.name.contains(' ');
        match people::types_for(self.lexicon, &mention.name, allowed).as_slice() {
            [only] if long => Some((new(*only), GUESSED)),
            _ => None,
        }
    }

    /// Whether what may be a part of a name, or a common word, means the bearer of the name: it is all of the name, a word for the
    /// type stands beside it, or the document has spoken of the bearer.
    fn may_mean(&self, mention: &Mention, entry: usize) -> bool {
        let gazetteer = self.lexicon.gazetteer;
        let known = &gazetteer.entries[entry];
        mention.kinds.contains(&known.kind)
            || self.context.has_spoken_of(&Entity { kind: known.kind, name: known.name.clone() })
            || gazetteer.lookup_whole(&mention.name).contains(&entry)
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
        let hits = mention.hits.iter().map(|hit| self.lexicon.gazetteer.entries[hit.entry].kind);
        let kinds: BTreeSet<usize> = hits.chain(mention.kinds.iter().copied()).collect();
        if kinds.len() > 1 && mention.kinds.is_empty() {
            return None;
        }
        let all: Vec<usize> = (0..self.lexicon.vocabulary.types.len()).collect();
        let allowed = if mention.kinds.is_empty() { &all } else { &mention.kinds };
        self.named(mention, allowed).map(|(entity, _)| entity)
    }
}
