//! What a reader of the text may want otherwise than Cypher is written.

use crate::syntax::tree::{BinaryOperator, Expression, LogicalOperator, UnaryOperator};

/// How Cypher is written for one reader, as an engine that takes a part of the language or reads it otherwise.
///
/// The printer decides what every reader of Cypher needs; a dialect only adds to that. Each method answers one question of
/// the printer, and answers it for plain Cypher unless it is overridden. So a dialect can change how a tree is spelled, and
/// neither what is in it nor its order: that is for a pass over the tree ([`VisitMut`](crate::syntax::visit::VisitMut)).
pub trait Dialect {
    /// Whether the name of a variable, label, type, property or key needs back-ticks that Cypher reads without.
    fn quotes(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Whether an expression needs brackets at a place where Cypher reads it without.
    fn brackets(&self, place: Place, expression: &Expression) -> bool {
        let _ = (place, expression);
        false
    }

    /// What is written before an expression that stands directly behind `(`, be it of a group or of arguments.
    fn behind_opening(&self, expression: &Expression) -> &'static str {
        let _ = expression;
        ""
    }

    /// What is written behind an expression before the brackets close that only group it.
    fn before_closing(&self, expression: &Expression) -> &'static str {
        let _ = expression;
        ""
    }

    /// How a character of a string is escaped; `None` where it stands for itself. Backslashes and quotes are always escaped.
    fn escape(&self, character: char) -> Option<&'static str> {
        match character {
            '\n' => Some(r"\n"),
            '\r' => Some(r"\r"),
            '\t' => Some(r"\t"),
            '\u{8}' => Some(r"\b"),
            '\u{c}' => Some(r"\f"),
            _ => None,
        }
    }

    /// How a float beyond all others is written.
    fn infinity(&self) -> &'static str {
        "INF"
    }

    /// How a float that is no number is written.
    fn not_a_number(&self) -> &'static str {
        "NaN"
    }

    /// What stands around types that `|` joins.
    fn around_types(&self) -> [&'static str; 2] {
        ["ANY<", ">"]
    }
}

/// Where an expression stands in another one or in a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// Behind `NOT` or a sign.
    Behind(UnaryOperator),
    /// On the left of an operator.
    Left(BinaryOperator),
    /// On the right of an operator.
    Right(BinaryOperator),
    /// Among what `AND`, `OR` or `XOR` joins.
    Joined(LogicalOperator),
    /// On any side of `=`, `<` and the like.
    Compared,
    /// Before `IS NULL`, `IS :: TYPE` and the like.
    Tested,
    /// Before `.key`, `[index]` or `:Label`.
    Base,
    /// In a part that takes one value: a place in a list, a list that is gone through, an argument of a procedure, a
    /// number of rows.
    Part,
    /// Before a `|` that ends it. This is asked beside one of the other places.
    BeforeBar,
}

/// Cypher as it is: what all the defaults make.
pub(super) struct Plain;

impl Dialect for Plain {}
