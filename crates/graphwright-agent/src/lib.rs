//! Answers with evidence: questions linked to the graph, answered by it alone or by a model that cites it.
//!
//! An [`Answerer`] reads a graph once and then answers questions from it. Without a model it links the words of a question to
//! the graph's own names, types, relationships, properties and values, builds the query that explains most of them, runs it over the
//! topology, and gives each answer with the path and the passages that prove it. With a model, the same evidence goes into the
//! prompt, and only what the model cites from it counts.

mod agent;
mod agent_answer;
mod answer;
mod answerer;
mod cache;
mod connection;
mod dossier;
use graphwright_english::questions as english;
mod error;
mod evaluate;
mod event;
mod evidence;
mod graph_answer;
mod graph_tools;
mod interpret;
mod lexicon;
mod model_answer;
mod model_evidence;
pub mod query;
mod question;
mod reply;
mod respond;
mod route;
mod schema;
mod thread;
mod tool;

pub use agent::{Agent, AgentLimits, ApproveCall, CallRecord, Output, Run, Step, SubAgent, Verdict, Window};
pub use agent_answer::INSTRUCTIONS as AGENT_INSTRUCTIONS;
pub use answer::{Answer, AnswerEntity, AnswerPath, AnswerReading, AnswerStatus, PathNode, PathRelationship};
pub use answerer::{Answerer, AskOptions};
pub use cache::{ResultCache, ResultKey};
pub use error::{AgentError, Result};
pub use event::Event;
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
