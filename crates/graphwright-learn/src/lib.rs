//! Questions that are answered as pairs of question and Cypher, or of question and answers, have taught.

mod answers;
mod asked;
mod candidates;
mod compose;
mod execute;
mod features;
mod file;
mod graph;
mod learning;
mod lesson;
mod meaning;
mod model;
mod outline;
mod parts;
mod read;
mod reading;
mod scale;
mod schema;
mod sentence;
mod shapes;
mod stacks;
mod validation;
mod values;
mod words;

pub use execute::{Hop, Outcome};
pub use file::{FileError, Kept};
pub use graph::{Graph, GraphBuilder};
pub use learning::{Example, Report, learn};
pub use meaning::Meaning;
pub use model::{Model, Quality, Understood};
pub use outline::{Outline, OutlinedAsked, OutlinedThing};
pub use schema::{Schema, Way};
pub use validation::{agrees, learn_and_measure};

/// Reads the meaning of a Cypher query.
///
/// # Errors
/// Says in words what in it is of another kind than what is learned.
pub fn meaning_of(cypher: &str, graph: &Graph) -> Result<Meaning, String> {
    read::meaning(cypher, graph)
}

/// Lists the meanings of a question that give exactly these answers: names of things, or values. `topic` is the value that
/// the question is about, where it is known.
pub fn meanings_of_answers(
    question: &str,
    topic: Option<&str>,
    answers: &[String],
    graph: &Graph,
) -> Vec<Meaning> {
    answers::meanings(question, topic, answers, graph)
}

#[cfg(test)]
mod tests;
