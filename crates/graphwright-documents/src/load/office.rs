//! Converts DOCX, PPTX and XLSX to Markdown, and workbooks of records to CSV or JSON.

mod sheets;

use std::time::Duration;

use graphwright_core::document::TextFormat;
use undoc::render::{RenderOptions, to_markdown as render};

use super::apart::apart;

/// Reads the text of all parts, and says what form it has.
pub(super) fn to_text(bytes: &[u8], limit: Duration) -> Result<(TextFormat, String), String> {
    let parsed = apart("an office file", bytes, limit, |bytes| {
        let document = undoc::parse_bytes(bytes)?;
        if let Some(records) = sheets::records(&document) {
            return Ok(records);
        }
        let text = render(&document, &RenderOptions::default().with_images(false))?;
        Ok((TextFormat::Markdown, text))
    });
    let read = parsed.and_then(|read| {
        read.map_err(|error: undoc::Error| format!("cannot be read as an office file ({error})"))
    });
    read.map_err(|reason| format!("{reason}; open it and save it again"))
}
