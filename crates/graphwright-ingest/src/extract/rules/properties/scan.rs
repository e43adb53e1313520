//! Where a value stands in a sentence: the longest text at a place that reads as one.

use graphwright_core::Value;

use crate::{
    extract::rules::{clauses::Reader, grammar, inflect, units::Sentence, values},
    ontology::DataType,
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
        let most = (start + 6).min(sentence.tokens.len());
        for end in (start + 1..=most).rev() {
            let inside = &sentence.tokens[start..end];
            if inside.iter().skip(1).any(|token| matches!(token.lower.as_str(), "." | ";" | ")" | "(" | ":"))
                || inside.last().is_some_and(|token| token.punctuation)
            {
                continue;
            }
            let numeric = matches!(entry.definition.kind, DataType::Integer | DataType::Float);
            if numeric && (end - start > 3 || inside.iter().any(|token| token.punctuation)) {
                continue;
            }
            if numeric && end < sentence.tokens.len() && sentence.tokens[end].is_number() {
                continue;
            }
            let text = sentence.text(start..end);
            let value = values::read(text, &entry.definition);
            if let Some(value) = value.filter(|_| !numeric || fits_unit(text, entry.unit.as_deref())) {
                let percent = sentence.tokens.get(end).is_some_and(|token| token.lower == "%");
                if numeric && percent && !matches!(entry.unit.as_deref(), Some("percent" | "pct")) {
                    return None;
                }
                return Some((value, end));
            }
        }
        None
    }

    /// The value that ends before a token: `450 beds`, `high priority`; with its first token.
    pub(super) fn value_before(
        &self,
        sentence: &Sentence<'_>,
        end: usize,
        property: usize,
    ) -> Option<(Value, usize)> {
        let entry = &self.lexicon.vocabulary.properties[property];
        let numeric = matches!(entry.definition.kind, DataType::Integer | DataType::Float);
        if !numeric && entry.definition.values.is_empty() {
            return None;
        }
        for gap in 0..=usize::from(numeric) {
            let Some(stop) = end.checked_sub(gap) else { continue };
            if gap == 1 {
                let between = &sentence.tokens[stop];
                if between.punctuation || grammar::is_closed(&between.lower) {
                    continue;
                }
            }
            for length in (1..=3).rev() {
                let Some(start) = stop.checked_sub(length) else { continue };
                let text = sentence.text(start..stop);
                if sentence.tokens[start..stop].iter().any(|token| token.punctuation) {
                    continue;
                }
                if numeric
                    && !sentence.tokens[start].is_number()
                    && !grammar::is_number_word(&sentence.tokens[start].lower)
                {
                    continue;
                }
                if let Some(value) = values::read(text, &entry.definition) {
                    return Some((value, start));
                }
            }
        }
        None
    }
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
            && (grammar::is_relative(&token.lower)
                || grammar::is_coordinator(&token.lower)
                || grammar::is_subordinator(&token.lower)
                || grammar::is_auxiliary(&token.lower))
        {
            break;
        }
        end += 1;
    }
    let adverb = sentence.tokens.get(start).is_some_and(|token| grammar::is_closed(&token.lower));
    if end == start || end - start > 6 || adverb {
        return None;
    }
    values::read(sentence.text(start..end), &reader.lexicon.vocabulary.properties[property].definition)
        .map(|value| (value, end))
}

/// Whether a number's unit is the one that the property's name ends in.
fn fits_unit(text: &str, unit: Option<&str>) -> bool {
    let Some(word) = text.split(' ').nth(1).map(|word| word.trim_end_matches('.').to_lowercase()) else {
        return true;
    };
    let Some(unit) = unit else {
        return true;
    };
    let long = match unit {
        "kg" => "kilogram",
        "g" => "gram",
        "mg" => "milligram",
        "t" => "tonne",
        "km" => "kilometre",
        "m" => "metre",
        "cm" => "centimetre",
        "mm" => "millimetre",
        "mw" => "megawatt",
        "kw" => "kilowatt",
        "gb" => "gigabyte",
        "ms" => "millisecond",
        "percent" | "pct" => "%",
        other => other,
    };
    let word_one = inflect::singular(&word);
    word == unit
        || word_one == unit
        || word_one == inflect::singular(unit)
        || word_one == long
        || word_one == long.replace("metre", "meter")
        || word == "million"
        || word == "thousand"
}
