//! What the graph writes as a code or by another name: `DE` for Germany, `F` for women, `USA` for the United States.

use std::collections::BTreeSet;

use graphwright_english::{
    codes::{self, Spelling},
    questions::{Token, phrase_key, tokenize},
};

use super::{Annotator, Span, push_senses};
use crate::{
    lexicon::{Meaning, Sense},
    schema::{Property, Schema},
};

/// How well such words say it.
const WEIGHT: f64 = 0.95;
/// Of a property whose values are codes, nearly all are.
const SHARE: f64 = 0.9;
/// So many things are looked at for that.
const LOOKED_AT: usize = 500;

impl Annotator<'_> {
    /// Adds what the graph knows by other spellings of what words stand for.
    pub(super) fn code_spans(&self, words: &[Token], (first, end): (usize, usize), spans: &mut Vec<Span>) {
        let key = phrase_key(words);
        // `IT` may be Italy; `it` is not.
        if codes::is_code(&key) && words.iter().any(|word| word.text.contains(char::is_lowercase)) {
            return;
        }
        for spelling in codes::spellings(&key) {
            let said = tokenize(spelling.text);
            let mut values = self.lexicon.values(&said);
            values.retain(|value| is_said(value, spelling, self.schema));
            for value in &mut values {
                value.weight *= WEIGHT;
            }
            push_senses(spans, first, end, &values);
            // A film may be called `Girls`.
            if spelling.is_name() {
                self.push_named(&said, (first, end), spans);
            }
        }
    }
}

/// Whether a value is one for what the spelling stands for: what is no name only among others of its scheme.
fn is_said(value: &Sense, spelling: Spelling, schema: &Schema) -> bool {
    match value.meaning {
        Meaning::Value(property, _) => spelling.is_name() || is_coded(property, spelling.scheme, schema),
        _ => false,
    }
}

/// Whether the values of a property are nearly all of a scheme, and of no other more of them.
fn is_coded(property: Property, scheme: &str, schema: &Schema) -> bool {
    let values: BTreeSet<String> = schema.texts_of(property, LOOKED_AT).collect();
    let schemes = codes::schemes(values.iter().map(String::as_str));
    let most = schemes.first().map_or(0, |(_, count)| *count);
    let own = schemes.iter().find(|(other, _)| *other == scheme).map_or(0, |(_, count)| *count);
    own > 1 && own == most && own as f64 >= SHARE * values.len() as f64
}
