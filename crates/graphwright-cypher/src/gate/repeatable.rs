//! Repeatable queries: those whose result changes only with the graph.

use super::check::joined;
use crate::{
    functions,
    syntax::{
        tree::{Clause, ClauseKind, Expression, ExpressionKind, FunctionCall, Literal, Query},
        visit::{Visit, walk_clause, walk_expression},
    },
};

/// Returns whether the result of a query stays the same as long as the graph does: it calls no
/// procedure, no function of the clock or of chance, and none that the language does not have.
pub(super) fn is_repeatable(query: &Query) -> bool {
    let mut check = RepeatableCheck { repeatable: true };
    check.visit_query(query);
    check.repeatable
}

struct RepeatableCheck {
    repeatable: bool,
}

impl Visit for RepeatableCheck {
    fn visit_clause(&mut self, clause: &Clause) {
        self.repeatable &= !matches!(clause.kind, ClauseKind::Call(_));
        walk_clause(self, clause);
    }

    fn visit_expression(&mut self, expression: &Expression) {
        if let ExpressionKind::Call(call) = &expression.kind {
            self.repeatable &= !is_of_the_moment(call);
        }
        walk_expression(self, expression);
    }
}

fn is_of_the_moment(call: &FunctionCall) -> bool {
    let name = joined(&call.name).to_lowercase();
    match name.as_str() {
        "date" | "datetime" | "localdatetime" | "localtime" | "time" => {
            !call.arguments.first().is_some_and(names_a_moment)
        }
        name => !functions::is_repeatable(name),
    }
}

/// Returns whether a temporal function with this argument gives a fixed value: `date('2020-01-01')`
/// is that day, but `date({timezone: 'UTC'})` is today.
fn names_a_moment(argument: &Expression) -> bool {
    match &argument.kind {
        ExpressionKind::Literal(Literal::String(_))
        | ExpressionKind::Property { .. }
        | ExpressionKind::Call(_) => true,
        ExpressionKind::Map(entries) => {
            entries.iter().any(|(key, _)| !key.text.eq_ignore_ascii_case("timezone"))
        }
        _ => false,
    }
}
