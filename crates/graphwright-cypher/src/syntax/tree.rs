//! The syntax tree of Cypher.
//!
//! Nodes own their children: boxes for single ones, vectors for lists. An arena would save
//! allocations, but a rewrite could then not move a part of one tree into another, and the parser
//! is fast enough (`docs/cypher.md`).
//!
//! Brackets that only group are not in the tree. The span of an expression includes the brackets
//! around it, and the printer writes those that are needed. The span of a node that a rewrite made
//! is empty.

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

/// A name of a variable, label, type, property, function or parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name without quotes.
    pub text: Box<str>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

impl Name {
    /// Creates a name with an empty span.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self { text: text.into(), span: Span::default() }
    }
}
