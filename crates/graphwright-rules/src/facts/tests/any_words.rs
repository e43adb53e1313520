//! Words in any order, so that trees of any form are read.

use proptest::{prelude::*, sample::select};

use super::stated;

const SERVICES: &str = "
nodes:
  Service: {synonyms: [app], properties: {tier: {type: integer}, language: {type: string, enum: [Go, Rust]}, launched: {type: date}}}
  Team: {}
relationships:
  DEPENDS_ON: {from: [Service], to: [Service], cues: [\"depends on\", \"is part of\", \"runs on top of\"]}
  OWNS: {from: [Team], to: [Service], synonyms: [owner]}
";

/// What trees are made of: names, cues, and the words that join them.
const WORDS: &[&str] = &[
    "the",
    "service",
    "Falcon",
    "Kestrel Gate",
    "team",
    "Payments",
    "app",
    "is",
    "was",
    "not",
    "depends",
    "on",
    "part",
    "of",
    "owned",
    "by",
    "owns",
    "owner",
    "which",
    "that",
    "who",
    "whose",
    "and",
    "or",
    "but",
    "a",
    "it",
    "its",
    "both",
    "to",
    "called",
    "tier",
    "1",
    "Go",
    "launched",
    "in",
    "2019",
    "no",
    "runs",
    "top",
    "with",
    "as",
    ",",
    ":",
    "(",
    ")",
    "\"",
    "?",
    "respectively",
    "rather than",
    "plans",
    "if",
    "where",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn words_in_any_order_end_no_program(words in prop::collection::vec(select(WORDS), 1..60)) {
        let text = format!("# Falcon service\n\n{}.\n", words.join(" "));
        for line in stated(SERVICES, "page.md", &text) {
            prop_assert!(line.contains(" OWNS ") || line.contains(" DEPENDS_ON ") || line.contains(" = "), "{line}");
        }
    }
}
