//! A section of an index: the words and vectors of all entries of one kind, row by row.

use std::{
    cmp::Ordering,
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use super::{HitKind, entry::Entry, text::TextIndex, vectors::Vectors};
use crate::{Result, RetrieveError};

/// Hash of a text. Equal hashes let a vector be kept.
pub(super) type TextHash = [u8; 32];

/// The entries of one kind.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) kind: HitKind,
    pub(super) text: TextIndex,
    folder: Option<PathBuf>,
    dimensions: Option<usize>,
    /// Vectors, read when first used.
    vectors: OnceLock<Vectors>,
}

impl Section {
    /// Builds a section in a folder, or in memory if `folder` is `None`. `vectors` must be in the
    /// order of `entries`.
    pub(super) fn build(
        folder: Option<&Path>,
        kind: HitKind,
        entries: &[Entry],
        vectors: Option<Vectors>,
    ) -> Result<Self> {
        if let Some(folder) = folder {
            make_folder(&text_folder(folder))?;
            if let Some(vectors) = &vectors {
                vectors.write(&vectors_file(folder))?;
                let hashes: Vec<u8> = entries.iter().flat_map(text_hash).collect();
                let path = hashes_file(folder);
                fs::write(&path, hashes)
                    .map_err(|source| RetrieveError::io("cannot write", &path, source))?;
            }
        }
        let text_folder = folder.map(text_folder);
        let text = TextIndex::build(text_folder.as_deref(), entries)
            .map_err(|error| RetrieveError::text_index(text_folder.as_deref(), &error))?;
        let dimensions = vectors.as_ref().map(Vectors::dimensions);
        let vectors = vectors.map_or_else(OnceLock::new, OnceLock::from);
        Ok(Self { kind, text, folder: folder.map(Path::to_owned), dimensions, vectors })
    }

    /// Opens a section of `rows` entries.
    pub(super) fn open(folder: &Path, kind: HitKind, rows: usize, dimensions: Option<usize>) -> Result<Self> {
        let damaged = |message| RetrieveError::Damaged { path: folder.to_owned(), message };
        let text = TextIndex::open(&text_folder(folder)).map_err(|error| damaged(error.to_string()))?;
        if text.len() != rows {
            return Err(damaged(format!("{} texts where {rows} belong", text.len())));
        }
        Ok(Self { kind, text, folder: Some(folder.to_owned()), dimensions, vectors: OnceLock::new() })
    }

    /// Returns the vectors, or `None` if the section has none.
    pub(super) fn vectors(&self) -> Result<Option<&Vectors>> {
        if let (None, Some(folder), Some(dimensions)) = (self.vectors.get(), &self.folder, self.dimensions) {
            // Two searches at once may both read the file: `get_or_try_init` is not stable yet.
            let vectors = Vectors::read(&vectors_file(folder), dimensions, self.text.len())?;
            return Ok(Some(self.vectors.get_or_init(|| vectors)));
        }
        Ok(self.vectors.get())
    }

    /// Reads the entry of a row.
    pub(super) fn entry(&self, row: u32) -> Result<Entry> {
        self.text.entry(row).map_err(|error| RetrieveError::text_index(self.folder.as_deref(), &error))
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

    /// Reads the hashes of the texts that the vectors were made from.
    pub(super) fn hashes(&self) -> Result<Vec<TextHash>> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        let path = hashes_file(folder);
        let bytes = fs::read(&path).map_err(|source| RetrieveError::io("cannot read", &path, source))?;
        Ok(bytes.as_chunks().0.to_vec())
    }
}

/// Returns the hash of an entry's text for the embedder.
pub(super) fn text_hash(entry: &Entry) -> TextHash {
    *blake3::hash(entry.embedded_text().as_bytes()).as_bytes()
}

pub(super) fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|source| RetrieveError::io("cannot make the folder", path, source))
}

fn text_folder(folder: &Path) -> PathBuf {
    folder.join("text")
}

fn vectors_file(folder: &Path) -> PathBuf {
    folder.join("vectors.f32")
}

fn hashes_file(folder: &Path) -> PathBuf {
    folder.join("hashes.blake3")
}
