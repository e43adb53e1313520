//! Likeness of words in meaning.

use std::collections::HashMap;

use graphwright_english::words;
use graphwright_llm::BuiltinEmbedder;

use super::{stems::Stems, terms::Term};

/// The cosine of two vectors of length 1.
pub(crate) fn dot(left: &[f32], right: &[f32]) -> f64 {
    f64::from(left.iter().zip(right).map(|(left, right)| left * right).sum::<f32>())
}

/// How alike words and the terms of a question are in meaning.
pub(super) struct Likeness {
    embedder: BuiltinEmbedder,
    /// The vectors of the terms that are one word.
    terms: Vec<Option<Vec<f32>>>,
    known: HashMap<String, Vec<f64>>,
}

impl Likeness {
    pub(super) fn new(terms: &[Term]) -> Self {
        let embedder = BuiltinEmbedder::new();
        let embed = |word: &str| embedder.embed_text(word).unwrap_or_default();
        let terms = terms.iter().map(|term| term.word.as_deref().map(embed)).collect();
        Self { embedder, terms, known: HashMap::new() }
    }

    /// How like the likest word of a sentence is to each term, from 0 to 1.
    pub(super) fn of(&mut self, sentence: &Stems) -> Vec<f64> {
        let mut likest = vec![0.0; self.terms.len()];
        for word in sentence.words.iter().filter(|word| !words::is_function_word(word)) {
            for (likest, likeness) in likest.iter_mut().zip(self.of_word(word)) {
                *likest = f64::max(*likest, *likeness);
            }
        }
        likest
    }

    fn of_word(&mut self, word: &str) -> &[f64] {
        self.known.entry(word.to_owned()).or_insert_with(|| {
            let own = self.embedder.embed_text(word).unwrap_or_default();
            self.terms.iter().map(|term| term.as_ref().map_or(0.0, |term| dot(term, &own))).collect()
        })
    }
}
