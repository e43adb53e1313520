//! What can be known to be wrong with a query before it runs: scope, types, grouping, patterns that cannot be made.
//!
//! The rules are those of openCypher 9 and Neo4j 5. Nothing is known here of the graph, of parameters or of procedures. A type is
//! wrong only where no value that the expression may have fits, so what depends on data passes.

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

/// Faults of queries that parse. `text` is what the tree was read from.
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
    // A condition behind DISTINCT is read with the variables before it and with those that are left.
    diagnostics.dedup();
    diagnostics
}

/// The variables that can be used, with what they can be.
type Scope<'t> = HashMap<&'t str, Type>;

/// Whether aggregates may stand in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aggregates {
    Forbidden,
    Allowed,
    /// The expression is the argument of one.
    Inside,
}

struct Checker<'t> {
    text: &'t str,
    scope: Scope<'t>,
    /// Variables from around a subquery, which stay visible whatever its `WITH`s project.
    constants: Scope<'t>,
    /// Variables that were there before a clause that projects.
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

    /// The type of a variable; where there is no such variable, that is reported.
    fn variable(&mut self, name: &Name) -> Type {
        if let Some(&found) = self.scope.get(&*name.text) {
            return found;
        }
        if !name.text.is_empty() {
            let message = format!("expected a variable that is defined, found `{}`", name.text);
            self.report(Code::UndefinedVariable, name.span, message);
        }
        Type::ANY
    }

    /// Whether a name is that of a variable, or was before a clause dropped it.
    fn was_variable(&self, name: &str) -> bool {
        self.scope.contains_key(name) || self.dropped.contains(&name)
    }

    /// Defines a variable that must be new.
    fn define(&mut self, name: &'t Name, value: Type) {
        if self.scope.insert(&name.text, value).is_some() {
            let message = format!("expected a new variable, found `{}`, which is defined already", name.text);
            self.report_with_help(Code::VariableAlreadyBound, name.span, message, "choose another name");
        }
    }

    /// Reads something in a scope in which there is one more variable.
    fn with_local<T>(&mut self, name: &'t Name, value: Type, read: impl FnOnce(&mut Self) -> T) -> T {
        let hidden = self.scope.insert(&name.text, value);
        let result = read(self);
        match hidden {
            Some(hidden) => self.scope.insert(&name.text, hidden),
            None => self.scope.remove(&*name.text),
        };
        result
    }

    /// Reads something whose variables are its own.
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

    /// Reports a value that can be none of the types expected.
    fn expect(&mut self, found: Type, expected: Type, span: Span) {
        if !found.may_be(expected) {
            let message = format!("expected {expected}, found {found}");
            self.report(Code::InvalidArgumentType, span, message);
        }
    }
}
