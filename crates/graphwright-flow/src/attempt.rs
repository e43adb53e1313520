//! The work on one event: attempts until one succeeds.

use std::{
    any::Any,
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::FutureExt;
use thiserror::Error;

use crate::{
    context::{Context, Draft},
    error::{FlowError, StepError},
    event::Payload,
    flow::Flow,
    lineage::Lineage,
    notice::Notice,
    outcome::Outbox,
    plan::Plan,
    shared::Shared,
    step::Step,
};

/// An event on its way to one step.
pub(crate) struct Delivery {
    pub(crate) number: u64,
    pub(crate) step: usize,
    pub(crate) payload: Payload,
    pub(crate) lineage: Lineage,
}

/// A step that is done with an event, or has given up.
pub(crate) struct Done<F: Flow> {
    pub(crate) number: u64,
    pub(crate) step: usize,
    pub(crate) lineage: Lineage,
    pub(crate) elapsed: Duration,
    pub(crate) result: Result<Finished<F>, FlowError>,
}

/// What a successful attempt leaves.
pub(crate) struct Finished<F: Flow> {
    pub(crate) outbox: Outbox,
    pub(crate) draft: Draft<F>,
}

/// An attempt took too long.
#[derive(Debug, Error)]
#[error("it did not end within {} s", limit.as_secs_f64())]
struct TooSlow {
    limit: Duration,
}

/// Works on an event until an attempt succeeds or none is left.
pub(crate) async fn work<F: Flow>(plan: Arc<Plan<F>>, shared: Arc<Shared<F>>, delivery: Delivery) -> Done<F> {
    let begun = shared.listener.is_some().then(Instant::now);
    let Delivery { number, step, payload, lineage } = delivery;
    let result = attempts(&plan, &shared, &lineage, number, step, payload).await;
    let elapsed = begun.map(|begun| begun.elapsed()).unwrap_or_default();
    Done { number, step, lineage, elapsed, result }
}

async fn attempts<F: Flow>(
    plan: &Plan<F>,
    shared: &Arc<Shared<F>>,
    lineage: &Lineage,
    number: u64,
    index: usize,
    payload: Payload,
) -> Result<Finished<F>, FlowError> {
    let step = &plan.steps[index];
    let name = F::SHAPE.steps[index].name;
    let most = step.retry.most_attempts();
    let mut delays = (most > 1).then(|| step.retry.delays());
    let mut payload = Some(payload);
    let mut attempt = 1;
    loop {
        shared.tell(|| Notice::StepStarted { step: name, attempt });
        // The last attempt takes the event itself, which need not be cloned then.
        let given = if attempt < most { payload.clone() } else { payload.take() };
        let Some(given) = given else { return Err(FlowError::Cancelled) };
        let context = Context::new(Arc::clone(shared), index, number, lineage.clone(), attempt, most);
        let error = match run(step, &plan.flow, given, &context).await {
            Ok(outbox) => match context.into_draft() {
                Draft { misuse: Some(misuse), .. } => misuse,
                draft => return Ok(Finished { outbox, draft }),
            },
            Err(error) => error,
        };
        let next = delays.as_mut().filter(|_| is_covered(step, &error)).and_then(Iterator::next);
        let Some(delay) = next else {
            return Err(FlowError::StepFailed { step: name, attempts: attempt, source: error });
        };
        shared.tell(|| Notice::StepRetried { step: name, attempt, error: error.to_string(), delay });
        tokio::time::sleep(delay).await;
        attempt += 1;
    }
}

fn is_covered<F: Flow>(step: &Step<F>, error: &StepError) -> bool {
    error.is::<TooSlow>() || step.retry.covers(&**error)
}

/// One attempt, within its time limit. A panic is an error like others.
async fn run<F: Flow>(
    step: &Step<F>,
    flow: &F,
    payload: Payload,
    context: &Context<F>,
) -> Result<Outbox, StepError> {
    let attempt = AssertUnwindSafe((step.run)(flow, payload, context)).catch_unwind();
    let outcome = match step.time_limit {
        None => attempt.await,
        Some(limit) => match tokio::time::timeout(limit, attempt).await {
            Ok(outcome) => outcome,
            Err(_) => return Err(Box::new(TooSlow { limit })),
        },
    };
    outcome.unwrap_or_else(|panic| Err(panic_message(&*panic).into()))
}

/// What a panic said.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("without a message"))
}
