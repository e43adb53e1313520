//! Where a value stands in a sentence: the longest text at a place that reads as one.

use graphwright_core::Value;
use graphwright_ontology::DataType;

use super::Reader;
use crate::facts::{
    inflection,
    prose::Token,
    units::Sentence,
    values::{self, unit},
    vocabulary, words,
};

impl Reader<'_, '_> {
    /// The value that starts at a token, with the token after it.
    pub(super) fn value_at(
        &self,
        sentence: &Sentence<'_>,
        start: usize,
        property: usize,
        free: bool,
    ) -> Option<(Value, usize)> {
        let entry = &self.lexicon.vocabulary.properties[property];
        let mut start = start;
        while sentence.tokens.get(start).is_some_and(|token| {
            matches!(
                token.lower.as_str(),
                "\"" | "“" | "about" | "approximately" | "around" | "roughly" | "exactly" | "over"
            ) || (free && matches!(token.lower.as_str(), "the" | "a" | "an"))
        }) {
            start += 1;
        }
        if start >= sentence.tokens.len() {
            return None;
        }
        let text_free = self.lexicon.vocabulary.is_free_text(property);
        if text_free || entry.definition.kind == DataType::List(Box::new(DataType::String)) {
            return if free { free_text(sentence, start, property, self) } else { None };
        }
        if self.is_numeric(property) {
            return self.quantity_at(sentence, start, property);
        }
        let most = (start + 6).min(sentence.tokens.len());
        let mut ends: Vec<usize> = (start + 1..=most).collect();
        if entry.definition.kind != DataType::Date {
            // The longest text that is a value; of a date the first that is whole.
            ends.reverse();
        }
        for end in ends {
            let inside = &sentence.tokens[start..end];
            if inside.iter().skip(1).any(|token| matches!(token.lower.as_str(), "." | ";" | ")" | "(" | ":"))
                || inside.last().is_some_and(|token| token.punctuation)
            {
                continue;
            }
            if let Some(value) = values::read(sentence.text(start..end), &entry.definition) {
                return Some((value, end));
            }
        }
        None
    }

    pub(super) fn is_numeric(&self, property: usize) -> bool {
        let definition = &self.lexicon.vocabulary.properties[property].definition;
        matches!(definition.kind, DataType::Integer | DataType::Float) && definition.values.is_empty()
    }

    /// A number with the words for its magnitude, currency and unit.
    fn quantity_at(&self, sentence: &Sentence<'_>, start: usize, property: usize) -> Option<(Value, usize)> {
        let entry = &self.lexicon.vocabulary.properties[property];
        let tokens = sentence.tokens;
        let mut end = start;
        while let Some(token) = tokens.get(end).filter(|_| end - start < 6) {
            let goes_on = token.is_number() && (end == start || words::is_money(&tokens[end - 1].lower))
                || words::is_number_word(token.lower.split('-').next().unwrap_or(""))
                || end > start && token.lower == "and" && tokens[end - 1].lower == "hundred"
                || words::is_money(&token.lower)
                || end > start && (words::is_magnitude(&token.lower) || is_unit(tokens, end));
            if token.punctuation || !goes_on {
                break;
            }
            end += 1;
        }
        let digits = |token: &Token| {
            token.is_number() || words::is_number_word(&token.lower) || token.lower.contains('-')
        };
        if end == start
            || !tokens[start..end].iter().any(digits)
            || tokens.get(end).is_some_and(Token::is_number)
        {
            return None;
        }
        let share = unit(&tokens[end - 1].lower).is_some() && tokens[end - 1].lower == "%";
        if share && !matches!(entry.unit.as_deref(), Some("percent" | "pct")) && !entry.measure.measures("%")
        {
            return None;
        }
        let value = values::read_measured(sentence.text(start..end), &entry.definition, entry.measure)?;
        let year = vocabulary::is_year(&entry.phrases, &entry.definition);
        let plain = end == start + 1 && matches!(value, Value::Integer(1000..2200));
        (!year || plain).then_some((value, end))
    }

    /// The value that ends before a token: `450 beds`, `240 m long`, `high priority`; with its first token.
    pub(super) fn value_before(
        &self,
        sentence: &Sentence<'_>,
        end: usize,
        property: usize,
    ) -> Option<(Value, usize)> {
        let entry = &self.lexicon.vocabulary.properties[property];
        let numeric = self.is_numeric(property);
        if !numeric && entry.definition.values.is_empty() {
            return None;
        }
        for gap in 0..=usize::from(numeric) {
            let Some(stop) = end.checked_sub(gap) else { continue };
            if gap == 1 {
                let between = &sentence.tokens[stop];
                if between.punctuation || words::is_closed(&between.lower) {
                    continue;
                }
            }
            for length in (1..=4).rev() {
                let Some(start) = stop.checked_sub(length) else { continue };
                let found = if numeric {
                    // `has 12 hectares`: the property's own word may be the unit.
                    self.quantity_at(sentence, start, property)
                        .filter(|(_, end)| *end == stop || *end == stop + 1 && is_unit(sentence.tokens, stop))
                        .map(|(value, _)| value)
                } else if sentence.tokens[start..stop].iter().any(|token| token.punctuation) {
                    None
                } else {
                    values::read(sentence.text(start..stop), &entry.definition)
                };
                if let Some(value) = found {
                    return Some((value, start));
                }
            }
        }
        None
    }

    /// The value and the noun or unit of one word that says both: `240-metre`, `12-seat`, `seven-member`.
    pub(super) fn compound(&self, sentence: &Sentence<'_>, at: usize, property: usize) -> Option<Value> {
        let entry = &self.lexicon.vocabulary.properties[property];
        if !self.is_numeric(property) {
            return None;
        }
        let (number, noun) = sentence.tokens[at].lower.rsplit_once('-')?;
        let own = entry.measure.measures(noun)
            || entry
                .phrases
                .iter()
                .any(|phrase| matches!(phrase.as_slice(), [only] if inflection::singular(only) == noun));
        own.then(|| values::read_measured(&format!("{number} {noun}"), &entry.definition, entry.measure))
            .flatten()
    }
}

/// Whether a word is a unit; `in` before another word is a preposition, as in `1871 in Stronsay`.
fn is_unit(tokens: &[Token], at: usize) -> bool {
    let preposition = tokens[at].lower == "in" && tokens.get(at + 1).is_some_and(Token::is_word);
    unit(&tokens[at].lower).is_some() && !preposition
}

/// A value of free text after a copula: a name, a number, a quoted piece, or a few words up to the end of the clause.
fn free_text(
    sentence: &Sentence<'_>,
    start: usize,
    property: usize,
    reader: &Reader<'_, '_>,
) -> Option<(Value, usize)> {
    let mut end = start;
    while let Some(token) = sentence.tokens.get(end) {
        if token.punctuation
            && matches!(token.lower.as_str(), "." | "," | ";" | ":" | "(" | ")" | "\"" | "”" | "—" | "–")
        {
            break;
        }
        if end > start
            && (words::is_relative(&token.lower)
                || words::is_coordinator(&token.lower)
                || words::is_subordinator(&token.lower)
                || words::is_auxiliary(&token.lower))
        {
            break;
        }
        end += 1;
    }
    let adverb = sentence.tokens.get(start).is_some_and(|token| words::is_closed(&token.lower));
    if end == start || end - start > 6 || adverb {
        return None;
    }
    values::read(sentence.text(start..end), &reader.lexicon.vocabulary.properties[property].definition)
        .map(|value| (value, end))
}
