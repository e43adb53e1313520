//! The identifier of a run.

use std::{
    fmt,
    str::FromStr,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use crate::error::{FlowError, Result};

/// The longest identifier: file systems take names of 255 bytes.
const LONGEST: usize = 200;

/// The identifier of a run: letters, digits, `-`, `_` and `.`, at most 200 together. What a step
/// runs within a run has the identifier of that run, `~` and a number.
///
/// ```
/// use graphwright_flow::RunId;
///
/// let run: RunId = "order-4711".parse()?;
/// assert_eq!(run.as_str(), "order-4711");
/// assert!("../secrets".parse::<RunId>().is_err());
/// # Ok::<_, graphwright_flow::FlowError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

impl RunId {
    /// Makes an identifier that no other run has; later ones sort behind earlier ones.
    pub fn random() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(format!("{:012x}-{:016x}", now.as_millis(), fastrand::u64(..)))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The identifier of the flow that a step of this run runs: the same whenever the step is repeated.
    pub(crate) fn nested(&self, delivery: u64, number: u32) -> Result<Self> {
        format!("{}~{delivery}.{number}", self.0).parse()
    }

    pub(crate) fn is_nested(&self) -> bool {
        self.0.contains('~')
    }

    /// Whether it is of a run within another one, at any depth.
    pub(crate) fn is_within(&self, run: &Self) -> bool {
        self.0.strip_prefix(&run.0).is_some_and(|rest| rest.starts_with('~'))
    }
}

impl FromStr for RunId {
    type Err = FlowError;

    fn from_str(text: &str) -> Result<Self> {
        let fits = |character: char| character.is_ascii_alphanumeric() || "-_.~".contains(character);
        let is_name = !text.is_empty() && text.len() <= LONGEST && !text.starts_with('.');
        if is_name && text.chars().all(fits) {
            Ok(Self(text.to_owned()))
        } else {
            Err(FlowError::BadRunId { text: text.to_owned() })
        }
    }
}

impl TryFrom<String> for RunId {
    type Error = FlowError;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<RunId> for String {
    fn from(run: RunId) -> Self {
        run.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
