//! Which examples fit a question: those that are like it, and unlike each other.
//!
//! Maximal marginal relevance (Carbonell and Goldstein, 1998, "The use of MMR, diversity-based reranking for reordering documents and
//! producing summaries").

use std::collections::BTreeSet;

use graphwright_llm::{BuiltinEmbedder, cosine};

use super::Example;

/// How much likeness to the question counts against likeness to what is chosen already.
const LIKENESS: f64 = 0.7;

/// The likeness from which two texts are the same.
const SAME: f64 = 0.999;

/// An example as it is compared.
#[derive(Debug)]
pub(crate) struct Ranked<'e> {
    pub(crate) example: &'e Example,
    text: Text,
    likeness: f64,
}

/// A text as it is compared: its words and its meaning.
#[derive(Debug)]
struct Text {
    words: BTreeSet<String>,
    vector: Vec<f32>,
}

impl Text {
    /// Names say little of what is asked, so that kinds of questions are compared.
    fn new(kind: &str, embedder: &BuiltinEmbedder) -> Self {
        let words = kind.split_whitespace().map(str::to_lowercase).collect();
        // Where a text has no vector, words alone decide.
        Self { words, vector: embedder.embed_text(kind).unwrap_or_default() }
    }

    /// The likeness of two texts, from 0 to 1: half by their words (Jaccard), half by their meaning (cosine).
    fn likeness(&self, other: &Self) -> f64 {
        let shared = self.words.intersection(&other.words).count();
        let all = self.words.union(&other.words).count().max(1);
        let words = shared as f64 / all as f64;
        let meaning = f64::from(cosine(&self.vector, &other.vector)).max(0.0);
        f64::midpoint(words, meaning)
    }
}

/// Compares examples with a kind of question. The next one is [`take`](Ranking::take)n for as long as there is room.
pub(crate) fn ranking<'e>(kind: &str, examples: impl IntoIterator<Item = &'e Example>) -> Ranking<'e> {
    let embedder = BuiltinEmbedder::new();
    let asked = Text::new(kind, &embedder);
    let ranked = examples.into_iter().map(|example| {
        // What a person wrote has no kind until it is verified.
        let kind = if example.kind.is_empty() { &example.question } else { &example.kind };
        let text = Text::new(kind, &embedder);
        let likeness = asked.likeness(&text);
        Ranked { example, text, likeness }
    });
    Ranking { left: ranked.collect(), taken: Vec::new() }
}

/// Examples in the order in which they are taken.
#[derive(Debug)]
pub(crate) struct Ranking<'e> {
    left: Vec<Ranked<'e>>,
    taken: Vec<Ranked<'e>>,
}

impl<'e> Ranking<'e> {
    /// Takes the example that says most beside those that are [kept](Self::keep).
    pub(crate) fn take(&mut self) -> Option<Ranked<'e>> {
        let scored = self.left.iter().enumerate().map(|(at, ranked)| (at, self.score(ranked)));
        let (best, _) = scored.max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)))?;
        Some(self.left.remove(best))
    }

    /// Keeps an example: what is like it says less from now on.
    pub(crate) fn keep(&mut self, ranked: Ranked<'e>) {
        self.taken.push(ranked);
    }

    fn score(&self, ranked: &Ranked<'_>) -> f64 {
        let nearest = self.taken.iter().map(|taken| ranked.text.likeness(&taken.text)).fold(0.0, f64::max);
        // The same kind of question again says nothing more.
        let weight = if nearest > SAME { 1.0 } else { 1.0 - LIKENESS };
        LIKENESS * ranked.likeness - weight * nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(kind: &str, kinds: &[&str], count: usize) -> Vec<String> {
        let examples: Vec<Example> = kinds
            .iter()
            .map(|kind| Example { kind: (*kind).to_owned(), ..Example::by_person(*kind, "RETURN 1") })
            .collect();
        let mut ranking = ranking(kind, &examples);
        let mut chosen = Vec::new();
        while chosen.len() < count {
            let Some(ranked) = ranking.take() else { break };
            chosen.push(ranked.example.kind.clone());
            ranking.keep(ranked);
        }
        chosen
    }

    #[test]
    fn what_is_like_the_question_comes_first_and_what_is_like_that_later() {
        let kinds = [
            "how many films did <Person> direct",
            "which films did <Person> direct",
            "which films did <Person> direct before",
            "who was born in <number>",
        ];
        let asked = "which films did <Person> direct";
        assert_eq!(chosen(asked, &kinds, 1), [kinds[1]]);
        let three = chosen(asked, &kinds, 3);
        assert_eq!(three[0], kinds[1]);
        assert_ne!(three[1], kinds[3]);
        assert_eq!(chosen(asked, &kinds, 9).len(), 4);
        assert!(chosen(asked, &[], 3).is_empty());
    }

    #[test]
    fn what_says_the_same_twice_says_less() {
        let kinds = [
            "which films did <Person> direct",
            "which films did <Person> direct",
            "which films star <Person>",
        ];
        assert_eq!(chosen("which films did <Person> direct", &kinds, 2), [kinds[0], kinds[2]]);
    }
}
