//! Whether what a sentence says of two things is what the evidence says of them: relation, direction and polarity.

use graphwright_english::{
    inflection::{self, base_stem},
    parse::Tag,
    words,
};

use super::{
    Fault,
    claims::Claim,
    graph::Graph,
    passages::{self, Told},
    piece::{Fact, Piece},
    sentence::{EvidenceName, Mention, Sentence},
};
use crate::lexicon::{PhraseMatch, Reading, Shape};

/// The least weight of a reading by which a sentence is found to say something else.
const CERTAIN: f64 = 0.75;
/// Readings of at most this part of the best one's weight are passed over.
const LIKELY: f64 = 0.86;

/// Finds what a sentence says otherwise than the evidence that it cites.
pub(super) fn fault(
    sentence: &Sentence,
    cited: &[&Piece],
    names: &[EvidenceName],
    graph: Graph<'_>,
) -> Option<Fault> {
    let evidence = Comparison { cited, names, graph };
    sentence.claims().iter().find_map(|claim| evidence.fault(sentence, claim))
}

struct Comparison<'a> {
    cited: &'a [&'a Piece],
    names: &'a [EvidenceName],
    graph: Graph<'a>,
}

impl Comparison<'_> {
    fn fault(&self, sentence: &Sentence, claim: &Claim<'_>) -> Option<Fault> {
        let readings = self.readings(sentence, claim);
        let said = readings.iter().find_map(|reading| self.find(claim, *reading));
        if let Some(fact) = said {
            return claim.negated.then(|| Fault::Denied { fact: fact.drawn.clone() });
        }
        match passages::told(self.cited, self.names, self.graph, sentence, claim) {
            Told::Not => {}
            Told::So => return None,
            Told::Otherwise(fault) => return Some(fault),
        }
        if claim.negated {
            return None;
        }
        let certain = || readings.iter().filter(|reading| reading.weight >= CERTAIN);
        let converse = readings.iter().find_map(|reading| {
            self.find(claim, Reading { subject_is_start: !reading.subject_is_start, ..*reading })
        });
        if let Some(fact) = converse {
            return Some(Fault::Reversed { fact: fact.drawn.clone() });
        }
        if let Some(fact) = self.between(claim) {
            let of_kind = |reading: &Reading| self.graph.kind(reading.kind) == fact.kind;
            let paraphrased = readings.iter().any(of_kind);
            let other = certain().next().is_some() || !paraphrased && self.says_more(sentence, claim);
            return other.then(|| Fault::OtherRelation { fact: fact.drawn.clone() });
        }
        let facts_alone = self.cited.iter().all(|piece| !piece.facts.is_empty());
        let all_named = [claim.subject, claim.object]
            .iter()
            .all(|mention| mention.ids.iter().any(|id| self.cited.iter().any(|piece| piece.names(id))));
        (facts_alone && all_named && certain().next().is_some()).then_some(Fault::NotConnected)
    }

    fn readings(&self, sentence: &Sentence, claim: &Claim<'_>) -> Vec<Reading> {
        let Some(spot) = sentence.spot(claim) else { return Vec::new() };
        let is_noun = spot.is_noun;
        let mut phrases = self.graph.phrases(spot);
        // A verb is read as a noun, and a noun as a verb, only if nothing else is left.
        let own = match sentence.tree.tag(claim.predicate) {
            Tag::Noun => Shape::Noun,
            _ => Shape::Verb,
        };
        if phrases.iter().any(|phrase| phrase.shape == own) {
            phrases.retain(|phrase| phrase.shape == own);
        }
        // A verb before a preposition that is not its phrase's own may turn it round: a film stars somebody, who stars in it.
        let turned =
            |phrase: &PhraseMatch| phrase.length == 1 && !claim.direct && !is_noun && !claim.voice.passive;
        let either_way = phrases.iter().filter(|phrase| turned(phrase)).flat_map(|phrase| &phrase.readings);
        let mut readings: Vec<Reading> = either_way
            .map(|reading| Reading { subject_is_start: !reading.subject_is_start, ..*reading })
            .collect();
        readings.extend(phrases.iter().flat_map(|phrase| &phrase.readings));
        // What a word may also mean counts only where it has no meaning of its own.
        let best = readings.iter().map(|reading| reading.weight).fold(0.0, f64::max);
        readings.retain(|reading| reading.weight > best * LIKELY);
        readings
    }

    fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.cited.iter().flat_map(|piece| &piece.facts)
    }

    /// The cited fact that a claim states, in a reading of its predicate.
    fn find(&self, claim: &Claim<'_>, reading: Reading) -> Option<&Fact> {
        let (start, end) = if reading.subject_is_start {
            (claim.subject, claim.object)
        } else {
            (claim.object, claim.subject)
        };
        let kind = self.graph.kind(reading.kind);
        self.facts()
            .find(|fact| fact.kind == kind && start.ids.contains(&fact.from) && end.ids.contains(&fact.to))
    }

    fn between(&self, claim: &Claim<'_>) -> Option<&Fact> {
        let is = |mention: &Mention, id: &String| mention.ids.contains(id);
        let (one, other) = (claim.subject, claim.object);
        self.facts().find(|fact| {
            is(one, &fact.from) && is(other, &fact.to) || is(other, &fact.from) && is(one, &fact.to)
        })
    }

    /// Whether the predicate says more than that two things have to do with each other, in words that the graph does not use.
    fn says_more(&self, sentence: &Sentence, claim: &Claim<'_>) -> bool {
        let lemma = sentence.tree.lemma(claim.predicate);
        let is_verb = sentence.tree.tag(claim.predicate) != Tag::Noun;
        let light = words::is_have(lemma) || words::is_be(lemma) || words::is_do(lemma);
        is_verb
            && is_english_verb(&sentence.lower(claim.predicate))
            && claim.direct
            && !light
            && !words::is_vague_verb(lemma)
            && !self.graph.is_term(&base_stem(&sentence.lower(claim.predicate)))
    }
}

/// Tells whether a word has the form of an English verb, as far as that shows: other languages are not read.
fn is_english_verb(lower: &str) -> bool {
    let ends = ["ed", "ing", "s"].iter().any(|ending| lower.ends_with(ending));
    lower.is_ascii() && (ends || words::is_likely_verb(lower) || inflection::is_past(lower))
}
