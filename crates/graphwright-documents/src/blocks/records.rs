//! Reads CSV, JSON and GeoJSON as tables.

mod geojson;
mod nested;
mod pairs;
mod translations;
mod wrapped;

pub(super) use nested::is_dictionary;

use graphwright_core::Span;

use super::{Block, Origin, Row, Table, VALUE, text::BlockText};
use crate::json::{Json, Value};

/// Keys of lists that say no more than that they are ones.
const CONTAINERS: [&str; 12] = [
    "items", "data", "results", "records", "rows", "entries", "list", "elements", "objects", "value",
    "values", "hits",
];

/// Reads CSV with a header line as one table. The delimiter is the most frequent of `,`, `;`, tab
/// and `|` in the header.
pub(super) fn csv(text: &str) -> Vec<Block> {
    let first = text.lines().next().unwrap_or("");
    let delimiter = [b',', b';', b'\t', b'|']
        .into_iter()
        .max_by_key(|delimiter| first.bytes().filter(|byte| byte == delimiter).count())
        .unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut table = Table { origin: Origin::Records, ..Table::default() };
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).is_ok_and(|more| more) {
        let start = record.position().map_or(0, |position| position.byte() as usize).min(text.len());
        let end = (reader.position().byte() as usize).min(text.len());
        let lead = text[start..end].len() - text[start..end].trim_start().len();
        let span = Span::new(start + lead, start + text[start..end].trim_end().len().max(lead));
        let mut at = span.start;
        let cells = record.iter().map(|cell| place(text, cell.trim(), &mut at, span.end)).collect();
        if table.header.is_empty() {
            table.header = cells;
        } else {
            table.rows.push(Row { cells, span });
        }
    }
    vec![Block::Table(translations::in_one_language(table))]
}

/// Finds the text of a cell at its next occurrence in a range, where its quotation marks may be doubled (RFC 4180).
fn place(text: &str, cell: &str, at: &mut usize, end: usize) -> BlockText {
    let rest = text.get(*at..end).unwrap_or_default();
    let written = if rest.contains(cell) { cell.to_owned() } else { cell.replace('"', "\"\"") };
    let start = rest.find(&written).map(|found| *at + found);
    let source = start.map_or(*at..*at, |start| start..start + written.len());
    *at = source.end;
    let mut flat = BlockText::default();
    flat.push(cell, source);
    flat
}

/// Reads one JSON value: a list of records, or a map with such lists.
pub(super) fn json(text: &str) -> Vec<Block> {
    Json::read(text).map_or_else(Vec::new, |value| of(text, &value))
}

/// Reads a value as a list of records, or a map with such lists.
pub(super) fn of(text: &str, value: &Json) -> Vec<Block> {
    let mut blocks = Vec::new();
    read(text, None, value, &mut blocks);
    blocks
}

/// Reads JSON with one record per line.
pub(super) fn json_lines(text: &str) -> Vec<Block> {
    let mut records = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let record = Json::read_in(text, start..start + line.len());
        records.extend(record.map(|record| geojson::feature(&record).unwrap_or(record)));
        start += line.len();
    }
    nested::tables(None, &records)
}

/// Reads a value and what it holds; `key` is what it stands under.
fn read(text: &str, key: Option<(&str, usize)>, value: &Json, blocks: &mut Vec<Block>) {
    if let Some(features) = geojson::features(value) {
        blocks.extend(nested::tables(key, &features));
        return;
    }
    match &value.value {
        Value::List(items) => blocks.extend(nested::tables(key, items)),
        Value::Map(entries) => {
            if is_dictionary(value) || nested::is_index(value) || nested::is_named(value) {
                blocks.extend(nested::tables(key, std::slice::from_ref(value)));
                return;
            }
            let (plain, deep): (Vec<_>, Vec<_>) =
                entries.iter().cloned().partition(|(_, value)| nested::is_plain(value));
            if !plain.is_empty() {
                let record = Json { range: value.range.clone(), value: Value::Map(plain) };
                let mut tables = nested::tables(key, &[record]);
                // What stands beside lists of records describes the file.
                if let Some(Block::Table(table)) = tables.last_mut().filter(|_| !deep.is_empty()) {
                    table.origin = Origin::Text;
                }
                blocks.extend(tables);
            }
            let lists = deep.iter().filter(|(_, value)| matches!(value.value, Value::List(_))).count();
            for (name, value) in &deep {
                // `{"items": […], "next": null}` is what the file is called.
                let is_container = lists == 1 && CONTAINERS.contains(&name.to_lowercase().as_str());
                if is_container && !is_wrapped(value) {
                    read(text, key, value, blocks);
                    continue;
                }
                // The key stands before its value.
                let start = text[..value.range.start].rfind(name.as_str()).unwrap_or(value.range.start);
                read(text, Some((name, start)), value, blocks);
            }
        }
        _ => {}
    }
}

/// Whether the records of a list say what they are.
fn is_wrapped(list: &Json) -> bool {
    matches!(&list.value, Value::List(items) if wrapped::unwrapped(items).is_some())
}

fn heading(key: &str, start: usize) -> Block {
    Block::Heading {
        level: 1,
        text: BlockText::copied(key, start),
        span: Span::new(start, start + key.len()),
    }
}

#[cfg(test)]
mod tests;
