//! From documents to a knowledge graph: load, split, extract under an ontology, resolve, write.

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
