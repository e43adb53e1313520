//! Kills writers at random moments. What they acknowledged must be there afterwards.

use std::{collections::BTreeSet, path::Path, time::Duration};

use anyhow::Result;

use super::{Ending, Round, Victim, end};

/// The rows after which a new store is begun.
const MOST_ROWS: usize = 400;

pub(super) fn run(victim: &Victim, round: &mut Round) -> Result<String> {
    let (mut acknowledged, mut unfinished) = (0, 0);
    let mut folder = tempfile::tempdir()?;
    let mut rows = BTreeSet::new();
    let mut usual = Duration::from_millis(200);
    while round.next() {
        if rows.len() > MOST_ROWS {
            folder = tempfile::tempdir()?;
            rows.clear();
        }
        let number = round.done;
        let write = format!("CREATE (:Row {{number: {number}}})");
        let mut child =
            victim.command(folder.path(), &["cypher", "--write", "--yes", "--new-names", &write]).spawn()?;
        std::thread::sleep(usual.mul_f64(round.rng.f64() * 1.3));
        let _ = child.kill();
        let ending = end(child)?;
        if ending.status.success() {
            acknowledged += 1;
            rows.insert(number);
            usual = usual.mul_f64(0.9).max(Duration::from_millis(10));
        } else {
            unfinished += 1;
            usual = usual.mul_f64(1.05).min(Duration::from_secs(2));
        }
        match numbers(victim, folder.path())? {
            Ok(found) => {
                if let Some(lost) = rows.difference(&found).next() {
                    round.fault(format!("row {lost} was acknowledged and is lost after kill {number}"));
                }
                // A row whose writer was killed between its commit and its last word is there too.
                rows.extend(found);
            }
            Err(said) if !rows.is_empty() || !said.contains("there is no graph yet") => {
                round.fault(format!("cannot be read after kill {number}: {said}"));
            }
            Err(_) => {}
        }
    }
    Ok(format!("{acknowledged} acknowledged, {unfinished} killed before, no row lost"))
}

/// Returns the rows of a store, or what the command says in their place.
pub(super) fn numbers(victim: &Victim, store: &Path) -> Result<Result<BTreeSet<u32>, String>> {
    let query = "MATCH (r:Row) RETURN r.number AS number";
    let ending: Ending =
        end(victim.command(store, &["--json", "cypher", "--limit", "100000", query]).spawn()?)?;
    if !ending.status.success() {
        return Ok(Err(ending.errors + &ending.output));
    }
    let result: serde_json::Value = serde_json::from_str(&ending.output)?;
    let rows = result["rows"].as_array().cloned().unwrap_or_default();
    Ok(Ok(rows
        .iter()
        .filter_map(|row| row[0].as_u64().or(row["number"].as_u64()))
        .map(|row| row as u32)
        .collect()))
}
