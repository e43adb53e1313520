//! Reads documents: from files to text, blocks, passages, entities and facts.
//!
//! [`load`] turns files of many formats into [`ParsedDocument`]s. Each has [`blocks`] with byte
//! spans and [`links`] to other documents. [`split`] cuts it into passages, and an [`Extractor`]
//! reads entities and facts out of it.

pub mod blocks;
mod error;
pub mod extraction;
pub mod headings;
mod json;
mod language;
mod layout;
pub mod links;
pub mod load;
mod located;
mod parsed;
pub mod split;

pub use error::{DocumentError, Result};
pub use extraction::{Extraction, Extractor};
pub use language::Language;
pub use load::{Failure, Input, Limits};
pub use parsed::ParsedDocument;
