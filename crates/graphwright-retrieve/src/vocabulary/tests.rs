use std::fs;

use graphwright_core::{Node, Value};

use super::*;
use crate::fixture::{at, node, properties, relationship};

fn graph() -> Topology {
    let mut ledger = node("Service|__Entity__:ledger");
    ledger.properties.extend(properties(&[
        ("name", "The General Ledger".into()),
        ("aliases", vec!["GL"].into()),
        ("colour", "rose".into()),
        ("launched", Value::Integer(2019)),
    ]));
    let mut general = node("Team|__Entity__:general");
    general.properties.extend(properties(&[("name", "General Affairs".into()), ("colour", "Rose".into())]));
    let chunk = node("Chunk:ledger 0");
    let mut ended = relationship("general -LED-> ledger");
    ended.properties.extend(properties(&[("valid_to", Value::Date(jiff::civil::date(2001, 1, 1)))]));
    let mut owns = relationship("general -OWNS-> ledger");
    owns.properties.extend(properties(&[("since", Value::Integer(2020))]));
    let part = relationship("ledger -FROM_CHUNK-> ledger 0");
    Topology::from_parts("1", vec![ledger, general, chunk], vec![owns, ended, part])
}

fn named(vocabulary: &Vocabulary, key: &str) -> Vec<NodeIndex> {
    vocabulary.named(key).collect()
}

fn check(vocabulary: &Vocabulary, topology: &Topology) {
    let (ledger, general) = (at(topology, "ledger"), at(topology, "general"));
    for key in ["thegeneralledger", "generalledger", "gl"] {
        assert_eq!(named(vocabulary, key), [ledger], "{key}");
    }
    assert!(named(vocabulary, "general").is_empty() && named(vocabulary, "ledger0").is_empty());
    let with_word = vocabulary.with_word("general");
    // In the order of the nodes, each with the length of its name without an article.
    assert_eq!(with_word.iter().collect::<Vec<_>>(), [(general, 2), (ledger, 2)]);
    assert_eq!((with_word.length(ledger), with_word.len()), (Some(2), 2));
    assert!(vocabulary.with_word("ledger").length(general).is_none());
    assert_eq!(vocabulary.values("rose").collect::<Vec<_>>(), [("colour", "Rose"), ("colour", "rose")]);
    // Of what one thing has, only a value in small letters may stand in another form.
    assert_eq!(vocabulary.values_by_stems("rose").collect::<Vec<_>>(), [("colour", "rose")]);
    assert_eq!((vocabulary.longest_name(), vocabulary.longest_value()), (3, 1));
    assert_eq!(vocabulary.name_count(), 4);
}

#[test]
fn names_and_values_are_found() {
    let topology = graph();
    check(&Vocabulary::build(&topology), &topology);
}

#[test]
fn values_that_several_have_are_found_in_other_forms() {
    let with_status = |id: &str, status: &str| {
        let mut own = node(&format!("Rfc|__Entity__:{id}"));
        own.properties.extend(properties(&[("name", id.into()), ("status", status.into())]));
        own
    };
    let nodes = vec![with_status("a", "Draft"), with_status("b", "Draft"), with_status("c", "Rose")];
    let vocabulary = Vocabulary::build(&Topology::from_parts("1", nodes, vec![]));
    assert_eq!(vocabulary.values_by_stems("draft").collect::<Vec<_>>(), [("status", "Draft")]);
    assert_eq!(vocabulary.values_by_stems("rose").count(), 0);
}

#[test]
fn the_summary_says_what_types_have_and_connect_on_all_days() {
    let topology = graph();
    let vocabulary = Vocabulary::build(&topology);
    let summary = vocabulary.summary();
    assert_eq!(summary.types, ["Team", "Service"]);
    let launched = summary.properties.iter().find(|property| property.name == "launched").unwrap();
    assert_eq!(
        (launched.content, launched.types.as_slice(), launched.is_dated),
        (Content::Number, &[1][..], true)
    );
    let [owns] = summary.patterns.as_slice() else { panic!("{:?}", summary.patterns) };
    assert_eq!((owns.kind.as_str(), owns.from, owns.to, owns.count), ("OWNS", 0, 1, 1));
    assert_eq!(summary.edge_properties, [("OWNS".to_owned(), "since".to_owned(), Content::Number)]);
    let kinds: Vec<_> =
        topology.timed_relationships().map(|timed| topology.edge(timed).kind.clone()).collect();
    assert_eq!(kinds, ["LED".into()]);
    let today = topology.on(jiff::civil::date(2024, 1, 1));
    assert_eq!(today.timed_relationships().count(), 0);
}

#[test]
fn files_are_opened_again_and_a_changed_byte_is_told_or_without_effect() {
    let folder = tempfile::tempdir().unwrap();
    let topology = graph();
    check(&Vocabulary::open_or_build(folder.path(), &topology), &topology);
    let path = folder.path().join("words-000001");
    let written = fs::read(&path).unwrap();
    check(&Vocabulary::open_or_build(folder.path(), &topology), &topology);
    assert_eq!(fs::read(&path).unwrap(), written);
    for byte in (0..written.len()).step_by(7) {
        let mut changed = written.clone();
        changed[byte] ^= 16;
        fs::write(folder.path().join("words-000001"), changed).unwrap();
        let Some(opened) = Written::open(folder.path(), &topology.fingerprint()) else { continue };
        assert!(opened.found(entry::NAME, "gl").len() == 0);
        assert!(opened.damage().is_some(), "byte {byte}");
    }
    let other = Topology::from_parts("2", vec![node("Service|__Entity__:pay")], vec![]);
    let vocabulary = Vocabulary::open_or_build(folder.path(), &other);
    assert_eq!((named(&vocabulary, "pay").len(), named(&vocabulary, "gl").len()), (1, 0));
    assert!(!path.exists());
}

#[test]
fn a_node_is_called_by_its_name_titles_and_aliases() {
    let node = Node {
        properties: properties(&[
            ("name", "a".into()),
            ("title", "b".into()),
            ("full_name", "c".into()),
            ("aliases", vec!["d", "e"].into()),
            ("motto", "f".into()),
        ]),
        ..node("Service:x")
    };
    let mut names: Vec<&str> = names_of(&node).collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "c", "d", "e"]);
}
