//! Prints results for people and programs on standard output.

mod integers;

use std::io::{IsTerminal, Write};

use anyhow::Result;
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

    /// Returns whether to show a progress bar, that is, whether a person looks on.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.json && !self.quiet && std::io::stderr().is_terminal()
    }

    /// Prints the object for programs, or the result of `text` for people.
    pub(crate) fn print<T: Serialize>(&self, object: &T, text: impl FnOnce(&T) -> String) -> Result<()> {
        if self.json { self.line(object) } else { self.text(&text(object)) }
    }

    /// Prints one object on one line.
    pub(crate) fn line<T: Serialize>(&self, object: &T) -> Result<()> {
        let mut out = std::io::stdout().lock();
        if self.safe_integers {
            let mut serializer = serde_json::Serializer::with_formatter(&mut out, SafeIntegers::default());
            object.serialize(&mut serializer)?;
        } else {
            serde_json::to_writer(&mut out, object)?;
        }
        writeln!(out)?;
        Ok(out.flush()?)
    }

    /// Prints text, ending with a line break.
    #[expect(clippy::unused_self, reason = "whatever is printed goes through an output")]
    pub(crate) fn text(&self, text: &str) -> Result<()> {
        let mut out = std::io::stdout().lock();
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        write!(out, "{text}{end}")?;
        Ok(out.flush()?)
    }

    /// Prints a piece of text without a line break.
    #[expect(clippy::unused_self, reason = "whatever is printed goes through an output")]
    pub(crate) fn piece(&self, text: &str) -> Result<()> {
        let mut out = std::io::stdout().lock();
        write!(out, "{text}")?;
        Ok(out.flush()?)
    }

    /// Prints a remark for the person on standard error.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet && !self.json {
            eprintln!("{text}");
        }
    }
}
