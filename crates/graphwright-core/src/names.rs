//! The names that Graphwright writes into a graph. Labels are PascalCase, relationship types
//! UPPER_SNAKE; names with leading and trailing double underscores are reserved for Graphwright.

/// Label of a source document.
pub const DOCUMENT: &str = "Document";
/// Label of a passage of a document.
pub const CHUNK: &str = "Chunk";
/// Second label of every extracted entity.
pub const ENTITY: &str = "__Entity__";
/// Label of the records that Graphwright keeps about itself (ontology, settings of an index).
pub const META: &str = "__Meta__";
/// Label of what was read but violates the ontology, where it is kept aside.
pub const INVALID: &str = "__Invalid__";
/// Label of the records that say which entity was merged into which.
pub const MERGE: &str = "__Merge__";
/// Label of the proposals to merge two entities.
pub const SUGGESTION: &str = "__Suggestion__";
/// Label of the conversations that are kept.
pub const THREAD: &str = "__Thread__";
/// Label of what was said in them.
pub const MESSAGE: &str = "__Message__";

/// `(:Chunk)-[:FROM_DOCUMENT]->(:Document)`.
pub const FROM_DOCUMENT: &str = "FROM_DOCUMENT";
/// `(:Chunk)-[:NEXT_CHUNK]->(:Chunk)`, in reading order.
pub const NEXT_CHUNK: &str = "NEXT_CHUNK";
/// `(entity)-[:FROM_CHUNK]->(:Chunk)`: the entity, or one of its properties, stands in that passage.
pub const FROM_CHUNK: &str = "FROM_CHUNK";
/// `(:Document)-[:LINKS_TO]->(:Document)`.
pub const LINKS_TO: &str = "LINKS_TO";

/// The property that holds our own identifier of a node or relationship; unique in a store.
pub const ID: &str = "__id__";
/// The name people use for an entity.
pub const NAME: &str = "name";
/// Other names of an entity: a list of strings.
pub const ALIASES: &str = "aliases";
/// A vector of a node, where a store keeps one (Graphwright's own are in the search index).
pub const EMBEDDING: &str = "embedding";
/// How sure a fact is, from 0 to 1.
pub const CONFIDENCE: &str = "confidence";
/// How much a relationship counts in weighted traversal, from 0 to 1.
pub const WEIGHT: &str = "weight";
/// From when a fact holds.
pub const VALID_FROM: &str = "valid_from";
/// Until when a fact holds.
pub const VALID_TO: &str = "valid_to";
/// When a fact was written.
pub const RECORDED_AT: &str = "recorded_at";
/// On an extracted relationship: the ids of the chunks that state it (list of strings),
/// in step with [`STARTS`] and [`ENDS`].
pub const CHUNKS: &str = "chunks";
/// On an extracted relationship: where in the document each statement of it begins (bytes).
pub const STARTS: &str = "starts";
/// On an extracted relationship: where in the document each statement of it ends (bytes).
pub const ENDS: &str = "ends";
/// On an extracted relationship: how sure each statement of it is, in step with [`CHUNKS`].
pub const CONFIDENCES: &str = "confidences";
/// On an extracted relationship: the properties that each statement of it gives, as JSON, in step with [`CHUNKS`].
pub const STATED: &str = "stated";
/// On an extracted relationship: from which entity it goes in each document, where another stands for that one, in step with [`CHUNKS`].
pub const ORIGINAL_FROM: &str = "original_from";
/// On an extracted relationship: to which entity it goes in each document, where another stands for that one, in step with [`CHUNKS`].
pub const ORIGINAL_TO: &str = "original_to";

/// Whether a name is reserved for Graphwright.
pub fn is_reserved(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// Whether a relationship type belongs to the lexical graph (documents and chunks) rather than to facts.
pub fn is_lexical(relationship_type: &str) -> bool {
    matches!(relationship_type, FROM_DOCUMENT | NEXT_CHUNK | FROM_CHUNK | LINKS_TO)
}
