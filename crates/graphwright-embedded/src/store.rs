//! [`EmbeddedStore`], and how it is opened.

use std::{path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use futures::stream::BoxStream;
use graphwright_core::{
    ElementId, GraphSchema, GraphStore, RecordStream, Result, Statement, StoreError, names,
    schema::{Constraint, Index},
    store::{
        Capabilities, ChangeSet, Counters, QueryMode, QueryOptions, ScanBatch, ScanOptions, SchemaOptions,
        StoreInfo, WriteResult,
    },
};
use kglite::api::{DirGraph, session::ExecuteOutcome};

use crate::{
    Confinement, Repair, apply, aside, confined::Confined, index, location::Location, plan, query,
    reader::SnapshotReader, repair, run, scan, schema, thread, translate::translate, vectors, writer::Writer,
};

/// Options for opening a store.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Whether to write. One process at a time may; any number may read beside it.
    pub write: bool,
    /// The time to wait for another writer to end.
    pub wait: Duration,
    /// Where statements that people or models wrote run. `None` runs them in this process, where
    /// their time and the engine's count of work are bounded, but not their memory.
    pub confinement: Option<Confinement>,
}

impl OpenOptions {
    /// Creates options for only reading.
    pub fn reader() -> Self {
        Self { write: false, wait: Duration::ZERO, confinement: None }
    }

    /// Creates options for reading and writing, with a wait of two seconds for another writer.
    pub fn writer() -> Self {
        Self { write: true, wait: Duration::from_secs(2), confinement: None }
    }
}

/// A graph in a directory (or in memory) of this machine.
///
/// Every commit is durable when its call returns. One process writes; others read beside it and see
/// the last committed state at each call. Dropping the writer folds the log into the checkpoint
/// file, which takes as long as writing the graph does.
///
/// [`Counters::labels_changed`] counts what [`apply`](GraphStore::apply) does. For statements it
/// stays 0, since the engine does not tell it.
///
/// ```
/// use graphwright_core::{
///     GraphStore, NodeKey, Properties, Statement,
///     store::{ChangeSet, QueryOptions},
/// };
/// use graphwright_embedded::EmbeddedStore;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let store = EmbeddedStore::in_memory();
/// let mut changes = ChangeSet::new();
/// let properties = Properties::from([("born".to_owned(), 1815.into())]);
/// changes.upsert_node(NodeKey::new("Person", "ada"), &[], properties);
/// store.apply(changes).await?;
///
/// let text = "MATCH (p:Person) WHERE p.born < $year RETURN p.born";
/// let statement = Statement::fixed(text).with("year", 1900);
/// let table = store.read(statement, QueryOptions::default()).await?.collect().await?;
/// assert_eq!(table.rows, [[1815.into()]]);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct EmbeddedStore {
    access: Access,
    confined: Option<Arc<Confined>>,
}

#[derive(Clone)]
enum Access {
    Writer(Arc<Writer>),
    Reader(Arc<SnapshotReader>),
    Moment { graph: Arc<DirGraph>, version: String, location: Option<Location> },
}

impl EmbeddedStore {
    /// Opens the store in a directory. A writer creates it when there is none. A reader loads the graph when a call first
    /// needs it; [`version`](GraphStore::version) does not.
    ///
    /// # Errors
    ///
    /// Returns [`Locked`](StoreError::Locked) when another process writes,
    /// [`Unavailable`](StoreError::Unavailable) when there is nothing to read, and
    /// [`Corrupt`](StoreError::Corrupt) when the files are damaged.
    pub async fn open(path: impl AsRef<Path>, options: OpenOptions) -> Result<Self> {
        let location = Location::new(path.as_ref());
        let confined = options.confinement.map(|confinement| Arc::new(Confined::new(&location, confinement)));
        thread::run(move || {
            let access = if options.write {
                Access::Writer(Arc::new(Writer::open(location.clone(), options.wait)?))
            } else {
                Access::Reader(Arc::new(SnapshotReader::open(location.clone())?))
            };
            aside::warn(&location);
            Ok(Self { access, confined })
        })
        .await
    }

    /// Goes on with what is whole of a store whose log is damaged: cuts the log before the first
    /// damage, and keeps a copy of it. Returns `None` if nothing is damaged.
    ///
    /// # Errors
    ///
    /// Returns [`Locked`](StoreError::Locked) when another process writes, and
    /// [`Corrupt`](StoreError::Corrupt) when the checkpoint is missing or damaged: only a backup
    /// helps then.
    pub async fn repair(path: impl AsRef<Path>) -> Result<Option<Repair>> {
        let path = path.as_ref().to_owned();
        thread::run(move || repair::repair(&path, OpenOptions::writer().wait)).await
    }

    /// Creates a store that ends with the process.
    pub fn in_memory() -> Self {
        Self { access: Access::Writer(Arc::new(Writer::in_memory())), confined: None }
    }

    fn location(&self) -> Option<&Location> {
        match &self.access {
            Access::Writer(writer) => writer.location(),
            Access::Reader(reader) => Some(reader.location()),
            Access::Moment { location, .. } => location.as_ref(),
        }
    }

    /// Returns the graph as it is now, and its version.
    async fn now(&self) -> Result<(Arc<DirGraph>, String)> {
        match &self.access {
            Access::Writer(writer) => Ok((writer.snapshot(), writer.version().to_string())),
            Access::Moment { graph, version, .. } => Ok((Arc::clone(graph), version.clone())),
            Access::Reader(reader) => {
                // Looking whether the files changed is cheap enough for a thread of the runtime;
                // loading is not.
                let (graph, commit) = if let Some(unchanged) = reader.unchanged() {
                    unchanged
                } else {
                    let reader = Arc::clone(reader);
                    thread::run(move || reader.current()).await?
                };
                Ok((graph, commit.to_string()))
            }
        }
    }

    /// Returns a view of the graph as it is now, and its version.
    pub(crate) async fn moment(&self) -> Result<(Self, String)> {
        let (graph, version) = self.now().await?;
        let access = Access::Moment { graph, version: version.clone(), location: self.location().cloned() };
        Ok((Self { access, confined: self.confined.clone() }, version))
    }

    fn writer(&self) -> Result<Arc<Writer>> {
        match &self.access {
            Access::Writer(writer) => Ok(Arc::clone(writer)),
            Access::Reader(_) => {
                Err(StoreError::ReadOnly { context: "a store opened as a reader".to_owned() })
            }
            Access::Moment { .. } => Err(StoreError::ReadOnly { context: "a snapshot".to_owned() }),
        }
    }

    /// Runs `change` in one transaction.
    async fn transact<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut DirGraph) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let writer = self.writer()?;
        thread::run(move || writer.transact(change)).await
    }
}

#[async_trait]
impl GraphStore for EmbeddedStore {
    async fn info(&self) -> Result<StoreInfo> {
        let location = self.location();
        Ok(StoreInfo {
            kind: crate::KIND.to_owned(),
            address: location.map_or_else(|| "memory".to_owned(), Location::address),
            engine: crate::ENGINE.to_owned(),
            bytes: location.map(Location::bytes),
            notices: location.map(aside::notices).unwrap_or_default(),
        })
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            snapshot: true,
            write: matches!(self.access, Access::Writer(_)),
            full_text: false,
            vector: true,
            explains: false,
        }
    }

    async fn version(&self) -> Result<String> {
        if let Access::Reader(reader) = &self.access
            && reader.unchanged().is_none()
        {
            let reader = Arc::clone(reader);
            if let Some(commit) = thread::run(move || Ok(reader.commit())).await? {
                return Ok(commit.to_string());
            }
        }
        Ok(self.now().await?.1)
    }

    async fn read(&self, statement: Statement, options: QueryOptions) -> Result<RecordStream> {
        let (graph, version) = self.now().await?;
        match &self.confined {
            Some(confined) if statement.is_untrusted() => confined.read(&statement, options, version).await,
            _ => query::read(graph, &statement, options).await,
        }
    }

    async fn write(&self, statement: Statement, options: QueryOptions) -> Result<WriteResult> {
        if options.mode == QueryMode::Explain {
            return Ok(self.read(statement, options).await?.collect().await?.into());
        }
        let writer = self.writer()?;
        let translated = translate(&statement)?.in_mode(options.mode);
        let stop = run::StopOnDrop::new(&options);
        let cancel = stop.token.clone();
        let row_limit = options.row_limit;
        let (mut outcome, translated, plan) = thread::run(move || {
            let change = |graph: &mut DirGraph| {
                let profiles = options.mode == QueryMode::Profile;
                let plan = if profiles { Some(plan::explain(graph, &translated)?) } else { None };
                let outcome = query::run_on(graph, &translated, Some(cancel), options.time_limit)?;
                translated.check(&outcome.result.columns, &outcome.result.rows)?;
                options.check_changes(&counters(&outcome))?;
                Ok((outcome, plan))
            };
            let (outcome, plan) =
                if options.dry_run { writer.try_out(change)? } else { writer.transact(change)? };
            Ok((outcome, translated, plan))
        })
        .await?;
        // Kept until here: dropping it stops the engine.
        drop(stop);
        let plan = plan.map(|plan| plan::count(&plan, &mut outcome));
        let counters = counters(&outcome);
        let mut table = run::table(outcome, &translated, row_limit)?;
        table.summary.plan = plan;
        Ok(WriteResult { table, counters })
    }

    async fn apply(&self, changes: ChangeSet) -> Result<Counters> {
        self.transact(move |graph| apply::apply(graph, changes)).await
    }

    async fn schema(&self, options: SchemaOptions) -> Result<GraphSchema> {
        let (graph, _) = self.now().await?;
        thread::run(move || schema::describe(&graph, &options)).await
    }

    async fn create_index(&self, index: Index) -> Result<()> {
        self.transact(move |graph| index::create(graph, &index)).await?;
        // The name of a vector index is not in the log.
        let writer = self.writer()?;
        thread::run(move || writer.checkpoint()).await
    }

    async fn drop_index(&self, name: &str) -> Result<()> {
        let name = name.to_owned();
        self.transact(move |graph| index::remove(graph, &name)).await
    }

    async fn create_constraint(&self, constraint: Constraint) -> Result<()> {
        self.transact(move |graph| index::create_constraint(graph, &constraint)).await
    }

    async fn create_keys(&self, labels: Vec<String>) -> Result<()> {
        let unique =
            |label| Constraint { name: String::new(), label, properties: vec![names::ID.to_owned()] };
        let constraints: Vec<_> = labels.into_iter().map(unique).collect();
        self.transact(move |graph| {
            constraints.iter().try_for_each(|constraint| index::create_constraint(graph, constraint))
        })
        .await
    }

    async fn drop_constraint(&self, name: &str) -> Result<()> {
        let name = name.to_owned();
        self.transact(move |graph| index::remove_constraint(graph, &name)).await
    }

    async fn scan(&self, options: ScanOptions) -> Result<BoxStream<'static, Result<ScanBatch>>> {
        let (graph, _) = self.now().await?;
        scan::scan(graph, options)
    }

    async fn vector_names(&self) -> Result<Vec<String>> {
        let (graph, _) = self.now().await?;
        Ok(vectors::names(&graph))
    }

    async fn vectors(
        &self,
        label: &str,
        property: &str,
    ) -> Result<BoxStream<'static, Result<(ElementId, Vec<f32>)>>> {
        let (graph, _) = self.now().await?;
        let (label, property) = (label.to_owned(), property.to_owned());
        thread::run(move || Ok(scan::vectors(&graph, &label, &property))).await
    }

    async fn snapshot(&self) -> Result<Option<Arc<dyn GraphStore>>> {
        Ok(Some(Arc::new(self.moment().await?.0)))
    }

    async fn checkpoint(&self) -> Result<()> {
        let Access::Writer(writer) = &self.access else { return Ok(()) };
        let writer = Arc::clone(writer);
        thread::run(move || {
            writer.checkpoint_or_warn();
            Ok(())
        })
        .await
    }
}

impl std::fmt::Debug for EmbeddedStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let access = match &self.access {
            Access::Writer(_) => "writer",
            Access::Reader(_) => "reader",
            Access::Moment { .. } => "moment",
        };
        formatter
            .debug_struct("EmbeddedStore")
            .field("access", &access)
            .field("directory", &self.location().map(Location::directory))
            .finish_non_exhaustive()
    }
}

fn counters(outcome: &ExecuteOutcome) -> Counters {
    let stats = outcome.result.stats.clone().unwrap_or_default();
    Counters {
        nodes_created: stats.nodes_created as u64,
        nodes_deleted: stats.nodes_deleted as u64,
        relationships_created: stats.relationships_created as u64,
        relationships_deleted: stats.relationships_deleted as u64,
        properties_set: (stats.properties_set + stats.properties_removed) as u64,
        labels_changed: 0,
    }
}
