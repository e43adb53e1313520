//! Types of the things that tables list.

use std::collections::BTreeSet;

use graphwright_core::text::without_bracket;
use graphwright_documents::ParsedDocument;
use graphwright_english::{inflection::singular, names::name_key as normalise};
use graphwright_ontology::{DataType, Ontology, PropertyType, RelationshipType};

use super::{
    names::Name,
    node_type,
    text::Text,
    types::{self, in_words, is_noun_phrase, label},
};

/// A table in a text, laid out for readers: a header and rows of as many cells.
#[derive(Debug)]
pub(super) struct Table {
    /// What its file is called, in the singular.
    subject: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A type that a table lists.
#[derive(Debug)]
pub(super) struct RecordType {
    pub(super) label: String,
    /// Other words for it, which its names end in.
    pub(super) synonyms: Vec<String>,
    pub(super) names: BTreeSet<String>,
    pub(super) properties: Vec<(String, PropertyType)>,
    pub(super) links: Vec<Link>,
    /// Whether it is of a file of records.
    pub(super) is_document: bool,
    /// The documents that are its records.
    pub(super) pages: Option<Pages>,
}

/// A column, or a list, that is a relationship.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// The type of what its cells name.
    pub(super) label: String,
    /// What the column is called, in words.
    pub(super) words: String,
    /// The relationship type; as the words say, if `None`.
    pub(super) kind: Option<String>,
    /// Names of a type that only this column gives.
    pub(super) names: BTreeSet<String>,
    /// The properties of the relationship.
    pub(super) properties: Vec<(String, PropertyType)>,
}

impl Link {
    pub(super) fn new(label: &str, words: &str) -> Self {
        Self {
            label: label.to_owned(),
            words: words.to_owned(),
            kind: None,
            names: BTreeSet::new(),
            properties: Vec::new(),
        }
    }
}

/// A name has at most so many letters and words; longer cells are texts.
const LONGEST_NAME: usize = 40;
/// A property with at most so many values, each of them three times on average, is an enumeration.
pub(super) const LONGEST_ENUM: usize = 10;

/// Documents that are records; with the pattern of their paths, where only they match one.
#[derive(Clone, Debug)]
pub(super) struct Pages(pub(super) Option<String>);

/// The tables in a text.
pub(super) fn tables_of(document: &ParsedDocument, text: &Text) -> Vec<Table> {
    let stem = document.source.rsplit('/').next().unwrap_or_default();
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let subject = singular(&stem.to_lowercase()).into_owned();
    let split = |rows: &Vec<Vec<String>>| {
        let (header, rows) = rows.split_first()?;
        let rows = rows.iter().filter(|row| row.len() == header.len()).cloned().collect();
        Some(Table { subject: subject.clone(), header: header.clone(), rows })
    };
    text.tables.iter().filter_map(split).collect()
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
        cells.iter().filter(|cell| names.contains(&normalise(without_bracket(cell)))).count() * 2
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
    let phrase = general || is_noun_phrase(heading);
    if label.is_empty() || !label.starts_with(char::is_alphabetic) || sentence || !phrase {
        return None;
    }
    let mut record_type = RecordType {
        label,
        synonyms: Vec::new(),
        names: column(key).into_iter().map(|cell| without_bracket(cell).to_owned()).collect(),
        properties: Vec::new(),
        links: Vec::new(),
        is_document: false,
        pages: None,
    };
    for index in (0..table.header.len()).filter(|&index| index != key) {
        let cells = column(index);
        if cells.is_empty() || table.header[index].trim().is_empty() {
            continue;
        }
        let kind = data_type(&cells);
        let different: BTreeSet<String> =
            cells.iter().map(|&cell| without_bracket(cell).to_owned()).collect();
        let names = kind == DataType::String && cells.iter().all(|cell| is_name(cell));
        let proper = cells
            .iter()
            .filter(|cell| cell.contains(char::is_uppercase) || cell.contains(['-', '_']))
            .count();
        let heading = &table.header[index];
        let noun = heading.split_whitespace().count() <= 3 && is_noun_phrase(heading);
        if names && proper * 2 > cells.len() && noun && known(&cells) {
            let target = types::label(&singular(&heading.to_lowercase()));
            let words = in_words(&target);
            if !target.is_empty() && target != record_type.label {
                record_type.links.push(Link { names: different, ..Link::new(&target, &words) });
            }
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

impl RecordType {
    /// The types that more records may give more names: those of files.
    pub(super) fn open_labels(&self) -> impl Iterator<Item = String> {
        let labels = std::iter::once(&self.label).chain(self.links.iter().map(|link| &link.label));
        labels.filter(|_| self.is_document).cloned()
    }

    pub(super) fn add_to(&self, ontology: &mut Ontology) {
        add_names(ontology, &self.label, &self.names);
        let node = node_type(ontology, &self.label);
        let new: Vec<String> =
            self.synonyms.iter().filter(|word| !node.synonyms.contains(word)).cloned().collect();
        node.synonyms.extend(new);
        if let Some(Pages(Some(paths))) = &self.pages
            && !node.from.contains(paths)
        {
            node.from.push(paths.clone());
        }
        for (name, property) in &self.properties {
            node.properties.entry(name.clone()).or_insert_with(|| property.clone());
        }
        for link in &self.links {
            add_names(ontology, &link.label, &link.names);
            let kind = || format!("HAS_{}", link.words.replace(' ', "_").to_uppercase());
            let kind = link.kind.clone().unwrap_or_else(kind);
            let relationship = ontology.relationships.entry(kind).or_insert_with(|| RelationshipType {
                description: format!("A table names this {} beside it.", link.words),
                ..RelationshipType::default()
            });
            for (name, property) in &link.properties {
                relationship.properties.entry(name.clone()).or_insert_with(|| property.clone());
            }
            // The heading of the column says that the cell is meant.
            let found = [
                (&mut relationship.from, &self.label),
                (&mut relationship.to, &link.label),
                (&mut relationship.synonyms, &link.words),
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

pub(super) fn is_name(cell: &str) -> bool {
    let short = cell.chars().count() <= LONGEST_NAME && cell.split_whitespace().count() <= 5;
    let letters = cell.starts_with(|character: char| character.is_alphabetic() || character == '.');
    short
        && letters
        && !cell.ends_with('.')
        && !cell.contains([',', ';', ':'])
        && DataType::Date.parse_value(cell).is_none()
}

/// The narrowest type that all cells have.
pub(super) fn data_type(cells: &[&str]) -> DataType {
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
    if is_reserved(&name) { format!("{name}_value") } else { name }
}

/// Whether a name of a property has a meaning of its own in the graph.
pub(super) fn is_reserved(name: &str) -> bool {
    matches!(name, "embedding" | "name")
}
