//! Items of a file to import, and the trait that takes them.

use std::path::Path;

use graphwright_core::{
    Properties,
    schema::{Constraint, Index},
};

use super::{InputProblem, ProblemKind};
use crate::Result;

/// Name of a node in a file, unique among the nodes of its space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    /// Space of identifiers, such as `Person`; empty for the one that all files share.
    pub(super) space: String,
    /// Identifier within the space.
    pub(super) id: String,
}

/// An item to write.
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
    /// Name by which relationships refer to the node; `None` if they cannot.
    pub(super) reference: Option<Reference>,
    /// Value of `__id__`.
    pub(super) id: String,
    pub(super) labels: Vec<String>,
    pub(super) properties: Properties,
    /// Vectors, by property name.
    pub(super) vectors: Vec<(String, Vec<f32>)>,
    /// Whether a second node of this name adds to the first. If not, it is a mistake.
    pub(super) merge: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct RelationshipItem {
    pub(super) kind: String,
    pub(super) from: Reference,
    pub(super) to: Reference,
    /// Value of `__id__`, unique among relationships of this type between these ends.
    pub(super) id: String,
    pub(super) properties: Properties,
    /// Whether a missing end is normal in this format, so that the relationship is left out.
    pub(super) optional: bool,
}

/// A receiver of the items that a file holds.
pub(super) trait Sink {
    /// Receives an item and its place in the file.
    fn item(&mut self, place: &Place<'_>, item: Item) -> Result<()>;

    /// Receives a problem. An error ends the reading.
    fn problem(&mut self, problem: InputProblem) -> Result<()>;

    /// Receives a note about something that the format leaves out as a rule, for the report.
    fn note(&mut self, problem: InputProblem);
}

/// A line in a file.
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

/// Returns the file name for messages, and for identifiers made from it.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
