//! Writes a dump to a store in batches.

use std::{
    collections::{BTreeMap, HashMap},
    time::Instant,
};

use futures::TryStreamExt;
use graphwright::{
    GraphStore, NodeKey, Properties, RelationshipKey, Result, Statement, Value,
    exchange::ExchangeError,
    exchange::{ImportOptions, ImportPhase, ImportProgress, InputProblem, ProblemKind},
    store::{ChangeSet, QueryOptions},
};
use tokio::sync::mpsc;

use super::Imported;
use crate::{
    dump::{Batch, Checked, Dump, Link, Reading, count},
    names::{ANSWER, ANSWERED, COMMENT, QUESTION, TAG, USER},
};

/// Default number of rows in one transaction.
const ROWS: usize = 5_000;
/// Identifier of every relationship, since there is one of a type between two nodes.
const SINGLE: &str = "single";

pub(super) async fn import(
    store: &dyn GraphStore,
    dump: &Dump,
    options: &ImportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
) -> Result<Imported> {
    let begin = Instant::now();
    let checked = check(dump, options, progress).await?;
    let mut imported = Imported { notes: notes(&checked), ..Imported::default() };
    imported.report.skipped = checked.skipped;
    store.create_keys([USER, QUESTION, ANSWER, COMMENT, TAG].map(str::to_owned).to_vec()).await?;
    for reading in [Reading::Nodes, Reading::Links] {
        let (mut batches, task) = batches(dump, reading, options.batch.unwrap_or(ROWS));
        while let Some(batch) = batches.recv().await {
            if options.cancel.is_cancelled() {
                return Err(ExchangeError::Cancelled.into());
            }
            write(store, batch, &mut imported).await.map_err(|error| interrupted(error, &imported))?;
            let (nodes, relationships) = (imported.report.nodes, imported.report.relationships);
            progress(ImportProgress { phase: ImportPhase::Writing, nodes, relationships, total: None });
        }
        task.await.map_err(|error| ended(&error))?.map_err(ExchangeError::from)?;
    }
    imported.report.elapsed = begin.elapsed();
    Ok(imported)
}

async fn check(
    dump: &Dump,
    options: &ImportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
) -> Result<Checked> {
    let (sender, mut told) = mpsc::channel(2);
    let (dump, skip_bad) = (dump.clone(), options.skip_bad);
    let task = tokio::task::spawn_blocking(move || {
        dump.check(skip_bad, &mut |rows| {
            // Nobody listens if the import was given up.
            let _ = sender.blocking_send(rows);
        })
    });
    while let Some(nodes) = told.recv().await {
        progress(ImportProgress { phase: ImportPhase::Checking, nodes, relationships: 0, total: None });
    }
    Ok(task.await.map_err(|error| ended(&error))?.map_err(ExchangeError::from)?)
}

/// Starts a thread that reads batches. It waits when it is two batches ahead.
fn batches(
    dump: &Dump,
    reading: Reading,
    size: usize,
) -> (mpsc::Receiver<Batch>, tokio::task::JoinHandle<Result<(), InputProblem>>) {
    let (sender, receiver) = mpsc::channel(2);
    let dump = dump.clone();
    let task = tokio::task::spawn_blocking(move || {
        dump.read(reading, size, &mut |batch| sender.blocking_send(batch).is_ok())
    });
    (receiver, task)
}

async fn write(store: &dyn GraphStore, batch: Batch, imported: &mut Imported) -> Result<()> {
    let nodes = batch.nodes.len() as u64;
    let mut changes = ChangeSet { changes: batch.nodes };
    let relationships = connect(store, &batch.links, &mut changes, imported).await?;
    if !changes.is_empty() {
        imported.report.changed += store.apply(changes).await?;
    }
    imported.report.nodes += nodes;
    imported.report.relationships += relationships;
    Ok(())
}

/// Adds the relationships whose other end is in the graph, and counts the others as skipped.
/// Returns how many it added.
async fn connect(
    store: &dyn GraphStore,
    links: &[Link],
    changes: &mut ChangeSet,
    imported: &mut Imported,
) -> Result<u64> {
    let stored = find(store, links).await?;
    let mut made = 0;
    for link in links {
        let Some((other, found)) = link.other.iter().find_map(|key| stored.get_key_value(key)) else {
            count(&mut imported.report.skipped, dangling(link));
            continue;
        };
        let (own, other) = (link.own.clone(), other.clone());
        if link.kind == ANSWERED {
            changes.upsert_node(own.clone(), &[], found.for_answer(&own));
        }
        let (from, to) = if link.outgoing { (own, other) } else { (other, own) };
        let key = RelationshipKey { kind: link.kind.to_owned(), from, to, id: SINGLE.to_owned() };
        changes.upsert_relationship(key, Properties::new());
        made += 1;
    }
    Ok(made)
}

/// Fields of a question that its answers copy.
#[derive(Default)]
struct QuestionFields {
    title: Option<Value>,
    accepted: Option<i64>,
}

impl QuestionFields {
    fn for_answer(&self, answer: &NodeKey) -> Properties {
        let accepted = self.accepted.is_some_and(|id| answer.id == format!("{ANSWER}:{id}"));
        let title = self.title.clone().unwrap_or(Value::Null);
        Properties::from([("title".to_owned(), title), ("is_accepted".to_owned(), accepted.into())])
    }
}

/// One statement for each label of an end. Each identifier is looked up by itself, which an index
/// serves in every store.
const FIND: [(&str, &str); 4] = [
    (USER, "UNWIND $ids AS id MATCH (n:User) WHERE n.__id__ = id RETURN n.__id__"),
    (TAG, "UNWIND $ids AS id MATCH (n:Tag) WHERE n.__id__ = id RETURN n.__id__"),
    (ANSWER, "UNWIND $ids AS id MATCH (n:Answer) WHERE n.__id__ = id RETURN n.__id__"),
    (
        QUESTION,
        "UNWIND $ids AS id MATCH (n:Question) WHERE n.__id__ = id RETURN n.__id__, n.title, n.accepted_answer_id",
    ),
];

/// Finds which of the other ends are in the graph.
///
/// Asks the store, since remembering everything that was written would take memory for each row.
async fn find(store: &dyn GraphStore, links: &[Link]) -> Result<HashMap<NodeKey, QuestionFields>> {
    let mut wanted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for key in links.iter().flat_map(|link| &link.other) {
        wanted.entry(&key.label).or_default().push(&key.id);
    }
    let mut stored = HashMap::new();
    for (label, text) in FIND {
        let Some(mut ids) = wanted.remove(label) else { continue };
        ids.sort_unstable();
        ids.dedup();
        let ids = ids.into_iter().map(Value::from).collect();
        let statement = Statement::fixed(text).with("ids", Value::List(ids));
        let mut rows =
            store.read(statement, QueryOptions { time_limit: None, ..QueryOptions::default() }).await?;
        while let Some(row) = rows.try_next().await? {
            let mut values = row.into_iter();
            let Some(Value::String(id)) = values.next() else { continue };
            let title = values.next();
            let accepted = values.next().and_then(|value| value.as_integer());
            stored.insert(NodeKey::new(label, id), QuestionFields { title, accepted });
        }
    }
    Ok(stored)
}

fn dangling(link: &Link) -> InputProblem {
    let Link { kind, own, other, file, line, .. } = link;
    let other: Vec<&str> = other.iter().map(|key| key.id.as_str()).collect();
    InputProblem {
        file: (*file).to_owned(),
        line: *line,
        column: None,
        kind: ProblemKind::DanglingRelationship,
        message: format!("{} has no {kind}, since the dump has no {}", own.id, other.join(" and no ")),
        hint: String::new(),
    }
}

/// Describes what a dump holds that does not become part of the graph.
fn notes(checked: &Checked) -> Vec<String> {
    let mut notes = Vec::new();
    if !checked.other_posts.is_empty() {
        let kinds: Vec<String> =
            checked.other_posts.iter().map(|(kind, count)| format!("{count} of PostTypeId {kind}")).collect();
        notes
            .push(format!("posts that are neither questions nor answers are left out: {}", kinds.join(", ")));
    }
    if checked.without_user > 0 {
        notes
            .push(format!("{} posts and comments name no user, whose account is gone", checked.without_user));
    }
    if !checked.has_comments {
        notes.push("there is no Comments.xml, so there are no comments".to_owned());
    }
    notes
}

/// Adds to an error what was written before it.
fn interrupted(error: graphwright::Error, imported: &Imported) -> graphwright::Error {
    let cause = match error {
        graphwright::Error::Store(error) => ExchangeError::Store(error),
        graphwright::Error::Exchange(error) => error,
        other => return other,
    };
    let report = &imported.report;
    let done = format!(
        "{} nodes and {} relationships had been written; import again to write the rest",
        report.nodes, report.relationships
    );
    ExchangeError::Interrupted { done, cause: Box::new(cause) }.into()
}

fn ended(error: &tokio::task::JoinError) -> ExchangeError {
    ExchangeError::Internal { message: format!("the reading thread failed: {error}") }
}
