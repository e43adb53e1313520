//! A run before it starts.

use std::{collections::BTreeMap, fmt, future::IntoFuture, sync::Arc, time::Duration};

use futures::stream::{BoxStream, StreamExt};
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_util::sync::CancellationToken;

use super::Runner;
use crate::{
    checkpoint::CheckpointLog,
    collect::{Collector, Kept, KeptValue},
    control::{Command, Control, Family, OnWaiting, Status},
    driver::Driver,
    error::{FlowError, Result},
    flow::Flow,
    notice::{Listener, Notice},
    plan::step_named,
    record::{KeptRecord, Standing},
    run::Run,
    run_id::RunId,
    shared::Shared,
    step::Steps,
};

/// How long to wait before the checkpoints of a run are looked at again.
const PAUSE: Duration = Duration::from_millis(5);

/// A run before it starts: `.await` runs it, [`start`](Self::start) gives a handle.
#[must_use = "a run does nothing unless it is awaited or started"]
pub struct Start<F: Steps> {
    runner: Runner<F>,
    origin: Origin<F>,
    run: RunId,
    listener: Option<Listener<F::Report>>,
    family: Arc<Family>,
    cancel: CancellationToken,
    on_waiting: Option<OnWaiting>,
}

/// Where a run comes from.
pub(super) enum Origin<F: Flow> {
    Begin {
        start: F::Start,
        /// Goes on with the run if it has checkpoints.
        resumes: bool,
    },
    Resume,
}

/// What a run goes on from.
struct Beginning {
    log: Option<Box<dyn CheckpointLog>>,
    standing: Option<Standing>,
}

impl<F: Steps> Start<F> {
    pub(super) fn new(runner: Runner<F>, origin: Origin<F>, run: RunId) -> Self {
        let (family, cancel) = (Arc::default(), CancellationToken::new());
        Self { runner, origin, run, listener: None, family, cancel, on_waiting: None }
    }

    /// Sets the identifier of a new run: `"order-4711".parse()?`.
    pub fn with_id(mut self, run: RunId) -> Self {
        self.run = run;
        self
    }

    /// Cancels the run when the token is cancelled.
    pub fn with_cancellation(mut self, token: &CancellationToken) -> Self {
        self.cancel = token.child_token();
        self
    }

    /// Tells everything that happens in the run to a function. It is called in the run, so it must not take long.
    pub fn listen(mut self, listener: impl Fn(Notice<F::Report>) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// Starts the run on the current Tokio runtime.
    pub fn start(self) -> Run<F> {
        let Self { runner, origin, run, listener, family, cancel, on_waiting } = self;
        let (control, commands) = Control::new(run, cancel, on_waiting);
        let control = Arc::new(control);
        family.add(&control);
        let ended = Ended { control: Arc::clone(&control), family: Arc::clone(&family) };
        let task = tokio::spawn(async move {
            // However the run ends, whoever waits for it is told.
            let ended = ended;
            drive(runner, origin, &ended, listener, commands).await
        });
        Run { control, family, task, cancels_on_drop: true }
    }

    /// Starts the run, with a stream of everything that happens in it instead of a function that is told.
    pub fn stream(self) -> (Run<F>, BoxStream<'static, Notice<F::Report>>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let run = self.listen(move |notice| {
            // Whoever read the stream may have gone.
            let _ = sender.send(notice);
        });
        (run.start(), UnboundedReceiverStream::new(receiver).boxed())
    }

    /// Makes it a run within another one.
    pub(crate) fn within<P: Flow>(mut self, parent: &Arc<Shared<P>>, on_waiting: OnWaiting) -> Self {
        self.family = Arc::clone(&parent.family);
        self.cancel = parent.cancel().child_token();
        self.on_waiting = Some(on_waiting);
        if self.runner.store.is_none() {
            self.runner.store.clone_from(&parent.store);
        }
        if let Origin::Begin { resumes, .. } = &mut self.origin {
            *resumes = true;
        }
        self
    }
}

impl<F: Steps> fmt::Debug for Start<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Start")
            .field("flow", &F::SHAPE.name)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}

impl<F: Steps> IntoFuture for Start<F> {
    type Output = Result<F::Stop>;
    type IntoFuture = Run<F>;

    fn into_future(self) -> Run<F> {
        self.start()
    }
}

async fn drive<F: Steps>(
    runner: Runner<F>,
    origin: Origin<F>,
    ended: &Ended,
    listener: Option<Listener<F::Report>>,
    commands: mpsc::UnboundedReceiver<Command>,
) -> Result<F::Stop> {
    runner.plan.check_names()?;
    let run = &ended.control.run;
    let Beginning { log, standing } = runner.open(&origin, &ended.control).await?;
    let (control, family) = (Arc::clone(&ended.control), Arc::clone(&ended.family));
    let shared = |state, collectors| {
        Arc::new(Shared::<F>::new(control, family, runner.store.clone(), listener, state, collectors))
    };
    let driver = |shared| Driver::new(Arc::clone(&runner.plan), shared, log, commands, runner.time_limit);
    match (standing, origin) {
        (None, Origin::Resume) => Err(FlowError::UnknownRun { run: run.to_string() }),
        (None, Origin::Begin { start, .. }) => {
            let mut driver = driver(shared(F::State::default(), BTreeMap::new()));
            driver.begin(Arc::new(start)).await?;
            driver.run().await
        }
        (Some(standing), _) => {
            if standing.flow != F::SHAPE.name {
                let message =
                    format!("it is a run of the flow `{}`, not of `{}`", standing.flow, F::SHAPE.name);
                return Err(FlowError::OtherFlow { run: run.to_string(), message });
            }
            if let Some(stopped) = standing.stopped {
                return serde_json::from_value(stopped).map_err(cannot_read(F::SHAPE.stop.name()));
            }
            let state =
                standing.state.map(serde_json::from_value).transpose().map_err(cannot_read("state"))?;
            let collectors = collectors::<F>(run, standing.kept)?;
            let mut driver = driver(shared(state.unwrap_or_default(), collectors));
            driver.go_on(standing.pending.into_values(), standing.next)?;
            driver.run().await
        }
    }
}

/// What steps had kept, by step.
fn collectors<F: Steps>(run: &RunId, kept: BTreeMap<u64, KeptRecord>) -> Result<BTreeMap<usize, Collector>> {
    let mut collectors: BTreeMap<usize, Collector> = BTreeMap::new();
    for (delivery, record) in kept {
        let step = step_named::<F>(&record.step).ok_or_else(|| FlowError::OtherFlow {
            run: run.to_string(),
            message: format!("the step `{}` has collected something, and there is no such step", record.step),
        })?;
        let kept = Kept { lineage: record.lineage, value: KeptValue::Written(record.value) };
        collectors.entry(step).or_default().kept.insert(delivery, kept);
    }
    Ok(collectors)
}

fn cannot_read(name: &str) -> impl FnOnce(serde_json::Error) -> FlowError {
    let name = name.to_owned();
    |source| FlowError::BadEvent { what: "read", name, source }
}

impl<F: Steps> Runner<F> {
    /// Opens the checkpoints of a run, if any are kept.
    async fn open(&self, origin: &Origin<F>, control: &Control) -> Result<Beginning> {
        let run = &control.run;
        let Some(store) = &self.store else {
            return match origin {
                Origin::Begin { .. } => Ok(Beginning { log: None, standing: None }),
                Origin::Resume => Err(FlowError::NoCheckpoints { flow: F::SHAPE.name }),
            };
        };
        if let Origin::Begin { .. } = origin {
            match store.begin(run).await {
                Err(FlowError::RunExists { .. }) => {}
                log => return Ok(Beginning { log: Some(log?), standing: None }),
            }
        }
        let (records, log) = loop {
            match store.open(run).await {
                // An earlier attempt of the step that runs this flow is on its way out; nobody else may have it.
                Err(FlowError::RunInUse { .. }) if matches!(origin, Origin::Begin { resumes: true, .. }) => {
                    tokio::select! {
                        () = control.cancel.cancelled() => return Err(FlowError::Cancelled),
                        () = tokio::time::sleep(PAUSE) => {}
                    }
                }
                opened => break opened?,
            }
        };
        let standing = Standing::of(run, &records)?;
        // A run that broke off before its first checkpoint has not begun.
        if matches!(origin, Origin::Begin { resumes: false, .. }) && standing.is_some() {
            return Err(FlowError::RunExists { run: run.to_string() });
        }
        Ok(Beginning { log: Some(log), standing })
    }
}

/// Tells the end of a run, however it comes.
struct Ended {
    control: Arc<Control>,
    family: Arc<Family>,
}

impl Drop for Ended {
    fn drop(&mut self) {
        self.family.remove(&self.control.run);
        self.control.set_status(Status::Ended);
    }
}
