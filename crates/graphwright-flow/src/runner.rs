//! Starts runs and resumes them.

mod start;

use std::{fmt, sync::Arc, time::Duration};

use self::start::Origin;
pub use self::start::Start;
use crate::{
    checkpoint::CheckpointStore,
    error::{FlowError, Result},
    plan::Plan,
    record::Standing,
    run_id::RunId,
    step::Steps,
};

/// Runs a flow, any number of times side by side. A clone runs the same flow.
///
/// ```
/// use graphwright_flow::{Event, Runner, flow};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Serialize, Deserialize, Event)]
/// struct Name(String);
/// #[derive(Clone, Serialize, Deserialize, Event)]
/// struct Greeting(String);
///
/// struct Greeter;
///
/// #[flow(start = Name, stop = Greeting)]
/// impl Greeter {
///     #[step]
///     async fn greet(&self, name: Name) -> Greeting {
///         Greeting(format!("Hello, {}!", name.0))
///     }
/// }
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let greeting = Runner::new(Greeter).run(Name("Ada".to_owned())).await?;
/// assert_eq!(greeting.0, "Hello, Ada!");
/// # Ok::<_, graphwright_flow::FlowError>(())
/// # }).unwrap();
/// # Ok::<_, std::io::Error>(())
/// ```
pub struct Runner<F: Steps> {
    plan: Arc<Plan<F>>,
    store: Option<Arc<dyn CheckpointStore>>,
    time_limit: Option<Duration>,
}

impl<F: Steps> Runner<F> {
    /// Makes a runner without checkpoints and without a time limit.
    ///
    /// Here a flow with generics is checked, which has no one form before:
    ///
    /// ```compile_fail,E0080
    /// # use graphwright_flow::{Event, Runner, flow};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Clone, Serialize, Deserialize, Event)]
    /// # struct Order;
    /// # #[derive(Clone, Serialize, Deserialize, Event)]
    /// # struct Line;
    /// # #[derive(Clone, Serialize, Deserialize, Event)]
    /// # struct Receipt;
    /// struct Shop<T>(T);
    ///
    /// #[flow(start = Order, stop = Receipt)]
    /// impl<T: Send + Sync + 'static> Shop<T> {
    ///     #[step]
    ///     async fn split(&self, order: Order) -> (Line, Receipt) {
    ///         (Line, Receipt)
    ///     }
    /// }
    ///
    /// Runner::new(Shop(1));
    /// ```
    pub fn new(flow: F) -> Self {
        // A flow whose steps do not fit together does not compile.
        let () = F::CHECKED;
        Self { plan: Arc::new(Plan::new(flow)), store: None, time_limit: None }
    }

    /// Keeps checkpoints: each run can be [resumed](Self::resume) then, and no step that is done is done again.
    #[must_use]
    pub fn with_checkpoints(mut self, store: impl CheckpointStore) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// Sets the longest time of a run. It stands still while only people can go on, and begins anew when a run is resumed.
    #[must_use]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Returns the flow.
    pub fn flow(&self) -> &F {
        &self.plan.flow
    }

    /// Prepares a run: await it, or [`start`](Start::start) it.
    pub fn run(&self, start: F::Start) -> Start<F> {
        Start::new(self.clone(), Origin::Begin { start, resumes: false }, RunId::random())
    }

    /// Prepares to go on with a run, from its last checkpoint. If it has ended, the result is the one that it had.
    pub fn resume(&self, run: RunId) -> Start<F> {
        Start::new(self.clone(), Origin::Resume, run)
    }

    /// Lists the runs of this flow that have checkpoints and have not ended, for example after a crash. They may be under way.
    ///
    /// # Errors
    /// Fails if no checkpoints are kept or they cannot be read.
    pub async fn unfinished(&self) -> Result<Vec<RunId>> {
        let store = self.store()?;
        let mut unfinished = Vec::new();
        // A run within another one is resumed by that.
        for run in store.runs().await?.into_iter().filter(|run| !run.is_nested()) {
            let standing = Standing::of(&run, &store.read(&run).await?)?;
            if standing.is_some_and(|standing| standing.flow == F::SHAPE.name && standing.stopped.is_none()) {
                unfinished.push(run);
            }
        }
        Ok(unfinished)
    }

    /// Removes the checkpoints of a run, and of the runs within it.
    ///
    /// # Errors
    /// Fails if no checkpoints are kept or they cannot be removed.
    pub async fn forget(&self, run: &RunId) -> Result<()> {
        let store = self.store()?;
        for other in store.runs().await?.iter().filter(|other| other.is_within(run)) {
            store.remove(other).await?;
        }
        store.remove(run).await
    }

    fn store(&self) -> Result<&Arc<dyn CheckpointStore>> {
        self.store.as_ref().ok_or(FlowError::NoCheckpoints { flow: F::SHAPE.name })
    }
}

impl<F: Steps> Clone for Runner<F> {
    fn clone(&self) -> Self {
        Self { plan: Arc::clone(&self.plan), store: self.store.clone(), time_limit: self.time_limit }
    }
}

impl<F: Steps> fmt::Debug for Runner<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Runner").field("flow", &F::SHAPE.name).finish_non_exhaustive()
    }
}
