//! Lint: compares a query with the schema of its graph.
//!
//! A query may be valid Cypher and still find nothing: a label that no node has, an arrow that
//! points the wrong way, a number compared with text. [`Lint::new`] prepares a schema, and
//! [`Lint::check`] reports such faults. [`Lint::suggest`] also asks the store for stored values and
//! names near to those written.
//!
//! The lint goes through the tree once, keeps the labels and types that each variable can have, and
//! compares them with the schema. It says nothing of what it cannot know. `docs/lint.md` describes
//! each code.

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

/// A lint for the queries of one schema. Clones share the prepared schema.
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
    /// Prepares a schema. A list that the schema marks as incomplete is no proof that a name is
    /// missing.
    pub fn new(schema: &GraphSchema) -> Self {
        Self { schema: Arc::new(SchemaIndex::new(schema)), parameters: Arc::default() }
    }

    /// Sets the parameters that the query runs with, so that [`suggest`](Self::suggest) also asks
    /// for their texts.
    #[must_use]
    pub fn with_parameters(self, parameters: Properties) -> Self {
        Self { parameters: Arc::new(parameters), ..self }
    }

    /// Returns the findings for a query, in the order of the text that the tree was parsed from.
    ///
    /// The query should have none of the faults that [`parse`](crate::syntax::parse()) and
    /// [`check`](crate::syntax::check) find; they are not reported again.
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
            matches: Vec::new(),
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
    /// Whether rows are dropped if the part being read finds nothing.
    required: bool,
    /// Whether the part being read is a pattern to create, in which names may be new.
    creating: bool,
    /// Whether the part being read is within a subquery.
    is_nested: bool,
    /// The properties without which rows have been dropped.
    not_null: Vec<Box<str>>,
    /// The matches directly before the clause that is read.
    matches: Vec<nulls::OpenMatch>,
    /// The questions for the store, if it is to be asked.
    open: Option<Open>,
    diagnostics: Vec<Diagnostic>,
}

impl Checker<'_> {
    /// Adds a finding. It is an error only if the query finds nothing whatever the data.
    fn report(&mut self, diagnostic: Diagnostic, certain: bool) {
        let worst =
            // A pattern that is created need not be in the schema.
            if certain && self.required && !self.creating { Severity::Error } else { Severity::Warning };
        self.diagnostics.push(diagnostic.at_most(worst));
    }

    /// Runs `read` on a part without which rows are kept.
    fn optionally(&mut self, read: impl FnOnce(&mut Self)) {
        let required = std::mem::replace(&mut self.required, false);
        read(self);
        self.required = required;
    }

    /// Runs `read` on a subquery.
    fn nested(&mut self, read: impl FnOnce(&mut Self)) {
        let is_nested = std::mem::replace(&mut self.is_nested, true);
        self.optionally(read);
        self.is_nested = is_nested;
    }

    /// Runs `read` and restores the variables afterwards.
    fn with_own_scope(&mut self, read: impl FnOnce(&mut Self)) {
        let outer = self.scope.clone();
        read(self);
        self.scope = outer;
    }
}
