//! The meaning of a query in words, and what the database has decided by it.

use graphwright_cypher::syntax::{
    aggregates, parse_query, print_expression, print_query,
    tree::{Clause, ClauseKind, Match, Projection, Query, SingleQuery},
};

/// Describes a query, one clause a line. Returns none for what is not one query.
pub(crate) fn meaning(text: &str) -> Vec<String> {
    let Some(query) = parse_query(text) else { return Vec::new() };
    let mut lines = Vec::new();
    for (at, part) in query.parts().enumerate() {
        if at > 0 {
            lines.push("Beside these rows, those of another query:".to_owned());
        }
        lines.extend(part.clauses.iter().flat_map(clause));
    }
    lines
}

fn clause(clause: &Clause) -> Vec<String> {
    match &clause.kind {
        ClauseKind::Match(matched) => vec![finds(matched)],
        ClauseKind::With(projection) => projected("Goes on with", projection),
        ClauseKind::Return(projection) => projected("Returns", projection),
        ClauseKind::Unwind(unwind) => {
            vec![format!("Takes each of {} as {}.", print_expression(&unwind.list), unwind.variable.text)]
        }
        _ => Vec::new(),
    }
}

fn finds(matched: &Match) -> String {
    let bare = Match { condition: None, hints: Vec::new(), ..matched.clone() };
    let patterns = print_query(of_clause(ClauseKind::Match(bare)));
    let patterns = patterns.trim_start_matches("OPTIONAL ").trim_start_matches("MATCH ").to_owned();
    let condition = matched
        .condition
        .as_ref()
        .map(|condition| format!(" where {}", print_expression(condition)))
        .unwrap_or_default();
    let kept = if matched.optional { ", and keeps what has none" } else { "" };
    format!("Finds all {patterns}{condition}{kept}.")
}

/// What is returned, and how rows are grouped, sorted and cut.
fn projected(verb: &str, projection: &Projection) -> Vec<String> {
    let shown = |is_aggregate: bool| -> Vec<String> {
        let items = projection.items.iter().filter(|item| aggregates(&item.expression) == is_aggregate);
        items.map(|item| print_expression(&item.expression)).collect()
    };
    let (keys, computed) = (shown(false), shown(true));
    let mut lines = Vec::new();
    if projection.all || computed.is_empty() {
        let what = if projection.all { "everything".to_owned() } else { keys.join(", ") };
        let once = if projection.distinct { ", each once" } else { "" };
        lines.push(format!("{verb} {what}{once}."));
    } else if keys.is_empty() {
        lines.push(format!("{verb} {} over all that was found.", computed.join(", ")));
    } else {
        lines.push(format!("{verb} {} for each {}.", computed.join(", "), keys.join(", ")));
    }
    if let Some(condition) = &projection.condition {
        lines.push(format!("Keeps rows where {}.", print_expression(condition)));
    }
    lines.extend(decided(projection));
    lines
}

/// What the order and the cut decide: the rows that are left are the ones with the greatest or least values.
fn decided(projection: &Projection) -> Option<String> {
    let page = &projection.page;
    let order: Vec<String> = page
        .order
        .iter()
        .map(|item| {
            let way = if item.descending { "greatest first" } else { "least first" };
            format!("{} ({way})", print_expression(&item.expression))
        })
        .collect();
    let limit = page.limit.as_ref().map(print_expression);
    match (order.is_empty(), limit) {
        (false, Some(limit)) => Some(format!(
            "Sorted by {} and cut to the first {limit}: these rows are the winners, the database has decided that.",
            order.join(", then ")
        )),
        (false, None) => Some(format!("Sorted by {}.", order.join(", then "))),
        (true, Some(limit)) => Some(format!("Cut to {limit} rows in no order: others may be as good.")),
        (true, None) => None,
    }
}

fn of_clause(kind: ClauseKind) -> Query {
    Query {
        first: SingleQuery { clauses: vec![Clause::new(kind)], ..SingleQuery::default() },
        ..Query::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_put_into_words() {
        let text = "MATCH (p:Person)-[:DIRECTED]->(m:Movie) WHERE m.released > 1990 \
            WITH p, count(m) AS n WHERE n > 1 OPTIONAL MATCH (p)-->(o) \
            RETURN DISTINCT p.name, n ORDER BY n DESC LIMIT 1";
        assert_eq!(
            meaning(text),
            [
                "Finds all (p:Person)-[:DIRECTED]->(m:Movie) where m.released > 1990.",
                "Goes on with count(m) for each p.",
                "Keeps rows where n > 1.",
                "Finds all (p)-->(o), and keeps what has none.",
                "Returns p.name, n, each once.",
                "Sorted by n (greatest first) and cut to the first 1: these rows are the winners, the database has decided that.",
            ]
        );
        assert_eq!(
            meaning("MATCH (m) RETURN count(*)"),
            ["Finds all (m).", "Returns count(*) over all that was found."]
        );
        assert!(meaning("MATCH (m").is_empty());
    }
}
