//! Converts DOCX, PPTX and XLSX to Markdown.

use std::time::Duration;

use undoc::render::{RenderOptions, to_markdown as render};

use super::apart::apart;

/// Reads the text of all parts.
pub(super) fn to_markdown(bytes: &[u8], limit: Duration) -> Result<String, String> {
    let parsed = apart("an office file", bytes, limit, |bytes| {
        let document = undoc::parse_bytes(bytes)?;
        render(&document, &RenderOptions::default().with_images(false))
    });
    let read =
        parsed.and_then(|read| read.map_err(|error| format!("cannot be read as an office file ({error})")));
    read.map_err(|reason| format!("{reason}; open it and save it again"))
}
