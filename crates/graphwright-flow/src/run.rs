//! A run that was started.

use std::{
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context as TaskContext, Poll, ready},
};

use serde_json::Value;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{
    control::{Answer, Control, Family, Status},
    error::{FlowError, Result},
    event::{Event, EventType},
    flow::Flow,
    notice::{Question, QuestionId},
    run_id::RunId,
};

/// A run under way: a future of the event that ends it.
///
/// Dropping it cancels the run, unless it is [detached](Self::detach); what has checkpoints can be resumed.
pub struct Run<F: Flow> {
    pub(crate) control: Arc<Control>,
    pub(crate) family: Arc<Family>,
    pub(crate) task: JoinHandle<Result<F::Stop>>,
    pub(crate) cancels_on_drop: bool,
}

/// How a run came to rest.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rest {
    /// It has ended: awaiting the run gives the result at once.
    Ended,
    /// It goes on only when people answer.
    Waiting {
        /// What they are asked.
        questions: Vec<Question>,
    },
}

impl<F: Flow> Run<F> {
    /// Returns the identifier of the run, by which it can be resumed.
    pub fn id(&self) -> &RunId {
        &self.control.run
    }

    /// Cancels the run: its steps are dropped at their next `.await`, and those of flows that they run.
    pub fn cancel(&self) {
        self.control.cancel.cancel();
    }

    /// Returns the token that cancels the run, for whoever has to hold it longer than the run.
    pub fn cancellation(&self) -> CancellationToken {
        self.control.cancel.clone()
    }

    /// Lets the run go on when this handle is dropped.
    pub fn detach(mut self) {
        self.cancels_on_drop = false;
    }

    /// Returns the questions that are open, also those of flows that steps run.
    pub fn questions(&self) -> Vec<Question> {
        self.family.questions()
    }

    /// Answers a question. It is answered, and the checkpoint of that written, when this returns.
    ///
    /// # Errors
    /// Fails if the question is not open or another event answers it.
    pub async fn answer<E: Event>(&self, question: &QuestionId, answer: E) -> Result<()> {
        let event = EventType::of::<E>();
        let answer = Answer::Event { id: event.id(), name: event.name(), payload: Arc::new(answer) };
        self.family.answer(question, answer).await
    }

    /// Answers a question with an event as JSON.
    ///
    /// # Errors
    /// Fails if the question is not open or the JSON is not the event that answers it.
    pub async fn answer_json(&self, question: &QuestionId, answer: Value) -> Result<()> {
        self.family.answer(question, Answer::Json(answer)).await
    }

    /// Waits until the run has ended or only people can go on. A run with checkpoints may be dropped then, and resumed when they have
    /// answered.
    pub async fn rest(&self) -> Rest {
        let mut status = self.control.status.subscribe();
        let at_rest = status.wait_for(|status| *status != Status::Working).await.map(|status| *status);
        match at_rest {
            Ok(Status::Waiting) => Rest::Waiting { questions: self.questions() },
            _ => Rest::Ended,
        }
    }
}

impl<F: Flow> Future for Run<F> {
    type Output = Result<F::Stop>;

    fn poll(mut self: Pin<&mut Self>, context: &mut TaskContext<'_>) -> Poll<Self::Output> {
        let ended = ready!(Pin::new(&mut self.task).poll(context));
        Poll::Ready(ended.unwrap_or_else(|error| {
            if error.is_cancelled() {
                return Err(FlowError::Cancelled);
            }
            Err(FlowError::Broken { message: error.to_string() })
        }))
    }
}

impl<F: Flow> Drop for Run<F> {
    fn drop(&mut self) {
        if self.cancels_on_drop {
            self.control.cancel.cancel();
        }
    }
}

impl<F: Flow> fmt::Debug for Run<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Run")
            .field("flow", &F::SHAPE.name)
            .field("id", self.id())
            .finish_non_exhaustive()
    }
}
