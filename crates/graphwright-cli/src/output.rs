//! What people and programs read on standard output.

mod integers;

use std::io::{IsTerminal, Write};

use anyhow::Result;
use serde::Serialize;

use crate::arguments::Global;
use integers::SafeIntegers;

/// How to print.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// One JSON object instead of text.
    pub(crate) json: bool,
    safe_integers: bool,
    quiet: bool,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        Self { json: global.json, safe_integers: global.safe_integers, quiet: global.quiet }
    }

    /// Whether a progress bar makes sense: a person looks on.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.json && !self.quiet && std::io::stderr().is_terminal()
    }

    /// Prints the object for programs, or what `text` writes for people.
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

    /// Prints a piece of a text that goes on.
    #[expect(clippy::unused_self, reason = "whatever is printed goes through an output")]
    pub(crate) fn piece(&self, text: &str) -> Result<()> {
        let mut out = std::io::stdout().lock();
        write!(out, "{text}")?;
        Ok(out.flush()?)
    }

    /// A remark for the person, on standard error.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet && !self.json {
            eprintln!("{text}");
        }
    }
}
