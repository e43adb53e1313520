//! Phrases, found in text by their first word.

use std::collections::HashMap;

use crate::facts::prose::Token;

/// Phrases by their first word.
#[derive(Debug)]
pub(in crate::facts) struct Phrases<T> {
    by_first: HashMap<String, Vec<(Vec<String>, T)>>,
}

impl<T> Default for Phrases<T> {
    fn default() -> Self {
        Self { by_first: HashMap::new() }
    }
}

impl<T: PartialEq> Phrases<T> {
    pub(in crate::facts) fn insert(&mut self, words: &[String], item: T) {
        let Some(first) = words.first() else { return };
        let entries = self.by_first.entry(first.clone()).or_default();
        if !entries.iter().any(|(known, other)| known == words && *other == item) {
            entries.push((words.to_vec(), item));
        }
    }

    /// All phrases.
    pub(in crate::facts) fn all(&self) -> impl Iterator<Item = (&[String], &T)> {
        self.by_first.values().flatten().map(|(words, item)| (words.as_slice(), item))
    }

    /// What one word alone stands for.
    pub(in crate::facts) fn of_word(&self, word: &str) -> impl Iterator<Item = &T> {
        let entries = self.by_first.get(word).into_iter().flatten();
        entries.filter(|(words, _)| words.len() == 1).map(|(_, item)| item)
    }

    /// The longest phrases that start at a token, words compared as written or in the singular.
    pub(in crate::facts) fn find<'a>(&'a self, tokens: &[Token], at: usize) -> Option<(usize, Vec<&'a T>)> {
        let first = tokens.get(at)?;
        let mut longest = 0;
        let mut found = Vec::new();
        for spelling in [Some(&first.lower), first.singular.as_ref()].into_iter().flatten() {
            for (words, item) in self.by_first.get(spelling).into_iter().flatten() {
                let matches = tokens.len() >= at + words.len()
                    && words[1..].iter().zip(&tokens[at + 1..]).all(|(word, token)| token.is(word));
                if matches && words.len() >= longest {
                    if words.len() > longest {
                        longest = words.len();
                        found.clear();
                    }
                    found.push(item);
                }
            }
        }
        (longest > 0).then_some((longest, found))
    }
}
