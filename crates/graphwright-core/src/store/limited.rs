//! A store that bounds the time and the rows of queries.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use futures::stream::BoxStream;

use super::{
    Capabilities, ChangeSet, Counters, GraphStore, QueryOptions, ScanBatch, ScanOptions, SchemaOptions,
    StoreInfo, WriteResult,
};
use crate::{
    ElementId, GraphSchema, RecordStream, Result, Statement,
    schema::{Constraint, Index},
};

/// Upper bounds of a query. What a call asks for below them stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The longest time that a query may take.
    pub time: Option<Duration>,
    /// The most rows that a query may give.
    ///
    /// [`Summary::truncated`](crate::Summary::truncated) tells that rows were cut.
    pub rows: Option<usize>,
}

/// A store that bounds the time and the rows of every query on another store.
///
/// All other calls pass through.
#[derive(Clone, Debug)]
pub struct LimitedStore {
    store: Arc<dyn GraphStore>,
    limits: Limits,
}

impl LimitedStore {
    /// Creates a store that puts `limits` on the queries of `store`.
    pub fn new(store: Arc<dyn GraphStore>, limits: Limits) -> Self {
        Self { store, limits }
    }

    fn cap(&self, options: QueryOptions) -> QueryOptions {
        QueryOptions {
            time_limit: least(options.time_limit, self.limits.time),
            row_limit: least(options.row_limit, self.limits.rows),
            ..options
        }
    }
}

fn least<T: Ord>(asked: Option<T>, limit: Option<T>) -> Option<T> {
    match (asked, limit) {
        (Some(asked), Some(limit)) => Some(asked.min(limit)),
        (asked, limit) => asked.or(limit),
    }
}

#[async_trait]
impl GraphStore for LimitedStore {
    async fn info(&self) -> Result<StoreInfo> {
        self.store.info().await
    }

    fn capabilities(&self) -> Capabilities {
        self.store.capabilities()
    }

    async fn version(&self) -> Result<String> {
        self.store.version().await
    }

    async fn read(&self, statement: Statement, options: QueryOptions) -> Result<RecordStream> {
        self.store.read(statement, self.cap(options)).await
    }

    async fn write(&self, statement: Statement, options: QueryOptions) -> Result<WriteResult> {
        self.store.write(statement, self.cap(options)).await
    }

    async fn apply(&self, changes: ChangeSet) -> Result<Counters> {
        self.store.apply(changes).await
    }

    async fn schema(&self, options: SchemaOptions) -> Result<GraphSchema> {
        self.store.schema(options).await
    }

    async fn create_index(&self, index: Index) -> Result<()> {
        self.store.create_index(index).await
    }

    async fn drop_index(&self, name: &str) -> Result<()> {
        self.store.drop_index(name).await
    }

    async fn create_constraint(&self, constraint: Constraint) -> Result<()> {
        self.store.create_constraint(constraint).await
    }

    async fn create_keys(&self, labels: Vec<String>) -> Result<()> {
        self.store.create_keys(labels).await
    }

    async fn drop_constraint(&self, name: &str) -> Result<()> {
        self.store.drop_constraint(name).await
    }

    async fn scan(&self, options: ScanOptions) -> Result<BoxStream<'static, Result<ScanBatch>>> {
        self.store.scan(options).await
    }

    async fn vector_names(&self) -> Result<Vec<String>> {
        self.store.vector_names().await
    }

    async fn vectors(
        &self,
        label: &str,
        property: &str,
    ) -> Result<BoxStream<'static, Result<(ElementId, Vec<f32>)>>> {
        self.store.vectors(label, property).await
    }

    async fn snapshot(&self) -> Result<Option<Arc<dyn GraphStore>>> {
        let snapshot = self.store.snapshot().await?;
        Ok(snapshot.map(|store| Arc::new(Self::new(store, self.limits)) as Arc<dyn GraphStore>))
    }

    async fn checkpoint(&self) -> Result<()> {
        self.store.checkpoint().await
    }
}

#[cfg(test)]
mod tests {
    use super::least;

    #[test]
    fn the_smaller_bound_holds() {
        assert_eq!(least(Some(3), Some(2)), Some(2));
        assert_eq!(least(Some(1), Some(2)), Some(1));
        assert_eq!(least(None, Some(2)), Some(2));
        assert_eq!(least(Some(1), None), Some(1));
        assert_eq!(least::<u8>(None, None), None);
    }
}
