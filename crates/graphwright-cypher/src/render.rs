//! Rendering of diagnostics for people, with the lines of the text that they are about.

use std::fmt::Write;

use crate::diagnostic::{Diagnostic, Severity};

/// The length in characters above which a line is cut around the place.
const WIDEST: usize = 100;

/// The characters shown before the place in a line that is cut.
const BEFORE: usize = 30;

/// Renders diagnostics with the lines of the text that they are about, as compilers do. `name`
/// names the text, for example by its file.
///
/// ```
/// use graphwright_cypher::{diagnose, render};
///
/// let text = "MATCH (n:Person)\nRETURN m.name";
/// assert_eq!(render("a.cypher", text, &diagnose(text, None)), "\
/// error[undefined_variable]: expected a variable that is defined, found `m`
///  --> a.cypher:2:8
///   |
/// 2 | RETURN m.name
///   |        ^
/// ");
/// ```
pub fn render(name: &str, text: &str, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| one(name, text, diagnostic)).collect::<Vec<_>>().join("\n")
}

fn one(name: &str, text: &str, diagnostic: &Diagnostic) -> String {
    let place = Place::new(text, diagnostic);
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    };
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    let mut shown = format!("{severity}[{}]: {}\n", diagnostic.code.as_str(), diagnostic.message);
    let carets = "^".repeat(place.width);
    let indent = " ".repeat(place.indent);
    // Writing to a string does not fail.
    let _ = write!(
        shown,
        "{margin}--> {name}:{number}:{}\n{margin} |\n{number} | {}\n{margin} | {indent}{carets}\n",
        place.column, place.text
    );
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(shown, "{margin} = help: {help}");
    }
    shown
}

/// A line and the marked part of it, in characters.
struct Place {
    /// The number of the line, from 1.
    line: usize,
    /// The column of the mark, from 1.
    column: usize,
    text: String,
    indent: usize,
    width: usize,
}

impl Place {
    fn new(text: &str, diagnostic: &Diagnostic) -> Self {
        let start = floor(text, diagnostic.span.start);
        let end = floor(text, diagnostic.span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let line = text[line_start..line_end].trim_end_matches('\r');
        let before = text[line_start..start].chars().count();
        let marked = text[start..end.min(line_end)].chars().count().max(1);
        let (skipped, shown) = window(line, before);
        let indent = before - skipped + usize::from(skipped > 0);
        Self {
            line: text[..line_start].matches('\n').count() + 1,
            column: before + 1,
            width: marked.min(shown.chars().count().saturating_sub(indent).max(1)),
            text: shown,
            indent,
        }
    }
}

/// Returns the part of a line around a place, and the number of characters left out before it.
fn window(line: &str, before: usize) -> (usize, String) {
    let length = line.chars().count();
    // A control character would move the marks, so it is shown as one space.
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    if length <= WIDEST {
        return (0, line.chars().map(plain).collect());
    }
    let skipped = before.saturating_sub(BEFORE).min(length - WIDEST);
    let mut shown: String = line.chars().skip(skipped).take(WIDEST).map(plain).collect();
    if skipped > 0 {
        shown.insert(0, '…');
    }
    if skipped + WIDEST < length {
        shown.push('…');
    }
    (skipped, shown)
}

/// Returns the start of the character that contains a byte.
fn floor(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

#[cfg(test)]
mod tests {
    use graphwright_core::{GraphSchema, schema::ElementSchema};

    use super::*;
    use crate::{diagnose, lint::Lint};

    fn found(text: &str) -> Vec<Diagnostic> {
        let labels = vec![ElementSchema { name: "Person".into(), ..ElementSchema::default() }];
        diagnose(text, Some(&Lint::new(&GraphSchema { labels, ..GraphSchema::default() })))
    }

    #[test]
    fn findings_are_shown_in_their_lines() {
        let long = format!(
            "MATCH (p:Persn) WHERE p.name IN [{}] AND q RETURN p",
            "'ä', ".repeat(40).trim_end_matches(", ")
        );
        let texts = ["MATCH (p:Persn)\n\tWHERE p.ä = null\r\nRETURN p", "MATCH (p:Person", &long, ""];
        let shown: Vec<_> = texts.iter().map(|text| render("query", text, &found(text))).collect();
        insta::assert_snapshot!(shown.join("\n=====\n"));
    }

    #[test]
    fn models_read_json() {
        insta::assert_snapshot!(
            serde_json::to_string_pretty(&found("MATCH (p:Persn), (q) RETURN p, q.x = null")).unwrap()
        );
    }
}
