//! Semantic checks: what is known to be wrong with a query before it runs.
//!
//! [`check`] reports faults of scope, types, grouping and patterns that cannot be created. The
//! rules are those of openCypher 9 and Neo4j 5.
//!
//! Nothing is known here of the graph, of parameters or of procedures. A type is wrong only if no
//! possible value of the expression fits, so whatever depends on data passes.

mod aggregation;
mod clauses;
mod expressions;
mod functions;
mod patterns;
mod projections;
#[cfg(test)]
mod tests;
mod types;

use std::collections::HashMap;

use graphwright_core::Span;

pub use self::aggregation::{aggregates, holds_aggregate, is_aggregate};
use self::types::Type;
use super::tree::{Name, StatementBody, Tree};
use crate::diagnostic::{Code, Diagnostic};

/// Returns the faults of a query that parses, in the order of the text. `text` is the text that
/// `tree` was parsed from.
///
/// ```
/// use graphwright_cypher::syntax::{Code, check, parse};
///
/// let text = "MATCH (n:Person) RETURN m.name";
/// let faults = check(&parse(text).tree, text);
/// assert_eq!(faults[0].code, Code::UndefinedVariable);
/// assert_eq!(faults[0].message, "expected a variable that is defined, found `m`");
/// ```
pub fn check(tree: &Tree, text: &str) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for statement in &tree.statements {
        if let StatementBody::Query(query) = &statement.body {
            let mut checker = Checker {
                text,
                scope: Scope::new(),
                constants: Scope::new(),
                dropped: Vec::new(),
                aggregates: Aggregates::Forbidden,
                diagnostics,
            };
            checker.query(query, clauses::Role::Top);
            diagnostics = checker.diagnostics;
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    // A condition behind DISTINCT is read twice: with the variables before it and with the columns.
    diagnostics.dedup();
    diagnostics
}

/// The visible variables with their possible types.
type Scope<'t> = HashMap<&'t str, Type>;

/// Whether aggregates may stand in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aggregates {
    Forbidden,
    Allowed,
    /// The expression is the argument of an aggregate, so another one would be nested.
    Inside,
}

struct Checker<'t> {
    text: &'t str,
    scope: Scope<'t>,
    /// The variables from around a subquery, which stay visible whatever its `WITH`s project.
    constants: Scope<'t>,
    /// The variables that were visible before a projecting clause.
    dropped: Vec<&'t str>,
    aggregates: Aggregates,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Checker<'t> {
    fn report(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, span, message));
    }

    fn report_with_help(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.diagnostics.push(Diagnostic::new(code, span, message).with_help(help));
    }

    /// Returns the type of a variable, or reports that it is undefined.
    fn variable(&mut self, name: &Name) -> Type {
        if let Some(&found) = self.scope.get(&*name.text) {
            return found;
        }
        // A name is empty where the parser has reported that it is missing.
        if !name.text.is_empty() {
            let message = format!("expected a variable that is defined, found `{}`", name.text);
            self.report(Code::UndefinedVariable, name.span, message);
        }
        Type::ANY
    }

    /// Returns whether `name` is a variable, or was one before a clause dropped it.
    fn was_variable(&self, name: &str) -> bool {
        self.scope.contains_key(name) || self.dropped.contains(&name)
    }

    /// Defines a new variable, or reports that its name is taken.
    fn define(&mut self, name: &'t Name, value: Type) {
        if self.scope.insert(&name.text, value).is_some() {
            let message = format!("expected a new variable, found `{}`, which is defined already", name.text);
            self.report_with_help(Code::VariableAlreadyBound, name.span, message, "choose another name");
        }
    }

    /// Runs `read` with one more variable in scope.
    fn with_local<T>(&mut self, name: &'t Name, value: Type, read: impl FnOnce(&mut Self) -> T) -> T {
        // The new variable may hide one with its name.
        let hidden = self.scope.insert(&name.text, value);
        let result = read(self);
        match hidden {
            Some(hidden) => self.scope.insert(&name.text, hidden),
            None => self.scope.remove(&*name.text),
        };
        result
    }

    /// Runs `read` and drops the variables that it defines.
    fn with_own_scope<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope.clone();
        let result = read(self);
        self.scope = outer;
        result
    }

    fn with_aggregates<T>(&mut self, aggregates: Aggregates, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.aggregates, aggregates);
        let result = read(self);
        self.aggregates = outer;
        result
    }

    /// Reports a value that can have none of the expected types.
    fn expect(&mut self, found: Type, expected: Type, span: Span) {
        if !found.may_be(expected) {
            let message = format!("expected {expected}, found {found}");
            self.report(Code::InvalidArgumentType, span, message);
        }
    }
}
