//! What the steps of a run share.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock, PoisonError, RwLock, atomic::AtomicUsize},
};

use tokio::sync::Mutex as AsyncMutex;
use tokio_util::sync::CancellationToken;

use crate::{
    checkpoint::CheckpointStore,
    collect::Collector,
    control::{Control, Family},
    flow::Flow,
    notice::{Listener, Notice},
    run_id::RunId,
};

/// A run as its steps see it.
pub(crate) struct Shared<F: Flow> {
    pub(crate) control: Arc<Control>,
    /// The runs that belong together: this one, what runs it and what it runs.
    pub(crate) family: Arc<Family>,
    pub(crate) store: Option<Arc<dyn CheckpointStore>>,
    pub(crate) listener: Option<Listener<F::Report>>,
    /// How many steps wait for a flow of their own that waits for people.
    pub(crate) waiting_steps: AtomicUsize,
    state: RwLock<Arc<F::State>>,
    /// By step; made when a step collects for the first time.
    collectors: Box<[OnceLock<Arc<AsyncMutex<Collector>>>]>,
}

impl<F: Flow> Shared<F> {
    pub(crate) fn new(
        control: Arc<Control>,
        family: Arc<Family>,
        store: Option<Arc<dyn CheckpointStore>>,
        listener: Option<Listener<F::Report>>,
        state: F::State,
        mut collectors: BTreeMap<usize, Collector>,
    ) -> Self {
        let collectors = (0..F::SHAPE.steps.len()).map(|step| match collectors.remove(&step) {
            Some(collector) => OnceLock::from(Arc::new(AsyncMutex::new(collector))),
            None => OnceLock::new(),
        });
        Self {
            control,
            family,
            store,
            listener,
            waiting_steps: AtomicUsize::new(0),
            state: RwLock::new(Arc::new(state)),
            collectors: collectors.collect(),
        }
    }

    pub(crate) fn run(&self) -> &RunId {
        &self.control.run
    }

    pub(crate) fn cancel(&self) -> &CancellationToken {
        &self.control.cancel
    }

    pub(crate) fn state(&self) -> Arc<F::State> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn set_state(&self, state: Arc<F::State>) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
    }

    pub(crate) fn collector(&self, step: usize) -> Arc<AsyncMutex<Collector>> {
        Arc::clone(self.collectors[step].get_or_init(Arc::default))
    }

    /// The steps that have collected something, with what they keep if no attempt is at it.
    pub(crate) fn collectors(&self) -> impl Iterator<Item = (usize, &Arc<AsyncMutex<Collector>>)> {
        self.collectors.iter().enumerate().filter_map(|(step, collector)| Some((step, collector.get()?)))
    }

    /// Tells the listener, if there is one; the notice is made only then.
    pub(crate) fn tell(&self, notice: impl FnOnce() -> Notice<F::Report>) {
        if let Some(listener) = &self.listener {
            listener(notice());
        }
    }
}
