//! The replay itself.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use futures::{StreamExt, stream};
use graphwright_core::{GraphStore, Table};
use graphwright_cypher::{
    Code, Diagnostic, Severity, diagnose,
    repair::{Repair, Repaired},
};

use super::{
    Mended, Recording, ReplayGraph, ReplayOptions, Results, Run, RunError, Verdict, compare::same_rows,
    compare::wants_order, execute::execute,
};
use crate::Result;

/// Judges the recordings without a verdict in `results`, and keeps each verdict as soon as it is
/// there. Calls `progress` with the number of new verdicts. Calling it again after an error
/// continues the run.
///
/// # Errors
/// Returns [`Store`](crate::Error::Store) if a store fails rather than a query, and
/// [`File`](crate::Error::File) if results cannot be kept.
pub async fn replay(
    recordings: &[Recording],
    graphs: &[ReplayGraph],
    options: &ReplayOptions,
    results: &mut Results,
    progress: impl Fn(usize),
) -> Result<()> {
    // Recordings with the same question are judged together, so that the right query runs once, and
    // so does each text.
    let mut groups: BTreeMap<(&str, &str), Vec<&Recording>> = BTreeMap::new();
    for recording in recordings.iter().filter(|recording| !results.has(recording)) {
        groups.entry((&recording.graph, &recording.gold)).or_default().push(recording);
    }
    let bare = ReplayGraph::new("", None, None);
    let judged = groups.into_values().map(|group| {
        let name = group.first().map_or("", |first| first.graph.as_str());
        let graph = graphs.iter().find(|graph| graph.name == name).unwrap_or(&bare);
        judge_group(graph, group, options.time_limit)
    });
    let mut judged = stream::iter(judged).buffer_unordered(options.jobs.max(1));
    while let Some(verdicts) = judged.next().await {
        let verdicts = verdicts?;
        let count = verdicts.len();
        results.keep(verdicts)?;
        progress(count);
    }
    Ok(())
}

async fn judge_group(
    graph: &ReplayGraph,
    group: Vec<&Recording>,
    time_limit: Duration,
) -> Result<Vec<Verdict>> {
    let gold = group.first().map_or("", |first| first.gold.as_str());
    let mut runs = match &graph.store {
        Some(store) => {
            let rows = execute(store.as_ref(), gold, time_limit).await?.ok();
            let runs = Runs { store: store.as_ref(), gold, rows, time_limit, known: HashMap::new() };
            Some(runs)
        }
        None => None,
    };
    let mut verdicts = Vec::with_capacity(group.len());
    for recording in group {
        verdicts.push(judge(graph, recording, runs.as_mut()).await?);
    }
    Ok(verdicts)
}

async fn judge(graph: &ReplayGraph, recording: &Recording, runs: Option<&mut Runs<'_>>) -> Result<Verdict> {
    let text = recording.predicted.as_deref().unwrap_or_default();
    let found_broken = diagnose(text, None).iter().any(cannot_run);
    let repaired = Repair::new(graph.lint.as_ref()).repair(text);
    let (before, after) = match runs {
        Some(runs) => {
            let before = runs.run(text).await?;
            let after = runs.run_repaired(&repaired).await?;
            (Some(before), Some(after))
        }
        None => (None, None),
    };
    Ok(Verdict {
        file: recording.file.to_string(),
        line: recording.line,
        graph: recording.graph.clone(),
        labels: recording.labels,
        is_gold: recording.predicted.as_ref() == Some(&recording.gold),
        // A model that gave no query has failed, though nothing is wrong with an empty text.
        found_broken: found_broken || text.trim().is_empty(),
        diagnostics: codes(&diagnose(text, graph.lint.as_ref())),
        mended: Mended {
            changes: repaired.changes.iter().map(|change| change.code).collect(),
            refused: repaired.refused.as_ref().map(|reason| reason.code),
            left: codes(&repaired.diagnostics),
            text: (repaired.text != text).then_some(repaired.text),
        },
        before,
        after,
    })
}

/// Returns whether a server refuses a query with this fault.
fn cannot_run(found: &Diagnostic) -> bool {
    // Neo4j runs such a query, and finds nothing.
    found.severity == Severity::Error && found.code != Code::RelationshipUniquenessViolation
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<Code> {
    diagnostics.iter().map(|found| found.code).collect()
}

/// The runs of one question, each text once.
struct Runs<'a> {
    store: &'a dyn GraphStore,
    gold: &'a str,
    rows: Option<Table>,
    time_limit: Duration,
    known: HashMap<String, Run>,
}

impl Runs<'_> {
    async fn run(&mut self, text: &str) -> Result<Run> {
        if let Some(known) = self.known.get(text) {
            return Ok(known.clone());
        }
        let run = match execute(self.store, text, self.time_limit).await? {
            Ok(table) => {
                let right = self.rows.as_ref().map(|gold| is_right(gold, &table, self.gold));
                Run { rows: table.rows.len(), right, error: None }
            }
            Err(error) => self.failed(error),
        };
        self.known.insert(text.to_owned(), run.clone());
        Ok(run)
    }

    /// Runs a repaired text, unless repair refused it.
    async fn run_repaired(&mut self, repaired: &Repaired) -> Result<Run> {
        match &repaired.refused {
            Some(reason) => {
                Ok(self.failed(RunError { code: "repair".to_owned(), message: reason.message.clone() }))
            }
            None => self.run(&repaired.text).await,
        }
    }

    fn failed(&self, error: RunError) -> Run {
        Run { rows: 0, right: self.rows.as_ref().map(|_| false), error: Some(error) }
    }
}

/// Returns whether two results are equal. A truncated result is no evidence of it.
fn is_right(gold: &Table, predicted: &Table, text: &str) -> bool {
    gold.summary.truncated.is_none()
        && predicted.summary.truncated.is_none()
        && same_rows(gold, predicted, wants_order(text))
}
