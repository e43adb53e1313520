//! What is known of one recording after its replay.

use graphwright_cypher::{
    Code,
    repair::{ChangeCode, ReasonCode},
};
use serde::{Deserialize, Serialize};

use super::Labels;

/// What became of one recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The file, as it was named.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// The graph.
    pub graph: String,
    /// What was recorded of it.
    pub labels: Labels,
    /// Whether the model wrote the right query itself.
    pub is_gold: bool,
    /// Whether parser or semantic stage say that it cannot run.
    pub found_broken: bool,
    /// What is wrong with it, by code; with a schema what the lint finds too.
    pub diagnostics: Vec<Code>,
    /// What repair made of it.
    pub mended: Mended,
    /// How it ran as it was written; `None` without a store.
    pub before: Option<Run>,
    /// How it ran after repair; `None` without a store.
    pub after: Option<Run>,
}

/// What repair made of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mended {
    /// The text after repair, where it is another.
    pub text: Option<String>,
    /// What was changed.
    pub changes: Vec<ChangeCode>,
    /// Why it could not be mended.
    pub refused: Option<ReasonCode>,
    /// What is left that is wrong.
    pub left: Vec<Code>,
}

/// How a query ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// How many rows it gave.
    pub rows: usize,
    /// Whether they are those of the right query; `None` where that one does not run.
    pub right: Option<bool>,
    /// Why it gave none.
    pub error: Option<RunError>,
}

impl Run {
    /// Whether it ran.
    pub fn is_executable(&self) -> bool {
        self.error.is_none()
    }
}

/// Why a query did not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// `gate` with the kind of refusal, `repair` with the reason, or the store's kind of error, as `syntax`.
    pub code: String,
    /// In the words of who refused it.
    pub message: String,
}
