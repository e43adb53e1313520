//! Types of the things that files of records list.
//!
//! A type is called as the file, the key above a list, or the column that names its things. A column becomes a relationship
//! where its values are the names or keys of other records, or names that come again; else a property.

mod column;
mod links;

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use graphwright_core::{names, text::identifier_words};
use graphwright_documents::{
    ParsedDocument,
    blocks::{Block, Origin, Table as Records, text::BlockText},
};
use graphwright_english::{
    inflection::{is_plural, singular},
    names::name_key,
};
use graphwright_ontology::DataType;

use self::column::property_name;
pub(super) use self::column::{Column, values};
use super::{
    names::Name,
    records::{Link, Pages, RecordType, data_type, is_name},
    types::label,
};
use crate::{columns, headers};

/// At most so many properties of one type; those that most records have.
const MOST_PROPERTIES: usize = 60;
/// At most so many names are listed of one type; the others come with their records.
const MOST_LISTED: usize = 200;

/// A list of records.
#[derive(Debug)]
pub(super) struct Sheet {
    /// What it is called: its file, or the key that it stands under.
    name: String,
    /// Whether its records stand in those of another.
    nested: bool,
    /// What its key's header says that a record is.
    own: Option<String>,
    /// The column whose header says that it names the records.
    named: Option<usize>,
    /// Whether a column that was not made up names or identifies the records.
    has_names: bool,
    columns: Vec<Column>,
    rows: usize,
    /// Which columns identify its records together, where none does alone.
    joint: Vec<Vec<usize>>,
    /// The paths of the documents that are its records, where they are pages.
    pages: Option<Pages>,
}

/// The lists of records in a document that is nothing else; the first of a page is its head.
pub(super) fn sheets_of(document: &ParsedDocument, is_page: bool) -> Vec<Sheet> {
    let stem = document.source.rsplit('/').next().unwrap_or_default();
    let mut name = name_of_file(stem.rsplit_once('.').map_or(stem, |(stem, _)| stem));
    let mut sheets = Vec::new();
    for block in &**document.blocks() {
        match block {
            Block::Heading { text, .. } => text.trimmed().clone_into(&mut name),
            Block::Table(table) => match &table.origin {
                Origin::Text => {}
                Origin::Records if is_page => {}
                Origin::Records | Origin::Nested(_) => {
                    let listed = if let Origin::Nested(key) = &table.origin { key } else { &name };
                    let names_rows = |header: &str| singular_of(header) == singular_of(listed);
                    let known = columns::Known {
                        is_thing: &|_| true,
                        names_rows: &names_rows,
                        identifies_rows: &|_| false,
                        groups: Vec::new(),
                        refers: &|_, _| false,
                    };
                    let first = sheets.len();
                    match columns::apart(table, known) {
                        Some(lists) => sheets.extend(lists.iter().map(|list| Sheet::new(&name, list))),
                        None => sheets.push(Sheet::new(&name, table)),
                    }
                    sheets[first].has_names = columns::are_named(table, |_| false);
                }
            },
            _ => {}
        }
    }
    sheets
}

/// What a file is called without the years and numbers in its name, and without words for lists behind what it lists: `strikes-2001`,
/// `legislators-current`.
fn name_of_file(stem: &str) -> String {
    let is_number = |word: &&str| word.bytes().all(|sign| sign.is_ascii_digit());
    let mut words: Vec<&str> = stem.split(['-', '_', ' ', '.']).filter(|word| !is_number(word)).collect();
    while let [.., listed, last] = words.as_slice()
        && headers::is_list_word(&last.to_lowercase())
        && is_plural(&listed.to_lowercase())
    {
        words.pop();
    }
    if words.is_empty() { stem.to_owned() } else { words.join("_") }
}

/// Takes away the first word that the names of most files have, as in `london.lines` and `london.stations`; not where columns
/// speak of what it says (`customer_id`).
pub(super) fn drop_shared_start(sheets: &mut [Sheet]) {
    fn first(name: &str) -> Option<&str> {
        name.split_once('_').map(|(first, _)| first)
    }
    let is_file = |sheet: &Sheet| !sheet.nested && sheet.pages.is_none();
    let files = sheets.iter().filter(|sheet| is_file(sheet));
    let names: HashSet<&str> = files.map(|sheet| sheet.name.as_str()).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    names.iter().filter_map(|name| first(name)).for_each(|word| *counts.entry(word).or_default() += 1);
    let shared = counts.into_iter().find(|(_, count)| *count > 1 && count * 2 > names.len());
    let Some(shared) = shared.map(|(word, _)| word.to_owned()) else { return };
    let mut headers = sheets.iter().flat_map(|sheet| sheet.columns.iter().map(|column| &column.header));
    if headers.any(|header| identifier_words(header).iter().any(|word| word.eq_ignore_ascii_case(&shared))) {
        return;
    }
    for sheet in sheets.iter_mut().filter(|sheet| is_file(sheet) && first(&sheet.name) == Some(&shared)) {
        sheet.name.drain(..=shared.len());
    }
}

impl Sheet {
    /// The heads of pages; the first column names them.
    pub(super) fn of_pages(name: String, columns: Vec<Column>, rows: usize, paths: Option<String>) -> Self {
        let named = headers::name_column(columns.iter().map(|column| column.header.as_str()));
        let pages = Some(Pages(paths));
        Self {
            name,
            nested: false,
            own: None,
            named,
            has_names: true,
            columns,
            rows,
            joint: Vec::new(),
            pages,
        }
    }

    fn new(file: &str, table: &Records) -> Self {
        let column = |(index, header): (usize, &BlockText)| Column {
            header: header.trimmed().to_owned(),
            cells: table.rows.iter().map(|row| row.cells.get(index).map_or_else(Vec::new, values)).collect(),
            of_rows: false,
            of_things: false,
        };
        let columns: Vec<Column> = table.header.iter().enumerate().map(column).collect();
        let (name, nested) = match &table.origin {
            Origin::Nested(key) => (key.as_str(), true),
            Origin::Text | Origin::Records => (file, false),
        };
        let (own, named) = (columns::own_words(table, &identifier_words(name)), columns::name_column(table));
        // What maps hold is named by its keys, unless it is nothing but words: the name of a country in each language.
        let measured = || {
            columns
                .iter()
                .any(|column: &Column| data_type(&column.values().collect::<Vec<_>>()) != DataType::String)
        };
        let is_key = |header: &BlockText| !table.parents.is_empty() && columns::is_key(header.trimmed());
        let called =
            || table.header.iter().position(|header| singular_of(header.trimmed()) == singular_of(name));
        let named = named
            .or_else(|| called().filter(|_| nested))
            .or_else(|| table.header.iter().position(is_key).filter(|_| measured()));
        let joint = if own.is_none() && !nested { columns::joint_keys(table) } else { Vec::new() };
        Self {
            name: name.to_owned(),
            nested,
            has_names: true,
            own,
            named,
            columns,
            rows: table.rows.len(),
            joint,
            pages: None,
        }
    }

    fn position(&self, header: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.header == header)
    }

    /// The column that names the records.
    fn name_column(&self) -> Option<usize> {
        let own = singular_of(&self.name);
        let of_type = || {
            self.columns
                .iter()
                .position(|column| singular_of(&column.header) == own && column.values().any(is_name))
        };
        let unique = || self.columns.iter().position(|column| column.names_each(self.rows));
        let is_key =
            |column: &Column| columns::is_key(&column.header) || column.header.eq_ignore_ascii_case("code");
        let key = || self.columns.iter().position(is_key);
        if self.nested {
            return self.named;
        }
        self.named.or_else(of_type).or_else(unique).or_else(key)
    }

    /// What its records are called.
    fn label(&self, name_column: usize) -> String {
        if self.pages.is_some() && !self.name.contains(char::is_lowercase) {
            return label(&self.name);
        }
        let file = identifier_words(&self.name);
        // `vessel name` in the register of vessels: a vessel.
        let named = identifier_words(&self.columns[name_column].header);
        let named = named.split_last().map(|(_, prefix)| prefix.join(" "));
        let named = named.filter(|words| self.named == Some(name_column) && is_part(&file, words));
        if let Some(own) = self.own.as_ref().or(named.as_ref()) {
            return label(&singular_of(own));
        }
        let header = self.columns[name_column].header.to_lowercase();
        let first = header.split(' ').next().unwrap_or_default();
        // What a register of planes lists are planes, where their tail numbers tell them apart.
        let codes = self.columns[name_column].holds_codes();
        let listed = codes && file.last().is_some_and(|last| is_plural(last));
        let general = self.nested
            || listed
            || self.named == Some(name_column)
            || columns::is_key(first)
            || matches!(first, "name" | "full" | "title" | "label" | "code" | "");
        label(&singular_of(if general { &self.name } else { &self.columns[name_column].header }))
    }
}

/// Whether words are among those of a name: `vessel` in `vessel_register`.
fn is_part(name: &[String], words: &str) -> bool {
    !words.is_empty()
        && words.split(' ').all(|word| name.iter().any(|own| own == word || singular(own) == word))
}

/// Words of a name, the last in the singular.
fn singular_of(name: &str) -> String {
    singular(&identifier_words(name).join(" ")).into_owned()
}

/// The header of a column by which records may be meant, and its values.
type Keys<'s> = (&'s str, HashSet<&'s str>);

/// A list whose records became a type, with what other records call them.
struct Listed<'s> {
    sheet: &'s Sheet,
    label: String,
    name_column: usize,
    /// Their names, and each column of values by which they may be meant, with its header.
    keys: Vec<Keys<'s>>,
}

/// The types of the records of all lists, beside texts that use these names.
pub(super) fn types_of(sheets: &[Sheet], names: &[Name]) -> Vec<RecordType> {
    let mut listed: Vec<Listed<'_>> = sheets.iter().filter_map(list).collect();
    call_alike(&mut listed);
    let used: HashSet<String> = names.iter().map(|name| name_key(&name.text)).collect();
    let joins: Vec<Option<(String, Link)>> = listed.iter().map(|own| links::join(own, &listed)).collect();
    let mut joined = joins.iter().map(Option::is_some);
    listed.retain(|_| joined.next() == Some(false));
    let mut types: Vec<RecordType> = listed.iter().map(|own| read(own, &listed, &used)).collect();
    for (from, link) in joins.into_iter().flatten() {
        if let Some(start) = types.iter_mut().find(|start| start.label == from) {
            start.links.push(link);
        }
    }
    links::call_generally(&mut types);
    types
}

/// Calls what records hold as the list that has most of their keys is called: the `home team` is a team.
fn call_alike(listed: &mut [Listed<'_>]) {
    let main: Vec<(String, Vec<Keys<'_>>)> = listed
        .iter()
        .filter(|own| !own.sheet.nested)
        .map(|own| (own.label.clone(), own.keys.clone()))
        .collect();
    for held in listed.iter_mut().filter(|own| own.sheet.nested) {
        let own = |keys: &HashSet<&str>| {
            let hits = |own: &HashSet<&str>| own.intersection(keys).count();
            held.keys.iter().any(|(_, own)| own.len() > 1 && hits(own) * 5 >= own.len() * 4)
        };
        // The column of the list itself has the names of what it holds.
        let is_own = |header: &str| header == held.sheet.name;
        let is_of = |keys: &[Keys<'_>]| keys.iter().any(|(header, keys)| !is_own(header) && own(keys));
        if let Some((label, _)) = main.iter().find(|(_, keys)| is_of(keys)) {
            held.label.clone_from(label);
        }
    }
}

fn list(sheet: &Sheet) -> Option<Listed<'_>> {
    let may_identify = |text: &str, column: &Column| headers::may_identify(text, &column.header);
    let name_column = sheet.name_column()?;
    let label = sheet.label(name_column);
    let keys = sheet.columns.iter().enumerate().filter(|(index, column)| {
        *index == name_column
            || column.is_unique()
                && column
                    .cells
                    .iter()
                    .all(|cell| cell.len() < 2 && cell.iter().all(|text| may_identify(text, column)))
    });
    let keys = keys.map(|(_, column)| (column.header.as_str(), column.values().collect())).collect();
    label.starts_with(char::is_alphabetic).then_some(Listed { sheet, label, name_column, keys })
}

fn read(own: &Listed<'_>, listed: &[Listed<'_>], used: &HashSet<String>) -> RecordType {
    // A page names itself when it is read.
    let listed_names = if own.sheet.pages.is_some() { 0 } else { MOST_LISTED };
    let names = own.sheet.columns[own.name_column].values().take(listed_names).map(str::to_owned).collect();
    let mut found = RecordType {
        label: own.label.clone(),
        synonyms: shared_ends(&own.sheet.columns[own.name_column], &own.label),
        names,
        properties: Vec::new(),
        links: Vec::new(),
        is_document: true,
        pages: own.sheet.pages.clone(),
    };
    let mut columns: Vec<(usize, &Column)> =
        own.sheet.columns.iter().enumerate().filter(|(at, _)| *at != own.name_column).collect();
    // Of very many, those that are given most often.
    let given = |column: &Column| column.cells.iter().filter(|cell| !cell.is_empty()).count();
    columns.sort_by_key(|(_, column)| Reverse(given(column)));
    columns.truncate(MOST_PROPERTIES);
    for (at, column) in columns {
        let header = &column.header;
        if column.values().next().is_none() || header.is_empty() {
            continue;
        }
        if let Some(link) = links::link(at, own, listed, used) {
            found.links.push(link);
        } else {
            let name = property_name(header);
            let mut property = column.property();
            // Other names, of which there may always be several.
            if name == names::ALIASES {
                property.kind = DataType::List(Box::new(DataType::String));
            }
            found.properties.push((name, property));
        }
    }
    found
}

/// A type has at least so many names if their ends are to say what it is.
const FEW_NAMES: usize = 5;

/// What all names end in, without the words of the type: `FIFA World Cup`, `World Cup` and `Cup` of tournaments.
fn shared_ends(names: &Column, own: &str) -> Vec<String> {
    let all: Vec<Vec<&str>> = names.different().iter().map(|name| name.split(' ').collect()).collect();
    let Some((first, others)) = all.split_first().filter(|_| all.len() >= FEW_NAMES) else {
        return Vec::new();
    };
    let shared = |other: &Vec<&str>| {
        first.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count()
    };
    let length = others.iter().map(shared).min().unwrap_or(0).min(first.len().saturating_sub(1));
    let ends = (first.len() - length..first.len()).map(|start| first[start..].join(" "));
    ends.filter(|end| label(end) != own && is_name(end)).collect()
}
