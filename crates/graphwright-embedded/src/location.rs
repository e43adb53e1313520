//! The place of a store on disk.

use std::path::{Path, PathBuf};

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

    /// Creates the directory.
    pub(crate) fn create(&self) -> Result<()> {
        self.refuse_file()?;
        std::fs::create_dir_all(&self.directory).map_err(|source| error::from_io(source, &self.directory))
    }

    /// Fails if there is no store.
    pub(crate) fn require(&self) -> Result<()> {
        self.refuse_file()?;
        if self.checkpoint().exists() || self.log().exists() {
            return Ok(());
        }
        Err(self.nothing_there())
    }

    /// Returns the error for a directory without a store.
    pub(crate) fn nothing_there(&self) -> StoreError {
        StoreError::Unavailable {
            address: self.address(),
            message: "there is no graph yet".to_owned(),
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
