//! Turns CSV rows into nodes and relationships.

use std::path::Path;

use graphwright_core::{Properties, Value, names};

use super::{
    super::{
        CsvFiles, CsvFormat, ProblemKind,
        files::{empty, open},
        item::{Item, NodeItem, Place, Reference, RelationshipItem, Sink, file_name},
    },
    Header, Role, Row, Rows,
    header::Column,
    value::BaseType,
};
use crate::Result;

/// Reads the nodes of files that together form one table.
pub(in super::super) fn read_nodes(files: &CsvFiles, format: CsvFormat, sink: &mut dyn Sink) -> Result<()> {
    for_each_row(files, format, sink, |header, place, row, sink| {
        let Some(Cells { properties, vectors, .. }) = cells(header, row, format, place, sink)? else {
            return Ok(());
        };
        let id_column = header.find(|role| matches!(role, Role::Id(_)));
        let mut labels = labels(files, header, row, format);
        let mut id = format!("{}:{}", place.file, row.line);
        let mut reference = None;
        if let Some((column, index)) = id_column.and_then(|index| Some((header.columns.get(index)?, index)))
            && let Role::Id(space) = &column.role
        {
            let Some(value) = row.get(index) else {
                let hint = "give each node an identifier, or leave out the :ID column";
                return sink.problem(place.problem(
                    ProblemKind::MissingId,
                    "the row has no identifier",
                    hint,
                ));
            };
            let named = Reference { space: space.clone(), id: value.to_owned() };
            id = if column.name == names::ID {
                value.to_owned()
            } else {
                super::super::registry::own_id(&named)
            };
            reference = Some(named);
            labels.extend(column.label.clone());
        }
        if labels.is_empty() && header.find(|role| *role == Role::Label).is_none() {
            // A file that is named for the label of its nodes needs no `:LABEL` column.
            labels = vec![files.name_of_file()];
        }
        let node = NodeItem { reference, id, labels, properties, vectors, merge: false };
        sink.item(place, Item::Node(node))
    })
}

/// Reads the relationships of files that together form one table.
pub(in super::super) fn read_relationships(
    files: &CsvFiles,
    format: CsvFormat,
    sink: &mut dyn Sink,
) -> Result<()> {
    for_each_row(files, format, sink, |header, place, row, sink| {
        let from = end(header, row, |role| match role {
            Role::StartId(space) => Some(space),
            _ => None,
        });
        let to = end(header, row, |role| match role {
            Role::EndId(space) => Some(space),
            _ => None,
        });
        let (Some(from), Some(to)) = (from, to) else {
            let hint = "the header needs :START_ID and :END_ID, and each row a value for both";
            let message = "the relationship lacks an end";
            return sink.problem(place.problem(ProblemKind::DanglingRelationship, message, hint));
        };
        let Some(Cells { properties, id, .. }) = cells(header, row, format, place, sink)? else {
            return Ok(());
        };
        let type_column = header.find(|role| *role == Role::Type);
        let kind = type_column.and_then(|column| row.get(column)).map(str::to_owned);
        let kind = kind.or_else(|| files.names.first().cloned()).unwrap_or_else(|| files.name_of_file());
        let id = id.unwrap_or_else(|| format!("{}:{}", place.file, row.line));
        let relationship = RelationshipItem { kind, from, to, id, properties, optional: false };
        sink.item(place, Item::Relationship(relationship))
    })
}

type OnRow<'f> = dyn FnMut(&Header, &Place<'_>, &Row, &mut dyn Sink) -> Result<()> + 'f;

fn for_each_row(
    files: &CsvFiles,
    format: CsvFormat,
    sink: &mut dyn Sink,
    mut on_row: impl FnMut(&Header, &Place<'_>, &Row, &mut dyn Sink) -> Result<()>,
) -> Result<()> {
    let mut header = None;
    for path in &files.paths {
        read_file(path, format, &mut header, sink, &mut on_row)?;
    }
    if header.is_none() {
        return Err(empty(&files.paths.first().map(|path| file_name(path)).unwrap_or_default()).into());
    }
    Ok(())
}

fn read_file(
    path: &Path,
    format: CsvFormat,
    header: &mut Option<Header>,
    sink: &mut dyn Sink,
    on_row: &mut OnRow<'_>,
) -> Result<()> {
    let file = file_name(path);
    let mut rows = Rows::new(open(path)?, format, &file);
    while let Some(row) = rows.next_row()? {
        // Only the first file of a table has a header; `neo4j-admin` splits large tables that way.
        let Some(header) = header.as_ref() else {
            *header = Some(Header::parse(&row, &file)?);
            continue;
        };
        let place = Place { file: &file, line: row.line };
        if row.len() != header.columns.len() {
            let message = format!("the row has {} columns, the header {}", row.len(), header.columns.len());
            let hint = "check the delimiter, and quote values that contain it";
            sink.problem(place.problem(ProblemKind::Columns, message, hint))?;
            continue;
        }
        on_row(header, &place, &row, sink)?;
    }
    Ok(())
}

/// Values of a row's property columns.
struct Cells {
    properties: Properties,
    vectors: Vec<(String, Vec<f32>)>,
    /// Identifier of a relationship, if a column gives one.
    id: Option<String>,
}

/// Reads the property columns of a row.
///
/// Returns `None` if a value is not of its column's type; the sink is told which.
fn cells(
    header: &Header,
    row: &Row,
    format: CsvFormat,
    place: &Place<'_>,
    sink: &mut dyn Sink,
) -> Result<Option<Cells>> {
    let mut found = Cells { properties: Properties::new(), vectors: Vec::new(), id: None };
    for (index, column) in header.columns.iter().enumerate() {
        let is_property = matches!(column.role, Role::Property | Role::Id(_)) && !column.name.is_empty();
        let Some(text) = row.get(index).filter(|_| is_property) else { continue };
        if column.name == names::ID {
            found.id = Some(text.to_owned());
            continue;
        }
        match column.kind.read(text, format.array_delimiter) {
            Ok(Value::List(items)) if column.kind.base == BaseType::Vector => {
                let values = items.iter().filter_map(Value::as_float).map(|number| number as f32).collect();
                found.vectors.push((column.name.clone(), values));
            }
            Ok(value) => {
                found.properties.insert(column.name.clone(), value);
            }
            Err(expected) => {
                sink.problem(bad_value(place, column, text, expected))?;
                return Ok(None);
            }
        }
    }
    Ok(Some(found))
}

fn bad_value(place: &Place<'_>, column: &Column, text: &str, expected: &str) -> super::super::InputProblem {
    let shown: String = text.chars().take(40).collect();
    let hint = format!("correct the value, or the type of the column `{}`", column.heading);
    let mut problem = place.problem(ProblemKind::BadValue, format!("`{shown}` is not {expected}"), hint);
    problem.column = Some(format!("`{}`", column.heading));
    problem
}

fn labels(files: &CsvFiles, header: &Header, row: &Row, format: CsvFormat) -> Vec<String> {
    let mut labels = files.names.clone();
    let cell =
        header.find(|role| *role == Role::Label).and_then(|column| row.get(column)).unwrap_or_default();
    for label in cell.split(format.array_delimiter).map(str::trim).filter(|label| !label.is_empty()) {
        if labels.iter().all(|known| known != label) {
            labels.push(label.to_owned());
        }
    }
    labels
}

fn end<'h>(
    header: &'h Header,
    row: &Row,
    space: impl Fn(&'h Role) -> Option<&'h String>,
) -> Option<Reference> {
    header.columns.iter().enumerate().find_map(|(index, column)| {
        let space = space(&column.role)?;
        Some(Reference { space: space.clone(), id: row.get(index)?.to_owned() })
    })
}
