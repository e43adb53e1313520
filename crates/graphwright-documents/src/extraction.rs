//! Extractors turn the text of a document into entities and facts.
//!
//! Each entity, property and fact carries the byte range of the text that states it.
//! Implement [`Extractor`] to add a way to read documents.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    sync::Arc,
};

use async_trait::async_trait;
use graphwright_core::{Chunk, Span, Value};
use graphwright_llm::Usage;
use graphwright_ontology::Ontology;
use serde::{Deserialize, Serialize};

use crate::{ParsedDocument, Result};

/// Extracts entities and facts from documents.
#[async_trait]
pub trait Extractor: Debug + Send + Sync {
    /// Returns name and version of the extractor, such as `rules-4`.
    ///
    /// When it changes, documents are read again even if they did not change.
    fn identity(&self) -> String;

    /// Finds the names that a document introduces.
    ///
    /// Runs on all documents before any of them is extracted, so that a name defined in one
    /// document is known in all. An extractor that needs no survey returns an empty list.
    async fn survey(&self, document: &ParsedDocument, ontology: &Ontology) -> Result<Vec<KnownEntity>>;

    /// Returns whether [`survey`](Self::survey) finds names; true by default.
    ///
    /// If it does, each document is read with the names from the surveys of all documents, so that
    /// neither the order nor the number of runs matters. If not, it is read with the entities in
    /// the graph.
    fn surveys(&self) -> bool {
        true
    }

    /// Returns how many documents are worth reading at the same time at least; 1 by default.
    ///
    /// As many as the machine has processors are read in any case. An extractor that mostly waits for
    /// others wants more.
    fn at_once(&self) -> usize {
        1
    }

    /// Finds out whether it can extract anything at all, before many documents are read for it. Returns what that used.
    ///
    /// # Errors
    /// Fails if it can extract nothing, as when its model is refused; never because of a document.
    async fn probe(&self) -> Result<Usage> {
        Ok(Usage::default())
    }

    /// Extracts the entities and facts of a document.
    ///
    /// `known` holds entities from the survey, from the ontology's aliases and from the store.
    async fn extract(
        &self,
        document: &ParsedDocument,
        chunks: &[Chunk],
        ontology: &Ontology,
        known: &KnownEntities,
    ) -> Result<Extraction>;
}

/// An entity whose name is known before a document is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct KnownEntity {
    /// Type of the entity: a label of the ontology.
    pub kind: String,
    /// Name of the entity in the graph.
    pub name: String,
    /// Other names of the entity.
    pub aliases: Vec<String>,
    /// Whether the type was only inferred from the position of the name in a statement. A type that
    /// a table, a heading or a definition gives elsewhere overrules it.
    #[serde(default)]
    pub inferred: bool,
    /// Values by which records refer to the entity, by the column that gives them: `{"cca3": ["IRL"]}`. They are no names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub keys: BTreeMap<String, BTreeSet<String>>,
}

/// All entities that are known before a document is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnownEntities {
    /// Entities, sorted by type and name, without duplicates. Shared, so that it costs an extractor nothing to see for each
    /// document that they are the same.
    pub entities: Arc<[KnownEntity]>,
}

/// Result of extracting a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extraction {
    /// Entities that the document names.
    pub entities: Vec<ExtractedEntity>,
    /// Facts between the entities.
    pub facts: Vec<ExtractedFact>,
    /// Number of dropped items, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
    /// Dropped items, at most [`MOST_DROPPED`].
    pub dropped_items: Vec<Dropped>,
    /// Passages that could not be read, by their index, with the reason.
    pub incomplete: BTreeMap<usize, String>,
    /// Usage of the model; zero if none was asked.
    pub usage: Usage,
}

/// The most items that [`Extraction::dropped_items`] lists.
pub const MOST_DROPPED: usize = 1_000;

impl Extraction {
    /// Counts an item that did not become part of the graph, and lists it while there is room.
    pub fn drop_item(&mut self, reason: DropReason, span: Span, what: impl FnOnce() -> String) {
        *self.dropped.entry(reason).or_default() += 1;
        if self.dropped_items.len() < MOST_DROPPED {
            self.dropped_items.push(Dropped { reason, what: what(), span });
        }
    }
}

/// An item that did not become part of the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// Why.
    pub reason: DropReason,
    /// Description for people.
    pub what: String,
    /// Byte range of the document's text that it comes from.
    pub span: Span,
}

/// An entity that a document names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExtractedEntity {
    /// Type of the entity: a label of the ontology.
    pub kind: String,
    /// Name of the entity in the graph.
    pub name: String,
    /// Other names that the document gives the entity.
    pub aliases: Vec<String>,
    /// Byte ranges of the document's text that name the entity; never empty.
    pub mentions: Vec<Span>,
    /// Properties that the document gives the entity.
    pub properties: Vec<ExtractedProperty>,
}

/// A property that a document gives an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractedProperty {
    /// Name of the property in the ontology.
    pub name: String,
    /// Value, already of the ontology's type.
    pub value: Value,
    /// Confidence: 1.0 if stated, 0.7 if strongly implied.
    pub confidence: f64,
    /// Byte range that states the property.
    pub span: Span,
}

/// A fact between two entities.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractedFact {
    /// Relationship type of the ontology.
    pub kind: String,
    /// Index of the start in [`Extraction::entities`].
    pub from: usize,
    /// Index of the end in [`Extraction::entities`].
    pub to: usize,
    /// Properties, including `valid_from` and `valid_to`, already of the ontology's types.
    pub properties: BTreeMap<String, Value>,
    /// Confidence: 1.0 if stated, 0.7 if strongly implied.
    pub confidence: f64,
    /// Byte range that states the fact. Both names lie inside, or the words that stand for them.
    pub span: Span,
}

/// A reason why an extracted item did not become part of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DropReason {
    /// The entity's type is not in the ontology.
    UnknownType,
    /// The relationship type is not in the ontology.
    UnknownRelationship,
    /// The ontology does not allow this relationship between these types.
    WrongEnds,
    /// The property is not in the ontology.
    UnknownProperty,
    /// The value is not of the property's type, or not one of the allowed values.
    BadValue,
    /// A required property is missing.
    MissingProperty,
    /// The confidence lies below the threshold.
    LowConfidence,
    /// The name does not occur in the text.
    NotInText,
    /// The type is closed, and the ontology does not list the name.
    Unlisted,
    /// The item is malformed.
    Malformed,
    /// The text denies the fact.
    Negated,
    /// The text says that the fact was, will be or might be so.
    NotCurrent,
}

/// Returns the folder of a document, by which a [key](KnownEntity::keys) says something of all documents in it; `./` if it is in
/// none. When such a key comes or goes, the documents of the folder are read again.
///
/// ```
/// use graphwright_documents::extraction::folder_of;
///
/// assert_eq!(folder_of("decisions/2024/001.md"), "decisions/2024");
/// assert_eq!(folder_of("001.md"), "./");
/// ```
pub fn folder_of(source: &str) -> &str {
    source.rsplit_once('/').map_or("./", |(folder, _)| folder)
}
