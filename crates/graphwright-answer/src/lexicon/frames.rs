//! How relationships are said: phrases with a subject, an object and a direction.

mod find;

use std::collections::HashMap;

use graphwright_core::text::identifier_words;
use graphwright_english::{
    derivation::{Derivation, derivations},
    inflection::{self, base_stem},
    words,
};
use graphwright_ontology::{Form, Ontology, Origin, Phrase};

pub(crate) use find::{PhraseMatch, Spot, Voice};

use crate::schema::{Kind, Label, Schema};

/// How a phrase stands in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `X depends on Y`, `X is responsible for Y`.
    Verb,
    /// `X is the owner of Y`: the noun stands for the subject.
    Noun,
}

/// One way to read a phrase as a relationship.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) kind: Kind,
    /// Whether the subject (in a question, what stands as the subject on the surface), or what the noun stands for, is where
    /// the relationship starts.
    pub(crate) subject_is_start: bool,
    pub(crate) weight: f64,
}

impl Reading {
    /// Tells whether both say the same, however likely.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        self.kind == other.kind && self.subject_is_start == other.subject_is_start
    }

    /// Tells whether one says of the other's subject what that says of its object.
    pub(crate) fn is_converse(&self, other: &Self) -> bool {
        self.kind == other.kind && self.subject_is_start != other.subject_is_start
    }

    /// The same, less likely by a factor.
    fn times(self, factor: f64) -> Self {
        Self { weight: self.weight * factor, ..self }
    }

    /// The other way round, if so.
    fn turned(self, is_turned: bool) -> Self {
        Self { subject_is_start: self.subject_is_start != is_turned, ..self }
    }
}

/// A phrase for a relationship type.
#[derive(Clone, Debug)]
struct Frame {
    /// What it says in the active voice.
    reading: Reading,
    shape: Shape,
    /// Stems of its words, the preposition apart.
    words: Vec<String>,
    /// The preposition at its end.
    preposition: Option<String>,
    /// The noun as it is written, where it is one word: `depend` has the stem of `dependency`, and is another word.
    noun: Option<String>,
}

impl Frame {
    fn new(shape: Shape, words: Vec<String>, reading: Reading) -> Self {
        Self { reading, shape, words, preposition: None, noun: None }
    }

    /// Tells whether both are the same phrase and say the same.
    fn is_as(&self, other: &Self) -> bool {
        self.reading.is_as(&other.reading)
            && (self.shape, &self.words) == (other.shape, &other.words)
            && (&self.preposition, &self.noun) == (&other.preposition, &other.noun)
    }

    fn is_one_noun(&self) -> bool {
        self.shape == Shape::Noun && self.words.len() == 1
    }
}

/// How well a verb says what those who are called by it have to do with something.
const OF_AGENT: f64 = 0.75;
/// How much less likely a word is to name the other end.
const UNLIKELY: f64 = 0.85;

/// All phrases for relationships, found by their first word.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    all: Vec<Frame>,
    by_head: HashMap<String, Vec<usize>>,
    /// Phrases of one noun by the verbs that the noun may come from: `own` for `owner`.
    by_verb: HashMap<String, Vec<(usize, Derivation)>>,
    having: Vec<Kind>,
}

impl Frames {
    pub(crate) fn build(schema: &Schema, ontology: &Ontology) -> Self {
        let mut frames = Self::default();
        for (number, name) in schema.kinds.iter().enumerate() {
            let kind = number as Kind;
            let has_cues = ontology.relationships.get(name).is_some_and(|known| !known.cues.is_empty());
            let is_having = identifier_words(name)
                .split_first()
                .is_some_and(|(first, rest)| words::is_have(first) && !rest.is_empty());
            if is_having && !has_cues {
                frames.having.push(kind);
            }
            for phrase in ontology.phrases(name) {
                frames.add_phrase(kind, &phrase, has_cues);
            }
            if !has_cues {
                frames.add_identifier(kind, name);
            }
        }
        frames.add_agents(schema);
        frames
    }

    /// `Who managed the Reds`, where managers have teams and nothing else is called so.
    fn add_agents(&mut self, schema: &Schema) {
        for (number, name) in schema.labels.iter().enumerate() {
            let label = number as Label;
            let words = identifier_words(name);
            let [word] = words.as_slice() else { continue };
            // An answer does not `answ`.
            if !schema.actors.contains(&label) {
                continue;
            }
            let agents =
                derivations(word).into_iter().filter(|(_, derivation)| *derivation == Derivation::Agent);
            let verbs: Vec<String> =
                agents.map(|(root, _)| root).filter(|root| !self.is_head(root)).collect();
            let starts = |kind: &Kind| {
                schema.ends(*kind, true).contains(&label) && !schema.is_same_at_both_ends(*kind)
            };
            let kinds: Vec<Kind> = (0..schema.kinds.len() as Kind).filter(starts).collect();
            for (verb, kind) in verbs.iter().flat_map(|verb| kinds.iter().map(move |kind| (verb, *kind))) {
                let reading = Reading { kind, subject_is_start: true, weight: OF_AGENT };
                self.push(Frame::new(Shape::Verb, vec![verb.clone()], reading));
            }
        }
    }

    fn add_phrase(&mut self, kind: Kind, phrase: &Phrase, has_cues: bool) {
        let weight = match phrase.origin {
            Origin::Name if has_cues => 0.95,
            Origin::Cue | Origin::Name => 1.0,
            Origin::Synonym => 0.95,
            Origin::PartOfName => 0.9,
        };
        let reading = Reading { kind, subject_is_start: phrase.subject_is_start, weight };
        let shape = if phrase.form == Form::Noun { Shape::Noun } else { Shape::Verb };
        let words = phrase.words.iter().map(|word| base_stem(word)).collect();
        let one_noun = shape == Shape::Noun && phrase.words.len() == 1;
        let frame = Frame {
            preposition: phrase.preposition.clone(),
            noun: one_noun.then(|| inflection::singular(&phrase.words[0]).into_owned()),
            ..Frame::new(shape, words, reading)
        };
        match phrase.origin {
            // `HAS_CHARACTER`: characters are what is had.
            Origin::Synonym if shape == Shape::Noun && !self.having.contains(&kind) => self.push_both(frame),
            _ => self.push(frame),
        }
    }

    fn push(&mut self, frame: Frame) {
        let Some(head) = frame.words.first() else { return };
        if let Some(other) = self.all.iter_mut().find(|other| other.is_as(&frame)) {
            other.reading.weight = other.reading.weight.max(frame.reading.weight);
            return;
        }
        self.by_head.entry(head.clone()).or_default().push(self.all.len());
        if frame.is_one_noun() {
            for (verb, derivation) in derivations(head) {
                self.by_verb.entry(verb).or_default().push((self.all.len(), derivation));
            }
        }
        self.all.push(frame);
    }

    /// A frame that may also be read the other way round.
    fn push_both(&mut self, likely: Frame) {
        let reading = likely.reading.turned(true).times(UNLIKELY);
        let unlikely = Frame { reading, ..likely.clone() };
        self.push(likely);
        self.push(unlikely);
    }

    /// What the name of the type says beyond its phrases: what is at its end, and any word of it.
    fn add_identifier(&mut self, kind: Kind, name: &str) {
        let parts = identifier_words(name);
        let reading = Reading { kind, subject_is_start: true, weight: 1.0 };
        if parts.len() < 2 {
            return;
        }
        if parts.last().is_some_and(|last| words::is_preposition(last)) {
            return;
        }
        let content: Vec<String> =
            parts.iter().filter(|part| !words::is_filler(part)).map(|part| base_stem(part)).collect();
        let Some(last) = content.last() else { return };
        let end = reading.turned(true);
        self.push(Frame::new(Shape::Noun, content.clone(), end));
        self.push(Frame::new(Shape::Noun, vec![last.clone()], end.times(0.85)));
        for part in content.iter().filter(|_| content.len() > 1) {
            self.push_both(Frame::new(Shape::Verb, vec![part.clone()], reading.times(0.75)));
        }
    }

    /// The frames that begin with a stem.
    fn headed_by(&self, stem: &str) -> impl Iterator<Item = &Frame> {
        self.by_head.get(stem).into_iter().flatten().map(|&index| &self.all[index])
    }

    /// The relationships that a verb says with a preposition.
    pub(crate) fn with_preposition(&self, stem: &str, preposition: &str) -> Vec<Reading> {
        let said = self.headed_by(stem).filter(|frame| {
            let is_verb = frame.shape == Shape::Verb && frame.words.len() == 1;
            is_verb && frame.preposition.as_deref() == Some(preposition)
        });
        said.map(|frame| frame.reading).collect()
    }

    /// Tells whether a phrase for a relationship ends in a preposition: `flies to`.
    pub(crate) fn says_with(&self, kind: Kind, preposition: &str) -> bool {
        self.all.iter().any(|frame| {
            let noun = frame.words.len() == 1 && frame.words[0] == preposition;
            frame.reading.kind == kind && (frame.preposition.as_deref() == Some(preposition) || noun)
        })
    }

    /// The relationships that a noun of one word stands for.
    pub(crate) fn nouns(&self, stem: &str) -> Vec<Reading> {
        let nouns = self.headed_by(stem).filter(|frame| frame.is_one_noun());
        nouns.map(|frame| frame.reading.times(0.9)).collect()
    }

    /// The relationships whose names say no more than that one thing has another (`HAS_LANGUAGE`), in both directions.
    pub(crate) fn having(&self) -> Vec<Reading> {
        let both = |&kind: &Kind| {
            [true, false].map(|subject_is_start| Reading { kind, subject_is_start, weight: 0.7 })
        };
        self.having.iter().flat_map(both).collect()
    }

    /// Tells whether a word alone is a verb for the relationship.
    pub(crate) fn has_verb(&self, kind: Kind, stem: &str) -> bool {
        self.headed_by(stem)
            .any(|frame| frame.reading.kind == kind && frame.shape == Shape::Verb && frame.words.len() == 1)
    }

    /// Stems that begin a phrase, to tell words of relationships from others.
    pub(crate) fn is_head(&self, stem: &str) -> bool {
        self.by_head.contains_key(stem)
    }
}
