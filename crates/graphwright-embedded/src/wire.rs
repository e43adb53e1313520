//! What a store and its workers say to each other, as JSON.

use std::{path::PathBuf, time::Duration};

use graphwright_core::{
    Properties, Record, Result, Statement, StoreError, Summary,
    store::{QueryMode, QueryOptions},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio_util::sync::CancellationToken;

/// What a worker is told when it starts.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) directory: PathBuf,
    /// The memory of a query in bytes.
    pub(crate) memory: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    Read(Read),
    /// Ends the read that is under way. Without one it means nothing.
    Cancel,
}

/// A statement with its options.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Read {
    text: String,
    parameters: Properties,
    mode: QueryMode,
    time_limit: Option<Duration>,
    row_limit: Option<usize>,
}

impl Read {
    pub(crate) fn new(statement: &Statement, options: &QueryOptions) -> Self {
        Self {
            text: statement.text().to_owned(),
            parameters: statement.parameters().clone(),
            mode: options.mode,
            time_limit: options.time_limit,
            row_limit: options.row_limit,
        }
    }

    pub(crate) fn into_parts(self, cancel: CancellationToken) -> (Statement, QueryOptions) {
        // It passed the gate where it comes from.
        let statement = Statement::from_checked_text(self.text).with_all(self.parameters);
        let (mode, time_limit, row_limit) = (self.mode, self.time_limit, self.row_limit);
        (statement, QueryOptions { mode, time_limit, row_limit, cancel, ..QueryOptions::default() })
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    Columns(Vec<String>),
    Rows(Vec<Record>),
    Done {
        summary: Summary,
        version: String,
    },
    Failed(StoreError),
    /// The last of each request: the memory of the graph in bytes, and whether the worker can take another request.
    Ready {
        graph: u64,
        usable: bool,
    },
}

/// Messages in their form on the wire.
pub(crate) trait Message: Serialize + DeserializeOwned {
    fn encode(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(|error| unreadable(&error))
    }

    fn decode(bytes: &[u8]) -> Result<Self> {
        serde_json::from_slice(bytes).map_err(|error| unreadable(&error))
    }
}

impl Message for Request {}
impl Message for Reply {}

/// The form is our own, so what cannot be read was nested beyond what JSON is read to.
fn unreadable(error: &serde_json::Error) -> StoreError {
    if error.to_string().contains("recursion limit") {
        return StoreError::TooDeep;
    }
    StoreError::Engine { message: format!("a worker and its store do not understand each other: {error}") }
}
