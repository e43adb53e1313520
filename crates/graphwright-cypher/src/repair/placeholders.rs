//! Placeholders: names that a model left where a value is needed.

use graphwright_core::Span;

use super::{ReasonCode, draft::Draft, step::Outcome};
use crate::diagnostic::{Code, Diagnostic};

/// Refuses `{balance: {balance}}` and `{APR: ?}`: nothing in the query tells the value.
pub(super) fn lost_value(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let question_mark = draft.text.get(fault.span.range()) == Some("?");
    let at = draft.token_at(fault.span.start);
    let braced_name = fault.code == Code::UnexpectedSyntax
        && draft.is(at, "}")
        && at.checked_sub(2).is_some_and(|open| draft.is(open, "{") && draft.is_name(open + 1));
    if !question_mark && !braced_name {
        return None;
    }
    let span = if braced_name { Span::new(draft.start_of(at - 2), draft.end_of(at)) } else { fault.span };
    let found = draft.text.get(span.range()).unwrap_or_default();
    let message = format!(
        "expected a value, found the placeholder `{found}`; write the value, or a parameter as $name"
    );
    Some(Outcome::refuse(ReasonCode::MissingValue, span, message))
}
