//! Reads rows of delimited text (RFC 4180).
//!
//! A row knows the line it begins in. A cell knows whether its value stood in quotes: an empty
//! value in quotes is an empty text, one without quotes is no value.

use std::io::BufRead;

use super::super::{
    CsvFormat, InputProblem, ProblemKind,
    files::{LONGEST_LINE, read_line},
    item::Place,
};
use crate::{ExchangeError, Result};

/// A reader of rows.
pub(in super::super) struct Rows<'a, R> {
    reader: R,
    format: CsvFormat,
    file: &'a str,
    line: u64,
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Row {
    /// Line in which the row begins, from 1.
    pub(in super::super) line: u64,
    cells: Vec<Cell>,
}

/// One value of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Cell {
    /// The value, without its quotes.
    pub(in super::super) text: String,
    /// Whether the value stood in quotes.
    pub(in super::super) quoted: bool,
}

impl Row {
    pub(in super::super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub(in super::super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns the value in a column, or `None` if there is none.
    pub(in super::super) fn get(&self, column: usize) -> Option<&str> {
        self.cells
            .get(column)
            .filter(|cell| cell.quoted || !cell.text.is_empty())
            .map(|cell| cell.text.as_str())
    }
}

impl<'a, R: BufRead> Rows<'a, R> {
    pub(in super::super) fn new(reader: R, format: CsvFormat, file: &'a str) -> Self {
        Self { reader, format, file, line: 0 }
    }

    /// Reads the next row and skips empty lines. Returns `None` at the end.
    pub(in super::super) fn next_row(&mut self) -> Result<Option<Row>> {
        loop {
            let mut text = String::new();
            if !self.read_line(&mut text)? {
                return Ok(None);
            }
            let begin = self.line;
            // Spreadsheet programs begin UTF-8 files with a byte order mark.
            if begin == 1 && text.starts_with('\u{feff}') {
                text.remove(0);
            }
            if text.trim_end_matches(['\r', '\n']).is_empty() {
                continue;
            }
            let mut row = Open::default();
            let mut length = 0;
            while !self.split(&text, &mut row, begin)? {
                length += text.len();
                text.clear();
                // So long a row means a quote that is never closed.
                if length > LONGEST_LINE || !self.read_line(&mut text)? {
                    return Err(self.fail(begin, "a quote is opened in this row and not closed").into());
                }
            }
            return Ok(Some(Row { line: begin, cells: row.cells }));
        }
    }

    fn read_line(&mut self, text: &mut String) -> Result<bool> {
        let mut bytes = std::mem::take(text).into_bytes();
        let count = read_line(&mut self.reader, &mut bytes).map_err(|error| {
            ExchangeError::from(self.fail(self.line + 1, &format!("it cannot be read: {error}")))
        })?;
        self.line += u64::from(count > 0);
        *text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            ExchangeError::from(self.fail(self.line, &format!("byte {} of the line is not UTF-8", at + 1)))
        })?;
        Ok(count > 0)
    }

    /// Splits the next line of a row into its cells. Returns whether the row ends with it, which it does not where a
    /// quote is open.
    fn split(&self, text: &str, row: &mut Open, line: u64) -> Result<bool> {
        let CsvFormat { delimiter, quote, .. } = self.format;
        let cells = &mut row.cells;
        let mut rest = text;
        loop {
            let begun = row.value.take();
            let inner = if begun.is_some() { Some(rest) } else { rest.strip_prefix(quote) };
            let Some(inner) = inner else {
                let end = rest.find(delimiter);
                let cell = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                let cell = if end.is_none() { cell.trim_end_matches(['\r', '\n']) } else { cell };
                cells.push(Cell { text: cell.to_owned(), quoted: false });
                match end.and_then(|end| rest.get(end + delimiter.len_utf8()..)) {
                    Some(after) => rest = after,
                    None => return Ok(true),
                }
                continue;
            };
            let mut value = begun.unwrap_or_default();
            let Some(after) = read_quoted(inner, quote, &mut value) else {
                row.value = Some(value);
                return Ok(false);
            };
            cells.push(Cell { text: value, quoted: true });
            if after.trim_end_matches(['\r', '\n']).is_empty() {
                return Ok(true);
            }
            let Some(next) = after.strip_prefix(delimiter) else {
                let message = format!("value {} goes on after its closing quote", cells.len());
                return Err(self.fail(line, &message).into());
            };
            rest = next;
        }
    }

    fn fail(&self, line: u64, message: &str) -> InputProblem {
        let hint = "check the delimiter and the quotes; a quote within quotes is written twice";
        Place { file: self.file, line }.problem(ProblemKind::Form, message, hint)
    }
}

/// A row of which more lines may follow.
#[derive(Default)]
struct Open {
    cells: Vec<Cell>,
    /// The value so far whose quote is open.
    value: Option<String>,
}

/// Appends what stands before the closing quote to `value`.
///
/// Returns the text after the quote, or `None` if the quote is not closed.
fn read_quoted<'t>(mut rest: &'t str, quote: char, value: &mut String) -> Option<&'t str> {
    loop {
        let Some(end) = rest.find(quote) else {
            value.push_str(rest);
            return None;
        };
        value.push_str(rest.get(..end)?);
        rest = rest.get(end + quote.len_utf8()..)?;
        match rest.strip_prefix(quote) {
            Some(after) => {
                value.push(quote);
                rest = after;
            }
            None => return Some(rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &[u8]) -> Result<Vec<(u64, Vec<Option<String>>)>> {
        let mut rows = Rows::new(text, CsvFormat::default(), "x.csv");
        let mut found = Vec::new();
        while let Some(row) = rows.next_row()? {
            let cells = (0..row.len()).map(|column| row.get(column).map(str::to_owned)).collect();
            found.push((row.line, cells));
        }
        Ok(found)
    }

    #[test]
    fn quotes_line_breaks_and_missing_values() {
        let found = rows(b"\xef\xbb\xbfa,b\r\n\r\n1,\"x, \"\"y\"\"\r\nz\"\n\"\",\n").unwrap();
        let some = |text: &str| Some(text.to_owned());
        let expected = [
            (1, vec![some("a"), some("b")]),
            (3, vec![some("1"), some("x, \"y\"\r\nz")]),
            (5, vec![some(""), None]),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn broken_text_is_named_with_its_line() {
        let message = |text: &[u8]| rows(text).unwrap_err().to_string();
        insta::assert_snapshot!(message(b"a\n\"b\nc\n"), @"x.csv, line 2: a quote is opened in this row and not closed");
        insta::assert_snapshot!(message(b"a\n\"b\"c\n"), @"x.csv, line 2: value 1 goes on after its closing quote");
        insta::assert_snapshot!(message(b"a\nb\xff\n"), @"x.csv, line 2: byte 2 of the line is not UTF-8");
    }

    #[test]
    fn a_value_of_many_lines_takes_time_with_its_length() {
        let text = format!("a\n\"{}\"\n", "\"\"\n".repeat(200_000));
        let found = rows(text.as_bytes()).unwrap();
        assert_eq!(found[1].1, [Some("\"\n".repeat(200_000))]);
    }
}
