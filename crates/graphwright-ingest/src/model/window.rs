//! Windows: consecutive passages that are read in one request, cut into numbered sentences.

use graphwright_core::{Chunk, Document, Span};
use graphwright_llm::estimate_tokens;

use super::locate;

/// Maximum tokens of a window's text. A longer sentence is a window of its own.
const MOST_TOKENS: u64 = 1_200;
/// Tokens of a window that is too empty to end before a passage which does not fit whole.
const LEAST_FULL: u64 = 1_000;
/// Maximum number of passages in a window.
const MOST_PASSAGES: usize = 6;
/// Number of sentences before a window that are shown to understand it.
const BEFORE: usize = 2;

/// Sentences that are read in one request.
#[derive(Clone, Debug)]
pub(super) struct Window<'a> {
    pub(super) document: &'a Document,
    pub(super) sentences: Vec<Sentence<'a>>,
    /// The sentences before it.
    pub(super) before: Vec<Span>,
}

/// A sentence, with the passage that it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sentence<'a> {
    /// Bytes in the document.
    pub(super) span: Span,
    pub(super) chunk: &'a Chunk,
}

impl<'a> Window<'a> {
    /// Returns the bytes of the document from its first sentence to its last.
    pub(super) fn span(&self) -> Span {
        let ends = self.sentences.first().zip(self.sentences.last());
        ends.map_or_else(Span::default, |(first, last)| Span::new(first.span.start, last.span.end))
    }

    pub(super) fn text(&self) -> &'a str {
        self.document.text.get(self.span().range()).unwrap_or_default()
    }

    /// Returns its two halves; `None` if it is a single sentence.
    pub(super) fn halves(&self) -> Option<[Self; 2]> {
        let middle = self.sentences.len() / 2;
        (middle > 0).then(|| {
            let (first, second) = self.sentences.split_at(middle);
            let before =
                first[middle.saturating_sub(BEFORE)..].iter().map(|sentence| sentence.span).collect();
            [
                Self { sentences: first.to_vec(), ..self.clone() },
                Self { sentences: second.to_vec(), before, ..self.clone() },
            ]
        })
    }

    /// Returns the passages that it reads.
    pub(super) fn chunks(&self) -> impl Iterator<Item = &'a Chunk> {
        let mut last = None;
        self.sentences.iter().map(|sentence| sentence.chunk).filter(move |chunk| {
            let index = Some(chunk.index);
            std::mem::replace(&mut last, index) != index
        })
    }
}

/// Gathers the sentences of passages to windows, in the order of the text. Passages without two letters in a row say
/// nothing and are left out.
///
/// A window ends where a passage does, unless much room is left.
pub(super) fn windows<'a>(document: &'a Document, chunks: &'a [Chunk]) -> Vec<Window<'a>> {
    let mut windows: Vec<Window<'a>> = Vec::new();
    let mut size = Size::default();
    for chunk in chunks.iter().filter(|chunk| is_worth_reading(chunk)) {
        let spans = locate::sentences(&chunk.text);
        let whole: u64 = spans.iter().map(|span| tokens(chunk, *span)).sum();
        let splits = size.tokens < LEAST_FULL && size.tokens + whole > MOST_TOKENS;
        let goes_on = size.last.is_some_and(|last| chunk.index == last + 1) && size.passages < MOST_PASSAGES;
        let mut open = goes_on && (splits || size.tokens + whole <= MOST_TOKENS);
        for span in spans {
            let tokens = tokens(chunk, span);
            let sentence = Sentence { span: in_document(chunk, span), chunk };
            let window = windows.last_mut().filter(|_| open && size.tokens + tokens <= MOST_TOKENS);
            if let Some(window) = window {
                window.sentences.push(sentence);
            } else {
                let before = before(document, sentence.span.start);
                windows.push(Window { document, sentences: vec![sentence], before });
                (size, open) = (Size::default(), true);
            }
            size.add(chunk, tokens);
        }
    }
    windows
}

/// What a window holds so far.
#[derive(Default)]
struct Size {
    tokens: u64,
    passages: usize,
    /// Index of the last passage.
    last: Option<usize>,
}

impl Size {
    fn add(&mut self, chunk: &Chunk, tokens: u64) {
        self.tokens += tokens;
        if self.last.replace(chunk.index) != Some(chunk.index) {
            self.passages += 1;
        }
    }
}

fn tokens(chunk: &Chunk, span: Span) -> u64 {
    estimate_tokens(&chunk.text[span.range()])
}

/// Returns the last sentences before a place in a document.
fn before(document: &Document, end: usize) -> Vec<Span> {
    // So many bytes hold two sentences, or none that helps.
    let mut start = end.saturating_sub(600);
    while !document.text.is_char_boundary(start) {
        start += 1;
    }
    let Some(text) = document.text.get(start..end) else { return Vec::new() };
    let mut spans = locate::sentences(text);
    if start > 0 && !spans.is_empty() {
        // The first is cut off.
        spans.remove(0);
    }
    let skipped = spans.len().saturating_sub(BEFORE);
    spans[skipped..].iter().map(|span| Span::new(start + span.start, start + span.end)).collect()
}

fn in_document(chunk: &Chunk, span: Span) -> Span {
    Span::new(chunk.span.start + span.start, chunk.span.start + span.end)
}

/// Returns whether a passage has two letters in a row. Others say nothing.
fn is_worth_reading(chunk: &Chunk) -> bool {
    let mut letters = chunk.text.chars().map(char::is_alphabetic);
    let mut previous = false;
    letters.any(|letter| std::mem::replace(&mut previous, letter) && letter)
}
