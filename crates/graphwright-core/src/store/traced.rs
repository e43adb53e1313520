//! A store that shows its calls in traces.

use std::sync::Arc;

use async_trait::async_trait;
use futures::stream::BoxStream;
use tracing::{Instrument, Span, debug_span, field};

use super::{
    Capabilities, ChangeSet, Counters, GraphStore, QueryOptions, ScanBatch, ScanOptions, SchemaOptions,
    StoreInfo, WriteResult,
};
use crate::{
    ElementId, GraphSchema, RecordStream, Result, Statement,
    schema::{Constraint, Index},
};

/// A store that opens a [`tracing`] span for every call on another store.
///
/// Spans have the level `DEBUG` and are named `store.` and the method. They record the statement's
/// text, without the values of parameters, and the code of the error if there is one. The span of
/// `read` ends with the first row; rows that follow are not in it.
#[derive(Clone, Debug)]
pub struct TracedStore {
    store: Arc<dyn GraphStore>,
}

impl TracedStore {
    /// Creates a store that traces the calls of `store`.
    pub fn new(store: Arc<dyn GraphStore>) -> Self {
        Self { store }
    }
}

/// Runs a call in its span, and records the code of its error.
async fn traced<T>(span: Span, call: impl Future<Output = Result<T>> + Send) -> Result<T> {
    let result = call.instrument(span.clone()).await;
    if let Err(error) = &result {
        span.record("error", error.code());
    }
    result
}

#[async_trait]
impl GraphStore for TracedStore {
    async fn info(&self) -> Result<StoreInfo> {
        traced(debug_span!("store.info", error = field::Empty), self.store.info()).await
    }

    fn capabilities(&self) -> Capabilities {
        self.store.capabilities()
    }

    async fn version(&self) -> Result<String> {
        traced(debug_span!("store.version", error = field::Empty), self.store.version()).await
    }

    async fn read(&self, statement: Statement, options: QueryOptions) -> Result<RecordStream> {
        // Parameters stay out of the span: their values may be private.
        let span = debug_span!("store.read", statement = statement.text(), error = field::Empty);
        traced(span, self.store.read(statement, options)).await
    }

    async fn write(&self, statement: Statement, options: QueryOptions) -> Result<WriteResult> {
        let span = debug_span!("store.write", statement = statement.text(), error = field::Empty);
        traced(span, self.store.write(statement, options)).await
    }

    async fn apply(&self, changes: ChangeSet) -> Result<Counters> {
        let span = debug_span!("store.apply", changes = changes.len(), error = field::Empty);
        traced(span, self.store.apply(changes)).await
    }

    async fn schema(&self, options: SchemaOptions) -> Result<GraphSchema> {
        traced(debug_span!("store.schema", error = field::Empty), self.store.schema(options)).await
    }

    async fn create_index(&self, index: Index) -> Result<()> {
        let span = debug_span!("store.create_index", index = index.name, error = field::Empty);
        traced(span, self.store.create_index(index)).await
    }

    async fn drop_index(&self, name: &str) -> Result<()> {
        traced(debug_span!("store.drop_index", name, error = field::Empty), self.store.drop_index(name)).await
    }

    async fn create_constraint(&self, constraint: Constraint) -> Result<()> {
        let span = debug_span!("store.create_constraint", label = constraint.label, error = field::Empty);
        traced(span, self.store.create_constraint(constraint)).await
    }

    async fn create_keys(&self, labels: Vec<String>) -> Result<()> {
        let span = debug_span!("store.create_keys", ?labels, error = field::Empty);
        traced(span, self.store.create_keys(labels)).await
    }

    async fn drop_constraint(&self, name: &str) -> Result<()> {
        let span = debug_span!("store.drop_constraint", name, error = field::Empty);
        traced(span, self.store.drop_constraint(name)).await
    }

    async fn scan(&self, options: ScanOptions) -> Result<BoxStream<'static, Result<ScanBatch>>> {
        traced(debug_span!("store.scan", error = field::Empty), self.store.scan(options)).await
    }

    async fn vector_names(&self) -> Result<Vec<String>> {
        let span = debug_span!("store.vector_names", error = field::Empty);
        traced(span, self.store.vector_names()).await
    }

    async fn vectors(
        &self,
        label: &str,
        property: &str,
    ) -> Result<BoxStream<'static, Result<(ElementId, Vec<f32>)>>> {
        let span = debug_span!("store.vectors", label, property, error = field::Empty);
        traced(span, self.store.vectors(label, property)).await
    }

    async fn snapshot(&self) -> Result<Option<Arc<dyn GraphStore>>> {
        let span = debug_span!("store.snapshot", error = field::Empty);
        let snapshot = traced(span, self.store.snapshot()).await?;
        Ok(snapshot.map(|store| Arc::new(Self::new(store)) as Arc<dyn GraphStore>))
    }

    async fn checkpoint(&self) -> Result<()> {
        traced(debug_span!("store.checkpoint", error = field::Empty), self.store.checkpoint()).await
    }
}
