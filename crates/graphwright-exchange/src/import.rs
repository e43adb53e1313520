//! Checks what the sources hold, then writes it to the store.

mod check;
mod write;

use std::{collections::HashMap, sync::Arc, time::Instant};

use futures::StreamExt;
use graphwright_core::{
    GraphStore, names,
    store::{Counters, ScanOptions, Selection},
};

use self::{
    check::{Checked, Pending, check},
    write::write,
};
use super::{
    ImportOptions, ImportPhase, ImportProgress, ImportReport, ProblemKind, Source,
    item::{Place, Reference, Sink},
    problem::count,
    registry::own_id,
    script,
};
use crate::{ExchangeError, Result};

/// Imports graphs from `sources` into a store.
///
/// Nodes are written first, whatever the order of the sources; scripts run last.
///
/// ```
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// use graphwright_embedded::EmbeddedStore;
/// use graphwright_exchange::{ImportOptions, Source, import};
///
/// let folder = tempfile::tempdir()?;
/// let people = ":ID,name,born:int\n1,Ada,1815\n2,Grace,1906\n";
/// std::fs::write(folder.path().join("Person.csv"), people)?;
/// std::fs::write(folder.path().join("ADMIRES.csv"), ":START_ID,:END_ID\n2,1\n")?;
///
/// let store = EmbeddedStore::in_memory();
/// let options = ImportOptions::default();
/// let sources = Source::detect(folder.path(), &options.csv)?;
/// let report = import(&store, sources, &options, &mut |_| {}).await?;
/// assert_eq!((report.nodes, report.relationships), (2, 1));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub async fn import(
    store: &dyn GraphStore,
    mut sources: Vec<Source>,
    options: &ImportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
) -> Result<ImportReport> {
    let begin = Instant::now();
    sources.sort_by_key(Source::rank);
    let (scripts, graphs): (Vec<_>, Vec<_>) =
        sources.into_iter().partition(|source| matches!(source, Source::Script(_)));
    let scripts = script::check_all(&scripts)?;
    let graphs: Arc<[Source]> = graphs.into();
    let mut report = ImportReport::default();
    if !graphs.is_empty() {
        let mut checked = check(Arc::clone(&graphs), options, progress).await?;
        resolve_pending(store, &mut checked, options.skip_bad).await?;
        report.skipped = checked.skipped;
        write(store, graphs, checked.registry, checked.counts, options, progress, &mut report).await?;
    }
    script::run_all(store, &scripts, options, progress, &mut report).await?;
    if report.changed != Counters::default() || report.schema > 0 {
        store.checkpoint().await?;
    }
    report.elapsed = begin.elapsed();
    Ok(report)
}

/// Passes everything in a source to `sink`, except scripts, which run later.
fn read(source: &Source, options: &ImportOptions, sink: &mut dyn Sink) -> Result<()> {
    match source {
        Source::JsonLines(path) => crate::json_lines::read(path, sink),
        Source::CsvNodes(files) => crate::csv::read_nodes(files, options.csv, sink),
        Source::CsvRelationships(files) => crate::csv::read_relationships(files, options.csv, sink),
        Source::DataImporter(path) => crate::importer::read(path, sink),
        Source::Script(_) => Ok(()),
    }
}

/// Looks in the store for relationship ends that no file contains.
async fn resolve_pending(store: &dyn GraphStore, checked: &mut Checked, skip_bad: bool) -> Result<()> {
    let pending = std::mem::take(&mut checked.pending);
    if pending.is_empty() {
        return Ok(());
    }
    let wanted: HashMap<String, &Reference> = pending
        .iter()
        .flat_map(|pending| &pending.missing)
        // The store may know the node by an identifier of ours or by the one that the file gives.
        .flat_map(|reference| [(own_id(reference), reference), (reference.id.clone(), reference)])
        .collect();
    let scan = ScanOptions {
        relationship_types: Selection::None,
        node_properties: Selection::only([names::ID]),
        ..ScanOptions::default()
    };
    let mut batches = store.scan(scan).await?;
    while let Some(batch) = batches.next().await {
        for node in batch?.nodes {
            if let Some(reference) = wanted.get(node.id()) {
                let label = node.labels.first().map_or("", String::as_str);
                checked.registry.insert(reference, label, node.id());
            }
        }
    }
    for Pending { item, file, line, missing, optional } in &pending {
        let Some(missing) = missing.iter().find(|reference| !checked.registry.knows(reference)) else {
            continue;
        };
        let message = format!("there is no node `{}` in `{}`", missing.id, missing.space);
        let hint = "add the node, correct the identifier, or leave such relationships out";
        let problem = Place { file, line: *line }.problem(ProblemKind::DanglingRelationship, message, hint);
        if !skip_bad && !optional {
            return Err(problem.into());
        }
        checked.registry.skip(*item);
        count(&mut checked.skipped, problem);
        checked.counts.relationships -= 1;
    }
    Ok(())
}

async fn join<T>(task: tokio::task::JoinHandle<Result<T>>) -> Result<T> {
    task.await
        .map_err(|error| ExchangeError::Internal { message: format!("the reading thread failed: {error}") })?
}

/// Builds the progress report of a phase.
fn progress_of(phase: ImportPhase, nodes: u64, relationships: u64, total: Option<u64>) -> ImportProgress {
    ImportProgress { phase, nodes, relationships, total }
}
