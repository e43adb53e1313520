//! Reads rows of delimited text (RFC 4180).
//!
//! A row knows the line it begins in. A cell knows whether its value stood in quotes: an empty
//! value in quotes is an empty text, one without quotes is no value.

use std::io::BufRead;

use super::super::{CsvFormat, InputProblem, ProblemKind, item::Place};
use crate::{ExchangeError, Result};

/// Maximum length of a row in bytes. A longer row means a quote that is never closed.
const LONGEST_ROW: usize = 64 << 20;

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
            loop {
                if let Some(cells) = self.split(&text, begin)? {
                    return Ok(Some(Row { line: begin, cells }));
                }
                if text.len() > LONGEST_ROW || !self.read_line(&mut text)? {
                    return Err(self.fail(begin, "a quote is opened in this row and not closed").into());
                }
            }
        }
    }

    fn read_line(&mut self, text: &mut String) -> Result<bool> {
        let mut bytes = std::mem::take(text).into_bytes();
        let valid = bytes.len();
        let count = self.reader.read_until(b'\n', &mut bytes).map_err(|error| {
            ExchangeError::from(self.fail(self.line + 1, &format!("it cannot be read: {error}")))
        })?;
        self.line += u64::from(count > 0);
        *text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to() - valid.min(error.utf8_error().valid_up_to());
            ExchangeError::from(self.fail(self.line, &format!("byte {} of the line is not UTF-8", at + 1)))
        })?;
        Ok(count > 0)
    }

    /// Splits a row into its cells. Returns `None` if a quote is still open at the end of `text`.
    fn split(&self, text: &str, line: u64) -> Result<Option<Vec<Cell>>> {
        let CsvFormat { delimiter, quote, .. } = self.format;
        let mut cells = Vec::new();
        let mut rest = text;
        loop {
            let Some(inner) = rest.strip_prefix(quote) else {
                let end = rest.find(delimiter);
                let cell = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                let cell = if end.is_none() { cell.trim_end_matches(['\r', '\n']) } else { cell };
                cells.push(Cell { text: cell.to_owned(), quoted: false });
                match end.and_then(|end| rest.get(end + delimiter.len_utf8()..)) {
                    Some(after) => rest = after,
                    None => return Ok(Some(cells)),
                }
                continue;
            };
            let Some((value, after)) = quoted(inner, quote) else { return Ok(None) };
            cells.push(Cell { text: value, quoted: true });
            if after.trim_end_matches(['\r', '\n']).is_empty() {
                return Ok(Some(cells));
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

/// Reads up to the closing quote.
///
/// Returns the value and the text after the quote, or `None` if the quote is not closed.
fn quoted(mut rest: &str, quote: char) -> Option<(String, &str)> {
    let mut value = String::new();
    loop {
        let end = rest.find(quote)?;
        value.push_str(rest.get(..end)?);
        rest = rest.get(end + quote.len_utf8()..)?;
        match rest.strip_prefix(quote) {
            Some(after) => {
                value.push(quote);
                rest = after;
            }
            None => return Some((value, rest)),
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
}
