//! Tool calls with a time limit.

use std::time::Duration;

use graphwright_answer::Event;
use serde_json::Value;
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::{ToolContext, ToolError, ToolOutput, Toolbox};

impl Toolbox {
    /// Makes a [`call`](Self::call) within a time limit; the tool's
    /// [own limit](super::Tool::time_limit) takes precedence.
    ///
    /// The call runs as a task of its own, so that a tool that blocks its thread does not hold up
    /// the caller. At the limit the task is dropped, and the context's
    /// [cancellation](ToolContext::cancellation) stops what the tool started.
    ///
    /// # Errors
    /// Fails like [`call`](Self::call), and if the call does not end within the limit.
    pub async fn call_within(
        &self,
        limit: Duration,
        name: &str,
        arguments: Value,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let limit = self.get(name).and_then(|tool| tool.time_limit()).unwrap_or(limit);
        let stop = context.cancellation().child_token();
        let inner = context.clone().with_cancellation(stop.clone());
        let (tools, called) = (self.clone(), name.to_owned());
        let work = async move { tools.call(&called, arguments, &inner).await };
        let work = AbortOnDropHandle::new(tokio::spawn(work.in_current_span()));
        match tokio::time::timeout(limit, work).await {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => Err(ToolError::new(format!("the tool `{name}` broke: {error}"))),
            Err(_) => {
                stop.cancel();
                let seconds = limit.as_secs_f64();
                context.emit(Event::Step { what: format!("{name} was stopped after {seconds} s") });
                Err(ToolError::new(format!("it did not end within {seconds} s and was stopped"))
                    .with_hint("ask for less, or go on without it"))
            }
        }
    }
}
