//! Functions as tools.

use std::{
    fmt::{self, Debug, Formatter},
    panic::resume_unwind,
    time::Duration,
};

use async_trait::async_trait;
use futures::{FutureExt, future::BoxFuture};
use graphwright_llm::ToolSpec;
use serde_json::Value;

use super::{Arguments, Parameters, Tool, ToolContext, ToolError, ToolHints, ToolOutput};

type Run = dyn Fn(Arguments, ToolContext) -> BoxFuture<'static, Result<ToolOutput, ToolError>> + Send + Sync;

/// A function as a tool, as [`tool`](macro@crate::tool) makes it.
pub struct FunctionTool {
    spec: ToolSpec,
    hints: ToolHints,
    time_limit: Option<Duration>,
    run: Box<Run>,
}

impl FunctionTool {
    #[doc(hidden)]
    pub fn new<F, O>(name: &str, description: &str, hints: ToolHints, parameters: Parameters, run: F) -> Self
    where
        F: Fn(Arguments, ToolContext) -> O + Send + Sync + 'static,
        O: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
    {
        let (name, description) = (name.to_owned(), description.to_owned());
        let spec = ToolSpec { name, description, parameters: parameters.into_schema() };
        let run = Box::new(move |arguments, context| run(arguments, context).boxed());
        Self { spec, hints, time_limit: None, run }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit: Some(time_limit), ..self }
    }
}

#[async_trait]
impl Tool for FunctionTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn hints(&self) -> ToolHints {
        self.hints
    }

    fn time_limit(&self) -> Option<Duration> {
        self.time_limit
    }

    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        (self.run)(Arguments::new(arguments)?, context.clone()).await
    }
}

impl Debug for FunctionTool {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("FunctionTool").field(&self.spec.name).finish()
    }
}

/// Runs blocking work on a thread of its own, so that it holds up nobody else. A panic of the work
/// becomes the caller's.
pub async fn on_a_thread_of_its_own<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ToolError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(value) => Ok(value),
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        Err(error) => Err(error.into()),
    }
}
