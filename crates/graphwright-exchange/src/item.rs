//! What a file holds, one thing at a time.

use std::path::Path;

use graphwright_core::{
    Properties,
    schema::{Constraint, Index},
};

use super::{InputProblem, ProblemKind};
use crate::Result;

/// How a file names a node: unique among the nodes of its space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    /// The space of identifiers, as `Person`; empty for the one that all files share.
    pub(super) space: String,
    /// The identifier in it.
    pub(super) id: String,
}

/// A thing to write.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    Node(NodeItem),
    Relationship(RelationshipItem),
    Vector { node: Reference, property: String, values: Vec<f32> },
    Constraint(Constraint),
    Index(Index),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct NodeItem {
    /// How relationships name it; `None` when they cannot.
    pub(super) reference: Option<Reference>,
    /// Our identifier.
    pub(super) id: String,
    pub(super) labels: Vec<String>,
    pub(super) properties: Properties,
    /// Vectors by name.
    pub(super) vectors: Vec<(String, Vec<f32>)>,
    /// Whether a second node of that name adds to the first, rather than being a mistake.
    pub(super) merge: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct RelationshipItem {
    pub(super) kind: String,
    pub(super) from: Reference,
    pub(super) to: Reference,
    /// Our identifier, unique among relationships of that type between those ends.
    pub(super) id: String,
    pub(super) properties: Properties,
    /// Whether the format leaves out relationships without both ends as a matter of course.
    pub(super) optional: bool,
}

/// Takes what a reader finds.
pub(super) trait Sink {
    /// A thing, and where it stands.
    fn item(&mut self, place: &Place<'_>, item: Item) -> Result<()>;

    /// A problem; an error ends the reading.
    fn problem(&mut self, problem: InputProblem) -> Result<()>;

    /// Something that the format leaves out as a matter of course, but that the report should say.
    fn note(&mut self, problem: InputProblem);
}

/// A line of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) line: u64,
}

impl Place<'_> {
    pub(super) fn problem(
        &self,
        kind: ProblemKind,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> InputProblem {
        InputProblem {
            file: self.file.to_owned(),
            line: self.line,
            column: None,
            kind,
            message: message.into(),
            hint: hint.into(),
        }
    }
}

/// How a file is called in messages and in identifiers made from it.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
