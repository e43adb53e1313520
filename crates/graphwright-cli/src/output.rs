//! Prints results for people and programs. All that the command prints goes through here.

mod integers;
mod terminal;

use std::io::Write;

use anyhow::Result;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::arguments::Global;
use integers::SafeIntegers;

/// The form of the output.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// Whether to print JSON objects instead of text.
    pub(crate) json: bool,
    safe_integers: bool,
    quiet: bool,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        Self { json: global.json, safe_integers: global.safe_integers, quiet: global.quiet }
    }

    /// Creates a progress bar, hidden unless a person looks on.
    pub(crate) fn progress_bar(&self, template: &'static str, length: u64) -> ProgressBar {
        if self.json || self.quiet || !terminal::is_watched() {
            return ProgressBar::hidden();
        }
        terminal::progress_bar(template, length)
    }

    /// Prints the object for programs, or the result of `text` for people.
    pub(crate) fn print<T: Serialize>(&self, object: &T, text: impl FnOnce(&T) -> String) -> Result<()> {
        if self.json { self.line(object) } else { self.text(&text(object)) }
    }

    /// Prints one object on one line.
    pub(crate) fn line<T: Serialize>(&self, object: &T) -> Result<()> {
        let mut line = Vec::new();
        if self.safe_integers {
            let mut serializer = serde_json::Serializer::with_formatter(&mut line, SafeIntegers::default());
            object.serialize(&mut serializer)?;
        } else {
            serde_json::to_writer(&mut line, object)?;
        }
        line.push(b'\n');
        Ok(terminal::json_lines().write_all(&line)?)
    }

    /// Prints text for people, ending with a line break.
    #[expect(clippy::unused_self, reason = "whatever is printed goes through an output")]
    pub(crate) fn text(&self, text: &str) -> Result<()> {
        Ok(terminal::print(&whole_lines(text))?)
    }

    /// Prints text that a file or a program may take, such as a query, ending with a line break.
    /// Only a person who looks on gets control characters shown.
    #[expect(clippy::unused_self, reason = "whatever is printed goes through an output")]
    pub(crate) fn exact_text(&self, text: &str) -> Result<()> {
        Ok(terminal::print_exactly(&whole_lines(text))?)
    }

    /// Prints a piece of text for people without a line break.
    #[expect(clippy::unused_self, reason = "whatever is printed goes through an output")]
    pub(crate) fn piece(&self, text: &str) -> Result<()> {
        Ok(terminal::print(text)?)
    }

    /// Returns a writer for lines of JSON on standard output.
    #[expect(clippy::unused_self, reason = "whatever is printed goes through an output")]
    pub(crate) fn json_lines(&self) -> impl Write + Send + use<> {
        terminal::json_lines()
    }

    /// Prints a remark for the person on standard error.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet && !self.json {
            remark(text);
        }
    }
}

/// Prints text for people on standard error, before or beside any form of the output.
pub(crate) fn remark(text: &str) {
    terminal::remark(&whole_lines(text));
}

/// Prints an object for programs on standard error.
pub(crate) fn remark_object(object: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(object) {
        terminal::remark_json(&format!("{line}\n"));
    }
}

/// Asks a question on standard error; the answer follows on its line.
pub(crate) fn ask(question: &str) {
    terminal::remark(question);
}

/// The log: its place, and whether a person reads it.
pub(crate) fn log_lines() -> (impl Fn() -> std::io::Stderr, bool) {
    (terminal::log_lines, terminal::is_watched())
}

fn whole_lines(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}")
}
