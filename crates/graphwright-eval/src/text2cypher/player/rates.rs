//! How often recorded replies have which fault.

use std::collections::BTreeMap;

use graphwright_cypher::lint::Lint;
use serde::{Deserialize, Serialize};

use crate::{
    replay::Recording,
    text2cypher::fault::{Fault, classify},
};

/// Counts of recorded replies by the class of their first fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// From where the replies are, and how they were counted.
    pub origin: String,
    /// The number of replies of which is known whether they are right.
    pub replies: usize,
    /// The number of those with a fault, by its class.
    pub faults: BTreeMap<Fault, usize>,
}

impl Rates {
    /// Returns the rates that come with this crate.
    pub fn shipped() -> Self {
        serde_json::from_str(include_str!("../../../data/text2cypher/faults.json")).unwrap_or_default()
    }

    /// Counts a recorded reply, unless it was not recorded whether it is right.
    pub fn add(&mut self, recording: &Recording, lint: Option<&Lint>) {
        let Some(right) = recording.labels.right else { return };
        self.replies += 1;
        let reply = recording.predicted.as_deref().unwrap_or_default();
        if let Some(fault) = classify(reply, &recording.gold, lint, Some(right)) {
            *self.faults.entry(fault).or_default() += 1;
        }
    }

    /// Returns the class on which a number from 0 to below 1 falls, or `None` for the share of replies without a fault. The shares
    /// of `impossible` classes go to the other ones, in proportion.
    pub(super) fn fault(&self, number: f64, impossible: &[Fault]) -> Option<Fault> {
        let all: usize = self.faults.values().sum();
        let possible = || self.faults.iter().filter(|(fault, _)| !impossible.contains(fault));
        let left: usize = possible().map(|(_, count)| count).sum();
        let failing = all as f64 / self.replies.max(1) as f64;
        if number >= failing || left == 0 {
            return None;
        }
        // The place within the faults, stretched over those that are possible.
        let place = number / failing * left as f64;
        let mut end = 0.0;
        possible().map(|(fault, count)| (*fault, *count)).find_map(|(fault, count)| {
            end += count as f64;
            (place < end).then_some(fault)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates() -> Rates {
        let faults = [(Fault::Syntax, 20), (Fault::UnknownLabel, 10), (Fault::OtherMeaning, 30)].into();
        Rates { origin: String::new(), replies: 100, faults }
    }

    #[test]
    fn faults_have_their_shares() {
        let drawn = |impossible: &[Fault]| {
            let mut counts: BTreeMap<Option<Fault>, usize> = BTreeMap::new();
            for number in 0..100 {
                *counts.entry(rates().fault(f64::from(number) / 100.0, impossible)).or_default() += 1;
            }
            counts
        };
        let all = drawn(&[]);
        assert_eq!((all[&None], all[&Some(Fault::Syntax)], all[&Some(Fault::OtherMeaning)]), (40, 20, 30));
        // As many replies have a fault.
        let some = drawn(&[Fault::OtherMeaning]);
        assert_eq!((some[&None], some[&Some(Fault::Syntax)], some[&Some(Fault::UnknownLabel)]), (40, 40, 20));
        let none = drawn(&[Fault::Syntax, Fault::UnknownLabel, Fault::OtherMeaning]);
        assert_eq!(none[&None], 100);
    }

    #[test]
    fn the_shipped_rates_are_of_many_replies() {
        let rates = Rates::shipped();
        assert!(rates.replies > 20_000 && rates.faults.len() > 8, "{rates:?}");
        assert!(rates.faults.values().sum::<usize>() < rates.replies);
    }
}
