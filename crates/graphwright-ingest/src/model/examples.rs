//! Examples of requests and replies: those of the ontology's author, else two that are made from the ontology.

use std::fmt::Write;

use graphwright_ontology::{Ontology, example::Example};
use serde_json::{Value, json};

/// Names that belong to nothing in particular.
const NAMES: [&str; 4] = ["Alder", "Birch", "Cedar", "Dogwood"];

/// Returns the examples, each as numbered sentences and the reply.
pub(super) fn of(ontology: &Ontology) -> Vec<(String, String)> {
    if !ontology.examples.is_empty() {
        return ontology
            .examples
            .iter()
            .map(|example| (sentence(1, &example.text), reply(example)))
            .collect();
    }
    made(ontology)
}

fn sentence(number: usize, text: &str) -> String {
    format!("[{number}] {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Writes the reply to an example of one line.
fn reply(example: &Example) -> String {
    let mut ids = Ids::default();
    for entity in &example.entities {
        let id = ids.entity(&entity.kind, &entity.name);
        for (name, value) in &entity.properties {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            ids.details.push(json!({"of": id, "name": name, "value": value, "in": [1]}));
        }
    }
    for fact in &example.facts {
        let id = |name: &str| {
            ids.entities.iter().find(|known| known["name"] == name).map(|known| known["id"].clone())
        };
        let (from, to) = (id(&fact.from), id(&fact.to));
        ids.fact(&from.unwrap_or_default(), &fact.kind, &to.unwrap_or_default(), 1);
    }
    ids.finish()
}

/// Makes two examples: a plain fact, and one with a pronoun, a word for the type and an end.
fn made(ontology: &Ontology) -> Vec<(String, String)> {
    let usable = ontology.relationships.iter().filter_map(|(kind, relationship)| {
        let end = |labels: &[String]| labels.first().or_else(|| ontology.nodes.keys().next()).cloned();
        let (from, to) = (end(&relationship.from)?, end(&relationship.to)?);
        let words = kind.to_lowercase().replace('_', " ");
        let phrase = relationship.cues.first().cloned().unwrap_or(words);
        Some((kind.as_str(), from, to, phrase))
    });
    let mut examples = Vec::new();
    for (index, (kind, from, to, phrase)) in usable.take(2).enumerate() {
        let [first, second] = [NAMES[2 * index], NAMES[2 * index + 1]];
        let mut ids = Ids::default();
        let (a, b) = (ids.entity(&from, first), ids.entity(&to, second));
        let mut text = String::new();
        if index == 0 {
            let _ = write!(text, "{}", sentence(1, &format!("{first} {phrase} {second}.")));
            ids.fact(&a, kind, &b, 1);
        } else {
            let type_words = words_of(&from);
            let _ = write!(
                text,
                "{}\n{}",
                sentence(1, &format!("Little is known of the {type_words} {first}.")),
                sentence(2, &format!("Until March 2019 it {phrase} {second}."))
            );
            let fact = ids.fact(&a, kind, &b, 2);
            for (name, value) in [("status", "ended"), ("valid_to", "2019-03-01")] {
                ids.details.push(json!({"of": fact, "name": name, "value": value, "in": [2]}));
            }
        }
        examples.push((text, ids.finish()));
    }
    examples
}

/// Returns the words of a label: `AuthService` is "auth service".
fn words_of(label: &str) -> String {
    let mut words = String::new();
    for letter in label.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// A reply under construction.
#[derive(Default)]
struct Ids {
    entities: Vec<Value>,
    facts: Vec<Value>,
    details: Vec<Value>,
}

impl Ids {
    fn entity(&mut self, kind: &str, name: &str) -> Value {
        let id = json!(format!("e{}", self.entities.len() + 1));
        self.entities.push(json!({"id": id, "type": kind, "name": name}));
        id
    }

    fn fact(&mut self, from: &Value, kind: &str, to: &Value, sentence: usize) -> Value {
        let id = json!(format!("f{}", self.facts.len() + 1));
        self.facts.push(json!({"id": id, "from": from, "type": kind, "to": to, "in": [sentence]}));
        id
    }

    fn finish(self) -> String {
        json!({"entities": self.entities, "facts": self.facts, "details": self.details}).to_string()
    }
}
