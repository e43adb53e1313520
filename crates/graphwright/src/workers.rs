//! Workers: child processes for what cannot be stopped from inside.

use std::{io, path::PathBuf};

#[cfg(feature = "documents")]
use graphwright_documents::{
    Limits,
    load::{self, Converters},
};
#[cfg(any(feature = "embedded", feature = "documents"))]
use graphwright_worker::Program;
use graphwright_worker::{ARGUMENT, Task, machine_memory};

/// What workers are started from, and the memory that they may use.
///
/// Queries that people or models wrote, and readers of PDF, office files and HTML, can need more memory or stack than a
/// machine has. In a worker that ends the worker, and the caller gets an error. Without a program they run in this
/// process: then time is limited, and the engine's own count of rows (10 million), but no memory.
///
/// Limits of memory are kept on Linux. Elsewhere only those of time are.
///
/// ```no_run
/// use graphwright::{Settings, WorkerSettings};
///
/// // The command of the same version, or this program if it calls `graphwright::serve_worker`.
/// let workers = WorkerSettings { program: Some("/usr/local/bin/graphwright".into()), ..WorkerSettings::default() };
/// let settings = Settings::at("graph").workers(workers);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSettings {
    /// The program. The `graphwright` command names itself.
    pub program: Option<PathBuf>,
    /// The most memory of a query in bytes; the graph itself does not count. Default: 512 MB.
    pub query_memory: u64,
    /// The most memory for reading a document in bytes. Default: 400 MB.
    pub document_memory: u64,
    /// The most memory of all workers together in bytes, graphs included. One worker runs in any case. Default: half of
    /// the machine's, or of the container's.
    pub total_memory: u64,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self {
            program: None,
            query_memory: 512_000_000,
            document_memory: 400_000_000,
            total_memory: machine_memory().map_or(2_000_000_000, |bytes| bytes / 2),
        }
    }
}

impl WorkerSettings {
    /// Adds workers for files that may do harm, if there is a program for them and the limits name none.
    #[cfg(feature = "documents")]
    pub(crate) fn confine(&self, mut limits: Limits) -> Limits {
        if let (None, Some(program)) = (&limits.converters, &self.program) {
            let program = Program::new(program);
            limits.converters = Some(Converters::new(program, self.document_memory, self.total_memory));
        }
        limits
    }

    #[cfg(feature = "embedded")]
    pub(crate) fn confinement(&self) -> Option<graphwright_embedded::Confinement> {
        Some(graphwright_embedded::Confinement {
            program: Program::new(self.program.clone()?),
            query_memory: self.query_memory,
            total_memory: self.total_memory,
        })
    }
}

/// Makes this process a worker if it was started as one, and returns whether it was.
///
/// A program that is to be named in [`WorkerSettings::program`] calls this first of all in `main`, and ends when it
/// returns `true`. Nothing may have been written to standard output.
///
/// ```no_run
/// fn main() -> std::io::Result<()> {
///     if graphwright::serve_worker()? {
///         return Ok(());
///     }
///     // What the program is for.
///     Ok(())
/// }
/// ```
///
/// # Errors
/// Fails if the program that started it does not speak as this version does.
pub fn serve_worker() -> io::Result<bool> {
    if std::env::args_os().nth(1).is_none_or(|argument| argument != ARGUMENT) {
        return Ok(false);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    graphwright_worker::serve(|Task { kind, settings }, requests, replies| match kind.as_str() {
        #[cfg(feature = "embedded")]
        graphwright_embedded::WORKER_KIND => {
            runtime.block_on(graphwright_embedded::serve(settings, requests, replies));
            Ok(true)
        }
        #[cfg(feature = "documents")]
        load::WORKER_KIND => {
            load::serve(settings, requests, replies);
            Ok(true)
        }
        _ => {
            let _ = (&runtime, settings, requests, replies);
            Err(io::Error::other(format!("no worker does {kind}")))
        }
    })?
}
