//! A writer killed in the middle of a write.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use graphwright_embedded::{EmbeddedStore, OpenOptions};
use tokio::runtime::Runtime;

use crate::batches;

const KILLS: usize = 20;

/// Counts only kills between the beginning of a write and its acknowledgement, after an
/// acknowledged batch.
pub(crate) fn a_killed_writer_leaves_whole_batches() -> String {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let path = path.to_str().unwrap();
    let runtime = Runtime::new().unwrap();
    let (mut kills, mut tries, mut completed_anyway) = (0, 0, 0);
    while kills < KILLS {
        tries += 1;
        assert!(tries <= 20 * KILLS, "only {kills} of {tries} kills fell into a write");
        let said = kill_a_writer(path, tries);
        let done: Vec<i64> = numbers(&said, "done ");
        let begun: Vec<i64> = numbers(&said, "begin ");
        let inside = begun.len() == done.len() + 1;
        if done.is_empty() || !inside {
            continue;
        }
        kills += 1;
        // Whoever comes next, a reader or a writer, must find the same.
        let options = if kills % 2 == 0 { OpenOptions::reader() } else { OpenOptions::writer() };
        let found = runtime.block_on(async {
            let store = EmbeddedStore::open(path, options).await.unwrap();
            batches::found(&store).await.unwrap()
        });
        let last = *begun.last().unwrap();
        for number in 0..last {
            assert_eq!(
                found.get(&number),
                Some(&batches::WHOLE),
                "acknowledged batch {number} after kill {kills}"
            );
        }
        if let Some(counts) = found.get(&last) {
            assert_eq!(counts, &batches::WHOLE, "batch {last}, in which kill {kills} fell, is partial");
            completed_anyway += 1;
        }
        assert_eq!(found.range(last + 1..).next(), None);
    }
    format!(
        " ({KILLS} kills inside a write of {tries}; {completed_anyway} of the writes were already durable)"
    )
}

/// Starts a writer, kills it at a moment that depends on `seed`, and returns the lines it said.
fn kill_a_writer(path: &str, seed: usize) -> Vec<String> {
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new(program)
        .args(["child-write-until-killed", path])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut said = Vec::new();
    let (mut begun, mut took) = (Instant::now(), Duration::ZERO);
    let wanted = 1 + seed % 4;
    for line in lines.by_ref() {
        let is_beginning = line.starts_with("begin ");
        said.push(line);
        let done = said.len() / 2;
        if is_beginning && done >= wanted {
            break;
        }
        if is_beginning {
            begun = Instant::now();
        } else {
            took = begun.elapsed();
        }
    }
    // Spread over the time that a write takes.
    std::thread::sleep(took.mul_f64((seed * 7 % 20) as f64 / 20.0));
    child.kill().unwrap();
    said.extend(lines);
    child.wait().unwrap();
    said
}

fn numbers(said: &[String], prefix: &str) -> Vec<i64> {
    said.iter().filter_map(|line| line.strip_prefix(prefix)).map(|number| number.parse().unwrap()).collect()
}
