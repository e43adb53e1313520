//! The statements of an answer in Markdown: where each stands, and what it cites.

use std::ops::Range;

use graphwright_english::prose;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::citations::{self, Citation};

/// What a statement stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Prose,
    Item,
    Row,
    /// A heading, or the first row of a table: it names, and states nothing.
    Title,
    Code,
}

/// A sentence, an item without sentences or a row of a table.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// Where it stands in the text, with the citations behind it.
    pub(super) range: Range<usize>,
    /// The statement without citations and without the marks of its layout.
    pub(super) words: String,
    pub(super) place: Place,
    /// Numbers that it cites itself, or takes over from the line before or after.
    pub(super) cited: Vec<usize>,
    /// Whether it consists of citations: `Sources: [1], [2]`.
    pub(super) only_cites: bool,
    block: usize,
    depth: usize,
}

impl Statement {
    /// Tells whether it only leads to what follows.
    pub(super) fn is_lead(&self) -> bool {
        self.words.trim_end().ends_with(':')
    }
}

/// A piece of the text that layout sets apart.
struct Block {
    range: Range<usize>,
    place: Place,
    depth: usize,
}

/// Finds the names in a text.
pub(super) type FindNames<'a> = dyn Fn(&str) -> Vec<Range<usize>> + 'a;

/// Reads the statements of a text. There are `count` pieces of evidence. No statement ends within a name.
pub(super) fn read(text: &str, count: usize, names: &FindNames<'_>) -> Vec<Statement> {
    let mut blocks = blocks(text);
    if blocks.iter().all(|block| block.place == Place::Code) {
        // A model may put all it says into a fence.
        for block in &mut blocks {
            block.place = Place::Prose;
        }
    }
    let citations = citations::find(text, count);
    let mut statements = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let within = |citation: &&Citation| {
            block.range.start <= citation.range.start && citation.range.end <= block.range.end
        };
        let citations: Vec<&Citation> = citations.iter().filter(within).collect();
        split(text, block, number, &citations, names, &mut statements);
    }
    inherit(&mut statements);
    statements
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut places = vec![Place::Prose];
    let mut depth = 0;
    let mut open: Option<Range<usize>> = None;
    let mut close = |open: &mut Option<Range<usize>>, place: Place, depth: usize| {
        if let Some(range) = open.take() {
            found.push(Block { range, place, depth });
        }
    };
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let place = places.last().copied().unwrap_or(Place::Prose);
        match event {
            Event::Start(tag) if begins_block(&tag) => {
                close(&mut open, place, depth);
                depth += usize::from(matches!(tag, Tag::Item));
                places.push(match tag {
                    Tag::Heading { .. } | Tag::TableHead => Place::Title,
                    Tag::Item => Place::Item,
                    Tag::TableRow => Place::Row,
                    Tag::CodeBlock(_) => Place::Code,
                    _ => place,
                });
            }
            Event::End(tag) if ends_block(tag) => {
                close(&mut open, place, depth);
                depth -= usize::from(matches!(tag, TagEnd::Item));
                places.pop();
            }
            Event::Rule => close(&mut open, place, depth),
            Event::End(_) => {}
            _ => {
                let joined = |open: Range<usize>| open.start.min(range.start)..open.end.max(range.end);
                open = Some(open.map_or(range.clone(), joined));
            }
        }
    }
    close(&mut open, Place::Prose, depth);
    found
}

fn begins_block(tag: &Tag<'_>) -> bool {
    !matches!(
        tag,
        Tag::TableCell
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Link { .. }
            | Tag::Image { .. }
    )
}

fn ends_block(tag: TagEnd) -> bool {
    !matches!(
        tag,
        TagEnd::TableCell
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Link
            | TagEnd::Image
    )
}

/// Splits a block into sentences, each with the citations in it and behind it.
fn split(
    text: &str,
    block: &Block,
    number: usize,
    citations: &[&Citation],
    names: &FindNames<'_>,
    statements: &mut Vec<Statement>,
) {
    let Range { start, end } = block.range;
    let masked = masked(&text[start..end], start, citations, block.place);
    let ends = match block.place {
        Place::Row | Place::Title | Place::Code => vec![masked.len()],
        Place::Prose | Place::Item => ends(&masked, start, citations, &names(&masked)),
    };
    let mut from = 0;
    for to in ends {
        let words = masked[from..to].trim();
        let range = trimmed(text, start + from..start + to);
        let inside = citations.iter().filter(|citation| range.contains(&citation.range.start));
        let cited: Vec<usize> = inside.flat_map(|citation| citation.numbers.clone()).collect();
        let only_cites = !cited.is_empty() && names_sources(words);
        if !range.is_empty() {
            let (words, place) = (words.to_owned(), block.place);
            statements.push(Statement {
                range,
                words,
                place,
                cited,
                only_cites,
                block: number,
                depth: block.depth,
            });
        }
        from = to;
    }
}

/// Where the sentences of a block end.
fn ends(masked: &str, start: usize, citations: &[&Citation], names: &[Range<usize>]) -> Vec<usize> {
    let tokens = prose::tokenise(masked);
    // A line that ends in a citation is a statement, with or without a full stop.
    let line_breaks = citations.iter().filter_map(|citation| {
        let at = citation.range.end - start;
        let rest = masked[at..].trim_start_matches(['.', ' ', ')', '*']);
        rest.starts_with('\n').then_some(masked.len() - rest.len() + 1)
    });
    let line_breaks: Vec<usize> = line_breaks.collect();
    let sentences = prose::sentences(&tokens, &line_breaks);
    let mut ends = Vec::new();
    for pair in sentences.windows(2) {
        let (last, next) = (&tokens[pair[0].end - 1], &tokens[pair[1].start]);
        // What follows a semicolon goes on with the sentence, and so does a mark without words.
        let has_words = tokens[pair[1].clone()].iter().any(prose::Token::is_word);
        let in_name = names.iter().any(|name| {
            // `Ltd.` at the end of a name ends no sentence before a small letter.
            let abbreviated = last.start <= name.end && last.end > name.start && !next.capital;
            name.start < last.end && next.start < name.end || abbreviated
        });
        if last.lower == ";" || !has_words || in_name {
            continue;
        }
        let gap = last.end..next.start;
        let behind = citations
            .iter()
            .map(|citation| citation.range.end - start)
            .filter(|end| gap.contains(&(end - 1)));
        ends.push(behind.max().unwrap_or(gap.start).min(next.start));
    }
    ends.push(masked.len());
    ends
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    start..start + piece.trim().len()
}

/// The text with spaces in place of citations and marks, byte for byte.
fn masked(piece: &str, start: usize, citations: &[&Citation], place: Place) -> String {
    let mut bytes = piece.as_bytes().to_vec();
    let mut blank = |range: Range<usize>| bytes[range].fill(b' ');
    for citation in citations {
        blank(citation.range.start - start..citation.range.end - start);
    }
    let in_citation = |at: usize| citations.iter().any(|citation| citation.range.contains(&(start + at)));
    for (at, letter) in piece.char_indices().filter(|(at, _)| !in_citation(*at)) {
        let around = [piece[..at].chars().next_back(), piece[at + letter.len_utf8()..].chars().next()];
        let inner = around.iter().all(|near| near.is_some_and(char::is_alphanumeric));
        match letter {
            '*' | '`' => blank(at..at + 1),
            '_' | '~' if !inner => blank(at..at + 1),
            '[' if piece[at..].contains("](") => blank(at..at + 1),
            ']' if piece[at..].starts_with("](") => {
                let end = piece[at..].find(')').map_or(at + 1, |end| at + end + 1);
                blank(at..end);
            }
            '<' => {
                if let Some(end) =
                    piece[at..].find('>').filter(|end| *end < 40 && !piece[at..at + end].contains(' '))
                {
                    blank(at..at + end + 1);
                }
            }
            _ => {}
        }
    }
    if place == Place::Row {
        // Cells are apart, as the parts of a list are.
        bytes.iter_mut().filter(|byte| **byte == b'|').for_each(|byte| *byte = b',');
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Tells whether nothing stands beside citations but a word for them.
fn names_sources(words: &str) -> bool {
    let mut rest = words.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    rest.all(|word| {
        let lower = word.to_lowercase();
        matches!(
            lower.as_str(),
            "source"
                | "sources"
                | "reference"
                | "references"
                | "citation"
                | "citations"
                | "evidence"
                | "see"
                | "based"
                | "on"
                | "and"
        )
    })
}

/// Gives what cites nothing itself the citations of the lines that it belongs to.
fn inherit(statements: &mut [Statement]) {
    for at in 0..statements.len() {
        if statements[at].cited.is_empty() && !statements[at].only_cites {
            statements[at].cited = inherited(statements, at).unwrap_or_default();
        }
    }
}

fn inherited(statements: &[Statement], at: usize) -> Option<Vec<usize>> {
    let own = &statements[at];
    let cites = |other: &&Statement| !other.cited.is_empty();
    let (before, after) = (&statements[..at], &statements[at + 1..]);
    let is_listed = |other: &&Statement| matches!(other.place, Place::Item | Place::Row);
    let found = match own.place {
        Place::Title | Place::Code => return None,
        Place::Prose if own.is_lead() => after.iter().take_while(is_listed).find(cites),
        Place::Prose => None,
        Place::Item | Place::Row => {
            // The same item, the item above, the line before the list, the other items, the line behind.
            let same = statements.iter().filter(|other| other.block == own.block).find(cites);
            let above = before
                .iter()
                .rev()
                .take_while(is_listed)
                .find(|other| other.depth < own.depth && cites(other));
            let lead = before
                .iter()
                .rev()
                .find(|other| !is_listed(other) && other.place != Place::Title)
                .filter(cites);
            let later = after.iter().take_while(is_listed).find(cites);
            let earlier = before.iter().rev().take_while(is_listed).find(cites);
            same.or(above).or(lead).or(later).or(earlier)
        }
    };
    let closing = after.iter().find(|other| other.only_cites && !other.cited.is_empty());
    found.or(closing).map(|other| other.cited.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(text: &str) -> Vec<(String, Vec<usize>)> {
        read(text, 9, &|_| Vec::new())
            .into_iter()
            .map(|statement| (text[statement.range].to_owned(), statement.cited))
            .collect()
    }

    fn check(text: &str, expected: &[(&str, &[usize])]) {
        let expected: Vec<(String, Vec<usize>)> =
            expected.iter().map(|(text, cited)| ((*text).to_owned(), cited.to_vec())).collect();
        assert_eq!(cited(text), expected);
    }

    #[test]
    fn citations_belong_to_the_sentence_that_they_follow() {
        check(
            "Ada owns ledger [1]. It has tier 1. [2] **Bob** sings; he is old [3].",
            &[
                ("Ada owns ledger [1].", &[1]),
                ("It has tier 1. [2]", &[2]),
                ("**Bob** sings; he is old [3].", &[3]),
            ],
        );
        check("[1] Ada owns ledger.", &[("[1] Ada owns ledger.", &[1])]);
        check(
            "Ada owns ledger [1]\nBob owns reports [2]",
            &[("Ada owns ledger [1]", &[1]), ("Bob owns reports [2]", &[2])],
        );
    }

    #[test]
    fn lists_take_over_the_citations_of_the_lines_around() {
        check(
            "Ada owns [1]:\n\n- ledger\n- reports [2]\n  - a part",
            &[("Ada owns [1]:", &[1]), ("ledger", &[1]), ("reports [2]", &[2]), ("a part", &[2])],
        );
        check(
            "They are:\n- ledger\n- reports [2]",
            &[("They are:", &[2]), ("ledger", &[2]), ("reports [2]", &[2])],
        );
        check(
            "- ledger\n- reports\n\nSources: [1], [2]",
            &[("ledger", &[1, 2]), ("reports", &[1, 2]), ("Sources: [1], [2]", &[1, 2])],
        );
    }

    #[test]
    fn rows_of_tables_are_statements() {
        let table = "Owners [1]:\n\n| Team | Service |\n|---|---|\n| Ada | ledger |\n| Bob | reports [2] |\n";
        let found = cited(table);
        assert_eq!(found[2], ("Ada | ledger".to_owned(), vec![1]));
        assert_eq!(found[3], ("Bob | reports [2]".to_owned(), vec![2]));
    }
}
