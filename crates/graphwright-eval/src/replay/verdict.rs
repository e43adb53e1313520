//! The verdict on one recording.

use graphwright_cypher::{
    Code,
    repair::{ChangeCode, ReasonCode},
};
use serde::{Deserialize, Serialize};

use super::Labels;

/// The verdict on one recording after its replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The file, as it was named.
    pub file: String,
    /// The line in the file, from 1.
    pub line: usize,
    /// The graph.
    pub graph: String,
    /// The recorded judgement.
    pub labels: Labels,
    /// Whether the model wrote exactly the right query.
    pub is_gold: bool,
    /// Whether the parser or the semantic checks say that the text cannot run.
    pub found_broken: bool,
    /// The codes of the diagnostics; with a schema, including those of the lint.
    pub diagnostics: Vec<Code>,
    /// The result of repair.
    pub mended: Mended,
    /// The run of the text as written; `None` without a store.
    pub before: Option<Run>,
    /// The run after repair; `None` without a store.
    pub after: Option<Run>,
}

/// The result of repairing a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mended {
    /// The text after repair, if it differs.
    pub text: Option<String>,
    /// The kinds of changes.
    pub changes: Vec<ChangeCode>,
    /// The reason, if the text could not be mended.
    pub refused: Option<ReasonCode>,
    /// The codes of the diagnostics that remain.
    pub left: Vec<Code>,
}

/// The run of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The number of rows returned.
    pub rows: usize,
    /// Whether these are the rows of the right query; `None` if that does not run.
    pub right: Option<bool>,
    /// The error, if the query did not run.
    pub error: Option<RunError>,
}

impl Run {
    /// Returns whether the query ran.
    pub fn is_executable(&self) -> bool {
        self.error.is_none()
    }
}

/// The reason why a query did not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// The code: `gate` with the kind of refusal, `repair`, or the store's kind of error, as
    /// `syntax`.
    pub code: String,
    /// The message of whoever refused the query.
    pub message: String,
}
