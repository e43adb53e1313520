//! Text that is put together while a program is compiled.

/// Beyond this, text is cut.
const CAPACITY: usize = 1024;

/// A text of at most 1 KB.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    bytes: [u8; CAPACITY],
    length: usize,
}

impl Text {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; CAPACITY], length: 0 }
    }

    /// Adds a piece. A piece that does not fit is left out whole, so that no character is cut.
    pub(crate) const fn say(mut self, piece: &str) -> Self {
        let piece = piece.as_bytes();
        if self.length + piece.len() <= CAPACITY {
            let mut index = 0;
            while index < piece.len() {
                self.bytes[self.length + index] = piece[index];
                index += 1;
            }
            self.length += piece.len();
        }
        self
    }

    pub(crate) const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}
