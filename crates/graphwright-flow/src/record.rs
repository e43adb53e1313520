//! What a checkpoint says, and what all checkpoints of a run come to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    error::{FlowError, Result},
    lineage::Lineage,
    run_id::RunId,
};

/// A checkpoint.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Record {
    /// The run began.
    Begun {
        /// The name of the flow.
        flow: String,
        sent: Vec<Sent>,
    },
    /// A step is done.
    Step(Box<StepDone>),
    /// A person answered.
    Answered { question: u64, sent: Vec<Sent> },
}

/// What a step did to the run.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepDone {
    /// What it had been given.
    pub(crate) delivery: u64,
    pub(crate) step: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sent: Vec<Sent>,
    /// The state, if the step changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<Written>,
    /// What it keeps until the rest is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kept: Option<Written>,
    /// The deliveries of which it took what was kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) released: Vec<u64>,
    /// The event that ends the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Written>,
}

/// A value that may be null and is there all the same.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) value: Value,
}

/// An event on its way to one step, or to a person.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sent {
    pub(crate) delivery: u64,
    /// The name of the step; none for a question to a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
    pub(crate) event: String,
    pub(crate) value: Value,
    #[serde(default, skip_serializing_if = "is_plain")]
    pub(crate) lineage: Lineage,
}

fn is_plain(lineage: &Lineage) -> bool {
    *lineage == Lineage::default()
}

/// What was kept by a step that collects.
pub(crate) struct KeptRecord {
    pub(crate) step: String,
    pub(crate) lineage: Lineage,
    pub(crate) value: Value,
}

/// Where a run stands.
#[derive(Default)]
pub(crate) struct Standing {
    pub(crate) flow: String,
    /// What no step and no person has dealt with yet, by number.
    pub(crate) pending: BTreeMap<u64, Sent>,
    /// What steps have collected, by the number of the delivery.
    pub(crate) kept: BTreeMap<u64, KeptRecord>,
    pub(crate) state: Option<Value>,
    pub(crate) stopped: Option<Value>,
    /// The first number that is free.
    pub(crate) next: u64,
}

impl Standing {
    /// Goes through all checkpoints of a run. `None` if it has none, since it ended before the first one.
    pub(crate) fn of(run: &RunId, records: &[String]) -> Result<Option<Self>> {
        let mut standing = Self::default();
        for (number, record) in records.iter().enumerate() {
            let damaged = |message: String| FlowError::Damaged {
                run: run.to_string(),
                message: format!("record {}: {message}", number + 1),
            };
            let record = serde_json::from_str(record).map_err(|error| damaged(error.to_string()))?;
            standing.apply(record).map_err(damaged)?;
        }
        Ok((!records.is_empty()).then_some(standing))
    }

    fn apply(&mut self, record: Record) -> Result<(), String> {
        match record {
            Record::Begun { flow, sent } => {
                self.flow = flow;
                self.add(sent);
            }
            Record::Answered { question, sent } => {
                self.take(question)?;
                self.add(sent);
            }
            Record::Step(done) => {
                let given = self.take(done.delivery)?;
                for released in done.released {
                    self.kept.remove(&released).ok_or_else(|| format!("delivery {released} is not kept"))?;
                }
                if let Some(kept) = done.kept {
                    let kept = KeptRecord { step: done.step, lineage: given.lineage, value: kept.value };
                    self.kept.insert(done.delivery, kept);
                }
                if let Some(state) = done.state {
                    self.state = Some(state.value);
                }
                if let Some(stopped) = done.stopped {
                    self.stopped = Some(stopped.value);
                }
                self.add(done.sent);
            }
        }
        Ok(())
    }

    fn take(&mut self, delivery: u64) -> Result<Sent, String> {
        self.pending.remove(&delivery).ok_or_else(|| format!("delivery {delivery} is not pending"))
    }

    fn add(&mut self, sent: Vec<Sent>) {
        for sent in sent {
            let batches = sent.lineage.batches().iter().map(|member| member.batch);
            self.next = batches.chain([sent.delivery, self.next.saturating_sub(1)]).max().unwrap_or(0) + 1;
            self.pending.insert(sent.delivery, sent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> RunId {
        "run".parse().unwrap()
    }

    fn standing(records: &[&str]) -> Result<Option<Standing>> {
        Standing::of(&run(), &records.iter().map(|record| (*record).to_owned()).collect::<Vec<_>>())
    }

    const BEGUN: &str =
        r#"{"begun":{"flow":"Shop","sent":[{"delivery":0,"to":"split","event":"Order","value":3}]}}"#;

    #[test]
    fn what_is_done_is_not_pending() {
        let done = r#"{"step":{"delivery":0,"step":"split","sent":[{"delivery":1,"to":"price","event":"Line","value":null}]}}"#;
        let standing = standing(&[BEGUN, done]).unwrap().unwrap();
        assert_eq!(standing.pending.keys().copied().collect::<Vec<_>>(), [1]);
        assert_eq!((standing.next, standing.flow.as_str(), standing.stopped), (2, "Shop", None));
    }

    #[test]
    fn an_event_that_is_null_is_an_event() {
        let done = r#"{"step":{"delivery":0,"step":"split","stopped":{"value":null}}}"#;
        assert_eq!(standing(&[BEGUN, done]).unwrap().unwrap().stopped, Some(Value::Null));
    }

    #[test]
    fn a_run_without_records_stands_nowhere_and_a_step_that_is_done_twice_is_damage() {
        assert!(standing(&[]).unwrap().is_none());
        let done = r#"{"step":{"delivery":0,"step":"split"}}"#;
        let error = standing(&[BEGUN, done, done]).err().unwrap();
        assert_eq!(
            error.to_string(),
            "the checkpoints of the run run are damaged: record 3: delivery 0 is not pending"
        );
    }
}
