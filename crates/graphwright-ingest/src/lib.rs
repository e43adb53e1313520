//! Builds knowledge graphs from documents: load, split, extract under an ontology, resolve, write.
//!
//! [`Ingest`] runs the whole pipeline into a store:
//!
//! 1. [`load`](mod@load) reads files into documents.
//! 2. [`split`](mod@split) cuts documents into passages.
//! 3. An [`Extractor`] finds entities and facts that the [`Ontology`] allows.
//! 4. [`resolve`] decides which names mean one entity, and [`merge`] suggests duplicates.
//! 5. The differences to what the store holds are written.
//!
//! [`exchange`] imports and exports whole graphs, and [`infer`](mod@infer) proposes an ontology.

mod error;
pub mod exchange;
pub mod extract;
pub mod infer;
mod ledger;
mod lexical;
mod links;
pub mod load;
pub mod merge;
pub mod ontology;
mod pipeline;
pub mod report;
pub mod resolve;
pub mod split;
mod validate;

pub use error::{IngestError, Result};
pub use extract::{Extraction, Extractor};
pub use infer::infer;
pub use load::{Failure, Input, Limits};
pub use merge::{Review, Suggestion};
pub use ontology::Ontology;
pub use pipeline::{Clock, Ingest};
pub use report::{Count, IngestReport, OntologyOrigin, Progress};
