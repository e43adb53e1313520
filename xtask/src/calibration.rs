//! Compares the confidence of facts with how often they are right, as judged by a person.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

/// A fact with its judgement (`xtask/judged/README.md`).
#[derive(Debug, Deserialize)]
struct Judged {
    confidence: f64,
    right: bool,
}

/// Prints how many facts of each confidence are right, and the expected calibration error (Naeini, Cooper and Hauskrecht 2015,
/// <https://ojs.aaai.org/index.php/AAAI/article/view/9602>), each confidence being a bin of its own.
pub(crate) fn print() -> Result<()> {
    let mut bins: BTreeMap<u64, (f64, usize, usize)> = BTreeMap::new();
    let mut all = 0_usize;
    for (number, line) in include_str!("../judged/facts.jsonl").lines().enumerate() {
        let fact: Judged = serde_json::from_str(line).with_context(|| format!("line {}", number + 1))?;
        let (_, right, count) = bins.entry(fact.confidence.to_bits()).or_insert((fact.confidence, 0, 0));
        *right += usize::from(fact.right);
        *count += 1;
        all += 1;
    }
    let mut error = 0.0;
    for (confidence, right, count) in bins.into_values() {
        let share = right as f64 / count as f64;
        println!("{confidence:<5} {right:>4} of {count:>4} right, {:.1} %", share * 100.0);
        error += (share - confidence).abs() * count as f64 / all as f64;
    }
    println!("{all} facts, expected calibration error {error:.3}");
    Ok(())
}
