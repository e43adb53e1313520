//! The head of a document: its title, and what it says of itself before its first sentence.
//!
//! That is front matter, lines and list items `key: value`, or the header of a mail, where a line that is indented goes on
//! with the one before, and what stands in another column beside the value is no part of it.

mod sections;

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use graphwright_core::Span;
use graphwright_documents::blocks::{Block, Origin, Table, text::BlockText};
use graphwright_english::dates::{Days, FigureOrder};

pub(crate) use sections::Section;

/// A key of a field has at most so many words.
const LONGEST_KEY: usize = 5;
/// What keeps columns apart.
const GAP: &str = "   ";

/// The fields at the head of a document, before its first sentence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) fields: Vec<(String, BlockText)>,
    /// The name of the map that the first of them stands in, which says what the document is: `[advisory]`.
    pub(crate) group: Option<String>,
    /// Numbers of the blocks that they are.
    pub(crate) blocks: Vec<usize>,
    /// Sections that may be fields: a heading with a few words below it.
    pub(crate) sections: Vec<Section>,
    /// The title before, among or behind them, with the number of its block.
    pub(crate) heading: Option<(String, Span, usize)>,
}

impl Head {
    /// Reads the head of a document with these blocks and this text.
    pub(crate) fn read(blocks: &[Block], source: &str) -> Self {
        let mut head = Self::default();
        // Where each list or paragraph of fields ends.
        let mut ends = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            match block {
                Block::Field { key, value, group } => {
                    if head.fields.is_empty() {
                        head.group.clone_from(group);
                    }
                    head.fields.push((key.clone(), value.clone()));
                    head.blocks.push(index);
                }
                // A title stands before the fields, whatever its level.
                Block::Heading { text, span, .. } if head.heading.is_none() && head.fields.is_empty() => {
                    head.heading = Some((text.on_one_line(), *span, index));
                }
                Block::Paragraph(text) | Block::Item { text } => {
                    let is_below = head.heading.as_ref().is_some_and(|(.., title)| title + 1 == index);
                    let byline = || byline(text).filter(|_| is_below).map(|author| vec![author]);
                    let Some(fields) = fields_of(text, source).or_else(byline) else { break };
                    head.fields.extend(fields);
                    head.blocks.push(index);
                    let goes_on = matches!(blocks[index..], [Block::Item { .. }, Block::Item { .. }, ..]);
                    ends.extend((!goes_on).then_some(head.fields.len()));
                }
                Block::Table(table) if index == 0 => {
                    head.fields.extend(fields_of_record(table));
                    head.blocks.extend((!head.fields.is_empty()).then_some(index));
                    break;
                }
                _ => break,
            }
        }
        let ends = if head.heading.is_some() { ends } else { Vec::new() };
        let Some(fields) = joined(head.fields, &ends) else { return Self::default() };
        head.fields = fields;
        let mut keys: HashSet<String> = head.fields.iter().map(|(key, _)| key.to_lowercase()).collect();
        if head.heading.is_none() {
            head.heading = only_title(blocks);
        }
        let title = head.heading.as_ref().map(|(.., index)| *index);
        head.sections = sections::short(blocks, title);
        head.sections.retain(|section| keys.insert(section.key.to_lowercase()));
        head
    }
}

/// Whether a key gives the title of any document.
pub(crate) fn is_title(key: &str) -> bool {
    ["title", "subject"].iter().any(|word| key.trim().eq_ignore_ascii_case(word))
}

/// Whether a key gives the name of what a record is of, which is its title if it has no other.
pub(crate) fn is_name(key: &str) -> bool {
    key.trim().eq_ignore_ascii_case("name")
}

/// How things stand, without since when and by what: `Superseded by ADR 5`, `Accepted on 3 May`.
pub(crate) fn state(text: &str) -> &str {
    let ends =
        [" by ", " on ", " in ", " since ", " as of ", " – ", " — ", " - ", ", ", ". ", "; ", ": ", " ("];
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    text[..end].trim()
}

/// Whether a key asks for how things stand, or of which sort they are: its values name nothing.
pub(crate) fn is_state(key: &str) -> bool {
    let lower = key.trim().to_lowercase();
    let last = lower.rsplit([' ', '_', '-', '.']).next().unwrap_or_default();
    matches!(
        last,
        "status"
            | "state"
            | "stage"
            | "phase"
            | "type"
            | "kind"
            | "priority"
            | "severity"
            | "level"
            | "layout"
            | "outcome"
            | "maturity"
    )
}

/// The heading of level one, where there is only one.
pub(crate) fn only_title(blocks: &[Block]) -> Option<(String, Span, usize)> {
    let mut titles = blocks.iter().enumerate().filter_map(|(index, block)| match block {
        Block::Heading { level: 1, text, span } => Some((text.on_one_line(), *span, index)),
        _ => None,
    });
    titles.next().filter(|_| titles.next().is_none())
}

/// The fields of the only record of a file, which is its head if it says what it is of; other lists in the file are what it holds.
fn fields_of_record(table: &Table) -> Vec<(String, BlockText)> {
    let [row] = table.rows.as_slice() else { return Vec::new() };
    let is_titled = table.header.iter().any(|key| is_title(key.trimmed()) || is_name(key.trimmed()));
    if table.origin != Origin::Records || !is_titled {
        return Vec::new();
    }
    let fields = table.header.iter().zip(&row.cells);
    let given = fields.filter(|(_, value)| !value.trimmed().is_empty());
    given.map(|(key, value)| (key.trimmed().to_owned(), value.clone())).collect()
}

/// `by Ada Roe and Bo Ek` below a title: who wrote the document.
fn byline(text: &BlockText) -> Option<(String, BlockText)> {
    const LONGEST: usize = 12;
    let line = text.trim(0..text.text.len());
    let shown = &text.text[line.clone()];
    let (by, names) =
        shown.split_once(char::is_whitespace).filter(|(by, _)| by.eq_ignore_ascii_case("by"))?;
    let is_name = |word: &str| {
        word.starts_with(char::is_uppercase) || matches!(word, "and" | "&" | "de" | "van" | "von")
    };
    let words = names.split_whitespace().count();
    // An initial has a dot as well.
    let is_sentence = names.ends_with(['.', ':', '!', '?']);
    ((1..=LONGEST).contains(&words) && names.split_whitespace().all(is_name) && !is_sentence)
        .then(|| ("author".to_owned(), text.part(text.trim(line.start + by.len()..line.end))))
}

/// Joins the values of a field that stands several times in one of the lists that end there: `Author: Ada Roe`,
/// `Author: Bo Ek`. `None` where it comes again elsewhere, or all of them do: they are those of several records.
fn joined(fields: Vec<(String, BlockText)>, ends: &[usize]) -> Option<Vec<(String, BlockText)>> {
    let mut places: HashMap<String, (usize, usize)> = HashMap::new();
    let mut grouped: Vec<(String, Vec<BlockText>)> = Vec::new();
    for (at, (key, value)) in fields.into_iter().enumerate() {
        let list = ends.partition_point(|end| *end <= at);
        let (place, of) = *places.entry(key.to_lowercase()).or_insert((grouped.len(), list));
        match grouped.get_mut(place) {
            Some(_) if of != list || list == ends.len() => return None,
            Some((_, values)) => values.push(value),
            None => grouped.push((key, vec![value])),
        }
    }
    if !grouped.is_empty() && grouped.iter().all(|(_, values)| values.len() > 1) {
        return None;
    }
    let join = |values: Vec<BlockText>| match <[BlockText; 1]>::try_from(values) {
        Ok([only]) => only,
        Err(values) => BlockText::list(values.iter().map(|value| {
            let own = value.trim(0..value.text.len());
            (&value.text[own.clone()], value.span(own).range())
        })),
    };
    Some(grouped.into_iter().map(|(key, values)| (key, join(values))).collect())
}

/// The fields that a block is, line by line; `None` if a line is something else. Fields without a value are left out.
fn fields_of(text: &BlockText, source: &str) -> Option<Vec<(String, BlockText)>> {
    let mut found: Vec<(&str, Range<usize>)> = Vec::new();
    // The last field, which may have no value yet.
    let mut open: Option<(&str, Range<usize>)> = None;
    let mut start = 0;
    for line in text.text.split_inclusive('\n') {
        let (shown, beside) = match line.trim_end().split_once(GAP) {
            Some((left, right)) => (left.trim_end(), !right.trim().is_empty()),
            None => (line.trim_end(), false),
        };
        let short = |key: &str| key.split_whitespace().count() <= LONGEST_KEY;
        let field = split_field(shown).or_else(|| split_date(shown));
        let field = field.filter(|(key, _)| short(&shown[key.clone()]));
        let indented = start > 0 && source[..text.span(start..start).start].ends_with([' ', '\t']);
        if let Some((_, value)) = open.as_mut().filter(|_| indented && !beside) {
            value.end = start + shown.len();
        } else if let Some((key, value)) = field {
            found.extend(open.replace((&shown[key], start + value.start..start + value.end)));
        } else if let Some(key) = shown.strip_suffix(':').filter(|key| short(key)) {
            found.extend(open.replace((key.trim(), start + shown.len()..start + shown.len())));
        } else if !beside {
            return None;
        }
        start += line.len();
    }
    found.extend(open);
    let valued = found.into_iter().map(|(key, value)| (key.to_owned(), text.part(text.trim(value))));
    Some(valued.filter(|(_, value)| !value.text.is_empty()).collect())
}

/// `key: value`, `key – value`, `**key** value`: the ranges of both.
pub(crate) fn split_field(line: &str) -> Option<(Range<usize>, Range<usize>)> {
    let content = line.trim_end();
    for separator in [":", "：", " – ", " — ", " = ", "\t"] {
        let Some(at) = content.find(separator) else { continue };
        let key = content[..at].trim_start_matches(['-', '*', '•', ' ']).trim();
        let value = at + separator.len()..content.len();
        if key.is_empty()
            || key.len() > 60
            || content[value.clone()].trim().is_empty()
            || key.split_whitespace().count() > 6
        {
            continue;
        }
        let start = content.find(key)?;
        return Some((start..start + key.len(), value));
    }
    None
}

/// `Date 09/04/2018`: a word with a capital and a date, without a mark between them.
fn split_date(line: &str) -> Option<(Range<usize>, Range<usize>)> {
    let (key, value) = line.split_once(' ')?;
    let named = key.starts_with(char::is_uppercase) && key.chars().all(char::is_alphabetic);
    let figures = value.trim().starts_with(|first: char| first.is_ascii_digit());
    let one_day = |days: Days| days.first == days.last;
    let dated = Days::parse(value).is_some_and(one_day) || FigureOrder::DayFirst.read(value).is_some();
    (named && figures && dated).then(|| (0..key.len(), key.len() + 1..line.len()))
}

#[cfg(test)]
mod tests {
    use graphwright_core::{Document, Properties, document::TextFormat};
    use graphwright_documents::ParsedDocument;

    use super::*;

    fn fields(format: TextFormat, text: &str) -> Vec<String> {
        let document = ParsedDocument::from(Document {
            id: "a".to_owned(),
            source: "a".to_owned(),
            title: "a".to_owned(),
            text: text.to_owned(),
            format,
            hash: String::new(),
            metadata: Properties::new(),
        });
        let head = Head::read(document.blocks(), &document.text);
        head.fields.iter().map(|(key, value)| format!("{key} = {}", value.on_one_line())).collect()
    }

    #[test]
    fn a_field_goes_on_in_indented_lines() {
        let mail = "From: Ada Roe\nTo: Bo Ek,\n  Cy Lund\nSubject: Gates\nBcc:\n\nDear all, come.\n";
        let expected = ["From = Ada Roe", "To = Bo Ek, Cy Lund", "Subject = Gates"];
        assert_eq!(fields(TextFormat::Plain, mail), expected);
        assert_eq!(fields(TextFormat::Markdown, mail), expected);
        let list = "- Author: Ada Roe,\n  Bo Ek\n- Start Date: 2020-01-01\n- Issue:\n\n# Summary\n\nText.\n";
        assert_eq!(
            fields(TextFormat::Markdown, list),
            ["Author = Ada Roe, Bo Ek", "Start Date = 2020-01-01"]
        );
    }

    #[test]
    fn what_stands_in_another_column_is_left_out() {
        let text = "Gate Working Group                        A. Roe\nRequest for Comments: 4525          Gate Foundation\n\
                    Category: Informational                 June 2006\n\n\n               Gates and Doors\n\nThe text.\n";
        assert_eq!(
            fields(TextFormat::Plain, text),
            ["Request for Comments = 4525", "Category = Informational"]
        );
    }

    #[test]
    fn a_date_may_stand_without_a_colon() {
        assert_eq!(
            fields(TextFormat::Markdown, "# Gates\n\nDate 09/04/2018\n\nText.\n"),
            ["Date = 09/04/2018"]
        );
        assert!(fields(TextFormat::Markdown, "# Gates\n\nChapter 9\n").is_empty());
    }

    #[test]
    fn a_field_that_comes_again_below_a_title_is_a_list() {
        let text = "# Gates\n\n- Author: Ada Roe\n- Mail: a@x.org\n- Author: Bo Ek\n- Mail: b@x.org\n- Status: Final\n\nText.\n";
        let expected = ["Author = Ada Roe; Bo Ek", "Mail = a@x.org; b@x.org", "Status = Final"];
        assert_eq!(fields(TextFormat::Markdown, text), expected);
        assert!(fields(TextFormat::Markdown, &text.replace("- Status: Final\n", "")).is_empty());
        assert!(fields(TextFormat::Markdown, &text.replace("# Gates\n", "")).is_empty());
        let cards = "# Gates\n\nName: East\nWidth: 3\n\nName: West\nHeight: 4\n";
        assert!(
            fields(TextFormat::Plain, cards).is_empty() && fields(TextFormat::Markdown, cards).is_empty()
        );
    }

    #[test]
    fn a_byline_names_the_author() {
        let text = "# Gates\n\nby Ada Roe and Bo Ek\n\nText.\n";
        assert_eq!(fields(TextFormat::Markdown, text), ["author = Ada Roe and Bo Ek"]);
        assert!(fields(TextFormat::Markdown, "# Gates\n\nBy the river stands a gate.\n").is_empty());
        assert!(fields(TextFormat::Markdown, "Text.\n\nby Ada Roe\n").is_empty());
    }

    #[test]
    fn a_sentence_ends_the_head_and_records_are_none() {
        assert!(fields(TextFormat::Plain, "A note on gates\nOwner: Ada\nand more of it.\n").is_empty());
        assert!(fields(TextFormat::Plain, "Date: 1\nOwner: A\n\nDate: 2\nOwner: B\n").is_empty());
    }
}
