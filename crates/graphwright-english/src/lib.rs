//! English for programs that read and answer. Nothing here knows an ontology or a graph.
//!
//! - [`words`]: classes of words.
//! - [`inflection`]: singular and plural of nouns, forms of verbs.
//! - [`derivation`]: nouns made from verbs.
//! - [`thesaurus`]: words that people use for one another.
//! - [`codes`]: codes that stand for names.
//! - [`dates`]: dates and spans of time as people write them.
//! - [`names`]: the words of names in the form in which they are compared, and the key under which
//!   two spellings of a name are equal.
//! - [`questions`]: the words of questions: those of names, with their stems, possessives and numbers.
//! - [`prose`]: tokens with byte ranges and sentences of running text.
//! - [`parse`]: dependency trees, word classes and base forms of sentences.
//!
//! ```
//! use graphwright_english::{inflection, names::name_key};
//!
//! assert_eq!(inflection::singular("libraries"), "library");
//! assert_eq!(name_key("Auth-Lib_v2"), name_key("auth lib v2"));
//! ```

pub mod codes;
mod data;
pub mod dates;
pub mod derivation;
mod error;
pub mod inflection;
pub mod names;
pub mod parse;
pub mod prose;
pub mod questions;
pub mod thesaurus;
pub mod words;

pub use error::{EnglishError, Result};
