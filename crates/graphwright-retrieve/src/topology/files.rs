//! The files of a snapshot.
//!
//! `CURRENT` holds what is known of the snapshot, and the number in the names of its two files. It is replaced by renaming,
//! and the files never change: a reader sees the old or the new snapshot, never a mixture, and keeps what it has mapped.

use std::{
    fs::{self, File},
    io::ErrorKind,
    path::{Path, PathBuf},
};

use graphwright_core::{GraphStore, Node, Relationship};
use serde::{Deserialize, Serialize};
use tantivy::directory::OwnedBytes;

use super::{
    Topology,
    build::Builder,
    data::Data,
    form::{FORM, Manifest},
    load::scan,
};
use crate::{
    Result, RetrieveError,
    mapped::map_file,
    sealed::{blocking, read_sealed, write_sealed},
};

const CURRENT: &str = "CURRENT";
const LOCK: &str = "refresh.lock";
const ADJACENCY: &str = "adjacency-";
const VALUES: &str = "values-";
/// How often a reader tries again because the files that it opens were replaced.
const ATTEMPTS: usize = 20;

#[derive(Debug, Serialize, Deserialize)]
struct Pointer {
    number: u64,
    manifest: Manifest,
}

impl Topology {
    /// Opens the snapshot in a folder, if there is one of this version of the store, and shows the facts of today.
    ///
    /// Costs some milliseconds, however large the graph is.
    ///
    /// # Errors
    /// [`RetrieveError::DamagedTopology`] if a file is missing or not as it was written, as far as opening reads them.
    pub fn open(folder: &Path, store_version: &str) -> Result<Option<Self>> {
        let Some(mut pointer) = read_pointer(folder)? else { return Ok(None) };
        for _ in 0..ATTEMPTS {
            if pointer.manifest.store_version != store_version {
                return Ok(None);
            }
            let number = pointer.number;
            let opened = open_files(folder, pointer);
            // A writer may replace and delete the files while they are being opened.
            match read_pointer(folder)? {
                Some(now) if now.number != number => pointer = now,
                _ => return opened.map(Some),
            }
        }
        Err(damaged(folder, "it changes without end"))
    }

    /// Opens the snapshot in a folder if it is of the store's version; otherwise makes it by one scan of the store.
    ///
    /// A damaged snapshot is told and made anew. Where the folder cannot be written, the snapshot is made in memory. Waits
    /// while another process makes the snapshot.
    pub async fn open_or_build(folder: &Path, store: &dyn GraphStore) -> Result<Self> {
        let version = store.version().await?;
        match Self::open(folder, &version) {
            Ok(Some(topology)) => return Ok(topology),
            Ok(None) => {}
            Err(error) => tracing::warn!("{error}; the graph is read from the store"),
        }
        Self::build(folder, store).await
    }

    /// Makes the snapshot in a folder anew, unless all of it is of the store's version and as it was written.
    pub async fn build(folder: &Path, store: &dyn GraphStore) -> Result<Self> {
        let place = folder.to_owned();
        let lock = match blocking(move || lock(&place)).await {
            Ok(lock) => lock,
            Err(error) => {
                tracing::warn!("{error}; the graph is read into memory");
                return Self::load(store).await;
            }
        };
        // Before the scan: a write in between makes the snapshot look old, never new.
        let version = store.version().await?;
        if let Ok(Some(made)) = Self::open(folder, &version)
            && made.check().is_none()
        {
            return Ok(made);
        }
        let builder = scan(store).await?;
        let place = folder.to_owned();
        blocking(move || {
            let written = write(&place, builder, &version);
            drop(lock);
            written
        })
        .await
    }
}

impl Topology {
    /// Makes the snapshot of nodes and relationships in a folder, as of a version of their store. They are read once, the
    /// relationships after the nodes.
    pub fn write(
        folder: &Path,
        store_version: &str,
        nodes: impl IntoIterator<Item = Node>,
        relationships: impl IntoIterator<Item = Relationship>,
    ) -> Result<Self> {
        let lock = lock(folder)?;
        let mut builder = Builder::default();
        let full = |source| RetrieveError::io("cannot make the snapshot in", folder, source);
        for node in nodes {
            builder.add_node(node).map_err(full)?;
        }
        for relationship in relationships {
            builder.add_relationship(&relationship).map_err(full)?;
        }
        let written = write(folder, builder, store_version);
        drop(lock);
        written
    }
}

/// Takes the right to write a snapshot, which only one process has at a time.
fn lock(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder)
        .map_err(|source| RetrieveError::io("cannot make the folder", folder, source))?;
    let path = folder.join(LOCK);
    let lock = File::create(&path).map_err(|source| RetrieveError::io("cannot write", &path, source))?;
    lock.lock().map_err(|source| RetrieveError::io("cannot lock", &path, source))?;
    Ok(lock)
}

fn write(folder: &Path, builder: Builder, version: &str) -> Result<Topology> {
    let number = numbers(folder)?.into_iter().max().unwrap_or(0) + 1;
    let written = write_files(folder, number, builder, version);
    if written.is_err() {
        // What was begun may have filled the disk.
        remove(folder, |other| other == number);
    }
    let manifest = written?;
    let (path, fresh) = (folder.join(CURRENT), folder.join("CURRENT.new"));
    write_sealed(&fresh, &Pointer { number, manifest: manifest.clone() })?;
    fs::rename(&fresh, &path).map_err(|source| RetrieveError::io("cannot replace", &path, source))?;
    remove(folder, |other| other != number);
    open_files(folder, Pointer { number, manifest })
}

fn write_files(folder: &Path, number: u64, builder: Builder, version: &str) -> Result<Manifest> {
    let create =
        |path: &Path| File::create(path).map_err(|source| RetrieveError::io("cannot write", path, source));
    let [adjacency, values] = paths(folder, number);
    let (first, second, manifest) = builder
        .write(version, create(&adjacency)?, create(&values)?)
        .map_err(|source| RetrieveError::io("cannot write to", folder, source))?;
    for (file, path) in [(first, &adjacency), (second, &values)] {
        // The content must be on disk before the pointer makes it visible.
        file.sync_all().map_err(|source| RetrieveError::io("cannot write", path, source))?;
    }
    Ok(manifest)
}

fn open_files(folder: &Path, pointer: Pointer) -> Result<Topology> {
    let [adjacency, values] = paths(folder, pointer.number);
    Data::open(pointer.manifest, folder, map(&adjacency)?, map(&values)?)
        .map(|data| Topology::of(data).today())
        .map_err(|message| damaged(folder, message))
}

fn map(path: &Path) -> Result<OwnedBytes> {
    map_file(path).map_err(|source| match source.kind() {
        ErrorKind::NotFound => damaged(path, "it is missing"),
        _ => RetrieveError::io("cannot read", path, source),
    })
}

/// Reads what is current. `None` if there is nothing, or something of another version of this program.
fn read_pointer(folder: &Path) -> Result<Option<Pointer>> {
    #[derive(Deserialize)]
    struct Form {
        manifest: FormOfManifest,
    }
    #[derive(Deserialize)]
    struct FormOfManifest {
        form: u32,
    }
    let path = folder.join(CURRENT);
    if matches!(fs::exists(&path), Ok(false)) {
        return Ok(None);
    }
    let told = |error| match error {
        RetrieveError::Damaged { path, message } => RetrieveError::DamagedTopology { path, message },
        error => error,
    };
    let form: Form = read_sealed(&path).map_err(told)?;
    if form.manifest.form != FORM {
        return Ok(None);
    }
    read_sealed(&path).map(Some).map_err(told)
}

fn paths(folder: &Path, number: u64) -> [PathBuf; 2] {
    [ADJACENCY, VALUES].map(|kind| folder.join(format!("{kind}{number:06}")))
}

/// Returns the numbers of all files of snapshots.
fn numbers(folder: &Path) -> Result<Vec<u64>> {
    let fail = |source| RetrieveError::io("cannot read", folder, source);
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        numbers.extend(number_of(&entry.map_err(fail)?.path()));
    }
    Ok(numbers)
}

fn number_of(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.strip_prefix(ADJACENCY).or_else(|| name.strip_prefix(VALUES))?.parse().ok()
}

/// Deletes files by number. Those that cannot be deleted now are deleted the next time.
fn remove(folder: &Path, is_unwanted: impl Fn(u64) -> bool) {
    for number in numbers(folder).unwrap_or_default().into_iter().filter(|number| is_unwanted(*number)) {
        for path in paths(folder, number) {
            if let Err(error) = fs::remove_file(&path)
                && error.kind() != ErrorKind::NotFound
            {
                tracing::debug!(path = %path.display(), %error, "an old file stays for now");
            }
        }
    }
}

fn damaged(path: &Path, message: impl Into<String>) -> RetrieveError {
    RetrieveError::DamagedTopology { path: path.to_owned(), message: message.into() }
}
