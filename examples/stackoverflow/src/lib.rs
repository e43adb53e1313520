//! A Stack Exchange site as a graph, and an agent that answers questions from it.
//!
//! - [`Source`] and [`import`] write a dump (`Posts.xml`, `Users.xml`, `Comments.xml`) or the
//!   published graph of Stack Overflow's questions about Neo4j into a graph. Both give a graph of
//!   one form.
//! - [`Posts`] is what an agent sees of the graph: a type whose methods are tools.
//! - [`agent`] combines model, tools and instructions.

mod agent;
pub mod dump;
mod import;
mod post;
mod tools;

pub use agent::{agent, tools};
pub use import::{Imported, Source, import};
pub use tools::Posts;

/// Labels and relationship types of the graph.
pub(crate) mod names {
    pub(crate) const QUESTION: &str = "Question";
    pub(crate) const ANSWER: &str = "Answer";
    pub(crate) const COMMENT: &str = "Comment";
    pub(crate) const USER: &str = "User";
    pub(crate) const TAG: &str = "Tag";

    /// `(:User)-[:ASKED]->(:Question)`
    pub(crate) const ASKED: &str = "ASKED";
    /// `(:User)-[:PROVIDED]->(:Answer)`
    pub(crate) const PROVIDED: &str = "PROVIDED";
    /// `(:Answer)-[:ANSWERED]->(:Question)`
    pub(crate) const ANSWERED: &str = "ANSWERED";
    /// `(:Question)-[:TAGGED]->(:Tag)`
    pub(crate) const TAGGED: &str = "TAGGED";
    /// `(:User)-[:COMMENTED]->(:Comment)`
    pub(crate) const COMMENTED: &str = "COMMENTED";
    /// `(:Comment)-[:COMMENTED_ON]->(:Question)`, or an answer.
    pub(crate) const COMMENTED_ON: &str = "COMMENTED_ON";
}
