//! The one door through which text reaches standard output and standard error.
//!
//! Whatever a document, a model, a file name or an error brings along, a terminal gets no character
//! that it would obey or hide. `clippy.toml` keeps all other code from these streams.

#![expect(clippy::disallowed_methods, reason = "this is the door that all else uses")]

use std::io::{IsTerminal, Result, Stderr, Stdout, Write};

use graphwright::text::{visible, visible_json};
use indicatif::{ProgressBar, ProgressStyle};

/// Prints text for people on standard output.
pub(super) fn print(text: &str) -> Result<()> {
    write(std::io::stdout(), &visible(text))
}

/// Prints text for people on standard error. There is no place to report that this fails.
pub(super) fn remark(text: &str) {
    let _ = write(std::io::stderr(), &visible(text));
}

/// Prints JSON on standard error.
pub(super) fn remark_json(json: &str) {
    let _ = write(std::io::stderr(), &visible_json(json));
}

/// Prints text for a file or a program on standard output: as it is, unless a person looks on.
pub(super) fn print_exactly(text: &str) -> Result<()> {
    let out = std::io::stdout();
    if out.is_terminal() { write(out, &visible(text)) } else { write(out, text) }
}

/// Returns whether a person reads standard error.
pub(super) fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// Creates a progress bar on standard error. Its parts are the program's own words.
pub(super) fn progress_bar(template: &'static str, length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

fn write(mut out: impl Write, text: &str) -> Result<()> {
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes lines of JSON to standard output.
pub(super) fn json_lines() -> JsonLines<Stdout> {
    JsonLines { out: std::io::stdout(), begun: Vec::new() }
}

/// Writes lines of the log to standard error. They hold the log's own colours, so what is logged is
/// made visible before.
pub(super) fn log_lines() -> Stderr {
    std::io::stderr()
}

/// Passes on lines of JSON when they are whole, since a piece may end within a character.
pub(super) struct JsonLines<W: Write> {
    out: W,
    /// What follows the last line break.
    begun: Vec<u8>,
}

impl<W: Write> Write for JsonLines<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.begun.extend_from_slice(bytes);
        if let Some(end) = self.begun.iter().rposition(|byte| *byte == b'\n') {
            let rest = self.begun.split_off(end + 1);
            let lines = std::mem::replace(&mut self.begun, rest);
            self.out.write_all(visible_json(&String::from_utf8_lossy(&lines)).as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_when_they_are_made_safe() {
        let mut lines = JsonLines { out: Vec::new(), begun: Vec::new() };
        for byte in "\"a\u{85}\"\n\"b\u{202e}\"\n".as_bytes() {
            lines.write_all(&[*byte]).unwrap();
        }
        lines.write_all(b"1\n2\n3").unwrap();
        assert_eq!(String::from_utf8(lines.out).unwrap(), "\"a\\u0085\"\n\"b\\u202e\"\n1\n2\n");
        assert_eq!(lines.begun, b"3");
    }
}
