//! Runs the openCypher Technology Compatibility Kit (TCK) on a store.
//!
//! The kit is a folder of Gherkin files. Each scenario has a graph, a query, the rows or the error
//! that Cypher defines for it, and its side effects. [`load`] reads the kit, [`Runner`] runs its
//! scenarios one after another on one store, and [`Report`] counts how they end.
//!
//! Queries reach the store as they do when people write them: through the gate, here with writing
//! allowed and no bounds added.
//!
//! ```
//! use graphwright_embedded::EmbeddedStore;
//! use graphwright_tck::{Report, Runner, load};
//!
//! let kit = tempfile::tempdir()?;
//! let feature = "
//! Feature: Numbers
//!   Scenario: [1] One
//!     When executing query:
//!       \"\"\"
//!       RETURN 1 AS x
//!       \"\"\"
//!     Then the result should be, in any order:
//!       | x |
//!       | 1 |";
//! std::fs::create_dir(kit.path().join("features"))?;
//! std::fs::write(kit.path().join("features/Numbers.feature"), feature)?;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let store = EmbeddedStore::in_memory();
//! let mut runner = Runner::new(&store);
//! let mut report = Report::default();
//! for scenario in load(kit.path())? {
//!     report.add(&scenario, runner.run(&scenario).await?);
//! }
//! assert_eq!(report.reading.right, 1);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod effects;
mod feature;
mod notation;
mod report;
mod run;
mod scenario;

use std::{io, path::PathBuf};

use thiserror::Error;

pub use report::{Count, Report, Verdict};
pub use run::Runner;
pub use scenario::{Scenario, load};

/// An error that keeps the kit from running.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TckError {
    /// A file or folder of the kit cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A feature file contains something that the runner does not know.
    #[error("{}: {message}", path.display())]
    Feature {
        /// The file.
        path: PathBuf,
        /// The message, with the line or the scenario.
        message: String,
    },
    /// The store cannot be emptied between scenarios.
    #[error("the store cannot be emptied: {0}")]
    Emptying(#[from] graphwright_core::StoreError),
}
