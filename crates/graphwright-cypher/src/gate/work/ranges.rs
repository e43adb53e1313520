//! Ranges whose length neither the text nor the parameters show.
//!
//! Such a range is bounded when it runs: beyond the bound its last element becomes an expression that fails.

use graphwright_core::Span;

use super::value::is_function;
use crate::{
    builder::quote,
    edit::Edits,
    functions::is_repeatable,
    syntax::{
        print::print_expression,
        tree::{Expression, ExpressionKind, FunctionCall},
        visit::{Visit, walk_expression},
    },
};

/// The most elements of such a range.
const MOST_ELEMENTS: u64 = 10_000;

/// The text in the error of a store where a range is longer than the gate lets it be.
pub const LONG_RANGE: &str = "a range of more than 10000 elements";

/// A range that has to be bounded when it runs.
pub(in super::super) struct OpenRange {
    /// Both bounds, printed anew: the text may hold comments.
    first: String,
    last: String,
    place: Span,
    /// The column whose name is its text, if the range is the first of such a column.
    column: Option<Span>,
}

impl OpenRange {
    /// Returns the range of a call with these arguments, if its bounds can be written twice: they call nothing that is
    /// not the same each time, no other range, and ask nothing of the graph.
    pub(super) fn new(arguments: &[Expression]) -> Option<Self> {
        let [first, last, ..] = arguments else { return None };
        let plain = [first, last].into_iter().all(is_plain);
        plain.then(|| Self {
            first: print_expression(first),
            last: print_expression(last),
            place: last.span,
            column: None,
        })
    }
}

/// Remembers that the text of a column is its name, which the bounds are not to change.
pub(super) fn keep_name(ranges: &mut [OpenRange], column: Span) {
    let within = |range: &&mut OpenRange| column.start <= range.place.start && range.place.end <= column.end;
    if let Some(first) = ranges.iter_mut().find(within) {
        first.column = Some(column);
    }
}

fn is_plain(expression: &Expression) -> bool {
    struct Plain(bool);
    impl Visit for Plain {
        fn visit_expression(&mut self, expression: &Expression) {
            self.0 &= match &expression.kind {
                ExpressionKind::Call(call) => is_plain_call(call),
                ExpressionKind::Subquery(_)
                | ExpressionKind::Pattern(_)
                | ExpressionKind::PatternComprehension(_) => false,
                _ => true,
            };
            walk_expression(self, expression);
        }
    }
    let mut plain = Plain(true);
    plain.visit_expression(expression);
    plain.0
}

fn is_plain_call(call: &FunctionCall) -> bool {
    let [name] = call.name.as_slice() else { return false };
    is_repeatable(&name.text.to_lowercase()) && !is_function(call, &["range"])
}

/// Bounds a range in its text.
pub(in super::super) fn guard(range: &OpenRange, text: &str, edits: &mut Edits) {
    let OpenRange { first, last, place, column } = range;
    // A date that cannot be read is an error in every store, which tells the text.
    let condition =
        format!("CASE WHEN abs(({last}) - ({first})) > {MOST_ELEMENTS} THEN date('{LONG_RANGE}') ELSE ");
    edits.insert(place.start, condition);
    edits.insert(place.end, " END");
    if let Some(column) = column
        && let Ok(name) = quote(text.get(column.range()).unwrap_or_default())
    {
        edits.insert(column.end, format!(" AS {name}"));
    }
}
