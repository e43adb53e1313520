//! How often recorded replies have which fault.

use std::collections::BTreeMap;

use graphwright_cypher::lint::Lint;
use serde::{Deserialize, Serialize};

use crate::{
    replay::{Recording, ReplayGraph},
    text2cypher::fault::{Fault, classify},
};

/// How often recorded replies have which fault, by sources of replies that have no classes in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rates(pub Vec<Counted>);

/// Counts of recorded replies by the class of their first fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// From where the replies are, and how they were counted.
    pub origin: String,
    /// The number of replies.
    pub replies: usize,
    /// The number of those with a fault, by its class.
    pub faults: BTreeMap<Fault, usize>,
}

impl Counted {
    /// Counts recorded replies. Those of which was not recorded whether they are right are left out, and so are those about other
    /// graphs.
    pub fn add(&mut self, recordings: &[Recording], graphs: &[ReplayGraph]) {
        for recording in recordings {
            let graph = graphs.iter().find(|graph| graph.is_of(recording));
            let (Some(right), Some(graph)) = (recording.labels.right, graph) else { continue };
            self.count(recording, graph.lint(), Some(right));
        }
    }

    /// Counts recorded replies by their form alone: those in an envelope, and those of several queries.
    pub fn add_forms(&mut self, recordings: &[Recording]) {
        for recording in recordings {
            self.count(recording, None, None);
        }
        self.faults.retain(|fault, _| matches!(fault, Fault::Envelope | Fault::Several));
    }

    fn count(&mut self, recording: &Recording, lint: Option<&Lint>, right: Option<bool>) {
        self.replies += 1;
        let reply = recording.predicted.as_deref().unwrap_or_default();
        if let Some(fault) = classify(reply, &recording.gold, lint, right) {
            *self.faults.entry(fault).or_default() += 1;
        }
    }
}

impl Rates {
    /// Returns the rates that come with this crate.
    pub fn shipped() -> Self {
        serde_json::from_str(include_str!("../../../data/text2cypher/faults.json")).unwrap_or_default()
    }

    /// Returns rates at which every reply has a fault, of each class as often as of the others.
    pub fn even() -> Self {
        let faults: BTreeMap<Fault, usize> = Fault::OF_QUERIES.into_iter().map(|fault| (fault, 1)).collect();
        Self(vec![Counted { origin: "no recordings".to_owned(), replies: faults.len(), faults }])
    }

    /// Returns the shares of replies with a fault of each class.
    fn shares(&self) -> BTreeMap<Fault, f64> {
        let of = |source: &Counted| {
            let all = source.replies.max(1) as f64;
            source.faults.iter().map(move |(fault, count)| (*fault, *count as f64 / all)).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(of).collect()
    }

    /// Returns the class on which a number from 0 to below 1 falls, or `None` for the share of replies without a fault. The shares
    /// of `impossible` classes go to the other ones, in proportion.
    pub(super) fn fault(&self, number: f64, impossible: &[Fault]) -> Option<Fault> {
        let mut shares = self.shares();
        let failing: f64 = shares.values().sum();
        if number >= failing {
            return None;
        }
        shares.retain(|fault, _| !impossible.contains(fault));
        // The place within the faults, stretched over those that are possible.
        let place = number / failing * shares.values().sum::<f64>();
        let mut end = 0.0;
        let hit = shares.iter().find(|(_, share)| {
            end += **share;
            place < end
        });
        hit.map(|(fault, _)| *fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Labels;

    fn rates() -> Rates {
        let counted = |replies, faults: &[(Fault, usize)]| Counted {
            replies,
            faults: faults.iter().copied().collect(),
            ..Counted::default()
        };
        Rates(vec![
            counted(100, &[(Fault::Syntax, 20), (Fault::OtherMeaning, 30)]),
            counted(50, &[(Fault::Envelope, 5)]),
        ])
    }

    #[test]
    fn faults_have_their_shares() {
        let drawn = |impossible: &[Fault]| {
            let mut counts: BTreeMap<Option<Fault>, usize> = BTreeMap::new();
            for number in 0..1_000 {
                let fault = rates().fault(f64::from(number) / 1_000.0, impossible);
                *counts.entry(fault).or_default() += 1;
            }
            let share = |fault| (*counts.get(&fault).unwrap_or(&0) + 5) / 10;
            [None, Some(Fault::Syntax), Some(Fault::OtherMeaning), Some(Fault::Envelope)].map(share)
        };
        assert_eq!(drawn(&[]), [40, 20, 30, 10]);
        // As many replies have a fault.
        assert_eq!(drawn(&[Fault::OtherMeaning]), [40, 40, 0, 20]);
        assert_eq!(drawn(&[Fault::OtherMeaning, Fault::Syntax, Fault::Envelope]), [100, 0, 0, 0]);
    }

    #[test]
    fn even_rates_leave_no_reply_without_a_fault() {
        assert!(Rates::even().fault(0.999, &[]).is_some());
        assert_eq!(Rates::even().fault(0.0, &[]), Some(Fault::Nothing));
    }

    #[test]
    fn the_shipped_rates_are_of_many_replies() {
        let rates = Rates::shipped();
        assert!(rates.0.iter().all(|source| source.replies > 10_000), "{rates:?}");
        let shares = rates.shares();
        assert!(shares.len() > 10, "{shares:?}");
        assert!((0.3..0.9).contains(&shares.values().sum::<f64>()), "{shares:?}");
    }

    #[test]
    fn replies_are_counted_where_it_is_known_whether_they_are_right() {
        let recording = |predicted: &str, right| Recording {
            file: "f".into(),
            line: 1,
            graph: "g".to_owned(),
            gold: "RETURN 1".to_owned(),
            predicted: Some(predicted.to_owned()),
            labels: Labels { executable: None, right },
        };
        let recordings = [
            recording("RETURN 1", Some(true)),
            recording("RETURN 2", Some(false)),
            recording("RETURN", None),
            recording("RETURN 1; RETURN 2", Some(false)),
        ];
        let mut counted = Counted::default();
        counted.add(&recordings, &[ReplayGraph::new("g", None, None)]);
        assert_eq!((counted.replies, counted.faults.len()), (3, 2));
        assert_eq!(counted.faults[&Fault::OtherMeaning], 1);
        let mut forms = Counted::default();
        forms.add_forms(&recordings);
        assert_eq!((forms.replies, forms.faults), (4, [(Fault::Several, 1)].into()));
    }
}
