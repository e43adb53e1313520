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
    /// Links that could lead to several documents, and were not drawn.
    #[serde(default)]
    pub ambiguous_links: u64,
    /// Entities by type; together they are [`entities`](Self::entities). Empty if there was nothing to do.
    #[serde(default)]
    pub entity_types: BTreeMap<String, Count>,
    /// Facts by type; together they are [`relationships`](Self::relationships). Empty if there was
    /// nothing to do.
    #[serde(default)]
    pub relationship_types: BTreeMap<String, Count>,
    /// Extracted items that were dropped, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
    /// The dropped items, at most [`MOST_DROPPED_ITEMS`].
    #[serde(default)]
    pub dropped_items: Vec<DroppedItem>,
    /// Documents of the graph, from the folders of this run, whose files are gone. They are still in the
    /// graph; [`Ingest::prune`](crate::Ingest::prune) removes them.
    #[serde(default)]
    pub gone: Vec<String>,
    /// Files that could not be read.
    pub failed: Vec<Failure>,
    /// Files and links that were left out: kinds that hold no text, and links to folders.
    pub skipped: Vec<Failure>,
    /// Files that were read although something is wrong with them, as front matter that is no YAML.
    #[serde(default)]
    pub remarks: Vec<Failure>,
    /// Number of documents in other languages than English, by the code of the language. They give structure, names and
    /// words to search for; their sentences are not read for facts.
    #[serde(default)]
    pub languages: BTreeMap<String, u64>,
    /// Origin of the ontology.
    pub ontology: OntologyOrigin,
    /// Entities that may be two, since documents that name them contradict each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub homonyms: Vec<Homonym>,
    /// Types that came in from passages, since several documents tell of what the ontology lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_types: Vec<NewType>,
    /// Number of entities that lack a property which the ontology requires, by `Type.property`.
    pub incomplete: BTreeMap<String, u64>,
    /// Passages that a model was asked about in vain. They are read again by the next run.
    #[serde(default)]
    pub unread: Unread,
    /// Pairs of entities that the run itself merged into one, since their names or a model say so.
    #[serde(default)]
    pub merged: Vec<Merged>,
    /// Pairs of entities that a model holds for two.
    #[serde(default)]
    pub rejected: u64,
    /// Open proposals to merge entities.
    pub suggestions: u64,
    /// Usage of models.
    pub usage: Usage,
    /// Duration in milliseconds.
    pub elapsed_ms: u64,
}

/// A merge that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    /// Type of both entities.
    pub label: String,
    /// Identifier of the entity that was kept.
    pub kept: String,
    /// Identifier of the entity that was merged into it.
    pub merged: String,
}

/// Passages that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unread {
    /// Number of such passages.
    pub passages: u64,
    /// Number of all passages that the run read or tried to.
    pub of: u64,
    /// Number of such passages, by the reason.
    pub reasons: BTreeMap<String, u64>,
}

impl Unread {
    /// Returns whether more than a twentieth could not be read, so that the graph lacks much.
    pub fn is_grave(&self) -> bool {
        self.passages * 20 > self.of
    }

    pub(crate) fn add(&mut self, tried: usize, incomplete: &BTreeMap<usize, String>) {
        self.of += tried as u64;
        self.passages += incomplete.len() as u64;
        for reason in incomplete.values() {
            *self.reasons.entry(reason.clone()).or_default() += 1;
        }
    }
}

/// The most items that [`IngestReport::dropped_items`] lists.
pub const MOST_DROPPED_ITEMS: usize = 1_000;

/// An extracted item that was dropped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DroppedItem {
    /// Source of the document.
    pub document: String,
    /// Why it was dropped.
    pub reason: DropReason,
    /// Description for people, shortened.
    pub what: String,
    /// First byte in the document's text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// An entity that may be two: two documents tell of several of its properties, and differ in all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Homonym {
    /// The type.
    pub label: String,
    /// The name that they share.
    pub name: String,
    /// The two documents.
    pub documents: [String; 2],
    /// How they differ.
    pub properties: Vec<Difference>,
}

impl Homonym {
    /// Returns what each of the two documents tells, in words.
    ///
    /// ```
    /// use graphwright_ingest::{Difference, Homonym};
    ///
    /// let property = |name: &str, values: [&str; 2]| Difference { property: name.into(), values: values.map(Into::into) };
    /// let homonym = Homonym {
    ///     label: "Person".into(),
    ///     name: "Ada Roe".into(),
    ///     documents: ["a.md".into(), "b.md".into()],
    ///     properties: vec![property("born", ["1970-01-01", "1992-05-06"]), property("city", ["Bern", "Oslo"])],
    /// };
    /// assert_eq!(homonym.told(), ["born 1970-01-01, city Bern (a.md)", "born 1992-05-06, city Oslo (b.md)"]);
    /// ```
    pub fn told(&self) -> [String; 2] {
        [0, 1].map(|at| {
            let told = self.properties.iter().map(|own| format!("{} {}", own.property, own.values[at]));
            format!("{} ({})", told.collect::<Vec<_>>().join(", "), self.documents[at])
        })
    }
}

/// A property with the values that two documents give it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The property.
    pub property: String,
    /// The values, in the order of the documents.
    pub values: [String; 2],
}

/// A type that came in from passages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewType {
    /// The label, or the relationship type.
    pub name: String,
    /// Number of documents that tell of it.
    pub documents: u64,
    /// One such entity or fact.
    pub example: String,
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
    /// A model proposed it, or what was added to the given one, from the documents of this run.
    Proposed,
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
    /// What the whole run will take of the model, by what it took so far.
    Expected {
        /// The usage.
        usage: Usage,
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
