//! Turns records that hold other records into tables: one of the records, and one for each kind of thing in them.
//!
//! A map in a record is a part of it (`{"name": {"official": …}}` is the column `name official`), a thing of its own (it
//! has a name), or a dictionary, whose keys are data (`{"nld": "Dutch", "pap": "Papiamento"}`). Things and dictionaries
//! become tables after that of the records, whose cell keeps their names.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use graphwright_core::Span;
use indexmap::IndexMap;

use super::{
    Block, BlockText, Origin, Row, Table, VALUE, heading,
    pairs::Pairs,
    translations,
    wrapped::{Unwrapped, unwrapped},
};
use crate::json::{Json, Value};

/// Keys whose value names what a map describes, the best first.
const NAMING: [&str; 6] = ["name", "title", "label", "id", "key", "code"];
/// The first of [`NAMING`] make a map a thing of its own.
const OWN_NAME: usize = 3;
/// A longer text is no name.
const LONGEST_NAME: usize = 100;
/// Maps with so many keys may say one thing of each.
const LEAST_OF_INDEX: usize = 16;
/// At most so many cells are made of one list; columns that fewer records have are left out first.
const MOST_CELLS: usize = 4_000_000;

/// A record, a thing in a record, or an entry of a dictionary.
#[derive(Clone, Copy, Debug)]
struct Entry<'j> {
    /// Its key in a dictionary.
    key: Option<&'j str>,
    value: &'j Json,
    /// What the record is called that holds it.
    parent: Option<&'j str>,
}

/// A cell: values with their places.
type Cell<'j> = Vec<(&'j str, Range<usize>)>;

/// The records of a list as they become a table.
#[derive(Debug, Default)]
struct Sheet<'j> {
    /// By the keys that lead to it, joined by spaces: the cells by record.
    columns: IndexMap<String, HashMap<usize, Cell<'j>>>,
    /// What the records hold, by the key it stands under.
    nested: IndexMap<&'j str, Vec<Entry<'j>>>,
    /// What each record is called.
    names: Vec<Option<&'j str>>,
}

/// Makes tables of the maps among some values, under a heading where they stand under a key.
pub(super) fn tables(key: Option<(&str, usize)>, values: &[Json]) -> Vec<Block> {
    let Some(groups) = unwrapped(values) else { return tables_of(key, values) };
    // A file of one kind is called as that.
    let is_file = key.is_none() && groups.len() == 1;
    let mut blocks = Vec::new();
    for (kind, Unwrapped { start, records }) in groups {
        let kind = kind.filter(|_| !is_file).map(|kind| (kind, start));
        blocks.extend(tables_of(kind.or(key), &records));
    }
    blocks
}

fn tables_of(key: Option<(&str, usize)>, values: &[Json]) -> Vec<Block> {
    let headed = || key.map(|(key, start)| heading(key, start)).into_iter().collect::<Vec<_>>();
    let entries: Vec<Entry<'_>> = match values {
        [only] if is_index(only) => return [headed(), vec![Block::Table(index(only))]].concat(),
        [only] if is_dictionary(only) => entries_of(only),
        _ => values.iter().filter(|value| value.as_map().is_some()).map(Entry::of).collect(),
    };
    if entries.is_empty() {
        return Vec::new();
    }
    let mut blocks = headed();
    add_tables(&entries, Origin::Records, &mut blocks);
    blocks
}

/// The entries of a map that says one thing of each of its keys as rows: a name where it is a text that no other has
/// (`{"aa": "Afar", "ab": "Abkhazian", …}`), else a value.
fn index(map: &Json) -> Table {
    let entries = entries_of(map);
    let texts: HashSet<&str> = entries.iter().filter_map(|entry| text(entry.value)).collect();
    let header = if texts.len() * 10 >= entries.len() * 9 { "name" } else { VALUE };
    let mut sheet = Sheet { names: vec![None; entries.len()], ..Sheet::default() };
    for (row, entry) in entries.iter().enumerate() {
        let values = match &entry.value.value {
            Value::List(items) => items.iter().filter_map(Json::placed).collect(),
            _ => entry.value.placed().into_iter().collect(),
        };
        sheet.add(header, row, values);
        sheet.add("id", row, entry.key.map(|key| (key, entry.value.range.clone())).into_iter().collect());
    }
    sheet.table(&entries, Origin::Records)
}

/// Whether a map says one thing of each of its keys: the keys are numbers, or values of one kind are more than the fields of a record.
pub(super) fn is_index(map: &Json) -> bool {
    let entries = map.as_map().unwrap_or_default();
    let are_numbered =
        || entries.iter().all(|(key, _)| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit()));
    let is_list = |value: &Json| matches!(value.value, Value::List(_)) && is_plain(value);
    let all = |fits: &dyn Fn(&Json) -> bool| entries.iter().all(|(_, value)| fits(value));
    let are_alike = || all(&|value| text(value).is_some()) || all(&is_list);
    let are_plain = || all(&is_plain);
    entries.len() > 1
        && (entries.len() >= LEAST_OF_INDEX && are_alike() || are_numbered() && are_plain())
        && !is_named(map)
}

/// The only key of all maps in some lists, with nothing but values under it, if it is none of a name: `[{"area": 7}, {"area": 9}]` are
/// areas.
fn only_key<'j>(lists: impl Iterator<Item = &'j [Json]>) -> Option<&'j str> {
    let mut items = lists.flatten().peekable();
    let key = match items.peek()?.as_map()? {
        [(key, _)] if !NAMING.contains(&key.as_str()) => key.as_str(),
        _ => return None,
    };
    let is_it = |item: &Json| matches!(item.as_map(), Some([(own, value)]) if own == key && value.as_text().is_some());
    items.all(is_it).then_some(key)
}

/// A short text that is no number.
fn text(value: &Json) -> Option<&str> {
    let is_name = |text: &&str| text.len() <= LONGEST_NAME && text.parse::<f64>().is_err();
    value.as_text().filter(is_name).filter(|_| matches!(value.value, Value::Text(_)))
}

/// Whether a map is a dictionary of records: most of what they have stands under keys that most of them have.
pub(in super::super) fn is_dictionary(value: &Json) -> bool {
    let maps: Option<Vec<_>> =
        value.as_map().and_then(|entries| entries.iter().map(|(_, value)| value.as_map()).collect());
    let Some(maps) = maps.filter(|maps| maps.len() > 2) else { return false };
    let (keys, uses) = count_keys(maps.iter().copied());
    let common: usize = keys.values().filter(|uses| **uses * 2 > maps.len()).sum();
    common * 2 > uses
}

/// Whether a map names what it describes, which makes it a record with all that it holds.
pub(super) fn is_named(value: &Json) -> bool {
    ["name", "id"].iter().any(|key| value.get(key).is_some_and(|name| name.as_text().is_some()))
}

/// Whether a value has no maps in it.
pub(super) fn is_plain(value: &Json) -> bool {
    match &value.value {
        Value::List(items) => !items.iter().any(|item| item.as_map().is_some()),
        Value::Map(_) => false,
        _ => true,
    }
}

fn add_tables(entries: &[Entry<'_>], origin: Origin, blocks: &mut Vec<Block>) {
    if entries.is_empty() {
        return;
    }
    let names = entries.iter().map(|entry| Some(entry.name()?.0)).collect();
    let mut sheet = Sheet { names, ..Sheet::default() };
    sheet.add_keys(entries);
    let maps = entries.iter().enumerate().filter_map(|(row, entry)| Some((row, entry.value.as_map()?)));
    sheet.add_maps("", maps.collect());
    blocks.push(Block::Table(sheet.table(entries, origin)));
    for (key, entries) in &sheet.nested {
        add_tables(entries, Origin::Nested((*key).to_owned()), blocks);
    }
}

impl<'j> Sheet<'j> {
    /// Adds the keys and the plain values of dictionaries.
    fn add_keys(&mut self, entries: &[Entry<'j>]) {
        let taken = entries.iter().any(|entry| entry.value.get("id").is_some());
        let header = if taken { "key" } else { "id" };
        for (row, entry) in entries.iter().enumerate() {
            self.add("name", row, entry.value.placed().into_iter().collect());
            if let Some(key) = entry.key {
                self.add(header, row, vec![(key, entry.value.range.clone())]);
            }
        }
    }

    /// Adds the maps that stand at one path.
    fn add_maps(&mut self, path: &str, maps: Vec<(usize, &'j [(String, Json)])>) {
        let mut by_key: IndexMap<&'j str, Vec<(usize, &'j Json)>> = IndexMap::new();
        for (row, entries) in maps {
            for (key, value) in entries {
                by_key.entry(key).or_default().push((row, value));
            }
        }
        for (key, values) in by_key {
            let path = if path.is_empty() { key.to_owned() } else { format!("{path} {key}") };
            let maps: Vec<(usize, &Json)> =
                values.iter().copied().filter(|(_, value)| value.as_map().is_some()).collect();
            let kind = MapKind::of(&maps);
            let denials = if kind == MapKind::Dictionary {
                Denials::in_dictionaries(&maps)
            } else {
                Denials::default()
            };
            let lists = values.iter().filter_map(|(_, value)| match &value.value {
                Value::List(items) => Some(items.as_slice()),
                _ => None,
            });
            let (pairs, only_key) = (Pairs::of(&lists), only_key(lists));
            for (row, value) in values {
                match (&value.value, kind) {
                    (Value::Map(_), MapKind::Part) => {}
                    (Value::Map(_), MapKind::Thing) => {
                        self.hold(key, &path, row, vec![Entry::of(value)], &denials);
                    }
                    (Value::Map(_), MapKind::Dictionary) => {
                        self.hold(key, &path, row, entries_of(value), &denials);
                    }
                    (Value::List(items), _) if let Some(only) = only_key.filter(|_| !is_plain(value)) => {
                        let values = items.iter().filter_map(|item| item.get(only)?.placed());
                        self.add(&path, row, values.collect());
                    }
                    (Value::List(items), _) if !is_plain(value) => {
                        for (kind, value) in pairs.iter().flat_map(|pairs| pairs.values(items)) {
                            self.add(&format!("{path} {kind}"), row, vec![value]);
                        }
                        if pairs.is_some_and(|pairs| pairs.are_all) {
                            continue;
                        }
                        self.hold(key, &path, row, items.iter().map(Entry::of).collect(), &denials);
                    }
                    (Value::List(items), _) => {
                        self.add(&path, row, items.iter().filter_map(Json::placed).collect());
                    }
                    _ => self.add(&path, row, value.placed().into_iter().collect()),
                }
            }
            if kind == MapKind::Part {
                let parts = maps.into_iter().filter_map(|(row, value)| Some((row, value.as_map()?)));
                self.add_maps(&path, parts.collect());
            }
        }
    }

    /// Adds things that a record holds, and their names as its cell: not of those that it denies.
    fn hold(&mut self, key: &'j str, path: &str, row: usize, entries: Vec<Entry<'j>>, denials: &Denials<'_>) {
        let stated = entries.iter().filter(|entry| !denials.are_of(entry.value));
        self.add(path, row, stated.filter_map(Entry::name).collect());
        let parent = self.names[row];
        let entries = entries
            .into_iter()
            .filter(|entry| entry.key.is_some() || entry.value.as_map().is_some())
            .map(|entry| Entry { parent, ..entry });
        self.nested.entry(key).or_default().extend(entries);
    }

    fn add(&mut self, path: &str, row: usize, cell: Cell<'j>) {
        if cell.is_empty() {
            return;
        }
        match self.columns.get_mut(path) {
            Some(column) => column.entry(row).or_default().extend(cell),
            None => {
                self.columns.insert(path.to_owned(), HashMap::from([(row, cell)]));
            }
        }
    }

    fn table(&self, entries: &[Entry<'_>], origin: Origin) -> Table {
        let most = (MOST_CELLS / entries.len()).max(1);
        let mut uses: Vec<usize> = self.columns.values().map(HashMap::len).collect();
        uses.sort_unstable_by(|one, other| other.cmp(one));
        let least = uses.get(most).map_or(0, |uses| uses + 1);
        let columns: Vec<_> = self.columns.iter().filter(|(_, cells)| cells.len() >= least).collect();
        let header = columns.iter().map(|(name, _)| BlockText::copied(name, entries[0].value.range.start));
        let rows = entries.iter().enumerate().map(|(row, entry)| Row {
            cells: columns
                .iter()
                .map(|(_, cells)| cells.get(&row).map_or_else(BlockText::default, cell))
                .collect(),
            span: Span::new(entry.value.range.start, entry.value.range.end),
        });
        let is_held = entries.iter().any(|entry| entry.parent.is_some());
        let parent = |entry: &Entry<'_>| entry.parent.unwrap_or_default().to_owned();
        let parents = if is_held { entries.iter().map(parent).collect() } else { Vec::new() };
        translations::in_one_language(Table {
            origin,
            header: header.collect(),
            rows: rows.collect(),
            parents,
        })
    }
}

fn cell(values: &Cell<'_>) -> BlockText {
    BlockText::list(values.iter().cloned())
}

impl<'j> Entry<'j> {
    fn of(value: &'j Json) -> Self {
        Self { key: None, value, parent: None }
    }

    /// What it is called, and where that stands.
    fn name(&self) -> Option<(&'j str, Range<usize>)> {
        let named = || {
            NAMING.iter().find_map(|key| {
                let value = self.value.get(key)?;
                value.placed().or_else(|| value.as_map()?.iter().find_map(|(_, value)| value.placed()))
            })
        };
        let keyed = || Some((self.key?, self.value.range.clone()));
        self.value.placed().or_else(named).or_else(keyed).or_else(|| only_text(self.value))
    }
}

/// The text of a map that has only one, beside numbers and lists: `{"item": "rope", "share": 0.5}`.
fn only_text(map: &Json) -> Option<(&str, Range<usize>)> {
    let texts = map.as_map()?.iter().filter(|(_, value)| matches!(value.value, Value::Text(_)));
    let mut texts = texts.filter_map(|(_, value)| value.placed());
    texts.next().filter(|_| texts.next().is_none())
}

/// The keys of entries of dictionaries under which `false` says that there is no such thing, as others have a value that is no truth
/// value: `{"chrome": {"since": "85"}, "safari": {"since": false}}`.
#[derive(Debug, Default)]
struct Denials<'j>(HashSet<&'j str>);

impl<'j> Denials<'j> {
    fn in_dictionaries(maps: &[(usize, &'j Json)]) -> Self {
        let entries = maps.iter().filter_map(|(_, map)| map.as_map()).flatten();
        let (mut stated, mut denied) = (HashSet::new(), HashSet::new());
        for (key, value) in entries.filter_map(|(_, value)| value.as_map()).flatten() {
            match &value.value {
                Value::Literal(literal) if literal == "false" => {
                    denied.insert(key.as_str());
                }
                Value::Literal(literal) if literal == "true" => {}
                Value::Text(_) | Value::Literal(_) => {
                    stated.insert(key.as_str());
                }
                _ => {}
            }
        }
        denied.retain(|key| stated.contains(key));
        Self(denied)
    }

    fn are_of(&self, entry: &Json) -> bool {
        let is_false = |value: &Json| matches!(&value.value, Value::Literal(literal) if literal == "false");
        let mut entries = entry.as_map().into_iter().flatten();
        entries.any(|(key, value)| self.0.contains(key.as_str()) && is_false(value))
    }
}

/// What the maps at one path are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MapKind {
    Part,
    Thing,
    Dictionary,
}

impl MapKind {
    /// Tells what the maps of the records, by their number, are.
    fn of(maps: &[(usize, &Json)]) -> Self {
        let entries = || maps.iter().filter_map(|(_, map)| map.as_map());
        let count = maps.len();
        let (keys, uses) = count_keys(entries());
        let most = keys.values().copied().max().unwrap_or(0);
        // The keys of a dictionary differ from record to record, or what stands under them is alike.
        let differ = count > 3 && keys.len() * count >= uses * 3 && most * 5 <= count * 3;
        if differ || maps.iter().filter(|(_, map)| is_dictionary(map)).count() * 2 > count {
            return Self::Dictionary;
        }
        let named = |map: &&[(String, Json)]| {
            let names = |(key, value): &(String, Json)| {
                NAMING[..OWN_NAME].contains(&key.as_str()) && value.as_text().is_some()
            };
            map.iter().any(names)
        };
        if entries().filter(named).count() * 2 > count { Self::Thing } else { Self::Part }
    }
}

/// Counts how often each key is used, and all uses.
fn count_keys<'j>(maps: impl Iterator<Item = &'j [(String, Json)]>) -> (HashMap<&'j str, usize>, usize) {
    let mut keys = HashMap::new();
    let mut uses = 0;
    for map in maps {
        for key in map.iter().map(|(key, _)| key.as_str()).collect::<HashSet<_>>() {
            *keys.entry(key).or_default() += 1;
            uses += 1;
        }
    }
    (keys, uses)
}

fn entries_of(map: &Json) -> Vec<Entry<'_>> {
    map.as_map()
        .into_iter()
        .flatten()
        .map(|(key, value)| Entry { key: Some(key.as_str()), ..Entry::of(value) })
        .collect()
}
