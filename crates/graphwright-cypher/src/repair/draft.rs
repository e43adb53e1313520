//! A draft: a query during its repair, and its distance from being right.

use graphwright_core::Span;

use super::{Change, Repaired, inventory::Inventory, step::Step};
use crate::{
    diagnose,
    diagnostic::{Code, Diagnostic, Severity},
    lexer::{Keyword, Token, TokenKind, is_name_part, is_name_start, scan},
    lint::Lint,
    syntax::{check, parse, tree::Tree},
};

fn errors(faults: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    faults.iter().filter(|fault| fault.severity == Severity::Error)
}

/// A query with its tokens, its tree and its faults.
#[derive(Clone, Debug)]
pub(super) struct Draft<'l> {
    pub(super) text: String,
    lint: Option<&'l Lint>,
    pub(super) tokens: Vec<Token>,
    comments: Vec<Span>,
    pub(super) tree: Tree,
    /// The faults, in the order of the text.
    pub(super) faults: Vec<Diagnostic>,
    distance: Distance,
}

/// The distance of a query from being right. Smaller is nearer.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Distance {
    /// For each unreadable place, in order, the bytes from there to the end of the text. A mended
    /// fault leaves the front of the list, so a fault that shows only behind it still counts as an
    /// advance.
    unread: Vec<usize>,
    /// The number of faults that can be seen without a graph.
    faults: usize,
    /// The number of errors for a graph of this schema.
    findings: usize,
    /// The number of fixes that may be applied.
    fixes: usize,
}

impl<'l> Draft<'l> {
    pub(super) fn read(text: String, lint: Option<&'l Lint>) -> Self {
        let (found, _) = scan(&text);
        let parsed = parse(&text);
        let mut distance = Distance::default();
        let mut faults = parsed.diagnostics;
        if faults.is_empty() {
            faults = check(&parsed.tree, &text);
            distance.faults = errors(&faults).count();
        } else {
            let length = text.len();
            distance.unread = errors(&faults).map(|fault| length - fault.span.start.min(length)).collect();
        }
        // The lint reads only queries without other faults.
        if let Some(lint) = lint.filter(|_| distance == Distance::default()) {
            let findings = lint.check(&parsed.tree, &text);
            distance.findings = errors(&findings).count();
            faults.extend(findings);
            faults.sort_by_key(|fault| fault.span.start);
        }
        distance.fixes = faults.iter().filter(|fault| fault.fix.as_ref().is_some_and(|fix| fix.safe)).count();
        Self {
            text,
            lint,
            tokens: found.tokens,
            comments: found.comments,
            tree: parsed.tree,
            faults,
            distance,
        }
    }

    /// Returns whether there is nothing to mend.
    pub(super) fn is_settled(&self) -> bool {
        self.distance == Distance::default()
    }

    pub(super) fn parses(&self) -> bool {
        self.distance.unread.is_empty()
    }

    /// Returns the draft after a step, if it is better and loses nothing.
    pub(super) fn after(&self, step: &Step) -> Option<Self> {
        let after = Self::read(step.apply(&self.text), self.lint);
        let kept =
            Inventory::from_tree(&after.tree).holds(&Inventory::from_tree(&self.tree), step.removed_columns);
        let is_better = after.distance < self.distance && self.adds_no_fault(&after);
        (kept && is_better && self.reads_no_comment(&after)).then_some(after)
    }

    /// Returns whether the step leaves each comment as it is, or takes all of it away: what is
    /// commented out never becomes part of a name or a text.
    fn reads_no_comment(&self, after: &Self) -> bool {
        let mut left: Vec<&str> = after.comments().collect();
        self.comments().all(|comment| match left.iter().position(|found| *found == comment) {
            Some(place) => {
                left.swap_remove(place);
                true
            }
            None => !after.text.contains(comment),
        })
    }

    fn comments(&self) -> impl Iterator<Item = &str> {
        self.comments.iter().filter_map(|comment| self.text.get(comment.range()))
    }

    /// Returns whether the step adds no fault of a kind that a readable query did not have before.
    fn adds_no_fault(&self, after: &Self) -> bool {
        let count =
            |faults: &[Diagnostic], code: Code| errors(faults).filter(|fault| fault.code == code).count();
        let is_known =
            |fault: &Diagnostic| count(&after.faults, fault.code) <= count(&self.faults, fault.code);
        // A text that could not be read may have hidden any fault.
        !self.parses() || after.distance.faults == 0 || errors(&after.faults).all(is_known)
    }

    pub(super) fn into_repaired(self, changes: Vec<Change>) -> Repaired {
        let diagnostics = diagnose(&self.text, self.lint);
        Repaired { text: self.text, changes, diagnostics, refused: None }
    }

    /// Returns the text of a token, or nothing beyond the last one.
    pub(super) fn token(&self, index: usize) -> &str {
        self.tokens.get(index).map(|token| token.text(&self.text)).unwrap_or_default()
    }

    /// Returns whether a token is the symbol `text`, or the word `text` in any case.
    pub(super) fn is(&self, index: usize, text: &str) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is_symbol(text) || token.is_word(&self.text, text))
    }

    /// Returns whether a token can be a name.
    pub(super) fn is_name(&self, index: usize) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|token| matches!(token.kind, TokenKind::Word | TokenKind::QuotedName))
    }

    /// Returns the first token that begins at `offset` or behind it.
    pub(super) fn token_at(&self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.span.start < offset)
    }

    /// Returns the offset of the end of a token.
    pub(super) fn end_of(&self, index: usize) -> usize {
        self.tokens.get(index).map_or(self.text.len(), |token| token.span.end)
    }

    /// Returns the offset of the end of the token before `index`.
    pub(super) fn end_before(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.end_of(before))
    }

    /// Returns the offset of the start of a token.
    pub(super) fn start_of(&self, index: usize) -> usize {
        self.tokens.get(index).map_or(self.text.len(), |token| token.span.start)
    }

    /// Returns the span of a token.
    pub(super) fn span_of(&self, index: usize) -> Span {
        Span::new(self.start_of(index), self.end_of(index))
    }

    /// Returns whether a token begins the call of an aggregate.
    pub(super) fn is_aggregate_call(&self, index: usize) -> bool {
        self.is_name(index) && self.is(index + 1, "(") && crate::functions::is_aggregate(self.token(index))
    }

    /// Returns whether a token uses the variable `name`, rather than a property, label or key with
    /// that name.
    pub(super) fn is_use_of(&self, index: usize, name: &str) -> bool {
        let is_part = index.checked_sub(1).is_some_and(|before| self.is(before, ".") || self.is(before, ":"));
        self.is_name(index) && self.token(index) == name && !is_part
    }

    /// Returns whether `length` tokens at two places are equal, in any case.
    pub(super) fn same_tokens(&self, one: usize, other: usize, length: usize) -> bool {
        (0..length).all(|offset| self.token(one + offset).eq_ignore_ascii_case(self.token(other + offset)))
    }

    /// Returns a name that describes tokens: `avg(n.age)` is `avg_age`.
    pub(super) fn name_for(&self, from: usize, to: usize) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for index in from..to {
            let is_variable = self.is(index + 1, ".");
            if self.is_name(index) && !is_variable && !self.is(index, "DISTINCT") {
                parts.push(self.token(index).trim_matches('`'));
            }
        }
        parts.truncate(3);
        let name: String =
            parts.join("_").chars().map(|part| if is_name_part(part) { part } else { '_' }).collect();
        let is_plain = name.chars().next().is_some_and(is_name_start) && Keyword::from_word(&name).is_none();
        if is_plain { name } else { format!("value_{name}").trim_end_matches('_').to_owned() }
    }

    /// Returns the parts between separators outside of brackets, each as its first token and the
    /// one behind its last.
    pub(super) fn split(
        &self,
        first: usize,
        end: usize,
        separates: impl Fn(usize) -> bool,
    ) -> Vec<(usize, usize)> {
        let mut parts = Vec::new();
        let (mut start, mut at) = (first, first);
        while at < end {
            if separates(at) {
                parts.push((start, at));
                start = at + 1;
            }
            at = match self.token(at) {
                "(" | "[" | "{" => self.closing(at).unwrap_or(at) + 1,
                _ => at + 1,
            };
        }
        parts.push((start, end));
        parts
    }

    /// Returns the text from token `from` up to, but without, token `to`.
    pub(super) fn between(&self, from: usize, to: usize) -> &str {
        self.text.get(self.start_of(from)..self.end_before(to)).unwrap_or_default()
    }

    /// Returns the closing partner of the bracket at a token.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for index in open..self.tokens.len() {
            match self.token(index) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the innermost bracket that is open before a token.
    pub(super) fn opening(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for index in (0..at).rev() {
            match self.token(index) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth == 0 => return Some(index),
                "(" | "[" | "{" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Returns `wanted`, with a number behind it if the text uses that name.
    pub(super) fn fresh_name(&self, wanted: &str) -> String {
        let taken = |name: &str| (0..self.tokens.len()).any(|index| self.is_use_of(index, name));
        let mut name = wanted.to_owned();
        let mut number = 2;
        while taken(&name) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}
