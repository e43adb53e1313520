//! The side of a worker that answers reads of a store.

use std::mem::size_of_val;

use futures::StreamExt;
use graphwright_core::{GraphStore, Record, Result, StoreError, Value};
use graphwright_worker::{Replies, Requests, limit_memory, used_memory};
use tokio_util::sync::CancellationToken;

use crate::{
    EmbeddedStore, OpenOptions,
    wire::{Message, Read, Reply, Request, Settings},
};

/// The size from which rows are sent without waiting for more.
const BATCH: usize = 256 * 1024;

/// Answers the reads of a store until it goes. `settings` and `requests` come from
/// [`graphwright_worker::serve`].
pub async fn serve(settings: serde_json::Value, mut requests: Requests, replies: Replies) {
    let Ok(settings) = serde_json::from_value::<Settings>(settings) else { return };
    let mut server = Server { settings, store: None, version: String::new(), graph: 0, replies };
    while let Some(request) = requests.recv().await {
        let read = match Request::decode(&request) {
            Ok(Request::Read(read)) => read,
            // The read has ended before this came.
            Ok(Request::Cancel) => continue,
            Err(error) => {
                server.say(&Reply::Failed(error));
                server.end();
                continue;
            }
        };
        let cancel = CancellationToken::new();
        let mut work = std::pin::pin!(server.answer(read, cancel.clone()));
        loop {
            tokio::select! {
                () = &mut work => break,
                request = requests.recv() => match request {
                    Some(_) => cancel.cancel(),
                    None => return,
                },
            }
        }
    }
}

struct Server {
    settings: Settings,
    store: Option<EmbeddedStore>,
    /// The state that is loaded.
    version: String,
    /// The memory that this process uses besides what queries use.
    graph: u64,
    replies: Replies,
}

impl Server {
    async fn answer(&mut self, read: Read, cancel: CancellationToken) {
        if let Err(error) = self.run(read, cancel).await {
            self.say(&Reply::Failed(self.with_budget(error)));
        }
        self.end();
    }

    /// Names the budget where the engine noticed by itself that there is no more memory.
    fn with_budget(&self, error: StoreError) -> StoreError {
        match error {
            StoreError::Evaluation { message } if message.starts_with("range() cannot allocate") => {
                StoreError::OverBudget { budget: self.settings.memory }
            }
            error => error,
        }
    }

    async fn run(&mut self, read: Read, cancel: CancellationToken) -> Result<()> {
        let (store, version) = self.load().await?;
        limit_memory(Some(self.graph.saturating_add(self.settings.memory)));
        let (statement, options) = read.into_parts(cancel);
        let mut stream = store.read(statement, options).await?;
        self.say(&Reply::Columns(stream.columns().to_vec()));
        let (mut rows, mut size) = (Vec::new(), 0);
        while let Some(row) = stream.next().await {
            let row: Record = row?;
            size += size_of_val(row.as_slice()) + row.iter().map(Value::size).sum::<usize>();
            rows.push(row);
            if size >= BATCH {
                self.say(&Reply::Rows(std::mem::take(&mut rows)));
                size = 0;
            }
        }
        if !rows.is_empty() {
            self.say(&Reply::Rows(rows));
        }
        let summary = stream.summary().cloned().unwrap_or_default();
        self.say(&Reply::Done { summary, version });
        Ok(())
    }

    /// Returns the store as last committed. Loading it is not counted against the query.
    async fn load(&mut self) -> Result<(EmbeddedStore, String)> {
        limit_memory(None);
        let store = if let Some(store) = &self.store {
            store
        } else {
            let opened = EmbeddedStore::open(&self.settings.directory, OpenOptions::reader()).await?;
            self.store.insert(opened)
        };
        let (now, version) = store.moment().await?;
        if self.graph == 0 || version != self.version {
            self.version.clone_from(&version);
            self.graph = used_memory();
        }
        Ok((now, version))
    }

    fn end(&mut self) {
        // Memory that an earlier query has left in pieces would be missing in a later one.
        let usable = used_memory() < self.graph.saturating_add(self.settings.memory / 4);
        self.say(&Reply::Ready { graph: self.graph, usable });
    }

    fn say(&mut self, reply: &Reply) {
        let message = reply.encode().or_else(|error: StoreError| Reply::Failed(error).encode());
        // A parent that is gone hears nothing, and the process ends with the next request.
        let _ = message.map(|message| self.replies.send(&message));
    }
}
