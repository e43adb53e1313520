//! What a document says, without its markup: blocks of text, their headings, marked terms and tables.

use std::ops::Range;

use graphwright_core::{Document, document::TextFormat};
use graphwright_documents::load::directives;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

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
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = Reader { directives: directives(markdown), ..Reader::default() };
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        reader.event(event, &range);
    }
    reader.text
}

#[derive(Default)]
struct Reader {
    text: Text,
    block: String,
    directives: Vec<Range<usize>>,
    /// How many parts without prose are open: code, raw HTML, front matter, images with their descriptions.
    silent: usize,
    link: Option<usize>,
    strong: Option<usize>,
    table: Option<Vec<Vec<String>>>,
}

impl Reader {
    fn event(&mut self, event: Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::MetadataBlock(_) | Tag::HtmlBlock | Tag::Image { .. }) => {
                self.silent += 1;
            }
            Event::End(TagEnd::CodeBlock | TagEnd::MetadataBlock(_) | TagEnd::HtmlBlock | TagEnd::Image) => {
                self.silent -= 1;
            }
            _ if self.silent > 0 => {}
            Event::Start(Tag::Table(_)) => self.table = Some(Vec::new()),
            Event::End(TagEnd::Table) => self.text.tables.extend(self.table.take()),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                if let Some(rows) = &mut self.table {
                    rows.push(Vec::new());
                }
            }
            Event::End(TagEnd::TableCell) => {
                let cell = std::mem::take(&mut self.block).trim().to_owned();
                self.text.blocks.push(cell.clone());
                if let Some(row) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell);
                }
            }
            Event::Start(Tag::Link { .. }) => self.link = Some(self.block.len()),
            Event::End(TagEnd::Link) => {
                if let Some(link) = self.link.take().and_then(|start| self.block.get(start..)) {
                    self.text.links.push(link.trim().to_owned());
                }
            }
            Event::Start(Tag::Strong) => self.strong = Some(self.block.len()),
            Event::End(TagEnd::Strong) => {
                if let Some(bold) = self.strong.take().and_then(|start| self.block.get(start..)) {
                    self.text.bold.push(bold.trim().to_owned());
                }
            }
            Event::Code(code) => {
                self.text.code.push(code.trim().to_owned());
                self.block.push_str(&code);
            }
            Event::Text(piece) if !self.is_directive(range.start) => self.block.push_str(&piece),
            Event::SoftBreak | Event::HardBreak | Event::InlineHtml(_) => self.block.push(' '),
            Event::End(TagEnd::Heading(level)) => {
                self.text.headings.push((level as u8, std::mem::take(&mut self.block).trim().to_owned()));
            }
            Event::Start(Tag::Item | Tag::Paragraph) | Event::End(TagEnd::Item | TagEnd::Paragraph) => {
                let ended = std::mem::take(&mut self.block).trim().to_owned();
                if !ended.is_empty() {
                    self.text.blocks.push(ended);
                }
                (self.link, self.strong) = (None, None);
            }
            _ => {}
        }
    }

    fn is_directive(&self, at: usize) -> bool {
        let next = self.directives.partition_point(|directive| directive.end <= at);
        self.directives.get(next).is_some_and(|directive| directive.start <= at)
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
