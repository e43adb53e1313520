//! Running read-only queries that a person or a model wrote.
//!
//! A text first passes the gate, which refuses writes and sets limits ([`check_read`]). [`read`]
//! then runs the checked statement. Errors name positions in the text as it was given.
//!
//! ```
//! use graphwright_retrieve::query::{check_read, read};
//! use graphwright_core::store::QueryOptions;
//! use graphwright_embedded::EmbeddedStore;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let store = EmbeddedStore::in_memory();
//! let text = "MATCH (n) RETURN count(n) AS things";
//! let checked = check_read(&store, text, &[].into(), 100).await?.unwrap();
//! let statement = checked.statement.clone();
//! let table = read(&store, text, &checked, statement, QueryOptions::default(), 1_000_000).await?;
//! assert_eq!(table.columns, ["things"]);
//! # Ok::<_, graphwright_retrieve::query::QueryError>(())
//! # }).unwrap();
//! # Ok::<_, std::io::Error>(())
//! ```

use std::{borrow::Cow, sync::Arc};

use graphwright_core::{
    GraphSchema, GraphStore, Position, Properties, QueryType, Statement, StoreError, Summary, Table, Value,
    store::{QueryMode, QueryOptions, SchemaOptions},
};
use graphwright_cypher::{Bound, Checked, Gate, Refusal, RefusalCode, lexer::tokenize};

use thiserror::Error;

/// Why a query that a person or a model wrote gave no rows.
#[derive(Debug, Error)]
pub enum QueryError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The query was refused.
    #[error("{}", refusal.message)]
    Refused {
        /// The reason for the refusal.
        refusal: Refusal,
        /// The position in the text as it was given.
        position: Position,
    },
}

/// Checks that a text only reads, and limits its rows to `row_limit`. The parameters are those with
/// which it is to run.
///
/// If the gate refuses the text for the amount of work, it decides again with the counts of what
/// the graph holds.
///
/// # Errors
/// Fails if the store cannot be asked what the graph holds. A refusal of the gate is the inner
/// error.
pub async fn check_read(
    store: &dyn GraphStore,
    text: &str,
    parameters: &Properties,
    row_limit: usize,
) -> Result<Result<Checked, Refusal>, StoreError> {
    let mut gate = Gate { row_limit: Some(row_limit), ..Gate::default() };
    let checked = gate.check_with(text, parameters);
    if !checked.as_ref().is_err_and(|refusal| refusal.code == RefusalCode::Work) {
        return Ok(checked);
    }
    // In a small graph the query may be little work after all.
    gate.schema = Some(Arc::new(counted_schema(store).await?));
    Ok(gate.check_with(text, parameters))
}

/// Returns the labels and relationship types that occur in a graph, with their counts.
///
/// # Errors
/// Fails if the store cannot be read.
pub async fn counted_schema(store: &dyn GraphStore) -> Result<GraphSchema, StoreError> {
    // Only names and counts are of use, so as little as possible is read of the elements.
    let options = SchemaOptions { sample: 1, values: 0, ..SchemaOptions::default() };
    let mut schema = store.schema(options).await?;
    schema.labels.retain(|label| label.count > 0);
    schema.relationship_types.retain(|kind| kind.count > 0);
    Ok(schema)
}

/// Runs a checked statement and reads at most `bytes` bytes of its rows.
///
/// `text` is the query as it was given, for the positions in errors. If the store can explain
/// statements, it is asked first whether the statement only reads.
///
/// # Errors
/// Fails with [`Refused`](QueryError::Refused) if the store does not say that the statement only
/// reads, and with the error of the store if that fails.
pub async fn read(
    store: &dyn GraphStore,
    text: &str,
    checked: &Checked,
    statement: Statement,
    limits: QueryOptions,
    bytes: usize,
) -> Result<Table, QueryError> {
    let relocated = |error| QueryError::Store(relocate(error, checked, text));
    if limits.mode != QueryMode::Explain && store.capabilities().explains {
        second_opinion(store, &statement, &limits).await.map_err(relocated)?.map_err(|refusal| {
            let position = position_at(text, refusal.start);
            QueryError::Refused { refusal, position }
        })?;
    }
    let table = async { store.read(statement, limits).await?.collect_within(bytes).await };
    table.await.map_err(relocated)
}

/// Tells whether a query found nothing: no rows, or one row of nulls, zeros and empty lists, as aggregates over nothing give.
pub fn found_nothing(rows: &[Vec<Value>]) -> bool {
    let is_nothing = |value: &Value| match value {
        Value::Null | Value::Integer(0) => true,
        Value::List(items) => items.is_empty(),
        _ => false,
    };
    match rows {
        [] => true,
        [row] => row.iter().all(is_nothing),
        _ => false,
    }
}

/// Asks the store whether a statement only reads, and refuses every other statement, in case the
/// gate missed a write.
async fn second_opinion(
    store: &dyn GraphStore,
    statement: &Statement,
    limits: &QueryOptions,
) -> Result<Result<(), Refusal>, StoreError> {
    let options = QueryOptions { mode: QueryMode::Explain, ..limits.clone() };
    let said = store.read(statement.clone(), options).await?.collect().await?.summary.query_type;
    Ok(match said {
        Some(QueryType::Read) => Ok(()),
        other => Err(Refusal {
            code: RefusalCode::Write,
            message: match other {
                Some(kind) => {
                    format!("the store says that the type of this statement is {}, not read", kind.as_str())
                }
                None => "the store does not say that this statement only reads".to_owned(),
            },
            start: 0,
            end: 0,
            help: "ask for what is there".to_owned(),
        }),
    })
}

/// Splits off a leading `EXPLAIN` or `PROFILE`.
///
/// Returns the resulting mode and the text with blanks in place of the word, so that positions stay
/// right. A caller that asks for [`QueryMode::Explain`] gets it whatever the text says.
pub fn split_mode(text: &str, asked: QueryMode) -> (QueryMode, Cow<'_, str>) {
    let Some(first) = tokenize(text).ok().and_then(|lexed| lexed.tokens.into_iter().next()) else {
        return (asked, Cow::Borrowed(text));
    };
    let said = match first.text(text).to_ascii_uppercase().as_str() {
        "EXPLAIN" => QueryMode::Explain,
        "PROFILE" => QueryMode::Profile,
        _ => return (asked, Cow::Borrowed(text)),
    };
    let mode = if asked == QueryMode::Explain { asked } else { said };
    let mut bare = text.to_owned();
    bare.replace_range(first.span.range(), &" ".repeat(first.span.range().len()));
    (mode, Cow::Owned(bare))
}

/// Returns the reason why rows may be missing: the store cut the rows, or the gate limited the
/// paths.
pub fn truncation(summary: &Summary, bounds: &[Bound]) -> Option<String> {
    let hops = bounds.iter().find_map(|bound| match bound {
        Bound::Hops { limit, .. } => {
            Some(format!("paths without a bound were followed for {limit} hops at most"))
        }
        Bound::Rows { .. } => None,
    });
    let reasons: Vec<_> = summary.truncated.iter().cloned().chain(hops).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Moves the position in a store's error to its place in the text as it was given.
pub fn relocate(error: StoreError, checked: &Checked, text: &str) -> StoreError {
    match error {
        StoreError::Syntax { message, position: Some(position) } => {
            let position = position_at(text, checked.origin(position.offset));
            // The gate may have added to the end of the text, so the store's message there would
            // name words the user did not write.
            let at_end = position.offset >= text.trim_end().len();
            let message = if at_end { "the query ends before it is complete".to_owned() } else { message };
            StoreError::Syntax { message, position: Some(position) }
        }
        other => other,
    }
}

/// Returns the line and column of a byte offset. Both count from 1; columns count characters.
pub fn position_at(text: &str, offset: usize) -> Position {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    Position {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        offset,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_to_be_explained_does_not_run_because_of_its_text() {
        use QueryMode::{Explain, Profile, Run};
        for (text, asked, expected) in [
            ("RETURN 1", Run, Run),
            ("RETURN 1", Profile, Profile),
            ("profile RETURN 1", Run, Profile),
            ("EXPLAIN RETURN 1", Run, Explain),
            ("EXPLAIN RETURN 1", Profile, Explain),
            ("PROFILE RETURN 1", Explain, Explain),
        ] {
            let (mode, bare) = split_mode(text, asked);
            assert_eq!((mode, bare.trim_start()), (expected, "RETURN 1"), "{text} {asked:?}");
        }
    }

    #[tokio::test]
    async fn the_stores_opinion_stops_a_write_without_the_gate() {
        let store = graphwright_embedded::EmbeddedStore::in_memory();
        let opinion = |text| {
            let (store, limits) = (&store, QueryOptions::default());
            async move { second_opinion(store, &Statement::fixed(text), &limits).await.unwrap() }
        };
        assert_eq!(opinion("MATCH (n) RETURN n").await, Ok(()));
        for text in ["CREATE (:A)", "MATCH (n) SET n.x = 1 RETURN n"] {
            assert_eq!(opinion(text).await.unwrap_err().code, RefusalCode::Write, "{text}");
        }
    }
}
