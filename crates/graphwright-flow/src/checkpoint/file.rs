//! Checkpoints in files: one file for each run, one line for what was appended at once.
//!
//! A line is the CRC-32 of the rest in eight hexadecimal digits, a blank, and the records with tabs between them. A process that ends while
//! it appends leaves part of a line behind; such an end was never acknowledged, and the next one who opens the log cuts it off. A bad line
//! with others behind it is damage.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use tokio::task::spawn_blocking;

use super::{CheckpointLog, CheckpointStore};
use crate::{
    error::{FlowError, Result},
    run_id::RunId,
};

const EXTENSION: &str = "checkpoints";

/// Checkpoints in a folder. Each record is on the disk (`fsync`) before the run goes on, and a lock keeps every other process from a run
/// that is under way; it ends with its process, however that ends.
#[derive(Clone, Debug)]
pub struct FileCheckpoints {
    folder: PathBuf,
}

impl FileCheckpoints {
    /// Keeps checkpoints in a folder, which is made if there is none.
    ///
    /// # Errors
    /// Fails if the folder cannot be made.
    pub fn new(folder: impl Into<PathBuf>) -> Result<Self> {
        let folder = folder.into();
        fs::create_dir_all(&folder).map_err(failed("make", &folder))?;
        Ok(Self { folder })
    }

    fn path(&self, run: &RunId) -> PathBuf {
        self.folder.join(format!("{run}.{EXTENSION}"))
    }
}

#[async_trait]
impl CheckpointStore for FileCheckpoints {
    async fn begin(&self, run: &RunId) -> Result<Box<dyn CheckpointLog>> {
        let (folder, path, run) = (self.folder.clone(), self.path(run), run.clone());
        blocking(move || {
            let file = match OpenOptions::new().append(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(FlowError::RunExists { run: run.to_string() });
                }
                file => file.map_err(failed("make", &path))?,
            };
            lock(&file, &run, &path)?;
            // The name of a new file is on the disk only once its folder is.
            File::open(&folder).and_then(|folder| folder.sync_all()).map_err(failed("write", &folder))?;
            Ok(Box::new(FileLog { file: Arc::new(file), path }) as Box<dyn CheckpointLog>)
        })
        .await
    }

    async fn open(&self, run: &RunId) -> Result<(Vec<String>, Box<dyn CheckpointLog>)> {
        let (path, run) = (self.path(run), run.clone());
        blocking(move || {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .open(&path)
                .map_err(|error| unknown_or_failed(&run, &path, error))?;
            lock(&file, &run, &path)?;
            let text = fs::read(&path).map_err(failed("read", &path))?;
            let (records, end) = records(&text, &run)?;
            if end < text.len() {
                file.set_len(end as u64).map_err(failed("mend", &path))?;
            }
            file.seek(SeekFrom::Start(end as u64)).map_err(failed("mend", &path))?;
            Ok((records, Box::new(FileLog { file: Arc::new(file), path }) as Box<dyn CheckpointLog>))
        })
        .await
    }

    async fn read(&self, run: &RunId) -> Result<Vec<String>> {
        let (path, run) = (self.path(run), run.clone());
        blocking(move || {
            let text = fs::read(&path).map_err(|error| unknown_or_failed(&run, &path, error))?;
            Ok(records(&text, &run)?.0)
        })
        .await
    }

    async fn runs(&self) -> Result<Vec<RunId>> {
        let folder = self.folder.clone();
        blocking(move || {
            let mut runs = Vec::new();
            for entry in fs::read_dir(&folder).map_err(failed("read", &folder))? {
                let path = entry.map_err(failed("read", &folder))?.path();
                let is_log = path.extension().is_some_and(|extension| extension == EXTENSION);
                let name = path.file_stem().and_then(|name| name.to_str()).filter(|_| is_log);
                runs.extend(name.and_then(|name| name.parse().ok()));
            }
            runs.sort();
            Ok(runs)
        })
        .await
    }

    async fn remove(&self, run: &RunId) -> Result<()> {
        let path = self.path(run);
        blocking(move || match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("remove", &path)(error)),
            _ => Ok(()),
        })
        .await
    }
}

struct FileLog {
    file: Arc<File>,
    path: PathBuf,
}

#[async_trait]
impl CheckpointLog for FileLog {
    async fn append(&mut self, records: Vec<String>) -> Result<()> {
        let (file, path) = (Arc::clone(&self.file), self.path.clone());
        blocking(move || {
            (&*file)
                .write_all(line(&records).as_bytes())
                .and_then(|()| file.sync_data())
                .map_err(failed("write", &path))
        })
        .await
    }
}

const SEPARATOR: &str = "\t";

fn line(records: &[String]) -> String {
    let records = records.join(SEPARATOR);
    format!("{:08x} {records}\n", crc32fast::hash(records.as_bytes()))
}

/// The records of a log, and where the last whole one ends.
fn records(text: &[u8], run: &RunId) -> Result<(Vec<String>, usize)> {
    let (mut records, mut end) = (Vec::new(), 0);
    while end < text.len() {
        let rest = &text[end..];
        let length = rest.iter().position(|byte| *byte == b'\n');
        match length.and_then(|length| whole(&rest[..length])) {
            Some(appended) => records.extend(appended.split(SEPARATOR).map(ToOwned::to_owned)),
            // A write that broke off is at the end, whatever it left there.
            None if length.is_none_or(|length| length + 1 == rest.len()) => break,
            None => {
                let message = format!("what stands from byte {end} on is not what was written");
                return Err(FlowError::Damaged { run: run.to_string(), message });
            }
        }
        end += length.unwrap_or_default() + 1;
    }
    Ok((records, end))
}

/// The records in a line, if it is whole.
fn whole(line: &[u8]) -> Option<&str> {
    let (sum, records) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    let sum = u32::from_str_radix(sum, 16).ok()?;
    (sum == crc32fast::hash(records.as_bytes())).then_some(records)
}

fn lock(file: &File, run: &RunId, path: &Path) -> Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(FlowError::RunInUse { run: run.to_string() }),
        Err(TryLockError::Error(error)) => Err(failed("lock", path)(error)),
    }
}

fn unknown_or_failed(run: &RunId, path: &Path, error: io::Error) -> FlowError {
    if error.kind() == io::ErrorKind::NotFound {
        FlowError::UnknownRun { run: run.to_string() }
    } else {
        failed("open", path)(error)
    }
}

fn failed(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FlowError {
    let path = path.to_owned();
    move |source| FlowError::Io { what, path, source }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(FlowError::Store(Box::new(error))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> RunId {
        "run".parse().unwrap()
    }

    fn appended(records: &[&str]) -> String {
        line(&records.iter().map(|record| (*record).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn an_end_that_broke_off_is_cut_and_damage_before_it_is_told() {
        let written = [appended(&["one"]), appended(&["two", "three"])].concat();
        let next = appended(&["four", "five"]);
        for cut in 0..next.len() {
            let text = [&written, &next[..cut]].concat();
            let (records, end) = records(text.as_bytes(), &run()).unwrap();
            assert_eq!((records, end), (vec!["one".into(), "two".into(), "three".into()], written.len()));
        }
        // Blocks of the disk that were not written are zeros, also before others that were.
        let holes = [written.as_bytes(), &[0; 100], b"five\n"].concat();
        assert_eq!(records(&holes, &run()).unwrap().1, written.len());
        let damaged = written.replace("one", "won");
        let error = records(damaged.as_bytes(), &run()).unwrap_err();
        assert!(error.to_string().ends_with("what stands from byte 0 on is not what was written"), "{error}");
    }
}
