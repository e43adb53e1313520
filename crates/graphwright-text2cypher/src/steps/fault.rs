//! What can be wrong with what a model wrote, as the model and as people are told it.

use graphwright_core::text::shorten;
use graphwright_cypher::{Diagnostic, Refusal, Severity, render, syntax::Code};

/// The longest words of a model that are quoted to people, in characters.
const LONGEST_QUOTE: usize = 200;

/// Why a reply gave no rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// The model wrote nothing.
    Nothing,
    /// It wrote words in place of a query.
    Prose(String),
    /// It says what the schema lacks.
    Missing(String),
    /// It says that one query cannot answer.
    Several,
    /// The gate does not let the query pass.
    Refused(Box<Refusal>),
    /// The query has errors that cannot be mended without a guess.
    Broken { text: String, errors: Vec<Diagnostic> },
    /// The lint warns of something that is likely not what was meant.
    Doubtful { warnings: String },
    /// A judge says that its rows do not answer the question.
    Rejected { lacks: String },
    /// The store could not run it.
    Failed { error: String },
}

impl Fault {
    /// Tells the model what to do better.
    pub(crate) fn for_model(&self) -> String {
        match self {
            Self::Nothing => "That was empty. Write one Cypher query in a fence.".to_owned(),
            Self::Prose(_) => {
                "There is no query in that. Write one Cypher query in a fence, or one line that begins with \
                MISSING: if the schema lacks what is asked for."
                    .to_owned()
            }
            Self::Missing(_) => "Look at the schema again, of which more is shown now.".to_owned(),
            Self::Several => "Write one query all the same, as near to the question as you can.".to_owned(),
            Self::Refused(refusal) => {
                format!("The query was refused: {}. Instead, {}.", refusal.message, refusal.help)
            }
            Self::Broken { text, errors } => {
                format!(
                    "The query has errors. Write it again without them.\n{}",
                    render("query", text, errors)
                )
            }
            Self::Doubtful { warnings } => format!(
                "The query runs, but may not find what is asked for. Write it again, the same if it is meant so.\n{warnings}"
            ),
            Self::Rejected { lacks } => {
                format!("The rows of the query do not answer the question: {lacks}. Write a better query.")
            }
            Self::Failed { error } => format!("The query failed: {error}. Write it again."),
        }
    }

    /// Says in short what is wrong.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Nothing => "nothing was written".to_owned(),
            Self::Prose(_) => "no query was written".to_owned(),
            Self::Missing(what) => format!("the schema lacks {what}"),
            Self::Several => "it takes several queries".to_owned(),
            Self::Refused(refusal) => format!("it was refused: {}", refusal.message),
            Self::Broken { errors, .. } => {
                errors.first().map_or_else(|| "it cannot run".to_owned(), |first| first.message.clone())
            }
            Self::Doubtful { .. } => "it may not find what is asked for".to_owned(),
            Self::Rejected { lacks } => lacks.clone(),
            Self::Failed { error } => error.clone(),
        }
    }

    /// Tells people why there is no answer.
    pub(crate) fn for_people(&self, model: &str) -> String {
        match self {
            Self::Nothing => format!("No answer: {model} wrote nothing where a query was asked for."),
            Self::Prose(text) => {
                format!("No answer: {model} wrote no query, but “{}”.", shorten(text.trim(), LONGEST_QUOTE))
            }
            Self::Missing(what) => {
                format!("Not in the graph: its schema lacks {what} (as {model} reads it).")
            }
            Self::Several => "No answer: one query cannot answer this; ask the flow `planner`.".to_owned(),
            Self::Refused(refusal) => format!("No answer: the query was refused: {}.", refusal.message),
            Self::Broken { errors, .. } => {
                let missing: Vec<&str> = errors
                    .iter()
                    .filter(|error| is_lacking(error.code))
                    .map(|error| error.message.as_str())
                    .collect();
                let first = errors.iter().find(|error| error.severity == Severity::Error);
                match (missing.is_empty(), first) {
                    (false, _) => format!("Not in the graph: {}.", missing.join("; ")),
                    (true, Some(first)) => format!("No answer: the query cannot run: {}.", first.message),
                    (true, None) => "No answer: the query cannot run.".to_owned(),
                }
            }
            Self::Doubtful { .. } => "No answer: the query may not find what is asked for.".to_owned(),
            Self::Rejected { lacks } => format!("No answer: {lacks}."),
            Self::Failed { error } => format!("No answer: the query failed: {error}."),
        }
    }
}

/// Tells whether a finding says that the graph lacks something.
fn is_lacking(code: Code) -> bool {
    matches!(
        code,
        Code::UnknownLabel | Code::UnknownRelationshipType | Code::UnknownProperty | Code::UnconnectedLabels
    )
}
