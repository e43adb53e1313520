//! What a run tells while it works and when it ends.

use std::collections::BTreeMap;

use graphwright_documents::{Failure, extraction::DropReason};
use graphwright_llm::Usage;
use serde::{Deserialize, Serialize};

/// What an ingest did. The shape is public (`graphwright ingest --json`).
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
    /// What was read but not taken over, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
    /// Files that could not be read.
    pub failed: Vec<Failure>,
    /// What was left out: files of kinds that hold no text, and links to folders.
    pub skipped: Vec<Failure>,
    /// Where the ontology comes from.
    pub ontology: OntologyOrigin,
    /// Entities that lack a property that the ontology requires, by `Type.property`.
    pub incomplete: BTreeMap<String, u64>,
    /// Proposals to merge entities that wait for a decision.
    pub suggestions: u64,
    /// What models took.
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}

/// Where an ontology comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OntologyOrigin {
    /// The caller gave it.
    Given,
    /// The graph was built with it before.
    Stored,
    /// It was inferred from the documents in this run.
    #[default]
    Inferred,
}

/// What happens during a run, in order.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "event")]
#[non_exhaustive]
pub enum Progress {
    /// The files are known.
    Found {
        /// How many.
        files: usize,
    },
    /// A file was looked at.
    Read {
        /// So far.
        done: usize,
        /// Of all files.
        total: usize,
    },
    /// The ontology was inferred.
    Inferred {
        /// Types of entities.
        types: usize,
        /// Types of relationships.
        relationships: usize,
    },
    /// The names of a document were read.
    Surveyed {
        /// So far.
        done: usize,
        /// Of the documents that are read.
        total: usize,
    },
    /// A document was written.
    Written {
        /// Which.
        document: String,
        /// So far.
        done: usize,
        /// Of the documents that are read.
        total: usize,
    },
    /// A file cannot be read.
    Failed(Failure),
    /// A document was removed because its file is gone.
    Removed {
        /// Which.
        document: String,
    },
}

/// How many things were added, changed and removed, and how many stayed as they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// New.
    pub added: u64,
    /// There before, now different.
    pub changed: u64,
    /// No longer there.
    pub removed: u64,
    /// As before.
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
