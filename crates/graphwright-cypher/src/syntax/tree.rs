//! The syntax tree.
//!
//! Nodes own what they hold: boxes for single children, vectors for lists. An arena would save allocations, but a rewrite
//! could then not move a part of one tree into another, and the parser is fast enough as it is (`docs/cypher.md`).
//! Brackets that only group are not in the tree; the span of what they enclose includes them, and the printer writes those
//! that are needed. Each node knows its bytes in the text; those of a node that a rewrite makes are empty.

mod clause;
mod expression;
mod pattern;
mod query;
mod value_type;

use graphwright_core::Span;

pub use clause::*;
pub use expression::*;
pub use pattern::*;
pub use query::*;
pub use value_type::*;

/// A name: of a variable, label, type, property, function or parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name without quotes.
    pub text: Box<str>,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// A name that stands nowhere.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self { text: text.into(), span: Span::default() }
    }
}
