//! The errors of flows.

use std::{io, path::PathBuf, time::Duration};

use thiserror::Error;

/// The error of a step, of any type.
pub type StepError = Box<dyn std::error::Error + Send + Sync>;

/// A `Result` with [`FlowError`] as the default error.
pub type Result<T, E = FlowError> = std::result::Result<T, E>;

/// The error of a run, or of the place where its checkpoints are kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FlowError {
    /// A step failed, and so did all further attempts.
    #[error("the step `{step}` failed{}: {source}", times(*attempts))]
    StepFailed {
        /// The name of the step.
        step: &'static str,
        /// How often it was tried.
        attempts: u32,
        /// The error of the last attempt.
        source: StepError,
    },
    /// The run exceeded its time limit.
    #[error("the flow did not end within {} s", limit.as_secs_f64())]
    OutOfTime {
        /// The limit.
        limit: Duration,
    },
    /// A loop reached its bound.
    #[error("the step `{step}` was to run a {}th time on one way, and `at_most = {limit}`", limit + 1)]
    TooManyRounds {
        /// The name of the step.
        step: &'static str,
        /// The bound.
        limit: u32,
    },
    /// No event is left, and no step has sent the stop.
    #[error("the flow ended without its stop `{stop}`{waiting}")]
    Stalled {
        /// The name of the event that ends a run.
        stop: &'static str,
        /// What steps hold that collect.
        waiting: String,
    },
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The run ended by a defect: of a listener, of the store of checkpoints, or of the engine.
    #[error("the run broke off: {message}")]
    Broken {
        /// What happened.
        message: String,
    },
    /// Two types of events in a flow have one name.
    #[error("two events of the flow `{flow}` are named `{name}`: {first} and {second}")]
    SameName {
        /// The name of the flow.
        flow: &'static str,
        /// The name of the events.
        name: &'static str,
        /// A type.
        first: &'static str,
        /// The other type.
        second: &'static str,
    },
    /// An event, a state or an answer cannot be written or read.
    #[error("cannot {what} `{name}`: {source}")]
    BadEvent {
        /// The operation, as a verb.
        what: &'static str,
        /// The name of the type.
        name: String,
        /// The cause.
        source: serde_json::Error,
    },
    /// No question of that identifier is open.
    #[error("no question {question} is open")]
    NotAsked {
        /// The identifier of the question.
        question: String,
    },
    /// An answer has another type than the question wants.
    #[error("the question {question} is answered with `{wanted}`, not with `{given}`")]
    WrongAnswer {
        /// The identifier of the question.
        question: String,
        /// The name of the event that answers it.
        wanted: &'static str,
        /// The name of the event that was given.
        given: &'static str,
    },
    /// A text is no identifier of a run.
    #[error("{text:?} is no identifier of a run")]
    BadRunId {
        /// The text.
        text: String,
    },
    /// There are no checkpoints of a run.
    #[error("there is no run {run}")]
    UnknownRun {
        /// The identifier of the run.
        run: String,
    },
    /// A run of this identifier was begun before.
    #[error("the run {run} was begun before")]
    RunExists {
        /// The identifier of the run.
        run: String,
    },
    /// A run goes on elsewhere.
    #[error("the run {run} is under way elsewhere")]
    RunInUse {
        /// The identifier of the run.
        run: String,
    },
    /// There is no place for checkpoints.
    #[error("the flow `{flow}` keeps no checkpoints")]
    NoCheckpoints {
        /// The name of the flow.
        flow: &'static str,
    },
    /// The checkpoints of a run do not fit the flow.
    #[error("the run {run} cannot go on: {message}")]
    OtherFlow {
        /// The identifier of the run.
        run: String,
        /// What does not fit.
        message: String,
    },
    /// The checkpoints of a run are damaged.
    #[error("the checkpoints of the run {run} are damaged: {message}")]
    Damaged {
        /// The identifier of the run.
        run: String,
        /// What is wrong, and where.
        message: String,
    },
    /// A file of checkpoints cannot be used.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// The operation, as a verb.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another store of checkpoints failed.
    #[error("the store of checkpoints failed: {0}")]
    Store(#[source] StepError),
}

fn times(attempts: u32) -> String {
    if attempts == 1 { String::new() } else { format!(" {attempts} times") }
}

impl FlowError {
    /// Returns a stable name for programs, such as `step_failed`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::StepFailed { .. } => "step_failed",
            Self::OutOfTime { .. } => "out_of_time",
            Self::TooManyRounds { .. } => "too_many_rounds",
            Self::Stalled { .. } => "stalled",
            Self::Cancelled => "cancelled",
            Self::Broken { .. } => "broken",
            Self::SameName { .. } => "same_name",
            Self::BadEvent { .. } => "bad_event",
            Self::NotAsked { .. } => "not_asked",
            Self::WrongAnswer { .. } => "wrong_answer",
            Self::BadRunId { .. } => "bad_run_id",
            Self::UnknownRun { .. } => "unknown_run",
            Self::RunExists { .. } => "run_exists",
            Self::RunInUse { .. } => "run_in_use",
            Self::NoCheckpoints { .. } => "no_checkpoints",
            Self::OtherFlow { .. } => "other_flow",
            Self::Damaged { .. } => "damaged_checkpoints",
            Self::Io { .. } => "io",
            Self::Store(_) => "store",
        }
    }

    /// Returns what a person can do about the error, or `None` if there is nothing to suggest.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::StepFailed { .. } | Self::OutOfTime { .. } => {
                "if the run has checkpoints, it goes on from here when it is resumed"
            }
            Self::TooManyRounds { .. } => {
                "let the step look at `ctx.is_last_round()` and send another event then"
            }
            Self::Stalled { .. } => {
                "each member of a batch has to come to the step that collects it, and a batch of none never does"
            }
            Self::SameName { .. } => "give one another name: `#[event(name = \"…\")]`",
            Self::BadRunId { .. } => {
                "use letters, digits, `-`, `_` and `.`, at most 200 together, the first one no `.`"
            }
            Self::UnknownRun { .. } => "`Runner::unfinished` lists the runs that can be resumed",
            Self::RunExists { .. } => "resume it, or choose another identifier",
            Self::NoCheckpoints { .. } => "set a place for them: `Runner::with_checkpoints`",
            Self::OtherFlow { .. } => "resume it with the program that began it",
            Self::Io { .. } => "check the space left and that you may read and write there",
            _ => return None,
        })
    }
}
