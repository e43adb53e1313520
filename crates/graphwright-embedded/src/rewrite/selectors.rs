//! Rewrites `SHORTEST 1`, `ANY`, `ALL SHORTEST` and the like, and some forms of `shortestPath(…)`.
//!
//! These forms have conditions on the path, or a variable for its relationships. The engine chooses
//! a path before it looks at the condition, and leaves the variable null.
//!
//! First the ends are found. For each pair of ends, a subquery finds the paths, the shortest first,
//! and takes those that are wanted. If nothing is asked of the path, the engine's own breadth-first
//! search finds it between two nodes.

use graphwright_core::Span;
use graphwright_cypher::syntax::{
    tree::{
        CallSubquery, Clause, ClauseKind, Expression, ExpressionKind, Imports, Literal, Match, Name,
        NodePattern, Page, Pattern, PatternElement, Projection, ProjectionItem, Query, RelationshipPattern,
        Selector, ShortestFunction, SingleQuery, SortItem, Unwind,
    },
    visit::{VisitMut, walk_single_query_mut},
};

use super::{
    Context, RewriteError,
    make::conjuncts,
    template::{Part, cypher},
    variables::{mentions, of_elements, take_about},
};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Selectors(context).visit_query(query);
}

struct Selectors<'c, 't>(&'c mut Context<'t>);

/// Which of the paths between two nodes are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// So many of the shortest.
    First(u64),
    /// All of the least length.
    Least,
}

/// The parts of a path between the ends that are known.
struct Between {
    ends: [Name; 2],
    elements: Vec<PatternElement>,
    /// What must hold of a path before it is chosen.
    condition: Option<Expression>,
    /// The variables between the ends.
    inner: Vec<Name>,
}

impl VisitMut for Selectors<'_, '_> {
    fn visit_single_query(&mut self, query: &mut SingleQuery) {
        for mut clause in std::mem::take(&mut query.clauses) {
            let chosen = match &mut clause.kind {
                ClauseKind::Match(found) => self.find(found, clause.span),
                _ => None,
            };
            match chosen {
                Some(clauses) => query.clauses.extend(clauses),
                None => query.clauses.push(clause),
            }
        }
        walk_single_query_mut(self, query);
    }

    fn visit_pattern(&mut self, pattern: &mut Pattern) {
        match pattern.selector.take() {
            None | Some(Selector::All) => {}
            Some(_) => self.refuse("a selector of paths in a subquery of patterns", pattern.span),
        }
    }
}

impl Selectors<'_, '_> {
    fn refuse(&mut self, construct: &'static str, span: Span) {
        let hint = "use shortestPath() or allShortestPaths()";
        self.0.refuse(RewriteError::unsupported(construct, hint, span));
    }

    fn find(&mut self, found: &mut Match, span: Span) -> Option<Vec<Clause>> {
        let condition = found.condition.as_ref();
        let place = found.patterns.iter().position(|path| chooses(path, condition))?;
        let mut path = found.patterns.remove(place);
        let is_selector = path.selector.is_some();
        let wanted = match (path.selector.take(), path.shortest.take()) {
            (Some(selector), _) => wanted(&selector),
            (None, Some(ShortestFunction::All)) => Some(Wanted::Least),
            (None, _) => Some(Wanted::First(1)),
        };
        let Some(wanted) = wanted else {
            self.refuse("a selector of several groups of paths", span);
            return None;
        };
        let name = path.variable.take().unwrap_or_else(|| self.0.fresh());
        let mut between = self.between(path, &mut found.patterns);
        let mut about = between.inner.clone();
        about.push(name.clone());
        let mut after = take_about(&mut found.condition, &about);
        if !is_selector {
            let asked = std::mem::take(&mut after);
            between.condition = Expression::all_of(between.condition.into_iter().chain(asked).collect());
        }
        let found = std::mem::replace(found, Match::new(Vec::new()));
        let mut clauses = vec![Clause { kind: ClauseKind::Match(found), span }];
        clauses.extend(self.chosen(&name, wanted, &between, after));
        Some(clauses)
    }

    /// Takes the ends of a path into patterns of their own.
    fn between(&mut self, path: Pattern, patterns: &mut Vec<Pattern>) -> Between {
        let (mut elements, mut condition) = (path.elements, None);
        if let [PatternElement::Group(group)] = elements.as_mut_slice()
            && group.quantifier.is_none()
        {
            condition = group.condition.take().map(|condition| *condition);
            elements = std::mem::take(&mut group.pattern.elements);
        }
        if !matches!(elements.first(), Some(PatternElement::Node(_))) {
            elements.insert(0, PatternElement::Node(NodePattern::default()));
        }
        if !matches!(elements.last(), Some(PatternElement::Node(_))) {
            elements.push(PatternElement::Node(NodePattern::default()));
        }
        let last = elements.len() - 1;
        let ends = [0, last].map(|place| {
            let Some(PatternElement::Node(node)) = elements.get_mut(place) else { return self.0.fresh() };
            let name = node.variable.get_or_insert_with(|| self.0.fresh()).clone();
            let known =
                NodePattern { variable: Some(name.clone()), span: node.span, ..NodePattern::default() };
            patterns.push(Pattern::new(vec![PatternElement::Node(std::mem::replace(node, known))]));
            name
        });
        let inner = elements.get(1..last).map(of_elements).unwrap_or_default();
        Between { ends, elements, condition, inner }
    }

    /// Finds the paths for each pair of ends, and takes those that are wanted.
    fn chosen(
        &mut self,
        name: &Name,
        wanted: Wanted,
        between: &Between,
        after: Vec<Expression>,
    ) -> Vec<Clause> {
        let (all, row) = (self.0.fresh(), self.0.fresh());
        let mut clauses = Vec::new();
        let quick = quick(between, wanted).filter(|_| between.condition.is_none());
        let by_breadth = quick.map(|path| {
            let rows = self.0.fresh();
            clauses.push(searched(Pattern { variable: Some(name.clone()), ..path }, name, between, &rows));
            rows
        });
        clauses.push(self.listed(name, between, by_breadth.is_some(), &all));
        let taken = match wanted {
            Wanted::First(number) => {
                let number = Expression::new(ExpressionKind::Literal(Literal::Integer(number)));
                cypher!("$all[0..$number]", all = &all, number = number)
            }
            Wanted::Least => {
                cypher!("[row IN $all WHERE length(row[0]) = length($all[0][0])]", row = &row, all = &all)
            }
        };
        let list = match &by_breadth {
            Some(rows) => cypher!("$rows + $taken", rows = rows, taken = taken),
            None => taken,
        };
        clauses.push(Clause::new(ClauseKind::Unwind(Unwind { list, variable: row.clone() })));
        let columns = std::iter::once(name).chain(&between.inner).enumerate().map(|(place, column)| {
            let place = Expression::new(ExpressionKind::Literal(Literal::Integer(place as u64)));
            ProjectionItem {
                expression: cypher!("$row[$place]", row = &row, place = place),
                alias: Some(column.clone()),
                span: Span::default(),
            }
        });
        clauses.push(Clause::new(ClauseKind::With(Projection {
            all: true,
            items: columns.collect(),
            condition: Expression::all_of(after),
            ..Projection::default()
        })));
        clauses
    }

    /// Lists all paths in the order of their lengths. With `only_circles`, lists only paths that
    /// end where they begin, because the breadth-first search finds the others.
    fn listed(&mut self, name: &Name, between: &Between, only_circles: bool, all: &Name) -> Clause {
        let mut clauses = Vec::new();
        let [from, to] = &between.ends;
        if only_circles {
            let list = cypher!("CASE WHEN $from = $to THEN [1] ELSE [] END", from = from, to = to);
            clauses.push(ClauseKind::Unwind(Unwind { list, variable: self.0.fresh() }));
        }
        let path = Pattern { variable: Some(name.clone()), ..Pattern::new(between.elements.clone()) };
        let mut found = Match::new(vec![path]);
        found.condition.clone_from(&between.condition);
        clauses.push(ClauseKind::Match(found));
        let variables = || std::iter::once(name).chain(&between.inner);
        let items = variables().map(|variable| ProjectionItem {
            expression: variable.part(),
            alias: None,
            span: Span::default(),
        });
        let by_length = SortItem {
            expression: cypher!("length($path)", path = name),
            descending: false,
            span: Span::default(),
        };
        clauses.push(ClauseKind::With(Projection {
            items: items.collect(),
            page: Page { order: vec![by_length], ..Page::default() },
            ..Projection::default()
        }));
        let whole = Expression::new(ExpressionKind::List(variables().map(Part::part).collect()));
        let collected = cypher!("collect($whole)", whole = whole);
        clauses.push(ClauseKind::Return(Projection::new(collected, all.clone())));
        called(clauses)
    }
}

/// Builds the engine's own search. It finds nothing if the ends are one node.
fn searched(path: Pattern, name: &Name, between: &Between, rows: &Name) -> Clause {
    let whole: Vec<_> = std::iter::once(name.part())
        .chain(between.inner.iter().map(|_| cypher!("relationships($path)", path = name)))
        .collect();
    let whole = Expression::new(ExpressionKind::List(whole));
    let [from, to] = &between.ends;
    let mut found = Match::new(vec![path]);
    found.condition = Some(cypher!("$from <> $to", from = from, to = to));
    called(vec![
        ClauseKind::Match(found),
        ClauseKind::Return(Projection::new(cypher!("collect($whole)", whole = whole), rows.clone())),
    ])
}

/// Tells whether paths are chosen in a way that the engine does not know.
pub(super) fn chooses(path: &Pattern, condition: Option<&Expression>) -> bool {
    match &path.selector {
        Some(selector) => *selector != Selector::All,
        None => path.shortest.is_some() && asks_of_path(path, condition),
    }
}

/// Tells whether a condition reads the path of `shortestPath(…)`, or its relationships have a
/// variable.
fn asks_of_path(path: &Pattern, condition: Option<&Expression>) -> bool {
    let last = path.elements.len().saturating_sub(1);
    let inner = path.elements.get(1..last).map(of_elements).unwrap_or_default();
    let about: Vec<_> = path.variable.iter().cloned().collect();
    let asks = condition.cloned().map(conjuncts).unwrap_or_default();
    !inner.is_empty() || asks.iter().any(|part| mentions(part, &about))
}

fn wanted(selector: &Selector) -> Option<Wanted> {
    let number = |count: &Expression| match count.kind {
        ExpressionKind::Literal(Literal::Integer(number)) => Some(number),
        _ => None,
    };
    match selector {
        Selector::Any(None) | Selector::AnyShortest => Some(Wanted::First(1)),
        Selector::Any(Some(count)) | Selector::Shortest(count) => number(count).map(Wanted::First),
        Selector::AllShortest | Selector::ShortestGroups(None) => Some(Wanted::Least),
        Selector::ShortestGroups(Some(count)) => {
            number(count).filter(|number| *number == 1).map(|_| Wanted::Least)
        }
        Selector::All => None,
    }
}

/// Returns the path for the engine's breadth-first search: one relationship of variable length,
/// with no condition but its type.
fn quick(between: &Between, wanted: Wanted) -> Option<Pattern> {
    let shortest = match wanted {
        Wanted::First(1) => ShortestFunction::Single,
        Wanted::Least => ShortestFunction::All,
        Wanted::First(_) => return None,
    };
    let [first, PatternElement::Relationship(relationship), last] = between.elements.as_slice() else {
        return None;
    };
    let RelationshipPattern { properties: None, condition: None, hops, quantifier, .. } = relationship else {
        return None;
    };
    let least = match (hops, quantifier) {
        (_, Some(quantifier)) => quantifier.least,
        (Some(hops), None) => hops.least.unwrap_or(1),
        (None, None) => 2,
    };
    let [from, to] = &between.ends;
    if least > 1 || from.text == to.text {
        return None;
    }
    let searched = RelationshipPattern { variable: None, ..relationship.clone() };
    let elements = vec![first.clone(), PatternElement::Relationship(searched), last.clone()];
    Some(Pattern { shortest: Some(shortest), ..Pattern::new(elements) })
}

/// Builds `CALL (*) { … }`.
fn called(clauses: Vec<ClauseKind>) -> Clause {
    let clauses = clauses.into_iter().map(Clause::new).collect();
    let query = Query { first: SingleQuery { clauses, span: Span::default() }, ..Query::default() };
    Clause::new(ClauseKind::Subquery(CallSubquery {
        optional: false,
        imports: Some(Imports::All),
        query,
        transactions: None,
    }))
}
