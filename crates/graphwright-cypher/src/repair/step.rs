//! Steps of a repair.

use graphwright_core::Span;

use super::{Change, ChangeCode, Reason, ReasonCode};
use crate::edit::Edits;

/// A change that may mend a fault.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) change: Change,
    edits: Vec<(Span, String)>,
    /// The number of columns that the step removes because equal ones stand elsewhere in the query.
    pub(super) removed_columns: usize,
}

impl Step {
    pub(super) fn new(code: ChangeCode, message: impl Into<String>) -> Self {
        Self { change: Change { code, message: message.into() }, edits: Vec::new(), removed_columns: 0 }
    }

    pub(super) fn replace(mut self, span: Span, text: impl Into<String>) -> Self {
        self.edits.push((span, text.into()));
        self
    }

    pub(super) fn insert(self, at: usize, text: impl Into<String>) -> Self {
        self.replace(Span::new(at, at), text)
    }

    pub(super) fn remove(self, span: Span) -> Self {
        self.replace(span, "")
    }

    pub(super) fn apply(&self, text: &str) -> String {
        let mut edits = Edits::default();
        for (span, replacement) in &self.edits {
            edits.replace(*span, replacement.as_str());
        }
        edits.apply(text).0
    }
}

/// The verdict of a rule on a fault.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// A step that may mend the fault.
    Step(Step),
    /// A reason why nothing can.
    Refuse(Reason),
}

impl Outcome {
    pub(super) fn refuse(code: ReasonCode, span: Span, message: impl Into<String>) -> Self {
        Self::Refuse(Reason { code, span, message: message.into() })
    }
}
