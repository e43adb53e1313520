//! The log of commits, read without trusting it.
//!
//! The log is a header (`KWAL` and a version) and a frame for each commit: its length, the CRC-32
//! of what it holds, and that. The engine reads as far as it can and drops the rest, whatever that
//! is. Here the end of a log that a killed writer left is told from damage: the first is dropped,
//! as no one was told of that commit, and the second is an error.

use std::{fs, io, io::Write, ops::Range, path::Path};

use graphwright_core::{Result, StoreError};
use kglite::api::{
    durable::{WalFrame, recover},
    io::load_file,
};

use crate::{
    error,
    location::{Location, exists},
};

const MAGIC: &[u8; 4] = b"KWAL";
const HEADER: usize = MAGIC.len() + 1;
/// The length of a frame and its checksum.
const PREFIX: usize = 8;
/// The newest version of the log that the engine reads.
const NEWEST: u8 = 13;
/// Where Linux keeps files in memory, for when the disk is full.
const SHARED_MEMORY: &str = "/dev/shm";
/// The bytes that a disk writes as one.
const SECTOR: usize = 512;
/// Fewer zeros at the end of a sector may be the end of a commit.
const LEAST_ZEROS: usize = 32;
/// The most bytes that are summed in search of commits behind damage.
const SEARCH_BYTES: usize = 1 << 30;

/// What the bytes of a log are.
struct Inspected {
    /// The bytes that hold whole commits, with the header. 0 for a log without one.
    whole: usize,
    /// The number of commits in them.
    commits: usize,
    /// What is behind them if it is not the rest of a commit that was never finished.
    damage: Option<Damage>,
}

/// Bytes that were written whole and are not whole now.
struct Damage {
    /// The bytes of the file from the damage to its end.
    bytes: Range<usize>,
    /// Commits that are whole and stand behind the damage: they build on what is lost.
    commits_behind: usize,
}

impl Damage {
    fn message(&self, commits: usize) -> String {
        let behind = match self.commits_behind {
            0 => String::new(),
            1 => ", and a whole commit behind it".to_owned(),
            number => format!(", and {number} whole commits behind it"),
        };
        format!(
            "its log is damaged at byte {} of {}: {commits} commits before it are whole; at least one is lost{behind}",
            self.bytes.start, self.bytes.end
        )
    }
}

/// Reads the commits of the log that stand behind the checkpoint's last one.
///
/// # Errors
///
/// Returns [`Corrupt`](StoreError::Corrupt) if what was committed cannot be read, and
/// [`Unavailable`](StoreError::Unavailable) if a newer version wrote it.
pub(crate) fn read(location: &Location, checkpoint: u64) -> Result<Vec<WalFrame>> {
    require(location, checkpoint)?;
    let (bytes, inspected) = undamaged(location)?;
    let frames = decode(&bytes[..inspected.whole], location)?;
    if frames.len() < inspected.commits {
        let message =
            format!("its log holds {} commits, and {} can be read", inspected.commits, frames.len());
        return Err(corrupt(location, message));
    }
    check_sequence(&frames, checkpoint, location)?;
    Ok(frames)
}

/// Returns the number of the last commit in the log, 0 if it holds none, without reading what the commits did.
///
/// `None` if the log is damaged, lacks a commit, or is of a form whose commits only the engine can read.
pub(crate) fn last_commit(location: &Location, checkpoint: u64) -> Option<u64> {
    require(location, checkpoint).ok()?;
    let (bytes, inspected) = undamaged(location).ok()?;
    let mut at = HEADER.min(inspected.whole);
    let mut last = None;
    while at < inspected.whole {
        if bytes.get(MAGIC.len()) != Some(&NEWEST) {
            return None;
        }
        let number = commit_number(bytes.get(at + PREFIX..)?)?;
        // As `followed` asks for.
        let follows = last.map_or(number <= checkpoint + 1, |last: u64| number == last + 1);
        if !follows {
            return None;
        }
        last = Some(number);
        at += PREFIX + prefix(&bytes[at..])?.0;
    }
    Some(last.unwrap_or_default())
}

/// Reads the number at the start of a commit.
fn commit_number(held: &[u8]) -> Option<u64> {
    let mut number = 0;
    for (place, &byte) in held.iter().take(10).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Fails if there is no log although commits were written to one: what it held since the checkpoint is lost.
fn require(location: &Location, checkpoint: u64) -> Result<()> {
    if checkpoint == 0 || exists(&location.log())? {
        return Ok(());
    }
    let message = "its log, graph.kgl-wal, is missing; what was committed after the last checkpoint is lost";
    Err(corrupt(location, message.to_owned()))
}

/// Returns the bytes of the log and what they are, if nothing in them is damaged.
fn undamaged(location: &Location) -> Result<(Vec<u8>, Inspected)> {
    let bytes = bytes(location)?;
    let inspected = inspect(&bytes, location)?;
    match &inspected.damage {
        Some(damage) => Err(corrupt(location, damage.message(inspected.commits))),
        None => Ok((bytes, inspected)),
    }
}

/// Checks that no commit is missing between the checkpoint and the end of the log.
pub(crate) fn check_sequence(frames: &[WalFrame], checkpoint: u64, location: &Location) -> Result<()> {
    followed(frames, checkpoint).map_err(|(_, message)| corrupt(location, message))
}

/// Returns the number of commits up to the first damage, and the bytes that hold them.
pub(crate) fn whole_prefix(location: &Location, checkpoint: u64) -> Result<(usize, usize)> {
    let bytes = bytes(location)?;
    // What is no log at all has no commits.
    let whole = &bytes[..inspect(&bytes, location).map_or(0, |inspected| inspected.whole)];
    let frames = decode(whole, location)?;
    let commits = match followed(&frames, checkpoint) {
        Ok(()) => frames.len(),
        Err((commits, _)) => commits,
    };
    let mut length = HEADER.min(whole.len());
    for _ in 0..commits {
        length += frame(&whole[length..]).unwrap_or(0);
    }
    Ok((commits, length))
}

/// Reads the commits in bytes that hold whole ones.
fn decode(whole: &[u8], location: &Location) -> Result<Vec<WalFrame>> {
    if whole.len() <= HEADER {
        return Ok(Vec::new());
    }
    // The engine reads from a file, and prints what it thinks of a log that does not end with a
    // whole commit; a writer may be adding one now. So it gets a copy of what is whole.
    let copy = copy_of(whole, &[&std::env::temp_dir(), Path::new(SHARED_MEMORY)]);
    // Without any room for a copy, what the engine prints is the lesser evil.
    let path = copy.as_ref().map_or_else(|_| location.log(), |copy| copy.path().to_owned());
    recover(&path).map_err(|source| error::from_io(source, &location.log()))
}

/// Copies bytes into a file of the first of these folders that has room for them.
fn copy_of(bytes: &[u8], folders: &[&Path]) -> io::Result<tempfile::NamedTempFile> {
    let copy_in = |folder: &Path| {
        let mut copy = tempfile::NamedTempFile::new_in(folder)?;
        copy.write_all(bytes)?;
        Ok(copy)
    };
    let none = Err(io::Error::from(io::ErrorKind::NotFound));
    folders.iter().fold(none, |copy, folder| copy.or_else(|_| copy_in(folder)))
}

/// Removes the rest of a commit that was never finished, and returns those that were.
///
/// For the writer, before the engine opens the log: it would print, and put damage aside.
///
/// # Errors
///
/// Returns [`Corrupt`](StoreError::Corrupt) if the log is damaged, or has lost its checkpoint.
pub(crate) fn prepare(location: &Location) -> Result<Vec<WalFrame>> {
    let io = |source| error::from_io(source, &location.log());
    if !exists(&location.log())? && exists(&location.checkpoint())? {
        // Rare enough to read the checkpoint twice.
        let path = location.checkpoint();
        let checkpoint =
            load_file(&path.to_string_lossy()).map_err(|source| error::from_io(source, &path))?;
        require(location, checkpoint.checkpoint_lsn)?;
    }
    let (bytes, inspected) = undamaged(location)?;
    if inspected.whole > 0 && !exists(&location.checkpoint())? {
        return Err(without_checkpoint(location));
    }
    if inspected.whole > 0 && inspected.whole < bytes.len() {
        let log = fs::OpenOptions::new().write(true).open(location.log()).map_err(io)?;
        log.set_len(inspected.whole as u64).and_then(|()| log.sync_all()).map_err(io)?;
    }
    decode(&bytes[..inspected.whole], location)
}

/// Returns the error for a store whose checkpoint is not there.
pub(crate) fn without_checkpoint(location: &Location) -> StoreError {
    match bytes(location).and_then(|bytes| inspect(&bytes, location)) {
        // Another process is creating the store.
        Ok(Inspected { whole: 0, .. }) => location.nothing_there(),
        Ok(Inspected { commits, .. }) => {
            let message = format!(
                "its checkpoint, graph.kgl, is missing; the log holds only the {commits} commits after it"
            );
            StoreError::Corrupt { address: location.address(), message, repairable: false }
        }
        Err(error) => error,
    }
}

fn bytes(location: &Location) -> Result<Vec<u8>> {
    match fs::read(location.log()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        bytes => bytes.map_err(|source| error::from_io(source, &location.log())),
    }
}

fn corrupt(location: &Location, message: String) -> StoreError {
    StoreError::Corrupt { address: location.address(), message, repairable: true }
}

/// Finds how much of a log is whole, and whether the rest is damage.
fn inspect(bytes: &[u8], location: &Location) -> Result<Inspected> {
    let none = Inspected { whole: 0, commits: 0, damage: None };
    let (Some(magic), Some(&version)) = (bytes.get(..MAGIC.len()), bytes.get(MAGIC.len())) else {
        // A writer that was killed, or is at work, between emptying the log and writing its header.
        return if MAGIC.starts_with(bytes) { Ok(none) } else { Err(no_log(location)) };
    };
    if magic != MAGIC {
        return Err(no_log(location));
    }
    if version > NEWEST {
        return Err(StoreError::Unavailable {
            address: location.log().display().to_string(),
            message: format!(
                "it is of version {version}, and this program reads up to {NEWEST}: a newer version of Graphwright wrote it, or it is damaged"
            ),
            hint: error::NEWER.to_owned(),
        });
    }
    let (mut at, mut commits) = (HEADER, 0);
    while let Some(length) = frame(&bytes[at..]) {
        at += length;
        commits += 1;
    }
    let damage = damage_from(bytes, at);
    Ok(Inspected { whole: at, commits, damage })
}

fn no_log(location: &Location) -> StoreError {
    corrupt(location, "the file of its log holds something else".to_owned())
}

/// Returns the length of the whole frame at the start of `bytes`, if there is one.
fn frame(bytes: &[u8]) -> Option<usize> {
    let (length, sum) = prefix(bytes)?;
    let held = bytes.get(PREFIX..PREFIX.checked_add(length)?)?;
    (length > 0 && crc32fast::hash(held) == sum).then_some(PREFIX + length)
}

fn prefix(bytes: &[u8]) -> Option<(usize, u32)> {
    let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    Some((usize::try_from(number(0)?).ok()?, number(4)?))
}

/// Returns the damage if what follows the whole commits, from byte `at` on, is more than the
/// beginning of one.
///
/// A frame is written from its start to its end, so a killed writer leaves less of it than its
/// length says. After a power cut, sectors at its end may be there as zeros.
fn damage_from(bytes: &[u8], at: usize) -> Option<Damage> {
    let rest = &bytes[at..];
    let (length, sum) = prefix(rest)?;
    if ends_with_empty_sector(bytes, at) {
        return None;
    }
    let held = &rest[PREFIX..];
    let commits_behind = count_behind(rest);
    // Less than its length says, unless it is the length that is wrong.
    let is_unfinished = length > held.len() && commits_behind == 0 && crc32fast::hash(held) != sum;
    (!is_unfinished).then_some(Damage { bytes: at..bytes.len(), commits_behind })
}

/// Tells whether the bytes from `at` on end with a sector of the disk that was never written, or
/// hold nothing else.
fn ends_with_empty_sector(bytes: &[u8], at: usize) -> bool {
    let sector = (bytes.len() - 1) / SECTOR * SECTOR;
    let last = &bytes[sector.max(at)..];
    let is_zero = last.iter().all(|&byte| byte == 0);
    is_zero && (sector <= at || last.len() >= LEAST_ZEROS)
}

/// Counts the whole commits that stand somewhere behind damage.
fn count_behind(rest: &[u8]) -> usize {
    let (mut at, mut commits, mut summed) = (1, 0, 0);
    while let Some((length, _)) = rest.get(at..).and_then(prefix) {
        // A short frame may fit by chance, and no commit is that short.
        if length > PREFIX && length <= rest.len() - at - PREFIX {
            summed += length;
            if summed > SEARCH_BYTES {
                break;
            }
            if let Some(whole) = frame(&rest[at..]) {
                commits += 1;
                at += whole;
                continue;
            }
        }
        at += 1;
    }
    commits
}

/// Checks that no commit is missing between the checkpoint and the end of the log. If one is,
/// returns the number of commits before it and what to say.
fn followed(frames: &[WalFrame], checkpoint: u64) -> std::result::Result<(), (usize, String)> {
    let mut last = checkpoint;
    for (place, frame) in frames.iter().enumerate() {
        // The log may begin with commits that the checkpoint has already.
        let follows = if place == 0 { frame.lsn <= checkpoint + 1 } else { frame.lsn == last + 1 };
        if !follows {
            let found = frame.lsn;
            return Err((
                place,
                format!("commit {} is missing: its log goes on with commit {found}", last + 1),
            ));
        }
        last = frame.lsn;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_made_where_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let copy = copy_of(b"commits", &[&missing, folder.path()]).unwrap();
        assert_eq!(copy.path().parent(), Some(folder.path()));
        assert_eq!(fs::read(copy.path()).unwrap(), b"commits");
        assert!(copy_of(b"commits", &[&missing]).is_err());
    }
}
