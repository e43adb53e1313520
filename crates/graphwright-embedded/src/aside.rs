//! What the engine put aside of logs that it could not read to their end.
//!
//! The engine copies a log that is damaged in its middle to `graph.kgl-wal.quarantine-TIME`, and the
//! rest of one that ends within a commit to `graph.kgl-wal.torn-TIME-at-BYTE`, and goes on without.
//! Here a damaged log is an error before the engine sees it; programs that use the engine in other
//! ways leave such files. They may hold commits, so each opening tells of them while they are there.

use std::path::PathBuf;

use crate::location::Location;

const KINDS: [&str; 2] = ["quarantine-", "torn-"];

/// Warns of each file that holds what was put aside.
pub(crate) fn warn(location: &Location) {
    for notice in notices(location) {
        tracing::warn!("{notice}");
    }
}

/// Says of each file what it is and what to do.
pub(crate) fn notices(location: &Location) -> Vec<String> {
    let say = |file: &PathBuf| {
        format!(
            "{} holds what could not be read of the log, perhaps commits: see what the graph lacks, and move the file elsewhere",
            file.display()
        )
    };
    files(location).iter().map(say).collect()
}

fn files(location: &Location) -> Vec<PathBuf> {
    let log = location.log();
    let name = log.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_aside = |path: &PathBuf| {
        let file = path.file_name().map(|file| file.to_string_lossy()).unwrap_or_default();
        let kind = file.strip_prefix(&name).and_then(|rest| rest.strip_prefix('.'));
        kind.is_some_and(|kind| KINDS.iter().any(|known| kind.starts_with(known)))
    };
    // A store that can be opened can be used: what cannot be listed is not worth an error.
    let Ok(entries) = location.directory().read_dir() else { return Vec::new() };
    let mut found: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_aside).collect();
    found.sort();
    found
}
