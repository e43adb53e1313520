//! Access for the one process that writes.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use graphwright_core::{Result, StoreError};
use kglite::api::{
    DirGraph,
    durable::DurabilityLevel,
    io::{GraphWriterLease, save_graph},
    session::{OpenSpec, Session, open_path},
    storage::StorageMode,
};

use crate::{error, location::Location, log, thread, vectors};

/// The size of the log above which it is folded into the checkpoint beside the work.
///
/// Reading the log back takes the next process that opens the store about 40 ms for each MiB.
const LOG_BYTES: u64 = 4 * 1024 * 1024;

/// A session with the right to write.
pub(crate) struct Writer {
    session: Session,
    location: Option<Location>,
    lease: Option<GraphWriterLease>,
    checkpointing: AtomicBool,
    /// Whether something was committed that the checkpoint may lack. Not told by the number of the
    /// last commit: a change of an index may make no commit in the log.
    unfolded: AtomicBool,
}

impl Writer {
    /// Takes the lease of the store and opens it. Creates it when there is none.
    pub(crate) fn open(location: Location, wait: Duration) -> Result<Self> {
        location.create()?;
        location.require_writable()?;
        let path = location.checkpoint();
        let lease = GraphWriterLease::acquire_labeled(&path, wait, Some(&command()))
            .map_err(|refusal| error::from_lease(refusal, &path))?;
        let logged = log::prepare(&location)?;
        if !path.exists() {
            create_checkpoint(&location)?;
        }
        let spec = OpenSpec {
            storage: Some(StorageMode::Memory),
            durability: DurabilityLevel::Full,
            // An inherited level may be lowered in silence; an explicit one fails.
            durability_explicit: true,
            // The lease is taken above, so that it can be given back last.
            lease_timeout: None,
            valid_time_default: None,
        };
        let opened = open_path(&path, &spec).map_err(|error| error::from_open(error, &path))?;
        opened.session.set_auto_checkpoint_wal_bytes(Some(LOG_BYTES));
        log::check_sequence(&logged, opened.session.snapshot().checkpoint_lsn, &location)?;
        let writer = Self {
            session: opened.session,
            location: Some(location),
            lease: Some(lease),
            checkpointing: AtomicBool::new(false),
            unfolded: AtomicBool::new(!logged.is_empty()),
        };
        // A log was applied to the checkpoint, which takes vectors out of their indexes.
        if writer.session.last_lsn().is_some_and(|last| last > 0) {
            writer
                .session
                .write_logged(vectors::restore)
                .map_err(|error| error::from_write(error, &writer.log()))?;
        }
        Ok(writer)
    }

    /// Creates a store that ends with the process.
    pub(crate) fn in_memory() -> Self {
        Self {
            session: Session::new(DirGraph::new()),
            location: None,
            lease: None,
            checkpointing: AtomicBool::new(false),
            unfolded: AtomicBool::new(false),
        }
    }

    pub(crate) fn location(&self) -> Option<&Location> {
        self.location.as_ref()
    }

    /// Returns the file to which commits go.
    fn log(&self) -> PathBuf {
        self.location().map_or_else(|| PathBuf::from("memory"), Location::log)
    }

    pub(crate) fn snapshot(&self) -> Arc<DirGraph> {
        self.session.snapshot()
    }

    /// Returns a number that changes with every commit, and is equal for the same state in every
    /// process.
    pub(crate) fn version(&self) -> u64 {
        // Not `last_lsn`, which is 0 again once the log is folded into the checkpoint.
        self.session.next_lsn().map_or_else(|| self.session.version(), |next| next.saturating_sub(1))
    }

    /// Runs `change` in one transaction. An error leaves everything as it was.
    pub(crate) fn transact<T>(
        self: &Arc<Self>,
        change: impl FnOnce(&mut DirGraph) -> Result<T>,
    ) -> Result<T> {
        let outcome =
            self.session.write_logged(change).map_err(|error| error::from_write(error, &self.log()))?;
        self.unfolded.store(true, Ordering::Release);
        self.checkpoint_if_due();
        Ok(outcome.value)
    }

    /// Runs `change` in one transaction that is rolled back whatever comes of it.
    pub(crate) fn try_out<T>(&self, change: impl FnOnce(&mut DirGraph) -> Result<T>) -> Result<T> {
        let mut outcome = None;
        let taken_back = self.session.write_logged(|graph| {
            outcome = Some(change(graph));
            // Any error makes the session drop the changes.
            Err::<(), _>(StoreError::Cancelled)
        });
        match (outcome, taken_back) {
            (Some(outcome), _) => outcome,
            (None, Err(error)) => Err(error::from_write(error, &self.log())),
            (None, Ok(_)) => Err(StoreError::Engine { message: "the write did not run".to_owned() }),
        }
    }

    /// Folds the log into the checkpoint file.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        // Before the work: what is committed meanwhile may not be in it.
        let Some(location) = self.location() else { return Ok(()) };
        if !self.unfolded.swap(false, Ordering::AcqRel) {
            return Ok(());
        }
        self.session.checkpoint_online().map(drop).map_err(|message| {
            self.unfolded.store(true, Ordering::Release);
            StoreError::Io {
                message: format!(
                    "cannot write the checkpoint {}: {message}",
                    location.checkpoint().display()
                ),
                source: None,
            }
        })
    }

    /// Folds the log into the checkpoint file, which may wait if that fails: the log keeps every
    /// commit.
    pub(crate) fn checkpoint_or_warn(&self) {
        if let Err(error) = self.checkpoint() {
            tracing::warn!(%error, "what was committed is safe in the log");
        }
    }

    fn checkpoint_if_due(self: &Arc<Self>) {
        if !self.session.needs_checkpoint() || self.checkpointing.swap(true, Ordering::AcqRel) {
            return;
        }
        let writer = Arc::clone(self);
        let work = move || {
            if let Err(message) = writer.session.maybe_checkpoint_online() {
                tracing::warn!(message, "the checkpoint beside the work failed; the log keeps every commit");
            }
            writer.checkpointing.store(false, Ordering::Release);
        };
        if thread::spawn(work).is_err() {
            self.checkpointing.store(false, Ordering::Release);
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.checkpoint_or_warn();
        // The lease goes last, so that the next writer finds the files at rest.
        self.session.retire();
        self.lease.take();
    }
}

/// Writes the first checkpoint, of nothing.
///
/// It comes before the log, so that a log without a checkpoint has lost it.
fn create_checkpoint(location: &Location) -> Result<()> {
    let path = location.checkpoint();
    save_graph(&mut Arc::new(DirGraph::new()), &path.to_string_lossy()).map_err(|failure| StoreError::Io {
        message: format!("cannot write to {}: {failure}", path.display()),
        source: None,
    })
}

/// Returns the command of this process, for the one that finds the store locked.
fn command() -> String {
    let mut arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let program = arguments.next().unwrap_or_default();
    let name = std::path::Path::new(&program).file_name().map(|name| name.to_string_lossy().into_owned());
    // Only the program and its subcommand: what follows may be private.
    let words: Vec<_> =
        name.into_iter().chain(arguments.take_while(|word| !word.starts_with('-')).take(1)).collect();
    words.join(" ")
}
