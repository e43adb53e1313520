//! A segment of an index: entries of one kind, row by row, that never change once written.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::Arc,
};

use tantivy::{
    Directory, TantivyError,
    directory::{
        FileHandle, WatchCallback, WatchHandle,
        error::{DeleteError, OpenReadError, OpenWriteError},
    },
};

use super::{
    HitKind,
    checksums::Bytes,
    codes::Codes,
    entries::{Entries, Hashes},
    entry::Shown,
    generation::{Generation, SegmentEntry, make_folder},
    rows::Rows,
    text::TextIndex,
    vectors::Vectors,
};
use crate::{Result, RetrieveError, mapped::map_file, sealed::damaged};

/// Rows of a kind above which cosines are estimated first.
pub(super) const MOST_EXACT: usize = 100_000;
/// Bytes of words up to which they are checked when a segment is opened. More are checked block by
/// block when they are read.
const CHECKED_AT_ONCE: usize = 64 << 20;

const TEXT: &str = "text";
const VECTORS: &str = "vectors.f32";
const CODES: &str = "codes.rabitq";
const HASHES: &str = "hashes.blake3";

/// Entries of one kind.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) text: TextIndex,
    pub(super) vectors: Option<Vectors>,
    pub(super) codes: Option<Codes>,
    /// Rows that still stand for something; `None` for all.
    pub(super) alive: Option<Rows>,
    /// The files, or `None` in memory.
    generation: Option<Arc<Generation>>,
}

impl Segment {
    /// Creates the file of the vectors in the folder of a segment that is not yet written.
    pub(super) fn create_vectors(folder: &Path) -> Result<(File, PathBuf)> {
        make_folder(folder)?;
        let path = folder.join(VECTORS);
        let file = File::create(&path).map_err(|source| RetrieveError::io("cannot write", &path, source))?;
        Ok((file, path))
    }

    /// Writes all but the vectors of a segment to its folder, in the order in which they were written. `dimensions` are
    /// those of the vectors, if there are any.
    pub(super) fn write(
        folder: &Path,
        entries: &Entries,
        rows: &[usize],
        dimensions: Option<usize>,
        with_codes: bool,
    ) -> Result<()> {
        let text = folder.join(TEXT);
        make_folder(&text)?;
        if let Some(dimensions) = dimensions.filter(|_| with_codes) {
            let path = folder.join(VECTORS);
            let bytes = map_file(&path).map_err(|source| RetrieveError::io("cannot read", &path, source))?;
            let vectors = Vectors::from_bytes(Bytes::Own(bytes), dimensions, rows.len());
            let vectors = vectors.map_err(|message| damaged(&path, message))?;
            write(&folder.join(CODES), &Codes::encode(&vectors)?)?;
        }
        let hashes = rows.iter().map(|&row| entries.hashes(row));
        let hashes = hashes.flat_map(|Hashes { key, entry, text }| [key, entry, text]);
        write(&folder.join(HASHES), &hashes.flatten().collect::<Vec<u8>>())?;
        TextIndex::build(Some(&text), rows.iter().map(|&row| entries.entry(row))).map(drop)
    }

    /// Builds a segment in memory. `vectors` must be in the order of `rows`.
    pub(super) fn in_memory(
        entries: &Entries,
        rows: &[usize],
        vectors: Option<Vectors>,
        with_codes: bool,
    ) -> Result<Self> {
        let text = TextIndex::build(None, rows.iter().map(|&row| entries.entry(row)))?;
        let codes = match vectors.as_ref().filter(|_| with_codes) {
            Some(vectors) => {
                let bytes = Bytes::from(Codes::encode(vectors)?);
                Codes::new(bytes, vectors.dimensions(), vectors.len()).ok()
            }
            None => None,
        };
        Ok(Self { text, vectors, codes, alive: None, generation: None })
    }

    /// Opens a segment. Fails if a file that is read now is not as it was written.
    pub(super) fn open(generation: &Arc<Generation>, segment: &SegmentEntry) -> Result<Self> {
        let name = Path::new(&segment.folder);
        let (folder, words) = (generation.folder.join(name), name.join(TEXT));
        if generation.manifest.checksums.bytes(&words) <= CHECKED_AT_ONCE {
            generation.check(&words)?;
        }
        let directory: Box<dyn Directory> =
            Box::new(Files { generation: Arc::clone(generation), folder: words.clone() });
        let text = TextIndex::open(directory)
            .map_err(|error| RetrieveError::text_index(Some(&generation.folder.join(words)), &error))?;
        if text.len() != segment.rows {
            return Err(damaged(&folder, format!("{} texts where {} belong", text.len(), segment.rows)));
        }
        let mut opened =
            Self { text, vectors: None, codes: None, alive: None, generation: Some(Arc::clone(generation)) };
        let bad = |file: &str, message: String| damaged(&folder.join(file), message);
        if let Some(embedder) = &generation.manifest.embedder {
            let bytes = Bytes::File(generation.map(&name.join(VECTORS))?);
            let vectors = Vectors::from_bytes(bytes, embedder.dimensions, segment.rows);
            opened.vectors = Some(vectors.map_err(|message| bad(VECTORS, message))?);
            if generation.has(&name.join(CODES)) {
                let bytes = Bytes::File(generation.map(&name.join(CODES))?);
                let codes = Codes::new(bytes, embedder.dimensions, segment.rows);
                opened.codes = Some(codes.map_err(|message| bad(CODES, message))?);
            }
        }
        if let Some(file) = &segment.alive {
            let bytes = generation.read(Path::new(file))?;
            let alive = Rows::from_bytes(&bytes, segment.rows);
            opened.alive = Some(alive.ok_or_else(|| bad(file, "it has another length".to_owned()))?);
        }
        Ok(opened)
    }

    /// Returns the number of rows that stand for something.
    pub(super) fn len(&self) -> usize {
        self.alive.as_ref().map_or(self.text.len(), Rows::count)
    }

    /// Reads what is shown of a row.
    pub(super) fn entry(&self, row: u32) -> Result<Shown> {
        self.text.entry(row).map_err(|error| self.failed(&error))
    }

    /// Wraps an error of the text index.
    pub(super) fn failed(&self, error: &TantivyError) -> RetrieveError {
        let folder = self.generation.as_ref().map(|generation| generation.folder.as_path());
        RetrieveError::text_index(folder, error)
    }
}

/// Reads the hashes of the rows of a segment.
pub(super) fn read_hashes(generation: &Generation, segment: &SegmentEntry) -> Result<Vec<Hashes>> {
    let name = Path::new(&segment.folder).join(HASHES);
    let bytes = generation.read(&name)?;
    let (hashes, _) = bytes.as_chunks::<16>();
    let (rows, rest) = hashes.as_chunks::<3>();
    if rows.len() != segment.rows || !rest.is_empty() {
        let message = format!("hashes of {} rows where {} belong", rows.len(), segment.rows);
        return Err(damaged(&generation.folder.join(name), message));
    }
    Ok(rows.iter().map(|&[key, entry, text]| Hashes { key, entry, text }).collect())
}

/// Reads the vectors of a segment, or returns `None` if it has none. Fails unless all of them are as
/// they were written.
pub(super) fn read_vectors(generation: &Generation, segment: &SegmentEntry) -> Result<Option<Vectors>> {
    let Some(embedder) = &generation.manifest.embedder else { return Ok(None) };
    let name = Path::new(&segment.folder).join(VECTORS);
    let file = generation.map(&name)?;
    file.check()?;
    let vectors = Vectors::from_bytes(Bytes::File(file), embedder.dimensions, segment.rows);
    vectors.map(Some).map_err(|message| damaged(&generation.folder.join(name), message))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|source| RetrieveError::io("cannot write", path, source))
}

/// Returns the name of a segment's folder.
pub(super) fn folder_name(kind: HitKind, number: usize) -> String {
    format!("{}s-{number:04}", kind.name())
}

/// The files of a segment's words, which tantivy reads and never writes.
#[derive(Clone, Debug)]
struct Files {
    generation: Arc<Generation>,
    folder: PathBuf,
}

fn unwritable() -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::Unsupported, "a segment never changes")
}

impl Directory for Files {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let name = self.folder.join(path);
        if !self.generation.has(&name) {
            return Err(OpenReadError::FileDoesNotExist(path.to_owned()));
        }
        let file = self.generation.map(&name).map_err(|error| {
            OpenReadError::wrap_io_error(
                std::io::Error::new(std::io::ErrorKind::InvalidData, error),
                path.to_owned(),
            )
        })?;
        Ok(Arc::new(file))
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.generation.has(&self.folder.join(path)))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let file = self.get_file_handle(path)?;
        let bytes = file.read_bytes(0..file.len());
        let bytes = bytes.map_err(|error| OpenReadError::wrap_io_error(error, path.to_owned()))?;
        Ok(bytes.to_vec())
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(unwritable()), filepath: path.to_owned() })
    }

    fn open_write(&self, path: &Path) -> Result<tantivy::directory::WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(unwritable(), path.to_owned()))
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> std::io::Result<()> {
        Err(unwritable())
    }

    fn sync_directory(&self) -> std::io::Result<()> {
        Ok(())
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
