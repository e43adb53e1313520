//! Reads plain text as blocks, by its blank lines, underlines, bullets and columns.

use graphwright_core::Span;

use super::{Block, Row, Table, text::BlockText};

/// A line with its start.
#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a str,
    start: usize,
}

/// Reads plain text.
pub(super) fn read(text: &str) -> Vec<Block> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        lines.push(Line { text: line.trim_end(), start });
        start += line.len();
    }
    let mut blocks = Vec::new();
    let mut index = 0;
    while index < lines.len() {
        let line = lines[index];
        let next = lines.get(index + 1).map_or("", |line| line.text);
        let alone = next.is_empty() || is_rule(next) || (index == 0 && looks_like_heading(next));
        let after_blank = index == 0 || lines[index - 1].text.is_empty() || is_rule(lines[index - 1].text);
        if line.text.trim().is_empty() || is_rule(line.text) {
            index += 1;
        } else if is_rule(next)
            || (alone && after_blank && looks_like_heading(line.text))
            || line.text.starts_with('#')
        {
            blocks.push(heading(line, next));
            index += 1;
        } else if let Some(bullet) = bullet_length(line.text) {
            index += push_item(&lines[index..], bullet, &mut blocks);
        } else if line.text.matches('|').count() >= 2 || line.text.contains('\t') {
            index += push_table(&lines[index..], &mut blocks);
        } else if let Some(count) = push_indented(&lines[index..], &mut blocks) {
            index += count;
        } else {
            index += push_paragraph(&lines[index..], &mut blocks);
        }
    }
    blocks
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.chars().all(|letter| matches!(letter, '=' | '-' | '_' | '*' | '~' | '+' | '|'))
}

fn heading(line: Line<'_>, next: &str) -> Block {
    let hashes = line.text.chars().take_while(|letter| *letter == '#').count();
    let trimmed = line.text[hashes..].trim();
    let numbering = trimmed.split(' ').next().unwrap_or("");
    let numbered = numbering.starts_with(|letter: char| letter.is_ascii_digit());
    let level = if hashes > 0 {
        hashes as u8
    } else if line.start == 0 || next.starts_with("==") {
        1
    } else if numbered {
        1 + numbering.split('.').filter(|part| !part.is_empty()).count() as u8
    } else {
        2
    };
    let from = line.text.find(trimmed).unwrap_or(0);
    let text = BlockText::copied(trimmed, line.start + from);
    let span = Span::new(line.start, line.start + line.text.len());
    Block::Heading { level: level.min(6), text, span }
}

/// Tells whether a line looks like a heading: short, between blank lines, no sentence and no `key:
/// value`.
fn looks_like_heading(line: &str) -> bool {
    let line = line.trim();
    // `ROE, ADA (Orsk, 3 May 1901 – Ludro, 1974)`: a note does not make it longer.
    let note = line.find(" (").filter(|_| line.ends_with(')'));
    let words = line[..note.unwrap_or(line.len())].split_whitespace().count();
    let inner_colon = line.trim_end_matches(':').contains(": ");
    words <= 9
        && !line.ends_with(['.', ',', ';', '?', '!'])
        && !inner_colon
        && bullet_length(line).is_none()
        && !line.contains('|')
        && line
            .chars()
            .next()
            .is_some_and(|letter| letter.is_uppercase() || letter.is_ascii_digit() || line.ends_with(':'))
}

/// Returns the length of a bullet such as `- `, `* `, `• `, `1. ` or `(a) `, with the white space
/// around it.
fn bullet_length(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start().len();
    let rest = &line[indent..];
    let marker = rest.split(' ').next().unwrap_or("");
    let plain = matches!(marker, "-" | "*" | "•" | "–" | "—" | "o" | "·" | "+");
    let numbered = marker.len() <= 4
        && marker.len() > 1
        && marker.ends_with(['.', ')'])
        && marker.trim_matches(['(', ')', '.']).chars().all(|letter| letter.is_ascii_digit())
        || (marker.len() == 3 && marker.starts_with('(') && marker.ends_with(')'));
    let space = rest.get(marker.len()..)?;
    let gap = space.len() - space.trim_start().len();
    ((plain || numbered) && gap > 0).then_some(indent + marker.len() + gap)
}

/// Adds an item with its continuation lines, which are indented. Returns the number of lines.
fn push_item(lines: &[Line<'_>], bullet: usize, blocks: &mut Vec<Block>) -> usize {
    let first = lines[0];
    let indent = first.text.len() - first.text.trim_start().len();
    let mut text = BlockText::copied(&first.text[bullet..], first.start + bullet);
    let mut count = 1;
    for line in &lines[1..] {
        let own = line.text.len() - line.text.trim_start().len();
        if line.text.trim().is_empty() || own <= indent || bullet_length(line.text).is_some() {
            break;
        }
        text.push("\n", line.start..line.start);
        text.push(&line.text[own..], line.start + own..line.start + line.text.len());
        count += 1;
    }
    blocks.push(Block::Item { text });
    count
}

/// Adds a title with the indented lines below it, each as an item. Returns the number of lines.
fn push_indented(lines: &[Line<'_>], blocks: &mut Vec<Block>) -> Option<usize> {
    let indent = |line: &Line<'_>| line.text.len() - line.text.trim_start().len();
    let (title, rest) = lines.split_first()?;
    let count = rest.iter().take_while(|line| !line.text.trim().is_empty()).count();
    let items = &rest[..count];
    let starts = |line: &Line<'_>| {
        let first = line.text.trim_start().chars().next();
        indent(line) >= 2 && first.is_some_and(|letter| letter.is_uppercase() || letter.is_ascii_digit())
    };
    if count == 0 || indent(title) > 0 || !looks_like_heading(title.text) || !items.iter().all(starts) {
        return None;
    }
    let span = Span::new(title.start, title.start + title.text.len());
    blocks.push(Block::Heading { level: 3, text: BlockText::copied(title.text.trim(), title.start), span });
    for line in items {
        let from = indent(line);
        blocks.push(Block::Item { text: BlockText::copied(&line.text[from..], line.start + from) });
    }
    Some(count + 1)
}

fn push_paragraph(lines: &[Line<'_>], blocks: &mut Vec<Block>) -> usize {
    let mut text = BlockText::default();
    let mut count = 0;
    for line in lines {
        if line.text.trim().is_empty()
            || (count > 0 && (bullet_length(line.text).is_some() || is_rule(line.text)))
        {
            break;
        }
        let indent = line.text.len() - line.text.trim_start().len();
        if count > 0 {
            text.push("\n", line.start..line.start);
        }
        text.push(&line.text[indent..], line.start + indent..line.start + line.text.len());
        count += 1;
    }
    blocks.push(Block::Paragraph(text));
    count.max(1)
}

/// Adds a table of lines with bars or tabs between their cells. Returns the number of lines.
fn push_table(lines: &[Line<'_>], blocks: &mut Vec<Block>) -> usize {
    let separator = if lines[0].text.contains('\t') { '\t' } else { '|' };
    let mut rows = Vec::new();
    let mut count = 0;
    for line in lines {
        if !line.text.contains(separator) && !is_rule(line.text) {
            break;
        }
        count += 1;
        if is_rule(line.text) {
            continue;
        }
        let bars = line.text.trim().trim_matches('|');
        let mut at = line.start + line.text.find(bars).unwrap_or(0);
        let mut cells = Vec::new();
        for cell in bars.split(separator) {
            let lead = cell.len() - cell.trim_start().len();
            cells.push(BlockText::copied(cell.trim(), at + lead));
            at += cell.len() + 1;
        }
        let span = graphwright_core::Span::new(line.start, line.start + line.text.len());
        rows.push(Row { cells, span });
    }
    if rows.len() < 2 {
        return push_paragraph(lines, blocks);
    }
    let header = rows.remove(0).cells;
    blocks.push(Block::Table(Table { header, rows, ..Table::default() }));
    count
}
