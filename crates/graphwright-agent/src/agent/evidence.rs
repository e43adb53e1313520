//! The evidence in the results of tools.

use graphwright_answer::{AnswerEntity, AnswerPath, Citable};
use graphwright_retrieve::Passage;
use serde_json::Value;

use super::run::CallRecord;

/// Makes the evidence of the results of tools, in the order of their numbers.
pub(crate) fn evidence<'r>(
    earlier: &[String],
    records: impl Iterator<Item = &'r CallRecord>,
) -> Vec<Citable> {
    let before = earlier.iter().map(|text| Citable {
        text: text.clone(),
        failed: text.split_once("] ").map_or(text.as_str(), |(_, rest)| rest).starts_with("Error: "),
        ..Citable::default()
    });
    let now = records.map(|record| {
        let mut found = CollectedEvidence::default();
        record.structured.iter().for_each(|structured| found.collect(structured));
        Citable { text: record.text.clone(), paths: found.paths, failed: record.is_error }
    });
    before.chain(now).collect()
}

/// The evidence found in the structured results of tools, at whatever depth.
#[derive(Default)]
pub(crate) struct CollectedEvidence {
    pub(crate) entities: Vec<AnswerEntity>,
    pub(crate) paths: Vec<AnswerPath>,
    pub(crate) passages: Vec<Passage>,
}

impl CollectedEvidence {
    /// Collects the evidence in a value. What reads as a path or a passage is not searched further.
    pub(crate) fn collect(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Object(fields) => {
                if let Ok(path) = serde_json::from_value::<AnswerPath>(value.clone()) {
                    push_new(&mut self.paths, path);
                } else if let Ok(passage) = serde_json::from_value::<Passage>(value.clone()) {
                    push_new(&mut self.passages, passage);
                } else {
                    let known =
                        |entity: &AnswerEntity| self.entities.iter().any(|known| known.id == entity.id);
                    self.entities.extend(entity(value).filter(|entity| !known(entity)));
                    fields.values().for_each(|field| self.collect(field));
                }
            }
            _ => {}
        }
    }
}

impl CollectedEvidence {
    /// Adds an entity, if it is not there yet.
    pub(crate) fn add_entity(&mut self, id: &str, name: &str, kind: &str) {
        if !self.entities.iter().any(|known| known.id == id) {
            let (id, name, kind) = (id.to_owned(), name.to_owned(), kind.to_owned());
            self.entities.push(AnswerEntity { id, name, kind, score: 1.0 });
        }
    }
}

/// Reads a value that has an identifier, a name and a type as an entity.
fn entity(value: &Value) -> Option<AnswerEntity> {
    let text = |field: &str| Some(value.get(field)?.as_str()?.to_owned());
    let score = value.get("score").and_then(Value::as_f64).unwrap_or(1.0);
    Some(AnswerEntity { id: text("id")?, name: text("name")?, kind: text("type")?, score })
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
