//! Reads archives of Neo4j's Data Importer: `neo4j_importer_model.json` and the CSV files that it
//! maps to a graph.
//!
//! Follows the Data Importer: nodes are merged by key, relationships by type and ends. A row that
//! lacks a key or an end adds nothing, and a value that is not of its property's type is left out.
//! The report says what was left out.

mod model;
mod model_v0;
mod model_v1;
mod rows;

use std::{fs::File, io::Read, path::Path};

use zip::ZipArchive;

use self::model::Model;
use super::{
    InputProblem, ProblemKind,
    item::{Item, Place, Sink, file_name},
};
use crate::{ExchangeError, Result};

const MODEL: &str = "neo4j_importer_model.json";

/// Reads an archive: constraints first, then nodes, relationships and indexes.
pub(super) fn read(path: &Path, sink: &mut dyn Sink) -> Result<()> {
    let file = File::open(path)
        .map_err(|error| ExchangeError::Read { path: path.to_owned(), message: error.to_string() })?;
    let name = file_name(path);
    let mut archive =
        ZipArchive::new(file).map_err(|error| form(&name, format!("not a zip archive: {error}")))?;
    let model = read_model(&mut archive, &name)?;
    let place = Place { file: MODEL, line: 0 };
    for constraint in &model.constraints {
        sink.item(&place, Item::Constraint(constraint.clone()))?;
    }
    for mapping in &model.nodes {
        rows::read_nodes(&mut archive, &name, mapping, &model.ignored_ids, sink)?;
    }
    for mapping in &model.relationships {
        rows::read_relationships(&mut archive, &name, mapping, &model.ignored_ids, sink)?;
    }
    for index in &model.indexes {
        sink.item(&place, Item::Index(index.clone()))?;
    }
    Ok(())
}

fn read_model(archive: &mut ZipArchive<File>, name: &str) -> Result<Model> {
    let entry = entry(archive, name, MODEL)?;
    let mut text = String::new();
    archive
        .by_name(&entry)
        .map_err(|error| form(name, format!("`{entry}` cannot be read: {error}")))?
        .read_to_string(&mut text)
        .map_err(|error| form(name, format!("`{entry}` cannot be read: {error}")))?;
    let json: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| form(name, format!("`{entry}` is not JSON: {error}")))?;
    let json = json.get("dataModel").unwrap_or(&json);
    let model = if json.get("graphSchemaRepresentation").is_some() {
        model_v1::parse(json)
    } else if json.get("graphModel").is_some() {
        model_v0::parse(json)
    } else {
        Err("it holds neither `graphSchemaRepresentation` nor `graphModel`".to_owned())
    };
    model.map_err(|message| form(name, format!("`{entry}`: {message}")).into())
}

/// Finds a file in the archive, at its root or in a folder, and returns its full name.
fn entry(archive: &ZipArchive<File>, name: &str, wanted: &str) -> Result<String> {
    let inside = format!("/{wanted}");
    for candidate in archive.file_names() {
        let Ok(candidate) = candidate else { continue };
        // Archives made on macOS hold a second, unreadable entry for each file.
        let is_resource_fork = candidate.starts_with("__MACOSX");
        if !is_resource_fork && (candidate == wanted || candidate.ends_with(&inside)) {
            return Ok(candidate.into_owned());
        }
    }
    Err(form(name, format!("the archive holds no `{wanted}`")).into())
}

fn form(file: &str, message: String) -> InputProblem {
    let hint = "download model and data again from the Data Importer (\"Download model (with data)\")";
    Place { file, line: 0 }.problem(ProblemKind::Form, message, hint)
}
