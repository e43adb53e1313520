//! The entries of an index on their way from a store to its files.
//!
//! They are packed: a graph may have millions of facts, and each as an [`Entry`] takes a dozen pieces of memory.

use std::{io, ops::Range, path::Path};

use super::{
    HitKind,
    entry::{Entry, Facets, Hash, Shown},
};
use crate::{Result, RetrieveError};

/// Packed entries.
#[derive(Debug, Default)]
pub(super) struct Entries {
    rows: Vec<Row>,
    /// Of each entry its identifier, and behind it all of it as JSON.
    bytes: Vec<u8>,
}

/// What is at hand of an entry.
#[derive(Debug)]
struct Row {
    kind: HitKind,
    hashes: Hashes,
    id: Range<usize>,
    end: usize,
}

/// Hashes of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hashes {
    pub(super) key: Hash,
    pub(super) entry: Hash,
    pub(super) text: Hash,
}

impl Hashes {
    fn of(entry: &Entry) -> Self {
        Self { key: entry.key(), entry: entry.hash(), text: entry.text_hash() }
    }
}

impl Entries {
    pub(super) fn push(&mut self, entry: &Entry) -> Result<()> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(entry.shown.id.as_bytes());
        let id = start..self.bytes.len();
        serde_json::to_writer(&mut self.bytes, &(&entry.shown, &entry.facets)).map_err(unpacked)?;
        self.rows.push(Row { kind: entry.shown.kind, hashes: Hashes::of(entry), id, end: self.bytes.len() });
        Ok(())
    }

    /// Sorts by kind and identifier. Of two that are the same in both, the first stays.
    pub(super) fn sort(&mut self) {
        let Self { rows, bytes } = self;
        let key = |row: &Row| (row.kind, &bytes[row.id.clone()]);
        rows.sort_by(|left, right| key(left).cmp(&key(right)));
        rows.dedup_by(|later, earlier| key(later) == key(earlier));
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows of each kind. The entries must be sorted.
    pub(super) fn kinds(&self) -> Vec<(HitKind, Range<usize>)> {
        let mut start = 0;
        let kinds = self.rows.chunk_by(|left, right| left.kind == right.kind);
        let with_rows = kinds.map(|rows| {
            let range = start..start + rows.len();
            start = range.end;
            (rows[0].kind, range)
        });
        with_rows.collect()
    }

    pub(super) fn hashes(&self, row: usize) -> Hashes {
        self.rows[row].hashes
    }

    pub(super) fn kind(&self, row: usize) -> HitKind {
        self.rows[row].kind
    }

    /// Unpacks an entry.
    pub(super) fn entry(&self, row: usize) -> Result<Entry> {
        let row = &self.rows[row];
        let bytes = &self.bytes[row.id.end..row.end];
        let (shown, facets): (Shown, Facets) = serde_json::from_slice(bytes).map_err(unpacked)?;
        Ok(Entry { shown, facets })
    }

    /// Returns the hash of all entries.
    pub(super) fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for row in &self.rows {
            hasher.update(&row.hashes.entry);
        }
        hasher.finalize().to_hex().to_string()
    }
}

fn unpacked(error: serde_json::Error) -> RetrieveError {
    RetrieveError::io("cannot keep what is searched in", Path::new("memory"), io::Error::from(error))
}
