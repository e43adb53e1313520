//! Replay of recorded model output through gate, lint and repair.
//!
//! [`Recording::read`] loads queries of models with the right ones beside them. [`replay`] runs
//! them before and after repair and keeps its verdicts in [`Results`], and [`Summary`] counts
//! these.
//!
//! ```
//! use graphwright_eval::replay::{ReplayGraph, ReplayOptions, Recording, Results, Summary, replay};
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("model.jsonl");
//! let line = r#"{"graph": "shop", "gold_cypher": "RETURN 1", "pred_cypher": "RETURN 1 +"}"#;
//! std::fs::write(&file, line)?;
//!
//! let recordings = Recording::read(&file)?;
//! let graphs = vec![ReplayGraph::new("shop", None, None)];
//! let options = ReplayOptions::default();
//! let path = folder.path().join("results.jsonl");
//! let mut results = Results::open(&path, &recordings, &graphs, &options)?;
//! replay(&recordings, &graphs, &options, &mut results, |_| {}).await?;
//!
//! let summary = Summary::from_verdicts(results.verdicts());
//! assert_eq!(summary.total.found_broken, 1);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod detection;
pub(crate) mod execute;
mod plot;
mod recording;
mod results;
mod run;
mod setup;
mod summary;
mod verdict;

pub use compare::{same_rows, wants_order};
pub use detection::Detection;
pub use plot::plot;
pub use recording::{Labels, Recording};
pub use results::Results;
pub use run::replay;
pub use setup::{ReplayGraph, ReplayOptions};
pub use summary::{Agreement, Part, Share, Summary};
pub use verdict::{Mended, Run, RunError, Verdict};
