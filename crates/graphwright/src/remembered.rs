//! Remembers by which properties queries look up, in a file beside the search index, without values.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use graphwright_core::schema::Target;
use graphwright_cypher::Lookup;
use serde::{Deserialize, Serialize};

/// The most look-ups that are remembered. Later ones are not.
pub(crate) const BOUND: usize = 500;

/// The remembered look-ups of a graph's queries.
#[derive(Debug)]
pub(crate) struct Remembered {
    pub(crate) file: PathBuf,
    known: Mutex<Option<BTreeSet<Lookup>>>,
}

/// One line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    target: Target,
    property: String,
}

impl Remembered {
    /// Places the file beside the folder of the search index, under the folder's name.
    pub(crate) fn beside(index_folder: &Path) -> Self {
        Self { file: index_folder.with_extension("lookups.jsonl"), known: Mutex::default() }
    }

    /// Reads all that is remembered. A file that is missing or unreadable counts as empty.
    pub(crate) fn all(&self) -> BTreeSet<Lookup> {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
        lines.map(|line| Lookup { target: line.target, property: line.property }).collect()
    }

    /// Adds what is new to the file, up to the bound.
    pub(crate) fn add(&self, lookups: &BTreeSet<Lookup>) -> std::io::Result<()> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // Lines of other processes are not seen: at worst, a look-up is written twice.
        let known = known.get_or_insert_with(|| self.all());
        let new: Vec<_> =
            lookups.difference(known).take(BOUND.saturating_sub(known.len())).cloned().collect();
        if new.is_empty() {
            return Ok(());
        }
        let mut text = String::new();
        for Lookup { target, property } in &new {
            let line = Line { target: target.clone(), property: property.clone() };
            text.push_str(&serde_json::to_string(&line)?);
            text.push('\n');
        }
        known.extend(new);
        append(&self.file, &text)
    }
}

/// Appends whole lines in one write, so that several processes can append to one file.
fn append(file: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::OpenOptions::new().create(true).append(true).open(file)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookup(property: &str) -> Lookup {
        Lookup { target: Target::Label("Person".to_owned()), property: property.to_owned() }
    }

    #[test]
    fn what_is_remembered_is_there_for_the_next_process_and_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("deeper").join("search");
        let first = Remembered::beside(&index);
        first.add(&BTreeSet::from([lookup("name"), lookup("born")])).unwrap();
        first.add(&BTreeSet::from([lookup("name")])).unwrap();
        let file = folder.path().join("deeper/search.lookups.jsonl");
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(
            text,
            "{\"label\":\"Person\",\"property\":\"born\"}\n{\"label\":\"Person\",\"property\":\"name\"}\n"
        );

        let second = Remembered::beside(&index);
        assert_eq!(second.all(), BTreeSet::from([lookup("born"), lookup("name")]));
        let many = (0..BOUND).map(|number| lookup(&number.to_string())).collect();
        second.add(&many).unwrap();
        assert_eq!(second.all().len(), BOUND);
    }
}
