//! Variables that stand for two things, or for something that is gone.

use std::collections::BTreeSet;

use super::{Guard, Kind, RewriteError, Scope, stands_in};
use crate::{
    rewrite::pattern::{Element, ElementKind, Path, Place},
    source::{Clause, Keyword},
};

impl<'b> Guard<'_, 'b> {
    /// Looks at the variables of a clause's patterns; `scope` is what holds before the clause.
    pub(super) fn variables(&mut self, clause: &Clause, scope: &Scope<'b>) {
        let mut known = scope.clone();
        let mut seen = BTreeSet::new();
        let paths: Vec<Path> = self.paths.iter().filter(|path| stands_in(path, clause)).cloned().collect();
        for path in &paths {
            let shortest = matches!(path.place, Place::Shortest(..));
            let name = path.tokens.start.checked_sub(if shortest { 4 } else { 2 });
            let named = name.filter(|&name| self.source.is_symbol(name + 1, "="));
            if let Some(name) = named.filter(|&name| known.get(self.source.text(name)).is_some()) {
                self.conflict(name, "this variable is known already and cannot name a path");
            }
            if let Some(name) = named.filter(|_| clause.keyword == Keyword::Merge) {
                let span = self.source.span(name);
                let hint = "match the path after MERGE";
                let refusal = || RewriteError::unsupported("a path variable in MERGE", hint, span);
                self.problem.get_or_insert_with(refusal);
            }
            for element in &path.elements {
                let Some(variable) = element.variable else { continue };
                let kind = known.get(self.source.text(variable));
                match clause.keyword {
                    Keyword::Create | Keyword::Merge => self.written(path, element, variable, kind),
                    _ => self.matched(element, variable, kind),
                }
                let name = self.source.text(variable);
                if element.kind == ElementKind::Relationship && !seen.insert(name) {
                    self.conflict(variable, "a relationship stands once in a pattern");
                }
                if kind.is_none() && element.kind == ElementKind::Node {
                    known.set(name, Kind::Node);
                } else if kind.is_none() {
                    known.set(name, if element.hops.is_some() { Kind::List } else { Kind::Relationship });
                }
            }
            known.pass_path(self.source, path);
        }
        if clause.keyword == Keyword::Merge && !self.deleted.is_empty() {
            self.merge_after_delete(&paths, scope);
        }
    }

    fn matched(&mut self, element: &Element, variable: usize, kind: Option<Kind>) {
        let Some(kind) = kind else { return };
        let fits = match (element.kind, &element.hops) {
            (ElementKind::Node, _) => kind == Kind::Node,
            (ElementKind::Relationship, None) => kind == Kind::Relationship,
            _ => kind == Kind::List,
        };
        if !fits && !matches!(kind, Kind::Unknown | Kind::Null | Kind::Ours) {
            self.conflict(variable, "this variable already stands for something of another kind");
        }
    }

    /// A known node may be an end of a new relationship, but nothing new is said of it.
    fn written(&mut self, path: &Path, element: &Element, variable: usize, kind: Option<Kind>) {
        let said = element.labels.is_some() || element.properties.is_some();
        if kind.is_some() && (path.elements.len() == 1 || said || element.kind == ElementKind::Relationship) {
            self.conflict(variable, "this variable is known already");
        }
    }

    fn conflict(&mut self, variable: usize, message: &str) {
        let span = self.source.span(variable);
        self.problem.get_or_insert_with(|| RewriteError::syntax(message, span));
    }

    /// Remembers what a clause deletes.
    pub(super) fn deletes(&mut self, clause: &Clause, scope: &mut Scope<'b>) {
        let first = if self.source.is_word(clause.tokens.start + 1, "DELETE") { 2 } else { 1 };
        for index in clause.tokens.start + first..clause.tokens.end {
            let name = self.source.text(index);
            if let Some(kind @ (Kind::Node | Kind::Relationship)) = scope.get(name) {
                self.deleted.push((name, kind));
                scope.set(name, Kind::Deleted);
            }
        }
    }

    /// The engine's `MERGE` finds what the same statement has deleted.
    fn merge_after_delete(&mut self, paths: &[Path], scope: &Scope<'b>) {
        let source = self.source;
        let elements: Vec<&Element> = paths.iter().flat_map(|path| &path.elements).collect();
        let is_new = |element: &&Element| {
            element.kind == ElementKind::Node
                && element.variable.is_none_or(|variable| scope.get(source.text(variable)).is_none())
        };
        let types = |element: &Element| element.labels.as_ref().map(|labels| source.text_of(labels));
        let finds = self.deleted.iter().any(|&(name, kind)| {
            if kind == Kind::Node {
                return elements.iter().any(is_new);
            }
            let patterns = self.paths.iter().flat_map(|path| &path.elements);
            let found = patterns.filter(|element| {
                element.variable.is_some_and(|variable| source.text(variable) == name)
                    && element.kind == ElementKind::Relationship
            });
            let deleted: Vec<_> = found.map(types).collect();
            elements.iter().filter(|element| element.kind == ElementKind::Relationship).any(|element| {
                let wanted = types(element).unwrap_or_default().trim_start_matches(':');
                deleted.iter().any(|types| types.is_none_or(|types| types.contains(wanted)))
            })
        });
        if let Some(first) = elements.first().filter(|_| finds) {
            let span = source.span_of(&first.tokens);
            let hint = "delete in a statement of its own";
            self.problem.get_or_insert_with(|| {
                RewriteError::unsupported("MERGE of what was deleted before", hint, span)
            });
        }
    }
}
