//! Converts files that take a parser of their own to Markdown: HTML, PDF and office files.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{decode, html, office, pdf, with_plain_spaces};

/// A format that becomes Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Convertible {
    Html,
    Pdf,
    Office,
}

/// What a file became.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Converted {
    /// Markdown.
    pub(super) text: String,
    /// The title that the format itself holds.
    pub(super) title: Option<String>,
    /// The offsets in the text at which pages begin. Empty for formats without pages.
    pub(super) pages: Vec<usize>,
    /// What was left out.
    pub(super) remark: Option<String>,
}

impl Converted {
    fn new(text: &str, title: Option<String>) -> Self {
        Self { text: with_plain_spaces(text), title, pages: Vec::new(), remark: None }
    }
}

/// Converts a file in this process. HTML does not keep to the limit of time, and nothing to one of memory.
pub(super) fn convert(kind: Convertible, bytes: &[u8], time: Duration) -> Result<Converted, String> {
    Ok(match kind {
        Convertible::Html => {
            let page = html::to_markdown(&decode::decode(bytes)?)?;
            Converted::new(&page.text, page.title)
        }
        Convertible::Pdf => {
            let pdf::Pages { text, starts, remark } = pdf::to_markdown(bytes, time)?;
            Converted { text, title: None, pages: starts, remark }
        }
        Convertible::Office => Converted::new(&office::to_markdown(bytes, time)?, None),
    })
}
