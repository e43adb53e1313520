//! The results of a replay in a file, so that a run that was stopped can continue.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{Recording, ReplayGraph, ReplayOptions, Verdict};
use crate::{Error, Result};

/// Verdicts, in memory and in a file of JSON Lines. The first line of the file identifies the run.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    file: File,
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
    /// Returns [`OtherRun`](Error::OtherRun) if the file belongs to other recordings, graphs or
    /// limits, [`File`](Error::File) if it cannot be read or written, and [`Line`](Error::Line) if
    /// a line is malformed.
    pub fn open(
        path: &Path,
        recordings: &[Recording],
        graphs: &[ReplayGraph],
        options: &ReplayOptions,
    ) -> Result<Self> {
        let header = Header::new(recordings, graphs, options);
        let failed = |action| move |source| Error::File { action, path: path.to_owned(), source };
        let text =
            if path.exists() { fs::read_to_string(path).map_err(failed("read"))? } else { String::new() };
        // A line without its end was being written when the run stopped.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        // Nothing is changed before it is clear that the file is ours.
        if let Some(first) = text.lines().next() {
            header.require(first, path)?;
        }
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(path)
            .map_err(failed("write"))?;
        file.set_len(whole as u64).map_err(failed("write"))?;
        file.seek(SeekFrom::End(0)).map_err(failed("write"))?;
        let mut results = Self { path: path.to_owned(), file, known: HashSet::new(), verdicts: Vec::new() };
        if whole == 0 {
            results.write(&header)?;
        }
        let lines = text[..whole].lines().skip(1);
        for (index, line) in lines.enumerate() {
            let verdict = serde_json::from_str(line).map_err(|error| Error::Line {
                path: path.to_owned(),
                line: index + 2,
                message: error.to_string(),
            })?;
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
            self.write(&verdict)?;
            self.remember(verdict);
        }
        Ok(())
    }

    fn remember(&mut self, verdict: Verdict) {
        self.known.insert((verdict.file.clone(), verdict.line));
        self.verdicts.push(verdict);
    }

    fn write(&mut self, line: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_vec(line).unwrap_or_default();
        text.push(b'\n');
        self.file.write_all(&text).map_err(|source| Error::File {
            action: "write",
            path: self.path.clone(),
            source,
        })
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

    /// Returns an error if `line`, the first line of a file, is another header.
    fn require(&self, line: &str, path: &Path) -> Result<()> {
        let difference = match serde_json::from_str::<Self>(line) {
            Err(_) => "its first line is no header of a replay",
            Ok(found) if found.version != self.version => "it was made by another version",
            Ok(found) if found.recordings != self.recordings => "the recordings are others",
            Ok(found) if found.graphs != self.graphs => "the graphs or their schemas are others",
            Ok(found) if found != *self => "the time limit is another",
            Ok(_) => return Ok(()),
        };
        Err(Error::OtherRun { path: path.to_owned(), difference: difference.to_owned() })
    }
}

#[cfg(test)]
mod tests {
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
        assert!(difference(&recordings, &options).ends_with("its first line is no header of a replay"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "notes of mine");
    }
}
