//! Bytes that are written once and then mapped: with checksums, and with properties and texts in them.

mod blocks;
mod record;

use std::{io, path::Path};

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes, error::OpenReadError};

pub(crate) use blocks::{BlockWriter, Blocks, Seal};
pub(crate) use record::{Numbered, RecordReader, put_number, put_properties, put_text};

/// Maps a file into memory.
pub(crate) fn map_file(path: &Path) -> io::Result<OwnedBytes> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = Path::new(path.file_name().unwrap_or_default());
    let directory = MmapDirectory::open(folder).map_err(io::Error::other)?;
    match directory.open_read(name) {
        Ok(file) => file.read_bytes(),
        Err(OpenReadError::IoError { io_error, .. }) => Err(io::Error::new(io_error.kind(), io_error)),
        Err(OpenReadError::FileDoesNotExist(_)) => Err(io::ErrorKind::NotFound.into()),
        Err(error) => Err(io::Error::other(error)),
    }
}
