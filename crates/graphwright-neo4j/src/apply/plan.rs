//! Plans changes as statements with rows.

use std::collections::{HashMap, HashSet};

use graphwright_core::{
    NodeKey, Properties, RelationshipKey, Result, Value, names,
    store::{Change, ChangeSet, OnExisting},
};
use neo4j::ValueSend;

use super::{BATCH_BYTES, statements};
use crate::values::{self, Parameters};

/// Bytes of an element identifier, roughly: a version, the database and a number.
const ELEMENT_ID_BYTES: usize = 48;

/// The size of a message that the driver sends as one packet (its buffer has 8 KiB), with room for the statement.
///
/// The driver leaves Nagle's algorithm on (RFC 896): the last packet of a longer message waits until the server has
/// acknowledged the first, which takes it some 40 ms (RFC 1122, section 4.2.3.2).
const PACKET_BYTES: usize = 7 << 10;

/// The size of rows of which several short messages take less time than that wait, also where the server is far.
const FEW_BYTES: usize = 32 << 10;

/// A statement with all its rows.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) text: String,
    pub(super) condition: Condition,
    pub(super) batches: Vec<Vec<Row>>,
}

/// The fields of a row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) fields: Parameters,
    /// The nodes between which a relationship is. Fields for their element identifiers are added once those are known.
    pub(super) ends: Option<[NodeKey; 2]>,
}

/// A condition that must hold for a statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Condition {
    None,
    /// Both ends of each row exist.
    Ends,
    /// Rows without both ends are left out.
    EndsOrNothing,
    /// The nodes that are written may be the ends of later rows; the statement returns their element identifiers.
    Returns {
        label: String,
    },
    /// The elements of each row are gone afterwards.
    Deletes,
    /// The node of each row exists, and the vectors that others have are of this length.
    Vectors {
        label: String,
        property: String,
        dimensions: usize,
    },
}

/// Returns the statements for changes, in order.
pub(super) fn steps(changes: ChangeSet) -> Result<Vec<Step>> {
    let mut plan = Plan::default();
    for run in changes.into_runs() {
        for change in run {
            plan.add(change)?;
        }
        plan.flush();
    }
    Ok(plan.steps)
}

/// A plan under construction.
///
/// It collects changes of one kind, of which each names another element, so that their order does
/// not count.
#[derive(Default)]
struct Plan {
    steps: Vec<Step>,
    seen: HashSet<Element>,
    open: Vec<Open>,
    places: HashMap<(String, Condition), usize>,
}

struct Open {
    text: String,
    condition: Condition,
    rows: Vec<Row>,
}

#[derive(PartialEq, Eq, Hash)]
enum Element {
    Node(NodeKey),
    Relationship(RelationshipKey),
}

impl Plan {
    fn add(&mut self, change: Change) -> Result<()> {
        let element = match &change {
            Change::UpsertNode { key, .. } | Change::SetVector { key, .. } | Change::DeleteNode { key } => {
                Element::Node(key.clone())
            }
            Change::UpsertRelationship { key, .. } | Change::DeleteRelationship { key } => {
                Element::Relationship(key.clone())
            }
        };
        // Two vectors of one node may be under two names.
        if !matches!(change, Change::SetVector { .. }) && !self.seen.insert(element) {
            // The later change of an element must see the earlier one.
            self.flush();
        }
        let (text, condition, row) = statement(change)?;
        let next = self.open.len();
        let place = *self.places.entry((text, condition)).or_insert_with_key(|(text, condition)| {
            self.open.push(Open { text: text.clone(), condition: condition.clone(), rows: Vec::new() });
            next
        });
        if let Some(open) = self.open.get_mut(place) {
            open.rows.push(row);
        }
        Ok(())
    }

    fn flush(&mut self) {
        let open = std::mem::take(&mut self.open);
        self.steps.extend(open.into_iter().map(|open| Step {
            text: open.text,
            condition: open.condition,
            batches: batches(open.rows),
        }));
        self.places.clear();
        self.seen.clear();
    }
}

/// Splits rows by the bytes that they take.
fn batches(rows: Vec<Row>) -> Vec<Vec<Row>> {
    let size = |row: &Row| row.fields.values().map(values::wire_size).sum::<usize>() + 2 * ELEMENT_ID_BYTES;
    let most = if rows.iter().map(size).sum::<usize>() <= FEW_BYTES { PACKET_BYTES } else { BATCH_BYTES };
    let mut batches = Vec::new();
    let (mut batch, mut bytes) = (Vec::new(), 0);
    for row in rows {
        let size = size(&row);
        if bytes + size > most && !batch.is_empty() {
            batches.push(std::mem::take(&mut batch));
            bytes = 0;
        }
        bytes += size;
        batch.push(row);
    }
    if !batch.is_empty() {
        batches.push(batch);
    }
    batches
}

/// Returns the text for a change, what must hold, and its row.
fn statement(change: Change) -> Result<(String, Condition, Row)> {
    let plain = |fields: Parameters| Row { fields, ends: None };
    Ok(match change {
        Change::UpsertNode { key, labels, properties, on_existing } => {
            let text = statements::upsert_node(&key.label, &labels, on_existing)?;
            let properties = given(properties, &key.id, on_existing)?;
            // A statement for nodes without labels cannot return them.
            let condition =
                if key.label.is_empty() { Condition::None } else { Condition::Returns { label: key.label } };
            (text, condition, plain(row([("id", key.id.into()), ("properties", properties)])))
        }
        Change::UpsertRelationship { key, properties, on_existing } => {
            let text = statements::upsert_relationship(&key, on_existing)?;
            let properties = given(properties, &key.id, on_existing)?;
            let mut row = link(key);
            row.fields.insert("properties".to_owned(), properties);
            (text, Condition::Ends, row)
        }
        Change::SetVector { key, property, vector } => {
            let text = statements::set_vector(&key.label)?;
            let dimensions = vector.len();
            let vector = vector.into_iter().map(|component| f64::from(component).into()).collect();
            let row = row([
                ("id", key.id.into()),
                ("property", property.clone().into()),
                ("vector", ValueSend::List(vector)),
            ]);
            (text, Condition::Vectors { label: key.label, property, dimensions }, plain(row))
        }
        Change::DeleteNode { key } => {
            let text = statements::delete_node(&key.label)?;
            (text, Condition::Deletes, plain(row([("id", key.id.into())])))
        }
        Change::DeleteRelationship { key } => {
            (statements::delete_relationship(&key)?, Condition::EndsOrNothing, link(key))
        }
    })
}

/// Returns the properties to set: all of them, or those that change.
fn given(mut properties: Properties, id: &str, on_existing: OnExisting) -> Result<ValueSend> {
    match on_existing {
        OnExisting::Replace => properties.insert(names::ID.to_owned(), Value::from(id)),
        // The pattern of `MERGE` sets it already.
        OnExisting::Merge => properties.remove(names::ID),
    };
    Ok(ValueSend::Map(values::map_to_driver(properties)?))
}

/// Returns the row of a relationship.
fn link(key: RelationshipKey) -> Row {
    Row { fields: row([("id", key.id.into())]), ends: Some([key.from, key.to]) }
}

fn row<const N: usize>(entries: [(&str, ValueSend); N]) -> Parameters {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(id: &str) -> NodeKey {
        NodeKey::new("Person", id)
    }

    fn texts(changes: ChangeSet) -> Vec<(String, usize)> {
        let rows = |step: &Step| step.batches.iter().map(Vec::len).sum();
        steps(changes).unwrap().iter().map(|step| (step.text.clone(), rows(step))).collect()
    }

    #[test]
    fn changes_of_one_form_go_together() {
        let mut changes = ChangeSet::new();
        for id in ["a", "b", "c"] {
            changes.upsert_node(person(id), &["__Entity__"], Properties::new());
        }
        changes.upsert_node(NodeKey::new("Company", "x"), &[], Properties::new());
        let texts = texts(changes);
        assert_eq!(
            texts,
            [
                (
                    "UNWIND $rows AS row MERGE (n:Person {__id__: row.id}) SET n:__Entity__ SET n += row.properties \
                     RETURN collect([row.id, elementId(n)])"
                        .to_owned(),
                    3
                ),
                (
                    "UNWIND $rows AS row MERGE (n:Company {__id__: row.id}) SET n += row.properties \
                     RETURN collect([row.id, elementId(n)])"
                        .to_owned(),
                    1
                ),
            ]
        );
    }

    #[test]
    fn relationships_of_a_type_go_together_whatever_they_connect() {
        let mut changes = ChangeSet::new();
        for (kind, to) in
            [("KNOWS", person("b")), ("LIKES", person("b")), ("KNOWS", NodeKey::new("Company", "x"))]
        {
            let key = RelationshipKey { kind: kind.to_owned(), from: person("a"), to, id: kind.to_owned() };
            changes.upsert_relationship(key, Properties::new());
        }
        let rows: Vec<_> = texts(changes).into_iter().map(|(_, rows)| rows).collect();
        assert_eq!(rows, [2, 1]);
    }

    #[test]
    fn an_element_named_twice_is_written_twice_in_order() {
        let mut changes = ChangeSet::new();
        changes.upsert_node(person("a"), &[], Properties::new());
        changes.upsert_node(person("a"), &["B"], Properties::new());
        changes.upsert_node(person("a"), &[], Properties::new());
        changes.push(Change::DeleteNode { key: person("a") });
        changes.upsert_node(person("a"), &[], Properties::new());
        let rows: Vec<_> = texts(changes).into_iter().map(|(_, rows)| rows).collect();
        assert_eq!(rows, [1, 1, 1, 1, 1]);
    }

    #[test]
    fn batches_are_cut_by_bytes() {
        let row = |bytes: usize| Row { fields: row([("id", "x".repeat(bytes).into())]), ends: None };
        let sizes = |rows| batches(rows).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(vec![row(600_000), row(600_000), row(10), row(2_000_000), row(10)]), [1, 2, 1, 1]);
        assert_eq!(sizes((0..1000).map(|_| row(10)).collect()), [1000]);
        assert_eq!(sizes(vec![row(5_000), row(5_000), row(100)]), [1, 2]);
        assert_eq!(sizes(Vec::new()), Vec::<usize>::new());
    }

    #[test]
    fn vectors_go_together_by_property_and_length() {
        let set = |id, property: &str, length| Change::SetVector {
            key: person(id),
            property: property.to_owned(),
            vector: vec![0.0; length],
        };
        let changes = [set("a", "x", 2), set("a", "y", 3), set("b", "x", 2), set("c", "x", 3)];
        let rows: Vec<_> =
            texts(ChangeSet { changes: changes.into() }).into_iter().map(|(_, rows)| rows).collect();
        assert_eq!(rows, [2, 1, 1]);
    }
}
