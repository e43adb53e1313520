//! Null in an order: it is the greatest value, so that "the newest" would be what has no date.

use graphwright_cypher::syntax::{
    parse_query, print_query,
    tree::{
        Clause, ClauseKind, Expression, ExpressionKind, Match, Name, PatternElement, Projection, SortItem,
        Test,
    },
};

use super::property;

/// Lets a query that takes the first rows of a descending order drop the rows without the value. Returns `None` where that does not
/// apply, or where the tree does not show that nothing else is lost.
pub(crate) fn without_nulls(text: &str) -> Option<(String, String)> {
    let mut query = parse_query(text)?;
    if !query.unions.is_empty() {
        return None;
    }
    let clauses = &mut query.first.clauses;
    let (last, before) = clauses.split_last_mut()?;
    let ClauseKind::Return(returned) = &last.kind else { return None };
    // Without a limit, rows without the value are rows that were asked for.
    returned.page.limit.as_ref()?;
    let mut changes = Vec::new();
    for item in returned.page.order.iter().filter(|item| item.descending) {
        let Some((variable, key)) = sorted_by(returned, item) else { continue };
        let sorted = Expression::new(ExpressionKind::Property {
            base: Box::new(Expression::new(ExpressionKind::Variable(variable.clone()))),
            key: key.clone(),
        });
        let Some(found) = matching(before, &variable) else { continue };
        if is_tested(found, &sorted) {
            continue;
        }
        changes.push(format!("rows without `{}` were left out of the order", key.text));
        let test = ExpressionKind::Test { operand: Box::new(sorted), negated: true, test: Test::Null };
        let parts = found.condition.take().into_iter().chain([Expression::new(test)]);
        found.condition = Expression::all_of(parts.collect());
    }
    (!changes.is_empty()).then(|| (print_query(query), changes.join("; ")))
}

/// Returns the property by which rows are sorted, also if a column is named after it.
fn sorted_by(returned: &Projection, item: &SortItem) -> Option<(Name, Name)> {
    let sorted = match &item.expression.kind {
        ExpressionKind::Variable(name) => column(returned, name)?,
        _ => &item.expression,
    };
    property(sorted).map(|(variable, key)| (variable.clone(), key.clone()))
}

/// Returns the column of that name.
fn column<'a>(returned: &'a Projection, name: &Name) -> Option<&'a Expression> {
    let alias = |alias: &Name| alias.text == name.text;
    returned.items.iter().find(|item| item.alias.as_ref().is_some_and(alias)).map(|item| &item.expression)
}

/// Returns the match that finds a variable, if only matches that keep no rows without a match come before.
fn matching<'a>(clauses: &'a mut [Clause], variable: &Name) -> Option<&'a mut Match> {
    let mut found = None;
    for clause in clauses {
        match &mut clause.kind {
            ClauseKind::Match(matched) if !matched.optional => {
                if found.is_none() && finds(matched, variable) {
                    found = Some(matched);
                }
            }
            ClauseKind::Match(_) => {}
            _ => return None,
        }
    }
    found
}

fn finds(matched: &Match, variable: &Name) -> bool {
    let is = |name: &Option<Name>| name.as_ref().is_some_and(|name| name.text == variable.text);
    matched.patterns.iter().flat_map(|pattern| &pattern.elements).any(|element| match element {
        PatternElement::Node(node) => is(&node.variable),
        PatternElement::Relationship(found) => is(&found.variable) && found.hops.is_none(),
        PatternElement::Group(_) => false,
    })
}

/// Tells whether the condition tests already that the value is there.
fn is_tested(matched: &Match, sorted: &Expression) -> bool {
    let same = |operand: &Expression| match (property(operand), property(sorted)) {
        (Some((one, key)), Some((other, wanted))) => one.text == other.text && key.text == wanted.text,
        _ => false,
    };
    let tests = |part: &Expression| match &part.kind {
        ExpressionKind::Test { operand, negated: true, test: Test::Null } => same(operand),
        // A comparison drops rows without the value as well.
        ExpressionKind::Comparison { first, rest } => {
            same(first) || rest.iter().any(|(_, right)| same(right))
        }
        _ => false,
    };
    matched.condition.as_ref().is_some_and(|condition| match &condition.kind {
        ExpressionKind::Logical { operator, operands } => {
            *operator == graphwright_cypher::syntax::tree::LogicalOperator::And && operands.iter().any(tests)
        }
        _ => tests(condition),
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "MATCH (m:Movie) RETURN m.title ORDER BY m.released DESC LIMIT 1",
        "MATCH (m:Movie) WHERE m.released IS NOT NULL\nRETURN m.title ORDER BY m.released DESC LIMIT 1"
    )]
    #[case(
        "MATCH (m:Movie) WHERE m.x = 1 RETURN m.released AS year ORDER BY year DESC LIMIT 1",
        "MATCH (m:Movie) WHERE m.x = 1 AND m.released IS NOT NULL\nRETURN m.released AS year ORDER BY year DESC LIMIT 1"
    )]
    fn rows_without_the_value_do_not_win(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(without_nulls(text).unwrap().0, expected);
    }

    #[rstest]
    #[case::ascending("MATCH (m:Movie) RETURN m.title ORDER BY m.released LIMIT 1")]
    #[case::all("MATCH (m:Movie) RETURN m.title ORDER BY m.released DESC")]
    #[case::tested(
        "MATCH (m:Movie) WHERE m.released IS NOT NULL RETURN m.title ORDER BY m.released DESC LIMIT 1"
    )]
    #[case::compared(
        "MATCH (m:Movie) WHERE m.released > 1990 RETURN m.title ORDER BY m.released DESC LIMIT 1"
    )]
    #[case::counted("MATCH (m:Movie)<--(p) RETURN m.title, count(p) AS n ORDER BY n DESC LIMIT 1")]
    #[case::optional("MATCH (p) OPTIONAL MATCH (p)-->(m) RETURN p.name ORDER BY m.released DESC LIMIT 1")]
    #[case::carried("MATCH (m) WITH m LIMIT 3 RETURN m.title ORDER BY m.released DESC LIMIT 1")]
    fn other_queries_stay_as_they_are(#[case] text: &str) {
        assert_eq!(without_nulls(text), None);
    }
}
