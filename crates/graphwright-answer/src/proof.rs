//! The paths by which a query found its rows.

use graphwright_core::{GraphStore, Properties, Value, store::QueryOptions};
use graphwright_cypher::with_paths;
use graphwright_retrieve::query::{QueryError, check_read, position_at, read};

use crate::AnswerPath;

/// The most paths of an answer.
const MOST_PATHS: usize = 200;
/// The most rows that are read with their paths, where the options name no limit.
const MOST_ROWS: usize = 100;
/// The largest size of all rows with their paths, in bytes.
const MOST_BYTES: usize = 1_000_000;

/// A query that has run, and what it found.
#[derive(Clone, Copy, Debug)]
pub struct FoundRows<'a> {
    /// The query.
    pub text: &'a str,
    /// The parameters with which it ran.
    pub parameters: &'a Properties,
    /// Its rows.
    pub rows: &'a [Vec<Value>],
}

/// Finds the paths by which a query found its rows, in the order of the rows: the query runs a second time, with its patterns as paths.
///
/// ```
/// use graphwright_answer::{FoundRows, prove_rows};
/// use graphwright_core::{GraphStore, NodeKey, Properties, store::{ChangeSet, QueryOptions}};
/// use graphwright_embedded::EmbeddedStore;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let store = EmbeddedStore::in_memory();
/// let mut changes = ChangeSet::new();
/// changes.upsert_node(NodeKey::new("Team", "t"), &[], Properties::from([("name".into(), "Payments".into())]));
/// store.apply(changes).await.unwrap();
/// let (parameters, rows) = (Properties::new(), [vec!["Payments".into()]]);
/// let found = FoundRows { text: "MATCH (t:Team) RETURN t.name", parameters: &parameters, rows: &rows };
/// let paths = prove_rows(&store, found, QueryOptions::default()).await.unwrap();
/// assert_eq!(paths[0][0].nodes[0].name, "Payments");
/// # });
/// # Ok::<_, std::io::Error>(())
/// ```
///
/// # Errors
/// Returns in words why no paths can be shown.
pub async fn prove_rows(
    store: &dyn GraphStore,
    found: FoundRows<'_>,
    options: QueryOptions,
) -> Result<Vec<Vec<AnswerPath>>, String> {
    let rows = rows_with_paths(store, found.text, found.parameters, options).await?;
    let shown = found.rows.first().map_or(0, Vec::len);
    let mut left = MOST_PATHS;
    let paths = found.rows.iter().enumerate().map(|(at, wanted)| {
        // Rows in no order may come in another one the second time.
        let same = |row: &&Vec<Value>| row.get(..shown).is_some_and(|row| row == wanted.as_slice());
        let row = rows.get(at).filter(same).or_else(|| rows.iter().find(same));
        let mut paths = Vec::new();
        for value in row.and_then(|row| row.get(shown..)).unwrap_or_default() {
            collect(value, &mut paths);
        }
        paths.truncate(left);
        left -= paths.len();
        paths
    });
    Ok(paths.collect())
}

/// Finds the paths by which a query finds its rows, each once: the query runs with its patterns as paths.
///
/// # Errors
/// Returns in words why no paths can be shown.
pub async fn paths_of_query(
    store: &dyn GraphStore,
    text: &str,
    parameters: &Properties,
    options: QueryOptions,
) -> Result<Vec<AnswerPath>, String> {
    let rows = rows_with_paths(store, text, parameters, options).await?;
    let mut paths = Vec::new();
    rows.iter().flatten().for_each(|value| collect(value, &mut paths));
    paths.truncate(MOST_PATHS);
    Ok(paths)
}

/// Runs a query with its patterns as paths.
async fn rows_with_paths(
    store: &dyn GraphStore,
    text: &str,
    parameters: &Properties,
    options: QueryOptions,
) -> Result<Vec<Vec<Value>>, String> {
    let said = |reason: String| format!("No paths are shown for the query: {reason}.");
    let text = with_paths(text).map_err(|reason| said(reason.to_owned()))?;
    // If that fails, the rows stand without their paths: they are what the query was asked for.
    let rows = rows_of(store, &text, parameters, options).await;
    rows.map_err(|error| said(format!("it cannot run with them, {error}")))
}

async fn rows_of(
    store: &dyn GraphStore,
    text: &str,
    parameters: &Properties,
    options: QueryOptions,
) -> Result<Vec<Vec<Value>>, QueryError> {
    let limit = options.row_limit.unwrap_or(MOST_ROWS);
    let checked = check_read(store, text, parameters, limit).await?.map_err(|refusal| {
        let position = position_at(text, refusal.start);
        QueryError::Refused { refusal, position }
    })?;
    let statement = checked.statement.clone().with_all(parameters.clone());
    Ok(read(store, text, &checked, statement, options, MOST_BYTES).await?.rows)
}

fn collect(value: &Value, paths: &mut Vec<AnswerPath>) {
    match value {
        Value::Path(path) => {
            let path = AnswerPath::from_path(path);
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        Value::List(items) => items.iter().for_each(|item| collect(item, paths)),
        _ => {}
    }
}
