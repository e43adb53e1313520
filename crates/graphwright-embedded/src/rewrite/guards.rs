//! Corrects what the engine does with values otherwise than Cypher, where only the values show it.
//!
//! The engine takes `'["x"]'` for equal to `'x'`, and texts for dates. It gives null for a division
//! by zero, and null or the value itself where types do not fit. A guard is put around an
//! expression unless the kinds of its values are known to be harmless. If no value of the engine's
//! is right, the guard calls [`REFUSES`] or [`FAILS`].

mod arithmetic;
mod cases;
mod checks;
mod conversions;
mod deletes;
mod durations;
mod equality;
mod expressions;
mod functions;
mod moments;
mod ordering;
mod parts;
mod projections;
mod rounding;
mod temporal;
mod texts;

use graphwright_core::Span;
use graphwright_cypher::syntax::{
    aggregates,
    tree::{
        Clause, ClauseKind, Delete, Expression, ExpressionKind, LogicalOperator, Name, Pattern,
        PatternElement, Projection, ProjectionItem, Query, SetItem, SetKind, Unwind,
    },
    visit::Visit,
};

pub(super) use self::checks::{fails, refuses};
use self::{deletes::Types, functions::one_number};
use super::{
    Context, FAILS, REFUSES, RewriteError,
    kinds::{Kind, Kinds, Scope},
    template::{Part, cypher},
};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    let types = Types::from_query(query);
    Guard { context, types, deleted: Vec::new(), hides: true, filters: false }
        .query(query, &Scope::default());
}

struct Guard<'c, 't> {
    context: &'c mut Context<'t>,
    /// The types of relationships that patterns name.
    types: Types,
    /// Variables that the clauses before have deleted, each with its kind.
    deleted: Vec<(Name, Kind)>,
    /// Whether properties that serve the store must be hidden in the current expression.
    hides: bool,
    /// Whether the current comparison decides over a row, so that null is as good as false.
    filters: bool,
}

/// An expression with its guards, and what is known of it.
struct Operand {
    value: Expression,
    kind: Kind,
}

impl Operand {
    fn take(&mut self) -> Expression {
        std::mem::take(&mut self.value)
    }
}

impl Guard<'_, '_> {
    fn query(&mut self, query: &mut Query, scope: &Scope) {
        for part in query.parts_mut() {
            self.clauses(&mut part.clauses, scope.clone());
        }
    }

    fn clauses(&mut self, clauses: &mut Vec<Clause>, mut scope: Scope) {
        for mut clause in std::mem::take(clauses) {
            if let Some(before) = self.clause(&mut clause.kind, &mut scope) {
                clauses.push(Clause { kind: before, span: clause.span });
            }
            clauses.push(clause);
        }
    }

    /// Guards a clause, and moves the scope behind it. May return a clause that must stand before
    /// it.
    fn clause(&mut self, clause: &mut ClauseKind, scope: &mut Scope) -> Option<ClauseKind> {
        match clause {
            ClauseKind::Match(found) => {
                found.patterns.iter().for_each(|path| scope.visit_pattern(path));
                self.filter(found.condition.as_mut(), scope);
            }
            ClauseKind::With(projection) => return self.with(projection, scope),
            // Groups are not merged here: rows that Cypher takes for equal are refused (`Keys`).
            ClauseKind::Return(projection) => {
                for item in &mut projection.items {
                    self.whole(&mut item.expression, scope, true);
                }
            }
            ClauseKind::Unwind(unwind) => self.unwind(unwind, scope),
            ClauseKind::Set(items) => self.assignments(items, scope),
            ClauseKind::Delete(delete) => return self.delete(delete, scope),
            ClauseKind::Create(paths) => {
                for path in paths {
                    self.written(path, scope);
                    scope.visit_pattern(path);
                }
            }
            ClauseKind::Merge(merge) => {
                self.merge(&merge.pattern, scope);
                self.written(&mut merge.pattern, scope);
                scope.visit_pattern(&merge.pattern);
                for action in &mut merge.actions {
                    self.assignments(&mut action.items, scope);
                }
            }
            ClauseKind::ForEach(each) => {
                let mut inner = scope.clone();
                inner.set(&each.variable, Kind::Unknown);
                self.clauses(&mut each.clauses, inner);
            }
            ClauseKind::Subquery(subquery) => {
                self.query(&mut subquery.query, &scope.imported(subquery.imports.as_ref()));
                if let Some(ClauseKind::Return(result)) =
                    subquery.query.first.clauses.last().map(|last| &last.kind)
                {
                    let names = result.items.iter().filter_map(ProjectionItem::name);
                    names.for_each(|name| scope.set(name, Kind::Unknown));
                }
            }
            ClauseKind::Call(call) => {
                for item in call.results.iter().flat_map(|results| &results.items) {
                    scope.set(item.alias.as_ref().unwrap_or(&item.column), Kind::Unknown);
                }
            }
            _ => {}
        }
        None
    }

    fn with(&mut self, projection: &mut Projection, scope: &mut Scope) -> Option<ClauseKind> {
        let mut after = if projection.all { scope.clone() } else { Scope::default() };
        let mut kinds = Vec::with_capacity(projection.items.len());
        for item in &mut projection.items {
            let known = self.whole(&mut item.expression, scope, false);
            item.name().into_iter().for_each(|name| after.set(name, known));
            kinds.push(known.own);
        }
        *scope = after;
        self.filter(projection.condition.as_mut(), scope);
        self.groups(projection, &kinds).map(ClauseKind::With)
    }

    /// Groups by one form of a number if a key may be `1` in one row and `1.0` in another. One of
    /// the values stands for all.
    fn groups(&mut self, projection: &mut Projection, kinds: &[Kind]) -> Option<Projection> {
        let aggregated: Vec<_> = projection.items.iter().map(|item| aggregates(&item.expression)).collect();
        let is_mixed =
            |place: usize| kinds.get(place) == Some(&Kind::Unknown) && aggregated.get(place) == Some(&false);
        let is_grouped = projection.distinct || aggregated.contains(&true);
        if !is_grouped || projection.all || !(0..kinds.len()).any(is_mixed) {
            return None;
        }
        let mut grouped = Vec::with_capacity(kinds.len());
        for (place, item) in projection.items.iter_mut().enumerate() {
            let Some(name) = item.name().cloned() else { continue };
            let kept = ProjectionItem { expression: (&name).part(), alias: None, span: item.span };
            let mut item = std::mem::replace(item, kept);
            if is_mixed(place) {
                let (value, span) = (item.expression.clone(), item.span);
                let key = self.bind([value], |[value]| one_number(value));
                grouped.push(ProjectionItem { expression: key, alias: Some(self.context.fresh()), span });
                item.expression = cypher!("head(collect($value))", value = item.expression);
                item.alias = Some(name);
            }
            grouped.push(item);
        }
        projection.distinct = false;
        Some(Projection { items: grouped, ..Projection::default() })
    }

    fn unwind(&mut self, unwind: &mut Unwind, scope: &mut Scope) {
        let kinds = self.expression(&mut unwind.list, scope);
        if matches!(kinds.own, Kind::Unknown | Kind::Text) {
            self.change(&mut unwind.list, |list| {
                cypher!("CASE WHEN $list IS :: STRING NOT NULL THEN [$list] ELSE $list END", list = list)
            });
        }
        scope.set(&unwind.variable, kinds.items);
    }

    /// Guards `x.name = value`, `x = map` and `x += map`. The engine takes no node for a map.
    fn assignments(&mut self, items: &mut [SetItem], scope: &Scope) {
        for item in items {
            match &mut item.kind {
                SetKind::Property { value, .. } => {
                    let kinds = self.whole(value, scope, false);
                    if kinds.own == Kind::Map || kinds.items == Kind::Map {
                        self.wrong("a property cannot hold a map", value);
                    }
                }
                SetKind::Replace { value, .. } | SetKind::Merge { value, .. } => {
                    let kinds = self.whole(value, scope, false);
                    if matches!(kinds.own, Kind::Node | Kind::Relationship) {
                        value.kind = cypher!("properties($of)", of = &*value).kind;
                    }
                }
                SetKind::Labels { .. } => {}
            }
        }
    }

    fn delete(&mut self, delete: &mut Delete, scope: &mut Scope) -> Option<ClauseKind> {
        let mut named = Projection { all: true, ..Projection::default() };
        let mut deleted = Vec::new();
        for item in &mut delete.expressions {
            deleted.push(item.clone());
            let kind = self.expression(item, scope).own;
            if !matches!(kind, Kind::Node | Kind::Relationship | Kind::Path | Kind::Unknown | Kind::Null) {
                self.wrong("only nodes, relationships and paths are deleted", item);
            }
            if !matches!(item.kind, ExpressionKind::Variable(_)) {
                let (name, span) = (self.context.fresh(), item.span);
                let expression = std::mem::replace(item, (&name).part());
                named.items.push(ProjectionItem { expression, alias: Some(name), span });
            }
        }
        for expression in &deleted {
            self.remember(expression, scope);
        }
        (!named.items.is_empty()).then_some(ClauseKind::With(named))
    }

    /// Guards the values of properties with which a path is created.
    fn written(&mut self, path: &mut Pattern, scope: &Scope) {
        for element in &mut path.elements {
            let properties = match element {
                PatternElement::Node(node) => &mut node.properties,
                PatternElement::Relationship(relationship) => &mut relationship.properties,
                PatternElement::Group(_) => continue,
            };
            if let Some(ExpressionKind::Map(entries)) = properties.as_mut().map(|map| &mut map.kind) {
                for (_, value) in entries {
                    self.whole(value, scope, false);
                }
            }
        }
    }

    /// Guards the condition after `WHERE`.
    fn filter(&mut self, condition: Option<&mut Expression>, scope: &Scope) {
        if let Some(condition) = condition {
            self.hides = true;
            self.conjunct(condition, scope);
        }
    }

    fn conjunct(&mut self, condition: &mut Expression, scope: &Scope) {
        match &mut condition.kind {
            ExpressionKind::Logical { operator: LogicalOperator::And, operands } => {
                for operand in operands {
                    self.conjunct(operand, scope);
                }
            }
            kind => {
                self.filters = matches!(kind, ExpressionKind::Comparison { .. });
                self.truth(condition, scope);
            }
        }
    }

    fn whole(&mut self, expression: &mut Expression, scope: &Scope, is_returned: bool) -> Kinds {
        // From what is returned whole, the adapter removes the hidden properties.
        let is_properties = matches!(&expression.kind, ExpressionKind::Call(call)
            if matches!(call.name.as_slice(), [name] if name.text.eq_ignore_ascii_case("properties")));
        self.hides = !(is_returned && is_properties);
        self.expression(expression, scope)
    }

    fn bind<const N: usize>(
        &mut self,
        values: [Expression; N],
        body: impl FnOnce([&Expression; N]) -> Expression,
    ) -> Expression {
        self.context.bind(values, body)
    }

    /// Replaces an expression by `body` over it.
    fn change(&mut self, expression: &mut Expression, body: impl FnOnce(&Expression) -> Expression) {
        let span = expression.span;
        let value = std::mem::take(expression);
        *expression = Expression { span, ..self.bind([value], |[value]| body(value)) };
    }

    /// Notes a fault that the text alone shows.
    fn wrong(&mut self, message: &str, expression: &Expression) {
        self.fault(message, expression.span);
    }

    fn fault(&mut self, message: &str, span: Span) {
        self.context.refuse(RewriteError::syntax(message, span));
    }
}
