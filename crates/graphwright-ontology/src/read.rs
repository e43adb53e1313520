//! Reads an ontology from YAML or JSON. Errors name the line and the nearest valid word.

use std::{fs::File, path::Path};

use graphwright_core::text::read_at_most;

use super::{Finding, Ontology, Severity, check::nearest};
use crate::{OntologyError, Result};

/// An ontology of 100,000 types has about 3 MB.
const MOST_BYTES: u64 = 20_000_000;

impl Ontology {
    /// Reads and [checks](Self::check) an ontology file.
    ///
    /// The file is YAML, or JSON if its name ends in `.json` or its text starts with `{`.
    ///
    /// # Errors
    /// [`OntologyError::Invalid`] with everything that is wrong: an unknown key with its line and
    /// the nearest known one, or every [`Severity::Error`] of the check.
    pub fn read(path: &Path) -> Result<Self> {
        let ontology = Self::read_unchecked(path)?;
        ontology.require_valid(path)?;
        Ok(ontology)
    }

    /// Reads an ontology file without checking its content.
    pub fn read_unchecked(path: &Path) -> Result<Self> {
        let text = File::open(path)
            .and_then(|file| read_at_most(file, MOST_BYTES))
            .map_err(|error| OntologyError::Read { path: path.to_owned(), message: error.to_string() })?;
        Self::parse(&text, path)
    }

    /// Parses the text of an ontology file without checking its content. Errors name `path`.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
            || text.trim_start().starts_with('{');
        let parsed = if json { parse_json(text) } else { parse_yaml(text) };
        parsed.map_err(|message| OntologyError::Invalid { path: path.to_owned(), message })
    }

    /// Fails with every error of [`check`](Self::check), if there are any. Errors name `path`.
    pub fn require_valid(&self, path: &Path) -> Result<()> {
        let findings = self.check();
        let errors: Vec<String> = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(Finding::to_string)
            .collect();
        if errors.is_empty() {
            return Ok(());
        }
        Err(OntologyError::Invalid { path: path.to_owned(), message: errors.join("\n") })
    }

    /// Returns the JSON Schema of ontology files, for editors.
    pub fn json_schema() -> serde_json::Value {
        schemars::schema_for!(Ontology).to_value()
    }

    /// Formats the ontology as YAML.
    pub fn to_yaml(&self) -> Result<String> {
        serde_saphyr::to_string(self).map_err(|error| OntologyError::Invalid {
            path: "ontology".into(),
            message: format!("cannot be written as YAML: {error}"),
        })
    }
}

fn parse_yaml(text: &str) -> Result<Ontology, String> {
    serde_saphyr::from_str(text).map_err(|error| {
        let error = error.without_snippet();
        let line = error.location().map(|location| location.line());
        let message = match error {
            serde_saphyr::Error::SerdeUnknownField { field, expected, .. } => unknown_key(field, expected),
            other => without_place(&other.to_string()).to_owned(),
        };
        at_line(line, &message)
    })
}

fn parse_json(text: &str) -> Result<Ontology, String> {
    serde_json::from_str(text).map_err(|error| {
        let text = error.to_string();
        let message = without_place(&text);
        // The message alone has the key and the known ones, each in back-ticks.
        let mut quoted = message.split('`').skip(1).step_by(2);
        let message = match (message.starts_with("unknown field"), quoted.next()) {
            (true, Some(field)) => unknown_key(field, &quoted.collect::<Vec<_>>()),
            _ => message.to_owned(),
        };
        at_line(Some(error.line() as u64), &message)
    })
}

/// Removes the position that both parsers append to messages, since ours begin with the line.
fn without_place(message: &str) -> &str {
    message.split(" at line ").next().unwrap_or(message).trim()
}

fn at_line(line: Option<u64>, message: &str) -> String {
    match line {
        Some(line) if line > 0 => format!("line {line}: {message}"),
        _ => message.to_owned(),
    }
}

fn unknown_key(field: &str, expected: &[&str]) -> String {
    match nearest(field, expected.iter().copied()) {
        Some(near) => format!("unknown key '{field}'; did you mean '{near}'?"),
        None => format!("unknown key '{field}'; the keys here are {}", expected.join(", ")),
    }
}

/// Reads a list of texts, or a single one.
pub(crate) fn one_or_many<'de, D: serde::Deserializer<'de>>(
    source: D,
) -> std::result::Result<Vec<String>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(untagged, expecting = "a text or a list of texts")]
    enum Either {
        One(String),
        Many(Vec<String>),
    }
    Ok(match serde::Deserialize::deserialize(source)? {
        Either::One(text) => vec![text],
        Either::Many(texts) => texts,
    })
}
