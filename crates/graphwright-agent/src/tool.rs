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

/// Something that a model may call.
#[async_trait]
pub trait Tool: Debug + Send + Sync {
    /// What the model is told: the name, what it does, and the JSON Schema of the arguments.
    fn spec(&self) -> &ToolSpec;

    /// What calling it may do.
    fn hints(&self) -> ToolHints {
        ToolHints::default()
    }

    /// How long a call may take, where it is not as long as others may.
    fn time_limit(&self) -> Option<Duration> {
        None
    }

    /// Runs it. [`Toolbox::call`] checks the arguments against the schema before it comes here.
    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError>;
}

/// Something whose methods are tools: what `#[toolbox]` makes of a type.
pub trait Toolset {
    /// The tools, which share it.
    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>>;
}

/// What calling a tool may do, in the terms of the Model Context Protocol. The default is what is known of a tool that says
/// nothing: it may change things, and for the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolHints {
    /// It changes nothing.
    pub read_only: bool,
    /// What it changes may be lost. Says nothing where it is read-only.
    pub destructive: bool,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: bool,
    /// A person has to approve each call.
    pub needs_approval: bool,
}

impl ToolHints {
    /// It only reads.
    pub const READ_ONLY: Self =
        Self { read_only: true, destructive: false, idempotent: true, needs_approval: false };
}

impl Default for ToolHints {
    fn default() -> Self {
        Self { read_only: false, destructive: true, idempotent: false, needs_approval: false }
    }
}
