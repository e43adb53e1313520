//! Sources of an import, and how to detect them.

use std::path::{Path, PathBuf};

use super::{
    CsvFiles, CsvFormat, InputProblem, ProblemKind,
    csv::{Header, Rows},
    files::{empty, open},
    item::{Place, file_name},
};
use crate::{ExchangeError, Result};

/// A source of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// JSON Lines, as [`export_json_lines`](super::export_json_lines) writes them.
    JsonLines(PathBuf),
    /// CSV files whose rows are nodes.
    CsvNodes(CsvFiles),
    /// CSV files whose rows are relationships.
    CsvRelationships(CsvFiles),
    /// A zip archive of Neo4j's Data Importer: a model and its CSV files.
    DataImporter(PathBuf),
    /// Cypher statements, each ended by `;`.
    Script(PathBuf),
}

impl Source {
    /// Detects what a file holds, by its extension and for CSV by its header.
    ///
    /// For a folder, returns all files directly in it that can be imported.
    ///
    /// # Errors
    /// If the path cannot be read, or if it holds nothing that can be imported.
    pub fn detect(path: &Path, csv: &CsvFormat) -> Result<Vec<Self>> {
        if path.is_dir() {
            return detect_folder(path, csv);
        }
        let unknown = || {
            let hint = "name it .jsonl, .ndjson, .csv, .tsv, .zip, .cypher or .cql, or say the format";
            unusable(path, "its name does not say what it is", hint)
        };
        detect_file(path, csv)?.map(|source| vec![source]).ok_or_else(|| unknown().into())
    }

    /// Returns the order of writing: nodes before relationships, scripts last.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::CsvNodes(_) => 0,
            Self::JsonLines(_) | Self::DataImporter(_) => 1,
            Self::CsvRelationships(_) => 2,
            Self::Script(_) => 3,
        }
    }
}

fn detect_folder(path: &Path, csv: &CsvFormat) -> Result<Vec<Source>> {
    let unreadable =
        |error: std::io::Error| ExchangeError::Read { path: path.to_owned(), message: error.to_string() };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    // The system lists files in no particular order.
    paths.sort();
    let mut sources = Vec::new();
    for path in paths.iter().filter(|path| path.is_file()) {
        sources.extend(detect_file(path, csv)?);
    }
    if sources.is_empty() {
        let hint = "*.jsonl, *.ndjson, *.csv, *.tsv, *.zip, *.cypher and *.cql can be";
        return Err(unusable(path, "it holds no file that can be imported", hint).into());
    }
    Ok(sources)
}

fn detect_file(path: &Path, csv: &CsvFormat) -> Result<Option<Source>> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    Ok(match extension.as_str() {
        "jsonl" | "ndjson" => Some(Source::JsonLines(path.to_owned())),
        "csv" | "tsv" => Some(detect_csv(path, csv)?),
        "zip" => Some(Source::DataImporter(path.to_owned())),
        "cypher" | "cql" => Some(Source::Script(path.to_owned())),
        _ => None,
    })
}

fn detect_csv(path: &Path, csv: &CsvFormat) -> Result<Source> {
    let file = open(path)?;
    let name = file_name(path);
    let mut rows = Rows::new(file, *csv, &name);
    let header = rows.next_row()?.ok_or_else(|| empty(&name))?;
    let files = CsvFiles::new(path);
    let is_relationships = Header::parse(&header, &name)?.is_of_relationships();
    Ok(if is_relationships { Source::CsvRelationships(files) } else { Source::CsvNodes(files) })
}

fn unusable(path: &Path, message: &str, hint: &str) -> InputProblem {
    let file = path.display().to_string();
    Place { file: &file, line: 0 }.problem(ProblemKind::Form, message, hint)
}
