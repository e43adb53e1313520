//! What the columns of a list of records speak of: the row's own thing, and things that it refers to.
//!
//! Flat files repeat what depends on a key (functional dependency; Codd, "Further normalization of the data base relational
//! model", 1971): each result of a match has `team_id`, `team_name` and `team_code`. [`apart`] makes lists of their own of
//! such columns, as if the record held the thing, and gives rows without a name one that tells them from each other.

mod joint;
mod naming;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};

use graphwright_core::text::identifier_words;
use graphwright_documents::blocks::{Origin, Row, Table, text::BlockText};
use graphwright_english::inflection::singular;

use crate::headers;

pub(crate) use self::joint::{choices, role};
pub(crate) use self::naming::{
    are_named, identifies, is_key, is_text, is_unique, joint_keys, name_column, telling_apart,
};

/// Last words of the header of a key, the best first.
const KEYS: [&str; 9] = ["id", "uuid", "guid", "key", "slug", "code", "number", "no", "nr"];
/// From here on they are numbers, which may be those of a list.
const NUMBERS: usize = 6;
/// Last words of the header of a name.
const NAMES: [&str; 3] = ["name", "title", "label"];
/// What a key of nothing but the row's place in the file is called: `key_id`, `row_id`.
const PLACES: [&str; 5] = ["key", "row", "index", "record", "line"];

/// The columns that speak of one thing: `team_id`, `team_name`, `team_code`.
#[derive(Debug)]
pub(crate) struct Group {
    /// What the thing is: what their headers begin with, as `team`.
    pub(crate) words: Vec<String>,
    pub(crate) key: usize,
    /// The column that names the thing, or the parts of a person's name.
    pub(crate) name: Vec<usize>,
    /// Further columns that the key decides.
    pub(crate) others: Vec<usize>,
}

/// What is known of the rows of a list, and of what they refer to, beside what the list shows.
pub(crate) struct Known<'k> {
    /// Whether what headers begin with is a thing (`home team`).
    pub(crate) is_thing: &'k dyn Fn(&str) -> bool,
    /// Whether a header says that its column names the rows.
    pub(crate) names_rows: &'k dyn Fn(&str) -> bool,
    /// Whether a header says that its column identifies what the rows speak of, so that they need no other name.
    pub(crate) identifies_rows: &'k dyn Fn(&str) -> bool,
    /// The columns that are known to speak of one thing.
    pub(crate) groups: Vec<Group>,
    /// Whether a thing refers to another one that rows do not refer to themselves, by what both are.
    pub(crate) refers: &'k dyn Fn(&[String], &[String]) -> bool,
}

impl Group {
    /// The same, without columns that the key does not decide. `None` if it does not decide the name.
    fn decided(mut self, table: &Table) -> Option<Self> {
        self.others.retain(|column| decides(table, self.key, *column));
        self.name.iter().all(|column| decides(table, self.key, *column)).then_some(self)
    }

    /// Whether a column tells of it: its key, its name or what the key decides.
    pub(crate) fn has(&self, column: usize) -> bool {
        self.columns().any(|own| own == column)
    }

    /// What the thing of each row is called, and the things, each once.
    pub(crate) fn read(&self, table: &Table) -> (Vec<BlockText>, Table) {
        let names = thing_names(self, table);
        let list = list_of(self, (table, table), &names, &[]);
        (names, list)
    }

    fn columns(&self) -> impl Iterator<Item = usize> {
        [self.key].into_iter().chain(self.name.iter().copied()).chain(self.others.iter().copied())
    }
}

/// The things that rows refer to by a key with a name beside it, of those that `is_thing` says to be any.
pub(crate) fn referred(table: &Table, is_thing: impl Fn(&str) -> bool) -> Vec<Group> {
    let groups = groups(table, &header_words(table)).into_iter();
    groups.filter(|group| is_thing(&group.words.join(" "))).collect()
}

/// Sets the things apart that rows refer to: the list of the rows, in which a cell names the thing, and for each such cell a
/// list of the things. Rows that have no name get a column `name`. `None` if the list stays as it is.
pub(crate) fn apart(table: &Table, known: Known<'_>) -> Option<Vec<Table>> {
    let words = header_words(table);
    let mut referred = groups(table, &words);
    // The first whose key no two rows share is the row's own.
    if let Some(own) = referred.iter().position(|group| naming::is_unique(table, &[group.key])) {
        referred.remove(own);
    }
    let is_known = |column: usize| known.groups.iter().any(|group| group.columns().any(|own| own == column));
    referred.retain(|group| (known.is_thing)(&group.words.join(" ")) && !group.columns().any(is_known));
    referred.extend(known.groups.into_iter().filter_map(|group| group.decided(table)));
    let naming = |table: &Table| {
        let keyed = table.header.iter().position(|header| (known.identifies_rows)(header.trimmed()));
        if keyed.is_some_and(|key| !is_unique(table, &[key])) {
            return None;
        }
        let own = table.header.iter().position(|header| (known.names_rows)(header.trimmed()));
        // What records hold may refer to things of other lists: `"municipalities": [{"municipality": 46021, "partial": true}]`.
        if own.is_some() && matches!(table.origin, Origin::Nested(_)) {
            return None;
        }
        naming::made_up(table, own)
    };
    // Most lists stay as they are, and are not copied.
    if referred.is_empty() && naming(table).is_none() {
        return None;
    }
    let mut main = table.clone();
    let names: Vec<Vec<BlockText>> = referred.iter().map(|group| thing_names(group, table)).collect();
    for (group, names) in referred.iter().zip(&names) {
        main.header[group.key] = BlockText::copied(&group.words.join(" "), start(&table.header[group.key]));
        for (row, name) in main.rows.iter_mut().zip(names) {
            if let Some(cell) = row.cells.get_mut(group.key) {
                cell.clone_from(name);
            }
        }
    }
    let gone = referred.iter().flat_map(|group| group.columns().filter(|column| *column != group.key));
    let mut gone: HashSet<usize> = gone.collect();
    let mut lists = Vec::new();
    for (group, names) in referred.iter().zip(&names) {
        let further = referred.iter().filter(|other| {
            (known.refers)(&group.words, &other.words) && decides(table, group.key, other.key)
        });
        let further: Vec<usize> = further.map(|other| other.key).collect();
        gone.extend(&further);
        lists.push(list_of(group, (table, &main), names, &further));
    }
    remove(&mut main, &gone);
    if let Some(naming) = naming(&main) {
        naming.add_to(&mut main);
    }
    Some(std::iter::once(main).chain(lists).collect())
}

fn header_words(table: &Table) -> Vec<Vec<String>> {
    table.header.iter().map(|cell| identifier_words(cell.trimmed())).collect()
}

/// Whether a word is short for another: its letters in their order, from the first on, as `dept` for `department`.
pub(crate) fn abbreviates(short: &str, long: &str) -> bool {
    let mut rest = long.chars();
    short.len() > 2
        && short.len() < long.len()
        && short.chars().next() == long.chars().next()
        && short.chars().all(|letter| rest.any(|other| other == letter))
}

/// What the header of the rows' own key says that they are, in a list called so: `team` where `team_id` is it; not where it is short
/// for what they are called, as `brew_id` in a list of breweries, or one of several that identify them, as `twitter_id`.
pub(crate) fn own_words(table: &Table, list: &[String]) -> Option<String> {
    let list = list.last().map(|last| singular(last).into_owned()).unwrap_or_default();
    let keys = own_keys(table);
    let own = match keys.as_slice() {
        [only] => only,
        several => several.iter().find(|own| **own == list)?,
    };
    Some(own.clone()).filter(|own| !abbreviates(own, &list))
}

/// What the headers of the keys of the rows begin with, each once; nothing where they have an `id` of no more words.
fn own_keys(table: &Table) -> Vec<String> {
    let words = header_words(table);
    let is_own = |column: &usize| naming::is_unique(table, &[*column]);
    let is_id = |column: &usize| matches!(words[*column].as_slice(), [only] if headers::is_id(only));
    if (0..words.len()).filter(is_id).any(|column| is_own(&column)) {
        return Vec::new();
    }
    // A catalogue number is of what the catalogue lists.
    let keys = (0..words.len()).filter(is_own).filter_map(|column| key_of(&words[column]));
    let mut found: Vec<String> = Vec::new();
    for (prefix, _) in keys.filter(|(_, rank)| *rank < NUMBERS) {
        let prefix = prefix.join(" ");
        if !found.contains(&prefix) {
            found.push(prefix);
        }
    }
    found
}

/// What a header says that its column is the key of: `team` for `team_id`.
pub(crate) fn keyed(header: &str) -> Option<String> {
    key_of(&identifier_words(header)).map(|(prefix, _)| prefix.join(" "))
}

/// Whether a header is that of the places of rows in their file: `key_id`.
pub(crate) fn counts_rows(header: &str) -> bool {
    matches!(identifier_words(header).as_slice(), [place, _] if PLACES.contains(&place.as_str()))
}

/// The groups with a key and a name.
fn groups(table: &Table, words: &[Vec<String>]) -> Vec<Group> {
    let mut keys: BTreeMap<usize, &[String]> = BTreeMap::new();
    for (column, own) in words.iter().enumerate() {
        let Some((prefix, rank)) = key_of(own) else { continue };
        let better = |other: &usize| key_of(&words[*other]).is_some_and(|(_, other)| other <= rank);
        let same = keys.iter().find(|(_, known)| **known == prefix).map(|(at, _)| *at);
        match same {
            Some(at) if better(&at) => {}
            at => {
                at.map(|at| keys.remove(&at));
                keys.insert(column, prefix);
            }
        }
    }
    // `supply_class` beside `supply_class_name`.
    let is_named = |own: &[String]| {
        let is_name = |other: &Vec<String>| {
            other
                .strip_prefix(own)
                .is_some_and(|rest| matches!(rest, [last] if NAMES.contains(&last.as_str())))
        };
        words.iter().any(is_name)
    };
    for (column, own) in words.iter().enumerate() {
        if is_named(own) && !keys.values().any(|prefix| *prefix == own.as_slice()) {
            keys.insert(column, own);
        }
    }
    keys.iter().filter_map(|(key, prefix)| group(table, words, *key, prefix, &keys)).collect()
}

/// What stands before the last word of a key's header, and how good a key that word says.
fn key_of(words: &[String]) -> Option<(&[String], usize)> {
    let (last, prefix) = words.split_last()?;
    let rank = KEYS.iter().position(|key| key == last)?;
    let place = matches!(prefix, [only] if PLACES.contains(&only.as_str()));
    (!prefix.is_empty() && !place).then_some((prefix, rank))
}

fn group(
    table: &Table,
    words: &[Vec<String>],
    key: usize,
    prefix: &[String],
    keys: &BTreeMap<usize, &[String]>,
) -> Option<Group> {
    // `home team` is not of the group `home`.
    let longer =
        |own: &[String]| keys.values().any(|other| other.len() > prefix.len() && own.starts_with(other));
    let of_group =
        |column: usize| column != key && words[column].starts_with(prefix) && !longer(&words[column]);
    let is_name = |column: &usize| {
        let rest = &words[*column][prefix.len()..];
        rest.is_empty() || rest.last().is_some_and(|last| NAMES.contains(&last.as_str()))
    };
    let members: Vec<usize> = (0..words.len()).filter(|column| of_group(*column)).collect();
    let decided: Vec<usize> = members.into_iter().filter(|column| decides(table, key, *column)).collect();
    let name = decided.iter().find(|column| is_name(column) && naming::is_text(table, **column));
    let name = match name {
        Some(column) => vec![*column],
        None => naming::person(words, key + 1, |column| decides(table, key, column))?,
    };
    let others = decided.into_iter().filter(|column| !name.contains(column)).collect();
    Some(Group { words: prefix.to_vec(), key, name, others })
}

/// Whether rows with one key have one value in a column.
fn decides(table: &Table, key: usize, column: usize) -> bool {
    let mut known: HashMap<&str, &str> = HashMap::new();
    table.rows.iter().all(|row| {
        let (Some(key), Some(value)) = (row.cells.get(key), row.cells.get(column)) else { return true };
        *known.entry(key.trimmed()).or_insert_with(|| value.trimmed()) == value.trimmed()
    })
}

/// The cell of each row that names the thing, its key where it has no name. Of things that share a name, each with its key.
fn thing_names(group: &Group, table: &Table) -> Vec<BlockText> {
    let name = |row: &Row| {
        let name = naming::joined(row, &group.name, " ");
        if name.text.is_empty() { row.cells.get(group.key).cloned().unwrap_or_default() } else { name }
    };
    let names: Vec<BlockText> = table.rows.iter().map(name).collect();
    let key = |row: &Row| row.cells.get(group.key).map_or("", BlockText::trimmed).to_owned();
    let mut keys: HashMap<&str, HashSet<String>> = HashMap::new();
    for (row, name) in table.rows.iter().zip(&names) {
        keys.entry(name.trimmed()).or_default().insert(key(row));
    }
    let shared: HashSet<String> =
        keys.into_iter().filter(|(_, keys)| keys.len() > 1).map(|(name, _)| name.to_owned()).collect();
    let full = |(row, mut name): (&Row, BlockText)| {
        if shared.contains(name.trimmed()) && !name.trimmed().is_empty() {
            let end = name.text.len();
            let place = name.span(end..end).end;
            name.push(&format!(" ({})", key(row)), place..place);
        }
        name
    };
    table.rows.iter().zip(names).map(full).collect()
}

/// The list of the things of a group, each once, with what they refer to themselves: the columns `further` of the list in which
/// cells name things.
fn list_of(group: &Group, (table, named): (&Table, &Table), names: &[BlockText], further: &[usize]) -> Table {
    let columns: Vec<usize> = [group.key].into_iter().chain(group.others.iter().copied()).collect();
    let name = BlockText::copied("name", start(&table.header[group.key]));
    let own = columns.iter().map(|column| table.header[*column].clone());
    let others = further.iter().map(|column| named.header[*column].clone());
    let header = std::iter::once(name).chain(own).chain(others).collect();
    let mut seen = HashSet::new();
    let rows = table.rows.iter().zip(&named.rows).zip(names).filter(|((row, _), name)| {
        let key = row.cells.get(group.key).map_or("", BlockText::trimmed);
        !name.trimmed().is_empty() && seen.insert(key)
    });
    let rows = rows.map(|((row, named), name)| {
        let cell = |row: &Row, column: &usize| row.cells.get(*column).cloned().unwrap_or_default();
        let own = columns.iter().map(|column| cell(row, column));
        let others = further.iter().map(|column| cell(named, column));
        Row { cells: std::iter::once(name.clone()).chain(own).chain(others).collect(), span: row.span }
    });
    Table { origin: Origin::Nested(group.words.join(" ")), header, rows: rows.collect(), parents: Vec::new() }
}

fn start(cell: &BlockText) -> usize {
    cell.span(0..0).start
}

fn remove(table: &mut Table, gone: &HashSet<usize>) {
    if gone.is_empty() {
        return;
    }
    let keep = |cells: &mut Vec<BlockText>| {
        let mut column = 0;
        cells.retain(|_| {
            column += 1;
            !gone.contains(&(column - 1))
        });
    };
    keep(&mut table.header);
    table.rows.iter_mut().for_each(|row| keep(&mut row.cells));
}
