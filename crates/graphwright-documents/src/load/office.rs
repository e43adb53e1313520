//! Converts DOCX, PPTX and XLSX to Markdown.

use undoc::render::{RenderOptions, to_markdown as render};

pub(super) fn to_markdown(bytes: &[u8]) -> Result<String, String> {
    // The parser may panic on damaged files, which must not end the run.
    let read = std::panic::catch_unwind(|| {
        let document = undoc::parse_bytes(bytes)?;
        render(&document, &RenderOptions::default().with_images(false))
    });
    match read {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(error)) => {
            Err(format!("cannot be read as an office file ({error}); open it and save it again"))
        }
        Err(_) => {
            Err("cannot be read as an office file (it is damaged); open it and save it again".to_owned())
        }
    }
}
