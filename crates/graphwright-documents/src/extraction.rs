//! Extractors: from the text of a document to entities and facts, each with the range that states it.

use std::{collections::BTreeMap, fmt::Debug};

use async_trait::async_trait;
use graphwright_core::{Chunk, Span, Value};
use graphwright_llm::Usage;
use graphwright_ontology::Ontology;
use serde::{Deserialize, Serialize};

use crate::{ParsedDocument, Result};

/// Reads entities and facts out of a document.
#[async_trait]
pub trait Extractor: Debug + Send + Sync {
    /// Its name and version, as `rules-4`; a change makes unchanged documents be read again.
    fn identity(&self) -> String;

    /// Reads the names that a document introduces, before any document is extracted, so that a name defined in
    /// one document is known in all. An extractor that does not need it returns none.
    async fn survey(&self, document: &ParsedDocument, ontology: &Ontology) -> Result<Vec<KnownEntity>>;

    /// Whether [`survey`](Self::survey) finds names. Where it does, a document is read with the names that the surveys of all
    /// documents found, so that it does not matter in which order or run they are read; else with the entities that are
    /// in the graph.
    fn surveys(&self) -> bool {
        true
    }

    /// Reads the entities and facts of a document. `known` are the entities of the survey, of the ontology's
    /// aliases and of the store.
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
    /// Its type: a label of the ontology.
    pub kind: String,
    /// The name to use.
    pub name: String,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// Whether its type was only concluded from the place that the name takes in a statement: what a table, a heading
    /// or a definition says of the name elsewhere overrules it.
    #[serde(default)]
    pub inferred: bool,
}

/// All entities known before a document is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnownEntities {
    /// Sorted by type and name, without duplicates.
    pub entities: Vec<KnownEntity>,
}

/// What was read out of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extraction {
    /// The entities that the document names.
    pub entities: Vec<ExtractedEntity>,
    /// The facts between them.
    pub facts: Vec<ExtractedFact>,
    /// What was dropped, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
    /// What the model took, if one was used.
    pub usage: Usage,
}

/// An entity that a document names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExtractedEntity {
    /// Its type: a label of the ontology.
    pub kind: String,
    /// The name to use.
    pub name: String,
    /// Other names that the document gives it.
    pub aliases: Vec<String>,
    /// Where it stands, byte ranges of the document's text; never empty.
    pub mentions: Vec<Span>,
    /// What the document says of it.
    pub properties: Vec<ExtractedProperty>,
}

/// A property that a document gives an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractedProperty {
    /// The property's name in the ontology.
    pub name: String,
    /// The value, already of the ontology's type.
    pub value: Value,
    /// 1.0 stated, 0.7 strongly implied.
    pub confidence: f64,
    /// The range that states it.
    pub span: Span,
}

/// A fact between two entities.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractedFact {
    /// The relationship type of the ontology.
    pub kind: String,
    /// Index in [`Extraction::entities`] of the start.
    pub from: usize,
    /// Index in [`Extraction::entities`] of the end.
    pub to: usize,
    /// Its properties (also `valid_from` and `valid_to`), already of the ontology's types.
    pub properties: BTreeMap<String, Value>,
    /// 1.0 stated, 0.7 strongly implied.
    pub confidence: f64,
    /// The range that states it; both names, or what stands for them, lie inside.
    pub span: Span,
}

/// Why something that was read did not become part of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DropReason {
    /// The type is not in the ontology.
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
    /// The confidence is below the threshold.
    LowConfidence,
    /// The name does not occur in the text.
    NotInText,
    /// The type is closed, and the ontology does not list the name.
    Unlisted,
    /// The item is malformed.
    Malformed,
    /// The text denies it.
    Negated,
    /// The text says it was so, will be so, or might be so.
    NotCurrent,
}
