//! A document, together with what one pass over its text finds.

use std::{ops::Deref, sync::Arc};

use graphwright_core::{Document, document::TextFormat};

use crate::{
    Language,
    blocks::Block,
    headings::RecurringHeadings,
    layout::Layout,
    links::{self, Link},
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
    remark: Option<String>,
    language: Option<Language>,
    recurring: RecurringHeadings,
    pages: Vec<usize>,
}

impl ParsedDocument {
    pub(crate) fn new(document: Document, layout: Layout, remark: Option<String>) -> Self {
        let stated = ["lang", "language"].iter().find_map(|key| document.metadata.get(*key));
        let language = match document.format {
            TextFormat::Markdown | TextFormat::Plain => Language::of(&layout, stated),
            _ => None,
        };
        Self {
            document,
            layout,
            remark,
            language,
            recurring: RecurringHeadings::default(),
            pages: Vec::new(),
        }
    }

    pub(crate) fn with_pages(self, pages: Vec<usize>) -> Self {
        Self { pages, ..self }
    }

    /// Returns the offsets in the text at which its pages begin; none if it has no pages.
    pub fn page_starts(&self) -> &[usize] {
        &self.pages
    }

    /// Returns what is wrong with the file, if the document was read all the same.
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Returns the blocks, in the order of the text.
    pub fn blocks(&self) -> &Arc<[Block]> {
        &self.layout.blocks
    }

    /// Returns the language of its sentences, or the one that its front matter names. `None` where it has few sentences, or
    /// is a list of records.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Tells whether its sentences may be read as English. What is in another language has structure, names and words to
    /// search for; the rules of English would misread its sentences.
    ///
    /// ```
    /// use graphwright_core::{Document, Properties, document::TextFormat};
    /// use graphwright_documents::ParsedDocument;
    ///
    /// let document = |text: &str| ParsedDocument::from(Document {
    ///     id: "a".into(), source: "a".into(), title: "A".into(), format: TextFormat::Plain,
    ///     text: text.into(), hash: String::new(), metadata: Properties::new(),
    /// });
    /// assert!(document("Falcon runs on Kestrel.").may_be_english());
    /// let german = document(
    ///     "Das Tor wird jeden Morgen vom Hafenmeister geöffnet und abends wieder geschlossen, wenn alle Boote da sind.",
    /// );
    /// assert_eq!(german.language().map(|language| language.code()), Some("de"));
    /// assert!(!german.may_be_english());
    /// ```
    pub fn may_be_english(&self) -> bool {
        self.language.is_none_or(|language| language == Language::ENGLISH)
    }

    /// Returns the headings that recur in the documents around this one; none if it was read alone.
    pub fn recurring_headings(&self) -> &RecurringHeadings {
        &self.recurring
    }

    /// Sets the headings that recur in the documents around this one.
    pub fn set_recurring_headings(&mut self, recurring: RecurringHeadings) {
        self.recurring = recurring;
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
        Self::new(document, layout, None)
    }
}

impl Deref for ParsedDocument {
    type Target = Document;

    fn deref(&self) -> &Document {
        &self.document
    }
}
