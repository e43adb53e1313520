//! What a run tells while it goes on.

use std::{fmt, str::FromStr, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    error::{FlowError, Result},
    event::Event,
    run_id::RunId,
};

/// Something that happened in a run; `R` is what its steps [report](crate::Context::report).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Notice<R> {
    /// An attempt of a step began.
    StepStarted {
        /// The name of the step.
        step: &'static str,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// A step is done, and its checkpoint is written.
    StepDone {
        /// The name of the step.
        step: &'static str,
        /// The names of the events that it sent.
        sent: Vec<&'static str>,
        /// How long it took, with all attempts.
        #[serde(serialize_with = "seconds")]
        elapsed: Duration,
    },
    /// An attempt failed, and another one follows.
    StepRetried {
        /// The name of the step.
        step: &'static str,
        /// The number of the attempt that failed, from 1.
        attempt: u32,
        /// Why it failed.
        error: String,
        /// How long the step waits now.
        #[serde(serialize_with = "seconds")]
        delay: Duration,
    },
    /// A person is asked. After a run is resumed, its open questions are told again.
    Asked {
        /// The question.
        question: Question,
    },
    /// A step tells something.
    Reported {
        /// The name of the step.
        step: &'static str,
        /// What it tells.
        report: R,
    },
    /// A flow that a step runs tells something.
    Nested {
        /// The name of the step.
        step: &'static str,
        /// The name of the flow that it runs.
        flow: &'static str,
        /// What happened in that.
        notice: Box<Notice<R>>,
    },
}

fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl<R> Notice<R> {
    /// Converts what steps report.
    pub(crate) fn into_reports_of<S>(self) -> Notice<S>
    where
        R: Into<S>,
    {
        match self {
            Self::StepStarted { step, attempt } => Notice::StepStarted { step, attempt },
            Self::StepDone { step, sent, elapsed } => Notice::StepDone { step, sent, elapsed },
            Self::StepRetried { step, attempt, error, delay } => {
                Notice::StepRetried { step, attempt, error, delay }
            }
            Self::Asked { question } => Notice::Asked { question },
            Self::Reported { step, report } => Notice::Reported { step, report: report.into() },
            Self::Nested { step, flow, notice } => {
                Notice::Nested { step, flow, notice: Box::new(notice.into_reports_of()) }
            }
        }
    }
}

/// Whoever listens to a run.
pub(crate) type Listener<R> = Arc<dyn Fn(Notice<R>) + Send + Sync>;

/// A question to a person that is open.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Question {
    /// Names the question when it is [answered](crate::Run::answer).
    pub id: QuestionId,
    /// The name of the event that asks.
    pub event: &'static str,
    /// The name of the event that answers.
    pub answered_by: &'static str,
    /// The event that asks, as JSON.
    pub value: Value,
}

impl Question {
    /// Reads the event that asks.
    ///
    /// # Errors
    /// Fails if the question is of another type.
    pub fn read<Q: Event>(&self) -> Result<Q> {
        serde_json::from_value(self.value.clone()).map_err(|source| FlowError::BadEvent {
            what: "read",
            name: self.event.to_owned(),
            source,
        })
    }
}

/// The identifier of a question, the same after the run is resumed: `order-4711:3`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct QuestionId {
    pub(crate) run: RunId,
    pub(crate) number: u64,
}

impl fmt::Display for QuestionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.run, self.number)
    }
}

impl FromStr for QuestionId {
    type Err = FlowError;

    fn from_str(text: &str) -> Result<Self> {
        let unknown = || FlowError::NotAsked { question: text.to_owned() };
        let (run, number) = text.rsplit_once(':').ok_or_else(unknown)?;
        Ok(Self { run: run.parse()?, number: number.parse().map_err(|_| unknown())? })
    }
}

impl TryFrom<String> for QuestionId {
    type Error = FlowError;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<QuestionId> for String {
    fn from(question: QuestionId) -> Self {
        question.to_string()
    }
}
