//! What a document says, without its markup: blocks of text, their headings, marked terms and tables.

use graphwright_core::document::TextFormat;
use graphwright_documents::{
    ParsedDocument,
    blocks::{
        Block, Table,
        text::{BlockText, MarkKind},
    },
};

/// What a document says.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub headings: Vec<(u8, String)>,
    /// Paragraphs, list items and cells.
    pub blocks: Vec<String>,
    /// Code spans.
    pub code: Vec<String>,
    /// Texts of links.
    pub links: Vec<String>,
    /// Bold texts.
    pub bold: Vec<String>,
    /// Rows of cells; the first is the header.
    pub tables: Vec<Vec<Vec<String>>>,
}

pub(super) fn read(document: &ParsedDocument) -> Text {
    match document.format {
        TextFormat::Markdown => read_blocks(document.blocks()),
        TextFormat::Plain => {
            let blocks = document
                .text
                .split("\n\n")
                .map(|block| block.split_whitespace().collect::<Vec<_>>().join(" "));
            Text { blocks: blocks.filter(|block| !block.is_empty()).collect(), ..Text::default() }
        }
        _ => Text::default(),
    }
}

fn read_blocks(blocks: &[Block]) -> Text {
    let mut text = Text::default();
    for block in blocks {
        match block {
            Block::Heading { level, text: words, .. } => {
                text.marked(words);
                text.headings.push((*level, words.on_one_line()));
            }
            Block::Paragraph(words) | Block::Item { text: words } => {
                text.marked(words);
                text.blocks.push(words.on_one_line());
            }
            Block::Table(table) => text.table(table),
            Block::Field { .. } => {}
        }
    }
    text
}

impl Text {
    fn table(&mut self, table: &Table) {
        let rows = std::iter::once(&table.header).chain(table.rows.iter().map(|row| &row.cells));
        let mut read = Vec::new();
        for cells in rows {
            for cell in cells {
                self.marked(cell);
            }
            let cells: Vec<String> = cells.iter().map(BlockText::on_one_line).collect();
            self.blocks.extend_from_slice(&cells);
            read.push(cells);
        }
        self.tables.push(read);
    }

    /// Collects the words that markup singles out.
    fn marked(&mut self, words: &BlockText) {
        for mark in &words.marks {
            let list = match mark.kind {
                MarkKind::Code => &mut self.code,
                MarkKind::Link => &mut self.links,
                MarkKind::Strong => &mut self.bold,
                MarkKind::Emphasis | MarkKind::Struck => continue,
            };
            list.push(words.text[mark.range.clone()].replace('\n', " ").trim().to_owned());
        }
    }
}

/// A word of a block, with what its place says about its capital letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub text: &'t str,
    pub start: usize,
    pub end: usize,
    /// Whether it is the first of a sentence, or follows a colon, a bracket or a quotation mark.
    pub opens: bool,
    /// Whether only one space or hyphen stands before it.
    pub joins: bool,
}

/// The words of a block.
pub(super) fn words(block: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut last_end = 0;
    for part in block.split_whitespace() {
        let start = part.as_ptr() as usize - block.as_ptr() as usize;
        let trimmed = part.trim_start_matches(|character: char| !character.is_alphanumeric());
        let start = start + (part.len() - trimmed.len());
        let is_inner = |character: char| character.is_alphanumeric() || matches!(character, '+' | '#');
        let trimmed = trimmed.trim_end_matches(|character: char| !is_inner(character));
        let trimmed = trimmed.strip_suffix("'s").or_else(|| trimmed.strip_suffix("’s")).unwrap_or(trimmed);
        if trimmed.is_empty() {
            continue;
        }
        let gap = &block[last_end..start];
        let opens = words.is_empty()
            || gap.contains(['.', '!', '?', ':', ';', '(', '"', '“', '|', '•', '–', '—', '/']);
        words.push(Word { text: trimmed, start, end: start + trimmed.len(), opens, joins: gap == " " });
        last_end = start + trimmed.len();
    }
    words
}
