//! Documents as blocks: headings, paragraphs, list items and tables, each with its text and the byte
//! ranges that it stands for.

pub(crate) mod directives;
pub(crate) mod markdown;
mod plain;
mod records;
pub mod text;

use graphwright_core::{Span, document::TextFormat};

use self::text::Flat;

/// A block of a document.
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading.
    Heading {
        /// Its level, from 1 to 6.
        level: u8,
        /// Its words.
        text: Flat,
        /// Where it stands, with its marks.
        span: Span,
    },
    /// Running text.
    Paragraph(Flat),
    /// An item of a list.
    Item {
        /// Its words.
        text: Flat,
    },
    /// A table.
    Table(Table),
    /// `key: value` before the text of a page.
    Field {
        /// The key.
        key: String,
        /// The value.
        value: Flat,
    },
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

/// Returns the blocks of a text of any format but Markdown, which [`markdown::read`] reads.
pub(crate) fn read_unmarked(text: &str, format: TextFormat) -> Vec<Block> {
    match format {
        TextFormat::Markdown => Vec::new(),
        TextFormat::Plain => plain::read(text),
        TextFormat::Csv => records::csv(text),
        TextFormat::Json => records::json(text),
        TextFormat::JsonLines => records::json_lines(text),
    }
}

/// Ends sentences at lines `key: value` of paragraphs and items.
pub(crate) fn end_sentences_at_fields(blocks: &mut [Block]) {
    for block in blocks {
        if let Block::Paragraph(text) | Block::Item { text } = block {
            break_at_fields(text);
        }
    }
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
