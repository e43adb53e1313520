//! What happens while a question is answered, for front ends to show.

use serde::{Deserialize, Serialize};

use crate::{Answer, AnswerEntity};

/// A step on the way to an answer. All front ends read these events: command line, streams and
/// traces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// Work on a question began.
    Started {
        /// The question.
        question: String,
    },
    /// Words of the question were found in the graph.
    Linked {
        /// The entities that the question names.
        entities: Vec<AnswerEntity>,
    },
    /// The evidence is complete.
    Gathered {
        /// Number of entities that answer the question by the graph alone.
        entities: usize,
        /// Number of paths that prove them.
        paths: usize,
        /// Number of passages that support them.
        passages: usize,
    },
    /// A step is under way.
    Step {
        /// The step, in a few words.
        what: String,
    },
    /// A model wrote a piece of text. Of an answer, only what the evidence bears out is told, block by block.
    Token {
        /// The piece.
        text: String,
    },
    /// What was told of the text so far does not count, since it begins again.
    Restarted {
        /// Why.
        reason: String,
    },
    /// A model wrote a piece of its reasoning, if its provider shows that.
    Reasoning {
        /// The piece.
        text: String,
    },
    /// A question was rewritten so that it can be understood without the conversation before it.
    Rewritten {
        /// The question as it was asked.
        question: String,
        /// The question as it is answered.
        rewritten: String,
    },
    /// A query was written, and is about to run.
    Query {
        /// The query.
        text: String,
        /// What was mended in what the model wrote.
        changes: Vec<String>,
    },
    /// A query has run.
    Rows {
        /// How many rows it gave.
        count: usize,
        /// Why rows may be missing, if they may.
        truncated: Option<String>,
    },
    /// The model began to write a call.
    ToolCallStarted {
        /// Identifier of the call, from the model.
        id: String,
        /// Name of the tool.
        name: String,
    },
    /// The model wrote a piece of a call's arguments, as JSON.
    ToolArguments {
        /// Identifier of the call.
        id: String,
        /// The piece.
        text: String,
    },
    /// An event of an agent that another agent called.
    Nested {
        /// Name of the called agent.
        agent: String,
        /// What happened.
        inner: Box<Event>,
    },
    /// A tool is called.
    ToolCall {
        /// Identifier of the call, from the model.
        id: String,
        /// Name of the tool.
        name: String,
        /// Arguments of the call.
        arguments: serde_json::Value,
    },
    /// A tool has ended.
    ToolResult {
        /// Identifier of the call.
        id: String,
        /// Name of the tool.
        name: String,
        /// The text that the model is told.
        text: String,
        /// Whether the call failed.
        is_error: bool,
    },
    /// The model could not be used, so the graph alone answers.
    Fallback {
        /// Why.
        reason: String,
    },
    /// The question could not be read through, so passages with its words are all that is shown.
    GaveUp {
        /// Why, and what to do about it.
        reason: String,
    },
    /// The answer is ready.
    Done {
        /// The answer.
        answer: Box<Answer>,
    },
}
