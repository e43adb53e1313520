//! How relationships are said: phrases with a subject, an object and a direction.

use std::collections::HashMap;

use graphwright_core::text::identifier_words;
use graphwright_english::{
    derivation::{Derivation, derivations},
    inflection::{self, LONGEST_WORD, base_stem},
    questions::{Token, tokenize},
    thesaurus, words,
};
use graphwright_ontology::{Ontology, RelationshipType};

use crate::schema::{Kind, Schema};

/// How a phrase stands in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `X depends on Y`, `X is responsible for Y`.
    Verb,
    /// `X is the owner of Y`: the noun stands for the subject.
    Noun,
}

/// A phrase for a relationship type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) kind: Kind,
    /// Stems of its words, the preposition apart.
    pub(crate) words: Vec<String>,
    /// The preposition at its end.
    pub(crate) preposition: Option<String>,
    pub(crate) shape: Shape,
    /// The noun as it is written, where it is one word: `depend` has the stem of `dependency`, and is another word.
    pub(crate) noun: Option<String>,
    /// Whether the subject, in the active voice, is where the relationship starts.
    pub(crate) subject_is_start: bool,
    pub(crate) weight: f64,
}

/// One way to read a phrase of a question as a relationship.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) kind: Kind,
    /// Whether what stands as the subject on the surface (or what the noun stands for) is where the relationship starts.
    pub(crate) subject_is_start: bool,
    pub(crate) weight: f64,
}

/// A phrase found in a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PhraseMatch {
    /// How many words it takes.
    pub(crate) length: usize,
    pub(crate) shape: Shape,
    pub(crate) readings: Vec<Reading>,
}

/// What the sentence around a verb says of its voice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Voice {
    /// A participle with `be` or right after a noun.
    pub(crate) passive: bool,
    /// `by` follows, or stands at the front.
    pub(crate) by: bool,
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
            let kind = number as Kind;
            let known = ontology.relationships.get(name);
            frames.add_identifier(kind, name, known.is_some_and(|known| !known.cues.is_empty()));
            let Some(known) = known else { continue };
            for cue in &known.cues {
                frames.add_cue(kind, cue, true, 1.0);
            }
            for cue in &known.inverse_cues {
                frames.add_cue(kind, cue, false, 1.0);
            }
            for synonym in &known.synonyms {
                let end = end_named(synonym, known, ontology);
                frames.add_noun(kind, synonym, end);
            }
        }
        frames
    }

    fn push(&mut self, frame: Frame) {
        let Some(head) = frame.words.first() else { return };
        let same =
            |other: &Frame| Frame { weight: 0.0, ..other.clone() } == Frame { weight: 0.0, ..frame.clone() };
        if let Some(other) = self.all.iter_mut().find(|other| same(other)) {
            other.weight = other.weight.max(frame.weight);
            return;
        }
        self.by_head.entry(head.clone()).or_default().push(self.all.len());
        if let ([noun], Shape::Noun) = (frame.words.as_slice(), frame.shape) {
            for (verb, derivation) in derivations(noun) {
                self.by_verb.entry(verb).or_default().push((self.all.len(), derivation));
            }
        }
        self.all.push(frame);
    }

    /// `start cue end` when `forward`, else `end cue start`.
    fn add_cue(&mut self, kind: Kind, cue: &str, forward: bool, weight: f64) {
        let tokens = tokenize(cue);
        let tokens: Vec<&Token> = tokens.iter().filter(|token| !token.is_possessive()).collect();
        let be = tokens.first().is_some_and(|token| words::is_auxiliary(&token.lower));
        let article = tokens.iter().any(|token| words::is_article(&token.lower));
        let rest: Vec<&Token> = tokens
            .into_iter()
            .filter(|token| {
                !(words::is_auxiliary(&token.lower) && token.lower != "done"
                    || words::is_plain_determiner(&token.lower))
            })
            .collect();
        let Some(head) = rest.first() else { return };
        let by = rest.iter().skip(1).any(|token| token.lower == "by");
        let passive = inflection::is_participle(&head.lower) && (by || (be && rest.len() == 1));
        let last = rest.last().filter(|_| rest.len() > 1);
        let preposition =
            last.filter(|last| words::is_preposition(&last.lower)).map(|last| last.lower.clone());
        let content = rest.len() - usize::from(preposition.is_some());
        let content: Vec<String> = rest[..content]
            .iter()
            .filter(|token| !(passive && token.lower == "by"))
            .map(|t| t.stem.clone())
            .collect();
        let content_is_one_word = content.len() == 1;
        let noun = be && article && !passive
            || preposition.as_deref() == Some("of") && !inflection::is_participle(&head.lower);
        self.push(Frame {
            kind,
            words: content,
            preposition: preposition.filter(|_| !passive),
            shape: if noun { Shape::Noun } else { Shape::Verb },
            noun: (noun && content_is_one_word).then(|| inflection::singular(&head.lower).into_owned()),
            subject_is_start: forward != passive,
            weight,
        });
    }

    /// The name of the type itself: `DEPENDS_ON`, `directed_by`, `HAS_GENRE`, `release_year`.
    fn add_identifier(&mut self, kind: Kind, name: &str, has_cues: bool) {
        let parts = identifier_words(name);
        if !has_cues && parts.len() > 1 && words::is_have(&parts[0]) {
            self.having.push(kind);
        }
        let weight = if has_cues { 0.95 } else { 1.0 };
        self.add_cue(kind, &parts.join(" "), true, weight);
        self.add_parts(kind, &parts);
        if has_cues {
            return;
        }
        let content: Vec<&String> = parts.iter().filter(|part| !words::is_filler(part)).collect();
        if parts.last().is_some_and(|last| words::is_preposition(last)) || content.is_empty() {
            return;
        }
        // A name that ends in a noun names the end: `HAS_GENRE`, `starred_actors`, `release_year`.
        let verb_first =
            parts[0].ends_with('s') || inflection::is_participle(&parts[0]) || inflection::is_past(&parts[0]);
        if content.len() > 1 || parts.len() > content.len() || !verb_first {
            let all: Vec<String> = content.iter().map(|part| base_stem(part)).collect();
            self.add_oriented(kind, all.clone(), Shape::Noun, false, weight);
            if let Some(last) = all.last() {
                self.add_oriented(kind, vec![last.clone()], Shape::Noun, false, 0.85);
            }
        }
        for part in content.iter().filter(|_| content.len() > 1) {
            self.push_both(Frame {
                kind,
                words: vec![base_stem(part)],
                preposition: None,
                shape: Shape::Verb,
                noun: None,
                subject_is_start: true,
                weight: 0.75,
            });
        }
    }

    /// `BELONGS_TO_PARTY` is also said `belongs to`, and what is at its end is a `party`.
    fn add_parts(&mut self, kind: Kind, parts: &[String]) {
        let middle = parts.iter().position(|part| words::is_preposition(part));
        let Some(middle) = middle.filter(|&middle| middle > 0 && middle + 1 < parts.len()) else { return };
        self.add_cue(kind, &parts[..=middle].join(" "), true, 0.9);
        let noun: Vec<String> = parts[middle + 1..].iter().map(|part| base_stem(part)).collect();
        self.add_oriented(kind, noun, Shape::Noun, false, 0.8);
    }

    /// A noun for the relationship. It may stand for either end; which one is likelier shows in its form.
    fn add_noun(&mut self, kind: Kind, noun: &str, names_start: Option<bool>) {
        let tokens = tokenize(noun);
        let mut stems: Vec<String> = tokens.iter().map(|token| token.stem.clone()).collect();
        let preposition = tokens.last().filter(|last| words::is_preposition(&last.lower) && tokens.len() > 1);
        if preposition.is_some() {
            stems.pop();
        }
        let Some(last) = tokens.iter().rev().find(|token| !words::is_preposition(&token.lower)) else {
            return;
        };
        let derived = derivations(&last.lower);
        let verbs: Vec<&Frame> =
            self.all.iter().filter(|frame| frame.kind == kind && frame.words.len() == 1).collect();
        let role = verbs.iter().find_map(|frame| {
            let (_, derivation) = derived.iter().find(|(root, _)| *root == frame.words[0])?;
            match derivation {
                Derivation::Agent => Some(frame.subject_is_start),
                Derivation::Patient | Derivation::Act => Some(!frame.subject_is_start),
            }
        });
        let same_word = self
            .all
            .iter()
            .find(|frame| frame.kind == kind && frame.words.last() == Some(&last.stem))
            .map(|frame| frame.subject_is_start);
        let start = names_start.or(role).or(same_word).unwrap_or(false);
        let written = (tokens.len() == 1).then(|| inflection::singular(&last.lower).into_owned());
        self.push_both(Frame {
            kind,
            words: stems,
            preposition: None,
            shape: Shape::Noun,
            noun: written,
            subject_is_start: start,
            weight: 0.95,
        });
    }

    fn add_oriented(
        &mut self,
        kind: Kind,
        words: Vec<String>,
        shape: Shape,
        subject_is_start: bool,
        weight: f64,
    ) {
        self.push(Frame { kind, words, preposition: None, shape, noun: None, subject_is_start, weight });
    }

    /// A frame that may also be read the other way round.
    fn push_both(&mut self, likely: Frame) {
        let subject_is_start = !likely.subject_is_start;
        let unlikely = Frame { subject_is_start, weight: likely.weight * UNLIKELY, ..likely.clone() };
        self.push(likely);
        self.push(unlikely);
    }

    /// The phrases that begin at `at`, best first. `voice` tells how a verb there stands; `fronted` is a preposition at the
    /// front of the question (`on which libraries does it depend`); `noun` tells that the word there is a noun by its place.
    pub(crate) fn find(
        &self,
        tokens: &[Token],
        at: usize,
        voice: Voice,
        fronted: Option<&str>,
        noun: bool,
    ) -> Vec<PhraseMatch> {
        let token = &tokens[at];
        let mut found = Vec::new();
        for &index in self.by_head.get(&token.stem).map_or(&[][..], Vec::as_slice) {
            match_frame(&self.all[index], tokens, at, voice, fronted, 1.0, &mut found);
        }
        for &(index, derivation) in self.by_verb.get(&token.stem).map_or(&[][..], Vec::as_slice) {
            match_verb_of(&self.all[index], tokens, at, voice, derivation, &mut found);
        }
        for (root, derivation) in derivations(&token.lower) {
            for &index in self.by_head.get(&root).map_or(&[][..], Vec::as_slice) {
                match_derived(&self.all[index], derivation, &mut found);
            }
        }
        if found.is_empty() && (9..=LONGEST_WORD).contains(&token.lower.len()) {
            self.match_compound(&token.lower, &mut found);
        }
        self.match_neighbours(tokens, at, voice, fronted, noun, &mut found);
        share_readings(tokens, at, &mut found);
        found.sort_by_key(|found| std::cmp::Reverse(found.length));
        found
    }

    /// `screenwriter` is a `writer`.
    fn match_compound(&self, word: &str, found: &mut Vec<PhraseMatch>) {
        for (at, _) in word.char_indices().skip(3).filter(|(at, _)| word.len() - at >= 5) {
            let stem = base_stem(&word[at..]);
            for &index in self.by_head.get(&stem).map_or(&[][..], Vec::as_slice) {
                let frame = &self.all[index];
                if frame.shape == Shape::Noun && frame.words.len() == 1 {
                    let weight = frame.weight * 0.8;
                    let reading =
                        Reading { kind: frame.kind, subject_is_start: frame.subject_is_start, weight };
                    add_reading(found, 1, Shape::Noun, reading);
                }
            }
            let before = base_stem(&word[..at]);
            for (root, derivation) in derivations(&word[at..]) {
                for &index in self.by_head.get(&root).map_or(&[][..], Vec::as_slice) {
                    match_derived(&self.all[index], derivation, found);
                    match_object_compound(&self.all[index], &before, derivation, found);
                }
            }
            if !found.is_empty() {
                return;
            }
        }
    }

    /// Words that general English uses for one of the graph's own.
    fn match_neighbours(
        &self,
        tokens: &[Token],
        at: usize,
        voice: Voice,
        fronted: Option<&str>,
        noun: bool,
        found: &mut Vec<PhraseMatch>,
    ) {
        let stem = &tokens[at].stem;
        let own = tokens
            .get(at + 1)
            .filter(|next| words::is_preposition(&next.lower))
            .map(|next| next.lower.as_str());
        let groups = [
            (thesaurus::verb_neighbours(stem), Shape::Verb),
            (thesaurus::noun_neighbours(stem), Shape::Noun),
        ];
        for (neighbours, shape) in groups {
            for neighbour in neighbours {
                for &index in self.by_head.get(&neighbour.words[0]).map_or(&[][..], Vec::as_slice) {
                    let frame = &self.all[index];
                    if frame.words.len() > 1 && frame.words[1..] != neighbour.words[1..] {
                        continue;
                    }
                    let preposition = neighbour.words.get(1).filter(|_| frame.words.len() == 1);
                    if preposition.is_some() && frame.preposition.as_ref() != preposition {
                        continue;
                    }
                    if shape == Shape::Verb && noun || shape == Shape::Noun && frame.shape != Shape::Noun {
                        continue;
                    }
                    let mut stripped = frame.clone();
                    stripped.words = vec![stem.clone()];
                    stripped.shape = shape;
                    stripped.noun = None;
                    stripped.subject_is_start ^= neighbour.converse;
                    if own.is_none() || own != stripped.preposition.as_deref() {
                        stripped.preposition = None;
                    }
                    match_frame(&stripped, tokens, at, voice, fronted, 0.72, found);
                }
            }
        }
    }

    /// The relationships that a noun of one word stands for.
    pub(crate) fn nouns(&self, stem: &str) -> Vec<Reading> {
        let frames =
            self.by_head.get(stem).map_or(&[][..], Vec::as_slice).iter().map(|&index| &self.all[index]);
        let nouns = frames.filter(|frame| frame.shape == Shape::Noun && frame.words.len() == 1);
        let reading = |frame: &Frame| Reading {
            kind: frame.kind,
            subject_is_start: frame.subject_is_start,
            weight: frame.weight * 0.9,
        };
        nouns.map(reading).collect()
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
        let is_verb =
            |frame: &Frame| frame.kind == kind && frame.shape == Shape::Verb && frame.words == [stem];
        self.by_head.get(stem).is_some_and(|found| found.iter().any(|&index| is_verb(&self.all[index])))
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

/// What a verb may mean, it may mean with its preposition too: `belong` and `belong to`.
fn share_readings(tokens: &[Token], at: usize, found: &mut [PhraseMatch]) {
    for longer in 0..found.len() {
        let length = found[longer].length;
        let preposition = length > 1 && words::is_preposition(&tokens[at + length - 1].lower);
        let shorter = found.iter().position(|other| {
            preposition && other.length + 1 == length && other.shape == found[longer].shape
        });
        let Some(shorter) = shorter else { continue };
        for reading in found[shorter].readings.clone() {
            let same = |other: &Reading| {
                other.kind == reading.kind && other.subject_is_start == reading.subject_is_start
            };
            if !found[longer].readings.iter().any(same) {
                found[longer].readings.push(reading);
            }
        }
    }
}

fn match_frame(
    frame: &Frame,
    tokens: &[Token],
    at: usize,
    voice: Voice,
    fronted: Option<&str>,
    weight: f64,
    found: &mut Vec<PhraseMatch>,
) {
    if frame.noun.as_ref().is_some_and(|noun| inflection::singular(&tokens[at].lower) != noun.as_str()) {
        return;
    }
    let Some(mut end) = match_words(&frame.words, tokens, at) else { return };
    let next = tokens.get(end).map(|token| token.lower.as_str());
    let mut fit = 1.0;
    if let Some(preposition) = frame.preposition.as_deref() {
        if next == Some(preposition) {
            end += 1;
        } else if fronted != Some(preposition) {
            let relative =
                tokens.get(end + 1).is_some_and(|token| matches!(token.lower.as_str(), "which" | "whom"));
            let other = !relative && next.is_some_and(|next| words::is_preposition(next) && next != "by");
            // `Trained by` and `train somebody` are not `trained under`.
            let turned = matches!(preposition, "under" | "from")
                && (next.is_some_and(words::is_plain_determiner)
                    || tokens.get(end).is_some_and(Token::is_capital));
            fit = match (voice.by, other || turned) {
                (true, _) => 0.5,
                (false, true) => 0.7,
                (false, false) => 0.88,
            };
        }
    } else if next.is_some_and(|next| {
        words::is_preposition(next)
            && !matches!(next, "by" | "of" | "in" | "on" | "at" | "to" | "from" | "for")
    }) {
        fit = 0.9;
    }
    let passive = frame.shape == Shape::Verb
        && (voice.by && inflection::is_participle(&tokens[at].lower)
            || voice.passive && frame.preposition.is_none());
    if voice.by && frame.shape == Shape::Verb && tokens.get(end).is_some_and(|token| token.lower == "by") {
        end += 1;
    }
    let reading = Reading {
        kind: frame.kind,
        subject_is_start: frame.subject_is_start != passive,
        weight: frame.weight * fit * weight,
    };
    add_reading(found, end - at, frame.shape, reading);
}

/// The graph says `owner`, the question `owns`. A verb of the graph's own says it better.
fn match_verb_of(
    frame: &Frame,
    tokens: &[Token],
    at: usize,
    voice: Voice,
    derivation: Derivation,
    found: &mut Vec<PhraseMatch>,
) {
    let is_said = |found: &PhraseMatch| {
        found.shape == Shape::Verb && found.readings.iter().any(|reading| reading.kind == frame.kind)
    };
    if found.iter().any(is_said) {
        return;
    }
    let by = voice.by && tokens.get(at + 1).is_some_and(|token| token.lower == "by");
    let agent = derivation == Derivation::Agent;
    let reading = Reading {
        kind: frame.kind,
        subject_is_start: (frame.subject_is_start == agent) != voice.passive,
        weight: frame.weight * 0.88,
    };
    add_reading(found, 1 + usize::from(by), Shape::Verb, reading);
}

fn match_derived(frame: &Frame, derivation: Derivation, found: &mut Vec<PhraseMatch>) {
    if frame.shape != Shape::Verb || frame.words.len() != 1 {
        return;
    }
    let (likely, sure) = match derivation {
        Derivation::Agent => (frame.subject_is_start, true),
        Derivation::Patient => (!frame.subject_is_start, true),
        Derivation::Act => (!frame.subject_is_start, false),
    };
    let weight = frame.weight * 0.9;
    add_reading(found, 1, Shape::Noun, Reading { kind: frame.kind, subject_is_start: likely, weight });
    if !sure {
        let reading = Reading { kind: frame.kind, subject_is_start: !likely, weight: weight * 0.85 };
        add_reading(found, 1, Shape::Noun, reading);
    }
}

/// `winemaker` is who `makes wine`.
fn match_object_compound(frame: &Frame, object: &str, derivation: Derivation, found: &mut Vec<PhraseMatch>) {
    let says_object = frame.words.len() == 2 && frame.words[1] == object;
    if frame.shape == Shape::Verb && says_object && derivation == Derivation::Agent {
        let reading = Reading {
            kind: frame.kind,
            subject_is_start: frame.subject_is_start,
            weight: frame.weight * 0.97,
        };
        add_reading(found, 1, Shape::Noun, reading);
    }
}

fn add_reading(found: &mut Vec<PhraseMatch>, length: usize, shape: Shape, reading: Reading) {
    let position = found.iter().position(|other| other.length == length && other.shape == shape);
    let position = position.unwrap_or_else(|| {
        found.push(PhraseMatch { length, shape, readings: Vec::new() });
        found.len() - 1
    });
    let entry = &mut found[position];
    let same = |other: &&mut Reading| {
        other.kind == reading.kind && other.subject_is_start == reading.subject_is_start
    };
    match entry.readings.iter_mut().find(same) {
        Some(other) => other.weight = other.weight.max(reading.weight),
        None => entry.readings.push(reading),
    }
}

/// Where the words end if they stand at `at` in order, with at most two small words between two of them.
fn match_words(wanted: &[String], tokens: &[Token], at: usize) -> Option<usize> {
    let mut position = at;
    for (number, word) in wanted.iter().enumerate() {
        let mut skipped = 0;
        while tokens.get(position)?.stem != *word {
            let word = &tokens[position];
            let small =
                words::is_plain_determiner(&word.lower) || words::is_be(&word.lower) || word.is_possessive();
            if number == 0 || skipped == 2 || !small {
                return None;
            }
            skipped += 1;
            position += 1;
        }
        position += 1;
    }
    Some(position)
}
