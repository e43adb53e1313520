//! Converts PDF to Markdown: headings by letter size; paragraphs, lists and tables by position.

mod blocks;
mod letters;
mod lines;
mod running;
#[cfg(test)]
mod tests;

use std::time::Duration;

use hayro_interpret::{
    Context, InterpreterCache, InterpreterSettings, TransformExt,
    hayro_syntax::{DecryptionError, LoadPdfError, Pdf},
    interpret_page,
    kurbo::Rect,
};

use self::{blocks::Paged, letters::Letters, lines::Line};
use super::apart::apart;

/// The pages of a file as Markdown.
#[derive(Debug)]
pub(super) struct Pages {
    pub(super) text: String,
    /// The offset in the text at which each page begins.
    pub(super) starts: Vec<usize>,
    /// What was left out.
    pub(super) remark: Option<String>,
}

const UNREADABLE: &str = "; print it into a new file";

/// Reads the text of all pages.
pub(super) fn to_markdown(bytes: &[u8], limit: Duration) -> Result<Pages, String> {
    apart("PDF", bytes, limit, read).map_err(|reason| format!("{reason}{UNREADABLE}"))?
}

fn read(bytes: &[u8]) -> Result<Pages, String> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(unreadable)?;
    let (lines, unknown) = read_lines(&pdf);
    let Paged { text, starts } = blocks::to_markdown(lines);
    if !text.trim().is_empty() {
        return Ok(Pages { text, starts, remark: unknown.remark() });
    }
    Err(match unknown.letters {
        0 => "has no text; if it holds scanned pages, recognise their text first",
        _ => "has letters, but does not say which; recognise its text first",
    }
    .to_owned())
}

fn unreadable(error: LoadPdfError) -> String {
    match error {
        // Many files are encrypted without a password, only to forbid printing.
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            "is encrypted with a password; save it without one".to_owned()
        }
        LoadPdfError::Decryption(_) => {
            format!("is encrypted in a way that is not understood{UNREADABLE}")
        }
        LoadPdfError::Invalid => format!("cannot be read as PDF{UNREADABLE}"),
    }
}

fn read_lines(pdf: &Pdf) -> (Vec<Line>, Unknown) {
    let cache = InterpreterCache::new();
    let (mut lines, mut unknown) = (Vec::new(), Unknown::default());
    for (page, number) in pdf.pages().iter().zip(1..) {
        let (width, height) = page.render_dimensions();
        let area = Rect::new(0.0, 0.0, width.into(), height.into());
        let place = page.initial_transform(false).to_kurbo();
        let mut context = Context::new(place, area, &cache, pdf.xref(), InterpreterSettings::default());
        let mut letters = Letters::new(number, height.into());
        interpret_page(page, &mut context, &mut letters);
        let read = letters.finish();
        lines.extend(read.lines);
        unknown.add(number, read.known, read.unknown);
    }
    (lines, unknown)
}

/// Letters of which the file does not say which they are.
#[derive(Debug, Default)]
struct Unknown {
    letters: usize,
    known: usize,
    /// The pages that have them: how many, and the first.
    pages: usize,
    first: u32,
}

impl Unknown {
    fn add(&mut self, page: u32, known: usize, unknown: usize) {
        self.letters += unknown;
        self.known += known;
        if unknown > 0 {
            self.pages += 1;
            self.first = if self.first == 0 { page } else { self.first };
        }
    }

    fn remark(&self) -> Option<String> {
        let more = match self.pages {
            0 => return None,
            1 => String::new(),
            pages => format!(" and {} more", pages - 1),
        };
        let (unknown, all) = (self.letters, self.letters + self.known);
        Some(format!(
            "{unknown} of its {all} letters (page {}{more}) were left out, as it does not say which they are",
            self.first
        ))
    }
}
