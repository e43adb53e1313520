//! What became of earlier questions of the same kind.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use crate::options::FlowName;

/// The most kinds of questions that are remembered.
const MOST_KINDS: usize = 10_000;

/// How often a flow answered a kind of question, and how often not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    answered: u32,
    failed: u32,
}

/// The successes and failures of flows by kind of question, for as long as the process runs.
#[derive(Debug, Default)]
pub(crate) struct Record {
    tallies: Mutex<HashMap<(String, FlowName), Tally>>,
}

impl Record {
    /// Notes what became of a question.
    pub(crate) fn add(&self, kind: &str, flow: FlowName, answered: bool) {
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        // Kinds are made of what people ask, so their number has no bound of its own.
        if tallies.len() >= MOST_KINDS {
            tallies.clear();
        }
        let tally = tallies.entry((kind.to_owned(), flow)).or_default();
        if answered {
            tally.answered += 1;
        } else {
            tally.failed += 1;
        }
    }

    /// Tells whether a flow has failed at a kind of question at least as often as it has answered it, and how often it has answered it.
    pub(crate) fn standing(&self, kind: &str, flow: FlowName) -> Standing {
        let tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        let tally = tallies.get(&(kind.to_owned(), flow)).copied().unwrap_or_default();
        match (tally.answered, tally.failed) {
            (0, 0) => Standing::Unknown,
            (answered, failed) if answered > failed => Standing::Good,
            _ => Standing::Bad,
        }
    }
}

/// How a flow stands with a kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It was never tried.
    Unknown,
    /// It answered more often than not.
    Good,
    /// It did not.
    Bad,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_stands_as_it_fared() {
        let record = Record::default();
        assert_eq!(record.standing("who owns <Service>", FlowName::Naive), Standing::Unknown);
        record.add("who owns <Service>", FlowName::Naive, false);
        assert_eq!(record.standing("who owns <Service>", FlowName::Naive), Standing::Bad);
        for _ in 0..2 {
            record.add("who owns <Service>", FlowName::Naive, true);
        }
        assert_eq!(record.standing("who owns <Service>", FlowName::Naive), Standing::Good);
        assert_eq!(record.standing("who owns <Service>", FlowName::Planner), Standing::Unknown);
    }
}
