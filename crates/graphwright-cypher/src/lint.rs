//! What is wrong with a query for a graph of which the schema is known.
//!
//! A query may be perfect Cypher and find nothing: a label that no node has, an arrow that points the wrong way, a number compared
//! with text. The lint goes once through the tree, keeps the labels and types that each variable can have, and compares with the
//! schema. What it cannot know it leaves alone. `docs/lint.md` has its codes one by one.

mod calls;
mod clauses;
mod expressions;
mod index;
mod iso;
mod labels;
mod names;
mod nulls;
mod parts;
mod patterns;
mod products;
mod properties;
mod rows;
mod scope;
mod suggest;
#[cfg(test)]
mod tests;
mod values;

use std::sync::Arc;

use graphwright_core::{GraphSchema, Properties};

pub use self::suggest::{Matching, Suggest, SuggestError, Suggestion, WantedValue};

use self::{index::SchemaIndex, scope::Scope, suggest::Open};
use crate::{
    diagnostic::{Diagnostic, Severity},
    syntax::{tree::Tree, visit::Visit},
};

/// Compares queries with a schema. Made once for a schema; its clones share what they know.
///
/// ```
/// use graphwright_core::schema::{ElementSchema, GraphSchema};
/// use graphwright_cypher::{lint::Lint, syntax::parse};
///
/// let labels = vec![ElementSchema { name: "Person".into(), ..ElementSchema::default() }];
/// let lint = Lint::new(&GraphSchema { labels, ..GraphSchema::default() });
///
/// let text = "MATCH (p:Persn) RETURN p";
/// let found = lint.check(&parse(text).tree, text);
/// assert_eq!(found[0].message, "no node has the label `Persn`");
/// assert_eq!(found[0].fix.as_ref().map(|fix| fix.text.as_str()), Some("Person"));
/// ```
#[derive(Clone, Debug)]
pub struct Lint {
    schema: Arc<SchemaIndex>,
    parameters: Arc<Properties>,
}

impl Lint {
    /// Prepares a schema. What it does not list completely is not taken for missing.
    pub fn new(schema: &GraphSchema) -> Self {
        Self { schema: Arc::new(SchemaIndex::new(schema)), parameters: Arc::default() }
    }

    /// The same, for a query that runs with these parameters: [`suggest`](Self::suggest) asks for their texts too.
    #[must_use]
    pub fn with_parameters(self, parameters: Properties) -> Self {
        Self { parameters: Arc::new(parameters), ..self }
    }

    /// What is wrong with a query, in the order of the text from which the tree was read. It expects a query without the
    /// faults that [`parse`](crate::syntax::parse()) and [`check`](crate::syntax::check) find, and says nothing of them.
    pub fn check(&self, tree: &Tree, text: &str) -> Vec<Diagnostic> {
        let mut checker = self.checker(text);
        checker.visit_tree(tree);
        let mut diagnostics = checker.diagnostics;
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        diagnostics
    }

    fn checker<'a>(&'a self, text: &'a str) -> Checker<'a> {
        Checker {
            schema: &self.schema,
            parameters: &self.parameters,
            text,
            scope: Scope::default(),
            required: true,
            creating: false,
            is_nested: false,
            not_null: Vec::new(),
            open: None,
            diagnostics: Vec::new(),
        }
    }
}

struct Checker<'a> {
    schema: &'a SchemaIndex,
    parameters: &'a Properties,
    text: &'a str,
    scope: Scope,
    /// Whether rows are dropped where what is being read finds nothing.
    required: bool,
    /// Whether a pattern is being made, in which names may be new.
    creating: bool,
    /// Whether what is being read is within a subquery.
    is_nested: bool,
    /// Properties without which rows are gone.
    not_null: Vec<Box<str>>,
    /// What the store is to be asked, if it is.
    open: Option<Open>,
    diagnostics: Vec<Diagnostic>,
}

impl Checker<'_> {
    /// Keeps a finding. It is an error only where the query finds nothing whatever the data.
    fn report(&mut self, diagnostic: Diagnostic, certain: bool) {
        let worst =
            if certain && self.required && !self.creating { Severity::Error } else { Severity::Warning };
        self.diagnostics.push(diagnostic.at_most(worst));
    }

    /// Reads something without which rows stay.
    fn optionally(&mut self, read: impl FnOnce(&mut Self)) {
        let required = std::mem::replace(&mut self.required, false);
        read(self);
        self.required = required;
    }

    /// Reads a subquery.
    fn nested(&mut self, read: impl FnOnce(&mut Self)) {
        let is_nested = std::mem::replace(&mut self.is_nested, true);
        self.optionally(read);
        self.is_nested = is_nested;
    }

    /// Reads something after which the variables are as they were.
    fn with_own_scope(&mut self, read: impl FnOnce(&mut Self)) {
        let outer = self.scope.clone();
        read(self);
        self.scope = outer;
    }
}
