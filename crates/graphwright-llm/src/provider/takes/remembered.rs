//! What models were found not to take, in a file, so that the next process need not find it out again.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use jiff::{SpanRelativeTo, Timestamp, Unit, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::Limits;

/// After so many days a model is asked for everything again: providers add what was missing.
const DAYS_KEPT: f64 = 28.0;

/// The place of one model in the file.
#[derive(Clone, Debug)]
pub(super) struct Remembered {
    file: PathBuf,
    /// The model and its address.
    model: String,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct Memory {
    models: BTreeMap<String, Entry>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Entry {
    /// When the first of it was found out. What was added later goes with it.
    learned: Date,
    limits: Limits,
}

impl Entry {
    fn is_over(&self, today: Date) -> bool {
        let age = today - self.learned;
        let days = age.total((Unit::Day, SpanRelativeTo::days_are_24_hours()));
        // A date in the future is that of a clock that was wrong.
        !days.is_ok_and(|days| (0.0..DAYS_KEPT).contains(&days))
    }
}

impl Remembered {
    pub(super) fn new(file: &Path, model: String) -> Self {
        Self { file: file.to_owned(), model }
    }

    /// Returns what is remembered of the model: nothing if the file cannot be read.
    pub(super) fn recall(&self) -> Limits {
        self.recall_on(today())
    }

    fn recall_on(&self, today: Date) -> Limits {
        let mut memory = self.read(today);
        memory.models.remove(&self.model).map(|entry| entry.limits).unwrap_or_default()
    }

    /// Remembers what the model does not take. A failure is only logged: it costs a request and no more.
    pub(super) fn keep(&self, limits: &Limits) {
        if let Err(error) = self.keep_on(limits, today()) {
            tracing::warn!(file = %self.file.display(), %error, "what a model does not take cannot be remembered");
        }
    }

    fn keep_on(&self, limits: &Limits, today: Date) -> io::Result<()> {
        let mut memory = self.read(today);
        let learned = memory.models.get(&self.model).map_or(today, |entry| entry.learned);
        memory.models.insert(self.model.clone(), Entry { learned, limits: limits.clone() });
        let folder = self.file.parent().unwrap_or(&self.file);
        fs::create_dir_all(folder)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut new, &memory)?;
        new.persist(&self.file).map_err(|error| error.error)?;
        Ok(())
    }

    /// Reads what is not too old.
    fn read(&self, today: Date) -> Memory {
        let mut memory: Memory = match fs::read(&self.file) {
            Ok(text) => serde_json::from_slice(&text).unwrap_or_default(),
            Err(error) => {
                if error.kind() != ErrorKind::NotFound {
                    tracing::warn!(file = %self.file.display(), %error, "what models do not take cannot be read");
                }
                Memory::default()
            }
        };
        memory.models.retain(|_, entry| !entry.is_over(today));
        memory
    }
}

fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn what_is_remembered_is_forgotten_after_four_weeks() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/refusals.json");
        let model = Remembered::new(&file, "openai/m https://host/".to_owned());
        let other = Remembered::new(&file, "openai/n https://host/".to_owned());
        assert_eq!(model.recall_on(date(2026, 1, 1)), Limits::default());
        let seed = Limits { without_seed: true, ..Limits::default() };
        model.keep_on(&seed, date(2026, 1, 1)).unwrap();
        let both = Limits { without_temperature: true, ..seed };
        model.keep_on(&both, date(2026, 1, 20)).unwrap();
        other.keep_on(&both, date(2026, 1, 20)).unwrap();
        assert_eq!(model.recall_on(date(2026, 1, 28)), both);
        assert_eq!(model.recall_on(date(2026, 1, 29)), Limits::default(), "since the first of it");
        assert_eq!(other.recall_on(date(2026, 1, 29)), both);
        assert_eq!(other.recall_on(date(2025, 1, 29)), Limits::default(), "a wrong clock");
    }

    #[test]
    fn a_damaged_file_remembers_nothing_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("refusals.json");
        fs::write(&file, "{").unwrap();
        let model = Remembered::new(&file, "m".to_owned());
        assert_eq!(model.recall(), Limits::default());
        let limits = Limits { without_store: true, ..Limits::default() };
        model.keep(&limits);
        assert_eq!(model.recall(), limits);
    }
}
