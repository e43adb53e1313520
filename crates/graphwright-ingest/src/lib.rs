//! From documents to a knowledge graph: extract under an ontology, resolve names, write, and keep the
//! graph in step with its documents.
//!
//! [`Ingest`] is the pipeline. It takes any [`Extractor`](graphwright_documents::Extractor);
//! [`ModelExtractor`] reads with a chat model.

mod error;
mod ledger;
mod lexical;
pub mod merge;
mod model;
mod pipeline;
pub mod report;
mod resolve;
mod validate;

pub use error::{IngestError, Result};
pub use merge::{Review, Suggestion};
pub use model::{Estimate, ModelExtractor};
pub use pipeline::{Clock, InferOntology, Ingest};
pub use report::{Count, IngestReport, OntologyOrigin, Progress};
