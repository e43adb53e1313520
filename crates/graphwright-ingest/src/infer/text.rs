//! What a document says, without its markup: blocks of text, their headings, marked terms and tables.

use graphwright_core::{Document, document::TextFormat};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// What a document says.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub headings: Vec<(u8, String)>,
    /// Paragraphs, list items and cells.
    pub blocks: Vec<String>,
    /// Bold terms and code spans.
    pub marked: Vec<String>,
    /// Rows of cells; the first is the header.
    pub tables: Vec<Vec<Vec<String>>>,
}

pub(super) fn read(document: &Document) -> Text {
    match document.format {
        TextFormat::Markdown => read_markdown(&document.text),
        TextFormat::Plain => {
            let blocks = document
                .text
                .split("\n\n")
                .map(|block| block.split_whitespace().collect::<Vec<_>>().join(" "));
            Text { blocks: blocks.filter(|block| !block.is_empty()).collect(), ..Text::default() }
        }
        TextFormat::Csv | TextFormat::Json | TextFormat::JsonLines => Text::default(),
    }
}

fn read_markdown(markdown: &str) -> Text {
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_GFM;
    let mut text = Text::default();
    let mut block = String::new();
    let (mut silent, mut bold) = (0_usize, None);
    let mut table: Option<Vec<Vec<String>>> = None;
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::MetadataBlock(_) | Tag::HtmlBlock) => silent += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::MetadataBlock(_) | TagEnd::HtmlBlock) => silent -= 1,
            _ if silent > 0 => {}
            Event::Start(Tag::Table(_)) => table = Some(Vec::new()),
            Event::End(TagEnd::Table) => text.tables.extend(table.take()),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                if let Some(rows) = &mut table {
                    rows.push(Vec::new());
                }
            }
            Event::End(TagEnd::TableCell) => {
                let cell = std::mem::take(&mut block).trim().to_owned();
                text.blocks.push(cell.clone());
                if let Some(row) = table.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell);
                }
            }
            Event::Start(Tag::Strong) => bold = Some(block.len()),
            Event::End(TagEnd::Strong) => {
                if let Some(term) = bold.take().and_then(|start| block.get(start..)) {
                    text.marked.push(term.trim().to_owned());
                }
            }
            Event::Code(code) => {
                text.marked.push(code.trim().to_owned());
                block.push_str(&code);
            }
            Event::Text(piece) => block.push_str(&piece),
            Event::SoftBreak | Event::HardBreak | Event::Html(_) | Event::InlineHtml(_) => block.push(' '),
            Event::End(TagEnd::Heading(level)) => {
                text.headings.push((level as u8, std::mem::take(&mut block).trim().to_owned()));
            }
            Event::Start(Tag::Item | Tag::Paragraph) | Event::End(TagEnd::Item | TagEnd::Paragraph) => {
                let ended = std::mem::take(&mut block).trim().to_owned();
                if !ended.is_empty() {
                    text.blocks.push(ended);
                }
                bold = None;
            }
            _ => {}
        }
    }
    text
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
