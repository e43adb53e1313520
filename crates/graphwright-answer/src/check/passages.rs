//! What passages say of two things, sentence by sentence.

use graphwright_english::{inflection::base_stem, prose};

use super::{
    Fault,
    claims::Claim,
    graph::Graph,
    piece::Piece,
    sentence::{EvidenceName, Mention, Sentence},
};

/// What passages say of a claim.
#[derive(Debug)]
pub(super) enum Told {
    /// No passage tells of both things.
    Not,
    /// A passage says the same, or tells of both in other words.
    So,
    /// A passage denies it, or says it the other way round.
    Otherwise(Fault),
}

/// Compares a claim with the sentences of the cited passages that tell of both its things.
pub(super) fn told(
    cited: &[&Piece],
    names: &[EvidenceName],
    graph: Graph<'_>,
    sentence: &Sentence,
    claim: &Claim<'_>,
) -> Told {
    let stem = base_stem(&sentence.lower(claim.predicate));
    let both = [claim.subject, claim.object];
    let texts = both.map(|mention| sentence.text[mention.range.clone()].to_lowercase());
    let passages = cited.iter().filter(|piece| piece.facts.is_empty());
    let sentences = passages.flat_map(|piece| sentences_with(piece, &texts));
    let read = sentences.flat_map(|text| Sentence::read_all(text, names, Some(graph)));
    let mut told = Told::Not;
    for said in
        read.filter(|said| both.iter().all(|mention| said.mentions.iter().any(|other| other.is(mention))))
    {
        for known in said.claims().iter().filter(|known| base_stem(&said.lower(known.predicate)) == stem) {
            match compare(&said, known, claim) {
                Told::So => return Told::So,
                Told::Otherwise(fault) => told = Told::Otherwise(fault),
                Told::Not => {}
            }
        }
        if matches!(told, Told::Not) {
            told = Told::So;
        }
    }
    told
}

/// Compares two claims with one verb.
fn compare(said: &Sentence, known: &Claim<'_>, claim: &Claim<'_>) -> Told {
    let turned = known.voice.passive != claim.voice.passive;
    let (start, end) = if turned { (known.object, known.subject) } else { (known.subject, known.object) };
    let fact = || said.quoted().to_owned();
    if start.is(claim.subject) && end.is(claim.object) {
        let agree = known.negated == claim.negated;
        if agree { Told::So } else { Told::Otherwise(Fault::Denied { fact: fact() }) }
    } else if start.is(claim.object) && end.is(claim.subject) && !claim.negated && !known.negated {
        Told::Otherwise(Fault::Reversed { fact: fact() })
    } else {
        Told::Not
    }
}

/// The sentences of a piece that have both texts. Only these are parsed.
fn sentences_with<'p>(piece: &'p Piece, both: &[String; 2]) -> Vec<&'p str> {
    let tokens = prose::tokenise(&piece.text);
    let sentences = prose::sentences(&tokens, &[]).into_iter();
    let texts = sentences.map(|range| &piece.text[tokens[range.start].start..tokens[range.end - 1].end]);
    let has_both = |text: &&str| {
        let lower = text.to_lowercase();
        both.iter().all(|name| lower.contains(name.as_str()))
    };
    texts.filter(has_both).collect()
}

impl Mention {
    /// Tells whether both may name one thing.
    fn is(&self, other: &Self) -> bool {
        self.ids.iter().any(|id| other.ids.contains(id))
    }
}

impl Sentence {
    /// The sentence as it stands in the text.
    fn quoted(&self) -> &str {
        let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last()) else { return "" };
        &self.text[first.range.start..last.range.end]
    }
}
