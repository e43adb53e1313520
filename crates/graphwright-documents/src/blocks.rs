//! Documents as blocks: headings, paragraphs, list items and tables, each with its text.

mod markdown;
mod plain;
mod records;
pub mod text;

use graphwright_core::{Document, Span, document::TextFormat};

use self::text::Flat;

/// A block of a document.
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading of level 1 to 6.
    Heading { level: u8, text: Flat },
    /// Running text.
    Paragraph(Flat),
    /// An item of a list.
    Item { text: Flat },
    /// A table.
    Table(Table),
    /// `key: value` before the text of a page.
    Field { key: String, value: Flat },
}

/// A table, or records with the same fields.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The column headers; empty when there are none.
    pub header: Vec<Flat>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its cells; a cell of a record that is missing is empty.
    pub cells: Vec<Flat>,
    /// Where it stands.
    pub span: Span,
}

/// Reads the blocks of a document.
pub fn read(document: &Document) -> Vec<Block> {
    let mut blocks = match document.format {
        TextFormat::Markdown => markdown::read(&document.text),
        TextFormat::Plain => plain::read(&document.text),
        TextFormat::Csv => records::csv(&document.text),
        TextFormat::Json => records::json(&document.text),
        TextFormat::JsonLines => records::json_lines(&document.text),
    };
    for block in &mut blocks {
        if let Block::Paragraph(text) | Block::Item { text } = block {
            break_at_fields(text);
        }
    }
    blocks
}

/// Ends a sentence before and after a line `key: value`, so that no name reaches over the end of the line.
fn break_at_fields(text: &mut Flat) {
    let mut start = 0;
    for line in text.text.split_inclusive('\n') {
        let end = start + line.len();
        let field = line.split_once(": ").is_some_and(|(key, _)| {
            key.split_whitespace().count() <= 4 && !key.contains(['.', ',', ';', '('])
        });
        if field {
            text.breaks.extend([start, end]);
        }
        start = end;
    }
    text.breaks.retain(|at| *at > 0);
    text.breaks.sort_unstable();
    text.breaks.dedup();
}
