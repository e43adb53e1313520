//! Tools that a model may call.

mod context;
mod error;
mod function;
mod output;
mod parameters;
mod returned;
mod timed;
mod toolbox;

use std::{fmt::Debug, sync::Arc, time::Duration};

use async_trait::async_trait;
use graphwright_llm::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use context::ToolContext;
pub use error::{ToolError, ToolErrorKind};
pub use function::{FunctionTool, on_a_thread_of_its_own};
pub use output::ToolOutput;
pub use parameters::{Arguments, Parameters, Ranged, default_value};
pub use returned::{Infallibly, IntoToolError, IntoToolOutput, Returned, output};
pub use toolbox::Toolbox;

/// A tool that a model may call.
///
/// Most tools are functions with the attribute [`tool`](macro@crate::tool), or methods under
/// [`toolbox`](macro@crate::toolbox); implement the trait for others.
#[async_trait]
pub trait Tool: Debug + Send + Sync {
    /// Returns what the model is told: the name, the description, and the JSON Schema of the
    /// arguments.
    fn spec(&self) -> &ToolSpec;

    /// Returns what calling the tool may do. By default, [`ToolHints::default`].
    fn hints(&self) -> ToolHints {
        ToolHints::default()
    }

    /// Returns the time limit of one call, if the tool sets its own. By default,
    /// [`AgentLimits::tool_time`](crate::AgentLimits::tool_time) applies.
    fn time_limit(&self) -> Option<Duration> {
        None
    }

    /// Runs the tool. [`Toolbox::call`] checks the arguments against the schema first.
    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError>;
}

/// A type whose methods are tools, as `#[toolbox]` implements it.
pub trait Toolset {
    /// Returns the tools, which share the value.
    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>>;
}

/// Hints about what calling a tool may do, in the terms of the Model Context Protocol.
///
/// The default assumes the worst, because a tool that declares nothing may change anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolHints {
    /// The tool changes nothing.
    pub read_only: bool,
    /// The tool may destroy what it changes. Means nothing for a read-only tool.
    pub destructive: bool,
    /// A repeated call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// A person has to approve each call.
    pub needs_approval: bool,
}

impl ToolHints {
    /// The hints of a tool that only reads.
    pub const READ_ONLY: Self =
        Self { read_only: true, destructive: false, idempotent: true, needs_approval: false };
}

impl Default for ToolHints {
    fn default() -> Self {
        Self { read_only: false, destructive: true, idempotent: false, needs_approval: false }
    }
}
