//! From PDF to text.

use std::{sync::mpsc, time::Duration};

/// The text of all pages. The parser runs in a thread of its own, since on damaged files it may panic or run long.
pub(super) fn to_text(bytes: &[u8], limit: Duration) -> Result<String, String> {
    let (sender, receiver) = mpsc::channel();
    let bytes = bytes.to_vec();
    let worker = std::thread::Builder::new().name("graphwright-pdf".to_owned()).spawn(move || {
        let read = std::panic::catch_unwind(|| pdf_extract::extract_text_from_mem(&bytes));
        // The receiver is gone when the time limit has passed.
        let _ = sender.send(read.map(|read| read.map_err(|error| error.to_string())));
    });
    worker.map_err(|error| format!("cannot be read: no thread to read it in ({error})"))?;
    match receiver.recv_timeout(limit) {
        Ok(Ok(Ok(text))) if text.trim().is_empty() => {
            Err("has no text; if it holds scanned pages, recognise their text first".to_owned())
        }
        Ok(Ok(Ok(text))) => Ok(text),
        Ok(Ok(Err(message))) => Err(format!("cannot be read as PDF ({message}); print it into a new file")),
        Ok(Err(_)) => Err("cannot be read as PDF (it is damaged); print it into a new file".to_owned()),
        Err(_) => Err(format!("cannot be read as PDF within {} s", limit.as_secs())),
    }
}
