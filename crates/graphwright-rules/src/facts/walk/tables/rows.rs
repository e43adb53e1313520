//! What the rows of a list are called.

use std::collections::{HashMap, HashSet};

use graphwright_english::names::name_key;
use graphwright_ontology::DataType;

use super::{Layout, Meaning};
use crate::{
    columns,
    facts::{
        blocks::{Origin, Table},
        text::BlockText,
        vocabulary::Vocabulary,
    },
};

/// A longer cell is a text, not a name.
pub(super) const LONGEST_NAME: usize = 300;

/// The names of the rows of one table.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// What the thing in each row is called; empty where it has no name.
    pub(super) names: Vec<String>,
    /// The cell that names it.
    pub(super) written: Vec<String>,
    /// The names of all rows.
    pub(super) own: HashSet<String>,
}

impl Rows {
    /// The names of the rows. Different things that have one name get in brackets what tells them apart: what identifies
    /// them, by a column that `is_own` says to be of them; else the fewest columns, if their properties differ. What records
    /// hold gets the name of its record before its own: `Chrome 100`.
    pub(super) fn read(
        layout: &Layout,
        table: &Table,
        vocabulary: &Vocabulary,
        is_own: impl Fn(&str) -> bool,
    ) -> Self {
        let mut written: Vec<String> =
            (0..table.rows.len()).map(|row| cell(table, row, layout.key).to_owned()).collect();
        written.iter_mut().filter(|name| name.len() > LONGEST_NAME).for_each(String::clear);
        let own = |column: &usize| *column != layout.key && is_own(table.header[*column].trimmed());
        let identifying =
            || (0..table.header.len()).filter(own).find(|column| columns::identifies(table, *column));
        // A record without a name is called by what identifies it, so that it is not lost.
        if table.origin == Origin::Records
            && written.iter().any(String::is_empty)
            && let Some(column) = identifying()
        {
            for (row, name) in written.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
                cell(table, row, column).clone_into(name);
            }
        }
        let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
        for (row, name) in written.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            alike.entry(name_key(name)).or_default().push(row);
        }
        alike.retain(|_, rows| rows.len() > 1);
        let mut alike: Vec<Vec<usize>> = alike.into_values().collect();
        alike.sort_unstable();
        let mut names = written.clone();
        if is_keyed(layout, table) && alike.iter().any(|rows| differ(layout, table, vocabulary, rows)) {
            for (name, parent) in names.iter_mut().zip(&table.parents).filter(|(name, _)| !name.is_empty()) {
                if !parent.is_empty() {
                    *name = format!("{parent} {name}");
                }
            }
        } else if let Some(column) = identifying().filter(|_| !alike.is_empty()) {
            add(&mut names, table, &[column], &alike);
        } else if table.origin == Origin::Records {
            alike.retain(|rows| differ(layout, table, vocabulary, rows));
            let columns = columns::telling_apart(table, layout.key, &alike);
            add(&mut names, table, &columns, &alike);
            number(&mut names, &alike);
        }
        let own = names.iter().map(|name| name_key(name)).collect();
        Self { names, written, own }
    }
}

/// Whether rows are held by records under keys.
fn is_keyed(layout: &Layout, table: &Table) -> bool {
    !table.parents.is_empty() && columns::is_key(table.header[layout.key].trimmed())
}

/// Whether rows contradict each other about a thing that is called as they are, so that each is of one of its own. What the
/// ontology declares to identify things names no two of them.
fn differ(layout: &Layout, table: &Table, vocabulary: &Vocabulary, rows: &[usize]) -> bool {
    let is_key = |meaning| vocabulary.key_of(layout.kind, meaning).is_some();
    if layout.meanings[layout.key].is_some_and(is_key) {
        return false;
    }
    let is_single = |column: &usize| match layout.meanings[*column] {
        Some(Meaning::Property(property)) => {
            !matches!(vocabulary.properties[property].definition.kind, DataType::List(_))
        }
        _ => false,
    };
    let differs = |column: usize| {
        let mut values = rows.iter().map(|row| cell(table, *row, column)).filter(|value| !value.is_empty());
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    (0..table.header.len()).filter(is_single).any(differs)
}

/// Adds the values of some columns in brackets to the names of rows.
fn add(names: &mut [String], table: &Table, columns: &[usize], alike: &[Vec<usize>]) {
    for row in alike.iter().flatten() {
        let values: Vec<&str> = columns
            .iter()
            .map(|column| cell(table, *row, *column))
            .filter(|value| !value.is_empty())
            .collect();
        if !values.is_empty() {
            names[*row] = format!("{} ({})", names[*row], values.join(", "));
        }
    }
}

/// Numbers rows that have one name still.
fn number(names: &mut [String], alike: &[Vec<usize>]) {
    let mut times: HashMap<String, usize> = HashMap::new();
    for row in alike.iter().flatten() {
        let times = times.entry(name_key(&names[*row])).and_modify(|times| *times += 1).or_insert(1);
        if *times > 1 {
            names[*row] = format!("{} ({times})", names[*row]);
        }
    }
}

fn cell(table: &Table, row: usize, column: usize) -> &str {
    table.rows[row].cells.get(column).map_or("", BlockText::trimmed)
}
