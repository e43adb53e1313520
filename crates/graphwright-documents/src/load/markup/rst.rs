//! reStructuredText.

use super::{
    Output, indent,
    inline::{self, Names},
    table,
};

/// Directives whose content is text of the document.
const TEXT: [&str; 14] = [
    "note",
    "warning",
    "tip",
    "hint",
    "important",
    "caution",
    "attention",
    "danger",
    "error",
    "admonition",
    "seealso",
    "topic",
    "versionadded",
    "deprecated",
];
/// Directives that show code.
const CODE: [&str; 6] = ["code-block", "code", "sourcecode", "literalinclude", "parsed-literal", "doctest"];

struct Reader<'t> {
    lines: Vec<&'t str>,
    at: usize,
    targets: Names,
    /// The marks of headings, in the order of their levels; with whether a line of them stands above too.
    marks: Vec<(char, bool)>,
    out: Output,
}

/// Rewrites a text.
pub(in crate::load) fn to_markdown(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let targets = lines.iter().filter_map(|line| target(line)).collect();
    let mut reader = Reader { lines, at: 0, targets, marks: Vec::new(), out: Output::default() };
    while reader.at < reader.lines.len() {
        reader.block();
    }
    reader.out.text
}

/// `.. _name: target`.
fn target(line: &str) -> Option<(String, String)> {
    let (name, target) = line.trim_start().strip_prefix(".. _")?.split_once(": ")?;
    Some((name.trim_matches('`').to_lowercase(), target.trim().to_owned()))
}

impl<'t> Reader<'t> {
    fn line(&self, ahead: usize) -> &'t str {
        self.lines.get(self.at + ahead).copied().unwrap_or_default()
    }

    fn block(&mut self) {
        let line = self.line(0);
        let body = line.trim_start();
        if body.is_empty() {
            self.out.blank();
            self.at += 1;
        } else if self.heading() || self.table() {
        } else if body == ".." || body.starts_with(".. ") {
            self.directive();
        } else if let Some((name, value)) = field(line) {
            self.at += 1;
            let more = self.indented(indent(line));
            let value: Vec<&str> =
                std::iter::once(value).chain(more.iter().map(|line| line.trim())).collect();
            let value = value.join(" ");
            self.out.line(&format!("- {name}: {}", inline::rst(value.trim(), &self.targets)));
        } else {
            self.text();
        }
    }

    /// A title with a line of marks below it, and perhaps above.
    fn heading(&mut self) -> bool {
        let over = rule(self.line(0)).filter(|mark| rule(self.line(2)) == Some(*mark));
        let (title, mark) = match over {
            Some(mark) => (self.line(1), Some(mark)),
            None => (self.line(0), rule(self.line(1)).filter(|_| rule(self.line(0)).is_none())),
        };
        let under = self.line(if over.is_some() { 2 } else { 1 });
        let fits = !title.trim().is_empty() && under.chars().count() >= title.trim().chars().count();
        let Some(mark) = mark.filter(|_| fits && (over.is_some() || indent(title) == 0)) else {
            return false;
        };
        let kind = (mark, over.is_some());
        let level = self.marks.iter().position(|known| *known == kind).unwrap_or_else(|| {
            self.marks.push(kind);
            self.marks.len() - 1
        });
        self.out.heading(level + 1, &inline::rst(title.trim(), &self.targets));
        self.at += if over.is_some() { 3 } else { 2 };
        true
    }

    fn table(&mut self) -> bool {
        let first = self.line(0).trim_start();
        let rest = &self.lines[self.at..];
        let (rows, taken) = if first.starts_with("+-") && first.ends_with('+') {
            let taken = rest.iter().take_while(|line| line.trim_start().starts_with(['+', '|'])).count();
            (table::grid(&rest[..taken]), taken)
        } else if table::is_border(first) && first.starts_with('=') {
            let borders: Vec<usize> = (0..rest.len().min(1_000))
                .filter(|at| table::is_border(rest[*at]) && rest[*at].contains('='))
                .take(3)
                .collect();
            let Some(last) = borders.last().filter(|last| **last > 0) else { return false };
            (table::simple(&rest[..=*last]), last + 1)
        } else {
            return false;
        };
        self.rows(&rows);
        self.at += taken;
        true
    }

    fn rows(&mut self, rows: &[Vec<String>]) {
        let cell = |cell: &String| inline::rst(cell, &self.targets).into_owned();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        self.out.block(&table::markdown(&rows));
    }

    /// `.. name:: argument` with its options and content, or a comment.
    fn directive(&mut self) {
        let (depth, line) = (indent(self.line(0)), self.line(0).trim_start());
        self.at += 1;
        let content = self.indented(depth);
        let Some((name, argument)) = line.trim_start_matches("..").trim().split_once("::") else { return };
        let options = content.iter().take_while(|line| field(line.trim_start()).is_some()).count();
        let (options, content) = content.split_at(options);
        let argument = argument.trim();
        match name {
            _ if CODE.contains(&name) => self.out.code(argument, content),
            _ if TEXT.contains(&name) => self.inner(argument, content),
            "list-table" => self.list_table(content),
            "csv-table" => {
                let header = options.iter().filter_map(|option| option.trim().strip_prefix(":header:"));
                let mut lines: Vec<&str> = header.map(str::trim).collect();
                lines.extend(content.iter().filter(|line| !line.is_empty()));
                let text = lines.join("\n");
                let mut reader = csv::ReaderBuilder::new()
                    .has_headers(false)
                    .flexible(true)
                    .trim(csv::Trim::All)
                    .from_reader(text.as_bytes());
                let rows: Vec<Vec<String>> = reader
                    .records()
                    .flatten()
                    .map(|record| record.iter().map(str::to_owned).collect())
                    .collect();
                self.rows(&rows);
            }
            _ => {}
        }
    }

    /// Reads the content of a directive as text of the document.
    fn inner(&mut self, argument: &str, content: &[&'t str]) {
        self.out.blank();
        if !argument.is_empty() {
            self.out.block(&inline::rst(argument, &self.targets));
        }
        let targets = std::mem::take(&mut self.targets);
        let mut inner = Reader {
            lines: content.to_vec(),
            at: 0,
            targets,
            marks: self.marks.clone(),
            out: Output::default(),
        };
        while inner.at < inner.lines.len() {
            inner.block();
        }
        self.out.text.push_str(&inner.out.text);
        self.targets = inner.targets;
        self.out.blank();
    }

    /// A list of rows, `* - cell`, each a list of cells.
    fn list_table(&mut self, content: &[&str]) {
        let mut rows: Vec<Vec<String>> = Vec::new();
        for line in content.iter().filter(|line| !line.is_empty()) {
            if let Some(first) = line.strip_prefix("* -") {
                rows.push(vec![first.trim().to_owned()]);
                continue;
            }
            let Some(row) = rows.last_mut() else { continue };
            match (line.trim_start().strip_prefix("- "), row.last_mut()) {
                (Some(cell), _) => row.push(cell.trim().to_owned()),
                (None, Some(_)) if line.trim() == "-" => row.push(String::new()),
                (None, Some(cell)) => {
                    cell.push(' ');
                    cell.push_str(line.trim());
                }
                (None, None) => {}
            }
        }
        self.rows(&rows);
    }

    /// A line of text or of a list. Text that is indented outside of lists is a quotation or a definition.
    fn text(&mut self) {
        let line = self.line(0);
        self.at += 1;
        let body = line.trim_start();
        let literal = body.ends_with("::");
        let shown = body.strip_suffix("::").map(|shown| {
            if shown.trim().is_empty() { String::new() } else { format!("{}:", shown.trim_end()) }
        });
        let shown = shown.as_deref().unwrap_or(body);
        let shown = shown.strip_prefix("#. ").map_or(shown.to_owned(), |item| format!("1. {item}"));
        let in_list = bullet(&shown)
            || self
                .out
                .text
                .lines()
                .next_back()
                .is_some_and(|last| bullet(last.trim_start()) || last.starts_with("  "));
        let lead = if in_list { &line[..indent(line)] } else { "" };
        if !shown.is_empty() {
            self.out.line(&format!("{lead}{}", inline::rst(&shown, &self.targets)));
        }
        if literal {
            let code = self.indented(indent(line));
            self.out.code("", &code);
        }
    }

    /// Takes the lines that are indented deeper, without what they have in common.
    fn indented(&mut self, depth: usize) -> Vec<&'t str> {
        let rest = &self.lines[self.at.min(self.lines.len())..];
        let mut taken = rest.iter().take_while(|line| line.is_empty() || indent(line) > depth).count();
        while taken > 0 && rest[taken - 1].is_empty() {
            taken -= 1;
        }
        let common =
            rest[..taken].iter().filter(|line| !line.is_empty()).map(|line| indent(line)).min().unwrap_or(0);
        let mut inside: Vec<&str> =
            rest[..taken].iter().map(|line| line.get(common..).unwrap_or_default()).collect();
        self.at += taken;
        let first = inside.iter().position(|line| !line.is_empty()).unwrap_or(inside.len());
        inside.drain(..first);
        inside
    }
}

/// The mark of which a line is made up.
fn rule(line: &str) -> Option<char> {
    let first = line.chars().next().filter(char::is_ascii_punctuation)?;
    (line.len() > 2 && line.chars().all(|letter| letter == first)).then_some(first)
}

/// `:name: value`.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let role = value.starts_with('`');
    (!name.is_empty() && !role && !name.contains('`') && (value.is_empty() || value.starts_with(' ')))
        .then(|| (name, value.trim()))
}

fn bullet(line: &str) -> bool {
    let marker = line.split(' ').next().unwrap_or_default();
    let number = marker.trim_end_matches(['.', ')']);
    matches!(marker, "-" | "*" | "+" | "•")
        || number.len() < marker.len()
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
}
