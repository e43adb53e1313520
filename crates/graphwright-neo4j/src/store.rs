//! [`Neo4jStore`], the store on a server.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use futures::stream::BoxStream;
use graphwright_core::{
    ElementId, GraphSchema, GraphStore, RecordStream, Result, Statement, StoreError,
    schema::{Constraint, Index},
    store::{
        Capabilities, ChangeSet, Counters, QueryMode, QueryOptions, ScanBatch, ScanOptions, SchemaOptions,
        StoreInfo, WriteResult,
    },
};

use crate::{
    ConnectOptions,
    apply::{self, Known},
    index, query, scan, schema,
    server::{Greeting, Server},
    vectors::VectorNames,
    workers::{Limits, Workers},
};

/// The time that describing the schema may take.
const SCHEMA_TIME: Duration = Duration::from_mins(2);

/// A graph on a Neo4j server, on a cluster, or on Aura.
///
/// Reads run where writing is refused, in one transaction each. So does a
/// [`scan`](GraphStore::scan), which sees what others commit while it reads, since Neo4j has no
/// snapshots. Failures that pass are tried again. A vector is a property of its node.
///
/// ```
/// use graphwright_neo4j::{ConnectOptions, Credentials, Neo4jStore};
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let user = "neo4j".to_owned();
/// let credentials = Credentials::Basic { user, password: "secret".to_owned().into() };
/// // Nothing listens at this port.
/// let options = ConnectOptions::new("bolt://127.0.0.1:1".parse()?, credentials);
/// let error = Neo4jStore::connect(options).await.unwrap_err();
/// let message = "cannot open bolt://127.0.0.1:1: nothing answers at this port";
/// assert_eq!(error.to_string(), message);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Neo4jStore {
    workers: Arc<Workers>,
    known: Arc<Known>,
    greeting: Greeting,
    write: bool,
    schema: Mutex<Option<Described>>,
}

/// A schema, with the version of the data and the options that it was made for.
#[derive(Debug)]
struct Described {
    version: String,
    options: String,
    schema: GraphSchema,
}

impl Neo4jStore {
    /// Connects, and checks that the server lets us in, has the database and is new enough (5.13).
    ///
    /// # Errors
    ///
    /// Returns [`Unavailable`](graphwright_core::StoreError::Unavailable), which tells what is
    /// wrong: host, port, user or password, database, encryption, version.
    pub async fn connect(options: ConnectOptions) -> Result<Self> {
        let workers = Arc::new(Workers::new(Arc::new(Server::new(&options)?), &options));
        let write = options.write;
        let greeting = workers.run(Limits::default(), Server::greet).await?;
        Ok(Self { workers, known: Arc::default(), greeting, write, schema: Mutex::default() })
    }

    /// Returns the number of threads that wait for a server that does not answer, after their
    /// callers have got errors.
    pub fn blocked_workers(&self) -> usize {
        self.workers.blocked()
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Server, &crate::call::Call) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.workers.run(Limits::default(), work).await
    }

    fn require_write(&self) -> Result<()> {
        if self.write {
            return Ok(());
        }
        Err(StoreError::ReadOnly { context: "a store opened as a reader".to_owned() })
    }

    fn described(&self) -> std::sync::MutexGuard<'_, Option<Described>> {
        self.schema.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl GraphStore for Neo4jStore {
    async fn info(&self) -> Result<StoreInfo> {
        let address = self.workers.server().address();
        Ok(StoreInfo {
            kind: crate::KIND.to_owned(),
            address: match &self.greeting.database {
                Some(database) => format!("{address} ({database})"),
                None => address.to_string(),
            },
            engine: self.greeting.agent.replace('/', " "),
            bytes: None,
            notices: Vec::new(),
        })
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { snapshot: false, write: self.write, full_text: true, vector: true, explains: true }
    }

    async fn version(&self) -> Result<String> {
        let limits = Limits { time: QueryOptions::default().time_limit, ..Limits::default() };
        self.workers.run(limits, Server::moment).await
    }

    async fn read(&self, statement: Statement, options: QueryOptions) -> Result<RecordStream> {
        query::read(&self.workers, &statement, &options).await
    }

    async fn write(&self, statement: Statement, options: QueryOptions) -> Result<WriteResult> {
        if options.mode == QueryMode::Explain {
            return Ok(self.read(statement, options).await?.collect().await?.into());
        }
        self.require_write()?;
        query::write(&self.workers, &statement, &options).await
    }

    async fn apply(&self, changes: ChangeSet) -> Result<Counters> {
        self.require_write()?;
        if changes.is_empty() {
            return Ok(Counters::default());
        }
        let known = Arc::clone(&self.known);
        self.run(move |server, call| apply::apply(server, call, &known, changes)).await
    }

    async fn schema(&self, options: SchemaOptions) -> Result<GraphSchema> {
        // Before the schema is read: what changes in between makes the next call describe it again.
        let version = self.version().await?;
        let key = format!("{options:?}");
        // Describing takes several statements and samples, so the last schema is kept while nothing
        // changes.
        if let Some(known) = &*self.described()
            && known.version == version
            && known.options == key
        {
            return Ok(known.schema.clone());
        }
        let limits = Limits { time: Some(SCHEMA_TIME), ..Limits::default() };
        let schema =
            self.workers.run(limits, move |server, call| schema::describe(server, call, &options)).await?;
        *self.described() = Some(Described { version, options: key, schema: schema.clone() });
        Ok(schema)
    }

    async fn create_index(&self, index: Index) -> Result<()> {
        self.require_write()?;
        self.run(move |server, call| index::create(server, call, &index)).await
    }

    async fn drop_index(&self, name: &str) -> Result<()> {
        self.require_write()?;
        let name = name.to_owned();
        self.run(move |server, call| index::remove(server, call, &name)).await
    }

    async fn create_constraint(&self, constraint: Constraint) -> Result<()> {
        self.require_write()?;
        self.run(move |server, call| index::create_constraint(server, call, &constraint)).await
    }

    async fn create_keys(&self, labels: Vec<String>) -> Result<()> {
        self.require_write()?;
        let known = Arc::clone(&self.known);
        self.run(move |server, call| known.keys.ensure(server, call, labels)).await
    }

    async fn drop_constraint(&self, name: &str) -> Result<()> {
        self.require_write()?;
        let name = name.to_owned();
        self.run(move |server, call| index::remove_constraint(server, call, &name)).await
    }

    async fn scan(&self, options: ScanOptions) -> Result<BoxStream<'static, Result<ScanBatch>>> {
        scan::scan(&self.workers, options).await
    }

    async fn vector_names(&self) -> Result<Vec<String>> {
        self.run(|server, call| VectorNames::load(server, call).map(VectorNames::into_sorted)).await
    }

    async fn vectors(
        &self,
        label: &str,
        property: &str,
    ) -> Result<BoxStream<'static, Result<(ElementId, Vec<f32>)>>> {
        scan::vectors(&self.workers, label, property).await
    }

    async fn snapshot(&self) -> Result<Option<Arc<dyn GraphStore>>> {
        Ok(None)
    }

    /// Does nothing: Neo4j makes a commit durable before it answers.
    async fn checkpoint(&self) -> Result<()> {
        Ok(())
    }
}
