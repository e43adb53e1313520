//! Conversion in workers, with limits of memory, stack, time and output.

use std::{num::NonZeroUsize, thread::available_parallelism, time::Duration};

use graphwright_worker::{Pool, Program, Replies, Requests, Worker, WorkerError, limit_memory, used_memory};
use serde::{Deserialize, Serialize};

use super::convert::{self, Converted, Convertible};

/// The kind of work of these workers.
pub const WORKER_KIND: &str = "documents";

/// How long a file waits for a worker that other files use.
const PATIENCE: Duration = Duration::from_mins(10);

/// Workers that read HTML, PDF, office files and mails, whose parsers can need any amount of memory, stack and time.
///
/// A file that needs too much ends its worker, and becomes a [`Failure`](super::Failure).
#[derive(Clone, Debug)]
pub struct Converters {
    pool: Pool,
    memory: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Settings {
    memory: u64,
}

/// What comes before the bytes of a file.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    kind: Convertible,
    time: Duration,
    most: usize,
}

impl Converters {
    /// Names the program that becomes a worker, and the most memory for a file in bytes. `total` is the most memory for
    /// all workers at once; one runs in any case.
    pub fn new(program: Program, memory: u64, total: u64) -> Self {
        let fit = usize::try_from(total / memory.max(1)).unwrap_or(usize::MAX);
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let pool =
            Pool::new(fit.min(cores), move || Worker::start(&program, WORKER_KIND, &Settings { memory }));
        Self { pool, memory }
    }

    /// Converts a file to at most `most` bytes of Markdown.
    pub(super) fn convert(
        &self,
        kind: Convertible,
        bytes: &[u8],
        time: Duration,
        most: usize,
    ) -> Result<Converted, String> {
        let ask = || {
            let mut worker = self.pool.take(PATIENCE)?;
            let header = serde_json::to_vec(&Header { kind, time, most }).unwrap_or_default();
            worker.send(&header)?;
            worker.send(bytes)?;
            let reply = worker.receive(time)?;
            // One that is late ends here.
            if reply.is_some() {
                worker.keep();
            }
            Ok(reply)
        };
        match ask() {
            Ok(Some(reply)) => serde_json::from_slice(&reply)
                .unwrap_or_else(|error| Err(format!("cannot be read: its reader broke off ({error})"))),
            Ok(None) => Err(format!("cannot be read within {} s{SIMPLER}", time.as_secs())),
            Err(error) => Err(self.reason(&error)),
        }
    }

    fn reason(&self, error: &WorkerError) -> String {
        match error {
            WorkerError::Memory => {
                format!("cannot be read with {} MB of memory{SIMPLER}", self.memory / 1_000_000)
            }
            WorkerError::Stack => format!("cannot be read: it is nested too deeply{SIMPLER}"),
            error => format!("cannot be read: {error}"),
        }
    }
}

const SIMPLER: &str = "; if it is a real document, save it as plain text or in parts";

/// Converts files until the parent goes. `settings` and `requests` come from [`graphwright_worker::serve`].
pub fn serve(settings: serde_json::Value, mut requests: Requests, mut replies: Replies) {
    let Ok(settings) = serde_json::from_value::<Settings>(settings) else { return };
    // What an earlier file has left behind is missing for a later one; it is little, or the worker would have ended.
    limit_memory(Some(used_memory().saturating_add(settings.memory)));
    while let Some((header, bytes)) = requests.blocking_recv().zip(requests.blocking_recv()) {
        let Ok(header) = serde_json::from_slice::<Header>(&header) else { return };
        let converted = convert::convert(header.kind, &bytes, header.time).and_then(|converted| {
            let (length, most) = (converted.text.len(), header.most);
            if length <= most {
                return Ok(converted);
            }
            Err(format!(
                "holds {} MB of text; the limit is {} MB for a file",
                length / 1_000_000,
                most / 1_000_000
            ))
        });
        let Ok(reply) = serde_json::to_vec(&converted) else { return };
        if replies.send(&reply).is_err() {
            return;
        }
    }
}
