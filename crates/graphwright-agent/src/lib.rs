//! Agents that answer questions about a graph, checked against what their tools returned.
//!
//! An [`Agent`] lets a model call the tools of a [`Toolbox`] until it can answer, within
//! [`AgentLimits`]. [`GraphTools`] are the tools of a graph; functions become tools of your own
//! with the attributes [`tool`](macro@tool) and [`toolbox`](macro@toolbox).
//!
//! An [`AgentAnswerer`] asks a question through an agent, keeps only the sentences that tool
//! results support, and can record what the agent did as a [`Route`]. A [`ThreadStore`] keeps
//! conversations.
//!
//! ```
//! use std::sync::Arc;
//! use graphwright_agent::{Agent, ToolContext};
//! use graphwright_llm::ScriptedModel;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let model = ScriptedModel::replies(["It is 42."]);
//! let agent = Agent::new(Arc::new(model)).with_instructions("You are terse.");
//! let run = agent.run::<String>("What is it?", &ToolContext::new("thread-1")).await?;
//! assert_eq!(run.output, "It is 42.");
//! # Ok::<_, graphwright_agent::AgentError>(())
//! # }).unwrap();
//! # Ok::<_, std::io::Error>(())
//! ```

mod agent;
mod agent_answer;
mod cache;
mod context_provider;
mod error;
mod graph_tools;
mod route;
mod thread;
mod tool;

pub use agent::{Agent, AgentLimits, ApproveCall, CallRecord, Output, Run, Step, SubAgent, Verdict, Window};
pub use agent_answer::{AgentAnswerer, INSTRUCTIONS as AGENT_INSTRUCTIONS};
pub use cache::ResultCache;
pub use context_provider::{ContextProvider, GraphContext, ProvidedContext};
pub use error::{AgentError, Result};
pub use graph_tools::{GraphSnapshot, GraphSource, GraphTools, find_named};
pub use graphwright_macros::{tool, toolbox};
pub use route::{Route, RouteBook, RouteCall, RouteOutcome, RoutePattern, RouteResult, RouteVerdict, Routes};
pub use thread::{MemoryThreads, StoredThreads, Summary, Thread, ThreadInfo, ThreadStore, Versions};
pub use tool::{
    FunctionTool, Tool, ToolContext, ToolError, ToolErrorKind, ToolHints, ToolOutput, Toolbox, Toolset,
};

/// Support for the code that [`tool`](macro@tool) and [`toolbox`](macro@toolbox) generate; not for
/// other use.
#[doc(hidden)]
pub mod tool_support {
    pub use crate::tool::{
        Arguments, FunctionTool, Infallibly, IntoToolError, IntoToolOutput, Parameters, Ranged, Returned,
        Tool, ToolHints, Toolset, default_value, on_a_thread_of_its_own, output,
    };
}
