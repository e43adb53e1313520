//! Reads Markdown as blocks.

use std::ops::Range;

use graphwright_core::Span;
use pulldown_cmark::{CodeBlockKind, Event, LinkType, MetadataBlockKind, Options, Parser, Tag, TagEnd};

use super::{
    Block, Row, Table,
    directives::directives,
    head::{self, Notation},
    text::{BlockText, Mark, MarkKind},
};
use crate::links::{LinkReader, WrittenLink};

/// What one pass over Markdown finds.
#[derive(Debug, Default)]
pub(crate) struct Markdown {
    pub(crate) blocks: Vec<Block>,
    pub(crate) links: Vec<WrittenLink>,
    /// The front matter, where the text begins with some.
    pub(crate) front_matter: Option<head::Read>,
}

/// Reads Markdown. Code blocks and raw HTML give no blocks, since they are not prose.
pub(crate) fn read(text: &str) -> Markdown {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_WIKILINKS;
    let mut reader = BlockReader::default();
    let mut links = LinkReader::default();
    let directives = directives(text);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        links.event(&event, &range);
        let next = directives.partition_point(|directive| directive.end <= range.start);
        let inside = directives.get(next).is_some_and(|directive| directive.start <= range.start);
        if !(inside && matches!(event, Event::Text(_) | Event::Code(_))) {
            reader.event(text, event, range);
        }
    }
    reader.flush();
    Markdown { blocks: reader.blocks, links: links.found, front_matter: reader.front_matter }
}

#[derive(Default)]
struct BlockReader {
    blocks: Vec<Block>,
    current: BlockText,
    open: Vec<(MarkKind, usize)>,
    lists: usize,
    heading: u8,
    skip: usize,
    /// The data block under way: what it is written in, and where it stands so far.
    data: Option<(Notation, Range<usize>)>,
    front_matter: Option<head::Read>,
    /// Whether a link `[[…]]` is open. Its words are kept as they are written.
    verbatim: bool,
    table: Option<Table>,
    row: Vec<BlockText>,
    row_start: usize,
    term: Option<BlockText>,
}

impl BlockReader {
    fn event(&mut self, source: &str, event: Event<'_>, range: Range<usize>) {
        if self.verbatim {
            self.verbatim = event != Event::End(TagEnd::Link);
            return;
        }
        match event {
            Event::Start(Tag::Link { link_type: LinkType::WikiLink { .. }, .. }) => {
                if self.skip == 0 {
                    self.current.push(&source[range.clone()], range);
                }
                self.verbatim = true;
            }
            Event::Start(tag) => self.start(&tag, &range),
            Event::End(tag) => {
                if let Some(data) = self.data.take() {
                    self.data(source, data, range.start == 0 && matches!(tag, TagEnd::MetadataBlock(_)));
                }
                self.end(tag, &range);
            }
            Event::Text(_) if self.data.is_some() => {
                if let Some((_, data)) = &mut self.data {
                    *data = if data.end == 0 { range } else { data.start..range.end };
                }
            }
            Event::Text(text) if self.skip == 0 => {
                // An escape such as `\_` is outside the range of the text that follows it.
                self.current.push(&text, range);
            }
            Event::Code(text) if self.skip == 0 => {
                let start = self.current.text.len();
                let from =
                    source[range.clone()].find(text.as_ref()).map_or(range.start, |at| range.start + at);
                let to = (from + text.len()).min(range.end);
                self.current.push(&text, from..to);
                self.current.marks.push(Mark { range: start..self.current.text.len(), kind: MarkKind::Code });
            }
            Event::SoftBreak if self.skip == 0 => self.current.push("\n", range.start..range.start + 1),
            Event::HardBreak if self.skip == 0 => {
                self.current.push("\n", range.start..range.start + 1);
                self.current.breaks.push(self.current.text.len());
            }
            Event::InlineHtml(html) if self.skip == 0 && html.starts_with("<br") => {
                self.current.push("\n", range);
                self.current.breaks.push(self.current.text.len());
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.heading = *level as u8;
            }
            Tag::List(_) => {
                self.flush();
                self.lists += 1;
            }
            Tag::CodeBlock(kind) => {
                self.skip += 1;
                self.data = self.notation_of(kind).map(|notation| (notation, 0..0));
            }
            Tag::HtmlBlock | Tag::Image { .. } | Tag::FootnoteDefinition(_) => {
                self.skip += 1;
            }
            Tag::MetadataBlock(kind) => {
                self.flush();
                let notation = match kind {
                    MetadataBlockKind::YamlStyle => Notation::Yaml,
                    MetadataBlockKind::PlusesStyle => Notation::Toml,
                };
                self.data = Some((notation, 0..0));
            }
            Tag::Strong => self.open.push((MarkKind::Strong, self.current.text.len())),
            Tag::Emphasis => self.open.push((MarkKind::Emphasis, self.current.text.len())),
            Tag::Strikethrough => self.open.push((MarkKind::Struck, self.current.text.len())),
            Tag::Link { .. } => self.open.push((MarkKind::Link, self.current.text.len())),
            Tag::Table(_) => {
                self.flush();
                self.table = Some(Table::default());
            }
            Tag::Paragraph | Tag::TableHead => {}
            Tag::TableRow => self.row_start = range.start,
            // An empty piece, so that an empty cell has a place in the document too.
            Tag::TableCell => self.current = BlockText::copied("", range.start),
            _ => self.flush(),
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Image | TagEnd::FootnoteDefinition => {
                self.skip = self.skip.saturating_sub(1);
            }
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::Strikethrough | TagEnd::Link => {
                if let Some((kind, start)) = self.open.pop() {
                    self.current.marks.push(Mark { range: start..self.current.text.len(), kind });
                }
            }
            TagEnd::Heading(_) => {
                let text = std::mem::take(&mut self.current);
                let span = Span::new(range.start, range.end);
                self.blocks.push(Block::Heading { level: self.heading, text, span });
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists = self.lists.saturating_sub(1);
            }
            TagEnd::TableCell => self.row.push(std::mem::take(&mut self.current)),
            TagEnd::TableHead => {
                let header = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.header = header;
                }
            }
            TagEnd::TableRow => {
                let cells = std::mem::take(&mut self.row);
                let span = Span::new(self.row_start, range.end);
                if let Some(table) = &mut self.table {
                    table.rows.push(Row { cells, span });
                }
            }
            TagEnd::Table => self.blocks.extend(self.table.take().map(Block::Table)),
            TagEnd::DefinitionListTitle => self.term = Some(std::mem::take(&mut self.current)),
            TagEnd::DefinitionListDefinition => {
                let value = std::mem::take(&mut self.current);
                if let Some(term) = &self.term {
                    // A term may have several definitions.
                    let mut text = term.clone();
                    let start = value.span(0..0).start;
                    text.push(": ", start..start);
                    let shift = text.text.len();
                    let length = value.text.len();
                    let span = value.span(0..length);
                    text.push(&value.text, span.range());
                    text.marks.extend(value.marks.into_iter().map(|mark| Mark {
                        range: mark.range.start + shift..mark.range.end + shift,
                        kind: mark.kind,
                    }));
                    self.blocks.push(Block::Item { text });
                }
            }
            _ => self.flush(),
        }
    }

    /// Ends the current paragraph or item.
    fn flush(&mut self) {
        self.open.clear();
        let mut text = std::mem::take(&mut self.current);
        if text.trimmed().is_empty() {
            return;
        }
        text.marks.sort_by_key(|mark| (mark.range.start, std::cmp::Reverse(mark.range.end)));
        self.blocks.push(if self.lists > 0 { Block::Item { text } } else { Block::Paragraph(text) });
    }

    /// What a fenced block before all text, but for a title, is written in: it describes the page.
    fn notation_of(&self, kind: &CodeBlockKind<'_>) -> Option<Notation> {
        let CodeBlockKind::Fenced(mark) = kind else { return None };
        let first = matches!(self.blocks[..], [] | [Block::Heading { .. }]) && self.current.text.is_empty();
        Notation::of_fence(mark).filter(|_| first)
    }

    fn data(&mut self, source: &str, (notation, range): (Notation, Range<usize>), opens: bool) {
        let (read, fields) = head::read(source, range, notation);
        // A code block that is no valid data is code.
        let is_code = read.is_err() && self.skip > 0;
        if opens {
            self.front_matter = Some(read);
        }
        self.blocks.extend(fields.into_iter().filter(|_| !is_code));
    }
}
