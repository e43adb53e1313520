//! Changes to a text that remember where everything came from.

use graphwright_core::Span;

/// Replacements in one text; they must not overlap.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    edits: Vec<(Span, String)>,
}

impl Edits {
    pub(crate) fn replace(&mut self, span: Span, text: impl Into<String>) {
        self.edits.push((span, text.into()));
    }

    pub(crate) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(Span::new(at, at), text);
    }

    /// The changed text, and the way back. Insertions at one place keep the order in which they were made.
    pub(crate) fn apply(mut self, text: &str) -> (String, OffsetMap) {
        self.edits.sort_by_key(|(span, _)| (span.start, span.end));
        let mut changed = String::with_capacity(text.len() + 64);
        let mut pieces = Vec::with_capacity(self.edits.len() * 2 + 1);
        let mut at = 0;
        for (span, replacement) in &self.edits {
            pieces.push(Piece { start: changed.len(), origin: at, kept: true });
            changed.push_str(text.get(at..span.start).unwrap_or_default());
            pieces.push(Piece { start: changed.len(), origin: span.start, kept: false });
            changed.push_str(replacement);
            at = span.end;
        }
        pieces.push(Piece { start: changed.len(), origin: at, kept: true });
        changed.push_str(text.get(at..).unwrap_or_default());
        (changed, OffsetMap { pieces })
    }
}

/// From places in a changed text back to places in the text it was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OffsetMap {
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// Where it begins in the changed text.
    start: usize,
    /// Where it begins in the text before.
    origin: usize,
    /// Whether its text is the same as before; all of a replacement comes from `origin`.
    kept: bool,
}

impl OffsetMap {
    /// The byte that `offset` comes from.
    pub(crate) fn origin(&self, offset: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.start <= offset);
        match after.checked_sub(1).and_then(|last| self.pieces.get(last)) {
            Some(piece) if piece.kept => piece.origin + (offset - piece.start),
            Some(piece) => piece.origin,
            None => offset,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back() {
        let text = "MATCH (n) RETURN n";
        let mut edits = Edits::default();
        edits.replace(Span::new(6, 9), "(node)");
        edits.insert(18, " LIMIT 5");
        let (changed, map) = edits.apply(text);
        assert_eq!(changed, "MATCH (node) RETURN n LIMIT 5");
        let places = [0, 6, 8, 12, 20, 25].map(|offset| map.origin(offset));
        assert_eq!(places, [0, 6, 6, 9, 17, 18]);
    }
}
