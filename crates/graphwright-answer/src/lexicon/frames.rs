//! How relationships are said: phrases with a subject, an object and a direction.

mod find;

use std::collections::HashMap;

use graphwright_core::text::identifier_words;
use graphwright_english::{
    derivation::{Derivation, derivations},
    inflection::{self, base_stem},
    questions::tokenize,
    words,
};
use graphwright_ontology::{Ontology, RelationshipType};

pub(crate) use find::{PhraseMatch, Spot, Voice};

use crate::schema::{Kind, Schema};

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
            let reading = Reading { kind: number as Kind, subject_is_start: true, weight: 1.0 };
            let known = ontology.relationships.get(name);
            frames.add_identifier(name, reading, known.is_some_and(|known| !known.cues.is_empty()));
            let Some(known) = known else { continue };
            known.cues.iter().for_each(|cue| frames.add_cue(cue, reading));
            known.inverse_cues.iter().for_each(|cue| frames.add_cue(cue, reading.turned(true)));
            for synonym in &known.synonyms {
                frames.add_noun(synonym, reading, end_named(synonym, known, ontology));
            }
        }
        frames
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

    /// `start cue end`; if the reading is turned, `end cue start`.
    fn add_cue(&mut self, cue: &str, reading: Reading) {
        let mut tokens = tokenize(cue);
        tokens.retain(|token| !token.is_possessive());
        let be = tokens.first().is_some_and(|token| words::is_auxiliary(&token.lower));
        let article = tokens.iter().any(|token| words::is_article(&token.lower));
        tokens.retain(|token| {
            let helps = words::is_auxiliary(&token.lower) && token.lower != "done";
            !helps && !words::is_plain_determiner(&token.lower)
        });
        let Some(head) = tokens.first().map(|head| head.lower.clone()) else { return };
        let participle = inflection::is_participle(&head);
        let by = tokens.iter().skip(1).any(|token| token.lower == "by");
        let passive = participle && (by || (be && tokens.len() == 1));
        let ends = tokens.len() > 1 && tokens.last().is_some_and(|last| words::is_preposition(&last.lower));
        let preposition = ends.then(|| tokens.pop()).flatten().map(|last| last.lower);
        tokens.retain(|token| !passive || token.lower != "by");
        let noun = be && article && !passive || preposition.as_deref() == Some("of") && !participle;
        let shape = if noun { Shape::Noun } else { Shape::Verb };
        let words: Vec<String> = tokens.into_iter().map(|token| token.stem).collect();
        let noun = (noun && words.len() == 1).then(|| inflection::singular(&head).into_owned());
        let preposition = preposition.filter(|_| !passive);
        self.push(Frame { preposition, noun, ..Frame::new(shape, words, reading.turned(passive)) });
    }

    /// The name of the type itself: `DEPENDS_ON`, `directed_by`, `HAS_GENRE`, `release_year`.
    fn add_identifier(&mut self, name: &str, reading: Reading, has_cues: bool) {
        let parts = identifier_words(name);
        let Some(first) = parts.first() else { return };
        if !has_cues && parts.len() > 1 && words::is_have(first) {
            self.having.push(reading.kind);
        }
        let named = reading.times(if has_cues { 0.95 } else { 1.0 });
        self.add_cue(&parts.join(" "), named);
        self.add_parts(&parts, reading);
        let content: Vec<String> =
            parts.iter().filter(|part| !words::is_filler(part)).map(|part| base_stem(part)).collect();
        let ends_in_noun = !parts.last().is_some_and(|last| words::is_preposition(last));
        let (true, Some(last)) = (!has_cues && ends_in_noun, content.last()) else { return };
        // A name that ends in a noun names the end: `HAS_GENRE`, `starred_actors`, `release_year`.
        let verb_first =
            first.ends_with('s') || inflection::is_participle(first) || inflection::is_past(first);
        if content.len() > 1 || parts.len() > content.len() || !verb_first {
            self.push(Frame::new(Shape::Noun, content.clone(), named.turned(true)));
            self.push(Frame::new(Shape::Noun, vec![last.clone()], reading.turned(true).times(0.85)));
        }
        for part in content.iter().filter(|_| content.len() > 1) {
            self.push_both(Frame::new(Shape::Verb, vec![part.clone()], reading.times(0.75)));
        }
    }

    /// `BELONGS_TO_PARTY` is also said `belongs to`, and what is at its end is a `party`.
    fn add_parts(&mut self, parts: &[String], reading: Reading) {
        let middle = parts.iter().position(|part| words::is_preposition(part));
        let Some(middle) = middle.filter(|&middle| middle > 0 && middle + 1 < parts.len()) else { return };
        self.add_cue(&parts[..=middle].join(" "), reading.times(0.9));
        let noun = parts[middle + 1..].iter().map(|part| base_stem(part)).collect();
        self.push(Frame::new(Shape::Noun, noun, reading.turned(true).times(0.8)));
    }

    /// A noun for the relationship. It may stand for either end; which one is likelier shows in its form.
    fn add_noun(&mut self, noun: &str, reading: Reading, names_start: Option<bool>) {
        let mut tokens = tokenize(noun);
        let Some(last) = tokens.iter().rfind(|token| !words::is_preposition(&token.lower)).cloned() else {
            return;
        };
        let written = (tokens.len() == 1).then(|| inflection::singular(&last.lower).into_owned());
        if tokens.last().is_some_and(|last| words::is_preposition(&last.lower)) {
            tokens.pop();
        }
        let derived = derivations(&last.lower);
        let own = || self.all.iter().filter(|frame| frame.reading.kind == reading.kind);
        let role = own().filter(|frame| frame.words.len() == 1).find_map(|frame| {
            let (_, derivation) = derived.iter().find(|(root, _)| *root == frame.words[0])?;
            Some((*derivation == Derivation::Agent) == frame.reading.subject_is_start)
        });
        let same_word = || own().find(|frame| frame.words.last() == Some(&last.stem));
        let start = names_start.or(role).or_else(|| Some(same_word()?.reading.subject_is_start));
        let reading = reading.turned(!start.unwrap_or(false)).times(0.95);
        let stems = tokens.into_iter().map(|token| token.stem).collect();
        self.push_both(Frame { noun: written, ..Frame::new(Shape::Noun, stems, reading) });
    }

    /// The frames that begin with a stem.
    fn headed_by(&self, stem: &str) -> impl Iterator<Item = &Frame> {
        self.by_head.get(stem).into_iter().flatten().map(|&index| &self.all[index])
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

/// Which end of a relationship a noun names, when it is a word for the types of one end only: `winemaker` for the person in
/// `MAKES_WINE_AT`.
fn end_named(noun: &str, known: &RelationshipType, ontology: &Ontology) -> Option<bool> {
    let noun = noun.to_lowercase();
    let wanted = inflection::singular(&noun);
    let names = |label: &String| {
        let synonyms = ontology.nodes.get(label).map_or(&[][..], |node| &node.synonyms);
        let own = identifier_words(label).join(" ");
        synonyms.iter().chain([&own]).any(|name| {
            let name = name.to_lowercase();
            wanted == name || wanted.ends_with(&format!(" {name}"))
        })
    };
    match (known.from.iter().any(names), known.to.iter().any(names)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}
