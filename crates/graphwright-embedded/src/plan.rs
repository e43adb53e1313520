//! Plans: what the engine means to do (its `EXPLAIN`), and what each clause then did (its
//! `PROFILE`).
//!
//! The engine plans by clause and does not tell how a clause finds its nodes. It counts rows and
//! time, and nothing like database hits.

use std::{sync::Arc, time::Duration};

use graphwright_core::{
    Plan, RecordStream, Result, Summary, Table,
    store::{QueryMode, QueryOptions},
};
use kglite::api::{
    DirGraph, Value as EngineValue,
    session::{CancelToken, ExecuteOutcome, execute_read},
};

use crate::{
    error::{self, Context},
    rewrite::reserved,
    run, thread,
    translate::Translated,
};

/// The ending of a clause's name when the engine runs it together with the condition after it.
const WITH_CONDITION: &str = " + Where (fused)";

/// Explains or profiles a statement on a graph that does not change.
pub(crate) async fn read(
    graph: Arc<DirGraph>,
    translated: Translated,
    options: QueryOptions,
) -> Result<RecordStream> {
    let stop = run::StopOnDrop::new(&options);
    let cancel = stop.token.clone();
    let work = move || {
        let plan = explain(&graph, &translated)?;
        if options.mode == QueryMode::Explain {
            let summary =
                Summary { query_type: translated.query_type(), plan: Some(plan), ..Summary::default() };
            return Ok(Table { summary, ..Table::default() });
        }
        let mut outcome = execute(&graph, &translated, options.mode, Some(cancel), options.time_limit)?;
        translated.check(&outcome.result.columns, &outcome.result.rows)?;
        let plan = count(&plan, &mut outcome);
        let mut table = run::table(outcome, &translated, options.row_limit)?;
        table.summary.plan = Some(plan);
        Ok(table)
    };
    let table = thread::run(work).await?;
    drop(stop);
    Ok(RecordStream::from_table(table))
}

/// Returns what the engine means to do.
pub(crate) fn explain(graph: &DirGraph, translated: &Translated) -> Result<Plan> {
    let outcome = execute(graph, translated, QueryMode::Explain, None, None)?;
    Ok(chain(outcome.result.rows.iter().filter_map(|row| step(row)).collect()))
}

fn execute(
    graph: &DirGraph,
    translated: &Translated,
    mode: QueryMode,
    cancel: Option<CancelToken>,
    limit: Option<Duration>,
) -> Result<ExecuteOutcome> {
    let options = run::engine_options(translated, cancel, limit);
    execute_read(graph, &translated.text_for(mode), &options)
        .map_err(|error| error::from_engine(error, Context { limit, translated: Some(translated) }))
}

/// Adds what its clauses did to a plan.
pub(crate) fn count(plan: &Plan, outcome: &mut ExecuteOutcome) -> Plan {
    let mut steps: Vec<Plan> = plan.operators().into_iter().map(|(_, step)| alone(step)).collect();
    // The plan begins with its last step, the profile with its first clause.
    steps.reverse();
    let mut from = 0;
    let find = |steps: &[Plan], from: usize, wanted: &Plan| {
        steps.iter().skip(from).position(|step| same(step, wanted)).map(|place| from + place)
    };
    for clause in outcome.result.profile.take().unwrap_or_default() {
        // A condition that runs with its clause is counted with it: what is counted has passed it.
        let (clause_name, with_condition) = match clause.clause_name.strip_suffix(WITH_CONDITION) {
            Some(name) => (name, true),
            None => (clause.clause_name.as_str(), false),
        };
        let counted = named(clause_name);
        // What the engine did without having planned it is shown where it was done.
        let mut place = find(&steps, from, &counted).unwrap_or_else(|| {
            steps.insert(from, counted);
            from
        });
        if with_condition {
            place = find(&steps, place + 1, &named("Where")).unwrap_or(place);
        }
        if let Some(step) = steps.get_mut(place) {
            step.rows = Some(clause.rows_out as u64);
            step.time_ms = Some(clause.elapsed_us as f64 / 1e3);
        }
        from = place + 1;
    }
    chain(steps)
}

fn same(one: &Plan, other: &Plan) -> bool {
    one.operator == other.operator && one.details == other.details
}

fn alone(step: &Plan) -> Plan {
    Plan { children: Vec::new(), ..step.clone() }
}

/// Chains steps. Each takes the rows of the one before it.
fn chain(steps: Vec<Plan>) -> Plan {
    let whole = steps.into_iter().reduce(|before, step| Plan { children: vec![before], ..step });
    whole.unwrap_or_default()
}

/// Reads a row of the engine's plan: number, operation, estimated rows.
///
/// Its last rows tell what the optimizer did, and are left out.
fn step(row: &[EngineValue]) -> Option<Plan> {
    let [_, EngineValue::String(operation), estimated] = row else { return None };
    let estimated_rows = match estimated {
        EngineValue::Int64(rows) => Some(*rows as f64),
        _ => None,
    };
    let step = named(operation);
    (step.operator != "OptimizerPass").then_some(Plan { estimated_rows, ..step })
}

/// Reads an operation, as `Match :Service, :Library`, with the labels as users know them.
fn named(operation: &str) -> Plan {
    let (operator, details) = operation.split_once(' ').unwrap_or((operation, ""));
    let details = match details.strip_prefix(':') {
        Some(labels) if operator.ends_with("Match") => {
            let labels = labels.split(", :").filter_map(reserved::label_from_engine);
            labels.map(|label| format!(":{label}")).collect::<Vec<_>>().join(", ")
        }
        _ => details.to_owned(),
    };
    let details = Some(details).filter(|details| !details.is_empty());
    Plan { operator: operator.to_owned(), details, ..Plan::default() }
}
