//! GLEU, the measure of likeness of two texts that Google's translation was trained with.
//!
//! Wu et al., "Google's Neural Machine Translation System" (2016, arXiv:1609.08144), section 4: of all sequences of one to four
//! tokens, the share that both texts have, by the text that has more of them; that is the smaller one of precision and recall.

use std::collections::HashMap;

use graphwright_cypher::lexer::tokenize;
use serde::{Deserialize, Serialize};

/// The longest sequence.
const LONGEST: usize = 4;

/// How alike two texts are, as counts, so that those of many texts can be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gleu {
    /// The sequences that both texts have.
    pub matched: usize,
    /// The sequences of the text that has more of them.
    pub possible: usize,
}

impl Gleu {
    /// Compares two queries by their Cypher tokens; a text that is none is split at white space.
    pub fn of(gold: &str, written: &str) -> Self {
        let (gold_tokens, written_tokens) = (tokens(gold), tokens(written));
        let (gold, written) = (sequences(&gold_tokens), sequences(&written_tokens));
        let matched = gold.iter().map(|(sequence, count)| *count.min(written.get(sequence).unwrap_or(&0)));
        let all = |sequences: &HashMap<&[&str], usize>| sequences.values().sum::<usize>();
        Self { matched: matched.sum(), possible: all(&gold).max(all(&written)) }
    }

    /// Returns the share, from 0 to 1.
    pub fn share(self) -> f64 {
        self.matched as f64 / self.possible.max(1) as f64
    }
}

impl std::ops::AddAssign for Gleu {
    fn add_assign(&mut self, other: Self) {
        self.matched += other.matched;
        self.possible += other.possible;
    }
}

fn tokens(text: &str) -> Vec<&str> {
    match tokenize(text) {
        Ok(found) => found.tokens.iter().map(|token| token.text(text)).collect(),
        Err(_) => text.split_whitespace().collect(),
    }
}

fn sequences<'a>(tokens: &'a [&'a str]) -> HashMap<&'a [&'a str], usize> {
    let mut counts = HashMap::new();
    for sequence in (1..=LONGEST).flat_map(|length| tokens.windows(length)) {
        *counts.entry(sequence).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(gold: &str, written: &str) -> f64 {
        (100.0 * Gleu::of(gold, written).share()).round()
    }

    #[test]
    fn equal_texts_are_alike_and_others_by_their_shared_sequences() {
        assert!((percent("RETURN 1", "RETURN  1") - 100.0).abs() < 1e-9);
        assert!(percent("RETURN 1", "").abs() < 1e-9);
        // `a b c d` has ten sequences. With `a b x d`, four of them are shared: a, b, d, `a b`.
        assert_eq!(Gleu::of("a b c d", "a b x d"), Gleu { matched: 4, possible: 10 });
        // Repeated tokens count as often as the other text has them.
        assert_eq!(Gleu::of("a", "a a"), Gleu { matched: 1, possible: 3 });
    }

    #[test]
    fn the_smaller_of_precision_and_recall_counts() {
        assert!((percent("a b", "a") - 33.0).abs() < 1e-9);
        assert!((percent("a", "a b") - 33.0).abs() < 1e-9);
    }
}
