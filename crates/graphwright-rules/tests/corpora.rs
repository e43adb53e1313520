//! Tests that the sample and the corpora are sound. Extractors and answers are measured by them.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use graphwright_ontology::{NodeType, Ontology};
use serde::Deserialize;

#[derive(Deserialize)]
struct Gold {
    document: String,
    #[serde(rename = "kind")]
    _kind: String,
    holds: bool,
    text: String,
    #[serde(flatten)]
    fact: Fact,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Fact {
    Relationship {
        #[serde(rename = "type")]
        kind: String,
        from: Entity,
        to: Entity,
    },
    Property {
        entity: Entity,
        property: String,
        value: serde_json::Value,
    },
}

#[derive(Deserialize)]
struct Entity {
    #[serde(rename = "type")]
    kind: String,
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    id: String,
    #[serde(rename = "question")]
    _text: String,
    #[serde(rename = "kind")]
    _kind: String,
    answers: Vec<String>,
    status: Option<String>,
}

fn corpora() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<_> =
        fs::read_dir(root.join("tests/corpora")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.push(root.join("../../examples/software-catalogue"));
    folders
}

fn lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Vec<T> {
    let text = fs::read_to_string(path).unwrap();
    let parsed =
        text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")));
    parsed.collect()
}

#[test]
fn ontologies_are_valid() {
    for corpus in corpora() {
        let path = corpus.join("ontology.yaml");
        Ontology::read(&path).unwrap().require_valid(&path).unwrap();
    }
}

#[test]
fn gold_facts_fit_the_ontology_and_stand_in_the_documents() {
    for corpus in corpora() {
        let ontology = Ontology::read(&corpus.join("ontology.yaml")).unwrap();
        let gold: Vec<Gold> = lines(&corpus.join("gold.jsonl"));
        let (holding, false_facts) =
            gold.iter().fold(
                (0, 0),
                |(holding, not), line| {
                    if line.holds { (holding + 1, not) } else { (holding, not + 1) }
                },
            );
        assert!(holding >= 60 && false_facts >= 20, "{}: {holding} and {false_facts}", corpus.display());
        let mut documents = BTreeMap::new();
        for line in &gold {
            let text = documents.entry(&line.document).or_insert_with(|| {
                plain(&fs::read_to_string(corpus.join("documents").join(&line.document)).unwrap())
            });
            assert!(text.contains(&plain(&line.text)), "{}: {}", line.document, line.text);
            check(&ontology, line);
        }
    }
}

/// Removes spaces and marks that a reader does not see.
fn plain(text: &str) -> String {
    let mut seen = String::new();
    let mut in_tag = false;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        in_tag |= letter == '<';
        if letter == ']' && rest.starts_with('(') {
            rest = rest.split_once(')').map_or("", |(_, after)| after);
        } else if !in_tag && !letter.is_whitespace() && !"*`[]|\"{},".contains(letter) {
            seen.push(letter);
        }
        in_tag &= letter != '>';
    }
    seen
}

fn check(ontology: &Ontology, line: &Gold) {
    let node_type = |entity: &Entity| -> NodeType {
        ontology.nodes.get(&entity.kind).unwrap_or_else(|| panic!("{}: {}", line.text, entity.kind)).clone()
    };
    match &line.fact {
        Fact::Relationship { kind, from, to } => {
            let relationship = &ontology.relationships[kind];
            assert!(
                relationship.from.contains(&from.kind) && relationship.to.contains(&to.kind),
                "{}",
                line.text
            );
            assert!(!from.name.is_empty() && !to.name.is_empty());
        }
        Fact::Property { entity, property, value } => {
            let node_type = node_type(entity);
            let parsed = node_type.properties[property].kind.parse_json(value);
            assert!(parsed.is_some(), "{}: {property} = {value}", line.text);
        }
    }
}

#[test]
fn questions_have_answers_or_say_why_not() {
    for corpus in corpora() {
        let questions: Vec<Question> = lines(&corpus.join("questions.jsonl"));
        assert!(questions.len() >= 20, "{}", corpus.display());
        let mut ids: Vec<_> = questions.iter().map(|question| &question.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), questions.len(), "{}", corpus.display());
        for question in &questions {
            let statuses = ["not_in_graph", "no_path", "ambiguous"];
            let is_known = question.status.as_deref().is_none_or(|status| statuses.contains(&status));
            assert!(is_known && question.answers.is_empty() == question.status.is_some(), "{}", question.id);
        }
    }
}
