//! What a step knows of its run, and does to it beside what it returns.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{
    collect::{Collected, Collection},
    error::StepError,
    flow::Flow,
    lineage::Lineage,
    notice::Notice,
    outcome::{Batch, OneOf},
    run_id::RunId,
    shared::Shared,
};

/// The run, for a step that takes `&Context<Self>`.
///
/// What a step does by its context counts when the step is done, together with the events that it returns: an attempt that
/// fails, or is cut off, leaves nothing behind.
pub struct Context<F: Flow> {
    pub(crate) shared: Arc<Shared<F>>,
    pub(crate) step: usize,
    pub(crate) delivery: u64,
    lineage: Lineage,
    attempt: u32,
    most_attempts: u32,
    draft: Mutex<Draft<F>>,
}

/// What an attempt will have done if it succeeds.
pub(crate) struct Draft<F: Flow> {
    pub(crate) updates: Vec<Update<F>>,
    pub(crate) collected: Option<Collected>,
    /// What the attempt did wrong with its context: it fails, whatever it returns.
    pub(crate) misuse: Option<StepError>,
    /// How many flows it has run.
    pub(crate) nested: u32,
}

/// A change of the state.
pub(crate) type Update<F> = Box<dyn FnOnce(&mut <F as Flow>::State) + Send>;

impl<F: Flow> Context<F> {
    pub(crate) fn new(
        shared: Arc<Shared<F>>,
        step: usize,
        delivery: u64,
        lineage: Lineage,
        attempt: u32,
        most_attempts: u32,
    ) -> Self {
        let draft = Mutex::new(Draft { updates: Vec::new(), collected: None, misuse: None, nested: 0 });
        Self { shared, step, delivery, lineage, attempt, most_attempts, draft }
    }

    pub(crate) fn draft(&self) -> MutexGuard<'_, Draft<F>> {
        self.draft.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn into_draft(self) -> Draft<F> {
        self.draft.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the identifier of the run.
    pub fn run_id(&self) -> &RunId {
        self.shared.run()
    }

    /// Returns the name of the step.
    pub fn step(&self) -> &'static str {
        F::SHAPE.steps[self.step].name
    }

    /// Returns the number of the attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Returns whether no other attempt follows if this one fails.
    pub fn is_last_attempt(&self) -> bool {
        self.attempt >= self.most_attempts
    }

    /// Returns how often this step has run on the way to this event, this time counted. A step without `at_most` is not counted: it is
    /// always 1.
    pub fn round(&self) -> u32 {
        self.lineage.rounds(self.step()).max(1)
    }

    /// Returns whether the step would exceed its `at_most` if the event came round again.
    pub fn is_last_round(&self) -> bool {
        F::SHAPE.steps[self.step].at_most.is_some_and(|limit| self.round() >= limit)
    }

    /// Returns a key for other services that must not do a thing twice: the same in each attempt, also after a crash, and another for
    /// each event.
    pub fn idempotency_key(&self) -> String {
        format!("{}:{}", self.run_id(), self.delivery)
    }

    /// Returns the state of the run as the steps have left it that are done.
    pub fn state(&self) -> Arc<F::State> {
        self.shared.state()
    }

    /// Changes the state when this step is done. The change is made to the state as it will be then, so that steps side by
    /// side lose none of each other's; until then [`state`](Self::state) does not show it.
    ///
    /// ```
    /// # use graphwright_flow::{Context, Flow};
    /// # #[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
    /// # struct Tally { seen: u32 }
    /// # fn step<F: Flow<State = Tally>>(ctx: &Context<F>) {
    /// ctx.update(|tally| tally.seen += 1);
    /// # }
    /// ```
    pub fn update(&self, change: impl FnOnce(&mut F::State) + Send + 'static) {
        self.draft().updates.push(Box::new(change));
    }

    /// Tells whoever listens to the run.
    pub fn report(&self, report: F::Report) {
        self.shared.tell(|| Notice::Reported { step: self.step(), report });
    }

    /// Makes a batch: the step returns it, and each of its events is sent.
    ///
    /// A batch of none is allowed, but nothing comes of it: let the step return something else then.
    pub fn send_all<T: OneOf>(&self, events: impl IntoIterator<Item = T>) -> Batch<T> {
        Batch(events.into_iter().collect())
    }

    /// Keeps an event until the rest is there, and then gives all of them: `ctx.collect::<[_; 3]>(event)` any three, in the order in
    /// which they were sent, `ctx.collect::<Vec<_>>(event)` all that comes of a [batch](Self::send_all), in the order of the batch.
    ///
    /// Gives `None` while some are missing; the step then has nothing to send and returns `None` too. Attempts of one step that
    /// collect run one after another.
    ///
    /// Fails the attempt if the event is of no batch and a batch is collected, if two events come of one member of a batch, or
    /// if the step collects twice.
    pub async fn collect<C: Collection>(&self, event: C::Item) -> Option<C> {
        if self.draft().collected.is_some() {
            return self.misused("it collects twice in one attempt");
        }
        let collector = self.shared.collector(self.step).lock_owned().await;
        match collector.add(self.delivery, &self.lineage, event) {
            Ok((collection, change)) => {
                self.draft().collected = Some(Collected { collector, change });
                collection
            }
            Err(message) => self.misused(&message),
        }
    }

    fn misused<T>(&self, message: &str) -> Option<T> {
        self.draft().misuse.get_or_insert_with(|| message.into());
        None
    }

    /// Waits until the run is cancelled. A step is dropped at its next `.await` then; this is for work that has to be stopped elsewhere.
    pub async fn cancelled(&self) {
        self.shared.cancel().cancelled().await;
    }

    /// Returns whether the run is cancelled, for work that does not wait.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancel().is_cancelled()
    }
}

impl<F: Flow> fmt::Debug for Context<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Context")
            .field("run", self.run_id())
            .field("step", &self.step())
            .field("attempt", &self.attempt)
            .finish_non_exhaustive()
    }
}
