//! A benchmark of the flows from questions to Cypher: flows × models × sets of questions.
//!
//! [`Dataset`] has questions with gold queries and rows, [`Opened`] runs the gold queries on the graph. [`run`] asks the questions
//! through each flow of each [`Contender`] and keeps all that was said in [`Results`]; [`replay`] does the same from what was kept,
//! without a model. [`Report`] counts, [`markdown`] and [`plot`] show it. A [`Player`] stands for a model that makes the faults of
//! recorded replies at their [`Rates`].
//!
//! ```
//! use std::sync::Arc;
//! use graphwright::FlowName;
//! use graphwright_embedded::EmbeddedStore;
//! use graphwright_eval::text2cypher::{Contender, Dataset, Opened, Options, Results, run};
//! use graphwright_llm::ScriptedModel;
//!
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("sums.jsonl");
//! std::fs::write(&file, r#"{"id": "1", "kind": "sum", "question": "What is 1 and 1?", "cypher": "RETURN 2"}"#)?;
//!
//! let opened = Opened::open(Dataset::read(&file)?, Arc::new(EmbeddedStore::in_memory())).await?;
//! let model = ScriptedModel::replies(["YES", "RETURN 1 + 1", "It is 2 [2]."]);
//! let mut results = Results::open(&folder.path().join("run.jsonl"), std::slice::from_ref(&opened), None, 0)?;
//! let options = Options { flows: vec![FlowName::Naive], ..Options::default() };
//! run(&[opened], &[Contender::Model(Arc::new(model))], &options, &mut results, || {}).await?;
//! assert!(results.entries()[0].score.right);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod ask;
mod dataset;
mod entry;
mod fault;
#[cfg(test)]
mod films;
mod gleu;
mod gold;
mod markdown;
mod player;
mod plot;
mod relevancy;
mod report;
mod run;
mod step;
mod tape;
#[cfg(test)]
mod tests;

pub use dataset::{Dataset, Expected, QUESTIONS, Question, SHIPPED_GRAPH, SubQuestion};
pub use entry::{Entry, Key, Recorded, Results, Score};
pub use fault::{Fault, classify};
pub use gleu::Gleu;
pub use gold::Opened;
pub use markdown::markdown;
pub use player::{Counted, Player, Rates};
pub use plot::plot;
pub use relevancy::Judge;
pub use report::{Cell, Count, Figures, FlowLabel, Recovery, Report, Uplift, kinds};
pub use run::{Contender, Options, keys, replay, run};
pub use step::Step;
pub use tape::Exchange;
