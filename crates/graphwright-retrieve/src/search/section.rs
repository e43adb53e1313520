//! A section of an index: the words and vectors of all entries of one kind, row by row.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use super::{
    HitKind,
    checksums::damaged,
    entry::Entry,
    generation::{Generation, make_folder},
    text::TextIndex,
    vectors::Vectors,
};
use crate::{Result, RetrieveError};

/// Hash of a text. Equal hashes let a vector be kept.
pub(super) type TextHash = [u8; 32];

/// The entries of one kind.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) kind: HitKind,
    pub(super) text: TextIndex,
    /// The files, or `None` in memory.
    generation: Option<Arc<Generation>>,
    dimensions: Option<usize>,
    /// Vectors, read when first used.
    vectors: OnceLock<Vectors>,
}

impl Section {
    /// Writes a section to the folder of a new generation. `vectors` must be in the order of
    /// `entries`.
    pub(super) fn write(
        generation: &Path,
        kind: HitKind,
        entries: &[Entry],
        vectors: Option<&Vectors>,
    ) -> Result<()> {
        let folder = generation.join(text_folder(kind));
        make_folder(&folder)?;
        if let Some(vectors) = vectors {
            write(&generation.join(vectors_file(kind)), &vectors.to_bytes())?;
            let hashes: Vec<u8> = entries.iter().flat_map(text_hash).collect();
            write(&generation.join(hashes_file(kind)), &hashes)?;
        }
        TextIndex::build(Some(&folder), entries)
            .map_err(|error| RetrieveError::text_index(Some(&folder), &error))?;
        Ok(())
    }

    /// Builds a section in memory. `vectors` must be in the order of `entries`.
    pub(super) fn in_memory(kind: HitKind, entries: &[Entry], vectors: Option<Vectors>) -> Result<Self> {
        let text =
            TextIndex::build(None, entries).map_err(|error| RetrieveError::text_index(None, &error))?;
        let dimensions = vectors.as_ref().map(Vectors::dimensions);
        let vectors = vectors.map_or_else(OnceLock::new, OnceLock::from);
        Ok(Self { kind, text, generation: None, dimensions, vectors })
    }

    /// Opens a section of `rows` entries. Fails unless the files of its words are as they were
    /// written.
    pub(super) fn open(generation: &Arc<Generation>, kind: HitKind, rows: usize) -> Result<Self> {
        let (name, dimensions) = (text_folder(kind), dimensions(generation));
        let directory = generation.open_folder(&name)?;
        let folder = generation.folder.join(name);
        let text =
            TextIndex::open(directory).map_err(|error| RetrieveError::text_index(Some(&folder), &error))?;
        if text.len() != rows {
            return Err(damaged(&folder, format!("{} texts where {rows} belong", text.len())));
        }
        let generation = Some(Arc::clone(generation));
        Ok(Self { kind, text, generation, dimensions, vectors: OnceLock::new() })
    }

    /// Returns the vectors, or `None` if the section has none.
    pub(super) fn vectors(&self) -> Result<Option<&Vectors>> {
        if let (None, Some(generation), Some(_)) = (self.vectors.get(), &self.generation, self.dimensions) {
            // Two searches at once may both read the file: `get_or_try_init` is not stable yet.
            let vectors = read_vectors(generation, self.kind, self.text.len())?;
            return Ok(Some(self.vectors.get_or_init(|| vectors)));
        }
        Ok(self.vectors.get())
    }

    /// Reads the entry of a row.
    pub(super) fn entry(&self, row: u32) -> Result<Entry> {
        let folder = self.generation.as_ref().map(|generation| generation.folder.as_path());
        self.text.entry(row).map_err(|error| RetrieveError::text_index(folder, &error))
    }

    /// Finds the rows with these identifiers. Rows are sorted by identifier, so each costs reading
    /// a few entries.
    pub(super) fn rows(&self, ids: &HashSet<String>) -> Result<HashSet<u32>> {
        let mut rows = HashSet::new();
        for id in ids {
            let (mut low, mut high) = (0, self.text.len() as u32);
            while low < high {
                let middle = low + (high - low) / 2;
                match self.entry(middle)?.id.as_str().cmp(id) {
                    Ordering::Less => low = middle + 1,
                    Ordering::Greater => high = middle,
                    Ordering::Equal => {
                        rows.insert(middle);
                        break;
                    }
                }
            }
        }
        Ok(rows)
    }
}

/// Reads the vectors of `rows` entries.
fn read_vectors(generation: &Generation, kind: HitKind, rows: usize) -> Result<Vectors> {
    let file = vectors_file(kind);
    let vectors = Vectors::from_bytes(&generation.read(&file)?, dimensions(generation).unwrap_or(0), rows);
    vectors.map_err(|message| damaged(&generation.folder.join(file), message))
}

/// Reads the hashes of the texts that the vectors were made from.
fn read_hashes(generation: &Generation, kind: HitKind) -> Result<Vec<TextHash>> {
    Ok(generation.read(&hashes_file(kind))?.as_chunks().0.to_vec())
}

/// Returns the hash of an entry's text for the embedder.
pub(super) fn text_hash(entry: &Entry) -> TextHash {
    *blake3::hash(entry.embedded_text().as_bytes()).as_bytes()
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|source| RetrieveError::io("cannot write", path, source))
}

fn dimensions(generation: &Generation) -> Option<usize> {
    generation.manifest.embedder.as_ref().map(|embedder| embedder.dimensions)
}

fn folder(kind: HitKind) -> &'static Path {
    Path::new(match kind {
        HitKind::Node => "nodes",
        HitKind::Chunk => "chunks",
    })
}

fn text_folder(kind: HitKind) -> PathBuf {
    folder(kind).join("text")
}

fn vectors_file(kind: HitKind) -> PathBuf {
    folder(kind).join("vectors.f32")
}

fn hashes_file(kind: HitKind) -> PathBuf {
    folder(kind).join("hashes.blake3")
}

/// Opens the sections of a generation. Fails unless the files of their words are as they were
/// written.
pub(super) fn open_sections(generation: &Arc<Generation>) -> Result<Vec<Section>> {
    let sections = generation.manifest.sections.iter();
    sections.map(|&(kind, rows)| Section::open(generation, kind, rows)).collect()
}

/// Reads the vectors of a generation by the hashes of their texts, with the first error. Files that
/// are whole count even if others are not.
pub(super) fn vectors_of(generation: &Generation) -> (HashMap<TextHash, Vec<f32>>, Result<()>) {
    let (mut known, mut checked) = (HashMap::new(), Ok(()));
    if generation.manifest.embedder.is_none() {
        return (known, checked);
    }
    for &(kind, rows) in &generation.manifest.sections {
        let read = read_vectors(generation, kind, rows)
            .and_then(|vectors| Ok((vectors, read_hashes(generation, kind)?)));
        match read {
            Ok((vectors, hashes)) => {
                known.extend(
                    hashes.into_iter().enumerate().map(|(row, hash)| (hash, vectors.row(row).to_vec())),
                );
            }
            Err(error) => checked = checked.and(Err(error)),
        }
    }
    (known, checked)
}
