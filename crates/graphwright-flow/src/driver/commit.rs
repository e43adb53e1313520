//! What happens together when steps are done: it is written to the checkpoints first.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use super::{Asked, Driver};
use crate::{
    attempt::{Delivery, Done, Finished, panic_message},
    collect::{Change, Collected},
    context::Update,
    error::{FlowError, Result},
    event::{EventType, Payload},
    flow::Flow,
    lineage::{Lineage, Member},
    notice::{Notice, Question},
    outcome::Outbox,
    plan::Destination,
    record::{Record, Sent, StepDone, Written},
};

pub(super) struct Commit<F: Flow> {
    pub(super) records: Vec<String>,
    pub(super) deliveries: Vec<Delivery>,
    pub(super) asked: Vec<(Question, Asked)>,
    /// A question that is answered.
    pub(super) closed: Option<u64>,
    pub(super) collected: Vec<(u64, Collected)>,
    pub(super) notices: Vec<Notice<F::Report>>,
    pub(super) changed_state: Option<Arc<F::State>>,
    pub(super) stop: Option<F::Stop>,
    state: Arc<F::State>,
}

impl<F: Flow> Commit<F> {
    pub(super) fn new(state: Arc<F::State>) -> Self {
        Self {
            records: Vec::new(),
            deliveries: Vec::new(),
            asked: Vec::new(),
            closed: None,
            collected: Vec::new(),
            notices: Vec::new(),
            changed_state: None,
            stop: None,
            state,
        }
    }

    /// Adds a checkpoint, if checkpoints are kept.
    pub(super) fn record(&mut self, is_kept: bool, record: impl FnOnce() -> Record) -> Result<()> {
        if is_kept {
            self.records.push(serde_json::to_string(&record()).map_err(cannot_write("checkpoint"))?);
        }
        Ok(())
    }

    /// Changes the state as a step wants it. A panic of the change is a failure of the step.
    fn update(&mut self, step: &'static str, updates: Vec<Update<F>>) -> Result<()> {
        if updates.is_empty() {
            return Ok(());
        }
        let state = Arc::make_mut(&mut self.state);
        let change = || updates.into_iter().for_each(|update| update(state));
        catch_unwind(AssertUnwindSafe(change)).map_err(|panic| FlowError::StepFailed {
            step,
            attempts: 1,
            source: panic_message(&*panic).into(),
        })?;
        self.changed_state = Some(Arc::clone(&self.state));
        Ok(())
    }
}

impl<F: Flow> Driver<F> {
    /// Adds what a step did.
    pub(super) fn add(&mut self, done: Done<F>, commit: &mut Commit<F>) -> Result<()> {
        let queue = &mut self.queues[done.step];
        queue.running -= 1;
        self.ready.push(done.step);
        let Finished { outbox, draft } = done.result?;
        let step = F::SHAPE.steps[done.step].name;
        let is_kept = self.log.is_some();
        let mut record = StepDone { delivery: done.number, step: step.to_owned(), ..StepDone::default() };

        if self.shared.listener.is_some() {
            let sent = outbox.events.iter().map(|outgoing| outgoing.event.name()).collect();
            commit.notices.push(Notice::StepDone { step, sent, elapsed: done.elapsed });
        }
        let lineage = draft.collected.as_ref().and_then(Collected::lineage).unwrap_or(&done.lineage);
        record.sent = self.send(outbox, lineage, commit)?;
        let is_changed = !draft.updates.is_empty();
        commit.update(step, draft.updates)?;
        if is_kept {
            if is_changed {
                let value = serde_json::to_value(&*commit.state).map_err(cannot_write("state"))?;
                record.state = Some(Written { value });
            }
            if let Some(stop) = &commit.stop {
                let value = serde_json::to_value(stop).map_err(cannot_write(F::SHAPE.stop.name()))?;
                record.stopped = Some(Written { value });
            }
            match draft.collected.as_ref().map(|collected| &collected.change) {
                Some(Change::Keep(kept)) => {
                    let value = kept.value.encode().map_err(cannot_write("what is collected"))?;
                    record.kept = Some(Written { value });
                }
                Some(Change::Release { deliveries, .. }) => record.released.clone_from(deliveries),
                None => {}
            }
        }
        commit.collected.extend(draft.collected.map(|collected| (done.number, collected)));
        commit.record(is_kept, || Record::Step(Box::new(record)))
    }

    /// Sends the events of a step on.
    fn send(&mut self, outbox: Outbox, lineage: &Lineage, commit: &mut Commit<F>) -> Result<Vec<Sent>> {
        let first_batch = self.next;
        self.next += u64::from(outbox.batches);
        self.has_sent_empty_batch |= outbox.batches > 0 && outbox.events.is_empty();
        let mut sent = Vec::new();
        for outgoing in outbox.events {
            let member = outgoing.member.map(|member| Member {
                batch: first_batch + u64::from(member.batch),
                index: member.index,
                size: member.size,
            });
            let within = member.map(|member| lineage.within(member));
            let lineage = within.as_ref().unwrap_or(lineage);
            sent.extend(self.route(outgoing.event, outgoing.payload, lineage, commit)?);
        }
        Ok(sent)
    }

    /// Sends an event to all who take it. Returns what the checkpoint says of that, if checkpoints are kept.
    pub(super) fn route(
        &mut self,
        event: EventType,
        payload: Payload,
        lineage: &Lineage,
        commit: &mut Commit<F>,
    ) -> Result<Vec<Sent>> {
        let plan = Arc::clone(&self.plan);
        let Some(route) = plan.route(event.id()) else {
            let message = format!("the event `{}` goes nowhere", event.name());
            return Err(FlowError::Broken { message });
        };
        let is_kept = self.log.is_some();
        let encode = || event.encode(&payload).map_err(cannot_write(event.name()));
        let mut sent = Vec::new();
        match &route.to {
            Destination::Stop => {
                commit.stop = payload.downcast::<F::Stop>().ok().map(Arc::unwrap_or_clone);
            }
            Destination::Person { answered_by } => {
                let (number, value) = (self.number(), encode()?);
                let question = self.question(event, *answered_by, number, value.clone());
                let asked = Asked { answered_by: *answered_by, lineage: lineage.clone() };
                commit.asked.push((question, asked));
                if is_kept {
                    let (event, lineage) = (event.name().to_owned(), lineage.clone());
                    sent.push(Sent { delivery: number, to: None, event, value, lineage });
                }
            }
            Destination::Steps(steps) => {
                for step in steps {
                    let number = self.number();
                    let lineage = arriving::<F>(lineage, *step)?;
                    if is_kept {
                        let (event, to) = (event.name().to_owned(), F::SHAPE.steps[*step].name.to_owned());
                        let (to, value, lineage) = (Some(to), encode()?, lineage.clone());
                        sent.push(Sent { delivery: number, to, event, value, lineage });
                    }
                    commit.deliveries.push(Delivery {
                        number,
                        step: *step,
                        payload: Arc::clone(&payload),
                        lineage,
                    });
                }
            }
        }
        Ok(sent)
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }
}

/// The lineage of an event that comes to a step: one round more, if the step has a bound.
fn arriving<F: Flow>(lineage: &Lineage, step: usize) -> Result<Lineage> {
    let shape = &F::SHAPE.steps[step];
    match shape.at_most {
        None => Ok(lineage.clone()),
        Some(limit) if lineage.rounds(shape.name) >= limit => {
            Err(FlowError::TooManyRounds { step: shape.name, limit })
        }
        Some(_) => Ok(lineage.clone().through(shape.name)),
    }
}

/// Changes what a step keeps.
pub(super) fn carry_out_collected(number: u64, mut collected: Collected) {
    match collected.change {
        Change::Keep(kept) => drop(collected.collector.kept.insert(number, kept)),
        Change::Release { deliveries, .. } => {
            for delivery in deliveries {
                collected.collector.kept.remove(&delivery);
            }
        }
    }
}

fn cannot_write(name: &str) -> impl FnOnce(serde_json::Error) -> FlowError {
    let name = name.to_owned();
    |source| FlowError::BadEvent { what: "write", name, source }
}
