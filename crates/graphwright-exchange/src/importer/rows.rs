//! Turns rows of an archive's tables into nodes and relationships.

use std::io::{BufRead, BufReader};

use graphwright_core::Properties;

use super::{
    super::{
        CsvFormat, ProblemKind,
        csv::{Row, Rows},
        item::{Item, NodeItem, Place, Reference, RelationshipItem, Sink},
        registry::own_id,
    },
    Archive, entry, form,
    model::{Key, Mapped, NodeMapping, RelationshipMapping},
    unpack,
};
use crate::Result;

/// Identifier of every relationship. With one for all, equal type and ends mean one relationship.
const SINGLE: &str = "single";

pub(super) fn read_nodes(
    archive: &mut Archive,
    name: &str,
    mapping: &NodeMapping,
    ignored: &[String],
    sink: &mut dyn Sink,
) -> Result<()> {
    for_each_row(archive, name, &mapping.table, |table, place, row| {
        let key = table.reference(&mapping.key, row, ignored)?;
        let Some(reference) = key else {
            sink.note(place.problem(ProblemKind::MissingId, "the row has no key", ""));
            return Ok(());
        };
        let properties = table.properties(&mapping.properties, place, row, sink)?;
        let (id, labels) = (own_id(&reference), mapping.labels.clone());
        let reference = Some(reference);
        let node = NodeItem { reference, id, labels, properties, vectors: Vec::new(), merge: true };
        sink.item(place, Item::Node(node))
    })
}

pub(super) fn read_relationships(
    archive: &mut Archive,
    name: &str,
    mapping: &RelationshipMapping,
    ignored: &[String],
    sink: &mut dyn Sink,
) -> Result<()> {
    for_each_row(archive, name, &mapping.table, |table, place, row| {
        let from = table.reference(&mapping.from, row, ignored)?;
        let to = table.reference(&mapping.to, row, ignored)?;
        let (Some(from), Some(to)) = (from, to) else {
            let message = format!("the {} relationship lacks an end", mapping.kind);
            sink.note(place.problem(ProblemKind::DanglingRelationship, message, ""));
            return Ok(());
        };
        let properties = table.properties(&mapping.properties, place, row, sink)?;
        let (kind, id) = (mapping.kind.clone(), SINGLE.to_owned());
        let relationship = RelationshipItem { kind, from, to, id, properties, optional: true };
        sink.item(place, Item::Relationship(relationship))
    })
}

/// Header of a table.
struct Table<'a> {
    file: &'a str,
    archive: &'a str,
    fields: Vec<String>,
}

impl Table<'_> {
    fn value<'r>(&self, field: &str, row: &'r Row) -> Result<Option<&'r str>> {
        let Some(column) = self.fields.iter().position(|known| known == field) else {
            let message = format!("the model maps the column `{field}`, which `{}` does not have", self.file);
            return Err(form(self.archive, message).into());
        };
        Ok(row.get(column))
    }

    /// Returns the node that a row names, or `None` if it names none.
    fn reference(&self, key: &Key, row: &Row, ignored: &[String]) -> Result<Option<Reference>> {
        let text = self.value(&key.field, row)?.filter(|text| ignored.iter().all(|id| id != text));
        let Some(value) = text.and_then(|text| key.kind.read(text).ok()) else { return Ok(None) };
        let id =
            value.as_str().map_or_else(|| serde_json::to_string(&value).unwrap_or_default(), str::to_owned);
        Ok(Some(Reference { space: key.label.clone(), id }))
    }

    fn properties(
        &self,
        mapped: &[Mapped],
        place: &Place<'_>,
        row: &Row,
        sink: &mut dyn Sink,
    ) -> Result<Properties> {
        let mut properties = Properties::new();
        for Mapped { field, property, kind } in mapped {
            let Some(text) = self.value(field, row)? else { continue };
            match kind.read(text) {
                Ok(value) => {
                    properties.insert(property.clone(), value);
                }
                Err(expected) => {
                    let shown: String = text.chars().take(40).collect();
                    let message = format!("`{shown}` is not {expected}; the property is left out");
                    let mut problem = place.problem(ProblemKind::BadValue, message, "");
                    problem.column = Some(format!("`{field}`"));
                    sink.note(problem);
                }
            }
        }
        Ok(properties)
    }
}

fn for_each_row(
    archive: &mut Archive,
    name: &str,
    table: &str,
    mut on_row: impl FnMut(&Table<'_>, &Place<'_>, &Row) -> Result<()>,
) -> Result<()> {
    let entry = entry(archive, name, table)?;
    let file = unpack(archive, name, &entry)?;
    let mut rows = Rows::new(BufReader::new(file), CsvFormat::default(), table);
    let Some(header) = rows.next_row()? else { return Ok(()) };
    let fields = header.cells().iter().map(|cell| cell.text.clone()).collect();
    let table = Table { file: table, archive: name, fields };
    while let Some(row) = next(&mut rows)? {
        on_row(&table, &Place { file: table.file, line: row.line }, &row)?;
    }
    Ok(())
}

fn next<R: BufRead>(rows: &mut Rows<'_, R>) -> Result<Option<Row>> {
    rows.next_row()
}
