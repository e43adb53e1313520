//! What happens while a question is answered, for front ends to show.

use serde::{Deserialize, Serialize};

use crate::{Answer, AnswerEntity};

/// A step on the way to an answer. All front ends (command line, streams, traces) are fed from this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// A question was taken up.
    Started {
        /// The question.
        question: String,
    },
    /// Words of the question were found in the graph.
    Linked {
        /// The entities that it names.
        entities: Vec<AnswerEntity>,
    },
    /// The evidence is together.
    Gathered {
        /// How many entities answer the question by the graph alone.
        entities: usize,
        /// How many paths prove them.
        paths: usize,
        /// How many passages support them.
        passages: usize,
    },
    /// Something is being done.
    Step {
        /// What, in a few words.
        what: String,
    },
    /// A piece of the text that a model writes.
    Token {
        /// The piece.
        text: String,
    },
    /// A piece of what a model thinks, where its provider shows that.
    Reasoning {
        /// The piece.
        text: String,
    },
    /// A question was rewritten so that it can be understood without what was said before.
    Rewritten {
        /// As it was asked.
        question: String,
        /// As it is answered.
        rewritten: String,
    },
    /// The model begins to write a call.
    ToolCallStarted {
        /// Identifier of the call, as the model gave it.
        id: String,
        /// The tool.
        name: String,
    },
    /// A piece of the arguments that the model writes, as JSON.
    ToolArguments {
        /// Identifier of the call.
        id: String,
        /// The piece.
        text: String,
    },
    /// Something happened in an agent that another agent called.
    Nested {
        /// The agent.
        agent: String,
        /// What happened.
        inner: Box<Event>,
    },
    /// A tool is called.
    ToolCall {
        /// Identifier of the call, as the model gave it.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: serde_json::Value,
    },
    /// A tool has ended.
    ToolResult {
        /// Identifier of the call.
        id: String,
        /// The tool.
        name: String,
        /// What the model is told.
        text: String,
        /// Whether the call failed.
        is_error: bool,
    },
    /// The model could not be used; the graph alone answers.
    Fallback {
        /// Why.
        reason: String,
    },
    /// The answer is ready.
    Done {
        /// The answer.
        answer: Box<Answer>,
    },
}
