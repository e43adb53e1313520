//! Converts PDF to Markdown: headings by letter size; paragraphs, lists and tables by position.

mod blocks;
mod lines;
#[cfg(test)]
mod tests;

use std::time::Duration;

use pdf_extract::{Document, OutputError, output_doc, output_doc_encrypted};

use self::lines::Lines;
use super::apart::apart;

/// Reads the text of all pages.
pub(super) fn to_markdown(bytes: &[u8], limit: Duration) -> Result<String, String> {
    match apart("PDF", bytes, limit, read).map_err(|reason| format!("{reason}; print it into a new file"))? {
        Ok(text) if text.trim().is_empty() => {
            Err("has no text; if it holds scanned pages, recognise their text first".to_owned())
        }
        read => read,
    }
}

fn read(bytes: &[u8]) -> Result<String, String> {
    let unreadable =
        |error: OutputError| format!("cannot be read as PDF ({error}); print it into a new file");
    let mut document = Document::load_mem(bytes).map_err(|error| unreadable(error.into()))?;
    let mut lines = Lines::default();
    if document.is_encrypted() {
        // Many files are encrypted without a password, only to forbid printing.
        output_doc_encrypted(&mut document, &mut lines, "")
            .map_err(|_| "is encrypted with a password; save it without one".to_owned())?;
    } else {
        output_doc(&document, &mut lines).map_err(unreadable)?;
    }
    Ok(blocks::to_markdown(lines.finish()))
}
