//! Tells things of the world from documents, passages and records, by their labels.

use graphwright_core::names;

/// Role of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A thing of the world: every node without another role, so that graphs made elsewhere work.
    Entity,
    /// A source document.
    Document,
    /// A passage of a document.
    Chunk,
    /// A record that a program keeps about itself (its label has double underscores).
    Record,
}

/// Returns the role of a node with these labels. A node is an entity if it says so, or if no label
/// says otherwise.
pub(crate) fn role_of(labels: &[String]) -> Role {
    let has = |name: &str| labels.iter().any(|label| label == name);
    if has(names::ENTITY) {
        Role::Entity
    } else if has(names::CHUNK) {
        Role::Chunk
    } else if has(names::DOCUMENT) {
        Role::Document
    } else if labels.iter().any(|label| names::is_reserved(label)) {
        Role::Record
    } else {
        Role::Entity
    }
}
