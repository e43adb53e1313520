//! Counts the changes of a run: each element once, by its state before and after the run.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use graphwright_core::{NodeKey, RelationshipKey, names};

use crate::{
    ledger::{Delta, Projection},
    report::{Count, IngestReport},
};

/// Hash of an element's content; `None` if it does not exist.
type Content = Option<u64>;

/// Elements before and after the run.
#[derive(Debug, Default)]
pub(super) struct Tally {
    nodes: HashMap<NodeKey, (Content, Content)>,
    facts: HashMap<RelationshipKey, (Content, Content)>,
}

impl Tally {
    /// Records a change that was written.
    pub(super) fn note(&mut self, delta: &Delta) {
        let node = |side: &Projection, key: &NodeKey| side.nodes.get(key).map(content);
        for key in delta.before.nodes.keys().chain(delta.after.nodes.keys()) {
            let before = || (node(&delta.before, key), None);
            // A node that changes twice keeps what it was before the run.
            self.nodes.entry(key.clone()).or_insert_with(before).1 = node(&delta.after, key);
        }
        let fact = |side: &Projection, key: &RelationshipKey| side.relationships.get(key).map(content);
        let all = delta.before.relationships.keys().chain(delta.after.relationships.keys());
        for key in all.filter(|key| !names::is_lexical(&key.kind)) {
            let before = || (fact(&delta.before, key), None);
            self.facts.entry(key.clone()).or_insert_with(before).1 = fact(&delta.after, key);
        }
    }

    /// Adds the counts to the report.
    ///
    /// `entities` and `facts` are their numbers before the run; those that were not touched are
    /// unchanged.
    pub(super) fn report(&self, entities: usize, facts: usize, report: &mut IngestReport) {
        for (key, (before, after)) in &self.nodes {
            let count = match key.label.as_str() {
                names::DOCUMENT => &mut report.documents,
                names::CHUNK => &mut report.chunks,
                names::INVALID => continue,
                _ => &mut report.entities,
            };
            add(count, *before, *after);
        }
        for (before, after) in self.facts.values() {
            add(&mut report.relationships, *before, *after);
        }
        let stayed =
            |before: usize, count: &Count| (before as u64).saturating_sub(count.changed + count.removed);
        report.entities.unchanged = stayed(entities, &report.entities);
        report.relationships.unchanged = stayed(facts, &report.relationships);
    }
}

fn add(count: &mut Count, before: Content, after: Content) {
    match (before, after) {
        (None, None) => {}
        (None, Some(_)) => count.added += 1,
        (Some(_), None) => count.removed += 1,
        (Some(before), Some(after)) if before == after => count.unchanged += 1,
        (Some(_), Some(_)) => count.changed += 1,
    }
}

fn content(element: &impl std::fmt::Debug) -> u64 {
    // By its debug form: values hold floats and have no hash.
    let mut hasher = DefaultHasher::new();
    format!("{element:?}").hash(&mut hasher);
    hasher.finish()
}
