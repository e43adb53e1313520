//! Types of the things that tables list.

use std::collections::BTreeSet;

use graphwright_core::document::TextFormat;
use graphwright_documents::{
    ParsedDocument,
    blocks::{Block, text::BlockText},
};
use graphwright_english::{inflection::singular, names::name_key as normalise};
use graphwright_ontology::{DataType, Ontology, PropertyType, RelationshipType};

use super::{
    names::Name,
    node_type,
    text::Text,
    types::{in_words, is_noun_phrase, label},
};

/// A table: a header and rows of as many cells.
#[derive(Debug)]
pub(super) struct Table {
    /// What its file is called, in the singular.
    subject: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Whether the document is this table; tables inside texts are laid out for readers and often hold phrases.
    is_document: bool,
}

/// A type that a table lists.
#[derive(Debug)]
pub(super) struct RecordType {
    label: String,
    names: BTreeSet<String>,
    properties: Vec<(String, PropertyType)>,
    /// Other columns that hold names: heading and values.
    links: Vec<(String, BTreeSet<String>)>,
    /// Whether it is of a file of records.
    is_document: bool,
}

/// A name has at most so many letters and words; longer cells are texts.
const LONGEST_NAME: usize = 40;
/// A property with at most so many values, each of them three times on average, is an enumeration.
const LONGEST_ENUM: usize = 10;

/// The tables of a document: the document itself when it holds records, else the tables in its text.
pub(super) fn tables_of(document: &ParsedDocument, text: &Text) -> Vec<Table> {
    let stem = document.source.rsplit('/').next().unwrap_or_default();
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let subject = singular(&stem.to_lowercase()).into_owned();
    let is_document = !matches!(document.format, TextFormat::Markdown | TextFormat::Plain);
    let table = |header, rows| Table { subject: subject.clone(), header, rows, is_document };
    match document.format {
        TextFormat::Csv => {
            read_rows(document.blocks()).map(|(header, rows)| table(header, rows)).into_iter().collect()
        }
        TextFormat::Json | TextFormat::JsonLines => {
            read_json(&document.text).map(|(header, rows)| table(header, rows)).into_iter().collect()
        }
        TextFormat::Markdown | TextFormat::Plain => {
            let split = |rows: &Vec<Vec<String>>| {
                let (header, rows) = rows.split_first()?;
                let whole = rows.iter().filter(|row| row.len() == header.len()).cloned().collect();
                Some(table(header.clone(), whole))
            };
            text.tables.iter().filter_map(split).collect()
        }
    }
}

/// The rows that are as long as the header.
fn read_rows(blocks: &[Block]) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let table = blocks.iter().find_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    })?;
    let cells = |cells: &[BlockText]| cells.iter().map(|cell| cell.trimmed().to_owned()).collect();
    let rows = table.rows.iter().filter(|row| row.cells.len() == table.header.len());
    Some((cells(&table.header), rows.map(|row| cells(&row.cells)).collect()))
}

/// Maps of a list, or of lines, with simple values; the keys are the header.
fn read_json(text: &str) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let values: Vec<serde_json::Value> = match serde_json::from_str(text) {
        Ok(serde_json::Value::Array(items)) => items,
        Ok(_) => return None,
        Err(_) => text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
    };
    let maps: Vec<_> = values.iter().filter_map(serde_json::Value::as_object).collect();
    let mut header: Vec<String> = Vec::new();
    for key in maps.iter().flat_map(|map| map.keys()) {
        if !header.contains(key) {
            header.push(key.clone());
        }
    }
    let cell = |value: Option<&serde_json::Value>| match value {
        Some(serde_json::Value::String(text)) => text.trim().to_owned(),
        Some(serde_json::Value::Number(number)) => number.to_string(),
        Some(serde_json::Value::Bool(truth)) => truth.to_string(),
        _ => String::new(),
    };
    let rows = maps.iter().map(|map| header.iter().map(|key| cell(map.get(key))).collect()).collect();
    Some((header, rows))
}

/// The types that tables list. The first column whose cells are different names is what the rows are about. Of a table
/// inside a text at least half of these must be names that the texts use, as in the other columns that hold names.
pub(super) fn types_of(tables: &[Table], names: &[Name]) -> Vec<RecordType> {
    let names: BTreeSet<String> = names.iter().map(|name| normalise(&name.text)).collect();
    tables.iter().filter_map(|table| type_of(table, &names)).collect()
}

fn type_of(table: &Table, names: &BTreeSet<String>) -> Option<RecordType> {
    if table.rows.len() < 2 || table.header.len() < 2 {
        return None;
    }
    let known = |cells: &[&str]| {
        table.is_document
            || cells.iter().filter(|cell| names.contains(&normalise(&without_bracket(cell)))).count() * 2
                >= cells.len()
    };
    let column = |index: usize| -> Vec<&str> {
        table
            .rows
            .iter()
            .filter_map(|row| row.get(index))
            .map(String::as_str)
            .filter(|cell| !cell.is_empty())
            .collect()
    };
    let key = (0..table.header.len()).find(|&index| {
        let cells = column(index);
        let different: BTreeSet<&str> = cells.iter().copied().collect();
        cells.len() == table.rows.len()
            && different.len() == cells.len()
            && cells.iter().all(|cell| is_name(cell))
            && known(&cells)
    })?;
    let heading = &table.header[key];
    // A column called "name" or "id" names what the table is about.
    let general = matches!(heading.to_lowercase().as_str(), "name" | "id" | "title" | "key" | "");
    let label = if general { label(&table.subject) } else { type_label(heading, names) };
    let sentence = heading.split_whitespace().count() > 3;
    let phrase = general || table.is_document || is_noun_phrase(heading);
    if label.is_empty() || !label.starts_with(char::is_alphabetic) || sentence || !phrase {
        return None;
    }
    let mut record_type = RecordType {
        label,
        names: column(key).into_iter().map(without_bracket).collect(),
        properties: Vec::new(),
        links: Vec::new(),
        is_document: table.is_document,
    };
    for index in (0..table.header.len()).filter(|&index| index != key) {
        let cells = column(index);
        if cells.is_empty() || table.header[index].trim().is_empty() {
            continue;
        }
        let kind = data_type(&cells);
        let different: BTreeSet<String> = cells.iter().map(|&cell| without_bracket(cell)).collect();
        let names = kind == DataType::String && cells.iter().all(|cell| is_name(cell));
        let proper = cells
            .iter()
            .filter(|cell| cell.contains(char::is_uppercase) || cell.contains(['-', '_']))
            .count();
        let heading = &table.header[index];
        let noun = heading.split_whitespace().count() <= 3 && (table.is_document || is_noun_phrase(heading));
        if names && proper * 2 > cells.len() && noun && known(&cells) {
            record_type.links.push((table.header[index].clone(), different));
        } else {
            let few = different.len() <= LONGEST_ENUM && different.len() * 3 <= cells.len() && names;
            let values = if few { different.into_iter().map(Into::into).collect() } else { Vec::new() };
            let property = PropertyType { kind, values, ..PropertyType::default() };
            record_type.properties.push((property_name(&table.header[index]), property));
        }
    }
    Some(record_type)
}

/// The type that a heading of a column says, without the names and participles before the noun: `Supported Kestrel
/// service` is a service.
fn type_label(heading: &str, names: &BTreeSet<String>) -> String {
    let words: Vec<&str> = heading.split_whitespace().collect();
    let describes = |word: &str| {
        names.contains(&normalise(word))
            || ["ed", "ing", "ant"].iter().any(|ending| word.to_lowercase().ends_with(ending))
    };
    let start =
        (0..words.len()).find(|&at| at + 1 == words.len() || !describes(words[at])).unwrap_or_default();
    label(&singular(&words[start..].join(" ").to_lowercase()))
}

/// `Tidal Gauge Network (TGN)` without the abbreviation.
fn without_bracket(cell: &str) -> String {
    let long = cell.strip_suffix(')').and_then(|cell| cell.rsplit_once(" (")).map(|(long, _)| long);
    long.unwrap_or(cell).to_owned()
}

impl RecordType {
    /// The types that more records may give more names: those of files.
    pub(super) fn open_labels(&self) -> impl Iterator<Item = String> {
        let labels = std::iter::once(self.label.clone())
            .chain(self.links.iter().map(|(heading, _)| label(&singular(&heading.to_lowercase()))));
        labels.filter(|_| self.is_document)
    }

    pub(super) fn add_to(&self, ontology: &mut Ontology) {
        add_names(ontology, &self.label, &self.names);
        let node = node_type(ontology, &self.label);
        for (name, property) in &self.properties {
            node.properties.entry(name.clone()).or_insert_with(|| property.clone());
        }
        for (heading, names) in &self.links {
            let target = label(&singular(&heading.to_lowercase()));
            if target.is_empty() || target == self.label {
                continue;
            }
            add_names(ontology, &target, names);
            let words = in_words(&target);
            let kind = format!("HAS_{}", words.replace(' ', "_").to_uppercase());
            let relationship = ontology.relationships.entry(kind).or_insert_with(|| RelationshipType {
                description: format!("A table names this {words} beside it."),
                ..RelationshipType::default()
            });
            // The heading of the column says that the cell is meant.
            let found = [
                (&mut relationship.from, &self.label),
                (&mut relationship.to, &target),
                (&mut relationship.synonyms, &words),
            ];
            for (list, word) in found {
                if !list.contains(word) {
                    list.push(word.clone());
                }
            }
        }
    }
}

/// Adds names to a type; a name that has a type already keeps it.
fn add_names(ontology: &mut Ontology, label: &str, names: &BTreeSet<String>) {
    let taken: BTreeSet<String> =
        ontology.nodes.values().flat_map(|node| node.aliases.keys()).map(|name| normalise(name)).collect();
    let node = node_type(ontology, label);
    for name in names.iter().filter(|name| !taken.contains(&normalise(name))) {
        node.aliases.entry(name.clone()).or_default();
    }
}

fn is_name(cell: &str) -> bool {
    let short = cell.chars().count() <= LONGEST_NAME && cell.split_whitespace().count() <= 5;
    let letters = cell.starts_with(|character: char| character.is_alphabetic() || character == '.');
    short
        && letters
        && !cell.ends_with('.')
        && !cell.contains([',', ';', ':'])
        && DataType::Date.parse_value(cell).is_none()
}

/// The narrowest type that all cells have.
fn data_type(cells: &[&str]) -> DataType {
    let candidates =
        [DataType::Integer, DataType::Float, DataType::Boolean, DataType::Date, DataType::DateTime];
    let fits = |kind: &DataType| cells.iter().all(|cell| kind.parse_value(cell).is_some());
    candidates.into_iter().find(fits).unwrap_or(DataType::String)
}

/// A heading as a property: lower case with underscores.
fn property_name(heading: &str) -> String {
    let plain = heading.trim().to_lowercase();
    let plain: String =
        plain.chars().map(|character| if character.is_alphanumeric() { character } else { '_' }).collect();
    let parts: Vec<&str> = plain.split('_').filter(|part| !part.is_empty()).collect();
    let name = parts.join("_");
    if matches!(name.as_str(), "aliases" | "embedding" | "name") { format!("{name}_value") } else { name }
}
