//! Converts files that take a parser of their own to text: HTML, PDF, office files and mails.

use std::time::Duration;

use graphwright_core::document::TextFormat;
use serde::{Deserialize, Serialize};

use super::{decode, html, mail, office, pdf, with_plain_spaces};

/// A format that becomes Markdown, or records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Convertible {
    Html,
    Pdf,
    Office,
    Mail,
}

/// What a file became.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Converted {
    pub(super) format: TextFormat,
    pub(super) text: String,
    /// The title that the format itself holds.
    pub(super) title: Option<String>,
    /// The offsets in the text at which pages begin. Empty for formats without pages.
    pub(super) pages: Vec<usize>,
    /// What was left out.
    pub(super) remark: Option<String>,
}

impl Converted {
    fn new(format: TextFormat, text: &str, title: Option<String>) -> Self {
        Self { format, text: with_plain_spaces(text), title, pages: Vec::new(), remark: None }
    }
}

/// Converts a file in this process. HTML does not keep to the limit of time, and nothing to one of memory.
pub(super) fn convert(kind: Convertible, bytes: &[u8], time: Duration) -> Result<Converted, String> {
    Ok(match kind {
        Convertible::Html => {
            let page = html::to_markdown(&decode::decode(bytes)?)?;
            Converted::new(TextFormat::Markdown, &page.text, page.title)
        }
        Convertible::Pdf => {
            let pdf::Pages { text, starts, remark } = pdf::to_markdown(bytes, time)?;
            Converted { format: TextFormat::Markdown, text, title: None, pages: starts, remark }
        }
        Convertible::Mail => {
            let mail = mail::to_text(bytes)?;
            Converted { remark: mail.remark, ..Converted::new(mail.format, &mail.text, mail.subject) }
        }
        Convertible::Office => {
            let (format, text) = office::to_text(bytes, time)?;
            Converted::new(format, &text, None)
        }
    })
}
