//! Flows from a question to Cypher, and from its rows to an answer with proof.
//!
//! A [`Text2Cypher`] asks a question through a [flow](flows): is the question about this graph, which part of the schema and which stored
//! values does it need, which query does a model write; then, without a model, the query is mended, checked and run, and what its
//! rows do not bear out of the answer is marked. [`FlowOptions`] choose the flow and its limits.
//!
//! An [`ExampleBook`] keeps questions with their queries, learned from runs that healed themselves, which models are shown.
//!
//! The flows are workflows of `graphwright-flow`: each draws itself.
//!
//! ```
//! use graphwright_flow::Flow;
//! use graphwright_text2cypher::flows::Retry;
//!
//! assert!(Retry::draw().mermaid().contains("step_generate"));
//! ```

mod error;
mod event;
mod examples;
pub mod flows;
mod learn;
mod options;
mod query;
mod record;
mod reply;
mod session;
mod steps;
mod text2cypher;

pub use error::{Result, Text2CypherError};
pub use event::{Asked, Outcome};
pub use examples::{Example, ExampleBook, ExampleOrigin, ExampleProof, ExampleStatus, Examples};
pub use options::{FlowLimits, FlowName, FlowOptions, Learning, Turn};
pub use text2cypher::Text2Cypher;
