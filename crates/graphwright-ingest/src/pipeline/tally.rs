//! Counts the changes of a run: each element once, by its state before and after the run.

use std::{
    collections::{BTreeMap, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
};

use graphwright_core::{NodeKey, RelationshipKey, names};

use crate::{
    ledger::{Delta, Projection, Sizes},
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
    /// `before` has the numbers before the run; what was not touched is unchanged.
    pub(super) fn report(&self, before: &Sizes, report: &mut IngestReport) {
        for (key, (before, after)) in &self.nodes {
            let count = match key.label.as_str() {
                names::DOCUMENT => &mut report.documents,
                names::CHUNK => &mut report.chunks,
                names::INVALID => continue,
                label => report.entity_types.entry(label.to_owned()).or_default(),
            };
            add(count, *before, *after);
        }
        for (key, (before, after)) in &self.facts {
            add(report.relationship_types.entry(key.kind.clone()).or_default(), *before, *after);
        }
        report.entities = sum_up(&before.entities, &mut report.entity_types);
        report.relationships = sum_up(&before.facts, &mut report.relationship_types);
    }
}

/// Completes the counts of each type by what was not touched, and adds them up.
fn sum_up(before: &BTreeMap<String, u64>, types: &mut BTreeMap<String, Count>) -> Count {
    for (name, number) in before {
        let count = types.entry(name.clone()).or_default();
        count.unchanged = number.saturating_sub(count.changed + count.removed);
    }
    types.retain(|_, count| *count != Count::default());
    types.values().fold(Count::default(), |mut sum, count| {
        sum += *count;
        sum
    })
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
