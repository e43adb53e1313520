//! AsciiDoc.

use super::{
    Output,
    inline::{self, Names},
    table,
};

/// Lines that open and close a block whose content is text.
const AROUND_TEXT: [&str; 4] = ["====", "****", "____", "--"];
/// Lines that open and close a block of code.
const AROUND_CODE: [&str; 4] = ["----", "....", "```", "++++"];
/// Labels of remarks: `NOTE: …`.
const LABELS: [&str; 5] = ["NOTE: ", "TIP: ", "IMPORTANT: ", "WARNING: ", "CAUTION: "];

struct Reader<'t> {
    lines: std::iter::Peekable<std::str::Lines<'t>>,
    attributes: Names,
    /// The title was read, and no blank line since.
    in_header: bool,
    out: Output,
}

/// Rewrites a text.
pub(in crate::load) fn to_markdown(text: &str) -> String {
    let mut reader = Reader {
        lines: text.lines().peekable(),
        attributes: Names::new(),
        in_header: false,
        out: Output::default(),
    };
    while let Some(line) = reader.lines.next() {
        reader.block(line.trim_end());
    }
    reader.out.text
}

impl<'t> Reader<'t> {
    fn block(&mut self, line: &'t str) {
        let header = std::mem::replace(&mut self.in_header, false);
        if line.is_empty() {
            self.out.blank();
        } else if let Some((level, title)) = heading(line) {
            self.out.heading(level, &inline::asciidoc(title, &self.attributes));
            self.in_header = level == 1;
        } else if let Some((name, value)) = attribute(line) {
            self.attributes.insert(name.to_owned(), value.to_owned());
            if !value.is_empty() {
                self.out.line(&format!("- {name}: {value}"));
            }
            self.in_header = header;
        } else if line.starts_with("//") && !line.starts_with("///") {
            self.in_header = header;
        } else if header {
            self.header(line);
        } else if let Some(fence) =
            AROUND_CODE.iter().find(|fence| line.starts_with(**fence) && is_fence(line))
        {
            let code: Vec<&str> = self
                .lines
                .by_ref()
                .take_while(|inner| !(inner.starts_with(fence) && inner.trim_end() == line))
                .collect();
            if *fence != "++++" {
                self.out.code("", &code);
            }
        } else if line.starts_with("|===") {
            self.table();
        } else if AROUND_TEXT.contains(&line) || is_direction(line) || is_fence(line) {
            self.out.blank();
        } else {
            self.text(line);
        }
    }

    /// The lines below the title: who wrote it, and its revision.
    fn header(&mut self, line: &str) {
        let revision = line.starts_with('v') && line[1..].starts_with(|next: char| next.is_ascii_digit())
            || line.starts_with(|first: char| first.is_ascii_digit());
        if revision {
            self.out.line(&format!("- revision: {line}"));
        } else {
            let authors = line.split(';').map(|author| author.split('<').next().unwrap_or(author).trim());
            self.out.line(&format!("- author: {}", authors.collect::<Vec<_>>().join(", ")));
        }
        self.in_header = true;
    }

    fn table(&mut self) {
        let lines: Vec<&str> = self.lines.by_ref().take_while(|line| !line.starts_with("|===")).collect();
        let cells = |line: &str| -> Vec<String> {
            line.split('|').skip(1).map(|cell| inline::asciidoc(cell.trim(), &self.attributes)).collect()
        };
        let first = lines.iter().find(|line| line.starts_with('|')).map_or(0, |line| cells(line).len());
        let mut all: Vec<String> = Vec::new();
        for line in lines.iter().filter(|line| !line.trim().is_empty()) {
            match line.find('|') {
                Some(_) => all.extend(cells(line)),
                // A cell goes on in the next line.
                None => {
                    if let Some(last) = all.last_mut() {
                        last.push(' ');
                        last.push_str(line.trim());
                    }
                }
            }
        }
        let rows: Vec<Vec<String>> = all.chunks(first.max(1)).map(<[String]>::to_vec).collect();
        self.out.block(&table::markdown(&rows));
    }

    fn text(&mut self, line: &str) {
        let body = line.trim_start();
        let marks = body.len() - body.trim_start_matches(['*', '.', '-']).len();
        let (mark, rest) = body.split_at(marks);
        let same = mark.chars().all(|letter| mark.starts_with(letter));
        if let Some(item) = rest.strip_prefix(' ').filter(|_| (1..=5).contains(&marks) && same) {
            let lead = if mark.starts_with('.') { "1." } else { "-" };
            let item = item.trim().trim_start_matches("[ ] ").trim_start_matches("[x] ");
            self.out.line(&format!(
                "{}{lead} {}",
                "   ".repeat(marks - 1),
                inline::asciidoc(item, &self.attributes)
            ));
        } else if let Some(title) =
            body.strip_prefix('.').filter(|title| title.starts_with(char::is_alphanumeric))
        {
            self.out.block(&format!("**{}**", inline::asciidoc(title, &self.attributes)));
        } else if let Some((term, definition)) = definition(body) {
            let below =
                if definition.is_empty() { self.lines.next().unwrap_or_default().trim() } else { definition };
            let term = inline::asciidoc(term, &self.attributes);
            self.out.block(&format!("{term}\n: {}", inline::asciidoc(below, &self.attributes)));
        } else if body == "+" {
            self.out.blank();
        } else {
            let said = LABELS.iter().find_map(|label| body.strip_prefix(label)).unwrap_or(body);
            let said = inline::asciidoc(said.trim_end_matches(" +"), &self.attributes);
            self.out.line(&said);
        }
    }
}

/// `== Section`; the title of the document has one mark.
fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('=');
    let level = line.len() - title.len();
    let title = title.strip_prefix(' ')?.trim();
    ((1..=6).contains(&level) && !title.is_empty()).then_some((level, title))
}

/// `:name: value`.
fn attribute(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '!');
    (!name.is_empty() && name.chars().all(plain)).then(|| (name, value.trim()))
}

/// Whether a line is made up of four or more of one mark.
fn is_fence(line: &str) -> bool {
    let first = line.chars().next().unwrap_or(' ');
    line.len() >= 3 && "-.=*_+/`".contains(first) && line.chars().all(|letter| letter == first)
}

/// `[source,rust]`, `image::a.png[]`, `include::b.adoc[]`, `ifdef::c[]`, `<<<`.
fn is_direction(line: &str) -> bool {
    let block = line.starts_with('[') && line.ends_with(']') && !line.contains("](");
    let named = ["image::", "include::", "ifdef::", "ifndef::", "endif::", "toc::", "video::"];
    block || line == "<<<" || line == "'''" || named.iter().any(|name| line.starts_with(name))
}

/// `term:: definition`.
fn definition(line: &str) -> Option<(&str, &str)> {
    let (term, definition) = line.split_once("::")?;
    let after = definition.is_empty() || definition.starts_with(' ');
    (after && !term.trim().is_empty() && term.len() < 80).then(|| (term.trim(), definition.trim()))
}
