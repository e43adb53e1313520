//! What is wrong with a file, and where.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Something in a file that cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InputProblem {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1; 0 when the problem is not in one line.
    pub line: u64,
    /// The column's name, or its number from 1, where the file has columns.
    pub column: Option<String>,
    /// The kind of problem.
    pub kind: ProblemKind,
    /// What is wrong.
    pub message: String,
    /// What to do.
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

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProblemKind {
    /// The file is not of the form it should be of. Never skipped.
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
    /// A constraint or index that the store cannot make.
    Schema,
}

impl ProblemKind {
    /// A stable name for programs and reports, as `bad_value`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Columns => "columns",
            Self::BadValue => "bad_value",
            Self::MissingId => "missing_id",
            Self::DuplicateNode => "duplicate_node",
            Self::DanglingRelationship => "dangling_relationship",
            Self::Schema => "schema",
        }
    }

    /// Whether the rest of the file can be imported without it.
    pub(super) fn is_skippable(self) -> bool {
        self != Self::Form
    }
}
