//! Recordings of what a model wrote.

use std::{path::Path, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{Error, Result};

/// A query that a model wrote, beside the right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The file, as it was named.
    pub file: Arc<str>,
    /// The line in the file, from 1.
    pub line: usize,
    /// The graph that the question is about.
    pub graph: String,
    /// The right query.
    pub gold: String,
    /// The text of the model; `None` if it gave no query.
    pub predicted: Option<String>,
    /// The judgement of whoever recorded it.
    pub labels: Labels,
}

/// A recorded judgement. A value is `None` if there is none or judging failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// Whether the query ran.
    pub executable: Option<bool>,
    /// Whether the query returned the rows of the right query.
    pub right: Option<bool>,
}

#[derive(Deserialize)]
struct Line {
    graph: String,
    #[serde(alias = "gold")]
    gold_cypher: String,
    #[serde(alias = "pred")]
    pred_cypher: Option<String>,
    #[serde(default)]
    metrics: Metrics,
}

/// Recorded measures. A measure that could not be taken is an object with the reason.
#[derive(Default, Deserialize)]
struct Metrics {
    executable: Option<Json>,
    execution_accuracy: Option<Json>,
}

impl Recording {
    /// Reads a file of JSON Lines. Empty lines are skipped.
    ///
    /// # Errors
    ///
    /// Returns [`File`](Error::File) if the file cannot be read, and [`Line`](Error::Line) if a
    /// line is malformed.
    pub fn read(path: &Path) -> Result<Vec<Self>> {
        let text = crate::read_text(path).map_err(|source| Error::File {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        let file: Arc<str> = path.display().to_string().into();
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(index, line)| {
                let read: Line = serde_json::from_str(line).map_err(|error| Error::Line {
                    path: path.to_owned(),
                    line: index + 1,
                    // The parser counts lines within this one line, which would mislead.
                    message: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
                })?;
                Ok(Self {
                    file: file.clone(),
                    line: index + 1,
                    graph: read.graph,
                    gold: read.gold_cypher,
                    predicted: read.pred_cypher,
                    labels: Labels {
                        executable: read.metrics.executable.as_ref().and_then(truth),
                        right: read.metrics.execution_accuracy.as_ref().and_then(truth),
                    },
                })
            })
            .collect()
    }
}

/// Reads a measure, which is written as 0.0 or 1.0, or as a truth value.
fn truth(value: &Json) -> Option<bool> {
    value.as_bool().or_else(|| value.as_f64().map(|number| number > 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Recording>> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Recording::read(file.path())
    }

    #[test]
    fn measures_may_be_missing_or_may_have_failed() {
        let read = read(
            r#"{"graph": "a", "gold_cypher": "g", "pred_cypher": null}

{"graph": "a", "gold": "g", "pred": "p", "metrics": {"executable": 1.0, "execution_accuracy": {"error": "e"}}}"#,
        )
        .unwrap();
        assert_eq!(read[0].predicted, None);
        assert_eq!(read[0].labels, Labels::default());
        assert_eq!((read[1].line, read[1].predicted.as_deref()), (3, Some("p")));
        assert_eq!(read[1].labels, Labels { executable: Some(true), right: None });
    }

    #[test]
    fn a_line_that_is_none_is_told() {
        let error = read("{\"graph\": \"a\", \"gold\": \"g\", \"pred\": \"p\"}\n{\"graph\": 1}").unwrap_err();
        assert!(matches!(&error, Error::Line { line: 2, .. }), "{error}");
        assert!(error.hint().unwrap().contains("pred_cypher"));
    }
}
