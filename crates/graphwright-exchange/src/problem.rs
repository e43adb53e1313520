//! Problems in a file, and their places.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::Skipped;

/// Number of example problems in the report, for each kind.
const EXAMPLES: usize = 5;

/// A problem in a file that is imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InputProblem {
    /// The file, as the caller named it.
    pub file: String,
    /// Line, from 1; 0 if the problem does not lie in one line.
    pub line: u64,
    /// Name of the column, or its number from 1; `None` if the file has no columns.
    pub column: Option<String>,
    /// Kind of the problem.
    pub kind: ProblemKind,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl fmt::Display for InputProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.file)?;
        if self.line > 0 {
            write!(formatter, ", line {}", self.line)?;
        }
        if let Some(column) = &self.column {
            write!(formatter, ", column {column}")?;
        }
        write!(formatter, ": {}", self.message)
    }
}

/// A kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProblemKind {
    /// The file is malformed. Never skipped.
    Form,
    /// A row has more or fewer columns than the header.
    Columns,
    /// A value is not of its column's type.
    BadValue,
    /// A row has no identifier.
    MissingId,
    /// Two nodes have the same identifier.
    DuplicateNode,
    /// A relationship or vector names a node that does not exist.
    DanglingRelationship,
    /// A node or relationship has more properties than a store can be trusted with.
    TooManyProperties,
    /// The store cannot create a constraint or index.
    Schema,
}

impl ProblemKind {
    /// Returns a stable name for programs and reports, such as `bad_value`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Columns => "columns",
            Self::BadValue => "bad_value",
            Self::MissingId => "missing_id",
            Self::DuplicateNode => "duplicate_node",
            Self::DanglingRelationship => "dangling_relationship",
            Self::TooManyProperties => "too_many_properties",
            Self::Schema => "schema",
        }
    }

    /// Returns whether the rest of the file can be imported without the bad part.
    pub(super) fn is_skippable(self) -> bool {
        self != Self::Form
    }
}

/// Counts a problem, and keeps it if it is among the first of its kind.
pub(super) fn count(skipped: &mut BTreeMap<ProblemKind, Skipped>, problem: InputProblem) {
    let of_kind = skipped.entry(problem.kind).or_default();
    of_kind.count += 1;
    if of_kind.examples.len() < EXAMPLES {
        of_kind.examples.push(problem);
    }
}
