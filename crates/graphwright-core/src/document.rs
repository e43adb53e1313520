//! Documents, the passages that they are split into, and the sources of facts.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Properties, Value, names};

/// A range of bytes in a document's text; `start <= end`, both on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Creates a span from its ends.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns whether `other` lies inside this span.
    pub fn contains(&self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the span as a range, to slice text.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The form of a document's text, which decides how it is split and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextFormat {
    /// Markdown. HTML and office files are brought into this form.
    Markdown,
    /// Text without markup.
    Plain,
    /// Comma-separated records with a header line.
    Csv,
    /// One JSON value.
    Json,
    /// One JSON value on each line.
    JsonLines,
    /// YAML, of one document or several.
    Yaml,
    /// TOML.
    Toml,
}

/// A document as it was loaded.
///
/// All offsets count bytes in `text`.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// A stable identifier, derived from `source`.
    pub id: String,
    /// The path that it was read from, relative to what was ingested, or `stdin`.
    pub source: String,
    /// The first heading, else the file's name.
    pub title: String,
    /// The whole text as UTF-8.
    ///
    /// Front matter stays in it, so that what is read from there has a range.
    pub text: String,
    /// The form of `text`.
    pub format: TextFormat,
    /// The BLAKE3 hash of the bytes that it was read from, in hexadecimal.
    pub hash: String,
    /// Front matter and what else the loader found.
    pub metadata: Properties,
}

/// A passage of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// A stable identifier, made of the document's identifier and the index.
    pub id: String,
    /// The document's identifier.
    pub document: String,
    /// The position in reading order, from 0.
    pub index: usize,
    /// The range of the passage in the document's text.
    pub span: Span,
    /// The text of that range.
    pub text: String,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// The pages of the document's file that it stands on.
    pub pages: Option<Pages>,
}

/// The pages that a part of a document stands on, such as those of a PDF.
///
/// ```
/// use graphwright_core::document::Pages;
///
/// let pages = Pages { first: 3, starts: vec![120, 200] };
/// assert_eq!([0, 119, 120, 250].map(|offset| pages.at(offset)), [3, 3, 4, 5]);
/// let mut chunk = graphwright_core::Properties::new();
/// pages.write(&mut chunk);
/// assert_eq!(Pages::read(&chunk), Some(pages));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// The number of the page on which it begins; the first page of a document is 1.
    pub first: usize,
    /// The offsets in the document's text at which the pages after it begin, ascending.
    pub starts: Vec<usize>,
}

impl Pages {
    /// Returns the number of the page on which an offset of the document's text stands.
    pub fn at(&self, offset: usize) -> usize {
        self.first + self.starts.partition_point(|start| *start <= offset)
    }

    /// Reads the pages of a passage from its node.
    pub fn read(chunk: &Properties) -> Option<Self> {
        let number = |value: &Value| usize::try_from(value.as_integer()?).ok();
        let starts = chunk.get(names::PAGE_STARTS).and_then(Value::as_list).unwrap_or_default();
        Some(Self {
            first: number(chunk.get(names::PAGE)?)?,
            starts: starts.iter().filter_map(number).collect(),
        })
    }

    /// Writes the pages of a passage to its node.
    pub fn write(&self, chunk: &mut Properties) {
        chunk.insert(names::PAGE.to_owned(), self.first.into());
        if !self.starts.is_empty() {
            let starts = self.starts.iter().map(|start| Value::from(*start)).collect();
            chunk.insert(names::PAGE_STARTS.to_owned(), Value::List(starts));
        }
    }
}

/// The place where a fact was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Provenance {
    /// The document's identifier.
    pub document: String,
    /// The chunk's identifier.
    pub chunk: String,
    /// The range in the document's text that states the fact.
    pub span: Span,
}
