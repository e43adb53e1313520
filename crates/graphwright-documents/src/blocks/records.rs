//! Reads CSV and JSON as tables.

use std::collections::BTreeMap;

use graphwright_core::Span;
use serde_json::Value as Json;

use super::{Block, Row, Table, text::BlockText};

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
    let mut table = Table::default();
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
    vec![Block::Table(table)]
}

/// Finds the text of a value at its next occurrence in a range.
fn place(text: &str, value: &str, at: &mut usize, end: usize) -> BlockText {
    let Some(found) = text.get(*at..end).and_then(|rest| rest.find(value)) else {
        let mut flat = BlockText::default();
        flat.push(value, *at..*at);
        return flat;
    };
    let start = *at + found;
    *at = start + value.len();
    BlockText::copied(value, start)
}

/// Reads one JSON value: a list of records, or an object with such lists.
pub(super) fn json(text: &str) -> Vec<Block> {
    let Ok(value) = serde_json::from_str::<Json>(text) else { return Vec::new() };
    let mut blocks = Vec::new();
    let mut at = 0;
    read_value(text, "", &value, &mut at, &mut blocks);
    blocks
}

/// Reads JSON with one record per line.
pub(super) fn json_lines(text: &str) -> Vec<Block> {
    let mut records = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Ok(Json::Object(record)) = serde_json::from_str(line.trim()) {
            records.push((record, Span::new(start, start + line.trim_end().len())));
        }
        start += line.len();
    }
    vec![Block::Table(table(text, &records))]
}

type Record = serde_json::Map<String, Json>;

fn read_value(text: &str, name: &str, value: &Json, at: &mut usize, blocks: &mut Vec<Block>) {
    match value {
        Json::Array(items) if items.iter().any(Json::is_object) => {
            if !name.is_empty() {
                let start = text.find(name).unwrap_or(0);
                let span = Span::new(start, start + name.len());
                blocks.push(Block::Heading { level: 1, text: BlockText::copied(name, start), span });
            }
            let records: Vec<(Record, Span)> = items
                .iter()
                .filter_map(Json::as_object)
                .map(|record| {
                    let span = object_span(text, at);
                    (record.clone(), span)
                })
                .collect();
            blocks.push(Block::Table(table(text, &records)));
        }
        Json::Object(record) => {
            let lists = record.values().any(|value| {
                matches!(value, Json::Array(items) if items.iter().any(Json::is_object)) || value.is_object()
            });
            let flat: Record = record
                .iter()
                .filter(|(_, value)| is_plain(value))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            if !flat.is_empty() {
                blocks.push(Block::Table(table(text, &[(flat, Span::new(0, text.trim_end().len()))])));
            }
            if lists {
                for (key, value) in record.iter().filter(|(_, value)| !is_plain(value)) {
                    read_value(text, key, value, at, blocks);
                }
            }
        }
        _ => {}
    }
}

fn is_plain(value: &Json) -> bool {
    match value {
        Json::Array(items) => !items.iter().any(Json::is_object),
        Json::Object(_) => false,
        _ => true,
    }
}

/// Finds the next object at or after a position, from its brace to the matching one.
fn object_span(text: &str, at: &mut usize) -> Span {
    let bytes = text.as_bytes();
    let Some(start) = bytes[*at..].iter().position(|byte| *byte == b'{').map(|found| *at + found) else {
        return Span::new(0, text.len());
    };
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (index, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    *at = index + 1;
                    return Span::new(start, index + 1);
                }
            }
            _ => {}
        }
    }
    *at = text.len();
    Span::new(start, text.len())
}

/// Makes a table of records. Its columns are all their fields, in order of first use.
fn table(text: &str, records: &[(Record, Span)]) -> Table {
    let mut columns: Vec<String> = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut flattened = Vec::new();
    for (record, span) in records {
        let mut fields = Vec::new();
        flatten("", record, &mut fields);
        for (name, _) in &fields {
            if !seen.contains_key(name) {
                seen.insert(name.clone(), columns.len());
                columns.push(name.clone());
            }
        }
        flattened.push((fields, *span));
    }
    let header = columns.iter().map(|name| BlockText::copied(name, 0)).collect();
    let rows = flattened
        .into_iter()
        .map(|(fields, span)| {
            let mut cells = vec![BlockText::default(); columns.len()];
            for (name, value) in fields {
                let mut at = span.start;
                if let Some(found) = text[span.range()].find(&format!("\"{name}\"")) {
                    at += found + name.len() + 2;
                }
                cells[seen[&name]] = place(text, &value, &mut at, span.end);
            }
            Row { cells, span }
        })
        .collect();
    Table { header, rows }
}

fn flatten(prefix: &str, record: &Record, fields: &mut Vec<(String, String)>) {
    for (key, value) in record {
        let name = if prefix.is_empty() { key.clone() } else { format!("{prefix} {key}") };
        match value {
            Json::Null => {}
            Json::String(text) => fields.push((name, text.clone())),
            Json::Array(items) => {
                let parts: Vec<String> = items
                    .iter()
                    .filter_map(|item| match item {
                        Json::String(text) => Some(text.clone()),
                        Json::Number(number) => Some(number.to_string()),
                        Json::Object(object) => object.get("name").and_then(Json::as_str).map(str::to_owned),
                        _ => None,
                    })
                    .collect();
                fields.push((name, parts.join("; ")));
            }
            Json::Object(object) => match object.get("name").and_then(Json::as_str) {
                Some(text) => fields.push((name, text.to_owned())),
                None => flatten(&name, object, fields),
            },
            other => fields.push((name, other.to_string())),
        }
    }
}
