//! The fields of a head, with the places of their values.

use std::{collections::HashMap, ops::Range};

use indexmap::IndexMap;

use super::super::{Block, text::BlockText};
use crate::json::{Json, Value};

/// The entries of a map.
type Entries = [(String, Json)];
/// The values of a field, with their places.
type Values<'j> = Vec<(&'j str, Range<usize>)>;

/// A field whose name says enough without the maps that it stands in.
struct Grouped<'j> {
    name: &'j str,
    group: &'j str,
}

/// What was found under a name.
#[derive(Default)]
struct Found<'j> {
    group: Option<&'j str>,
    values: Values<'j>,
}

/// Returns the fields of a head. A map in it is a part of the document, as in records: `author: {name: Ada}` is the field
/// `author.name`. A map that has only maps says where its content belongs: `menu: {docs: {parent: runbook}}` is the field
/// `parent`, unless there is another one; so is the head itself, in which `package: {name: x}, build: {jobs: 2}` are the
/// fields `name` and `jobs`. Lists of maps beside them stay what they are.
pub(super) fn of(head: &Entries) -> Vec<Block> {
    let grouped = grouped(head);
    let mut found: IndexMap<String, Found<'_>> = IndexMap::new();
    each_value("", head, &mut |path, value, place| {
        let known = grouped.get(path);
        let field = found.entry(known.map_or(path, |known| known.name).to_owned()).or_default();
        field.group = field.group.or(known.map(|known| known.group));
        field.values.push((value, place));
    });
    let field = |(key, Found { group, values }): (String, Found<'_>)| {
        let single = values.len() == 1;
        let mut value = BlockText::list(values);
        if single {
            value.items.clear();
        }
        Block::Field { key, value, group: group.map(str::to_owned) }
    };
    found.into_iter().map(field).collect()
}

/// Calls a function with each text, number and truth value below some entries, its path and its place.
fn each_value<'j>(path: &str, entries: &'j Entries, seen: &mut impl FnMut(&str, &'j str, Range<usize>)) {
    for (key, value) in entries {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        values_at(&path, value, seen);
    }
}

fn values_at<'j>(path: &str, value: &'j Json, seen: &mut impl FnMut(&str, &'j str, Range<usize>)) {
    match &value.value {
        Value::Null => {}
        Value::Map(entries) => each_value(path, entries, seen),
        Value::List(items) => {
            for item in items {
                values_at(path, item, seen);
            }
        }
        Value::Text(_) | Value::Literal(_) => {
            if let Some(text) = value.as_text() {
                seen(path, text, value.range.clone());
            }
        }
    }
}

/// The fields in maps of which groups are made, where each has a name of its own, by their paths.
fn grouped(head: &Entries) -> HashMap<String, Grouped<'_>> {
    let mut groups: Vec<(String, &str, &Entries)> = Vec::new();
    for (name, group) in maps(head).into_iter().flatten() {
        groups.push((name.to_owned(), name, group));
    }
    for (outer, inner) in head {
        for (name, group) in inner.as_map().and_then(maps).into_iter().flatten() {
            groups.push((format!("{outer}.{name}"), name, group));
        }
    }
    let fields = groups.iter().flat_map(|(path, group, fields)| {
        let named = fields.iter().filter(|(_, value)| value.as_map().is_none());
        named.map(move |(name, _)| (format!("{path}.{name}"), name.as_str(), *group))
    });
    let fields: Vec<(String, &str, &str)> = fields.collect();
    let mut counts: HashMap<&str, usize> = head.iter().map(|(key, _)| (key.as_str(), 1)).collect();
    for (_, name, _) in &fields {
        *counts.entry(name).or_default() += 1;
    }
    let own = fields.into_iter().filter(|(_, name, _)| counts.get(name) == Some(&1));
    own.map(|(path, name, group)| (path, Grouped { name, group })).collect()
}

/// The maps that a map consists of, beside lists of maps (`[[affected]]`); `None` if there is something else in it.
fn maps(entries: &Entries) -> Option<Vec<(&str, &Entries)>> {
    let parts = entries.iter().filter(|(_, part)| !lists_maps(part));
    parts.map(|(name, inner)| Some((name.as_str(), inner.as_map()?))).collect()
}

fn lists_maps(part: &Json) -> bool {
    matches!(&part.value, Value::List(items) if !items.is_empty() && items.iter().all(|item| item.as_map().is_some()))
}
