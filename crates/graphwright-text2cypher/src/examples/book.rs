//! The book of examples: a small file beside that of the routes.

use std::path::{Path, PathBuf};

use graphwright_journal::{Journal, find};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::{Example, ExampleStatus};
use crate::error::{Result, Text2CypherError};

/// The most examples in a book.
const MOST: usize = 500;
/// How long an example stays that is not used.
const UNUSED: SignedDuration = SignedDuration::from_hours(24 * 90);
/// How long a candidate stays.
const CANDIDATE: SignedDuration = SignedDuration::from_hours(24 * 30);
/// The fields in which secrets are not replaced: they hold none, and a chance match would break them.
const OWN_FIELDS: [&str; 6] = ["id", "at", "schema", "origin", "status", "used_at"];

/// The examples of a graph, in a file of JSON Lines that several processes may write.
///
/// Each change replaces the file at once, so that readers see it whole. With each change, candidates older than 30 days go, and kept
/// examples that were not used for 90 days, unless a person reviewed them. There are at most 500; beyond that those go first that went
/// longest without use.
///
/// ```
/// use graphwright_text2cypher::{Example, ExampleBook};
///
/// # let folder = std::env::temp_dir().join(format!("examples-{}", std::process::id()));
/// let book = ExampleBook::at(folder.join("examples.jsonl"));
/// let example = Example::by_person("Who owns ledger?", "MATCH (t)-[:OWNS]->({name: 'ledger'}) RETURN t.name");
/// book.add([example])?;
/// assert_eq!(book.read()?.examples.len(), 1);
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<_, graphwright_text2cypher::Text2CypherError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExampleBook {
    journal: Journal,
    most: usize,
}

/// The content of a book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examples {
    /// The examples, oldest first.
    pub examples: Vec<Example>,
    /// The number of lines that cannot be read.
    pub unreadable: usize,
}

/// A line of the file.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Example(Box<Example>),
}

impl ExampleBook {
    /// Creates a book in a file, which need not exist yet.
    pub fn at(file: impl Into<PathBuf>) -> Self {
        Self { journal: Journal::at(file), most: MOST }
    }

    /// Sets the largest number of examples; 500 by default.
    #[must_use]
    pub fn with_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Replaces these secrets with `***` wherever they occur in a text that is written.
    #[must_use]
    pub fn concealing(self, secrets: impl IntoIterator<Item = String>) -> Self {
        Self { journal: self.journal.concealing(secrets), ..self }
    }

    /// Returns the path of the file.
    pub fn file(&self) -> &Path {
        self.journal.file()
    }

    /// Reads all examples that have not aged out. A missing file holds none.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn read(&self) -> Result<Examples> {
        self.read_at(Timestamp::now())
    }

    fn read_at(&self, now: Timestamp) -> Result<Examples> {
        let lines = self.journal.read::<Line>()?;
        let examples = lines.entries.into_iter().map(|Line::Example(example)| *example);
        let examples = examples.filter(|example| !is_aged(example, now)).collect();
        Ok(Examples { examples, unreadable: lines.unreadable })
    }

    /// Adds examples. One whose question is there already, word for word, takes the place of the other.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written.
    pub fn add(&self, added: impl IntoIterator<Item = Example>) -> Result<()> {
        self.change(|examples| {
            for example in added {
                examples.retain(|known| known.question != example.question && known.id != example.id);
                examples.push(example);
            }
        })
    }

    /// Changes the examples, while no other process changes them.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written. It is then unchanged.
    pub fn change<R>(&self, change: impl FnOnce(&mut Vec<Example>) -> R) -> Result<R> {
        self.change_at(Timestamp::now(), change)
    }

    fn change_at<R>(&self, now: Timestamp, change: impl FnOnce(&mut Vec<Example>) -> R) -> Result<R> {
        let writing = self.journal.write()?;
        let mut examples = self.read_at(now)?.examples;
        let before = examples.clone();
        let changed = change(&mut examples);
        while examples.len() > self.most {
            let oldest = examples.iter().enumerate().min_by_key(|(_, example)| worth(example));
            let Some((at, _)) = oldest else { break };
            examples.remove(at);
        }
        if examples != before {
            let lines = examples.iter().map(|example| self.journal.line("example", example, &OWN_FIELDS));
            writing.replace(&lines.collect::<Result<Vec<_>, _>>()?)?;
        }
        Ok(changed)
    }

    /// Changes one example, named by its identifier or the beginning of it, and returns it as it is then.
    ///
    /// # Errors
    /// Fails if there is not exactly one such example, or if the file cannot be read or written.
    pub fn change_one(&self, id: &str, change: impl FnOnce(&mut Example)) -> Result<Example> {
        // Looking first keeps a book without examples from getting a lock file.
        let id = self.read()?.find(id)?.id.clone();
        let changed = self.change(|examples| {
            let example = examples.iter_mut().find(|example| example.id == id)?;
            change(example);
            Some(example.clone())
        })?;
        changed.ok_or(Text2CypherError::UnknownExample { id })
    }

    /// Forgets the examples that meet the condition, and returns how many.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written. It is then unchanged.
    pub fn forget(&self, is_meant: impl Fn(&Example) -> bool) -> Result<usize> {
        if !self.file().exists() {
            return Ok(0);
        }
        self.change(|examples| {
            let before = examples.len();
            examples.retain(|example| !is_meant(example));
            before - examples.len()
        })
    }
}

impl Examples {
    /// Finds an example by its identifier or the beginning of it.
    ///
    /// # Errors
    /// Fails if there is not exactly one.
    pub fn find(&self, id: &str) -> Result<&Example> {
        find(&self.examples, id, |example| &example.id).map_err(|count| match count {
            0 => Text2CypherError::UnknownExample { id: id.to_owned() },
            count => Text2CypherError::AmbiguousExample { id: id.to_owned(), count },
        })
    }
}

/// The last sign of life.
fn last_used(example: &Example) -> Timestamp {
    example.used_at.map_or(example.at, |used| used.max(example.at))
}

/// What is worth least goes first: candidates, then what nobody reviewed, then what went longest without use.
fn worth(example: &Example) -> (bool, bool, Timestamp) {
    (example.status == ExampleStatus::Kept, example.is_reviewed, last_used(example))
}

fn is_aged(example: &Example, now: Timestamp) -> bool {
    let most = match example.status {
        ExampleStatus::Candidate => CANDIDATE,
        ExampleStatus::Kept => UNUSED,
    };
    !example.is_reviewed && now.duration_since(last_used(example)) > most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> (tempfile::TempDir, ExampleBook) {
        let folder = tempfile::tempdir().unwrap();
        let book = ExampleBook::at(folder.path().join("deeper").join("search.examples.jsonl"));
        (folder, book)
    }

    fn example(id: &str, status: ExampleStatus) -> Example {
        Example {
            id: id.to_owned(),
            status,
            is_reviewed: false,
            ..Example::by_person(format!("Question {id}?"), "RETURN 1")
        }
    }

    fn ids(book: &ExampleBook, now: Timestamp) -> Vec<String> {
        book.read_at(now).unwrap().examples.into_iter().map(|example| example.id).collect()
    }

    #[test]
    fn what_is_added_is_read_changed_and_forgotten() {
        let (_folder, book) = book();
        assert_eq!(book.read().unwrap(), Examples::default());
        assert!(matches!(book.change_one("0a", |_| {}), Err(Text2CypherError::UnknownExample { .. })));
        assert_eq!(book.forget(|_| true).unwrap(), 0);
        assert!(!book.file().parent().unwrap().exists());
        book.add([example("0a", ExampleStatus::Kept), example("0b", ExampleStatus::Candidate)]).unwrap();
        assert!(matches!(
            book.read().unwrap().find("0"),
            Err(Text2CypherError::AmbiguousExample { count: 2, .. })
        ));
        let changed = book.change_one("0b", |example| example.status = ExampleStatus::Kept).unwrap();
        assert_eq!(changed.status, ExampleStatus::Kept);
        // The same question takes the place of the one before.
        book.add([Example { id: "0c".into(), ..example("0b", ExampleStatus::Kept) }]).unwrap();
        assert_eq!(ids(&book, Timestamp::now()), ["0a", "0c"]);
        assert_eq!(book.forget(|example| example.id == "0a").unwrap(), 1);
        assert_eq!(book.forget(|_| true).unwrap(), 1);
        assert!(!book.file().exists());
    }

    #[test]
    fn what_is_not_used_ages_out_unless_a_person_reviewed_it() {
        let (_folder, book) = book();
        let now = Timestamp::now();
        let days = |days: i64| now + SignedDuration::from_hours(24 * days);
        let used = Example { used_at: Some(days(60)), ..example("0c", ExampleStatus::Kept) };
        let reviewed = Example { is_reviewed: true, ..example("0d", ExampleStatus::Kept) };
        book.add([
            example("0a", ExampleStatus::Candidate),
            example("0b", ExampleStatus::Kept),
            used,
            reviewed,
        ])
        .unwrap();
        assert_eq!(ids(&book, days(29)), ["0a", "0b", "0c", "0d"]);
        assert_eq!(ids(&book, days(31)), ["0b", "0c", "0d"]);
        assert_eq!(ids(&book, days(91)), ["0c", "0d"]);
        assert_eq!(ids(&book, days(151)), ["0d"]);
        book.change_at(days(91), |examples| examples.push(example("0e", ExampleStatus::Kept))).unwrap();
        assert_eq!(ids(&book, days(31)), ["0c", "0d", "0e"]);
    }

    #[test]
    fn beyond_the_bound_candidates_and_what_is_unused_go_first() {
        let (_folder, book) = book();
        let book = book.with_most(2);
        let now = Timestamp::now();
        let used = Example { used_at: Some(now), ..example("0a", ExampleStatus::Kept) };
        let unused =
            Example { at: now - SignedDuration::from_hours(1), ..example("0b", ExampleStatus::Kept) };
        book.add([used, example("0c", ExampleStatus::Candidate), unused]).unwrap();
        assert_eq!(ids(&book, now), ["0a", "0b"]);
        book.add([Example { is_reviewed: true, ..example("0d", ExampleStatus::Kept) }]).unwrap();
        assert_eq!(ids(&book, now), ["0a", "0d"]);
    }

    #[test]
    fn several_writers_lose_nothing() {
        let (_folder, book) = book();
        let file = book.file().to_owned();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let file = &file;
                scope.spawn(move || {
                    let book = ExampleBook::at(file);
                    for number in 0..10 {
                        let id = format!("{writer}-{number}-");
                        book.add([example(&id, ExampleStatus::Kept)]).unwrap();
                        book.change_one(&id, |example| example.used += 1).unwrap();
                    }
                });
            }
        });
        let read = book.read().unwrap();
        assert_eq!((read.examples.len(), read.unreadable), (40, 0));
        assert!(read.examples.iter().all(|example| example.used == 1));
    }

    #[test]
    fn secrets_are_not_written() {
        let (_folder, book) = book();
        let book = book.concealing(["sesame".to_owned()]);
        book.add([Example::by_person("Is sesame the word?", "RETURN 'sesame'")]).unwrap();
        assert!(!std::fs::read_to_string(book.file()).unwrap().contains("sesame"));
    }
}
