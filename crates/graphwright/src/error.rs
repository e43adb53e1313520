//! The errors of this crate.

use graphwright_agent::AgentError;
use graphwright_answer::AnswerError;
use graphwright_core::{Position, StoreError};
use graphwright_cypher::{Refusal, RefusalCode};
#[cfg(feature = "documents")]
use graphwright_exchange::ExchangeError;
#[cfg(feature = "documents")]
use graphwright_ingest::IngestError;
use graphwright_llm::LlmError;
use graphwright_ontology::OntologyError;
use graphwright_retrieve::{RetrieveError, query::QueryError};
use graphwright_text2cypher::{FlowName, Text2CypherError};
use thiserror::Error;

/// `Result` with [`Error`](enum@Error).
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Any error of this crate.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The gate refused a query.
    #[error("{}", refusal.message)]
    Refused {
        /// What the gate found.
        refusal: Refusal,
        /// Where, in the text as it was given.
        position: Position,
    },
    /// The person or program asked did not approve a write.
    #[error("the write was not approved; nothing was written")]
    NotApproved,
    /// The model or the embedder failed.
    #[error(transparent)]
    Model(#[from] LlmError),
    /// Retrieval failed.
    #[error(transparent)]
    Retrieve(#[from] RetrieveError),
    /// Ingestion failed.
    #[cfg(feature = "documents")]
    #[error(transparent)]
    Ingest(IngestError),
    /// Import or export failed.
    #[cfg(feature = "documents")]
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// The ontology is wrong or cannot be read.
    #[error(transparent)]
    Ontology(OntologyError),
    /// Answering failed.
    #[error(transparent)]
    Answer(AnswerError),
    /// An agent failed.
    #[error(transparent)]
    Agent(AgentError),
    /// A flow could not be asked.
    #[error(transparent)]
    Flow(Text2CypherError),
    /// What was learned cannot be read or written.
    #[error(transparent)]
    Learn(#[from] graphwright_learn::FileError),
    /// The settings do not fit together.
    #[error("{message}")]
    Settings {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
}

impl From<AgentError> for Error {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::Store(error) => Self::Store(error),
            AgentError::Refused { refusal, position } => Self::Refused { refusal, position },
            AgentError::Retrieve(error) => Self::Retrieve(error),
            AgentError::Ontology(error) => error.into(),
            AgentError::Model(error) => Self::Model(error),
            AgentError::Answer(error) => error.into(),
            other => Self::Agent(other),
        }
    }
}

impl From<Text2CypherError> for Error {
    fn from(error: Text2CypherError) -> Self {
        match error {
            Text2CypherError::Store(error) => Self::Store(error),
            Text2CypherError::Answer(error) => error.into(),
            Text2CypherError::Model(error) => Self::Model(error),
            other => Self::Flow(other),
        }
    }
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Store(error) => Self::Store(error),
            QueryError::Refused { refusal, position } => Self::Refused { refusal, position },
        }
    }
}

impl From<AnswerError> for Error {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Retrieve(error) => Self::Retrieve(error),
            AnswerError::Ontology(error) => error.into(),
            other => Self::Answer(other),
        }
    }
}

#[cfg(feature = "documents")]
impl From<IngestError> for Error {
    fn from(error: IngestError) -> Self {
        match error {
            IngestError::Ontology(error) => Self::Ontology(error),
            error => Self::Ingest(error),
        }
    }
}

impl From<OntologyError> for Error {
    fn from(error: OntologyError) -> Self {
        match error {
            OntologyError::Store(error) => Self::Store(error),
            error => Self::Ontology(error),
        }
    }
}

impl Error {
    /// Returns a stable name for programs, such as `locked`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::Refused { .. } => "refused",
            Self::NotApproved => "not_approved",
            Self::Model(error) => model_code(error),
            Self::Retrieve(error) => error.code(),
            #[cfg(feature = "documents")]
            Self::Ingest(error) => ingest_code(error),
            #[cfg(feature = "documents")]
            Self::Exchange(error) => exchange_code(error),
            Self::Ontology(error) => ontology_code(error),
            Self::Agent(AgentError::DuplicateTool { .. } | AgentError::BadToolSchema { .. }) => "tools",
            Self::Agent(
                AgentError::RouteFile { .. }
                | AgentError::UnknownRoute { .. }
                | AgentError::AmbiguousRoute { .. },
            ) => "routes",
            Self::Flow(Text2CypherError::Cancelled) => "cancelled",
            Self::Flow(
                Text2CypherError::ExampleFile(_)
                | Text2CypherError::UnknownExample { .. }
                | Text2CypherError::AmbiguousExample { .. }
                | Text2CypherError::BadExample { .. },
            ) => "examples",
            Self::Answer(_) | Self::Agent(_) | Self::Flow(_) => "question",
            Self::Learn(_) => "learned",
            Self::Settings { .. } => "settings",
        }
    }

    /// Returns what the person can do about it, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.hint(),
            Self::Refused { refusal, .. } if refusal.code == RefusalCode::Write => {
                Some(format!("open it for writing if you mean to change the graph; else {}", refusal.help))
            }
            Self::Refused { refusal, .. } if refusal.code == RefusalCode::UnknownName => {
                Some(format!("{}, or allow new names if it is to be new", refusal.help))
            }
            Self::Refused { refusal, .. } => Some(refusal.help.clone()),
            Self::NotApproved => Some("approve it to write".to_owned()),
            Self::Model(error) => model_hint(error),
            Self::Retrieve(error) => error.hint(),
            #[cfg(feature = "documents")]
            Self::Ingest(error) => ingest_hint(error),
            #[cfg(feature = "documents")]
            Self::Exchange(error) => error.hint(),
            Self::Ontology(error) => error.hint(),
            Self::Answer(AnswerError::NoSuchReading { known, .. }) => Some(match known {
                0 | 1 => "leave the reading out".to_owned(),
                _ => format!("choose reading 1 to {known}, or none to see them"),
            }),
            Self::Answer(AnswerError::QuestionTooLong { .. }) => {
                Some("ask for less at once, or ingest a long text as a document".to_owned())
            }
            Self::Agent(AgentError::DuplicateTool { .. }) => Some("rename one, or leave it out".to_owned()),
            Self::Agent(AgentError::BadToolSchema { .. }) => {
                Some("the schema is that of an object: see docs/tools.md".to_owned())
            }
            Self::Agent(AgentError::RouteFile { .. }) => {
                Some("see that you may write there, or record no routes (docs/routes.md)".to_owned())
            }
            Self::Agent(AgentError::UnknownRoute { .. }) => {
                Some("the list of routes shows those of the graph".to_owned())
            }
            Self::Agent(AgentError::AmbiguousRoute { .. }) => Some("give more of its identifier".to_owned()),
            Self::Flow(Text2CypherError::Cancelled) => None,
            Self::Flow(Text2CypherError::ExampleFile(_)) => {
                Some("see that you may write there, or learn nothing (docs/examples.md)".to_owned())
            }
            Self::Flow(Text2CypherError::UnknownExample { .. }) => {
                Some("the list of examples shows those of the graph".to_owned())
            }
            Self::Flow(Text2CypherError::AmbiguousExample { .. }) => {
                Some("give more of its identifier".to_owned())
            }
            Self::Flow(Text2CypherError::BadExample { .. }) => {
                Some("an example is a question and one query that only reads (docs/examples.md)".to_owned())
            }
            Self::Flow(Text2CypherError::UnknownFlow { .. }) => {
                Some(format!("choose one of {}", FlowName::ALL.map(FlowName::as_str).join(", ")))
            }
            Self::Answer(_) | Self::Agent(_) | Self::Flow(_) => {
                Some("ask a question in words, as \"Which services use X?\"".to_owned())
            }
            Self::Learn(_) => Some("`graphwright learn PAIRS.jsonl` writes it anew".to_owned()),
            Self::Settings { hint, .. } => Some(hint.clone()),
        }
    }

    /// Builds the error for something that needs a feature which was not compiled in.
    #[cfg(not(all(feature = "embedded", feature = "models", feature = "neo4j")))]
    pub(crate) fn without_feature(what: &str, feature: &str) -> Self {
        Self::Settings {
            message: format!(
                "{what} needs the feature `{feature}` of graphwright, which this program was built without"
            ),
            hint: format!("add `{feature}` to the features of graphwright in Cargo.toml"),
        }
    }

    /// Builds the error for something that needs the feature `sentence-transformers`, where it was
    /// not compiled in.
    #[cfg(not(feature = "sentence-transformers"))]
    pub fn without_sentence_transformers(what: &str) -> Self {
        Self::Settings {
            message: format!("{what} needs sentence-transformers, which this program was built without"),
            hint: "build it with `cargo build --release --features sentence-transformers`".to_owned(),
        }
    }

    /// Returns the position in the text of a query, if the error is about one.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Refused { position, .. } => Some(*position),
            Self::Store(StoreError::Syntax { position, .. }) => *position,
            _ => None,
        }
    }
}

#[cfg(feature = "documents")]
fn ingest_code(error: &IngestError) -> &'static str {
    match error {
        IngestError::Store(error) => error.code(),
        IngestError::Model(error) => model_code(error),
        IngestError::Ontology(error) => ontology_code(error),
        IngestError::NoOntology => "ontology",
        IngestError::UnknownDocument { .. } => "unknown_document",
        IngestError::Read { .. } => "read",
        IngestError::Cancelled => "cancelled",
        IngestError::Interrupted { cause, .. } => ingest_code(cause),
        _ => "ingest",
    }
}

#[cfg(feature = "documents")]
fn exchange_code(error: &ExchangeError) -> &'static str {
    match error {
        ExchangeError::Store(error) => error.code(),
        ExchangeError::Read { .. } => "read",
        ExchangeError::Write { .. } => "write",
        ExchangeError::Cancelled => "cancelled",
        ExchangeError::Interrupted { cause, .. } => exchange_code(cause),
        _ => "ingest",
    }
}

fn ontology_code(error: &OntologyError) -> &'static str {
    match error {
        OntologyError::Store(error) => error.code(),
        OntologyError::Read { .. } => "read",
        _ => "ontology",
    }
}

fn model_code(error: &LlmError) -> &'static str {
    match error {
        LlmError::Authentication { .. } => "authentication",
        LlmError::RateLimited { .. } => "rate_limited",
        LlmError::Unavailable { .. } | LlmError::CircuitOpen { .. } => "model_unavailable",
        LlmError::ContextLength { .. } => "context_length",
        LlmError::Budget { .. } => "budget",
        LlmError::Cancelled => "cancelled",
        _ => "model",
    }
}

#[cfg(feature = "documents")]
fn ingest_hint(error: &IngestError) -> Option<String> {
    match error {
        IngestError::Model(error) => model_hint(error),
        error => error.hint(),
    }
}

fn model_hint(error: &LlmError) -> Option<String> {
    let hint = match error {
        LlmError::Authentication { .. } => {
            "set the provider's key (docs/settings.md), or leave the model out: none is needed"
        }
        LlmError::RateLimited { .. } | LlmError::Unavailable { .. } | LlmError::CircuitOpen { .. } => {
            "try again later, or leave the model out: none is needed"
        }
        LlmError::Budget { .. } => "raise the budget (GRAPHWRIGHT_BUDGET) if you mean to spend more",
        _ => return error.hint(),
    };
    Some(hint.to_owned())
}
