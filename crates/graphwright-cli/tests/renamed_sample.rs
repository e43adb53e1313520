//! Tests that no answer is written into code: with every entity of the sample renamed and three
//! facts changed, the answers follow.

mod sample;

use std::collections::{BTreeMap, BTreeSet};

use sample::{answered, build_and_ask, copy, lines};
use serde_json::Value as Json;

/// Three changed facts of the documents: the file, its text, and the text instead.
const CHANGES: [(&str, &str, &str); 3] = [
    ("services/ledger.md", "language: Go", "language: Python"),
    ("security/advisories.jsonl", "\"Q4 2023\"", "\"Q1 2025\""),
    ("overview.md", "Tobias Lindqvist heads Payments.", "Ines Carvalho heads Payments."),
];

/// Questions whose answers the changes affect, with the new answers under the old names.
const AFTER: [(&str, &[&str]); 3] = [
    (
        "Which services written in Go are affected by the deprecation of auth-lib-v2?",
        &["edge-gateway", "order-service"],
    ),
    ("What is the security issue that requires migration by Q1 2025?", &["SEC-2023-29"]),
    ("Who leads the team that owns order-service?", &["Ines Carvalho"]),
];

#[test]
fn answers_follow_the_documents() {
    let names = Names::new(7);
    let folder = tempfile::tempdir().expect("folder");
    copy(folder.path(), &|place, text| {
        let change = CHANGES.iter().find(|(document, ..)| *document == place);
        let changed = change.map_or(text.clone(), |(_, old, new)| {
            assert!(text.contains(old), "{place} no longer says {old:?}");
            text.replace(old, new)
        });
        names.rename(&changed)
    });
    let questions: Vec<String> = AFTER.iter().map(|(question, _)| names.rename(question)).collect();

    let answers = build_and_ask(folder.path(), &questions);

    for ((question, expected), asked) in AFTER.iter().zip(&questions) {
        let expected: BTreeSet<String> = expected.iter().map(|name| names.rename(name)).collect();
        assert_eq!(
            answered(&answers[asked]),
            expected,
            "{question} as {asked}: {}",
            answers[asked]["answer"]
        );
    }
}

/// New names for all entities of the sample, in the form of the old ones.
struct Names(BTreeMap<String, String>);

impl Names {
    fn new(seed: u64) -> Self {
        let mut letters = Letters(seed);
        let mut names = BTreeMap::new();
        for line in lines("gold.jsonl") {
            for end in ["from", "to", "entity"] {
                if let Some(name) = line[end]["name"].as_str() {
                    names.entry(name.to_owned()).or_insert_with(|| letters.rename(name));
                }
            }
        }
        let upper: Vec<_> = names.iter().map(|(old, new)| (old.to_uppercase(), new.to_uppercase())).collect();
        for (old, new) in upper {
            names.entry(old).or_insert(new);
        }
        Self(names)
    }

    /// Replaces every name that stands as a whole word, the longest names first.
    fn rename(&self, text: &str) -> String {
        let joins = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
        let mut renamed = String::new();
        let mut rest = text;
        let mut before = None;
        while let Some(first) = rest.chars().next() {
            let fits = |name: &&String| {
                rest.strip_prefix(name.as_str()).is_some_and(|after| !after.chars().next().is_some_and(joins))
            };
            let found = (!before.is_some_and(joins))
                .then(|| self.0.keys().filter(fits).max_by_key(|name| name.len()));
            if let Some(name) = found.flatten() {
                renamed.push_str(&self.0[name]);
                before = name.chars().next_back();
                rest = &rest[name.len()..];
            } else {
                renamed.push(first);
                before = Some(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        renamed
    }
}

/// A small generator of letters (Knuth's linear congruential one), so that the names are equal in
/// every run.
struct Letters(u64);

impl Letters {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    /// Replaces words by words and numbers by numbers. Case, hyphens and a version such as `v2`
    /// stay.
    fn rename(&mut self, name: &str) -> String {
        let mut renamed = String::new();
        let mut word = String::new();
        for letter in name.chars().chain(['\0']) {
            if letter.is_alphanumeric() {
                word.push(letter);
                continue;
            }
            let new = self.word(&word);
            renamed.push_str(&new);
            word.clear();
            if letter != '\0' {
                renamed.push(letter);
            }
        }
        renamed
    }

    fn word(&mut self, word: &str) -> String {
        let is_version = word.len() == 2
            && word.starts_with('v')
            && word.ends_with(|letter: char| letter.is_ascii_digit());
        if is_version || word.is_empty() {
            return word.to_owned();
        }
        if word.chars().all(|letter| letter.is_ascii_digit()) {
            return word.chars().map(|_| char::from(b'1' + self.next(9) as u8)).collect();
        }
        let syllables = [
            "ba", "cor", "den", "fil", "gam", "hun", "jor", "kel", "lim", "mar", "nol", "pru", "quin", "ros",
            "tav", "wex",
        ];
        let new: String = (0..2 + self.next(2)).map(|_| syllables[self.next(16) as usize]).collect();
        if word.chars().all(char::is_uppercase) {
            new[..3].to_uppercase()
        } else if word.starts_with(char::is_uppercase) {
            new[..1].to_uppercase() + &new[1..]
        } else {
            new
        }
    }
}

#[test]
fn names_are_replaced_as_a_whole() {
    let names = Names(BTreeMap::from([
        ("a-b".to_owned(), "x-y".to_owned()),
        ("a-b-v2".to_owned(), "z-v2".to_owned()),
    ]));
    assert_eq!(names.rename("a-b, a-b-v2, aa-b and a-b-c (a-b)."), "x-y, z-v2, aa-b and a-b-c (x-y).");
}

#[test]
fn every_entity_has_a_new_name() {
    let names = Names::new(7);
    let gold = lines("gold.jsonl");
    let old: BTreeSet<&str> = gold.iter().filter_map(|line: &Json| line["from"]["name"].as_str()).collect();
    assert!(old.iter().all(|name| names.0[*name] != **name));
}
