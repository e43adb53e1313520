//! Bytes with a checksum for each block, which is compared when the block is first read.
//!
//! So opening costs the same for every size of graph, and no byte is taken for what was written before it was compared.
//! CRC-32 finds every damage of up to 32 bits in a row, and all but one in four thousand million others.

use std::{
    fmt,
    io::{self, Write},
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use serde::{Deserialize, Serialize};
use tantivy::directory::OwnedBytes;

/// Bytes with one checksum: a page of memory, so that a check maps nothing that was not asked for.
const BLOCK: usize = 4096;
/// Bytes of a checksum.
const SUM: usize = 4;
/// Bytes that are written at once.
const BUFFER: usize = 64 * BLOCK;

/// How long what was written is, and the checksum of its checksums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seal {
    bytes: u64,
    crc32: u32,
}

impl fmt::Display for Seal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{:08x}", self.bytes, self.crc32)
    }
}

impl Seal {
    /// Returns the number of bytes with their checksums.
    pub(crate) fn file_bytes(self) -> u64 {
        self.bytes + self.bytes.div_ceil(BLOCK as u64) * SUM as u64
    }
}

/// Writes bytes, and behind them the checksums of their blocks.
#[derive(Debug)]
pub(crate) struct BlockWriter<W> {
    sink: W,
    buffer: Vec<u8>,
    sums: Vec<u8>,
    written: u64,
}

impl<W: Write> BlockWriter<W> {
    pub(crate) fn new(sink: W) -> Self {
        Self { sink, buffer: Vec::with_capacity(BUFFER), sums: Vec::new(), written: 0 }
    }

    #[inline]
    pub(crate) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.buffer.len() + bytes.len() < BUFFER {
            self.buffer.extend_from_slice(bytes);
            return Ok(());
        }
        self.put_beyond(bytes)
    }

    /// Puts bytes that the buffer has no room for.
    fn put_beyond(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while self.buffer.len() + bytes.len() >= BUFFER {
            let (now, later) = bytes.split_at(BUFFER - self.buffer.len());
            self.buffer.extend_from_slice(now);
            self.flush()?;
            bytes = later;
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Returns the number of bytes so far.
    pub(crate) fn position(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// Writes the checksums.
    pub(crate) fn finish(mut self) -> io::Result<(W, Seal)> {
        self.flush()?;
        self.sink.write_all(&self.sums)?;
        self.sink.flush()?;
        Ok((self.sink, Seal { bytes: self.written, crc32: crc32fast::hash(&self.sums) }))
    }

    fn flush(&mut self) -> io::Result<()> {
        for block in self.buffer.chunks(BLOCK) {
            self.sums.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
        }
        self.sink.write_all(&self.buffer)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// What a [`BlockWriter`] wrote.
pub(crate) struct Blocks {
    bytes: OwnedBytes,
    sums: OwnedBytes,
    /// A bit for each block: whether it was compared and is whole.
    whole: Box<[AtomicU64]>,
    damage: OnceLock<String>,
}

impl Blocks {
    /// Opens what was written. Fails with the reason if it has another length or other checksums.
    pub(crate) fn open(written: OwnedBytes, seal: Seal) -> Result<Self, String> {
        if written.len() as u64 != seal.file_bytes() {
            return Err(format!("it has {} bytes in place of {}", written.len(), seal.file_bytes()));
        }
        let (bytes, sums) = written.split(usize::try_from(seal.bytes).map_err(|error| error.to_string())?);
        if crc32fast::hash(&sums) != seal.crc32 {
            return Err("its checksums are not what was written".to_owned());
        }
        let words = bytes.len().div_ceil(BLOCK).div_ceil(64);
        let whole = (0..words).map(|_| AtomicU64::new(0)).collect();
        Ok(Self { bytes, sums, whole, damage: OnceLock::new() })
    }

    pub(crate) fn empty() -> Self {
        let (bytes, sums) = (OwnedBytes::empty(), OwnedBytes::empty());
        Self { bytes, sums, whole: Box::default(), damage: OnceLock::new() }
    }

    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Says what was found not to be as it was written, if something was.
    pub(crate) fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// Returns bytes as they were written: none if they are damaged, which [`damage`](Self::damage) then says.
    #[inline]
    pub(crate) fn get(&self, start: usize, length: usize) -> &[u8] {
        let found = start.checked_add(length).and_then(|end| self.bytes.get(start..end));
        let Some(found) = found else {
            self.tell(format!("bytes {start} to {} are not there", start.saturating_add(length)));
            return &[];
        };
        if length == 0 {
            return found;
        }
        for block in start / BLOCK..=(start + length - 1) / BLOCK {
            let seen = self
                .whole
                .get(block / 64)
                .is_some_and(|word| word.load(Ordering::Relaxed) & (1 << (block % 64)) != 0);
            if !seen && !self.compare(block) {
                return &[];
            }
        }
        found
    }

    /// Compares all blocks.
    pub(crate) fn compare_all(&self) {
        for block in 0..self.bytes.len().div_ceil(BLOCK) {
            self.compare(block);
        }
    }

    #[cold]
    fn compare(&self, block: usize) -> bool {
        let start = block * BLOCK;
        let bytes = self.bytes.get(start..self.bytes.len().min(start + BLOCK)).unwrap_or_default();
        let sum = self.sums.get(block * SUM..).and_then(|sums| sums.first_chunk::<SUM>());
        if sum.is_none_or(|sum| u32::from_le_bytes(*sum) != crc32fast::hash(bytes)) {
            self.tell(format!("the {BLOCK} bytes from {start} on are not what was written"));
            return false;
        }
        if let Some(word) = self.whole.get(block / 64) {
            word.fetch_or(1 << (block % 64), Ordering::Relaxed);
        }
        true
    }

    /// Remembers a damage; of several the first.
    pub(crate) fn tell(&self, message: String) {
        if self.damage.set(message).is_ok()
            && let Some(message) = self.damage()
        {
            tracing::warn!("what is kept beside the graph is damaged: {message}");
        }
    }
}

impl fmt::Debug for Blocks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Blocks").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: &[u8]) -> (Vec<u8>, Seal) {
        let mut writer = BlockWriter::new(Vec::new());
        for piece in bytes.chunks(1000) {
            writer.put(piece).unwrap();
        }
        assert_eq!(writer.position(), bytes.len() as u64);
        writer.finish().unwrap()
    }

    #[test]
    fn what_was_written_is_read() {
        for length in [0, 1, BLOCK, BLOCK + 1, BUFFER, BUFFER * 2 + 77] {
            let bytes: Vec<u8> = (0..length).map(|number| (number % 251) as u8).collect();
            let (file, seal) = written(&bytes);
            assert_eq!(file.len() as u64, seal.file_bytes());
            let blocks = Blocks::open(OwnedBytes::new(file), seal).unwrap();
            assert_eq!(blocks.get(0, length), bytes);
            assert_eq!(blocks.get(length / 2, length / 3), &bytes[length / 2..length / 2 + length / 3]);
            assert_eq!(blocks.damage(), None);
            assert!(blocks.get(length, 1).is_empty());
            assert!(blocks.damage().is_some());
        }
    }

    #[test]
    fn every_changed_byte_is_told() {
        let bytes: Vec<u8> = (0..BLOCK * 3).map(|number| (number / 7) as u8).collect();
        let (file, seal) = written(&bytes);
        for place in (0..file.len()).step_by(61) {
            let mut changed = file.clone();
            changed[place] ^= 4;
            let Ok(blocks) = Blocks::open(OwnedBytes::new(changed), seal) else { continue };
            let block = place / BLOCK * BLOCK;
            assert!(blocks.get(place, 1).is_empty(), "byte {place}");
            assert!(blocks.damage().unwrap().contains(&block.to_string()));
        }
        assert!(Blocks::open(OwnedBytes::new(file[..file.len() - 1].to_vec()), seal).is_err());
    }
}
