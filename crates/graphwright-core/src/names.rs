//! The names that Graphwright writes into a graph.
//!
//! Labels are PascalCase, relationship types UPPER_SNAKE. Names with leading and trailing double
//! underscores are reserved for Graphwright.

/// The label of a source document.
pub const DOCUMENT: &str = "Document";
/// The label of a passage of a document.
pub const CHUNK: &str = "Chunk";
/// The second label of every extracted entity.
pub const ENTITY: &str = "__Entity__";
/// The label of records that Graphwright keeps about itself (ontology, settings of an index).
pub const META: &str = "__Meta__";
/// The label of what was read but violates the ontology, where it is kept aside.
pub const INVALID: &str = "__Invalid__";
/// The label of records that say which entity was merged into which.
pub const MERGE: &str = "__Merge__";
/// The label of proposals to merge two entities.
pub const SUGGESTION: &str = "__Suggestion__";
/// The label of stored conversations.
pub const THREAD: &str = "__Thread__";
/// The label of messages of stored conversations.
pub const MESSAGE: &str = "__Message__";

/// `(:Chunk)-[:FROM_DOCUMENT]->(:Document)`.
pub const FROM_DOCUMENT: &str = "FROM_DOCUMENT";
/// `(:Chunk)-[:NEXT_CHUNK]->(:Chunk)`, in reading order.
pub const NEXT_CHUNK: &str = "NEXT_CHUNK";
/// `(entity)-[:FROM_CHUNK]->(:Chunk)`: the passage mentions the entity, or states one of its
/// properties.
pub const FROM_CHUNK: &str = "FROM_CHUNK";
/// `(:Document)-[:LINKS_TO]->(:Document)`.
pub const LINKS_TO: &str = "LINKS_TO";

/// The property that holds Graphwright's own identifier of a node or relationship; unique in a
/// store.
pub const ID: &str = "__id__";
/// On a document, the absolute path of its file, which no model and no assistant is told of.
pub const PATH: &str = "__path__";
/// The name that people use for an entity.
pub const NAME: &str = "name";
/// On a passage, the number of the page on which it begins, where its document has pages.
pub const PAGE: &str = "page";
/// On a passage, the bytes in the document at which further pages begin.
pub const PAGE_STARTS: &str = "page_starts";
/// Other names of an entity, as a list of strings.
pub const ALIASES: &str = "aliases";
/// A vector of a node, where a store keeps one. Graphwright's own vectors are in the search index.
pub const EMBEDDING: &str = "embedding";
/// On an entity that may be two, what each of the two documents tells that contradict each other (list of strings).
pub const MAY_BE_TWO: &str = "__may_be_two__";
/// The confidence in a fact, from 0 to 1.
pub const CONFIDENCE: &str = "confidence";
/// The weight of a relationship in weighted traversal, from 0 to 1.
pub const WEIGHT: &str = "weight";
/// The time from which a fact holds.
pub const VALID_FROM: &str = "valid_from";
/// The time until which a fact holds.
pub const VALID_TO: &str = "valid_to";
/// Whether a fact is so now: absent where it is, else [`ENDED`] or [`PLANNED`].
pub const STATUS: &str = "status";
/// [`STATUS`] of a fact that was so.
pub const ENDED: &str = "ended";
/// [`STATUS`] of a fact that will be so.
pub const PLANNED: &str = "planned";
/// What an entity or a fact is, in a sentence.
pub const DESCRIPTION: &str = "description";
/// The time when a fact was written.
pub const RECORDED_AT: &str = "recorded_at";
/// On an extracted relationship, the identifiers of the chunks that state it (list of strings).
///
/// Element for element, it is in step with [`STARTS`] and [`ENDS`].
pub const CHUNKS: &str = "chunks";
/// On an extracted relationship, the byte in the document where each statement of it begins.
pub const STARTS: &str = "starts";
/// On an extracted relationship, the byte in the document where each statement of it ends.
pub const ENDS: &str = "ends";
/// On an extracted relationship, the confidence of each statement of it, in step with [`CHUNKS`].
pub const CONFIDENCES: &str = "confidences";
/// On an extracted relationship, the properties that each statement of it gives, as JSON, in step
/// with [`CHUNKS`].
pub const STATED: &str = "stated";
/// On an extracted relationship, the entity from which it goes in each document, in step with
/// [`CHUNKS`].
///
/// Written where a merge lets another entity stand for that one.
pub const ORIGINAL_FROM: &str = "original_from";
/// On an extracted relationship, the entity to which it goes in each document, in step with
/// [`CHUNKS`].
///
/// Written where a merge lets another entity stand for that one.
pub const ORIGINAL_TO: &str = "original_to";

/// Returns whether a name is reserved for Graphwright.
pub fn is_reserved(name: &str) -> bool {
    // Four underscores have no name between them.
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// Returns whether a property of a relationship is about the fact (where it was read, how sure it is) rather than part of it.
pub fn is_bookkeeping(name: &str) -> bool {
    is_reserved(name)
        || matches!(
            name,
            CONFIDENCE
                | WEIGHT
                | RECORDED_AT
                | CHUNKS
                | STARTS
                | ENDS
                | CONFIDENCES
                | STATED
                | ORIGINAL_FROM
                | ORIGINAL_TO
        )
}

/// Returns whether a relationship type belongs to the lexical graph (documents and chunks), not to
/// facts.
pub fn is_lexical(relationship_type: &str) -> bool {
    matches!(relationship_type, FROM_DOCUMENT | NEXT_CHUNK | FROM_CHUNK | LINKS_TO)
}
