//! Recognises headings, paragraphs, lists and tables among lines.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{
    lines::{Cell, Line, SOFT_HYPHEN},
    running::without_running,
};

/// Minimum size of a heading's letters, relative to the text.
const HEADING: f64 = 1.12;
/// Maximum length of a heading in letters.
const HEADING_LETTERS: usize = 150;
/// Distance between paragraphs, relative to the usual distance of lines.
const PARAGRAPH: f64 = 1.25;

/// Markdown, and the offset in it at which each page begins. One without text begins where the next one does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Paged {
    pub(super) text: String,
    pub(super) starts: Vec<usize>,
}

impl Paged {
    /// Adds what comes from a line.
    fn push(&mut self, line: &Line, text: &str) {
        while self.starts.len() < line.page as usize {
            self.starts.push(self.text.len());
        }
        self.text.push_str(text);
    }

    /// Ends the block before, of which items of one list stand closer together.
    fn begin(&mut self, is_item: bool) {
        if !self.text.is_empty() {
            let in_list = is_item && self.text.lines().next_back().is_some_and(|line| line.starts_with("- "));
            self.text.push_str(if in_list { "\n" } else { "\n\n" });
        }
    }
}

/// Converts lines to Markdown.
pub(super) fn to_markdown(lines: Vec<Line>) -> Paged {
    let lines = without_running(lines);
    let layout = Layout::from_lines(&lines);
    let mut paged = Paged::default();
    let mut rest = lines.as_slice();
    while let [line, ..] = rest {
        let rows = table_rows(rest);
        let taken = if rows.len() > 1 {
            paged.begin(false);
            push_table(rest, &rows, &mut paged);
            rows.len()
        } else if let Some(level) = layout.heading(line) {
            let taken = 1 + rest[1..].iter().take_while(|next| layout.is_same_heading(line, next)).count();
            let words = rest[..taken].iter().map(Line::text).collect::<Vec<_>>().join(" ");
            paged.begin(false);
            paged.push(line, &format!("{} {words}", "#".repeat(level)));
            taken
        } else {
            let mut taken = 1;
            while layout.goes_on(&rest[taken - 1], &rest[taken..], rest) {
                taken += 1;
            }
            layout.push_paragraph(&rest[..taken], &mut paged);
            taken
        };
        rest = &rest[taken..];
    }
    if !paged.text.is_empty() {
        paged.text.push('\n');
    }
    paged
}

/// Usual measures of a document.
struct Layout {
    /// Size of most letters, in points.
    size: f64,
    /// Distance of most lines to the next, in points.
    distance: f64,
    /// Sizes of headings, the largest first, in tenths of a point.
    headings: Vec<i64>,
    words: HashSet<String>,
}

impl Layout {
    fn from_lines(lines: &[Line]) -> Self {
        let sizes = lines.iter().map(|line| (tenths(line.size), line.text().chars().count()));
        let size = most(sizes).unwrap_or_default() as f64 / 10.0;
        let distances = lines.windows(2).filter(|pair| pair[0].page == pair[1].page);
        let distances = distances.map(|pair| pair[0].y - pair[1].y).filter(|distance| {
            // Lines of one paragraph are never further apart than this.
            *distance > 0.0 && *distance < 2.5 * size
        });
        let distance = most(distances.map(|distance| (tenths(distance), 1)))
            .map_or(1.2 * size, |most| most as f64 / 10.0);
        let large = lines.iter().filter(|line| line.size >= HEADING * size);
        let headings: BTreeSet<i64> = large.map(|line| tenths(line.size)).collect();
        let words = lines.iter().flat_map(|line| {
            line.text()
                .split_whitespace()
                .map(|word| word.trim_matches(is_mark).to_owned())
                .collect::<Vec<_>>()
        });
        Self { size, distance, headings: headings.into_iter().rev().collect(), words: words.collect() }
    }

    /// Returns the level of a heading, from 1, or `None` if the line is not a heading.
    fn heading(&self, line: &Line) -> Option<usize> {
        let level = self.headings.iter().position(|size| *size == tenths(line.size))?;
        (line.text().chars().count() <= HEADING_LETTERS).then_some((level + 1).min(4))
    }

    fn is_same_heading(&self, line: &Line, next: &Line) -> bool {
        line.page == next.page
            && tenths(line.size) == tenths(next.size)
            && (0.0..2.0 * line.size).contains(&(line.y - next.y))
            && self.heading(next).is_some()
    }

    /// Returns whether the first of the lines in `follow` continues the paragraph of `line`.
    fn goes_on(&self, line: &Line, follow: &[Line], rest: &[Line]) -> bool {
        let Some(next) = follow.first() else { return false };
        if self.heading(next).is_some() || bullet(&next.text()).is_some() || table_rows(follow).len() > 1 {
            return false;
        }
        let continues = !line.text().ends_with(['.', ':', '!', '?']);
        if line.page != next.page || next.y > line.y {
            // The next line stands on another page, or at the head of the next column.
            return continues && next.text().starts_with(char::is_lowercase);
        }
        let far = line.y - next.y > PARAGRAPH * self.distance;
        let indented = next.start() - line.start() > self.size && bullet(&line.text()).is_none();
        // A line that had room for the next word was ended on purpose.
        let margin = rest.iter().filter(|other| {
            other.page == line.page && (other.start() - line.start()).abs() < 3.0 * self.size
        });
        let margin = margin.map(Line::end).fold(line.end(), f64::max);
        let had_room = line.end() + first_word(next) + self.size < margin;
        !far && !indented && !had_room
    }

    fn push_paragraph(&self, lines: &[Line], paged: &mut Paged) {
        let mut start = None;
        for line in lines {
            let text = line.text();
            let Some(start) = start else {
                let item = bullet(&text);
                paged.begin(item.is_some());
                start = Some(paged.text.len());
                paged.push(line, &item.map_or(text.clone(), |item| format!("- {item}")));
                continue;
            };
            let last = paged.text[start..].split_whitespace().next_back().unwrap_or_default();
            match self.join_hyphenated(last, &text) {
                Some(joined) => paged.text.truncate(paged.text.len() - last.len() + joined),
                None if is_hyphenated(last) => {}
                None => paged.text.push(' '),
            }
            paged.push(line, &text);
        }
    }

    /// Returns how many bytes of the last word stay when the next line begins with its other part.
    ///
    /// That is all but the hyphen, unless the document writes the word with a hyphen elsewhere.
    fn join_hyphenated(&self, last: &str, next: &str) -> Option<usize> {
        if let Some(stem) = last.strip_suffix(SOFT_HYPHEN) {
            return Some(stem.len());
        }
        if !is_hyphenated(last) || !next.starts_with(char::is_lowercase) {
            return None;
        }
        let stem = &last[..last.len() - 1];
        let rest = next.split_whitespace().next().unwrap_or_default();
        let with_hyphen = format!("{stem}-{rest}");
        let is_known = |word: &str| self.words.contains(word.trim_matches(is_mark));
        let keeps = is_known(&with_hyphen) && !is_known(&format!("{stem}{rest}"));
        (!keeps).then_some(stem.len())
    }
}

fn is_hyphenated(word: &str) -> bool {
    let mut letters = word.chars().rev();
    letters.next() == Some('-') && letters.next().is_some_and(char::is_alphabetic)
}

fn is_mark(letter: char) -> bool {
    !letter.is_alphanumeric() && letter != '-'
}

/// Returns the text of a list item without its bullet, or `None` if the line is not one.
fn bullet(text: &str) -> Option<&str> {
    let item = text.strip_prefix(['•', '◦', '▪', '■', '●', '‣', '·', '–', '-', '*'])?;
    (item.starts_with(' ') && !item.trim().is_empty()).then(|| item.trim_start())
}

fn first_word(line: &Line) -> f64 {
    let Some(cell) = line.cells.first() else { return 0.0 };
    let word = cell.text.split_whitespace().next().unwrap_or_default().chars().count() as f64;
    (cell.end - cell.start) * word / cell.text.chars().count().max(1) as f64
}

/// Returns the rows of a table that begins here, with one text for each column of the first row.
/// Fewer than two rows are not a table.
fn table_rows(lines: &[Line]) -> Vec<Vec<String>> {
    let Some(head) = lines.first().filter(|line| line.cells.len() > 1) else { return Vec::new() };
    lines.iter().take_while(|line| line.cells.len() > 1).map_while(|line| row(&head.cells, line)).collect()
}

/// Assigns the cells of a line to the columns of the head. Returns `None` if two of them fall under
/// one column.
fn row(head: &[Cell], line: &Line) -> Option<Vec<String>> {
    let mut row = vec![String::new(); head.len()];
    for cell in &line.cells {
        let apart = |column: &Cell| (column.start - cell.end).max(cell.start - column.end).max(0.0);
        let middle = |column: &Cell| (column.start + column.end - cell.start - cell.end).abs();
        let nearest = (0..head.len()).min_by(|&one, &other| {
            let (one, other) = (&head[one], &head[other]);
            apart(one).total_cmp(&apart(other)).then(middle(one).total_cmp(&middle(other)))
        })?;
        if !row[nearest].is_empty() {
            return None;
        }
        row[nearest].clone_from(&cell.text);
    }
    Some(row)
}

fn push_table(lines: &[Line], rows: &[Vec<String>], paged: &mut Paged) {
    for (index, (line, row)) in lines.iter().zip(rows).enumerate() {
        let cells: Vec<_> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        if index > 0 {
            paged.text.push('\n');
        }
        paged.push(line, &format!("| {} |", cells.join(" | ")));
        if index == 0 {
            paged.text.push_str(&format!("\n|{}", " --- |".repeat(row.len())));
        }
    }
}

fn tenths(points: f64) -> i64 {
    (points * 10.0).round() as i64
}

/// Returns the value with the greatest sum of weights.
fn most(values: impl Iterator<Item = (i64, usize)>) -> Option<i64> {
    let mut sums: BTreeMap<i64, usize> = BTreeMap::new();
    for (value, weight) in values {
        *sums.entry(value).or_default() += weight;
    }
    sums.into_iter().max_by_key(|(_, sum)| *sum).map(|(value, _)| value)
}
