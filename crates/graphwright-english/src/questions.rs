//! What is known of English in questions. Nothing here knows a field or a graph.
//!
//! Start with [`tokenize`]; [`words`], [`forms`] and [`thesaurus`] say what each word may mean.

pub mod forms;
pub mod thesaurus;
pub mod tokens;
pub mod words;

pub use tokens::{Token, phrase_key, tokenize};
