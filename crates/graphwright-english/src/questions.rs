//! What is known of English in general; nothing here knows a field or a graph.

pub mod forms;
pub mod thesaurus;
pub mod tokens;
pub mod words;

pub use tokens::{Token, name_key, tokenize};
