//! Checks the form of CSV, JSON and JSON Lines, and normalises CSV.

use crate::json::{DEEPEST, structure};

/// Normalises CSV to commas. Semicolons or tabs are the delimiter if the header line has more of
/// them.
pub(super) fn normalise_csv(text: &str) -> Result<String, String> {
    let delimiter = delimiter(text);
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(text.as_bytes());
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in reader.byte_records() {
        let record = record.map_err(|error| describe(&error))?;
        if delimiter != b',' {
            writer.write_byte_record(&record).map_err(|error| error.to_string())?;
        }
    }
    // The text stays byte for byte as it is: its records were only checked.
    if delimiter == b',' {
        return Ok(text.to_owned());
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// Reads a text that is not called as CSV as such, where its first line has names of columns and each other one as many values, as
/// in the feeds of GTFS. `None` if it is none.
pub(super) fn delimited(text: &str) -> Option<String> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter(text)).has_headers(false).from_reader(text.as_bytes());
    let mut records = reader.records();
    let header = records.next()?.ok()?;
    // Two names and no more may be two words of a sentence. In lists of a text a space follows the comma.
    let (most_words, least_rows) = if header.len() > 2 { (3, 1) } else { (1, 2) };
    let is_name = |cell: &str| {
        cell.len() <= 40
            && cell.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && cell.chars().all(|sign| sign.is_alphanumeric() || "_-./# ".contains(sign))
            && cell.split(' ').count() <= most_words
    };
    let is_table = header.len() > 1
        && header.iter().all(is_name)
        && records.take(least_rows).flatten().count() == least_rows;
    is_table.then(|| normalise_csv(text).ok())?
}

fn delimiter(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or_default();
    let count = |delimiter: &u8| header.bytes().filter(|byte| byte == delimiter).count();
    // On a tie the last one wins, which is the comma.
    [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

fn describe(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line} has {len} fields where the header has {expected_len}")
        }
        _ => format!("cannot be read as CSV: {error}"),
    }
}

pub(super) fn check_json(text: &str) -> Result<(), String> {
    check_depth(text)?;
    serde_json::from_str::<serde::de::IgnoredAny>(text)
        .map(|_| ())
        .map_err(|error| format!("is not valid JSON: {error}"))
}

pub(super) fn check_json_lines(text: &str) -> Result<(), String> {
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        check_depth(line).map_err(|reason| format!("line {} {reason}", index + 1))?;
        serde_json::from_str::<serde::de::IgnoredAny>(line)
            .map_err(|error| format!("line {} is not valid JSON: {error}", index + 1))?;
    }
    Ok(())
}

/// Refuses what the reader of its values would not follow.
fn check_depth(text: &str) -> Result<(), String> {
    if structure(text).any(|(_, _, depth)| depth > DEEPEST) {
        return Err(format!("is nested more than {DEEPEST} deep; flatten it"));
    }
    Ok(())
}
