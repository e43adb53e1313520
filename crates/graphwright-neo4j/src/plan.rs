//! `EXPLAIN` and `PROFILE`: the keyword before a statement, and the plan that comes back.

use std::{borrow::Cow, collections::HashMap};

use graphwright_core::{Plan, QueryType, StoreError, store::QueryMode};
use neo4j::{
    ValueReceive,
    summary::{self, SummaryQueryType},
};

/// Returns a statement with its keyword, both in one line.
pub(crate) fn text_for(mode: QueryMode, text: &str) -> Cow<'_, str> {
    match mode.prefix() {
        "" => Cow::Borrowed(text),
        prefix => Cow::Owned(format!("{prefix}{text}")),
    }
}

/// Corrects the place of an error in the statement for the keyword before it.
pub(crate) fn relocate(mode: QueryMode, mut error: StoreError) -> StoreError {
    let added = mode.prefix().len();
    if let StoreError::Syntax { position: Some(position), .. } = &mut error {
        position.offset = position.offset.saturating_sub(added);
        if position.line == 1 {
            position.column = position.column.saturating_sub(added).max(1);
        }
    }
    error
}

/// Translates the kind of a statement that the server reports.
pub(crate) fn query_type(said: Option<&SummaryQueryType>) -> Option<QueryType> {
    match said? {
        SummaryQueryType::Read => Some(QueryType::Read),
        SummaryQueryType::ReadWrite => Some(QueryType::ReadWrite),
        SummaryQueryType::Write => Some(QueryType::Write),
        SummaryQueryType::Schema => Some(QueryType::Schema),
        _ => None,
    }
}

/// Reads the plan in a summary, with what its operators did if the statement ran.
pub(crate) fn from_summary(summary: &summary::Summary) -> Option<Plan> {
    summary.profile.as_ref().map(profiled).or_else(|| summary.plan.as_ref().map(explained))
}

fn explained(plan: &summary::Plan) -> Plan {
    operator(&plan.op_type, &plan.args, plan.children.iter().map(explained))
}

fn profiled(profile: &summary::Profile) -> Plan {
    Plan {
        rows: known(profile.rows),
        db_hits: known(profile.db_hits),
        // The server tells no time of an operator that has none, and counts nanoseconds.
        time_ms: known(profile.time).filter(|time| *time > 0).map(|time| time as f64 / 1e6),
        ..operator(&profile.op_type, &profile.args, profile.children.iter().map(profiled))
    }
}

/// Returns a count. The server writes -1 for what it does not know.
fn known(count: i64) -> Option<u64> {
    u64::try_from(count).ok()
}

fn operator(name: &str, said: &HashMap<String, ValueReceive>, children: impl Iterator<Item = Plan>) -> Plan {
    let details = match said.get("Details") {
        Some(ValueReceive::String(text)) if !text.is_empty() => Some(text.clone()),
        _ => None,
    };
    let estimated_rows = match said.get("EstimatedRows") {
        Some(ValueReceive::Float(rows)) => Some(*rows),
        Some(ValueReceive::Integer(rows)) => Some(*rows as f64),
        _ => None,
    };
    // `NodeByLabelScan@neo4j` names the database.
    let operator = name.split('@').next().unwrap_or(name).to_owned();
    Plan { operator, details, estimated_rows, children: children.collect(), ..Plan::default() }
}

#[cfg(test)]
mod tests {
    use graphwright_core::Position;

    use super::*;

    #[test]
    fn places_of_errors_are_those_of_the_statement() {
        let place = |line, column, offset| StoreError::Syntax {
            message: String::new(),
            position: Some(Position { line, column, offset }),
        };
        let moved = |error| match relocate(QueryMode::Explain, error) {
            StoreError::Syntax { position: Some(place), .. } => (place.line, place.column, place.offset),
            _ => (0, 0, 0),
        };
        assert_eq!(moved(place(1, 12, 11)), (1, 4, 3));
        assert_eq!(moved(place(2, 3, 21)), (2, 3, 13));
        assert_eq!(text_for(QueryMode::Explain, "RETURN 1"), "EXPLAIN RETURN 1");
    }
}
