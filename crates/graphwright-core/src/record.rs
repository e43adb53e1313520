//! Rows that a query returns.

use std::{
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll},
};

use futures::{Stream, StreamExt, stream::BoxStream};
use serde::{Deserialize, Serialize};

use crate::{Plan, QueryType, Result, Value};

/// A row. Its values are in the order of the stream's columns.
pub type Record = Vec<Value>;

/// A remark of the store beside the rows, as "label `Persn` does not exist".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// A stable name, as `unknown_label`.
    pub code: String,
    /// The text for people.
    pub message: String,
}

/// A summary of a query, known once the last row has been read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The reason why rows are missing, if a limit cut the result.
    pub truncated: Option<String>,
    /// Remarks of the store.
    pub notices: Vec<Notice>,
    /// The kind of the statement, if the store tells it.
    pub query_type: Option<QueryType>,
    /// The plan, if [`QueryMode`](crate::store::QueryMode) asked for it.
    pub plan: Option<Plan>,
}

/// A stream of rows. Dropping it ends the query.
pub struct RecordStream {
    columns: Arc<[String]>,
    records: BoxStream<'static, Result<Record>>,
    summary: Arc<OnceLock<Summary>>,
}

impl RecordStream {
    /// Creates a stream from its parts. The store fills `summary` before it ends the stream.
    pub fn new(
        columns: impl Into<Arc<[String]>>,
        records: BoxStream<'static, Result<Record>>,
        summary: Arc<OnceLock<Summary>>,
    ) -> Self {
        Self { columns: columns.into(), records, summary }
    }

    /// Creates a stream over rows that are already there.
    pub fn from_table(table: Table) -> Self {
        let summary = Arc::new(OnceLock::from(table.summary));
        let records = futures::stream::iter(table.rows.into_iter().map(Ok)).boxed();
        Self::new(table.columns, records, summary)
    }

    /// Returns the names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the summary, or `None` until the last row has been read.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.get()
    }

    /// Reads all rows.
    pub async fn collect(self) -> Result<Table> {
        self.collect_within(usize::MAX).await
    }

    /// Reads rows while they take at most `bytes` together ([`Value::size`]), then ends the query.
    ///
    /// [`Summary::truncated`] tells whether rows are missing because of the limit.
    pub async fn collect_within(mut self, bytes: usize) -> Result<Table> {
        let mut rows: Vec<Record> = Vec::new();
        let mut size = 0_usize;
        let mut truncated = None;
        while let Some(record) = self.records.next().await {
            let record = record?;
            size = size.saturating_add(record.iter().map(Value::size).sum());
            if size > bytes {
                truncated = Some(too_large(rows.len(), bytes));
                // The stream is dropped at the end of this call, which ends the query.
                break;
            }
            rows.push(record);
        }
        let mut summary = self.summary.get().cloned().unwrap_or_default();
        summary.truncated = truncated.or(summary.truncated);
        Ok(Table { columns: self.columns.to_vec(), rows, summary })
    }
}

impl Stream for RecordStream {
    type Item = Result<Record>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.records.poll_next_unpin(context)
    }
}

impl std::fmt::Debug for RecordStream {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RecordStream").field("columns", &self.columns).finish_non_exhaustive()
    }
}

/// A result that was read to its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each in the order of `columns`.
    pub rows: Vec<Record>,
    /// Whether and why rows are missing, and the remarks of the store.
    pub summary: Summary,
}

impl Table {
    /// Keeps the first rows that take at most `bytes` together ([`Value::size`]).
    ///
    /// [`Summary::truncated`] tells whether rows are missing because of the limit.
    #[must_use]
    pub fn within(mut self, bytes: usize) -> Self {
        let mut size = 0_usize;
        let fits = self.rows.iter().take_while(|row| {
            size = size.saturating_add(row.iter().map(Value::size).sum());
            size <= bytes
        });
        let count = fits.count();
        if count < self.rows.len() {
            self.rows.truncate(count);
            self.summary.truncated = Some(too_large(count, bytes));
        }
        self
    }
}

fn too_large(rows: usize, bytes: usize) -> String {
    format!("only the first {rows} rows are shown (limit of {bytes} bytes)")
}
