//! What came of one question that was asked through one flow.

use std::{collections::HashMap, path::Path};

use graphwright::{AnswerStatus, FlowName, llm::Usage};
use serde::{Deserialize, Serialize};

use super::{fault::Fault, gleu::Gleu, gold::Opened, tape::Exchange};
use crate::{Error, Result, journal::Journal};

/// What was asked of whom, through which flow.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The name of the set of questions.
    pub set: String,
    /// The identifier of the question.
    pub question: String,
    /// The flow.
    pub flow: FlowName,
    /// The name of the model.
    pub model: String,
    /// How often it was asked, from 1.
    pub trial: u32,
}

/// What came of it, with all that a model said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// What was asked.
    #[serde(flatten)]
    pub key: Key,
    /// The fault that the player made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// What the model, the judge, the store or the time failed at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The outcome.
    pub status: AnswerStatus,
    /// The answer.
    pub answer: String,
    /// The query that gave the rows.
    pub cypher: Option<String>,
    /// How good it is.
    pub score: Score,
    /// What the model used.
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// What the model replied.
    pub exchanges: Vec<Exchange>,
    /// What the judge replied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judged: Vec<Exchange>,
}

/// How good an answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Whether a query ran; `None` where a refusal is right.
    pub executable: Option<bool>,
    /// Whether its rows are right, or the refusal.
    pub right: bool,
    /// Whether the first query of the model is right as it was written, without lint and repair; `None` where a refusal is right, and
    /// where the flow may ask for parts of the question.
    pub as_written: Option<bool>,
    /// Whether the query is the gold query; `None` without one.
    pub exact: Option<bool>,
    /// How alike it is to the gold query; `None` without one.
    pub gleu: Option<Gleu>,
    /// How relevant the answer is to the question; `None` without a judge.
    pub relevancy: Option<f64>,
}

/// What a run depends on, beside what is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    /// The version of Graphwright.
    version: String,
    /// The names and hashes of the sets.
    sets: Vec<(String, String)>,
    /// The name of the judge.
    judge: Option<String>,
    /// The seed of the player.
    seed: u64,
}

/// The entries of a run, in memory and in a file of JSON Lines.
#[derive(Debug)]
pub struct Results {
    journal: Journal,
    entries: Vec<Entry>,
}

impl Results {
    /// Opens the file, or creates it. Entries that failed are left out, so that they are asked again.
    ///
    /// # Errors
    /// Returns [`OtherRun`](Error::OtherRun) if the file belongs to other sets, another judge or seed,
    /// [`File`](Error::File) if it cannot be read or written, and [`Kept`](Error::Kept) if a line is malformed.
    pub fn open(path: &Path, sets: &[Opened], judge: Option<&str>, seed: u64) -> Result<Self> {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let header = Header { version, sets: hashes(sets), judge: judge.map(str::to_owned), seed };
        let (journal, entries) = Journal::open(path, &header, |found| header.difference(&found))?;
        Ok(Self { journal, entries: latest(&entries) })
    }

    /// Returns the entries so far.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn has(&self, key: &Key) -> bool {
        self.entries.iter().any(|entry| entry.key == *key && entry.error.is_none())
    }

    pub(super) fn keep(&mut self, entry: Entry) -> Result<()> {
        self.journal.add(&entry)?;
        self.entries.retain(|known| known.key != entry.key);
        self.entries.push(entry);
        Ok(())
    }
}

/// What another run has kept.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Its entries, failures included.
    pub entries: Vec<Entry>,
    /// The name of its judge.
    pub judge: Option<String>,
    /// The seed of its player.
    pub seed: u64,
}

impl Recorded {
    /// Reads the file of a run, of this or another version.
    ///
    /// # Errors
    /// Returns [`OtherRun`](Error::OtherRun) if it asked other questions, [`File`](Error::File) if it cannot be read, and
    /// [`Kept`](Error::Kept) if a line is malformed.
    pub fn read(path: &Path, sets: &[Opened]) -> Result<Self> {
        let (Header { sets: asked, judge, seed, .. }, entries) = Journal::read(path)?;
        if asked != hashes(sets) {
            let difference = "it asked other questions".to_owned();
            return Err(Error::OtherRun { path: path.to_owned(), difference });
        }
        Ok(Self { entries: latest(&entries), judge, seed })
    }
}

fn hashes(sets: &[Opened]) -> Vec<(String, String)> {
    sets.iter().map(|opened| (opened.set.name.clone(), opened.set.hash())).collect()
}

/// Returns the latest entry of each key: what failed was asked again.
fn latest(entries: &[Entry]) -> Vec<Entry> {
    let mut places = HashMap::new();
    for (at, entry) in entries.iter().enumerate() {
        places.insert(entry.key.clone(), at);
    }
    let is_latest = |at: usize, entry: &Entry| places.get(&entry.key) == Some(&at);
    let found = entries.iter().enumerate().filter(|(at, entry)| is_latest(*at, entry));
    found.map(|(_, entry)| entry.clone()).collect()
}

impl Header {
    /// Says what another header has other than this one.
    fn difference(&self, found: &Self) -> Option<&'static str> {
        match found {
            found if found.version != self.version => Some("it was made by another version"),
            found if found.sets != self.sets => Some("the questions are others"),
            found if found.judge != self.judge => Some("the judge is another"),
            found if found.seed != self.seed => Some("the seed is another"),
            _ => None,
        }
    }
}
