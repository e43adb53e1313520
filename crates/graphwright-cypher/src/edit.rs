//! Edits of a text that keep the way back to the original.

use graphwright_core::Span;

/// Replacements in one text, which must not overlap.
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

    /// Returns the changed text and the map back to the original. Insertions at one place keep the
    /// order in which they were added.
    pub(crate) fn apply(mut self, text: &str) -> (String, OffsetMap) {
        // The sort is stable, which keeps insertions at one place in order.
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

/// A map from places in a changed text back to places in its original.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OffsetMap {
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// The start in the changed text.
    start: usize,
    /// The start in the original.
    origin: usize,
    /// Whether the text was kept. All of a replacement maps to `origin`.
    kept: bool,
}

impl OffsetMap {
    /// Returns the byte of the original from which byte `offset` comes.
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
