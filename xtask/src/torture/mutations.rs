//! Damages the files of a store. Every command must answer as before, or say that something is wrong.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Result, ensure};
use fastrand::Rng;
use graphwright_core::{GraphStore, Statement, store::QueryOptions};
use graphwright_embedded::{EmbeddedStore, OpenOptions};

use super::{Round, Victim, end};

const DOCUMENT: &str = "# Services\n\nThe service `ledger` depends on the library `money-types`. The service `billing` \
                        depends on the service `ledger`.\n\n## Teams\n\nThe team Payments owns the service `ledger`.\n";

/// What is asked of each damaged store.
const COMMANDS: [&[&str]; 4] = [
    &["cypher", "MATCH (n) RETURN count(n), sum(size(keys(n)))"],
    &["cypher", "MATCH (r:__Row__) RETURN r.number ORDER BY r.number"],
    &["search", "ledger library"],
    &["schema"],
];

pub(super) fn run(victim: &Victim, round: &mut Round) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let healthy = folder.path().join("healthy");
    make(victim, folder.path(), &healthy)?;
    let mut expected = Vec::new();
    for command in COMMANDS {
        let ending = end(victim.command(&healthy, command).spawn()?)?;
        ensure!(ending.status.success(), "{command:?} failed: {}", ending.errors);
        expected.push((stable(&ending.output), ending.errors));
    }
    let mut files = files_below(&healthy)?;
    files.retain(|file| healthy.join(file).metadata().is_ok_and(|metadata| metadata.len() > 0));
    let (mut told, mut equal, mut shorter) = (0, 0, 0);
    while round.next() {
        let damaged = folder.path().join("damaged");
        copy(&healthy, &damaged)?;
        let file = &files[round.rng.usize(..files.len())];
        let what = damage(&damaged.join(file), &mut round.rng)?;
        let what = format!("{what} of {}", file.display());
        let mut complained = false;
        for (command, expected) in COMMANDS.iter().zip(&expected) {
            let ending = end(victim.command(&damaged, command).spawn()?)?;
            let (output, errors) = expected;
            if let Some(fault) = ending.fault() {
                round.fault(format!("{what}, {command:?}: {fault}"));
            } else if !ending.status.success() || ending.errors != *errors {
                complained = true;
            } else if stable(&ending.output) != *output {
                // A log that ends between two commits, or whose last one has lost its head, looks like one that was
                // never longer.
                if file.ends_with("graph.kgl-wal") && !what.starts_with("the loss") {
                    shorter += 1;
                } else {
                    round.fault(format!(
                        "{what}, {command:?}: another answer in silence: {} in place of {output}",
                        ending.output
                    ));
                }
            }
        }
        told += u32::from(complained);
        equal += u32::from(!complained);
        fs::remove_dir_all(&damaged)?;
    }
    Ok(format!(
        "{told} told, {equal} without effect; {shorter} answers lacked commits from the end of the log"
    ))
}

/// Makes a store with a graph, a search index, and commits in its log.
fn make(victim: &Victim, folder: &Path, store: &Path) -> Result<()> {
    fs::write(folder.join("services.md"), DOCUMENT)?;
    let document = folder.join("services.md");
    victim.succeed(store, &["ingest", "--quiet", &document.display().to_string()])?;
    let living = folder.join("living");
    copy(store, &living)?;
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let writer = EmbeddedStore::open(&living, OpenOptions::writer()).await?;
        for number in 0..6 {
            let statement = Statement::fixed("CREATE (:__Row__ {number: $number})").with("number", number);
            writer.write(statement, QueryOptions::default()).await?;
        }
        // As a writer that is killed now leaves them.
        for name in ["graph.kgl", "graph.kgl-wal"] {
            fs::copy(living.join(name), store.join(name))?;
        }
        anyhow::Ok(())
    })
}

/// Leaves out what may differ for the same rows: times, and notes on the age of a search index.
fn stable(said: &str) -> String {
    let kept = |line: &&str| !line.ends_with(" ms") && !line.ends_with(" s") && !line.starts_with("note: ");
    said.lines().filter(kept).collect::<Vec<_>>().join("\n")
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(folder)?.to_owned());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    for file in files_below(from)? {
        let target = to.join(&file);
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        fs::copy(from.join(&file), target)?;
    }
    Ok(())
}

fn damage(file: &Path, rng: &mut Rng) -> Result<&'static str> {
    let mut bytes = fs::read(file)?;
    let place = rng.usize(..bytes.len());
    let what = match rng.u32(..6) {
        0 | 1 => {
            bytes[place] ^= 1 << rng.u32(..8);
            "a flipped bit"
        }
        2 => {
            bytes.truncate(place);
            "a cut"
        }
        3 => {
            let end = (place + rng.usize(1..512)).min(bytes.len());
            bytes[place..end].fill(0);
            "zeroes"
        }
        4 => {
            let end = (place + rng.usize(1..64)).min(bytes.len());
            bytes[place..end].iter_mut().for_each(|byte| *byte = rng.u8(..));
            "noise"
        }
        _ => {
            fs::remove_file(file)?;
            return Ok("the loss");
        }
    };
    fs::write(file, bytes)?;
    Ok(what)
}
