//! Progress and report of a run.

use std::collections::BTreeMap;

use graphwright_documents::{Failure, extraction::DropReason};
use graphwright_llm::Usage;
use serde::{Deserialize, Serialize};

/// Report of an ingest run. Its JSON form is public (`graphwright ingest --json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IngestReport {
    /// Documents.
    pub documents: Count,
    /// Passages.
    pub chunks: Count,
    /// Entities.
    pub entities: Count,
    /// Facts between entities.
    pub relationships: Count,
    /// Links between documents.
    pub links: Count,
    /// Extracted items that were dropped, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
    /// Files that could not be read.
    pub failed: Vec<Failure>,
    /// Files and links that were left out: kinds that hold no text, and links to folders.
    pub skipped: Vec<Failure>,
    /// Origin of the ontology.
    pub ontology: OntologyOrigin,
    /// Number of entities that lack a property which the ontology requires, by `Type.property`.
    pub incomplete: BTreeMap<String, u64>,
    /// Open proposals to merge entities.
    pub suggestions: u64,
    /// Usage of models.
    pub usage: Usage,
    /// Duration in milliseconds.
    pub elapsed_ms: u64,
}

/// Origin of an ontology.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OntologyOrigin {
    /// The caller gave it.
    Given,
    /// The graph was built with it before.
    Stored,
    /// It was inferred from the documents of this run.
    #[default]
    Inferred,
}

/// An event of a run, in the order in which they occur.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "event")]
#[non_exhaustive]
pub enum Progress {
    /// The files were found.
    Found {
        /// Number of files.
        files: usize,
    },
    /// A file was read.
    Read {
        /// Number of files so far.
        done: usize,
        /// Number of all files.
        total: usize,
    },
    /// The ontology was inferred.
    Inferred {
        /// Number of entity types.
        types: usize,
        /// Number of relationship types.
        relationships: usize,
    },
    /// The names of a document were surveyed.
    Surveyed {
        /// Number of documents so far.
        done: usize,
        /// Number of documents to survey.
        total: usize,
    },
    /// A document was written.
    Written {
        /// The document's source.
        document: String,
        /// Number of documents so far.
        done: usize,
        /// Number of documents to read.
        total: usize,
    },
    /// A file cannot be read.
    Failed(Failure),
    /// A document was removed because its file is gone.
    Removed {
        /// The document's source.
        document: String,
    },
}

/// Number of elements added, changed, removed and unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Elements that are new.
    pub added: u64,
    /// Elements that existed before and changed.
    pub changed: u64,
    /// Elements that no longer exist.
    pub removed: u64,
    /// Elements that stayed as they were.
    pub unchanged: u64,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.changed += other.changed;
        self.removed += other.removed;
        self.unchanged += other.unchanged;
    }
}
