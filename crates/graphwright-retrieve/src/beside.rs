//! Files that are made from a snapshot and lie beside it: one of blocks with a number in its name, and a pointer to it, which
//! is replaced by renaming.

use std::{
    collections::HashSet,
    fs::{self, File},
    io,
    path::Path,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Result, RetrieveError,
    mapped::{Blocks, Seal, map_file},
    sealed::{read_sealed, write_sealed},
};

/// What is made from a snapshot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beside {
    /// The name of the pointer.
    pub(crate) pointer: &'static str,
    /// How the names of its files begin.
    pub(crate) file: &'static str,
    /// Version of the form. Changes with it.
    pub(crate) form: u32,
    /// What it is, for messages.
    pub(crate) what: &'static str,
}

#[derive(Debug, Deserialize)]
struct Form {
    form: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct Pointer<T> {
    form: u32,
    /// The fingerprint of the snapshot.
    of: String,
    number: u64,
    seal: Seal,
    about: T,
}

impl Beside {
    /// Opens what was made from a snapshot, if it is there, whole and of this form.
    pub(crate) fn open<T: DeserializeOwned>(&self, folder: &Path, of: &str) -> Option<(Blocks, T)> {
        let path = folder.join(self.pointer);
        if !path.is_file() {
            return None;
        }
        let told = |error: String| {
            tracing::warn!("{} are damaged: {error}; they are collected anew", self.what);
        };
        let form: Form = read_sealed(&path).map_err(|error| told(error.to_string())).ok()?;
        if form.form != self.form {
            return None;
        }
        let pointer: Pointer<T> = read_sealed(&path).map_err(|error| told(error.to_string())).ok()?;
        if pointer.of != of {
            return None;
        }
        let bytes = map_file(&folder.join(self.file_name(pointer.number)));
        let bytes = bytes.map_err(|error| told(error.to_string())).ok()?;
        let blocks = Blocks::open(bytes, pointer.seal).map_err(told).ok()?;
        Some((blocks, pointer.about))
    }

    /// Writes what was made from a snapshot, in place of what there was, and opens it.
    pub(crate) fn write<T: Serialize>(
        &self,
        folder: &Path,
        of: &str,
        about: &T,
        content: impl FnOnce(File) -> io::Result<(File, Seal)>,
    ) -> Result<Blocks> {
        let io = |source| RetrieveError::io("cannot write", &folder.join(self.pointer), source);
        let numbers = self.numbers(folder).map_err(io)?;
        let number = numbers.iter().max().unwrap_or(&0) + 1;
        let path = folder.join(self.file_name(number));
        let (file, seal) = content(File::create_new(&path).map_err(io)?).map_err(io)?;
        file.sync_all().map_err(io)?;
        let fresh = folder.join(format!("{}.{number}", self.pointer));
        write_sealed(&fresh, &Pointer { form: self.form, of: of.to_owned(), number, seal, about })?;
        fs::rename(&fresh, folder.join(self.pointer)).map_err(io)?;
        for old in numbers {
            // What cannot be deleted now is deleted the next time.
            drop(fs::remove_file(folder.join(self.file_name(old))));
        }
        let bytes = map_file(&path).map_err(io)?;
        Blocks::open(bytes, seal).map_err(|message| io(io::Error::other(message)))
    }

    fn file_name(&self, number: u64) -> String {
        format!("{}{number:06}", self.file)
    }

    fn numbers(&self, folder: &Path) -> io::Result<HashSet<u64>> {
        let mut found = HashSet::new();
        for entry in fs::read_dir(folder)? {
            let name = entry?.file_name();
            found.extend(name.to_str().and_then(|name| name.strip_prefix(self.file)?.parse::<u64>().ok()));
        }
        Ok(found)
    }
}
