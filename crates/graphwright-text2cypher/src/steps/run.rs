//! Run: read-only, within limits. What finds nothing is tried with the values that are stored, and once more loosely.

use futures::StreamExt;
use graphwright_answer::Event;
use graphwright_core::{Properties, Table, Value, store::QueryOptions};
use graphwright_cypher::{diagnose_with, syntax::Code};
use graphwright_retrieve::query::{QueryError, check_read, found_nothing, position_at, read, truncation};

use super::Fault;
use crate::{
    error::{Result, Text2CypherError},
    event::{Found, Query, Ran, Total, Written},
    query::relax::relaxed,
    session::Session,
};

/// The largest size of all rows, in bytes.
const MOST_BYTES: usize = 1_000_000;
/// The most rows that are counted beyond those that are shown.
const MOST_COUNTED: usize = 10_000;

/// Runs a query.
///
/// # Errors
/// Fails if the work is cancelled. What the store says against the query is a fault of the query.
pub(crate) async fn run(session: &Session, query: Query) -> Result<Result<Ran, (Written, Fault)>> {
    session.tell(Event::Query { text: query.text.clone(), changes: query.changes.clone() });
    let parameters = query.draft.parameters();
    let found = match rows(session, &query.text, &parameters).await {
        Ok(found) => found,
        Err(fault) => {
            let Query { draft, reply, .. } = query;
            return fault.map(|fault| Err((Written { draft, reply }, fault)));
        }
    };
    let found = if found_nothing(&found.rows) { looser(session, found, &parameters).await } else { found };
    session.tell(Event::Rows { count: found.rows.len(), truncated: found.truncated.clone() });
    Ok(Ok(Ran { query, found: Box::new(found) }))
}

/// Runs a text. The inner error is a fault of the text; the outer one ends the flow.
pub(crate) async fn rows(
    session: &Session,
    text: &str,
    parameters: &Properties,
) -> Result<Found, Result<Fault>> {
    let limit = session.options.limits.rows;
    let (table, truncated) = table(session, text, parameters, limit).await?;
    let is_cut = table.summary.truncated.is_some();
    let total = if is_cut { count(session, text, parameters).await } else { None };
    let Table { columns, rows, .. } = table;
    Ok(Found { text: text.to_owned(), columns, rows, truncated, total, changes: Vec::new() })
}

/// Runs a text and reads its rows. Returns why rows may be missing, too.
async fn table(
    session: &Session,
    text: &str,
    parameters: &Properties,
    limit: usize,
) -> Result<(Table, Option<String>), Result<Fault>> {
    let fault = |error: QueryError| match error {
        QueryError::Store(graphwright_core::StoreError::Cancelled) => Err(Text2CypherError::Cancelled),
        QueryError::Store(error) => Ok(Fault::Failed { error: error.to_string() }),
        QueryError::Refused { refusal, .. } => Ok(Fault::Refused(Box::new(refusal))),
    };
    let checked = check_read(&*session.store, text, parameters, limit)
        .await
        .map_err(|error| fault(error.into()))?
        .map_err(|refusal| {
            let position = position_at(text, refusal.start);
            fault(QueryError::Refused { refusal, position })
        })?;
    let statement = checked.statement.clone().with_all(parameters.clone());
    let table = read(&*session.store, text, &checked, statement, options(session, limit), MOST_BYTES)
        .await
        .map_err(fault)?;
    let truncated = truncation(&table.summary, &checked.bounds);
    Ok((table, truncated))
}

pub(super) fn options(session: &Session, limit: usize) -> QueryOptions {
    QueryOptions {
        time_limit: Some(session.options.limits.query_time),
        row_limit: Some(limit),
        cancel: session.options.cancel.clone(),
        ..QueryOptions::default()
    }
}

/// Counts the rows that there are in all, up to a bound. Returns `None` if they cannot be counted: the rows that were read stand.
async fn count(session: &Session, text: &str, parameters: &Properties) -> Option<Total> {
    let checked = check_read(&*session.store, text, parameters, MOST_COUNTED).await.ok()?.ok()?;
    let statement = checked.statement.clone().with_all(parameters.clone());
    let mut rows = session.store.read(statement, options(session, MOST_COUNTED)).await.ok()?;
    let mut count = 0;
    while let Some(row) = rows.next().await {
        row.ok()?;
        count += 1;
    }
    Some(Total { count, is_at_least: rows.summary().is_some_and(|summary| summary.truncated.is_some()) })
}

/// Tries a query that found nothing with the stored values that are near to those in it, then with texts compared by part and in any
/// case.
async fn looser(session: &Session, found: Found, parameters: &Properties) -> Found {
    let mut text = found.text.clone();
    let mut changes = Vec::new();
    if let Some((mapped, mapping)) = with_stored_values(session, &text).await {
        session.tell_step("nothing was found: trying the stored values that are near");
        text = mapped;
        changes.extend(mapping);
        if let Some(better) = better(session, &text, parameters, &changes).await {
            return better;
        }
    }
    // A zero was counted: it is the answer to the question whether there are any.
    if !found.rows.is_empty() {
        return found;
    }
    let Some((loose, texts)) = relaxed(&text) else { return found };
    session.tell_step("nothing was found: trying texts by part and in any case");
    let texts: Vec<String> = texts.iter().map(|text| format!("{text:?}")).collect();
    changes.push(format!("compared {} by part and in any case, since nothing was equal", texts.join(", ")));
    better(session, &loose, parameters, &changes).await.unwrap_or(found)
}

/// Runs a changed query. Returns what it found, if it found anything.
async fn better(session: &Session, text: &str, parameters: &Properties, changes: &[String]) -> Option<Found> {
    // A fault of a query that we changed is not the model's to mend.
    let found = rows(session, text, parameters).await.ok().filter(|found| !found_nothing(&found.rows))?;
    Some(Found { changes: changes.to_vec(), ..found })
}

/// Replaces texts that are not stored by the nearest ones that are.
async fn with_stored_values(session: &Session, text: &str) -> Option<(String, Vec<String>)> {
    let found = diagnose_with(text, &session.lint, &*session.suggest).await.ok()?;
    let is_value = |code| matches!(code, Code::DistantValue | Code::UnknownValue);
    let mut fixes: Vec<_> =
        found.into_iter().filter(|found| is_value(found.code)).filter_map(|found| found.fix).collect();
    fixes.sort_by_key(|fix| std::cmp::Reverse(fix.span.start));
    let (mut mapped, mut changes) = (text.to_owned(), Vec::new());
    for fix in fixes {
        let written = text.get(fix.span.range())?;
        changes.push(format!("took {} for {written}, which is not stored", fix.text));
        mapped.replace_range(fix.span.range(), &fix.text);
    }
    (!changes.is_empty()).then_some((mapped, changes))
}

/// Returns a value that a later query can be given, or `None` for what no query can compare with.
pub(crate) fn scalar(value: &Value) -> Option<Value> {
    match value {
        Value::Null | Value::List(_) | Value::Map(_) | Value::Relationship(_) | Value::Path(_) => None,
        Value::Node(node) => node.name().map(Value::from),
        other => Some(other.clone()),
    }
}
