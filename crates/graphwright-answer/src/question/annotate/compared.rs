//! Numbers that are compared with those of others: `more films than Ada`, `older than anybody else`.

use graphwright_english::{questions::word, words};

use super::{Annotator, Compare, Measure, Order, Piece, Span};

/// How far behind the comparative `than` may stand.
const FARTHEST: usize = 10;

impl Annotator<'_> {
    /// Adds what a comparative with `than` behind it says: compared with all others, it is a superlative.
    pub(super) fn compared_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let (this, next) = (word(self.tokens, first), word(self.tokens, first + 1));
        let (length, compare, joint) = match (this, next) {
            ("as", "many") => (2, Compare::Is, "as"),
            ("fewer" | "less", _) => (1, Compare::Below, "than"),
            _ => (1, Compare::Above, "than"),
        };
        let behind = first + length..(first + FARTHEST).min(self.tokens.len());
        let Some(joint) = behind.into_iter().find(|&at| word(self.tokens, at) == joint) else { return };
        if let (Some(end), Some((most, measure, length))) =
            (self.all_others(joint + 1), self.ranked_by(first))
        {
            spans.push(Span::new(first, first + length, Piece::Extreme(Order::first(most), measure), 1.0));
            spans.push(Span::new(joint, end, Piece::Silent, 1.0));
        } else if joint > first + length && matches!(this, "more" | "fewer" | "less" | "as") {
            spans.push(Span::new(first, first + length, Piece::More(compare), 1.0));
        }
    }

    /// Where `any other film`, `anybody else` or `all the others` ends, which stand for all that is not meant.
    fn all_others(&self, first: usize) -> Option<usize> {
        let word = |at: usize| word(self.tokens, first + at);
        let any = matches!(word(0), "any" | "every" | "all");
        let length = match (word(0), word(1), word(2)) {
            ("all" | "any", "of" | "the", "the" | "other" | "others") => {
                3 + usize::from(word(2) == "the" && words::is_operator(word(3)))
            }
            ("the", "other" | "others" | "rest", _) => 2,
            (_, "other" | "others", _) if any => 2,
            ("anyone" | "anybody" | "anything" | "everyone" | "everybody" | "everything", next, _) => {
                1 + usize::from(next == "else")
            }
            _ if any => 1,
            _ => return None,
        };
        let kind = self
            .tokens
            .get(first + length)
            .is_some_and(|token| self.lexicon.has_type(token) || words::is_somebody(&token.lower));
        (kind || length > 1 || !any).then_some(first + length + usize::from(kind))
    }

    /// By what a comparative ranks, of how many words it is, and whether what has more comes first.
    pub(super) fn ranked_by(&self, first: usize) -> Option<(bool, Measure, usize)> {
        let (this, next) = (word(self.tokens, first), word(self.tokens, first + 1));
        match (this, next) {
            ("more" | "less", "recent" | "recently") => Some((this == "more", Measure::Date, 2)),
            ("more" | "less" | "fewer", adjective) => {
                let measured = self.measured_by(adjective);
                let by_number = || (this == "more", Measure::Number, 1);
                let by_adjective = || (this == "more", Measure::Properties(measured.clone()), 2);
                Some(if measured.is_empty() { by_number() } else { by_adjective() })
            }
            _ => {
                let (measure, most) = self.graded(this)?;
                Some((most, measure, 1))
            }
        }
    }
}
