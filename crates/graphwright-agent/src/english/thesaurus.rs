//! Words that people use for one another, whatever the field.

use std::{collections::HashMap, sync::LazyLock};

use super::forms::stem;

/// Stems of words that may stand for a verb phrase: each a list of stems, as `["depend", "on"]`.
pub(crate) fn verb_neighbours(stem: &str) -> &'static [Vec<String>] {
    THESAURUS.verbs.get(stem).map_or(&[], Vec::as_slice)
}

/// Stems of words that may stand for a noun.
pub(crate) fn noun_neighbours(stem: &str) -> &'static [Vec<String>] {
    THESAURUS.nouns.get(stem).map_or(&[], Vec::as_slice)
}

/// Stems of nouns that an adjective measures: `old` → `age`.
pub(crate) fn measures(stem: &str) -> &'static [Vec<String>] {
    THESAURUS.adjectives.get(stem).map_or(&[], Vec::as_slice)
}

type Groups = HashMap<String, Vec<Vec<String>>>;

#[derive(Default)]
struct Thesaurus {
    verbs: Groups,
    nouns: Groups,
    adjectives: Groups,
}

static THESAURUS: LazyLock<Thesaurus> = LazyLock::new(|| {
    let mut thesaurus = Thesaurus::default();
    let mut section = "";
    for line in include_str!("../data/thesaurus.txt").lines() {
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        if line.starts_with('[') {
            section = line;
            continue;
        }
        let group: Vec<Vec<String>> =
            line.split_whitespace().map(|phrase| phrase.split('_').map(stem).collect()).collect();
        match section {
            "[adjectives]" => add(&mut thesaurus.adjectives, &group[..1], &group[1..]),
            "[nouns]" => add(&mut thesaurus.nouns, &group, &group),
            _ => add(&mut thesaurus.verbs, &group, &group),
        }
    }
    thesaurus
});

fn add(groups: &mut Groups, words: &[Vec<String>], neighbours: &[Vec<String>]) {
    for word in words {
        let entry = groups.entry(word[0].clone()).or_default();
        for neighbour in neighbours.iter().filter(|neighbour| *neighbour != word) {
            if !entry.contains(neighbour) {
                entry.push(neighbour.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_work_both_ways() {
        assert!(verb_neighbours(&stem("maintains")).contains(&vec![stem("own")]));
        assert!(noun_neighbours(&stem("films")).contains(&vec![stem("movie")]));
        assert!(measures("old").contains(&vec![stem("age")]));
        assert!(measures("age").is_empty());
    }
}
