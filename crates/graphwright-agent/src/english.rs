//! What is known of English in general; nothing here knows a field or a graph.

pub(crate) mod forms;
pub(crate) mod thesaurus;
pub(crate) mod tokens;
pub(crate) mod words;

pub(crate) use tokens::{Token, name_key, tokenize};
