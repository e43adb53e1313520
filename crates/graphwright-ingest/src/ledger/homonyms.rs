//! Entities that may be two: documents that give one name, and contradict each other in all that both tell of it.

use std::collections::BTreeMap;

use graphwright_core::Value;
use graphwright_english::names::name_key;
use graphwright_ontology::{DataType, Ontology};
use serde_json::Value as Json;

use super::Ledger;
use crate::report::{Difference, Homonym};

/// The fewest properties of which two documents tell. One value alone may have changed, or be a slip.
const LEAST_PROPERTIES: usize = 2;

/// What a document says of an entity: the properties of which it gives one value.
type Told<'a> = BTreeMap<&'a str, &'a Value>;

impl Ledger {
    /// Returns the entities that may be two, with the two documents that contradict each other, by type and name.
    ///
    /// Each document is compared with the one that tells most. What holds lists has several values anyway.
    pub(crate) fn homonyms(&self, ontology: &Ontology) -> Vec<Homonym> {
        let entities = self.by_entity.iter().filter(|(_, told)| told.len() > 1);
        let mut found: Vec<Homonym> = entities
            .filter_map(|(entity, documents)| {
                let mut told: Vec<(&str, Told<'_>)> = Vec::new();
                for (document, original) in documents {
                    let claims = self.claims.get(document)?.entities.get(original)?;
                    told.push((document, single_values(&claims.properties, &entity.label, ontology)));
                }
                // The first of several that tell as much.
                let most = told.iter().rev().max_by_key(|(_, told)| told.len())?.clone();
                let (other, properties) = told.iter().find_map(|(document, told)| {
                    let differences = differences(&most.1, told)?;
                    (*document != most.0).then_some((*document, differences))
                })?;
                let (label, name) = (entity.label.clone(), self.name_of(entity));
                Some(Homonym { label, name, documents: [most.0.to_owned(), other.to_owned()], properties })
            })
            .collect();
        found.sort_by(|one, other| (&one.label, &one.name).cmp(&(&other.label, &other.name)));
        found
    }
}

fn single_values<'a>(claims: &'a [super::PropertyClaim], label: &str, ontology: &Ontology) -> Told<'a> {
    let mut values: BTreeMap<&str, Option<&Value>> = BTreeMap::new();
    let types = ontology.nodes.get(label).map(|node| &node.properties);
    let is_single = |name: &str| {
        types
            .and_then(|types| types.get(name))
            .is_some_and(|property| !matches!(property.kind, DataType::List(_)))
    };
    for claim in claims.iter().filter(|claim| is_single(&claim.name)) {
        let known = values.entry(&claim.name).or_insert(Some(&claim.value));
        *known = known.filter(|known| is_same(known, &claim.value));
    }
    values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// Returns how two documents differ if they do so in all of which both tell.
fn differences(one: &Told<'_>, other: &Told<'_>) -> Option<Vec<Difference>> {
    let both: Vec<_> = one.iter().filter_map(|(name, value)| Some((name, value, other.get(name)?))).collect();
    if both.len() < LEAST_PROPERTIES || both.iter().any(|(_, one, other)| is_same(one, other)) {
        return None;
    }
    let difference = |(name, one, other): (&&str, &&Value, &&Value)| Difference {
        property: (*name).to_owned(),
        values: [shown(one), shown(other)],
    };
    Some(both.into_iter().map(difference).collect())
}

fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => name_key(one) == name_key(other),
        _ => one == other,
    }
}

/// A value as people write it: of a date, only the date.
fn shown(value: &Value) -> String {
    match serde_json::to_value(value).unwrap_or_default() {
        Json::String(text) => text,
        Json::Object(tagged) => tagged.values().rev().find_map(Json::as_str).unwrap_or_default().to_owned(),
        other => other.to_string(),
    }
}
