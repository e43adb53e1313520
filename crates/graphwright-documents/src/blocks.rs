//! Documents as blocks: headings, paragraphs, list items and tables.
//!
//! A block has its text without markup ([`BlockText`]), which still knows the byte range of the document
//! for each of its parts. [`ParsedDocument::blocks`](crate::ParsedDocument::blocks) returns the
//! blocks of a document.

pub(crate) mod directives;
pub(crate) mod head;
pub(crate) mod markdown;
mod plain;
mod records;
pub mod text;

use graphwright_core::{Span, document::TextFormat};

use self::text::BlockText;

/// The header of what a map says of each of its keys, where that is no name: `{"111": 1, "112": 1}`.
pub const VALUE: &str = "value";

/// A block of a document.
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading.
    Heading {
        /// Level of the heading, from 1 to 6.
        level: u8,
        /// Text of the heading.
        text: BlockText,
        /// Byte range of the heading, with its markup.
        span: Span,
    },
    /// Running text.
    Paragraph(BlockText),
    /// An item of a list.
    Item {
        /// Text of the item.
        text: BlockText,
    },
    /// A table.
    Table(Table),
    /// What the data before the text of a page says under a key: a value, or several.
    Field {
        /// The key; within maps, behind their names (`author.name`).
        key: String,
        /// The value.
        value: BlockText,
        /// The name of the map that it stands in, where its key does not say it.
        group: Option<String>,
    },
}

/// Where a table stands, which tells how its cells are to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// In a text, laid out for readers.
    #[default]
    Text,
    /// It is a file of records, or a list of them in one: its cells are values as they stand.
    Records,
    /// It holds what records of the table before it have under this key, such as the currencies of countries.
    Nested(String),
}

/// A table, or records with equal fields.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Where it stands.
    pub origin: Origin,
    /// The column headers. Empty if there are none.
    pub header: Vec<BlockText>,
    /// The rows.
    pub rows: Vec<Row>,
    /// What the record is called that holds each row, of a table of what records hold. Empty if no rows are held.
    pub parents: Vec<String>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The cells. A field that a record lacks is an empty cell.
    pub cells: Vec<BlockText>,
    /// Byte range of the row.
    pub span: Span,
}

/// Reads the blocks of a text in any format but Markdown, which [`markdown::read`] reads.
pub(crate) fn read_unmarked(text: &str, format: TextFormat) -> Vec<Block> {
    match format {
        TextFormat::Markdown => Vec::new(),
        TextFormat::Plain => plain::read(text),
        TextFormat::Csv => records::csv(text),
        TextFormat::Json => records::json(text),
        TextFormat::JsonLines => records::json_lines(text),
        TextFormat::Yaml | TextFormat::Toml => {
            let read = head::Notation::of_format(format).map(|notation| head::read_file(text, notation));
            read.and_then(Result::ok).unwrap_or_default()
        }
    }
}

/// Ends sentences at the lines `key: value` of paragraphs and items.
pub(crate) fn end_sentences_at_fields(blocks: &mut [Block]) {
    for block in blocks {
        if let Block::Paragraph(text) | Block::Item { text } = block {
            break_at_fields(text);
        }
    }
}

/// Ends a sentence before and after a line `key: value`, so that no name reaches past the end of
/// the line.
fn break_at_fields(text: &mut BlockText) {
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
