//! Rewrites quantified path patterns of one relationship as relationships of variable length.
//!
//! The patterns are `((x)-[r:T]->(y) WHERE …){1,3}` and `-[r:T WHERE …]->{1,3}`. What must hold for
//! each repetition becomes a condition on the list of relationships.

use graphwright_core::Span;
use graphwright_cypher::syntax::{
    tree::{
        Clause, ClauseKind, Direction, Expression, ExpressionKind, Hops, Name, NodePattern, Pattern,
        PatternElement, PatternGroup, Projection, ProjectionItem, Quantifier, Query, RelationshipPattern,
        SingleQuery, SubqueryBody,
    },
    visit::{VisitMut, walk_expression_mut, walk_single_query_mut},
};

use super::{
    Context, RewriteError,
    labels::{Element, condition},
    make::property,
    template::{Part, cypher},
    variables::{Renames, take_about},
};

/// A bound for hops that no path of a graph in memory exceeds.
pub(super) const ALL: u64 = 1_000_000_000;

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Quantified(context).visit_query(query);
}

struct Quantified<'c, 't>(&'c mut Context<'t>);

/// What quantified patterns say beside the relationships that replace them.
#[derive(Default)]
struct Said {
    conditions: Vec<Expression>,
    /// Variables that hold a list afterwards.
    lists: Vec<(Expression, Name)>,
}

impl VisitMut for Quantified<'_, '_> {
    fn visit_single_query(&mut self, query: &mut SingleQuery) {
        for mut clause in std::mem::take(&mut query.clauses) {
            let mut after = None;
            if let ClauseKind::Match(found) = &mut clause.kind {
                let said = self.patterns(&mut found.patterns);
                let listed: Vec<_> = said.lists.iter().map(|(_, name)| name.clone()).collect();
                let about = take_about(&mut found.condition, &listed);
                if found.optional
                    && let Some(part) = about.first()
                {
                    self.refuse(
                        "a condition on the nodes of a quantified path pattern in OPTIONAL MATCH",
                        part.span,
                    );
                }
                let parts = said.conditions.into_iter().chain(found.condition.take());
                found.condition = Expression::all_of(parts.collect());
                if !said.lists.is_empty() {
                    after = Some(listed_after(said.lists, about));
                }
            }
            query.clauses.push(clause);
            query.clauses.extend(after);
        }
        walk_single_query_mut(self, query);
    }

    fn visit_expression(&mut self, expression: &mut Expression) {
        if let ExpressionKind::Subquery(subquery) = &mut expression.kind
            && let SubqueryBody::Patterns { patterns, condition } = &mut subquery.body
        {
            let said = self.patterns(patterns);
            let listed: Vec<_> = said.lists.iter().map(|(_, name)| name.clone()).collect();
            if let Some(part) = take_about(condition, &listed).first() {
                self.refuse(
                    "a condition on the nodes of a quantified path pattern in a subquery of patterns",
                    part.span,
                );
            }
            let parts = said.conditions.into_iter().chain(condition.take());
            *condition = Expression::all_of(parts.collect());
        }
        walk_expression_mut(self, expression);
    }
}

/// Builds `WITH *` with the lists, and the conditions on them.
fn listed_after(lists: Vec<(Expression, Name)>, about: Vec<Expression>) -> Clause {
    let items = lists.into_iter().map(|(expression, name)| ProjectionItem {
        expression,
        alias: Some(name),
        span: Span::default(),
    });
    Clause::new(ClauseKind::With(Projection {
        all: true,
        items: items.collect(),
        condition: Expression::all_of(about),
        ..Projection::default()
    }))
}

impl Quantified<'_, '_> {
    fn refuse(&mut self, construct: &'static str, span: Span) {
        let hint = "write a variable-length relationship, as -[:TYPE*1..3]->";
        self.0.refuse(RewriteError::unsupported(construct, hint, span));
    }

    fn patterns(&mut self, patterns: &mut [Pattern]) -> Said {
        let mut said = Said::default();
        for pattern in patterns {
            let mut elements: Vec<PatternElement> = Vec::new();
            let all = unwrapped(std::mem::take(&mut pattern.elements), &mut said);
            for element in all {
                let element = match element {
                    PatternElement::Relationship(mut relationship) => {
                        self.relationship(&mut relationship, &mut said);
                        PatternElement::Relationship(relationship)
                    }
                    PatternElement::Group(group) => match self.group(group, &mut said) {
                        Some(relationship) => PatternElement::Relationship(relationship),
                        None => return said,
                    },
                    node @ PatternElement::Node(_) => node,
                };
                // Between two relationships stands a node.
                let is_node =
                    |element: Option<&PatternElement>| matches!(element, Some(PatternElement::Node(_)));
                if !is_node(elements.last()) && !is_node(Some(&element)) {
                    elements.push(PatternElement::Node(NodePattern::default()));
                }
                elements.push(element);
            }
            if !matches!(elements.last(), Some(PatternElement::Node(_))) {
                elements.push(PatternElement::Node(NodePattern::default()));
            }
            pattern.elements = elements;
        }
        said
    }

    /// Rewrites `-[r:T WHERE …]->{1,3}`.
    fn relationship(&mut self, relationship: &mut RelationshipPattern, said: &mut Said) {
        let Some(quantifier) = relationship.quantifier.take() else { return };
        relationship.hops = Some(bounds(&quantifier));
        let Some(condition) = relationship.condition.take() else { return };
        let each = self.0.fresh();
        let list = relationship.variable.get_or_insert_with(|| self.0.fresh()).clone();
        let condition = renamed(*condition, vec![(list.clone(), each.clone())]);
        said.conditions.push(cypher!(
            "all(each IN $list WHERE $condition)",
            each = &each,
            list = &list,
            condition = condition
        ));
    }

    /// Rewrites `((x)-[r:T]->(y) WHERE …){1,3}`.
    fn group(&mut self, group: PatternGroup, said: &mut Said) -> Option<RelationshipPattern> {
        let span = group.span;
        let Some((ends, mut relationship, quantifier)) = parts(*group.pattern, group.quantifier) else {
            self.refuse("a quantified path pattern of more than one relationship", span);
            return None;
        };
        relationship.hops = Some(bounds(&quantifier));
        let (each, list) = (self.0.fresh(), relationship.variable.clone().unwrap_or_else(|| self.0.fresh()));
        let mut renames = vec![(list.clone(), each.clone())];
        let mut conditions = equal(relationship.properties.take(), &each);
        conditions.extend(relationship.condition.take().map(|condition| *condition));
        let mut items = Vec::new();
        let [start, end] = [cypher!("startNode($of)", of = &each), cypher!("endNode($of)", of = &each)];
        let values = match relationship.direction {
            Direction::Right => vec![start, end],
            Direction::Left => vec![end, start],
            Direction::Either => Vec::new(),
        };
        for (place, node) in ends.into_iter().enumerate() {
            let has_conditions =
                node.labels.is_some() || node.properties.is_some() || node.condition.is_some();
            if node.variable.is_none() && !has_conditions {
                continue;
            }
            let Some(end) = values.get(place).cloned() else {
                self.refuse("a node in a quantified path pattern without a direction", span);
                return None;
            };
            let item = self.0.fresh();
            conditions.extend(node.labels.map(|labels| condition(&labels, &(&item).part(), Element::Node)));
            conditions.extend(equal(node.properties, &item));
            conditions.extend(node.condition.map(|condition| *condition));
            if let Some(variable) = node.variable {
                let listed = cypher!("[each IN $list | $end]", each = &each, list = &list, end = &end);
                renames.push((variable.clone(), item.clone()));
                said.lists.push((listed, variable));
            }
            items.push((item, end));
        }
        conditions.extend(group.condition.map(|condition| *condition));
        if let Some(all) = Expression::all_of(conditions) {
            let all = items.into_iter().fold(renamed(all, renames), |all, (item, end)| {
                cypher!("all(item IN [$end] WHERE $all)", item = &item, end = end, all = all)
            });
            let condition = cypher!("all(each IN $list WHERE $all)", each = &each, list = &list, all = all);
            said.conditions.push(condition);
            relationship.variable = Some(list);
        } else if !said.lists.is_empty() {
            relationship.variable = Some(list);
        }
        Some(relationship)
    }
}

/// Removes brackets that repeat nothing.
fn unwrapped(elements: Vec<PatternElement>, said: &mut Said) -> Vec<PatternElement> {
    let mut all = Vec::with_capacity(elements.len());
    for element in elements {
        match element {
            PatternElement::Group(group)
                if group.quantifier.is_none() && group.pattern.variable.is_none() =>
            {
                all.extend(unwrapped(group.pattern.elements, said));
                said.conditions.extend(group.condition.map(|condition| *condition));
            }
            element => all.push(element),
        }
    }
    all
}

/// Returns the parts of a group of one relationship.
fn parts(
    pattern: Pattern,
    quantifier: Option<Quantifier>,
) -> Option<([NodePattern; 2], RelationshipPattern, Quantifier)> {
    if pattern.variable.is_some() || pattern.selector.is_some() || pattern.shortest.is_some() {
        return None;
    }
    let [first, relationship, last] = <[PatternElement; 3]>::try_from(pattern.elements).ok()?;
    match (first, relationship, last) {
        (
            PatternElement::Node(first),
            PatternElement::Relationship(relationship),
            PatternElement::Node(last),
        ) if relationship.hops.is_none() && relationship.quantifier.is_none() => {
            Some(([first, last], relationship, quantifier?))
        }
        _ => None,
    }
}

fn equal(properties: Option<Box<Expression>>, subject: &Name) -> Vec<Expression> {
    match properties.map(|properties| properties.kind) {
        Some(ExpressionKind::Map(entries)) => entries
            .into_iter()
            .map(|(key, value)| {
                cypher!("$property = $value", property = property(subject, &key), value = value)
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn renamed(mut expression: Expression, renames: Vec<(Name, Name)>) -> Expression {
    Renames(renames).visit_expression(&mut expression);
    expression
}

fn bounds(quantifier: &Quantifier) -> Hops {
    let most = Some(quantifier.most.unwrap_or(ALL));
    Hops { least: Some(quantifier.least), most, span: quantifier.span }
}
