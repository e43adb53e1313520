#![cfg_attr(all(feature = "documents", feature = "models"), doc = include_str!("../README.md"))]
//! # Where to go from here
//!
//! Open a [`Graph`] with [`Graph::builder`], or with [`Graph::open`] from [`Settings`], which say
//! where the graph is and what works on it. Then `Graph::ingest` reads documents into it,
//! [`Graph::ask`] answers questions with proof, [`Graph::search`] finds nodes and passages, and
//! [`Graph::cypher`] runs a checked query.
//!
//! All calls share one [`Error`](enum@Error): its `code()` is for programs, its `hint()` tells people
//! what to do.

mod access;
mod address;
mod agents;
mod answer;
mod approval;
mod asking;
mod builder;
mod check;
#[cfg(feature = "documents")]
mod duplicates;
mod error;
mod flows;
mod graph;
#[cfg(feature = "documents")]
mod importing;
mod indexes;
#[cfg(feature = "documents")]
mod ingesting;
mod learning;
mod loaded;
mod macros;
mod models;
mod plan;
mod query;
mod remembered;
mod retrieving;
mod routes;
mod search_index;
mod settings;
mod stores;
mod suggest;
mod workers;

pub use access::Access;
pub use address::is_this_machine;
pub use agents::AgentOptions;
pub use answer::ConnectionOptions;
pub use approval::{Approve, Proposal};
pub use asking::AskRequest;
pub use builder::GraphBuilder;
pub use check::{CheckStatus, QueryCheck, QueryChecker};
pub use error::{Error, Result};
pub use graph::Graph;
#[doc(hidden)]
pub use graphwright_agent::tool_support;
pub use graphwright_agent::{
    Agent, AgentError, AgentLimits, ApproveCall, CallRecord, ContextProvider, FunctionTool, GraphContext,
    GraphSnapshot, GraphSource, GraphTools, MemoryThreads, Output, ProvidedContext, ResultCache, Route,
    RouteBook, RouteCall, RouteOutcome, RoutePattern, RouteResult, RouteVerdict, Routes, Run, Step,
    StoredThreads, SubAgent, Summary, Thread, ThreadInfo, ThreadStore, Tool, ToolContext, ToolError,
    ToolErrorKind, ToolHints, ToolOutput, Toolbox, Toolset, Verdict, Window,
};
pub use graphwright_answer::{
    Answer, AnswerError, AnswerPath, AnswerStatus, AnswerWay, AskOptions, Event, Evidence, EvidenceContent,
    EvidenceOptions, EvidencePiece, Suggestion,
};
pub use graphwright_core::{
    Chunk, Document, ElementId, GraphSchema, GraphStore, Node, NodeKey, Path, Plan, Properties, Provenance,
    QueryType, Relationship, RelationshipKey, Span, Statement, StoreError, Value, names, schema, store, text,
    value,
};
pub use graphwright_cypher as cypher;
#[cfg(feature = "documents")]
pub use graphwright_documents::{self as documents, Input};
#[cfg(feature = "embedded")]
pub use graphwright_embedded::Repair;
#[cfg(feature = "documents")]
pub use graphwright_exchange as exchange;
#[cfg(feature = "documents")]
pub use graphwright_ingest::{self as ingest, IngestReport};
pub use graphwright_learn::Quality as LearnQuality;
pub use graphwright_llm as llm;
pub use graphwright_ontology::{self as ontology, Ontology};
pub use graphwright_retrieve::{self as search, SearchRequest, SearchResults, schema_prompt};
pub use graphwright_text2cypher::{
    Example, ExampleBook, ExampleOrigin, ExampleProof, ExampleStatus, Examples, FlowLimits, FlowName,
    FlowOptions, Learning, Text2CypherError, Turn,
};
#[cfg(feature = "documents")]
pub use ingesting::{
    ExtractorChoice, IngestEstimate, IngestOptions, IngestRequest, Ingested, infer_ontology,
};
pub use learning::{LearnPair, LearnReport, LearnedState, LeftOut};
pub use macros::{tool, toolbox};
pub use models::chat_model;
pub use plan::{Finding, FindingKind, MissingIndex};
pub use query::{CypherOptions, CypherResult};
pub use retrieving::RetrieverChoice;
pub use settings::{
    Neo4jSettings, ProviderLimits, SearchPlace, Secret, Settings, StoreSettings, WrittenSettings,
};
pub use tokio_util::sync::CancellationToken;
pub use workers::{WorkerSettings, serve_worker};
