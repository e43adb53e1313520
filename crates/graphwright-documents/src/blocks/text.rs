//! Text without markup, which still knows where in the document each of its bytes stands.

use std::ops::Range;

use graphwright_core::Span;

/// The meaning of markup on a range of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// Bold.
    Strong,
    /// Italic.
    Emphasis,
    /// A code span.
    Code,
    /// The text of a link.
    Link,
    /// Struck through, so no longer valid.
    Struck,
}

/// A marked range of a [`BlockText`]'s text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The range in the text without markup.
    pub range: Range<usize>,
    /// The meaning of the markup.
    pub kind: MarkKind,
}

/// A piece that was copied unchanged, or replaced as a whole.
#[derive(Clone, Debug)]
struct Piece {
    flat: usize,
    source: usize,
    source_length: usize,
    same: bool,
}

/// Text of a block without markup.
#[derive(Clone, Debug, Default)]
pub struct BlockText {
    /// The text. Line ends within a paragraph are kept as `\n`.
    pub text: String,
    /// The marks, in order of start.
    pub marks: Vec<Mark>,
    /// Positions after which a new sentence starts in any case.
    pub breaks: Vec<usize>,
    /// The ranges of the values, where the text is a list of values of a record.
    pub items: Vec<Range<usize>>,
    pieces: Vec<Piece>,
}

impl BlockText {
    /// Creates a text that stands in the document unchanged, from byte `source` on.
    pub fn copied(text: &str, source: usize) -> Self {
        let mut flat = Self::default();
        flat.push(text, source..source + text.len());
        flat
    }

    /// Creates a list of values, each with its range in the document.
    pub fn list<'v>(values: impl IntoIterator<Item = (&'v str, Range<usize>)>) -> Self {
        let mut list = Self::default();
        for (value, source) in values {
            if !list.text.is_empty() {
                list.push("; ", source.start..source.start);
            }
            let start = list.text.len();
            list.push(value, source);
            list.items.push(start..list.text.len());
        }
        list
    }

    /// Adds text that stands for a range of the document.
    pub fn push(&mut self, text: &str, source: Range<usize>) {
        self.pieces.push(Piece {
            flat: self.text.len(),
            source: source.start,
            source_length: source.len(),
            same: text.len() == source.len(),
        });
        self.text.push_str(text);
    }

    /// Returns where a range of the text stands in the document.
    pub fn span(&self, range: Range<usize>) -> Span {
        let start = self.source(range.start, false);
        let end = self.source(range.end, true);
        Span::new(start, end.max(start))
    }

    fn source(&self, at: usize, end: bool) -> usize {
        // Between two pieces, an end belongs to the one before and a start to the one after.
        let index = self.pieces.partition_point(|piece| if end { piece.flat < at } else { piece.flat <= at });
        let Some(piece) =
            index.checked_sub(1).and_then(|index| self.pieces.get(index)).or(self.pieces.first())
        else {
            return 0;
        };
        if piece.same {
            piece.source + (at - piece.flat.min(at)).min(piece.source_length)
        } else if end {
            piece.source + piece.source_length
        } else {
            piece.source
        }
    }

    /// Returns the range without white space at its ends.
    pub fn trim(&self, range: Range<usize>) -> Range<usize> {
        let text = &self.text[range.clone()];
        let start = range.start + text.len() - text.trim_start().len();
        let end = start + text.trim().len();
        start..end.max(start)
    }

    /// Returns the part of this text in a range, with its marks and places.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        let inside = |mark: &&Mark| mark.range.start >= range.start && mark.range.end <= range.end;
        let mut part = Self { text: self.text[range.clone()].to_owned(), ..Self::default() };
        part.marks = self
            .marks
            .iter()
            .filter(inside)
            .map(|mark| Mark {
                range: mark.range.start - range.start..mark.range.end - range.start,
                kind: mark.kind,
            })
            .collect();
        part.breaks = self.breaks.iter().filter(|at| range.contains(at)).map(|at| at - range.start).collect();
        let before = |at: usize| self.pieces.partition_point(|piece| piece.flat < at);
        let covering = self.pieces[..before(range.start + 1)].last().map_or(0, |piece| piece.flat);
        for piece in &self.pieces[before(covering)..before(range.end).max(before(covering))] {
            // Empty pieces stand where the next one does, so the end is the first later place.
            let end = self.pieces.get(before(piece.flat + 1)).map_or(self.text.len(), |next| next.flat);
            let (from, to) = (piece.flat.max(range.start), end.min(range.end));
            if from >= to {
                continue;
            }
            let shift = if piece.same { from - piece.flat } else { 0 };
            let source_length = if piece.same { to - from } else { piece.source_length };
            part.pieces.push(Piece {
                flat: from - range.start,
                source: piece.source + shift,
                source_length,
                same: piece.same,
            });
        }
        part
    }

    /// Returns the text without line breaks, and without white space around it.
    pub fn on_one_line(&self) -> String {
        self.text.replace('\n', " ").trim().to_owned()
    }

    /// Returns the text without white space around it.
    pub fn trimmed(&self) -> &str {
        self.text.trim()
    }

    /// Tells whether all of the text has one of the kinds.
    pub fn is_wholly(&self, kinds: &[MarkKind]) -> bool {
        let range = self.trim(0..self.text.len());
        self.marks.iter().any(|mark| {
            kinds.contains(&mark.kind) && mark.range.start <= range.start && mark.range.end >= range.end
        })
    }
}
