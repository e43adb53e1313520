//! Tracks which variables are known after a clause.

use std::collections::BTreeSet;

use graphwright_cypher::syntax::{
    tree::{
        Clause, ClauseKind, Expression, Imports, Name, NodePattern, Pattern, Projection, ProjectionItem,
        RelationshipPattern,
    },
    visit::{Visit, walk_node, walk_pattern, walk_relationship},
};

/// The variables that are known at a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Known(BTreeSet<Box<str>>);

impl Known {
    pub(super) fn has(&self, variable: Option<&Name>) -> bool {
        variable.is_some_and(|variable| self.0.contains(&variable.text))
    }

    pub(super) fn add(&mut self, variable: &Name) {
        self.0.insert(variable.text.clone());
    }

    /// Returns what is known here and was not known before.
    pub(super) fn added_to(&self, before: &Self) -> Vec<Name> {
        self.0.difference(&before.0).map(|name| Name::new(&**name)).collect()
    }

    /// Returns what a subquery sees at its beginning.
    pub(super) fn imported(&self, imports: Option<&Imports>) -> Self {
        match imports {
            None => Self::default(),
            Some(Imports::All) => self.clone(),
            Some(Imports::Variables(variables)) => {
                Self(variables.iter().map(|variable| variable.text.clone()).collect())
            }
        }
    }

    pub(super) fn pass(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Match(found) => found.patterns.iter().for_each(|path| self.visit_pattern(path)),
            ClauseKind::Create(paths) | ClauseKind::Insert(paths) => {
                for path in paths {
                    self.visit_pattern(path);
                }
            }
            ClauseKind::Merge(merge) => self.visit_pattern(&merge.pattern),
            ClauseKind::Unwind(unwind) => self.add(&unwind.variable),
            ClauseKind::LoadCsv(load) => self.add(&load.variable),
            ClauseKind::With(projection) => {
                if !projection.all {
                    self.0.clear();
                }
                self.columns(projection);
            }
            ClauseKind::Call(call) => {
                for item in call.results.iter().flat_map(|results| &results.items) {
                    self.add(item.alias.as_ref().unwrap_or(&item.column));
                }
            }
            ClauseKind::Subquery(subquery) => {
                if let Some(ClauseKind::Return(result)) =
                    subquery.query.first.clauses.last().map(|last| &last.kind)
                {
                    self.columns(result);
                }
            }
            _ => {}
        }
    }

    fn columns(&mut self, projection: &Projection) {
        projection.items.iter().filter_map(ProjectionItem::name).for_each(|name| self.add(name));
    }
}

impl Visit for Known {
    fn visit_pattern(&mut self, pattern: &Pattern) {
        pattern.variable.iter().for_each(|name| self.add(name));
        walk_pattern(self, pattern);
    }

    fn visit_node(&mut self, node: &NodePattern) {
        node.variable.iter().for_each(|name| self.add(name));
        walk_node(self, node);
    }

    fn visit_relationship(&mut self, relationship: &RelationshipPattern) {
        relationship.variable.iter().for_each(|name| self.add(name));
        walk_relationship(self, relationship);
    }

    /// Skips expressions: what a subquery in a pattern matches is known only in it.
    fn visit_expression(&mut self, _: &Expression) {}
}
