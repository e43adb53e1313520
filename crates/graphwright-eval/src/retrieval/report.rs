//! What was found.

use std::{collections::BTreeMap, time::Duration};

use serde::Serialize;

/// The numbers of passages at which recall is measured.
pub(super) const DEPTHS: [usize; 3] = [2, 5, 10];

/// What a measurement found.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Number of passages.
    pub passages: usize,
    /// Number of given facts.
    pub facts: usize,
    /// Number of questions.
    pub questions: usize,
    /// Number of gold passages that the corpus does not have.
    pub missing: usize,
    /// Time to make the index from the passages, in milliseconds.
    pub index_ms: f64,
    /// The most memory that the process held, in megabytes.
    pub peak_mb: Option<f64>,
    /// The ways of searching, the one that is used by default last.
    pub methods: Vec<Method>,
}

/// What one way of searching found. Shares are percentages.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Method {
    /// Its name, as `graphwright search --mode` has it.
    pub name: String,
    /// Recall, by the number of passages that are looked at.
    pub recall: BTreeMap<usize, f64>,
    /// Share of questions all of whose passages are found.
    pub all: BTreeMap<usize, f64>,
    /// Recall at 5 of the first, third, … and of the second, fourth, … question.
    pub halves: [Half; 2],
    /// Recall at 5 by the number of passages that a question needs.
    pub hops: BTreeMap<usize, Hops>,
    /// The time of half of the questions is at most so many milliseconds.
    pub p50_ms: f64,
    /// That of 95 % of the questions.
    pub p95_ms: f64,
}

/// Half of the questions.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Half {
    /// Number of questions.
    pub questions: usize,
    /// Recall at 5.
    pub recall: f64,
}

/// The questions that need the same number of passages.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Hops {
    /// Number of questions.
    pub questions: usize,
    /// Recall at 5.
    pub recall: f64,
}

/// What was found for one question.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Number of its gold passages.
    pub(super) wanted: usize,
    /// Ranks, from 0, at which they were found.
    pub(super) ranks: Vec<usize>,
    pub(super) time: Duration,
}

impl Found {
    fn within(&self, depth: usize) -> f64 {
        self.ranks.iter().filter(|rank| **rank < depth).count() as f64 / self.wanted as f64
    }
}

impl Method {
    pub(super) fn new(name: &str, found: &[Found]) -> Self {
        let recall = |depth: usize| mean(found.iter().map(|found| found.within(depth)));
        let all =
            |depth: usize| mean(found.iter().map(|found| f64::from(u8::from(found.within(depth) >= 1.0))));
        let half = |first: usize| {
            let half = || found.iter().skip(first).step_by(2).map(|found| found.within(5));
            Half { questions: half().count(), recall: mean(half()) }
        };
        let mut by_hops: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for found in found {
            by_hops.entry(found.wanted).or_default().push(found.within(5));
        }
        let hops = |shares: Vec<f64>| Hops { questions: shares.len(), recall: mean(shares.into_iter()) };
        Self {
            name: name.to_owned(),
            recall: DEPTHS.map(|depth| (depth, recall(depth))).into(),
            all: DEPTHS.map(|depth| (depth, all(depth))).into(),
            halves: [half(0), half(1)],
            hops: by_hops.into_iter().map(|(count, shares)| (count, hops(shares))).collect(),
            p50_ms: percentile(found, 50),
            p95_ms: percentile(found, 95),
        }
    }
}

/// Returns the mean as a percentage with one decimal, 0 of nothing.
fn mean(shares: impl Iterator<Item = f64>) -> f64 {
    let shares: Vec<f64> = shares.collect();
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    (1000.0 * mean).round() / 10.0
}

/// Returns the time that `percent` of the questions need at most, in milliseconds.
fn percentile(found: &[Found], percent: usize) -> f64 {
    let mut times: Vec<Duration> = found.iter().map(|found| found.time).collect();
    times.sort_unstable();
    let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
    times.get(at).map_or(0.0, |time| milliseconds(*time))
}

/// Returns a time in milliseconds with two decimals.
pub(super) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 100_000.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recall_counts_what_is_within_each_depth() {
        let found = |wanted, ranks: &[usize], time| Found {
            wanted,
            ranks: ranks.to_vec(),
            time: Duration::from_millis(time),
        };
        let method = Method::new("graph", &[found(2, &[0, 4], 1), found(2, &[1, 7], 9), found(3, &[], 2)]);
        assert_eq!(method.recall, [(2, 33.3), (5, 50.0), (10, 66.7)].into());
        assert_eq!(method.all, [(2, 0.0), (5, 33.3), (10, 66.7)].into());
        assert_eq!((method.halves[0].recall, method.halves[1].recall), (50.0, 50.0));
        assert_eq!((method.hops[&2].recall, method.hops[&3].questions), (75.0, 1));
        assert_eq!((method.p50_ms, method.p95_ms), (2.0, 9.0));
        assert_eq!(Method::new("graph", &[]).recall, [(2, 0.0), (5, 0.0), (10, 0.0)].into());
    }
}
