//! Let agents answer questions about a graph, and keep what the results of their tools bear out.
//!
//! An [`Agent`] lets a model call the tools of a [`Toolbox`], such as [`GraphTools`], within
//! [`AgentLimits`]. An [`AgentAnswerer`] asks a question through an agent, checks the answer against
//! what the tools returned, and records what the agent did as a [`Route`]. A [`ThreadStore`] keeps
//! conversations.

mod agent;
mod agent_answer;
mod cache;
mod error;
mod graph_tools;
pub mod query;
mod route;
mod thread;
mod tool;

pub use agent::{Agent, AgentLimits, ApproveCall, CallRecord, Output, Run, Step, SubAgent, Verdict, Window};
pub use agent_answer::{AgentAnswerer, INSTRUCTIONS as AGENT_INSTRUCTIONS};
pub use cache::{ResultCache, ResultKey};
pub use error::{AgentError, Result};
pub use graph_tools::{GraphSnapshot, GraphSource, GraphTools, find_named, schema_prompt};
pub use graphwright_macros::{tool, toolbox};
pub use route::{Route, RouteBook, RouteCall, RouteOutcome, RoutePattern, RouteResult, RouteVerdict, Routes};
pub use thread::{MemoryThreads, StoredThreads, Summary, Thread, ThreadInfo, ThreadStore, Versions};
pub use tool::{
    FunctionTool, Tool, ToolContext, ToolError, ToolErrorKind, ToolHints, ToolOutput, Toolbox, Toolset,
};

/// What [`tool`](macro@tool) and [`toolbox`](macro@toolbox) make is written with this; it is not for other use.
#[doc(hidden)]
pub mod tool_support {
    pub use crate::tool::{
        Arguments, FunctionTool, Infallibly, IntoToolError, IntoToolOutput, Parameters, Ranged, Returned,
        Tool, ToolHints, Toolset, default_value, on_a_thread_of_its_own, output,
    };
}
