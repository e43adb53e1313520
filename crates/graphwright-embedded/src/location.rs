//! The place of a store on disk.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use graphwright_core::{Result, StoreError};

use crate::error;

/// A directory that holds a store.
///
/// It holds `graph.kgl` (the last checkpoint), `graph.kgl-wal` (what was committed since) and the
/// writer's lock.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    directory: PathBuf,
}

impl Location {
    pub(crate) fn new(directory: &Path) -> Self {
        Self { directory: directory.to_owned() }
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the directory as a process elsewhere finds it.
    pub(crate) fn absolute(&self) -> PathBuf {
        std::path::absolute(&self.directory).unwrap_or_else(|_| self.directory.clone())
    }

    pub(crate) fn checkpoint(&self) -> PathBuf {
        self.directory.join("graph.kgl")
    }

    pub(crate) fn log(&self) -> PathBuf {
        kglite::api::durable::wal_path(&self.checkpoint())
    }

    /// Returns the directory as messages show it.
    pub(crate) fn address(&self) -> String {
        self.directory.display().to_string()
    }

    /// Returns the file that a writer locks.
    pub(crate) fn lock(&self) -> PathBuf {
        self.directory.join("graph.kgl.lock")
    }

    /// Creates the directory.
    pub(crate) fn create(&self) -> Result<()> {
        self.refuse_file()?;
        fs::create_dir_all(&self.directory).map_err(|source| error::from_io(source, &self.directory))
    }

    /// Fails if there is no store, or if this process may not see it.
    pub(crate) fn require(&self) -> Result<()> {
        self.refuse_file()?;
        if exists(&self.checkpoint())? || exists(&self.log())? {
            return Ok(());
        }
        let fail = |source| error::from_io(source, &self.directory);
        let mut entries = match fs::read_dir(&self.directory) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(self.nothing("the folder does not exist"));
            }
            entries => entries.map_err(fail)?,
        };
        Err(self.nothing(match entries.next() {
            None => "the folder is empty",
            Some(_) => "the folder holds other files",
        }))
    }

    /// Fails if this process may not write the files that there are.
    ///
    /// The engine would say so too late, and not of which file.
    pub(crate) fn require_writable(&self) -> Result<()> {
        for path in [self.lock(), self.checkpoint(), self.log()] {
            match fs::OpenOptions::new().append(true).open(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(error::from_io(error, &path));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the error for a directory whose store is only beginning to be there.
    pub(crate) fn nothing_there(&self) -> StoreError {
        self.nothing("a writer may be making it")
    }

    fn nothing(&self, found: &str) -> StoreError {
        StoreError::Unavailable {
            address: self.address(),
            message: format!("there is no graph yet: {found}"),
            hint: "build one from documents, or name another store".to_owned(),
        }
    }

    fn refuse_file(&self) -> Result<()> {
        if !self.directory.is_file() {
            return Ok(());
        }
        Err(StoreError::Unavailable {
            address: self.address(),
            message: "it is a file, and a store is a folder".to_owned(),
            hint: "name a folder; a file can be imported into one".to_owned(),
        })
    }

    /// Returns the size on disk, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let files = [self.checkpoint(), self.log()];
        files.iter().filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum()
    }
}

/// Tells whether a file exists. Unlike [`Path::exists`], fails if this process may not know.
pub(crate) fn exists(path: &Path) -> Result<bool> {
    path.try_exists().map_err(|source| error::from_io(source, path))
}
