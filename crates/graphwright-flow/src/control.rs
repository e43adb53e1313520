//! How a run is controlled from outside, whatever its flow.

use std::{
    any::TypeId,
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use crate::{
    error::{FlowError, Result},
    event::Payload,
    notice::{Question, QuestionId},
    run_id::RunId,
};

/// The outer end of a run.
pub(crate) struct Control {
    pub(crate) run: RunId,
    pub(crate) cancel: CancellationToken,
    pub(crate) status: watch::Sender<Status>,
    commands: mpsc::UnboundedSender<Command>,
    questions: Mutex<BTreeMap<u64, Question>>,
    /// Told when the run begins to wait for people (`true`) and when it no longer does.
    on_waiting: Option<OnWaiting>,
}

pub(crate) type OnWaiting = Box<dyn Fn(bool) + Send + Sync>;

/// What a run is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Working,
    /// Only people can go on.
    Waiting,
    Ended,
}

/// What a run is told.
pub(crate) enum Command {
    /// A person answers.
    Answer { question: u64, answer: Answer, done: oneshot::Sender<Result<()>> },
    /// Something has changed on which the status depends.
    Look,
}

/// An answer of a person.
pub(crate) enum Answer {
    Event { id: TypeId, name: &'static str, payload: Payload },
    Json(Value),
}

impl Control {
    pub(crate) fn new(
        run: RunId,
        cancel: CancellationToken,
        on_waiting: Option<OnWaiting>,
    ) -> (Self, mpsc::UnboundedReceiver<Command>) {
        let (commands, receiver) = mpsc::unbounded_channel();
        let status = watch::Sender::new(Status::Working);
        (Self { run, cancel, status, commands, questions: Mutex::default(), on_waiting }, receiver)
    }

    pub(crate) fn look(&self) {
        // A run that has ended looks at nothing.
        let _ = self.commands.send(Command::Look);
    }

    pub(crate) fn ask(&self, question: Question) {
        lock(&self.questions).insert(question.id.number, question);
    }

    pub(crate) fn close_question(&self, number: u64) {
        lock(&self.questions).remove(&number);
    }

    pub(crate) fn set_status(&self, status: Status) {
        let mut before = status;
        self.status.send_if_modified(|current| {
            before = std::mem::replace(current, status);
            before != status
        });
        let (did_wait, waits) = (before == Status::Waiting, status == Status::Waiting);
        if let Some(on_waiting) = self.on_waiting.as_ref().filter(|_| did_wait != waits) {
            on_waiting(waits);
        }
    }
}

/// Runs that belong together: one that was started, and those that its steps run.
#[derive(Default)]
pub(crate) struct Family(Mutex<BTreeMap<RunId, Arc<Control>>>);

impl Family {
    pub(crate) fn add(&self, control: &Arc<Control>) {
        lock(&self.0).insert(control.run.clone(), Arc::clone(control));
    }

    pub(crate) fn remove(&self, run: &RunId) {
        lock(&self.0).remove(run);
    }

    /// All questions that are open.
    pub(crate) fn questions(&self) -> Vec<Question> {
        let members = lock(&self.0);
        members
            .values()
            .flat_map(|control| lock(&control.questions).values().cloned().collect::<Vec<_>>())
            .collect()
    }

    pub(crate) async fn answer(&self, question: &QuestionId, answer: Answer) -> Result<()> {
        let not_asked = || FlowError::NotAsked { question: question.to_string() };
        let control = lock(&self.0).get(&question.run).cloned().ok_or_else(not_asked)?;
        let (done, answered) = oneshot::channel();
        let command = Command::Answer { question: question.number, answer, done };
        control.commands.send(command).map_err(|_| not_asked())?;
        answered.await.unwrap_or_else(|_| Err(not_asked()))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
