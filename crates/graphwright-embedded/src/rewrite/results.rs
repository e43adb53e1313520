//! Names the columns of a result after the text as it was written, and adapts what the result is
//! sorted by.

use graphwright_cypher::syntax::{
    aggregates, print_expression,
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, LabelExpression, Name, Page, Projection, Query,
        SingleQuery,
    },
    visit::{Visit, VisitMut, walk_expression, walk_expression_mut, walk_projection, walk_projection_mut},
};

use super::{Context, RewriteError};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    let unites = query.unions.iter().any(|union| !union.all);
    for part in query.parts_mut() {
        result(part, unites, context);
    }
    Sorting.visit_query(query);
    let mut hidden = Hidden::default();
    hidden.visit_query(query);
    if let (true, Some(name)) = (hidden.all, hidden.name) {
        let construct = "* beside a variable whose name begins with __";
        context.refuse(RewriteError::unsupported(construct, "give the variable another name", name.span));
    }
}

/// Names the columns that the last clause gives.
fn result(part: &mut SingleQuery, unites: bool, context: &mut Context<'_>) {
    let Some(Clause { kind, .. }) = part.clauses.last_mut() else { return };
    let ClauseKind::Return(projection) = kind else { return };
    let names = projection.items.iter_mut().map(|item| match (&item.alias, &item.expression.kind) {
        (Some(alias), _) => alias.text.to_string(),
        (None, ExpressionKind::Variable(variable)) => variable.text.to_string(),
        _ => {
            let text = context.text.get(item.expression.span.range()).unwrap_or_default();
            item.alias = Some(Name::new(text.replace(char::is_control, " ")));
            match &item.expression.kind {
                // Neo4j calls `n {.name}` like its variable.
                ExpressionKind::MapProjection { base, .. } => base.text.to_string(),
                _ => text.to_owned(),
            }
        }
    });
    let names: Vec<_> = names.collect();
    let grouped: Vec<_> = projection.items.iter().map(|item| !aggregates(&item.expression)).collect();
    let all = 0..names.len();
    context.rewritten.columns = (!projection.all).then_some(names);
    context.rewritten.keys = match () {
        () if projection.all => Vec::new(),
        () if projection.distinct || unites => all.collect(),
        () if grouped.contains(&false) => all.filter(|&place| grouped.get(place) == Some(&true)).collect(),
        () => Vec::new(),
    };
    if projection.all && projection.items.is_empty() && projection.page != Page::default() {
        // The engine cannot sort a `RETURN *`.
        let sorted = std::mem::take(projection);
        let all = Projection { all: true, ..Projection::default() };
        *kind = ClauseKind::With(sorted);
        part.clauses.push(Clause { kind: ClauseKind::Return(all), span: part.span });
    }
}

/// Replaces expressions in `ORDER BY` by their aliases. After grouping, only results can be sorted
/// by.
struct Sorting;

impl VisitMut for Sorting {
    fn visit_projection(&mut self, projection: &mut Projection) {
        walk_projection_mut(self, projection);
        if !projection.distinct && !projection.items.iter().any(|item| aggregates(&item.expression)) {
            return;
        }
        let named = projection
            .items
            .iter()
            .filter_map(|item| Some((print_expression(&item.expression), item.alias.clone()?)));
        let mut aliases = Aliases(named.collect());
        for key in &mut projection.page.order {
            aliases.visit_expression(&mut key.expression);
        }
        if let Some(condition) = &mut projection.condition {
            aliases.visit_expression(condition);
        }
    }
}

struct Aliases(Vec<(String, Name)>);

impl VisitMut for Aliases {
    fn visit_expression(&mut self, expression: &mut Expression) {
        let text = print_expression(expression);
        match self.0.iter().find(|(named, _)| *named == text) {
            Some((_, alias)) => expression.kind = ExpressionKind::Variable(alias.clone()),
            None => walk_expression_mut(self, expression),
        }
    }
}

/// Looks for variables that the engine leaves out of `*`: their names begin with two underscores.
#[derive(Default)]
struct Hidden {
    name: Option<Name>,
    all: bool,
}

impl Visit for Hidden {
    fn visit_projection(&mut self, projection: &Projection) {
        self.all |= projection.all;
        walk_projection(self, projection);
    }

    fn visit_expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Property { base, .. } => self.visit_expression(base),
            ExpressionKind::Map(entries) => {
                for (_, value) in entries {
                    self.visit_expression(value);
                }
            }
            ExpressionKind::Parameter(_) | ExpressionKind::MapProjection { .. } => {}
            _ => walk_expression(self, expression),
        }
    }

    fn visit_labels(&mut self, _: &LabelExpression) {}

    fn visit_name(&mut self, name: &Name) {
        if name.text.starts_with("__") {
            self.name.get_or_insert_with(|| name.clone());
        }
    }
}
