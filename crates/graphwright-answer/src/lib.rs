//! Answers questions from a graph, each with the path and the passages that prove the answer.
//!
//! Open an [`Answerer`] over a store with [`Answerer::open`]; it reads the graph once. Then pass it
//! any number of questions with [`Answerer::ask`].
//!
//! For each question, the answerer links the words to the names, types, relationships, properties
//! and values of the graph. It builds the plan that explains most of the words, evaluates the plan
//! over the topology, and says in words what it found.
//!
//! With a model, the prompt contains this evidence, and what the model writes is checked against it
//! ([`AnswerCheck`]).

mod answer;
mod answerer;
mod by_meaning;
mod called;
mod check;
mod closed_world;
mod comparison;
mod connection;
mod dossier;
mod duration;
mod error;
mod evaluate;
mod event;
mod evidence;
mod gather;
mod graph_answer;
mod interpret;
mod learned;
mod learned_answer;
mod lexicon;
mod limits;
mod model_answer;
mod model_evidence;
mod one_of_several;
mod options;
mod proof;
mod question;
mod question_kind;
mod question_slots;
mod question_terms;
mod quote;
mod reply;
mod respond;
mod schema;
mod several_values;
mod stand_alone;
mod suggest;
mod unused;

pub use answer::{
    Answer, AnswerEntity, AnswerPath, AnswerReading, AnswerStatus, AnswerWay, PathNode, PathRelationship,
};
pub use answerer::Answerer;
pub use check::{
    AnswerCheck, CheckedBlocks, CheckedStatement, CheckedText, Citable, Fault, Judged, UNVERIFIED,
    is_small_talk,
};
pub use error::{AnswerError, Result};
pub use event::Event;
pub use gather::{Evidence, EvidenceContent, EvidencePiece};
pub use learned::{LearnableGraph, Learned};
pub use options::{AskOptions, EvidenceOptions};
pub use proof::{FoundRows, paths_of_query, prove_rows};
pub use question_kind::QuestionKind;
pub use question_slots::{QueryTemplate, QuestionSlot, TextTemplate};
pub use question_terms::{NamedValue, QuestionTerms};
pub use quote::RatedQuotation;
pub use reply::stream_reply;
pub use stand_alone::stand_alone;
pub use suggest::Suggestion;
