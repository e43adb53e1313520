//! Files that take the place of others when they are whole.

use std::{
    fs::{self, File},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// A file that is written beside the one that it replaces.
///
/// The old file stays as it is until [`finish`](Self::finish). Without that, when it is dropped, the
/// new one is deleted. What is no regular file, such as a pipe, is written to directly.
///
/// ```
/// use std::io::Write;
///
/// use graphwright_exchange::NewFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("notes.txt");
/// std::fs::write(&path, "old")?;
/// let mut file = NewFile::create(&path)?;
/// file.write_all(b"new")?;
/// assert_eq!(std::fs::read_to_string(&path)?, "old");
/// file.finish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "new");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile(Target);

#[derive(Debug)]
enum Target {
    Beside { path: PathBuf, old: Option<Box<fs::Metadata>>, file: BufWriter<NamedTempFile> },
    Direct(BufWriter<File>),
}

impl NewFile {
    /// Creates an empty file in the folder of `path`. A link stays a link: what it leads to is
    /// replaced.
    ///
    /// # Errors
    /// Fails if `path` is a folder, or its folder cannot be written to.
    pub fn create(path: &Path) -> io::Result<Self> {
        let (path, old) = match fs::metadata(path) {
            Ok(old) if !old.is_file() => {
                let file = File::options().write(true).open(path)?;
                return Ok(Self(Target::Direct(BufWriter::new(file))));
            }
            Ok(old) => (path.canonicalize()?, Some(Box::new(old))),
            Err(error) if error.kind() == ErrorKind::NotFound => (path.to_owned(), None),
            Err(error) => return Err(error),
        };
        // A file can only be replaced at once by one on the same file system.
        let file = BufWriter::with_capacity(1 << 16, beside(folder_of(&path)).map_err(without_path)?);
        Ok(Self(Target::Beside { path, old, file }))
    }

    /// Gives the file its name, with the rights and the owner of the one that it replaces.
    ///
    /// # Errors
    /// Fails if the rest cannot be written or the name not be given. The old file is whole then.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Target::Direct(mut file) => file.flush(),
            Target::Beside { path, old, file } => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                if let Some(old) = old {
                    take_over(file.as_file(), &old)?;
                }
                // The content must be on disk before its name is.
                file.as_file().sync_all()?;
                file.persist(&path)?;
                sync_folder(folder_of(&path))
            }
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Beside { file, .. } => file.write(bytes),
            Target::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Beside { file, .. } => file.flush(),
            Target::Direct(file) => file.flush(),
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Removes the name of the file beside, which means nothing to a person.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((cause, _)) => io::Error::new(error.kind(), cause),
        None => error,
    }
}

/// Creates a file with the rights that any new file of this user has.
#[cfg(unix)]
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;

    tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o666)).tempfile_in(folder)
}

#[cfg(not(unix))]
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder)
}

#[cfg(unix)]
fn take_over(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    // Only the system's administrator may give a file away; for others the file becomes theirs.
    let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    file.set_permissions(old.permissions())
}

#[cfg(not(unix))]
fn take_over(file: &File, old: &fs::Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old");
        fs::write(&path, "old").unwrap();
        for name in ["old", "new"] {
            let mut file = NewFile::create(&folder.path().join(name)).unwrap();
            file.write_all(&vec![b'x'; 1 << 17]).unwrap();
        }
        assert_eq!(
            (fs::read_to_string(&path).unwrap().as_str(), names(folder.path())),
            ("old", vec!["old".into()])
        );
        assert!(NewFile::create(folder.path()).is_err(), "a folder");
        assert!(NewFile::create(&folder.path().join("none/new")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn rights_and_links_stay_and_devices_are_written_to() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (old, link) = (folder.path().join("old"), folder.path().join("link"));
        fs::write(&old, "old").unwrap();
        fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&old, &link).unwrap();
        let mut file = NewFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&old).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(old.metadata().unwrap().permissions().mode() & 0o777, 0o640);

        let (plain, fresh) = (folder.path().join("plain"), folder.path().join("fresh"));
        fs::write(&plain, "").unwrap();
        NewFile::create(&fresh).unwrap().finish().unwrap();
        assert_eq!(fresh.metadata().unwrap().permissions(), plain.metadata().unwrap().permissions());

        let mut null = NewFile::create(Path::new("/dev/null")).unwrap();
        null.write_all(b"new").unwrap();
        null.finish().unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
