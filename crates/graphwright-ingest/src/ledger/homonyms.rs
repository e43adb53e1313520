//! Entities that may be two: documents that give one name, and contradict each other in all that both tell of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use graphwright_core::{NodeKey, Value};
use graphwright_english::names::name_key;
use graphwright_ontology::{DataType, NodeType, Ontology, PropertyType};
use serde_json::Value as Json;

use super::Ledger;
use crate::report::{Difference, Homonym};

/// The fewest properties of which two documents tell. One value alone may have changed, or be a slip.
const LEAST_PROPERTIES: usize = 2;

/// What a document says of an entity: the properties of which it gives one value.
type Told<'a> = BTreeMap<&'a str, &'a Value>;

impl Ledger {
    /// Returns the entities that may be two, by type and name.
    pub(crate) fn homonyms(&self) -> Vec<Homonym> {
        let mut found: Vec<Homonym> =
            self.by_entity.keys().filter_map(|entity| self.homonym(entity)).collect();
        found.sort_by(|one, other| (&one.label, &one.name).cmp(&(&other.label, &other.name)));
        found
    }

    /// Returns how an entity may be two, with the two documents that contradict each other.
    ///
    /// Each document is compared with the one that tells most. What holds lists has several values anyway.
    pub(super) fn homonym(&self, entity: &NodeKey) -> Option<Homonym> {
        let documents = self.by_entity.get(entity).filter(|documents| documents.len() > 1)?;
        let single = self.single_valued.get(&entity.label)?;
        let mut told: Vec<(&str, Told<'_>)> = Vec::new();
        for (document, original) in documents {
            let claims = self.claims.get(document)?.entities.get(original)?;
            told.push((document, single_values(&claims.properties, single)));
        }
        // The first of several that tell as much.
        let most = told.iter().rev().max_by_key(|(_, told)| told.len())?.clone();
        let (other, properties) = told.iter().find_map(|(document, told)| {
            let differences = differences(&most.1, told)?;
            (*document != most.0).then_some((*document, differences))
        })?;
        let (label, name) = (entity.label.clone(), self.name_of(entity));
        Some(Homonym { label, name, documents: [most.0.to_owned(), other.to_owned()], properties })
    }
}

/// Returns the properties of each type that have one value.
pub(super) fn single_valued(ontology: &Ontology) -> HashMap<String, BTreeSet<String>> {
    let is_single = |property: &PropertyType| !matches!(property.kind, DataType::List(_));
    let of_type = |node: &NodeType| {
        node.properties.iter().filter(|(_, own)| is_single(own)).map(|(name, _)| name.clone()).collect()
    };
    ontology.nodes.iter().map(|(label, node)| (label.clone(), of_type(node))).collect()
}

fn single_values<'a>(claims: &'a [super::PropertyClaim], single: &BTreeSet<String>) -> Told<'a> {
    let mut values: BTreeMap<&str, Option<&Value>> = BTreeMap::new();
    for claim in claims.iter().filter(|claim| single.contains(&claim.name)) {
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
