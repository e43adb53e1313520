//! The results of a replay in a file, so that a run that was stopped can continue.

use std::{collections::HashSet, path::Path};

use serde::{Deserialize, Serialize};

use super::{Recording, ReplayGraph, ReplayOptions, Verdict};
use crate::{Result, journal::Journal};

/// Verdicts, in memory and in a file of JSON Lines. The first line of the file identifies the run.
#[derive(Debug)]
pub struct Results {
    journal: Journal,
    known: HashSet<(String, usize)>,
    verdicts: Vec<Verdict>,
}

/// The inputs that verdicts depend on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    /// The version of Graphwright.
    version: String,
    /// The hash of all recordings.
    recordings: String,
    /// The hash of the graphs' names and schemas.
    graphs: String,
    /// The time limit, in seconds.
    time_limit: f64,
}

impl Results {
    /// Opens the file of results, or creates it. Drops a last line that was not written to its end.
    ///
    /// # Errors
    /// Returns [`OtherRun`](crate::Error::OtherRun) if the file belongs to other recordings, graphs or
    /// limits, [`File`](crate::Error::File) if it cannot be read or written, and [`Kept`](crate::Error::Kept) if
    /// a line is malformed.
    pub fn open(
        path: &Path,
        recordings: &[Recording],
        graphs: &[ReplayGraph],
        options: &ReplayOptions,
    ) -> Result<Self> {
        let header = Header::new(recordings, graphs, options);
        let (journal, verdicts) = Journal::open(path, &header, |found| header.difference(&found))?;
        let mut results = Self { journal, known: HashSet::new(), verdicts: Vec::new() };
        for verdict in verdicts {
            results.remember(verdict);
        }
        Ok(results)
    }

    /// Returns all verdicts so far.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    pub(super) fn has(&self, recording: &Recording) -> bool {
        self.known.contains(&(recording.file.to_string(), recording.line))
    }

    pub(super) fn keep(&mut self, verdicts: Vec<Verdict>) -> Result<()> {
        for verdict in verdicts {
            self.journal.add(&verdict)?;
            self.remember(verdict);
        }
        Ok(())
    }

    fn remember(&mut self, verdict: Verdict) {
        self.known.insert((verdict.file.clone(), verdict.line));
        self.verdicts.push(verdict);
    }
}

impl Header {
    fn new(recordings: &[Recording], graphs: &[ReplayGraph], options: &ReplayOptions) -> Self {
        let mut hasher = blake3::Hasher::new();
        for recording in recordings {
            let predicted = recording.predicted.as_deref().unwrap_or_default();
            for part in [&*recording.file, &recording.graph, &recording.gold, predicted] {
                // The zero byte keeps two texts from running together.
                hasher.update(part.as_bytes()).update(b"\0");
            }
        }
        let recordings = hasher.finalize().to_hex().to_string();
        let mut hasher = blake3::Hasher::new();
        for graph in graphs {
            let schema = serde_json::to_vec(&graph.schema).unwrap_or_default();
            hasher.update(graph.name.as_bytes()).update(b"\0").update(&schema);
        }
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            recordings,
            graphs: hasher.finalize().to_hex().to_string(),
            time_limit: options.time_limit.as_secs_f64(),
        }
    }

    /// Says what another header has other than this one.
    fn difference(&self, found: &Self) -> Option<&'static str> {
        match found {
            found if found.version != self.version => Some("it was made by another version"),
            found if found.recordings != self.recordings => Some("the recordings are others"),
            found if found.graphs != self.graphs => Some("the graphs or their schemas are others"),
            found if found != self => Some("the time limit is another"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::replay::replay;

    fn recordings(folder: &Path) -> Vec<Recording> {
        let file = folder.join("model.jsonl");
        let line = |text| format!(r#"{{"graph": "g", "gold_cypher": "RETURN 1", "pred_cypher": "{text}"}}"#);
        fs::write(&file, [line("RETURN 1"), line("RETURN 2"), line("RETURN")].join("\n")).unwrap();
        Recording::read(&file).unwrap()
    }

    #[tokio::test]
    async fn a_run_that_was_ended_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let (path, recordings) = (folder.path().join("results.jsonl"), recordings(folder.path()));
        let options = ReplayOptions::default();
        let count = std::cell::Cell::new(0);
        let progress = |more| count.set(count.get() + more);
        let mut results = Results::open(&path, &recordings, &[], &options).unwrap();
        replay(&recordings, &[], &options, &mut results, progress).await.unwrap();
        assert_eq!((count.get(), results.verdicts().len()), (3, 3));
        let all = results.verdicts().to_vec();

        // The last verdict was cut in the middle.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 10]).unwrap();
        count.set(0);
        let mut results = Results::open(&path, &recordings, &[], &options).unwrap();
        assert_eq!(results.verdicts().len(), 2);
        replay(&recordings, &[], &options, &mut results, progress).await.unwrap();
        assert_eq!(count.get(), 1);
        assert_eq!(results.verdicts(), all);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn results_of_another_run_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (path, recordings) = (folder.path().join("results.jsonl"), recordings(folder.path()));
        let options = ReplayOptions::default();
        Results::open(&path, &recordings, &[], &options).unwrap();
        let difference = |recordings: &[Recording], options: &ReplayOptions| {
            Results::open(&path, recordings, &[], options).unwrap_err().to_string()
        };
        assert!(difference(&recordings[1..], &options).ends_with("the recordings are others"));
        let longer = ReplayOptions { time_limit: options.time_limit * 2, ..options };
        assert!(difference(&recordings, &longer).ends_with("the time limit is another"));
        fs::write(&path, "notes of mine").unwrap();
        assert!(difference(&recordings, &options).ends_with("its first line is no header of such a run"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "notes of mine");
    }
}
