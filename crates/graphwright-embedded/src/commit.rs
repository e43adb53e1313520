//! Tells the last commit of a store from its files, without loading the graph.
//!
//! The checkpoint begins with a header of 13 bytes, the last four of which are the length of its metadata: JSON and a CRC-32
//! of header and JSON. A commit in the log begins with its number (LEB128). Whatever looks otherwise is left to loading.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use serde::Deserialize;

use crate::{location::Location, log};

const HEADER: usize = 13;
const SUM: usize = 4;
/// The most metadata that is read. The engine refuses more as well.
const MOST_METADATA: usize = 64 << 20;

#[derive(Deserialize)]
struct Metadata {
    /// Absent in the checkpoint of nothing.
    #[serde(default)]
    checkpoint_lsn: u64,
}

/// Returns the number of the last commit, or `None` if only loading can tell it.
pub(crate) fn last(location: &Location) -> Option<u64> {
    let checkpoint = of_checkpoint(&location.checkpoint())?;
    let logged = log::last_commit(location, checkpoint)?;
    Some(checkpoint.max(logged))
}

fn of_checkpoint(path: &Path) -> Option<u64> {
    let (header, metadata) = head(path).ok()?;
    let (json, sum) = metadata.split_last_chunk::<SUM>()?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header);
    hasher.update(json);
    if hasher.finalize() != u32::from_le_bytes(*sum) {
        return None;
    }
    serde_json::from_slice::<Metadata>(json).ok().map(|metadata| metadata.checkpoint_lsn)
}

fn head(path: &Path) -> io::Result<([u8; HEADER], Vec<u8>)> {
    let mut file = File::open(path)?;
    let mut header = [0; HEADER];
    file.read_exact(&mut header)?;
    let length = header.last_chunk().map_or(0, |length| u32::from_le_bytes(*length) as usize);
    if length > MOST_METADATA {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut metadata = vec![0; length];
    file.read_exact(&mut metadata)?;
    Ok((header, metadata))
}
