//! Recorded model output, replayed through gate, lint and repair.
//!
//! ```
//! use graphwright_eval::replay::{ReplayGraph, ReplayOptions, Recording, Results, Summary, replay};
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("model.jsonl");
//! std::fs::write(&file, r#"{"graph": "shop", "gold_cypher": "RETURN 1", "pred_cypher": "RETURN 1 +"}"#)?;
//!
//! let recordings = Recording::read(&file)?;
//! let graphs = vec![ReplayGraph::new("shop", None, None)];
//! let options = ReplayOptions::default();
//! let mut results = Results::open(&folder.path().join("results.jsonl"), &recordings, &graphs, &options)?;
//! replay(&recordings, &graphs, &options, &mut results, |_| {}).await?;
//!
//! let summary = Summary::of(results.verdicts());
//! assert_eq!(summary.total.found_broken, 1);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod detection;
mod execute;
mod plot;
mod recording;
mod results;
mod run;
mod summary;
mod verdict;

pub use compare::{same_rows, wants_order};
pub use detection::Detection;
pub use plot::plot;
pub use recording::{Labels, Recording};
pub use results::Results;
pub use run::{ReplayGraph, ReplayOptions, replay};
pub use summary::{Agreement, Part, Share, Summary};
pub use verdict::{Mended, Run, RunError, Verdict};
