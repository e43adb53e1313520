//! English for programs that read and answer. Nothing here knows an ontology or a graph.
//!
//! - [`inflection`]: singular and plural of nouns, forms of verbs.
//! - [`dates`]: dates and spans of time as people write them.
//! - [`names`]: the words of names in the form in which they are compared, and the key under which
//!   two spellings of a name are equal.
//! - [`parse`]: dependency trees, word classes and base forms of sentences.
//! - [`prose`]: tokens with byte ranges, sentences and word classes of running text.
//! - [`questions`]: tokens, stems, word classes and the thesaurus of questions.
//!
//! ```
//! use graphwright_english::{inflection, names::name_key};
//!
//! assert_eq!(inflection::singular("libraries"), "library");
//! assert_eq!(name_key("Auth-Lib_v2"), name_key("auth lib v2"));
//! ```

pub mod dates;
mod error;
pub mod inflection;
pub mod names;
pub mod parse;
pub mod prose;
pub mod questions;
mod word_class;

pub use error::{EnglishError, Result};
