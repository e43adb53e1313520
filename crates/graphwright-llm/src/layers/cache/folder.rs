//! Replies in a folder: a file each, named by its key, and written whole or not at all.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, ErrorKind, Read, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use graphwright_core::cache::CacheKey;

use crate::{ChatReply, LlmError, Result};

const ENDING: &str = "reply";
/// The ending of a file that is being written.
const UNFINISHED: &str = "reply-part";
/// The age at which an unfinished file was left by a writer that was killed.
const ABANDONED: Duration = Duration::from_hours(1);
/// The part of the folder's limit (1/16) that may be written before it is looked through again.
const SLACK: u64 = 16;

#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    max_bytes: u64,
    max_age: Duration,
    /// The bytes written since the folder was looked through.
    written: AtomicU64,
    looked_through: AtomicBool,
}

/// A reply as JSON that a folder held.
pub(super) struct FoundReply {
    pub(super) age: Duration,
    pub(super) reply: Vec<u8>,
}

impl Folder {
    pub(super) fn open(path: &Path, max_bytes: u64, max_age: Duration) -> Result<Self> {
        let usable = fs::create_dir_all(path).and_then(|()| new_file(path).map(drop));
        usable.map_err(|error| LlmError::Configuration {
            message: format!(
                "the folder of the cache, {}, cannot be written: {error}; name another, or do without one",
                path.display()
            ),
        })?;
        let (written, looked_through) = Default::default();
        Ok(Self { path: path.to_owned(), max_bytes, max_age, written, looked_through })
    }

    pub(super) async fn read(self: Arc<Self>, key: CacheKey) -> Option<FoundReply> {
        self.work(move |folder| folder.read_file(key)).await.flatten()
    }

    pub(super) async fn write(self: Arc<Self>, key: CacheKey, reply: Arc<[u8]>) {
        self.work(move |folder| folder.write_file(key, &reply).map(|()| Some(()))).await;
    }

    /// Runs a job off the runtime's threads. A failure is only logged: it costs a call of the model
    /// and no more.
    async fn work<T: Send + 'static>(
        self: Arc<Self>,
        job: impl FnOnce(&Self) -> io::Result<T> + Send + 'static,
    ) -> Option<T> {
        let shown = self.path.display().to_string();
        let result = tokio::task::spawn_blocking(move || job(&self)).await;
        let error = match result {
            Ok(Ok(value)) => return Some(value),
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        tracing::warn!(folder = shown, error, "the cache of replies cannot be used");
        None
    }

    fn place(&self, key: CacheKey) -> PathBuf {
        self.path.join(format!("{key}.{ENDING}"))
    }

    fn read_file(&self, key: CacheKey) -> io::Result<Option<FoundReply>> {
        let place = self.place(key);
        let mut file = match File::open(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let made = file.metadata()?.modified()?;
        let mut reply = Vec::new();
        file.read_to_end(&mut reply)?;
        if serde_json::from_slice::<ChatReply>(&reply).is_err() {
            tracing::warn!(file = %place.display(), "a reply in the cache is damaged and is removed");
            remove(&place)?;
            return Ok(None);
        }
        // A clock that was set back makes a reply no older.
        Ok(Some(FoundReply { age: made.elapsed().unwrap_or_default(), reply }))
    }

    fn write_file(&self, key: CacheKey, reply: &[u8]) -> io::Result<()> {
        let length = reply.len() as u64;
        // A reply larger than the whole folder would be removed at once.
        if length > self.max_bytes {
            return Ok(());
        }
        let mut file = new_file(&self.path)?;
        file.write_all(reply)?;
        file.persist(self.place(key)).map_err(|error| error.error)?;
        let written = self.written.fetch_add(length, Ordering::Relaxed) + length;
        // Earlier runs may have left the folder full, so the first write looks through it.
        if !self.looked_through.swap(true, Ordering::Relaxed) || written > self.max_bytes / SLACK {
            self.written.store(0, Ordering::Relaxed);
            self.make_room()?;
        }
        Ok(())
    }

    /// Removes what is too old, and the oldest replies if there are too many.
    ///
    /// Touches no file of others. Another process may do the same at the same time.
    fn make_room(&self) -> io::Result<()> {
        let now = SystemTime::now();
        let mut kept = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            let Some(oldest) = self.oldest_of(&path) else { continue };
            // Another process removed it in the meantime.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            let made = metadata.modified()?;
            if now.duration_since(made).unwrap_or_default() >= oldest {
                remove(&path)?;
            } else if path.extension() == Some(OsStr::new(ENDING)) {
                kept.push((made, metadata.len(), path));
            }
        }
        // The time comes first, so the oldest do.
        kept.sort();
        let mut bytes: u64 = kept.iter().map(|(_, length, _)| length).sum();
        for (_, length, path) in kept {
            if bytes <= self.max_bytes {
                break;
            }
            remove(&path)?;
            bytes -= length;
        }
        Ok(())
    }

    /// Returns the greatest age of a file of ours, or `None` for a file of others.
    fn oldest_of(&self, path: &Path) -> Option<Duration> {
        let stem = path.file_stem()?.to_str()?;
        let is_key = stem.len() == 64 && stem.bytes().all(|byte| byte.is_ascii_hexdigit());
        match path.extension()?.to_str()? {
            ENDING if is_key => Some(self.max_age),
            UNFINISHED => Some(ABANDONED),
            _ => None,
        }
    }
}

/// Creates a file that only this user may read, until it gets its name.
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().suffix(&format!(".{UNFINISHED}")).tempfile_in(folder)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
