//! The loop of a run: it hands events to steps, and what steps are done with to the checkpoints.

mod clock;
mod commit;

use std::{
    collections::{BTreeMap, VecDeque},
    future::pending,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use futures::future::BoxFuture;
use tokio::{
    sync::mpsc,
    task::{JoinError, JoinSet, coop::consume_budget},
};

use self::{clock::Clock, commit::Commit};
use crate::{
    attempt::{self, Delivery, Done},
    checkpoint::CheckpointLog,
    control::{Answer, Command, Status},
    error::{FlowError, Result},
    event::{EventType, Payload},
    flow::Flow,
    lineage::Lineage,
    notice::{Notice, Question, QuestionId},
    plan::{Plan, step_named},
    record::{Record, Sent},
    shared::Shared,
};

/// A run under way.
pub(crate) struct Driver<F: Flow> {
    plan: Arc<Plan<F>>,
    shared: Arc<Shared<F>>,
    log: Option<Box<dyn CheckpointLog>>,
    commands: mpsc::UnboundedReceiver<Command>,
    clock: Clock,
    /// By step.
    queues: Vec<Queue>,
    /// The steps that have both events and a free worker may be among these.
    ready: Vec<usize>,
    /// Steps at work side by side.
    tasks: JoinSet<Done<F>>,
    /// The step at work alone: it needs no task of its own.
    alone: Option<BoxFuture<'static, Done<F>>>,
    questions: BTreeMap<u64, Asked>,
    /// The next free number of a delivery or a batch.
    next: u64,
    has_sent_empty_batch: bool,
}

/// The events that wait for a step.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<Delivery>,
    running: usize,
}

/// A question that is open.
struct Asked {
    answered_by: EventType,
    lineage: Lineage,
}

impl<F: Flow> Driver<F> {
    pub(crate) fn new(
        plan: Arc<Plan<F>>,
        shared: Arc<Shared<F>>,
        log: Option<Box<dyn CheckpointLog>>,
        commands: mpsc::UnboundedReceiver<Command>,
        time_limit: Option<Duration>,
    ) -> Self {
        let queues = plan.steps.iter().map(|_| Queue::default()).collect();
        Self {
            plan,
            shared,
            log,
            commands,
            clock: Clock::new(time_limit),
            queues,
            ready: Vec::new(),
            tasks: JoinSet::new(),
            alone: None,
            questions: BTreeMap::new(),
            next: 0,
            has_sent_empty_batch: false,
        }
    }

    /// Begins with the start of the flow.
    pub(crate) async fn begin(&mut self, start: Payload) -> Result<()> {
        let mut commit = Commit::new(self.shared.state());
        let sent = self.route(F::SHAPE.start, start, &Lineage::default(), &mut commit)?;
        commit.record(self.log.is_some(), || Record::Begun { flow: F::SHAPE.name.to_owned(), sent })?;
        self.carry_out(commit).await.map(drop)
    }

    /// Goes on with what is pending. The numbers up to `next` are taken.
    pub(crate) fn go_on(&mut self, pending: impl IntoIterator<Item = Sent>, next: u64) -> Result<()> {
        self.next = next;
        for sent in pending {
            let unknown =
                |message: String| FlowError::OtherFlow { run: self.shared.run().to_string(), message };
            let event = self.plan.event(&sent.event).ok_or_else(|| {
                unknown(format!(
                    "it has an event `{}`, which the flow `{}` does not know",
                    sent.event,
                    F::SHAPE.name
                ))
            })?;
            let Some(to) = sent.to else {
                self.ask_again(event, sent.delivery, sent.value, sent.lineage)?;
                continue;
            };
            let step = step_named::<F>(&to).ok_or_else(|| {
                unknown(format!(
                    "a step `{to}` is to go on, which the flow `{}` does not have",
                    F::SHAPE.name
                ))
            })?;
            let payload = event.decode(sent.value).map_err(|source| FlowError::BadEvent {
                what: "read",
                name: sent.event,
                source,
            })?;
            self.enqueue(Delivery { number: sent.delivery, step, payload, lineage: sent.lineage });
        }
        Ok(())
    }

    fn ask_again(
        &mut self,
        event: EventType,
        number: u64,
        value: serde_json::Value,
        lineage: Lineage,
    ) -> Result<()> {
        let ask = F::SHAPE.asks.iter().find(|ask| ask.question.name() == event.name());
        let ask = ask.ok_or_else(|| FlowError::OtherFlow {
            run: self.shared.run().to_string(),
            message: format!("the flow `{}` does not ask `{}` any more", F::SHAPE.name, event.name()),
        })?;
        let question = self.question(event, ask.answer, number, value);
        self.open(question, Asked { answered_by: ask.answer, lineage });
        Ok(())
    }

    /// Runs to the end.
    pub(crate) async fn run(mut self) -> Result<F::Stop> {
        let shared = Arc::clone(&self.shared);
        loop {
            // Steps that never wait would keep other runs from this thread.
            consume_budget().await;
            self.dispatch();
            self.look()?;
            tokio::select! {
                biased;
                () = shared.cancel().cancelled() => return Err(FlowError::Cancelled),
                Some(command) = self.commands.recv() => self.obey(command).await?,
                done = finished(&mut self.alone) => {
                    if let Some(stop) = self.finish(Ok(done)).await? {
                        return Ok(stop);
                    }
                }
                Some(done) = self.tasks.join_next(), if !self.tasks.is_empty() => {
                    if let Some(stop) = self.finish(done).await? {
                        return Ok(stop);
                    }
                }
                error = self.clock.expired() => return Err(error),
            }
        }
    }

    fn enqueue(&mut self, delivery: Delivery) {
        let step = delivery.step;
        self.queues[step].waiting.push_back(delivery);
        self.ready.push(step);
    }

    /// Hands events to the steps that have a free worker.
    fn dispatch(&mut self) {
        let mut alone = None;
        while let Some(step) = self.ready.pop() {
            while self.queues[step].running < self.plan.steps[step].workers {
                let Some(delivery) = self.queues[step].waiting.pop_front() else { break };
                self.queues[step].running += 1;
                if self.at_work() == 0 && alone.is_none() {
                    alone = Some(delivery);
                } else {
                    for delivery in alone.take().into_iter().chain([delivery]) {
                        let work = self.work(delivery);
                        self.tasks.spawn(work);
                    }
                }
            }
        }
        if let Some(delivery) = alone {
            self.alone = Some(Box::pin(self.work(delivery)));
        }
    }

    fn work(&self, delivery: Delivery) -> impl Future<Output = Done<F>> + Send + use<F> {
        attempt::work(Arc::clone(&self.plan), Arc::clone(&self.shared), delivery)
    }

    fn at_work(&self) -> usize {
        self.tasks.len() + usize::from(self.alone.is_some())
    }

    /// Tells whether the run works or waits for people.
    ///
    /// # Errors
    /// Fails if it does neither.
    fn look(&mut self) -> Result<()> {
        let waiting_steps = self.shared.waiting_steps.load(Ordering::Acquire);
        let is_working = self.at_work() > waiting_steps;
        if !is_working && waiting_steps == 0 && self.questions.is_empty() {
            return Err(FlowError::Stalled { stop: F::SHAPE.stop.name(), waiting: self.what_is_missing() });
        }
        self.clock.run_while(is_working);
        self.shared.control.set_status(if is_working { Status::Working } else { Status::Waiting });
        Ok(())
    }

    fn what_is_missing(&self) -> String {
        let mut parts = Vec::new();
        for (step, collector) in self.shared.collectors() {
            let kept = collector.try_lock().map_or(0, |collector| collector.kept.len());
            if kept > 0 {
                parts
                    .push(format!("`{}` has collected {kept} and waits for more", F::SHAPE.steps[step].name));
            }
        }
        if self.has_sent_empty_batch {
            parts.push("a batch of none was sent".to_owned());
        }
        parts.iter().map(|part| format!("; {part}")).collect()
    }

    async fn obey(&mut self, command: Command) -> Result<()> {
        let Command::Answer { question, answer, done } = command else { return Ok(()) };
        match self.accept(question, answer) {
            Err(error) => drop(done.send(Err(error))),
            Ok(commit) => {
                self.carry_out(commit).await?;
                self.shared.control.set_status(Status::Working);
                // Whoever answered may have gone.
                drop(done.send(Ok(())));
            }
        }
        Ok(())
    }

    /// Turns an answer into an event.
    fn accept(&mut self, number: u64, answer: Answer) -> Result<Commit<F>> {
        let id = QuestionId { run: self.shared.run().clone(), number }.to_string();
        let asked =
            self.questions.get(&number).ok_or_else(|| FlowError::NotAsked { question: id.clone() })?;
        let (event, lineage) = (asked.answered_by, asked.lineage.clone());
        let payload = match answer {
            Answer::Event { id: given, payload, .. } if given == event.id() => payload,
            Answer::Event { name, .. } => {
                return Err(FlowError::WrongAnswer { question: id, wanted: event.name(), given: name });
            }
            Answer::Json(value) => event.decode(value).map_err(|source| FlowError::BadEvent {
                what: "read",
                name: event.name().to_owned(),
                source,
            })?,
        };
        let mut commit = Commit::new(self.shared.state());
        let sent = self.route(event, payload, &lineage, &mut commit)?;
        commit.record(self.log.is_some(), || Record::Answered { question: number, sent })?;
        commit.closed = Some(number);
        Ok(commit)
    }

    /// Takes up a step that is done, with all others that are done by now: their checkpoints are written at once.
    async fn finish(&mut self, first: Result<Done<F>, JoinError>) -> Result<Option<F::Stop>> {
        let mut commit = Commit::new(self.shared.state());
        let mut next = Some(first);
        while let Some(done) = next {
            let added = match done {
                Ok(done) => self.add(done, &mut commit),
                Err(error) => Err(FlowError::Broken { message: error.to_string() }),
            };
            if let Err(error) = added {
                // What others have done stays done.
                self.carry_out(commit).await?;
                return Err(error);
            }
            next = if commit.stop.is_none() { self.tasks.try_join_next() } else { None };
        }
        self.carry_out(commit).await
    }

    /// Writes what is to happen to the checkpoints, and then lets it happen.
    async fn carry_out(&mut self, commit: Commit<F>) -> Result<Option<F::Stop>> {
        if let Some(log) = &mut self.log {
            log.append(commit.records).await?;
        }
        if let Some(state) = commit.changed_state {
            self.shared.set_state(state);
        }
        for (number, collected) in commit.collected {
            commit::carry_out_collected(number, collected);
        }
        if let Some(number) = commit.closed {
            self.questions.remove(&number);
            self.shared.control.close_question(number);
        }
        for notice in commit.notices {
            self.shared.tell(|| notice);
        }
        for delivery in commit.deliveries {
            self.enqueue(delivery);
        }
        for (question, asked) in commit.asked {
            self.open(question, asked);
        }
        Ok(commit.stop)
    }

    fn open(&mut self, question: Question, asked: Asked) {
        self.questions.insert(question.id.number, asked);
        self.shared.control.ask(question.clone());
        self.shared.tell(|| Notice::Asked { question });
    }

    fn question(
        &self,
        event: EventType,
        answered_by: EventType,
        number: u64,
        value: serde_json::Value,
    ) -> Question {
        let id = QuestionId { run: self.shared.run().clone(), number };
        Question { id, event: event.name(), answered_by: answered_by.name(), value }
    }
}

/// Waits for the step that works alone, if there is one.
async fn finished<F: Flow>(alone: &mut Option<BoxFuture<'static, Done<F>>>) -> Done<F> {
    match alone {
        None => pending().await,
        Some(work) => {
            let done = work.await;
            *alone = None;
            done
        }
    }
}
