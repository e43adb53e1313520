//! Runs Cypher scripts: statements ended by `;`, as in `cypher-shell`.
//!
//! The whole script is checked before its first statement runs. Each statement is a transaction of
//! its own. If one fails, those before it stay done, and the error says how far the script came.

mod schema;
mod split;

use std::io::Read;

use graphwright_core::{
    GraphStore, Position, Statement, StoreError,
    store::{Counters, QueryOptions},
};
use graphwright_cypher::{Gate, Writes};

use self::{
    schema::{Command, command},
    split::split,
};
use super::{
    ImportOptions, ImportPhase, ImportProgress, ImportReport, InputProblem, ProblemKind, Source,
    files::open,
    item::{Place, file_name},
    problem::count,
};
use crate::{ExchangeError, Result};

/// The longest script, in bytes. It is checked as a whole.
const LONGEST_SCRIPT: u64 = 256 << 20;

/// A checked statement.
#[derive(Debug)]
pub(super) struct Step {
    file: String,
    line: u64,
    action: Action,
}

#[derive(Debug)]
enum Action {
    Write(Statement),
    Read(Statement),
    Schema(Command),
}

/// Reads and checks all scripts among the sources.
pub(super) fn check_all(sources: &[Source]) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    for source in sources {
        let Source::Script(path) = source else { continue };
        let unreadable = |message: String| ExchangeError::Read { path: path.clone(), message };
        let mut text = String::new();
        let mut file = open(path)?.take(LONGEST_SCRIPT + 1);
        file.read_to_string(&mut text).map_err(|error| unreadable(error.to_string()))?;
        if text.len() as u64 > LONGEST_SCRIPT {
            return Err(unreadable(format!("it is longer than {} MiB; split it", LONGEST_SCRIPT >> 20)));
        }
        steps.extend(check(&text, &file_name(path))?);
    }
    Ok(steps)
}

fn check(text: &str, file: &str) -> Result<Vec<Step>, InputProblem> {
    let gate = Gate { writes: Writes::Script, row_limit: None, ..Gate::default() };
    let mut steps = Vec::new();
    for part in split(text, file)? {
        let line = line_of(text, part.span.start);
        let statement = text.get(part.span.range()).unwrap_or_default();
        let action = match command(text, &part.tokens) {
            Some(Ok(command)) => Action::Schema(command),
            Some(Err(message)) => {
                let hint = "known are CREATE CONSTRAINT … IS UNIQUE and CREATE INDEX …; remove the statement";
                return Err(Place { file, line }.problem(ProblemKind::Form, message, hint));
            }
            None => {
                let checked = gate.check(statement).map_err(|refusal| {
                    let line = line_of(text, part.span.start + refusal.start);
                    Place { file, line }.problem(ProblemKind::Form, refusal.message, refusal.help)
                })?;
                if checked.writes {
                    Action::Write(checked.statement)
                } else {
                    Action::Read(checked.statement)
                }
            }
        };
        steps.push(Step { file: file.to_owned(), line, action });
    }
    Ok(steps)
}

/// Runs the statements in order.
pub(super) async fn run_all(
    store: &dyn GraphStore,
    steps: &[Step],
    options: &ImportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
    report: &mut ImportReport,
) -> Result<()> {
    for step in steps {
        if options.cancel.is_cancelled() {
            return Err(ExchangeError::Cancelled.after(report));
        }
        if let Err(error) = run(store, step, options, report).await {
            return Err(step.explain(&error).after(report));
        }
        report.statements += 1;
        let Counters { nodes_created: nodes, relationships_created: relationships, .. } = report.changed;
        progress(ImportProgress { phase: ImportPhase::Running, nodes, relationships, total: None });
    }
    Ok(())
}

async fn run(
    store: &dyn GraphStore,
    step: &Step,
    options: &ImportOptions,
    report: &mut ImportReport,
) -> Result<(), StoreError> {
    let query = QueryOptions { time_limit: None, cancel: options.cancel.clone(), ..QueryOptions::default() };
    match &step.action {
        Action::Write(statement) => {
            report.changed += store.write(statement.clone(), query).await?.counters;
        }
        Action::Read(statement) => {
            store.read(statement.clone(), query).await?.collect().await?;
        }
        Action::Schema(Command::Constraint(constraint)) => {
            store.create_constraint(constraint.clone()).await?;
            report.schema += 1;
        }
        Action::Schema(Command::Indexes(indexes)) => {
            for index in indexes {
                store.create_index(index.clone()).await?;
                report.schema += 1;
            }
        }
        Action::Schema(Command::Ignored(reason)) => {
            let place = Place { file: &step.file, line: step.line };
            count(&mut report.skipped, place.problem(ProblemKind::Schema, reason.clone(), ""));
        }
        Action::Schema(Command::Nothing) => {}
    }
    Ok(())
}

impl Step {
    /// Adds the place in the script to an error of the store.
    fn explain(&self, error: &StoreError) -> ExchangeError {
        if matches!(error, StoreError::Cancelled) {
            return ExchangeError::Cancelled;
        }
        let within = match error {
            // Lines of a position count from 1.
            StoreError::Syntax { position: Some(Position { line, .. }), .. } => *line as u64 - 1,
            _ => 0,
        };
        let place = Place { file: &self.file, line: self.line + within };
        let hint =
            error.hint().unwrap_or_else(|| "correct the statement and run the rest of the script".to_owned());
        place.problem(ProblemKind::Form, error.to_string(), hint).into()
    }
}

fn line_of(text: &str, offset: usize) -> u64 {
    text.get(..offset).unwrap_or_default().matches('\n').count() as u64 + 1
}
