//! A sentence as names, descriptions of things named before, pronouns and words.

use std::ops::Range;

use super::{
    mentions::{self, Lexicon, Mention},
    prose::Token,
    text::BlockText,
    words,
};

/// What a unit of a sentence is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum UnitKind {
    /// A name, with the words for its type beside it; index in [`Sentence::mentions`].
    Name(usize),
    /// A thing of one of these types that was named before: `the service`.
    Described(Vec<usize>),
    /// A pronoun.
    Pronoun,
    /// Any other word.
    Word,
    /// A punctuation mark.
    Mark,
}

/// A unit of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unit {
    pub(super) kind: UnitKind,
    /// Its tokens.
    pub(super) tokens: Range<usize>,
}

/// A sentence ready to be read.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    pub(super) flat: &'a BlockText,
    pub(super) tokens: &'a [Token],
    pub(super) mentions: Vec<Mention>,
    pub(super) units: Vec<Unit>,
    /// The unit of each token.
    pub(super) unit_of: Vec<usize>,
}

impl<'a> Sentence<'a> {
    /// Reads the tokens of a sentence.
    pub(super) fn new(lexicon: Lexicon<'_>, flat: &'a BlockText, tokens: &'a [Token]) -> Self {
        let mentions = mentions::find(lexicon, flat, tokens);
        let mut units: Vec<Unit> = Vec::with_capacity(tokens.len());
        let mut at = 0;
        let mut next_mention = 0;
        while at < tokens.len() {
            // A name may have taken the first word of the next one for the word for its type.
            while mentions.get(next_mention).is_some_and(|mention| mention.tokens.start < at) {
                next_mention += 1;
            }
            if mentions.get(next_mention).is_some_and(|mention| mention.tokens.start == at) {
                let unit = name_unit(lexicon, tokens, &mentions[next_mention], next_mention, &mut units);
                at = unit.tokens.end;
                units.push(unit);
                next_mention += 1;
                continue;
            }
            let limit = mentions.get(next_mention).map_or(tokens.len(), |mention| mention.tokens.start);
            let unit = plain_unit(lexicon, tokens, at, limit);
            at = unit.tokens.end;
            units.push(unit);
        }
        let mut unit_of = vec![0; tokens.len()];
        for (index, unit) in units.iter().enumerate() {
            for token in unit.tokens.clone() {
                unit_of[token] = index;
            }
        }
        Self { flat, tokens, mentions, units, unit_of }
    }

    /// Puts a name in the place of some units.
    pub(super) fn replace(&mut self, units: Range<usize>, mut mention: Mention) {
        let tokens = self.units[units.start].tokens.start..self.units[units.end - 1].tokens.end;
        mention.tokens = tokens.clone();
        self.mentions.push(mention);
        let unit = Unit { kind: UnitKind::Name(self.mentions.len() - 1), tokens };
        self.units.splice(units, [unit]);
        for (index, unit) in self.units.iter().enumerate() {
            for token in unit.tokens.clone() {
                self.unit_of[token] = index;
            }
        }
    }

    /// The first word of a unit in small letters.
    pub(super) fn word(&self, unit: usize) -> &str {
        self.units.get(unit).map_or("", |unit| self.tokens[unit.tokens.start].lower.as_str())
    }

    /// The name at a unit.
    pub(super) fn name_at(&self, unit: usize) -> Option<usize> {
        match self.units.get(unit)?.kind {
            UnitKind::Name(mention) => Some(mention),
            _ => None,
        }
    }

    /// Whether a unit is a plain word.
    pub(super) fn is_word(&self, unit: usize) -> bool {
        self.units.get(unit).is_some_and(|unit| unit.kind == UnitKind::Word)
    }

    /// The range of the whole sentence in the block's text.
    pub(super) fn range(&self) -> Range<usize> {
        match (self.tokens.first(), self.tokens.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        }
    }

    /// The text of a range of tokens.
    pub(super) fn text(&self, tokens: Range<usize>) -> &str {
        if tokens.is_empty() || tokens.end > self.tokens.len() {
            return "";
        }
        &self.flat.text[self.tokens[tokens.start].start..self.tokens[tokens.end - 1].end]
    }
}

/// The unit of a name: with the type words beside it.
fn name_unit(
    lexicon: Lexicon<'_>,
    tokens: &[Token],
    mention: &Mention,
    index: usize,
    units: &mut Vec<Unit>,
) -> Unit {
    let mut range = mention.tokens.clone();
    let type_words = &lexicon.vocabulary.type_words;
    let spaced = tokens.get(range.end).is_some_and(|token| token.spaced && token.is_word());
    if spaced
        && let Some((length, kinds)) = type_words.find(tokens, range.end)
        && kinds.iter().any(|kind| mention.kinds.contains(kind))
    {
        range.end += length;
    }
    // A description before the name (`the payment service Falcon`) belongs to it.
    if let Some(last) = units.last()
        && last.tokens.end == range.start
        && tokens[range.start].spaced
    {
        let described = matches!(&last.kind, UnitKind::Described(kinds) if kinds.iter().any(|kind| mention.kinds.contains(kind)));
        let type_word = last.kind == UnitKind::Word
            && type_words.find(tokens, last.tokens.start).is_some_and(|(length, kinds)| {
                length == last.tokens.len() && kinds.iter().any(|kind| mention.kinds.contains(kind))
            });
        if described || type_word {
            range.start = last.tokens.start;
            units.pop();
        }
    }
    if matches!(tokens.get(range.start.wrapping_sub(1)), Some(quote) if matches!(quote.lower.as_str(), "\"" | "“" | "«" | "„"))
        && matches!(tokens.get(range.end), Some(quote) if matches!(quote.lower.as_str(), "\"" | "”" | "»" | "“"))
    {
        range.start -= 1;
        range.end += 1;
        if units.last().is_some_and(|unit| unit.tokens.start == range.start) {
            units.pop();
        }
    }
    Unit { kind: UnitKind::Name(index), tokens: range }
}

/// `This schooner`: a thing by a value of one of its properties.
fn described_by_value(lexicon: Lexicon<'_>, tokens: &[Token], at: usize) -> Option<Unit> {
    if !matches!(tokens[at].lower.as_str(), "this" | "that") {
        return None;
    }
    let vocabulary = lexicon.vocabulary;
    let (length, found) = vocabulary.allowed_values.find(tokens, at + 1)?;
    let next = tokens.get(at + 1 + length);
    let head = next.is_none_or(|next| {
        next.punctuation || words::is_closed(&next.lower) || words::is_likely_verb(&next.lower)
    });
    let [allowed] = found.as_slice() else { return None };
    let kinds = vec![vocabulary.properties[allowed.property].owner];
    head.then(|| Unit { kind: UnitKind::Described(kinds), tokens: at..at + 1 + length })
}

fn plain_unit(lexicon: Lexicon<'_>, tokens: &[Token], at: usize, limit: usize) -> Unit {
    let token = &tokens[at];
    if token.punctuation {
        return Unit { kind: UnitKind::Mark, tokens: at..at + 1 };
    }
    if words::is_definite(&token.lower) || words::is_possessive(&token.lower) && token.lower == "our" {
        // `the`, up to two words, and a word for a type.
        for skip in 1..=3 {
            let start = at + skip;
            if start >= limit
                || tokens[at + 1..start]
                    .iter()
                    .any(|token| token.punctuation || words::is_closed(&token.lower))
            {
                break;
            }
            if let Some((length, kinds)) = lexicon.vocabulary.type_words.find(&tokens[..limit], start) {
                let next = tokens.get(start + length);
                let compound = next.is_some_and(|next| {
                    next.is_word()
                        && start + length < limit
                        && !words::is_closed(&next.lower)
                        && !words::is_likely_verb(&next.lower)
                        && !lexicon.vocabulary.heads.contains_key(&next.lower)
                });
                let of = next.is_some_and(|next| next.lower == "of");
                if compound || of {
                    break;
                }
                let kinds = kinds.into_iter().copied().collect();
                return Unit { kind: UnitKind::Described(kinds), tokens: at..start + length };
            }
        }
    }
    if let Some(unit) = described_by_value(lexicon, &tokens[..limit], at) {
        return unit;
    }
    let pronoun = words::is_pronoun(&token.lower)
        && !(matches!(token.lower.as_str(), "this" | "these" | "those" | "one" | "there" | "here")
            && tokens.get(at + 1).is_some_and(|next| next.is_word() && !words::is_auxiliary(&next.lower)));
    let both = matches!(token.lower.as_str(), "both" | "each")
        && tokens.get(at + 1).is_some_and(|next| words::is_auxiliary(&next.lower));
    let kind = if pronoun || both { UnitKind::Pronoun } else { UnitKind::Word };
    Unit { kind, tokens: at..at + 1 }
}
