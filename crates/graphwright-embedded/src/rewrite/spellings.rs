//! Rewrites other spellings of what the engine reads.
//!
//! They are `INSERT`; `A&B` and `$map` for what is made; `trim(BOTH c FROM text)`; hints to the
//! planner of Neo4j; and properties of what an expression gives.

use graphwright_cypher::syntax::{
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, LabelExpression, LabelKind, Literal, MatchMode, Name,
        Pattern, PatternElement, Query, RemoveKind, SetItem, SetKind, SingleQuery, Test, TypeKind,
    },
    visit::{VisitMut, walk_clause_mut, walk_expression_mut, walk_single_query_mut},
};

use super::{Context, make::with_all, trims};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Spellings(context).visit_query(query);
}

struct Spellings<'c, 't>(&'c mut Context<'t>);

impl VisitMut for Spellings<'_, '_> {
    fn visit_single_query(&mut self, query: &mut SingleQuery) {
        for mut clause in std::mem::take(&mut query.clauses) {
            let subjects = self.subjects(&mut clause.kind);
            if !subjects.is_empty() {
                query.clauses.push(with_all(subjects));
            }
            let maps = match &mut clause.kind {
                ClauseKind::Create(paths) | ClauseKind::Insert(paths) => self.maps(paths),
                _ => Vec::new(),
            };
            query.clauses.push(clause);
            if !maps.is_empty() {
                query.clauses.push(Clause::new(ClauseKind::Set(maps)));
            }
        }
        walk_single_query_mut(self, query);
    }

    fn visit_clause(&mut self, clause: &mut Clause) {
        match &mut clause.kind {
            ClauseKind::Match(found) => {
                found.hints.clear();
                found.mode = found.mode.filter(|mode| *mode == MatchMode::RepeatableElements);
            }
            ClauseKind::Insert(paths) => {
                paths.iter_mut().for_each(made);
                clause.kind = ClauseKind::Create(std::mem::take(paths));
            }
            ClauseKind::Create(paths) => paths.iter_mut().for_each(made),
            ClauseKind::Merge(merge) => made(&mut merge.pattern),
            _ => {}
        }
        walk_clause_mut(self, clause);
    }

    fn visit_expression(&mut self, expression: &mut Expression) {
        walk_expression_mut(self, expression);
        match &mut expression.kind {
            ExpressionKind::Call(call) => trims::plain(call, self.0),
            // No value is of this type.
            ExpressionKind::Test { test: Test::Type(of), negated, .. }
                if of.kind == TypeKind::Named("NOTHING") =>
            {
                expression.kind = ExpressionKind::Literal(Literal::Boolean(*negated));
            }
            _ => {}
        }
    }
}

impl Spellings<'_, '_> {
    /// Rewrites `CREATE (n $map)` as `CREATE (n) SET n += $map`.
    fn maps(&mut self, paths: &mut [Pattern]) -> Vec<SetItem> {
        let mut items = Vec::new();
        for element in paths.iter_mut().flat_map(|path| &mut path.elements) {
            let (variable, properties) = match element {
                PatternElement::Node(node) => (&mut node.variable, &mut node.properties),
                PatternElement::Relationship(relationship) => {
                    (&mut relationship.variable, &mut relationship.properties)
                }
                PatternElement::Group(_) => continue,
            };
            let is_parameter = |map: &mut Box<Expression>| matches!(map.kind, ExpressionKind::Parameter(_));
            if let Some(map) = properties.take_if(is_parameter) {
                let variable = variable.get_or_insert_with(|| self.0.fresh()).clone();
                let span = map.span;
                items.push(SetItem { kind: SetKind::Merge { variable, value: *map }, span });
            }
        }
        items
    }

    /// Replaces the expression in `SET (expression).key = value` by a variable, which the engine
    /// wants. Returns what the variables must hold.
    fn subjects(&mut self, clause: &mut ClauseKind) -> Vec<(Expression, Name)> {
        let targets: Vec<_> = match clause {
            ClauseKind::Set(items) => items
                .iter_mut()
                .filter_map(|item| match &mut item.kind {
                    SetKind::Property { target, .. } => Some(target),
                    _ => None,
                })
                .collect(),
            ClauseKind::Remove(items) => items
                .iter_mut()
                .filter_map(|item| match &mut item.kind {
                    RemoveKind::Property(target) => Some(target),
                    RemoveKind::Labels { .. } => None,
                })
                .collect(),
            _ => return Vec::new(),
        };
        let subjects = targets.into_iter().filter_map(|target| match &mut target.kind {
            ExpressionKind::Property { base, .. } if !matches!(base.kind, ExpressionKind::Variable(_)) => {
                let name = self.0.fresh();
                let variable = Expression { kind: ExpressionKind::Variable(name.clone()), span: base.span };
                Some((std::mem::replace(&mut **base, variable), name))
            }
            _ => None,
        });
        subjects.collect()
    }
}

/// Writes the labels of what is made with colons between them.
fn made(path: &mut Pattern) {
    for element in &mut path.elements {
        let PatternElement::Node(node) = element else { continue };
        if let Some(LabelExpression { kind, .. }) = &mut node.labels
            && let LabelKind::And(parts) = kind
        {
            *kind = LabelKind::Colons(std::mem::take(parts));
        }
    }
}
