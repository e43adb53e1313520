//! Pieces of a streamed answer: server-sent events, and lines of JSON.

use std::collections::VecDeque;

/// A piece as it comes over the wire.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// JSON, as text.
    Data(String),
    /// The word that ends the streams of many servers.
    Done,
}

/// Puts bytes together to pieces.
///
/// <https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream>
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The line that has not ended.
    line: Vec<u8>,
    /// The data of the event that has not ended.
    data: String,
    ready: VecDeque<Frame>,
}

impl Frames {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    /// Takes what came last as ended: some servers leave out the empty line behind it.
    pub(super) fn end(&mut self) {
        self.end_line();
        self.dispatch();
    }

    pub(super) fn next(&mut self) -> Option<Frame> {
        self.ready.pop_front()
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            self.dispatch();
        } else if let Some(data) = ["data:", "error:"].iter().find_map(|field| line.strip_prefix(field)) {
            if !self.data.is_empty() {
                self.data.push('\n');
            }
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        } else if line.starts_with(['{', '[']) {
            // A line of JSON alone, in streams without events and for errors in those with.
            self.dispatch();
            line.clone_into(&mut self.data);
            self.dispatch();
        }
    }

    fn dispatch(&mut self) {
        let data = std::mem::take(&mut self.data);
        match data.trim() {
            "" => {}
            "[DONE]" => self.ready.push_back(Frame::Done),
            data => self.ready.push_back(Frame::Data(data.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str, size: usize) -> Vec<Frame> {
        let mut frames = Frames::default();
        text.as_bytes().chunks(size).for_each(|piece| frames.push(piece));
        frames.end();
        std::iter::from_fn(|| frames.next()).collect()
    }

    #[test]
    fn pieces_are_found_however_the_bytes_come() {
        let data = |text: &str| Frame::Data(text.to_owned());
        for (text, expected) in [
            (
                ": hello\nevent: x\ndata: {\"ä\": 1}\n\ndata: [DONE]\n\n",
                vec![data("{\"ä\": 1}"), Frame::Done],
            ),
            ("data:{\"a\":\r\ndata: 1}\r\n\r\n", vec![data("{\"a\":\n1}")]),
            ("{\"a\": 1}\n{\"b\": 2}", vec![data("{\"a\": 1}"), data("{\"b\": 2}")]),
            ("data: {\"a\": 1}", vec![data("{\"a\": 1}")]),
            ("error: {\"code\": 500}\n\n", vec![data("{\"code\": 500}")]),
            ("<html>Welcome</html>", vec![]),
        ] {
            for size in [1, 3, 1_000] {
                assert_eq!(frames(text, size), expected, "{text:?} by {size}");
            }
        }
    }
}
