//! From documents to a knowledge graph: load, split, extract under an ontology, resolve, write.

mod error;
pub mod extract;
pub mod ontology;

pub use error::{IngestError, Result};
pub use extract::{Extraction, Extractor};
pub use ontology::Ontology;
