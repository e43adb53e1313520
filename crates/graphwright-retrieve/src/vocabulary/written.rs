//! Words as bytes, in memory or in a file beside the snapshot.
//!
//! What is looked up is kept as a hash (the first eight bytes of BLAKE3), sorted: finding it costs a binary search, whatever
//! the number of words. Two of a thousand million words have the same hash once in forty graphs; both are then found.

use std::path::Path;

use tantivy::directory::OwnedBytes;

use super::{
    collect::Collected,
    entry::{About, ENTRY, HASH, hash},
};
use crate::{
    Result,
    beside::Beside,
    mapped::{Blocks, RecordReader},
};

const PLACE: Beside = Beside { pointer: "WORDS", file: "words-", form: 4, what: "the words of the graph" };

/// Bytes of the place of a record.
const OFFSET: usize = 8;

/// The words of a graph as they were written.
#[derive(Debug)]
pub(super) struct Written {
    blocks: Blocks,
    pub(super) about: About,
    /// Where the places of values begin, and where the entries do.
    offsets: usize,
    entries: usize,
    count: usize,
}

impl Written {
    pub(super) fn in_memory(collected: Collected) -> Self {
        let written = collected.write(Vec::new()).map_err(|error| error.to_string());
        let opened = written.and_then(|(bytes, seal)| Blocks::open(OwnedBytes::new(bytes), seal));
        let opened = opened.and_then(|blocks| Self::of(blocks, collected.about));
        opened.unwrap_or_else(|message| {
            let blocks = Blocks::empty();
            blocks.tell(message);
            Self { blocks, about: About::default(), offsets: 0, entries: 0, count: 0 }
        })
    }

    pub(super) fn open(folder: &Path, of: &str) -> Option<Self> {
        let (blocks, about) = PLACE.open(folder, of)?;
        Self::of(blocks, about).ok()
    }

    pub(super) fn write(folder: &Path, of: &str, collected: &mut Collected) -> Result<Self> {
        let blocks = PLACE.write(folder, of, &collected.about, |file| collected.write(file))?;
        Self::of(blocks, collected.about.clone())
            .map_err(|message| crate::RetrieveError::DamagedTopology { path: folder.to_owned(), message })
    }

    fn of(blocks: Blocks, about: About) -> Result<Self, String> {
        let offsets = usize::try_from(about.records).map_err(|error| error.to_string())?;
        let entries = offsets + (about.values as usize + 1) * OFFSET;
        let count = blocks.len().checked_sub(entries).ok_or("its parts do not fit")? / ENTRY;
        Ok(Self { blocks, about, offsets, entries, count })
    }

    pub(super) fn damage(&self) -> Option<&str> {
        self.blocks.damage()
    }

    /// Finds all entries of a key.
    pub(super) fn found(&self, form: u8, key: &str) -> Found<'_> {
        let wanted = hash(form, key);
        let start = self.partition_point(0, |hash| hash < wanted);
        let end = self.partition_point(start, |hash| hash <= wanted);
        if start == end {
            return Found { bytes: &[] };
        }
        Found { bytes: self.blocks.get(self.entries + start * ENTRY, (end - start) * ENTRY) }
    }

    fn partition_point(&self, from: usize, is_before: impl Fn(u64) -> bool) -> usize {
        let (mut low, mut high) = (from, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let bytes = self.blocks.get(self.entries + middle * ENTRY, HASH);
            if bytes.first_chunk().is_some_and(|bytes| is_before(u64::from_le_bytes(*bytes))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns a value with the name of its property.
    pub(super) fn value(&self, number: u32) -> Option<(&str, &str)> {
        let (start, end) = (self.offset(number)?, self.offset(number + 1)?);
        let mut reader = RecordReader::new(self.blocks.get(start, end.checked_sub(start)?));
        let property = usize::try_from(reader.number()?).ok()?;
        Some((&self.about.summary.properties.get(property)?.name, reader.text()?))
    }

    fn offset(&self, number: u32) -> Option<usize> {
        let bytes = self.blocks.get(self.offsets + number as usize * OFFSET, OFFSET);
        usize::try_from(u64::from_le_bytes(*bytes.first_chunk()?)).ok()
    }
}

/// What was found of a key, in the order of the targets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    bytes: &'a [u8],
}

impl<'a> Found<'a> {
    pub(super) fn len(self) -> usize {
        self.bytes.len() / ENTRY
    }

    pub(super) fn iter(self) -> impl ExactSizeIterator<Item = (u32, u8)> + use<'a> {
        self.bytes.chunks_exact(ENTRY).map(|entry| (target(entry), entry[ENTRY - 1]))
    }

    pub(super) fn length(self, wanted: u32) -> Option<u8> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let entry = self.bytes.get(middle * ENTRY..(middle + 1) * ENTRY)?;
            match target(entry).cmp(&wanted) {
                std::cmp::Ordering::Equal => return entry.last().copied(),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

fn target(entry: &[u8]) -> u32 {
    let bytes = entry.get(HASH..).and_then(|bytes| bytes.first_chunk());
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
