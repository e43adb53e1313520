//! A document, together with what one pass over its text finds.

use std::{ops::Deref, sync::Arc};

use graphwright_core::{Document, document::TextFormat};

use crate::{
    blocks::{self, Block, markdown},
    links::{self, Link, WrittenLink},
};

/// A document that was read once.
///
/// Passages, links, rules and the inference of ontologies all work on its blocks instead of reading
/// the text again.
///
/// ```
/// use graphwright_core::{Document, Properties, document::TextFormat};
/// use graphwright_documents::{ParsedDocument, blocks::Block};
///
/// let document = Document {
///     id: "a.md".into(), source: "a.md".into(), title: "A".into(), format: TextFormat::Markdown,
///     text: "# A\n\nSee [B](b.md).\n".into(), hash: String::new(), metadata: Properties::new(),
/// };
/// let parsed = ParsedDocument::from(document);
/// assert!(matches!(parsed.blocks()[..], [Block::Heading { level: 1, .. }, Block::Paragraph(_)]));
/// assert_eq!(parsed.links()[0].target, "b.md");
/// assert_eq!(parsed.title, "A");
/// ```
#[derive(Clone, Debug)]
pub struct ParsedDocument {
    document: Document,
    layout: Layout,
}

impl ParsedDocument {
    pub(crate) fn new(document: Document, layout: Layout) -> Self {
        Self { document, layout }
    }

    /// Returns the blocks, in the order of the text.
    pub fn blocks(&self) -> &Arc<[Block]> {
        &self.layout.blocks
    }

    /// Returns the links of a Markdown document to anything that is not a web address.
    pub fn links(&self) -> Vec<Link> {
        links::resolve_all(&self.document.source, &self.layout.links)
    }

    /// Returns the document alone.
    pub fn into_document(self) -> Document {
        self.document
    }
}

impl From<Document> for ParsedDocument {
    fn from(document: Document) -> Self {
        let layout = Layout::read(&document.text, document.format);
        Self { document, layout }
    }
}

impl Deref for ParsedDocument {
    type Target = Document;

    fn deref(&self) -> &Document {
        &self.document
    }
}

/// The structure found in a text.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    blocks: Arc<[Block]>,
    links: Vec<WrittenLink>,
    /// The YAML at the head of Markdown.
    pub(crate) front_matter: Option<String>,
}

impl Layout {
    /// Reads a text in one pass.
    pub(crate) fn read(text: &str, format: TextFormat) -> Self {
        let markdown::Markdown { mut blocks, links, front_matter } = match format {
            TextFormat::Markdown => markdown::read(text),
            _ => markdown::Markdown {
                blocks: blocks::read_unmarked(text, format),
                ..markdown::Markdown::default()
            },
        };
        blocks::end_sentences_at_fields(&mut blocks);
        Self { blocks: blocks.into(), links, front_matter }
    }

    /// Returns the first heading of level one, else the first heading.
    pub(crate) fn title(&self) -> Option<String> {
        let mut first = None;
        for block in &*self.blocks {
            let Block::Heading { level, text, .. } = block else { continue };
            let words = text.on_one_line();
            if words.is_empty() {
                continue;
            }
            if *level == 1 {
                return Some(words);
            }
            first.get_or_insert(words);
        }
        first
    }
}
