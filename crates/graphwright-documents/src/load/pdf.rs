//! Converts PDF to Markdown: headings by letter size; paragraphs, lists and tables by position.

mod blocks;
mod lines;
#[cfg(test)]
mod tests;

use std::{sync::mpsc, time::Duration};

use pdf_extract::{Document, OutputError, output_doc, output_doc_encrypted};

use self::lines::Lines;

/// Reads the text of all pages.
///
/// The parser runs in a thread of its own: on damaged files it may panic or run long.
pub(super) fn to_markdown(bytes: &[u8], limit: Duration) -> Result<String, String> {
    let (sender, receiver) = mpsc::channel();
    let bytes = bytes.to_vec();
    let worker = std::thread::Builder::new().name("graphwright-pdf".to_owned()).spawn(move || {
        // The receiver is gone if the time limit has passed.
        let _ = sender.send(std::panic::catch_unwind(|| read(&bytes)));
    });
    worker.map_err(|error| format!("cannot be read: no thread to read it in ({error})"))?;
    match receiver.recv_timeout(limit) {
        Ok(Ok(Ok(text))) if text.trim().is_empty() => {
            Err("has no text; if it holds scanned pages, recognise their text first".to_owned())
        }
        Ok(Ok(read)) => read,
        Ok(Err(_)) => Err("cannot be read as PDF (it is damaged); print it into a new file".to_owned()),
        // A thread cannot be stopped: it ends by itself, and what it reads is dropped.
        Err(_) => Err(format!("cannot be read as PDF within {} s", limit.as_secs())),
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
