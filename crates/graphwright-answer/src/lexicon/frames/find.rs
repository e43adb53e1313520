//! Finds the phrases of relationships in a question.

use graphwright_english::{
    derivation::{Derivation, derivations},
    inflection::{self, LONGEST_WORD, base_stem},
    questions::Token,
    thesaurus, words,
};

use super::{Frame, Frames, Reading, Shape};

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

/// Where in a question a phrase is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<'q> {
    pub(crate) tokens: &'q [Token],
    pub(crate) at: usize,
    /// How a verb stands there.
    pub(crate) voice: Voice,
    /// The preposition at the front of the question (`on which libraries does it depend`).
    pub(crate) fronted: Option<&'q str>,
    /// Whether the word is a noun by its place.
    pub(crate) is_noun: bool,
    /// Whether it is a plural that is counted.
    pub(crate) counted: bool,
}

impl<'q> Spot<'q> {
    fn word(&self, at: usize) -> Option<&'q str> {
        self.tokens.get(at).map(|token| token.lower.as_str())
    }
}

impl Frames {
    /// The phrases that begin at a place, longest first.
    pub(crate) fn find(&self, place: Spot<'_>) -> Vec<PhraseMatch> {
        let token = &place.tokens[place.at];
        let mut found = Found { place, all: Vec::new() };
        self.headed_by(&token.stem).for_each(|frame| found.add_frame(frame, 1.0));
        for &(index, derivation) in self.by_verb.get(&token.stem).into_iter().flatten() {
            found.add_verb_of(&self.all[index], derivation);
        }
        for (root, derivation) in derivations(&token.lower) {
            self.headed_by(&root).for_each(|frame| found.add_derived(frame, derivation));
        }
        // `The most reviews`, where the graph has the verb.
        if place.counted && !found.all.iter().any(|found| found.shape == Shape::Noun) {
            self.headed_by(&token.stem).for_each(|frame| found.add_derived(frame, Derivation::Act));
        }
        if found.all.is_empty() && (9..=LONGEST_WORD).contains(&token.lower.len()) {
            self.find_compound(&token.lower, &mut found);
        }
        self.find_neighbours(&mut found);
        found.share_readings();
        found.all.sort_by_key(|found| std::cmp::Reverse(found.length));
        found.all
    }

    /// `screenwriter` is a `writer`, `winemaker` who `makes wine`.
    fn find_compound(&self, word: &str, found: &mut Found<'_>) {
        for (at, _) in word.char_indices().skip(3).filter(|(at, _)| word.len() - at >= 5) {
            for frame in self.headed_by(&base_stem(&word[at..])).filter(|frame| frame.is_one_noun()) {
                found.add(1, Shape::Noun, frame.reading.times(0.8));
            }
            let object = base_stem(&word[..at]);
            for (root, derivation) in derivations(&word[at..]) {
                for frame in self.headed_by(&root) {
                    found.add_derived(frame, derivation);
                    let says_object = frame.words.len() == 2 && frame.words[1] == object;
                    if frame.shape == Shape::Verb && says_object && derivation == Derivation::Agent {
                        found.add(1, Shape::Noun, frame.reading.times(0.97));
                    }
                }
            }
            if !found.all.is_empty() {
                return;
            }
        }
    }

    /// Words that general English uses for one of the graph's own: one word, or a verb with its noun (`take part`).
    fn find_neighbours(&self, found: &mut Found<'_>) {
        let place = found.place;
        let said: Vec<String> =
            place.tokens.iter().skip(place.at).take(2).map(|token| token.stem.clone()).collect();
        let verbs = |words: &[String]| thesaurus::verb_neighbours(&words.join(" ")).iter();
        // To `sell out` is another thing than to sell; `off` may also lead what comes next.
        let is_particle =
            matches!(place.word(place.at + 1), Some("out" | "off" | "up" | "down" | "away" | "back"));
        let is_phrasal = is_particle && place.word(place.at + 2).is_none_or(words::is_preposition);
        let is_verb = !place.is_noun && !is_phrasal;
        let of_one = verbs(&said[..1]).filter(|_| is_verb).map(|verb| (verb, Shape::Verb, 1));
        let of_two = verbs(&said).filter(|_| said.len() == 2).map(|verb| (verb, Shape::Verb, 2));
        let nouns = thesaurus::noun_neighbours(&said[0]).iter().map(|noun| (noun, Shape::Noun, 1));
        for (neighbour, shape, length) in of_one.chain(of_two).chain(nouns) {
            let own = place.word(place.at + length).filter(|next| words::is_preposition(next));
            for frame in self.headed_by(&neighbour.words[0]) {
                let is_said = if frame.words.len() > 1 {
                    frame.words[1..] == neighbour.words[1..]
                } else {
                    neighbour.words.len() < 2 || frame.preposition.as_ref() == neighbour.words.get(1)
                };
                if is_said && (shape == Shape::Verb || frame.shape == Shape::Noun) {
                    let preposition =
                        frame.preposition.clone().filter(|preposition| own == Some(preposition));
                    let reading = frame.reading.turned(neighbour.converse);
                    let frame = Frame { preposition, ..Frame::new(shape, said[..length].to_vec(), reading) };
                    found.add_frame(&frame, 0.72);
                }
            }
            // `Deliver` is to supply, as suppliers do.
            let ([verb], Shape::Verb) = (neighbour.words.as_slice(), shape) else { continue };
            let nouns = self.by_verb.get(verb).into_iter().flatten();
            for (index, _) in nouns.filter(|(_, derivation)| *derivation == Derivation::Agent) {
                let reading = self.all[*index].reading.turned(neighbour.converse);
                found.add_frame(&Frame::new(shape, said[..length].to_vec(), reading), 0.72);
            }
        }
    }
}

/// What was found at a place.
struct Found<'q> {
    place: Spot<'q>,
    all: Vec<PhraseMatch>,
}

impl Found<'_> {
    fn add(&mut self, length: usize, shape: Shape, reading: Reading) {
        let position = self.all.iter().position(|other| other.length == length && other.shape == shape);
        let position = position.unwrap_or_else(|| {
            self.all.push(PhraseMatch { length, shape, readings: Vec::new() });
            self.all.len() - 1
        });
        let readings = &mut self.all[position].readings;
        match readings.iter_mut().find(|other| other.is_as(&reading)) {
            Some(other) => other.weight = other.weight.max(reading.weight),
            None => readings.push(reading),
        }
    }

    fn add_frame(&mut self, frame: &Frame, weight: f64) {
        let Spot { tokens, at, voice, .. } = self.place;
        if frame.noun.as_ref().is_some_and(|noun| inflection::singular(&tokens[at].lower) != noun.as_str()) {
            return;
        }
        let Some(mut end) = match_words(&frame.words, tokens, at) else { return };
        let weight = weight * self.preposition_fit(frame.preposition.as_deref(), end);
        if frame.preposition.is_some() && self.place.word(end) == frame.preposition.as_deref() {
            end += 1;
        }
        let verb = frame.shape == Shape::Verb;
        let by = voice.by && inflection::is_participle(&tokens[at].lower);
        let passive = verb && (by || voice.passive && frame.preposition.is_none());
        end += usize::from(voice.by && verb && self.place.word(end) == Some("by"));
        self.add(end - at, frame.shape, frame.reading.turned(passive).times(weight));
    }

    /// How well what follows a phrase fits its preposition.
    fn preposition_fit(&self, preposition: Option<&str>, end: usize) -> f64 {
        let next = self.place.word(end);
        let next_preposition = next.filter(|next| words::is_preposition(next));
        let Some(preposition) = preposition else {
            let usual = ["by", "of", "in", "on", "at", "to", "from", "for"];
            return if next_preposition.is_some_and(|next| !usual.contains(&next)) { 0.9 } else { 1.0 };
        };
        if next == Some(preposition) || self.place.fronted == Some(preposition) {
            return 1.0;
        }
        let relative = matches!(self.place.word(end + 1), Some("which" | "whom"));
        let other = !relative && next_preposition.is_some_and(|next| next != "by");
        // `Trained by` and `train somebody` are not `trained under`.
        let turned = matches!(preposition, "under" | "from")
            && (next.is_some_and(words::is_plain_determiner)
                || self.place.tokens.get(end).is_some_and(Token::is_capital));
        match (self.place.voice.by, other || turned) {
            (true, _) => 0.5,
            (false, true) => 0.7,
            (false, false) => 0.88,
        }
    }

    /// The graph says `owner`, the question `owns`. A verb of the graph's own says it better.
    fn add_verb_of(&mut self, noun: &Frame, derivation: Derivation) {
        let Spot { at, voice, .. } = self.place;
        let mut verbs = self.all.iter().filter(|found| found.shape == Shape::Verb);
        if verbs.any(|found| found.readings.iter().any(|reading| reading.kind == noun.reading.kind)) {
            return;
        }
        let by = voice.by && self.place.word(at + 1) == Some("by");
        let turned = (derivation != Derivation::Agent) != voice.passive;
        self.add(1 + usize::from(by), Shape::Verb, noun.reading.turned(turned).times(0.88));
    }

    /// The graph says `owns`, the question `owner`. What names the act may stand for either end.
    fn add_derived(&mut self, verb: &Frame, derivation: Derivation) {
        if verb.shape != Shape::Verb || verb.words.len() != 1 {
            return;
        }
        let likely = verb.reading.turned(derivation != Derivation::Agent).times(0.9);
        self.add(1, Shape::Noun, likely);
        if derivation == Derivation::Act {
            self.add(1, Shape::Noun, likely.turned(true).times(super::UNLIKELY));
        }
    }

    /// What a verb may mean, it may mean with its preposition too: `belong` and `belong to`.
    fn share_readings(&mut self) {
        for longer in 0..self.all.len() {
            let PhraseMatch { length, shape, .. } = self.all[longer];
            let last = self.place.word(self.place.at + length - 1);
            if length < 2 || !last.is_some_and(words::is_preposition) {
                continue;
            }
            let shorter = self.all.iter().find(|other| other.length + 1 == length && other.shape == shape);
            for reading in shorter.map(|shorter| shorter.readings.clone()).unwrap_or_default() {
                let readings = &mut self.all[longer].readings;
                if !readings.iter().any(|other| other.is_as(&reading)) {
                    readings.push(reading);
                }
            }
        }
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
