//! The names of a graph as bytes, in memory or in a file beside the snapshot.
//!
//! The form of a name by which it is found is kept as a hash (the first eight bytes of BLAKE3), sorted: finding one costs a
//! binary search, whatever the number of names. A name that was found by its hash is compared, so equal hashes of different
//! names do no harm.

use std::{borrow::Cow, io, path::Path};

use serde::{Deserialize, Serialize};
use tantivy::directory::OwnedBytes;

use crate::{
    NodeIndex, Result, RetrieveError,
    beside::Beside,
    dictionary::{Form, Term, Terms, entries_of},
    mapped::{BlockWriter, Blocks, RecordReader, Seal, put_number, put_text},
};

const PLACE: Beside = Beside { pointer: "NAMES", file: "names-", form: 2, what: "the names of the graph" };

/// Bytes of a form: its hash and the number of the name.
const HASHED: usize = 12;
const HASH: usize = 8;
/// Bytes of a place.
const OFFSET: usize = 8;

/// Names on their way into the bytes.
#[derive(Debug, Default)]
pub(super) struct Collected {
    records: Vec<u8>,
    offsets: Vec<u64>,
    hashed: Vec<(u64, u32)>,
}

impl Collected {
    pub(super) fn add(&mut self, name: &str, node: NodeIndex, alias: bool) {
        for (name, entry) in entries_of(name, alias) {
            let number = self.offsets.len() as u32;
            self.offsets.push(self.records.len() as u64);
            put_number(&mut self.records, node.position() as u64);
            put_number(&mut self.records, u64::from(entry.alias));
            put_number(&mut self.records, entry.punctuation);
            put_text(&mut self.records, name);
            put_text(&mut self.records, &entry.key);
            self.hashed.extend(entry.forms(name).into_iter().map(|(form, key)| (hash(form, &key), number)));
        }
    }

    fn about(&self) -> About {
        About { terms: self.offsets.len() as u32, records: self.records.len() as u64 }
    }

    /// Writes the records, then where each begins, then the forms.
    fn write<W: io::Write>(&self, sink: W) -> io::Result<(W, Seal)> {
        let mut hashed = self.hashed.clone();
        hashed.sort_unstable();
        hashed.dedup();
        let mut writer = BlockWriter::new(sink);
        writer.put(&self.records)?;
        for offset in self.offsets.iter().chain([&(self.records.len() as u64)]) {
            writer.put(&offset.to_le_bytes())?;
        }
        for (hash, number) in hashed {
            writer.put(&hash.to_le_bytes())?;
            writer.put(&number.to_le_bytes())?;
        }
        writer.finish()
    }
}

/// What is known of the names before their bytes are read.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct About {
    terms: u32,
    records: u64,
}

/// Names as bytes.
#[derive(Debug)]
pub(super) struct WrittenNames {
    blocks: Blocks,
    terms: u32,
    offsets: usize,
    hashed: usize,
    hashes: usize,
}

impl WrittenNames {
    pub(super) fn in_memory(collected: &Collected) -> Self {
        let written = collected.write(Vec::new()).map_err(|error| error.to_string());
        let opened = written.and_then(|(bytes, seal)| Blocks::open(OwnedBytes::new(bytes), seal));
        let opened = opened.and_then(|blocks| Self::of(blocks, collected.about()));
        opened.unwrap_or_else(|message| {
            let blocks = Blocks::empty();
            blocks.tell(message);
            Self { blocks, terms: 0, offsets: 0, hashed: 0, hashes: 0 }
        })
    }

    /// Opens the names of a snapshot. `None` if there are none, or damaged ones, of which a warning tells.
    pub(super) fn open(folder: &Path, of: &str) -> Option<Self> {
        let (blocks, about) = PLACE.open(folder, of)?;
        Self::of(blocks, about).ok()
    }

    /// Writes the names of a snapshot into files, and opens them.
    pub(super) fn write(folder: &Path, of: &str, collected: &Collected) -> Result<Self> {
        let about = collected.about();
        let blocks = PLACE.write(folder, of, &about, |file| collected.write(file))?;
        Self::of(blocks, about)
            .map_err(|message| RetrieveError::DamagedTopology { path: folder.to_owned(), message })
    }

    fn of(blocks: Blocks, About { terms, records }: About) -> Result<Self, String> {
        let offsets = usize::try_from(records).map_err(|error| error.to_string())?;
        let hashed = offsets + (terms as usize + 1) * OFFSET;
        let hashes = blocks.len().checked_sub(hashed).ok_or("its parts do not fit")? / HASHED;
        Ok(Self { blocks, terms, offsets, hashed, hashes })
    }

    pub(super) fn damage(&self) -> Option<&str> {
        self.blocks.damage()
    }

    fn hashed(&self, place: usize) -> Option<(u64, u32)> {
        let bytes = self.blocks.get(self.hashed + place * HASHED, HASHED);
        let number = bytes.get(HASH..)?.first_chunk()?;
        Some((u64::from_le_bytes(*bytes.first_chunk()?), u32::from_le_bytes(*number)))
    }

    fn offset(&self, number: u32) -> Option<usize> {
        let bytes = self.blocks.get(self.offsets + number as usize * OFFSET, OFFSET);
        usize::try_from(u64::from_le_bytes(*bytes.first_chunk()?)).ok()
    }

    fn has_form(&self, number: u32, form: Form, key: &str) -> bool {
        self.term(number).is_some_and(|term| {
            let entries = entries_of(term.name, term.alias);
            entries.first().is_some_and(|(name, entry)| {
                entry.forms(name).iter().any(|(other, other_key)| *other == form && other_key == key)
            })
        })
    }
}

impl Terms for WrittenNames {
    type Target = NodeIndex;

    fn count(&self) -> u32 {
        self.terms
    }

    fn numbers(&self, form: Form, key: &str) -> Vec<u32> {
        let wanted = hash(form, key);
        let (mut low, mut high) = (0, self.hashes);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.hashed(middle).is_some_and(|(hash, _)| hash < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let equal = (low..self.hashes).map_while(|place| self.hashed(place));
        let numbers = equal.take_while(|(hash, _)| *hash == wanted).map(|(_, number)| number);
        numbers.filter(|number| self.has_form(*number, form, key)).collect()
    }

    fn term(&self, number: u32) -> Option<Term<'_, NodeIndex>> {
        let (start, end) = (self.offset(number)?, self.offset(number + 1)?);
        let mut reader = RecordReader::new(self.blocks.get(start, end.checked_sub(start)?));
        let target = NodeIndex::at(u32::try_from(reader.number()?).ok()?);
        let (alias, punctuation) = (reader.number()? != 0, reader.number()?);
        let (name, key) = (reader.text()?, Cow::Borrowed(reader.text()?));
        Some(Term { target, name, key, alias, punctuation })
    }
}

fn hash(form: Form, key: &str) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[form as u8]);
    hasher.update(key.as_bytes());
    hasher.finalize().as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
