//! Types of the things that files of records list.
//!
//! A type is called as the file, the key above a list, or the column that names its things. A column becomes a relationship
//! where its values are the names or keys of other records, or names that come again; else a property.

use std::collections::{BTreeSet, HashSet};

use graphwright_core::{names, text::identifier_words};
use graphwright_documents::{
    ParsedDocument,
    blocks::{Block, Origin, Table as Records, text::BlockText},
};
use graphwright_english::{
    inflection::{is_plural, singular},
    names::name_key,
    words,
};
use graphwright_ontology::{DataType, PropertyType};

use super::{
    names::Name,
    records::{LONGEST_ENUM, Link, Pages, RecordType, data_type, is_name, is_reserved},
    types::{in_words, label},
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
    columns: Vec<Column>,
    rows: usize,
    /// Which columns identify its records together, where none does alone.
    joint: Vec<Vec<usize>>,
    /// The paths of the documents that are its records, where they are pages.
    pages: Option<Pages>,
}

#[derive(Debug)]
pub(super) struct Column {
    header: String,
    /// The values of the rows; a row may have none, or several.
    cells: Vec<Vec<String>>,
    /// Whether its values are of the rows themselves, and name nothing.
    of_rows: bool,
    /// Whether its values are known to name things.
    of_things: bool,
}

/// The lists of records in a document that is nothing else; the first of a page is its head.
pub(super) fn sheets_of(document: &ParsedDocument, is_page: bool) -> Vec<Sheet> {
    let stem = document.source.rsplit('/').next().unwrap_or_default();
    let mut name = without_numbers(stem.rsplit_once('.').map_or(stem, |(stem, _)| stem));
    let mut sheets = Vec::new();
    for block in &**document.blocks() {
        match block {
            Block::Heading { text, .. } => text.trimmed().clone_into(&mut name),
            Block::Table(table) => match &table.origin {
                Origin::Text => {}
                Origin::Records if is_page => {}
                Origin::Records | Origin::Nested(_) => {
                    let names_rows = |header: &str| singular_of(header) == singular_of(&name);
                    let known = columns::Known {
                        is_thing: &|_| true,
                        names_rows: &names_rows,
                        identifies_rows: &|_| false,
                        groups: Vec::new(),
                        refers: &|_, _| false,
                    };
                    match columns::apart(table, known) {
                        Some(lists) => sheets.extend(lists.iter().map(|list| Sheet::new(&name, list))),
                        None => sheets.push(Sheet::new(&name, table)),
                    }
                }
            },
            _ => {}
        }
    }
    sheets
}

/// What a file is called without the years and numbers in its name: `strikes-2001`.
fn without_numbers(stem: &str) -> String {
    let is_number = |word: &&str| word.bytes().all(|sign| sign.is_ascii_digit());
    let words: Vec<&str> = stem.split(['-', '_', ' ', '.']).filter(|word| !is_number(word)).collect();
    if words.is_empty() { stem.to_owned() } else { words.join("_") }
}

impl Sheet {
    /// The heads of pages; the first column names them.
    pub(super) fn of_pages(name: String, columns: Vec<Column>, rows: usize, paths: Option<String>) -> Self {
        let named = headers::name_column(columns.iter().map(|column| column.header.as_str()));
        let pages = Some(Pages(paths));
        Self { name, nested: false, own: None, named, columns, rows, joint: Vec::new(), pages }
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
        let (own, named) = (columns::own_words(table), columns::name_column(table));
        // What maps hold is named by its keys, unless it is nothing but words: the name of a country in each language.
        let measured = || {
            columns
                .iter()
                .any(|column: &Column| data_type(&column.values().collect::<Vec<_>>()) != DataType::String)
        };
        let is_key = |header: &BlockText| !table.parents.is_empty() && columns::is_key(header.trimmed());
        let named = named.or_else(|| table.header.iter().position(is_key).filter(|_| measured()));
        let joint = if own.is_none() && !nested { columns::joint_keys(table) } else { Vec::new() };
        Self {
            name: name.to_owned(),
            nested,
            own,
            named,
            columns,
            rows: table.rows.len(),
            joint,
            pages: None,
        }
    }

    fn column(&self, header: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.header == header)
    }

    /// The column that names the records.
    fn name_column(&self) -> Option<usize> {
        let called = |words: &[&str]| {
            self.columns.iter().position(|column| words.contains(&column.header.to_lowercase().as_str()))
        };
        let own = singular_of(&self.name);
        let of_type = || {
            self.columns
                .iter()
                .position(|column| singular_of(&column.header) == own && column.values().any(is_name))
        };
        let unique = || self.columns.iter().position(|column| column.names_each(self.rows));
        if self.nested {
            return self.named;
        }
        self.named.or_else(of_type).or_else(unique).or_else(|| called(&["id", "key", "code"]))
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
            || matches!(first, "name" | "full" | "id" | "title" | "key" | "label" | "code" | "");
        label(&singular_of(if general { &self.name } else { &self.columns[name_column].header }))
    }
}

/// So many rows that a column of names has more than two.
const MANY_ROWS: usize = 20;

pub(super) fn values(cell: &BlockText) -> Vec<String> {
    let whole = Some(cell.trimmed()).filter(|text| !text.is_empty() && cell.items.is_empty());
    let items = cell.items.iter().map(|range| cell.text[range.clone()].trim());
    whole.into_iter().chain(items).map(str::to_owned).collect()
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

impl Column {
    pub(super) fn new(header: &str, cells: Vec<Vec<String>>) -> Self {
        Self { header: header.to_owned(), cells, of_rows: false, of_things: false }
    }

    /// The same, whose values name nothing.
    pub(super) fn of_rows(self, of_rows: bool) -> Self {
        Self { of_rows, ..self }
    }

    /// The same, whose values name things.
    pub(super) fn of_things(self, of_things: bool) -> Self {
        Self { of_things, ..self }
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().flatten().map(String::as_str)
    }

    fn different(&self) -> BTreeSet<&str> {
        self.values().collect()
    }

    /// Whether it has more different values than others: of a year and a team, the team says what is meant.
    fn tells_more_than(&self, others: &[&Column]) -> bool {
        let is_number = |column: &Column| column.values().all(|value| value.parse::<f64>().is_ok());
        !is_number(self) && others.iter().all(|other| is_number(other))
            || others.iter().all(|other| {
                is_number(self) == is_number(other) && self.different().len() > other.different().len()
            })
    }

    /// Whether it gives each row a name of its own.
    fn names_each(&self, rows: usize) -> bool {
        self.cells.iter().filter(|cell| cell.len() == 1).count() == rows
            && self.different().len() == rows
            && self.values().all(is_name)
    }

    /// Whether nearly no value comes again.
    fn is_unique(&self) -> bool {
        self.different().len() * 10 >= self.values().count() * 9
    }

    /// Whether most of its values are codes with digits.
    fn holds_codes(&self) -> bool {
        let is_code =
            |value: &&str| headers::is_code(value) && value.contains(|sign: char| sign.is_ascii_digit());
        self.values().filter(is_code).count() * 2 > self.values().count()
    }

    /// Whether its values are names, as they are written.
    fn holds_names(&self) -> bool {
        let proper = |value: &&str| value.contains(char::is_uppercase) || value.contains(['-', '_']);
        let all: Vec<&str> = self.values().collect();
        data_type(&all) == DataType::String
            && all.iter().all(|value| is_name(value))
            && all.iter().filter(|value| proper(value) && value.chars().nth(1).is_some()).count() * 2
                > all.len()
    }
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
    listed.iter().map(|own| read(own, &listed, &used)).collect()
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
    let name_column = sheet.name_column()?;
    let label = sheet.label(name_column);
    let keys = sheet.columns.iter().enumerate().filter(|(index, column)| {
        *index == name_column
            || column.is_unique()
                && column
                    .cells
                    .iter()
                    .all(|cell| cell.len() < 2 && cell.iter().all(|text| headers::is_code(text)))
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
    let mut columns: Vec<&Column> = own
        .sheet
        .columns
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != own.name_column)
        .map(|(_, column)| column)
        .collect();
    // Of very many, those that are given most often.
    columns
        .sort_by_key(|column| std::cmp::Reverse(column.cells.iter().filter(|cell| !cell.is_empty()).count()));
    columns.truncate(MOST_PROPERTIES);
    for column in columns {
        let header = &column.header;
        if column.values().next().is_none() || header.is_empty() {
            continue;
        }
        if let Some(link) = link(column, own, listed, used) {
            found.links.push(link);
        } else {
            let name = property_name(header);
            let mut property = property(column);
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

/// The relationship that a column is.
fn link(column: &Column, own: &Listed<'_>, listed: &[Listed<'_>], used: &HashSet<String>) -> Option<Link> {
    let words = singular_of(&column.header);
    if column.of_rows {
        return None;
    }
    if let Some(link) = reference(column, own, listed) {
        return Some(link);
    }
    // `teamIDretro` is another `teamID`.
    let is_other_key = |key: &Column| {
        headers::is_identifying(&key.header) && columns::role(&column.header, &key.header).is_some()
    };
    if headers::is_identifying(&words) || own.sheet.columns.iter().any(is_other_key) {
        return None;
    }
    let named = |label: &str| Link {
        label: label.to_owned(),
        words: words.clone(),
        kind: None,
        names: BTreeSet::new(),
    };
    // What the records hold under this key.
    let held = listed.iter().find(|other| other.sheet.nested && other.sheet.name == column.header);
    if let Some(held) = held {
        return Some(named(&held.label));
    }
    let different = column.different();
    // Any numbers may be equal: the header says that these mean a thing.
    let numbers = different.iter().all(|value| value.parse::<f64>().is_ok());
    let means = |other: &Listed<'_>, key: &str| {
        let own = identifier_words(&column.header);
        let its = identifier_words(&format!("{} {key}", other.label));
        own.iter().any(|word| its.contains(word) && !headers::is_identifying(word))
    };
    let share = |other: &Listed<'_>| {
        let keys = other.keys.iter().filter(|(key, _)| !numbers || means(other, key));
        keys.map(|(_, keys)| different.iter().filter(|value| keys.contains(**value)).count()).max()
    };
    let best = listed
        .iter()
        .map(|other| (share(other).unwrap_or(0), other))
        .max_by_key(|(hits, _)| *hits)
        .filter(|(hits, _)| *hits > 1 && hits * 5 >= different.len() * 4);
    if let Some((_, other)) =
        best.filter(|_| !column.is_unique() || column.cells.iter().any(|cell| cell.len() > 1))
    {
        // `borders` says what the one does to the other, `owner` what the other is.
        let said = is_plural(&column.header) && label(&words) != other.label;
        let kind = said.then(|| identifier_words(&column.header).join("_").to_uppercase());
        return Some(Link { kind, ..named(&other.label) });
    }
    let target = label(&words);
    let used =
        || different.iter().filter(|value| used.contains(&name_key(value))).count() * 2 >= different.len();
    let names = column.of_things || column.holds_names() && (!column.is_unique() || used());
    // Two values divide many rows, as `yes` and `no` would.
    let divides = different.len() <= 2 && own.sheet.rows >= MANY_ROWS;
    let names = names && !divides && !target.is_empty() && target != own.label;
    names.then(|| Link {
        names: different.iter().take(MOST_LISTED).map(|&name| name.to_owned()).collect(),
        ..named(&target)
    })
}

/// The relationship that a column is which holds, alone or together with others, what identifies the records of another list
/// under the same header: `playerID`, `teamIDwinner` beside `yearID`.
fn reference(column: &Column, own: &Listed<'_>, listed: &[Listed<'_>]) -> Option<Link> {
    let others =
        listed.iter().filter(|other| !std::ptr::eq(other.sheet, own.sheet) && other.label != own.label);
    let link = |other: &Listed<'_>, role: &str| {
        let role = identifier_words(role).join(" ");
        let words = if role.is_empty() { in_words(&other.label) } else { role };
        Link { label: other.label.clone(), words, kind: None, names: BTreeSet::new() }
    };
    for other in others.clone().filter(|_| headers::is_identifying(&column.header)) {
        for (key, values) in &other.keys {
            let Some(role) = columns::role(&column.header, key).filter(|_| headers::is_identifying(key))
            else {
                continue;
            };
            let different = column.different();
            let hits = different.iter().filter(|value| values.contains(**value)).count();
            if !column.is_unique() && hits > 1 && hits * 2 >= different.len() {
                return Some(link(other, role));
            }
        }
    }
    others.flat_map(|other| other.sheet.joint.iter().map(move |key| (other, key))).find_map(|(other, key)| {
        let parts: Vec<&Column> = key.iter().map(|part| &other.sheet.columns[*part]).collect();
        let role = parts.iter().find_map(|part| {
            let role = columns::role(&column.header, &part.header)?;
            let is_part = |other: &&Column| std::ptr::eq(*other, *part);
            let beside: Vec<&Column> = parts.iter().copied().filter(|other| !is_part(other)).collect();
            let named = |other: &&Column| {
                if is_part(other) { Some(column) } else { own.sheet.column(&other.header) }
            };
            let columns: Vec<&Column> = parts.iter().map(named).collect::<Option<_>>()?;
            (part.tells_more_than(&beside) && are_taken_from(&columns, &parts)).then_some(role)
        });
        role.map(|role| link(other, role))
    })
}

/// Whether most of what some columns hold together are values of a key.
fn are_taken_from(columns: &[&Column], key: &[&Column]) -> bool {
    let rows = |columns: &[&Column]| -> HashSet<Vec<String>> {
        let row = |row: usize| columns.iter().map(|column| column.cells.get(row)?.first().cloned()).collect();
        (0..columns[0].cells.len()).filter_map(row).collect()
    };
    let (known, values) = (rows(key), rows(columns));
    let hits = values.intersection(&known).count();
    hits > 1 && hits * 2 >= values.len()
}

fn property(column: &Column) -> PropertyType {
    let all: Vec<&str> = column.values().filter(|value| !words::is_no_value(&value.to_lowercase())).collect();
    let kind = if all.iter().any(|value| is_spelled_out(value)) { DataType::String } else { data_type(&all) };
    let different = column.different();
    let few = different.len() <= LONGEST_ENUM
        && different.len() * 3 <= all.len()
        && kind == DataType::String
        && all.iter().all(|value| is_name(value));
    let values = if few { different.into_iter().map(Into::into).collect() } else { Vec::new() };
    let several = column.cells.iter().any(|cell| cell.len() > 1);
    let kind = if several { DataType::List(Box::new(kind)) } else { kind };
    PropertyType { kind, values, synonyms: other_words(&column.header), ..PropertyType::default() }
}

/// Whether a number would lose something of how it is written: `004`, `+44`.
fn is_spelled_out(value: &str) -> bool {
    let digits =
        value.strip_prefix('0').is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()));
    digits || value.starts_with('+')
}

/// `official name` for the part `official` of a name.
fn other_words(header: &str) -> Vec<String> {
    let part = header.strip_prefix("name ").map(|part| identifier_words(part).join(" "));
    part.into_iter().flat_map(|part| [format!("{part} name"), part]).collect()
}

/// A header as a property: small letters with underscores.
fn property_name(header: &str) -> String {
    let plain: String =
        header.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
    let name = identifier_words(&plain).join("_");
    let name = if name.starts_with(|first: char| first.is_ascii_digit()) { format!("n{name}") } else { name };
    if is_reserved(&name) { format!("{name}_value") } else { name }
}
