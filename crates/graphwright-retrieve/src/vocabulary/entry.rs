//! What is looked up among the words of a graph, and what is known of all of them.

use serde::{Deserialize, Serialize};

use super::summary::Summary;

/// The forms in which something is looked up.
pub(super) const NAME: u8 = 0;
pub(super) const WORD: u8 = 1;
pub(super) const VALUE: u8 = 2;
pub(super) const STEMS: u8 = 3;
pub(super) const BEGINNING: u8 = 4;

/// Bytes of an entry: hash (8), target (4) and length (1).
pub(super) const ENTRY: usize = 13;
pub(super) const HASH: usize = 8;
const TARGET: usize = 4;
/// What is looked up, with what is found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) form: u8,
    pub(super) hash: u64,
    target: u32,
    /// The number of words of a name.
    length: u8,
}

impl Entry {
    pub(super) fn new(form: u8, key: &str, target: u32, length: u8) -> Self {
        Self { form, hash: hash(form, key), target, length }
    }

    pub(super) fn place(&self) -> (u64, u32) {
        (self.hash, self.target)
    }

    pub(super) fn to_bytes(self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        bytes[..HASH].copy_from_slice(&self.hash.to_le_bytes());
        bytes[HASH..HASH + TARGET].copy_from_slice(&self.target.to_le_bytes());
        bytes[HASH + TARGET] = self.length;
        bytes
    }
}

pub(super) fn hash(form: u8, key: &str) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[form]);
    hasher.update(key.as_bytes());
    hasher.finalize().as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// What is known of the words before their bytes are read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) summary: Summary,
    pub(super) names: usize,
    pub(super) longest_name: usize,
    pub(super) longest_value: usize,
    /// The number of values.
    pub(super) values: u32,
    /// How many bytes they have.
    pub(super) records: u64,
}
