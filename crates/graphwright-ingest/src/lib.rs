//! Builds knowledge graphs from documents: extract under an ontology, resolve names, write, and keep
//! the graph in step with its documents.
//!
//! [`Ingest`] runs the whole pipeline into a store:
//!
//! 1. Files become documents with their blocks and passages ([`graphwright_documents`]).
//! 2. An [`Extractor`](graphwright_documents::Extractor) finds the entities and facts that the
//!    ontology allows; [`ModelExtractor`] asks a chat model.
//! 3. Names that mean one entity are resolved, and [`merge`] suggests duplicates.
//! 4. The differences to what the store holds are written.

mod error;
mod ledger;
mod lexical;
pub mod merge;
mod model;
mod pipeline;
mod propose;
pub mod report;
mod resolve;
mod type_names;
mod validate;

pub use error::{IngestError, Result};
pub use merge::{Review, Suggestion};
pub use model::{Estimate, ModelExtractor};
pub use pipeline::{Clock, InferOntology, Ingest};
pub use propose::{Proposal, Proposer};
pub use report::{
    Count, Difference, DroppedItem, Homonym, IngestReport, NewType, OntologyOrigin, Progress, Unread,
};
