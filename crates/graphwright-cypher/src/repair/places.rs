//! Lookups in the tree by place.

use graphwright_core::Span;

use crate::syntax::{
    print_expression,
    tree::{
        CaseCondition, Clause, ClauseKind, Expression, ExpressionKind, NodePattern, Pattern, PatternElement,
        Projection, ProjectionItem, Query, RelationshipPattern, SingleQuery, Tree,
    },
    visit::{Visit, walk_expression, walk_query, walk_single_query},
};

/// Calls `read` with the queries around a place, the innermost first, until it returns something.
/// It also gets the index of the clause that contains the place.
pub(super) fn around<T>(
    tree: &Tree,
    place: Span,
    read: impl FnMut(&SingleQuery, usize) -> Option<T>,
) -> Option<T> {
    let mut around = Around { place, read, found: None };
    around.visit_tree(tree);
    around.found
}

struct Around<T, F> {
    place: Span,
    read: F,
    found: Option<T>,
}

impl<T, F: FnMut(&SingleQuery, usize) -> Option<T>> Visit for Around<T, F> {
    fn visit_single_query(&mut self, query: &SingleQuery) {
        let Some(index) = query.clauses.iter().position(|clause| clause.span.contains(self.place)) else {
            return;
        };
        walk_single_query(self, query);
        if self.found.is_none() {
            self.found = (self.read)(query, index);
        }
    }
}

/// Calls `read` with the query whose `UNION` stands at a place.
pub(super) fn query_with_union<T>(
    tree: &Tree,
    place: Span,
    read: impl FnMut(&Query) -> Option<T>,
) -> Option<T> {
    let mut unions = Unions { place, read, found: None };
    unions.visit_tree(tree);
    unions.found
}

struct Unions<T, F> {
    place: Span,
    read: F,
    found: Option<T>,
}

impl<T, F: FnMut(&Query) -> Option<T>> Visit for Unions<T, F> {
    fn visit_query(&mut self, query: &Query) {
        if query.unions.iter().any(|union| union.span == self.place) {
            self.found = (self.read)(query);
        }
        walk_query(self, query);
    }
}

/// Returns whether a clause defines a variable for the clauses behind it.
pub(super) fn binds(clause: &Clause, name: &str) -> bool {
    bound_names(clause).iter().any(|bound| bound == name)
}

/// Returns the variables that a clause defines or projects.
pub(super) fn bound_names(clause: &Clause) -> Vec<String> {
    let mut names = Vec::new();
    match &clause.kind {
        ClauseKind::Match(found) => patterns(&found.patterns, &mut names),
        ClauseKind::Create(found) | ClauseKind::Insert(found) => patterns(found, &mut names),
        ClauseKind::Merge(merge) => pattern(&merge.pattern, &mut names),
        ClauseKind::Unwind(unwind) => names.push(unwind.variable.text.to_string()),
        ClauseKind::LoadCsv(load) => names.push(load.variable.text.to_string()),
        ClauseKind::With(projection) | ClauseKind::Return(projection) => {
            names.extend(projection.items.iter().filter_map(column_name).map(str::to_owned));
        }
        ClauseKind::Call(call) => {
            let items = call.results.iter().flat_map(|results| &results.items);
            names.extend(items.map(|item| item.alias.as_ref().unwrap_or(&item.column).text.to_string()));
        }
        ClauseKind::Subquery(call) => {
            if let Some(last) = call.query.first.clauses.last()
                && matches!(last.kind, ClauseKind::Return(_))
            {
                names.extend(bound_names(last));
            }
        }
        _ => {}
    }
    names
}

fn patterns(patterns: &[Pattern], names: &mut Vec<String>) {
    for each in patterns {
        pattern(each, names);
    }
}

fn pattern(pattern: &Pattern, names: &mut Vec<String>) {
    names.extend(pattern.variable.iter().map(|name| name.text.to_string()));
    for element in &pattern.elements {
        match element {
            PatternElement::Node(NodePattern { variable, .. })
            | PatternElement::Relationship(RelationshipPattern { variable, .. }) => {
                names.extend(variable.iter().map(|name| name.text.to_string()));
            }
            PatternElement::Group(group) => self::pattern(&group.pattern, names),
        }
    }
}

/// Returns the columns of a `WITH` or `RETURN`.
pub(super) fn projection(kind: &ClauseKind) -> Option<&Projection> {
    match kind {
        ClauseKind::With(projection) | ClauseKind::Return(projection) => Some(projection),
        _ => None,
    }
}

/// Returns the name of a column as a variable, if it has one.
pub(super) fn column_name(item: &ProjectionItem) -> Option<&str> {
    match (&item.alias, &item.expression.kind) {
        (Some(alias), _) => Some(&alias.text),
        (None, ExpressionKind::Variable(name)) => Some(&name.text),
        _ => None,
    }
}

/// Returns whether a variable stays visible behind a projection.
pub(super) fn projects(projection: &Projection, name: &str) -> bool {
    projection.all || projection.items.iter().any(|item| column_name(item) == Some(name))
}

/// Returns the variables that an expression uses, including its own.
pub(super) fn variables(expression: &Expression) -> Vec<String> {
    let mut finder = Finder::new(|expression: &Expression| match &expression.kind {
        ExpressionKind::Variable(name) | ExpressionKind::MapProjection { base: name, .. } => {
            Some(name.text.to_string())
        }
        _ => None,
    });
    finder.visit_expression(expression);
    finder.found
}

/// Returns whether an expression contains an aggregate, also in a subquery.
pub(super) fn aggregates(expression: &Expression) -> bool {
    let mut finder = Finder::new(|expression: &Expression| is_aggregate(expression).then_some(()));
    finder.visit_expression(expression);
    !finder.found.is_empty()
}

/// Returns whether an expression is itself an aggregate.
pub(super) fn is_aggregate(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::CountStar => true,
        ExpressionKind::Call(call) => {
            matches!(call.name.as_slice(), [name] if crate::functions::is_aggregate(&name.text))
        }
        _ => false,
    }
}

/// Returns the places within a span where an expression stands, compared as printed.
pub(super) fn occurrences(tree: &Tree, wanted: &Expression, within: Span) -> Vec<Span> {
    let printed = print_expression(wanted);
    let mut finder = Finder::new(|expression: &Expression| {
        (within.contains(expression.span) && print_expression(expression) == printed)
            .then_some(expression.span)
    });
    finder.visit_tree(tree);
    finder.found
}

/// A collector of what `read` returns for expressions, including those in subqueries.
struct Finder<T, F> {
    read: F,
    found: Vec<T>,
}

impl<T, F: FnMut(&Expression) -> Option<T>> Finder<T, F> {
    fn new(read: F) -> Self {
        Self { read, found: Vec::new() }
    }
}

impl<T, F: FnMut(&Expression) -> Option<T>> Visit for Finder<T, F> {
    fn visit_expression(&mut self, expression: &Expression) {
        self.found.extend((self.read)(expression));
        walk_expression(self, expression);
    }
}

/// Returns the condition of a clause.
pub(super) fn condition(kind: &ClauseKind) -> Option<&Expression> {
    match kind {
        ClauseKind::Match(found) => found.condition.as_ref(),
        ClauseKind::With(projection) => projection.condition.as_ref(),
        _ => None,
    }
}

/// Returns the aggregates of an expression that are within no other one.
pub(super) fn outer_aggregates(expression: &Expression) -> Vec<&Expression> {
    if is_aggregate(expression) {
        return vec![expression];
    }
    children(expression).into_iter().flat_map(outer_aggregates).collect()
}

/// Returns the parts of an expression that a `WITH` before it can provide: aggregates without
/// others in them and, outside of these, variables and properties.
pub(super) fn inner_parts(expression: &Expression) -> Vec<&Expression> {
    let is_inner = is_aggregate(expression) && !children(expression).into_iter().any(aggregates);
    let is_value = match &expression.kind {
        ExpressionKind::Variable(_) => true,
        ExpressionKind::Property { base, .. } => !aggregates(base),
        _ => false,
    };
    if is_inner || is_value {
        return vec![expression];
    }
    children(expression).into_iter().flat_map(inner_parts).collect()
}

/// Returns the direct parts of an expression, without those that have variables of their own.
fn children(expression: &Expression) -> Vec<&Expression> {
    match &expression.kind {
        ExpressionKind::Property { base, .. } | ExpressionKind::Labels { base, .. } => vec![base],
        ExpressionKind::Index { base, index } => vec![base, index],
        ExpressionKind::Slice { base, from, to } => {
            std::iter::once(&**base).chain(from.as_deref()).chain(to.as_deref()).collect()
        }
        ExpressionKind::Unary { operand, .. } | ExpressionKind::Test { operand, .. } => vec![operand],
        ExpressionKind::Binary { left, right, .. } => vec![left, right],
        ExpressionKind::Logical { operands, .. } | ExpressionKind::List(operands) => {
            operands.iter().collect()
        }
        ExpressionKind::Comparison { first, rest } => {
            std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand)).collect()
        }
        ExpressionKind::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
        ExpressionKind::Call(call) => call.arguments.iter().collect(),
        ExpressionKind::Case(case) => case
            .subject
            .iter()
            .chain(case.alternatives.iter().flat_map(|alternative| {
                let conditions = alternative.conditions.iter().filter_map(|condition| match condition {
                    CaseCondition::Value(value)
                    | CaseCondition::Comparison(_, value)
                    | CaseCondition::Binary(_, value) => Some(value),
                    CaseCondition::Test { .. } => None,
                });
                conditions.chain(std::iter::once(&alternative.value))
            }))
            .chain(&case.otherwise)
            .collect(),
        _ => Vec::new(),
    }
}

/// Calls `read` with the expressions around a place until it returns something.
pub(super) fn expression_around<T>(
    tree: &Tree,
    place: Span,
    mut read: impl FnMut(&Expression) -> Option<T>,
) -> Option<T> {
    let mut finder = Finder::new(
        |expression: &Expression| {
            if expression.span.contains(place) { read(expression) } else { None }
        },
    );
    finder.visit_tree(tree);
    finder.found.into_iter().next()
}

/// Calls `read` with the expressions that stand exactly at a place until it returns something.
pub(super) fn expression_at<T>(
    tree: &Tree,
    place: Span,
    mut read: impl FnMut(&Expression) -> Option<T>,
) -> Option<T> {
    let mut finder =
        Finder::new(|expression: &Expression| if expression.span == place { read(expression) } else { None });
    finder.visit_tree(tree);
    finder.found.into_iter().next()
}
