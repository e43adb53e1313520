//! [`WorkerError`].

use std::{io, path::PathBuf};

use thiserror::Error;

/// The reason why a worker gave no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The program cannot be started.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The program is of another version.
    #[error("{} is of version {found}, and version {} is needed", program.display(), env!("CARGO_PKG_VERSION"))]
    Version {
        /// The program.
        program: PathBuf,
        /// Its version, or what it said in its place.
        found: String,
    },
    /// The worker needed more memory than it may have.
    #[error("the work needed more memory than it may have")]
    Memory,
    /// The worker ran out of stack: what it was given is nested too deeply.
    #[error("the work was nested too deeply")]
    Stack,
    /// All workers were busy for as long as the caller could wait.
    #[error("all workers are busy")]
    Busy,
    /// The worker ended for another reason.
    #[error("the worker ended: {0}")]
    Ended(String),
}
