//! Rewrites reStructuredText and AsciiDoc as Markdown: headings, lists, tables, fields, code and links.
//!
//! Both are read line by line. What has no counterpart (images, comments, directions for the layout) is left out, and what
//! is not understood stays as it is written.

mod asciidoc;
mod inline;
mod rst;
mod table;
#[cfg(test)]
mod tests;

pub(super) use asciidoc::to_markdown as asciidoc;
pub(super) use rst::to_markdown as rst;

/// The Markdown that is written so far.
#[derive(Debug, Default)]
struct Output {
    text: String,
}

impl Output {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Ends the block before.
    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn heading(&mut self, level: usize, title: &str) {
        self.block(&format!("{} {title}", "#".repeat(level.clamp(1, 6))));
    }

    /// Adds a block of its own.
    fn block(&mut self, block: &str) {
        self.blank();
        self.line(block);
        self.blank();
    }

    fn code(&mut self, language: &str, lines: &[&str]) {
        let fence = if lines.iter().any(|line| line.contains("```")) { "~~~~" } else { "```" };
        self.block(&format!("{fence}{language}\n{}\n{fence}", lines.join("\n")));
    }
}

/// How far a line is indented.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
