//! Splits documents into passages. They cover the whole text of a document, in order and without
//! overlap.

mod records;
mod regions;
#[cfg(test)]
mod tests;

use graphwright_core::{
    Chunk, Span,
    document::{Pages, TextFormat},
};
use text_splitter::{ChunkConfig, MarkdownSplitter, TextSplitter};

use crate::{ParsedDocument, blocks::Block};

/// Splits documents into passages of at most `size` characters.
///
/// Prefers the borders of sections, then of paragraphs, sentences and words. A row of CSV or
/// a record of JSON that is longer stays whole; lists and maps of JSON that are eight times longer are split between their
/// elements.
///
/// ```
/// use graphwright_core::{Document, Properties, document::TextFormat};
/// use graphwright_documents::{ParsedDocument, split::Splitter};
///
/// let document = Document {
///     id: "a.md".into(), source: "a.md".into(), title: "A".into(), format: TextFormat::Markdown,
///     text: "# A\n\nOne.\n\n## B\n\nTwo.\n".into(), hash: String::new(),
///     metadata: Properties::new(),
/// };
/// let chunks = Splitter { size: 12 }.split(&ParsedDocument::from(document));
/// assert_eq!(chunks[1].headings, ["A", "B"]);
/// assert_eq!(chunks[1].text, "## B\n\nTwo.\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splitter {
    /// Maximum number of characters in a passage; 1,500 by default (some 300 to 400 tokens).
    pub size: usize,
}

impl Default for Splitter {
    fn default() -> Self {
        Self { size: 1_500 }
    }
}

impl Splitter {
    /// Splits a document into passages.
    pub fn split(&self, document: &ParsedDocument) -> Vec<Chunk> {
        let text = document.text.as_str();
        let config = || ChunkConfig::new(self.size.max(1)).with_trim(false);
        let headings = match document.format {
            TextFormat::Markdown => headings(document.blocks()),
            _ => Vec::new(),
        };
        let by_region = |starts: &dyn Fn(&str) -> Vec<usize>| -> Vec<usize> {
            let borders: Vec<usize> = headings.iter().map(|heading| heading.start).collect();
            let regions = regions::regions(text, &borders).into_iter();
            regions
                .flat_map(|region| {
                    let mut found = starts(&text[region.clone()]);
                    // Also where the splitter leaves something out at the beginning.
                    found.splice(..found.len().min(1), [0]);
                    found.into_iter().map(move |start| region.start + start)
                })
                .collect()
        };
        let starts: Vec<usize> = match document.format {
            TextFormat::Markdown => by_region(&|part| {
                MarkdownSplitter::new(config()).chunk_indices(part).map(|(start, _)| start).collect()
            }),
            TextFormat::Plain | TextFormat::Yaml | TextFormat::Toml => by_region(&|part| {
                TextSplitter::new(config()).chunk_indices(part).map(|(start, _)| start).collect()
            }),
            TextFormat::Csv => records::gather(text, &row_starts(document.blocks()), self.size),
            TextFormat::Json => records::gather(text, &records::json_borders(text, self.size), self.size),
            TextFormat::JsonLines => records::gather(text, &records::line_borders(text), self.size),
        };
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        // The first passage begins where the text begins, even if the splitter leaves something out
        // there.
        let starts = std::iter::once(0).chain(starts.iter().skip(1).copied());
        let spans =
            starts.zip(ends).map(|(start, end)| Span::new(start, end)).filter(|span| span.start < span.end);
        let mut above = HeadingsAbove { rest: &headings, path: Vec::new() };
        spans.enumerate().map(|(index, span)| chunk(document, index, span, &mut above)).collect()
    }
}

fn chunk(document: &ParsedDocument, index: usize, span: Span, above: &mut HeadingsAbove<'_>) -> Chunk {
    let text = document.text[span.range()].to_owned();
    // A passage may begin with the blank line before its heading.
    let first_word = span.start + (text.len() - text.trim_start().len());
    Chunk {
        id: format!("{}#{index}", document.id),
        document: document.id.clone(),
        index,
        span,
        headings: above.at(first_word),
        pages: pages(document.page_starts(), first_word, span.end),
        text,
    }
}

/// Returns the pages of the part of a text between two offsets. `starts` are the offsets at which the text's pages begin.
fn pages(starts: &[usize], start: usize, end: usize) -> Option<Pages> {
    let before = |offset: usize| starts.partition_point(|page| *page <= offset);
    let (first, last) = (before(start), before(end.saturating_sub(1)));
    (!starts.is_empty())
        .then(|| Pages { first: first.max(1), starts: starts[first..last.max(first)].to_vec() })
}

/// A Markdown heading.
struct Heading {
    start: usize,
    level: u8,
    text: String,
}

fn headings(blocks: &[Block]) -> Vec<Heading> {
    let heading = |block: &Block| match block {
        Block::Heading { level, text, span } => {
            Some(Heading { start: span.start, level: *level, text: text.on_one_line().trim().to_owned() })
        }
        _ => None,
    };
    blocks.iter().filter_map(heading).collect()
}

/// Returns the starts of a table's records, after the header line.
fn row_starts(blocks: &[Block]) -> Vec<usize> {
    let rows = blocks.iter().filter_map(|block| match block {
        Block::Table(table) => Some(&table.rows),
        _ => None,
    });
    rows.flatten().map(|row| row.span.start).collect()
}

/// The headings above a place that only moves forward.
struct HeadingsAbove<'a> {
    rest: &'a [Heading],
    path: Vec<&'a Heading>,
}

impl HeadingsAbove<'_> {
    /// Returns the headings above `offset`, the outermost first. A heading that starts at `offset` counts.
    fn at(&mut self, offset: usize) -> Vec<String> {
        while let [heading, rest @ ..] = self.rest
            && heading.start <= offset
        {
            self.path.retain(|above| above.level < heading.level);
            self.path.push(heading);
            self.rest = rest;
        }
        self.path.iter().map(|heading| heading.text.clone()).filter(|text| !text.is_empty()).collect()
    }
}
