//! The tool `run_cypher`.

use std::time::Duration;

use graphwright_core::{
    Properties, StoreError, Table, names,
    store::{QueryMode, QueryOptions},
    text::visible_json,
};
use graphwright_cypher::{
    Code, Diagnostic, Severity, diagnose, diagnose_with, lint::Lint, render, repair::Repair,
};
use graphwright_retrieve::{
    one_item,
    query::{check_read, found_nothing, position_at, read, split_mode, truncation},
    value_json,
};
use serde_json::{Map, Value, json};

use super::{GraphSnapshot, answering::Answer, lines::bounded};
use crate::{AgentError, ToolContext, ToolError, ToolOutput};

/// The largest number of rows that a query returns.
const MOST_ROWS: usize = 100;
/// The largest size of all rows, in bytes.
const MOST_BYTES: usize = 1_000_000;
/// The longest time that a query may take.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// The longest time to find out why a query found nothing.
const SUGGESTION_LIMIT: Duration = Duration::from_secs(5);

/// Runs a query. If it fails, the error explains why and suggests a repair.
pub(super) async fn run(
    graph: &GraphSnapshot,
    context: &ToolContext,
    query: &str,
    parameters: Map<String, Value>,
    budget: u64,
) -> Result<Answer, ToolError> {
    if query.contains(names::PATH) {
        let message = format!("`{}` is a place on this machine, and not shown", names::PATH);
        return Err(ToolError::new(message).with_hint("a document's `source` says which it is"));
    }
    let parameters: Properties = serde_json::from_value(Value::Object(parameters))?;
    match ask(graph, context, query, parameters.clone()).await {
        Ok(Rows { table, truncated, lasts }) => {
            let asks_store = found_nothing(&table.rows);
            let warnings = lint(graph, query, parameters, asks_store).await;
            let output = output(&table, truncated.as_deref(), &warnings, budget);
            Ok(Answer { output, lasts, is_of_now: !graph.is_of_one_moment() })
        }
        Err(error @ (AgentError::Refused { .. } | AgentError::Store(_))) => {
            Err(explain(graph, query, parameters, error).await)
        }
        Err(error) => Err(error.into()),
    }
}

/// The rows that a query returned.
struct Rows {
    table: Table,
    /// The reason why rows may be missing, if they may.
    truncated: Option<String>,
    /// Whether the query gives the same rows again for as long as the graph stays the same.
    lasts: bool,
}

/// Checks a query and runs it within the limits.
async fn ask(
    graph: &GraphSnapshot,
    context: &ToolContext,
    query: &str,
    parameters: Properties,
) -> Result<Rows, AgentError> {
    let store = &**graph.store();
    let (mode, bare) = split_mode(query, QueryMode::Run);
    let checked = check_read(store, &bare, &parameters, MOST_ROWS).await?.map_err(|refusal| {
        let position = position_at(query, refusal.start);
        AgentError::Refused { refusal, position }
    })?;
    let limits = QueryOptions {
        mode,
        time_limit: Some(TIME_LIMIT),
        row_limit: Some(MOST_ROWS),
        cancel: context.cancellation().clone(),
        ..QueryOptions::default()
    };
    let statement = checked.statement.clone().with_all(parameters);
    let table = read(store, query, &checked, statement, limits, MOST_BYTES).await?;
    let truncated = truncation(&table.summary, &checked.bounds);
    Ok(Rows { table, truncated, lasts: checked.repeatable && mode == QueryMode::Run })
}

/// Describes why a query failed, what else is wrong with it, and how it could be repaired.
async fn explain(graph: &GraphSnapshot, query: &str, parameters: Properties, error: AgentError) -> ToolError {
    let default = match &error {
        AgentError::Store(StoreError::Evaluation { .. }) => {
            "give each parameter of the query in params, and values of the types that get_schema tells"
        }
        _ => "read get_schema and write the query with its names",
    };
    let error = ToolError::from(error);
    let mut hint = error.hint.clone().unwrap_or_default();
    let found = lint(graph, query, parameters, false).await;
    if !found.is_empty() {
        hint = format!("{hint}\n{found}");
    }
    if let Some(repaired) = repair(graph, query).await {
        hint = format!("{hint}\nthis may be what you mean: {repaired}");
    }
    if hint.is_empty() {
        hint.push_str(default);
    }
    ToolError { hint: Some(hint.trim_start().to_owned()), ..error }
}

/// Renders the findings of the lint the way compilers do; where `asks_store`, also for values that are not stored, with those that are
/// near. Empty if there are none, or if the schema cannot be read.
async fn lint(graph: &GraphSnapshot, query: &str, parameters: Properties, asks_store: bool) -> String {
    let lint = graph.lint().await.ok().map(|lint| lint.with_parameters(parameters));
    let near = match &lint {
        Some(lint) if asks_store => near_values(graph, query, lint).await,
        _ => None,
    };
    let mut found = near.unwrap_or_else(|| diagnose(query, lint.as_ref()));
    found.retain(|found| found.severity >= Severity::Warning || found.code == Code::DistantValue);
    render("query", query, &found)
}

/// Returns what the lint finds when it may ask the store. Returns `None` if the store does not say in time.
async fn near_values(graph: &GraphSnapshot, query: &str, lint: &Lint) -> Option<Vec<Diagnostic>> {
    let suggestions = graph.suggestions();
    let asked = diagnose_with(query, lint, &suggestions);
    tokio::time::timeout(SUGGESTION_LIMIT, asked).await.ok()?.ok()
}

/// Returns the repaired query, if the repair changes it and leaves nothing to complain about.
async fn repair(graph: &GraphSnapshot, query: &str) -> Option<String> {
    let lint = graph.lint().await.ok();
    let repaired = Repair::new(lint.as_ref()).repair(query);
    (repaired.is_clean() && repaired.text != query).then_some(repaired.text)
}

fn output(table: &Table, truncated: Option<&str>, warnings: &str, budget: u64) -> ToolOutput {
    let rows: Vec<Vec<Value>> = table.rows.iter().map(|row| row.iter().map(value_json).collect()).collect();
    let count = rows.len();
    let mut text = match count {
        0 => "No rows.\n".to_owned(),
        1 => format!("1 row of {}\n", one_item(&table.columns.join(", "))),
        _ => format!("{count} rows of {}\n", one_item(&table.columns.join(", "))),
    };
    text.push_str(&bounded(
        rows.iter().map(|row| visible_json(&Value::from(row.clone()).to_string()).into_owned()),
        budget,
    ));
    if let Some(reason) = truncated {
        text.push_str(&format!("Note: {reason}.\n"));
    }
    if warnings.is_empty() {
        for notice in &table.summary.notices {
            text.push_str(&format!("Note: {}.\n", notice.message.trim_end_matches('.')));
        }
    }
    text.push_str(warnings);
    let structured = json!({"columns": table.columns, "rows": rows, "truncated": truncated});
    ToolOutput { text, structured: Some(structured) }
}
