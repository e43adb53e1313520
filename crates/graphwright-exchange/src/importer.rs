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

use std::{
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use zip::ZipArchive;

use self::model::Model;
use super::{
    InputProblem, ProblemKind,
    files::open,
    item::{Item, Place, Sink, file_name},
};
use crate::Result;

const MODEL: &str = "neo4j_importer_model.json";
/// The most files of an archive.
const MOST_FILES: usize = 10_000;
/// The longest model, in bytes.
const LONGEST_MODEL: u64 = 64 << 20;
/// How many times longer than packed a file may be; tables of the Data Importer reach some twenty times.
const MOST_UNPACKED: u64 = 200;
/// A file of up to so many bytes may be packed as well as it will.
const SMALL_FILE: u64 = 16 << 20;

type Archive = ZipArchive<BufReader<File>>;

/// Reads an archive: constraints first, then nodes, relationships and indexes.
pub(super) fn read(path: &Path, sink: &mut dyn Sink) -> Result<()> {
    let file = open(path)?;
    let name = file_name(path);
    let mut archive =
        ZipArchive::new(file).map_err(|error| form(&name, format!("not a zip archive: {error}")))?;
    if archive.len() > MOST_FILES {
        let message = format!("the archive holds {} files; at most {MOST_FILES} are read", archive.len());
        return Err(form(&name, message).into());
    }
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

fn read_model(archive: &mut Archive, name: &str) -> Result<Model> {
    let entry = entry(archive, name, MODEL)?;
    let mut text = String::new();
    unpack(archive, name, &entry)?
        .take(LONGEST_MODEL)
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

/// Opens a file of the archive. Reading it ends with an error where it unpacks to far more than people's data does.
fn unpack<'a>(archive: &'a mut Archive, name: &str, entry: &str) -> Result<impl Read + use<'a>> {
    let file =
        archive.by_name(entry).map_err(|error| form(name, format!("`{entry}` cannot be read: {error}")))?;
    let limit = file.compressed_size().saturating_mul(MOST_UNPACKED).max(SMALL_FILE);
    let bomb = || format!("it unpacks to more than {MOST_UNPACKED} times its size");
    // What the archive says of itself may be wrong.
    if file.size() > limit {
        return Err(form(name, format!("`{entry}` cannot be read: {}", bomb())).into());
    }
    Ok(Bounded { left: limit, file, bomb })
}

/// A reader that fails where more than `left` bytes come.
struct Bounded<R, M> {
    file: R,
    left: u64,
    bomb: M,
}

impl<R: Read, M: Fn() -> String> Read for Bounded<R, M> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.left = self
            .left
            .checked_sub(count as u64)
            .ok_or_else(|| std::io::Error::new(std::io::ErrorKind::InvalidData, (self.bomb)()))?;
        Ok(count)
    }
}

/// Finds a file in the archive, at its root or in a folder, and returns its full name.
fn entry(archive: &Archive, name: &str, wanted: &str) -> Result<String> {
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
