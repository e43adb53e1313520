//! Where an event comes from: the batches that it is a member of, and how often it went through steps with a bound.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

/// The place of an event, or of an ancestor of it, in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Member {
    /// The number of the batch in the run.
    pub(crate) batch: u64,
    /// The place in the batch, from 0.
    pub(crate) index: u32,
    /// How many events the batch has.
    pub(crate) size: u32,
}

/// The history of an event as far as it matters to what comes after. Most have none, which takes no memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lineage {
    /// The outermost batch first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batches: Option<Arc<[Member]>>,
    /// By name of a step with a bound: how often it ran on the way here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounds: Option<Arc<BTreeMap<String, u32>>>,
}

impl Lineage {
    pub(crate) fn batches(&self) -> &[Member] {
        self.batches.as_deref().unwrap_or_default()
    }

    /// The innermost batch.
    pub(crate) fn member(&self) -> Option<Member> {
        self.batches().last().copied()
    }

    pub(crate) fn rounds(&self, step: &str) -> u32 {
        self.rounds.as_ref().and_then(|rounds| rounds.get(step)).copied().unwrap_or(0)
    }

    /// The lineage within one more batch.
    pub(crate) fn within(&self, member: Member) -> Self {
        Self { batches: Some([self.batches(), &[member]].concat().into()), rounds: self.rounds.clone() }
    }

    /// The lineage after one more run of a step with a bound.
    pub(crate) fn through(mut self, step: &str) -> Self {
        let rounds = Arc::make_mut(self.rounds.get_or_insert_default());
        *rounds.entry(step.to_owned()).or_default() += 1;
        self
    }

    /// The lineage of what is made of several events: the batches in which all of them are the same member, and the most rounds of any.
    pub(crate) fn common<'a>(lineages: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut lineages = lineages.into_iter();
        let Some(first) = lineages.next() else { return Self::default() };
        let mut common = first.clone();
        for other in lineages {
            let shared =
                common.batches().iter().zip(other.batches()).take_while(|(one, other)| one == other).count();
            common = common.up_to(shared);
            for (step, count) in other.rounds.iter().flat_map(|rounds| rounds.iter()) {
                let rounds = Arc::make_mut(common.rounds.get_or_insert_default());
                let most = rounds.entry(step.clone()).or_default();
                *most = (*most).max(*count);
            }
        }
        common
    }

    /// The lineage outside of the innermost batch.
    pub(crate) fn outside(self) -> Self {
        let outer = self.batches().len().saturating_sub(1);
        self.up_to(outer)
    }

    fn up_to(mut self, batches: usize) -> Self {
        if batches < self.batches().len() {
            self.batches = (batches > 0).then(|| self.batches()[..batches].into());
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(batch: u64, index: u32) -> Member {
        Member { batch, index, size: 2 }
    }

    #[test]
    fn what_is_collected_leaves_its_batch_and_keeps_the_outer_one() {
        let outer = Lineage::default().within(member(1, 0));
        let parts = [outer.within(member(2, 0)), outer.within(member(2, 1))];
        assert_eq!(Lineage::common(&parts), outer);
        assert_eq!(outer.clone().outside(), Lineage::default());
        assert_eq!(
            Lineage::common(&[outer.clone(), Lineage::default().within(member(1, 1))]),
            Lineage::default()
        );
    }

    #[test]
    fn rounds_count_along_the_way_and_the_longest_way_counts() {
        let twice = Lineage::default().through("check").through("check");
        let once = Lineage::default().through("check").through("repair");
        let common = Lineage::common([&once, &twice]);
        assert_eq!((common.rounds("check"), common.rounds("repair"), common.rounds("run")), (2, 1, 0));
        assert_eq!(once.rounds("check"), 1);
    }

    #[test]
    fn a_lineage_without_history_is_written_as_nothing() {
        assert_eq!(serde_json::to_string(&Lineage::default()).unwrap(), "{}");
        let lineage = Lineage::default().within(member(1, 0)).through("check");
        let text = serde_json::to_string(&lineage).unwrap();
        assert_eq!(serde_json::from_str::<Lineage>(&text).unwrap(), lineage);
    }
}
