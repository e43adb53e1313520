//! Documents: files become text ([`load`]), text becomes [`blocks`] with byte spans, links and
//! passages ([`split`]), and an [`Extractor`] reads entities and facts out of them.

pub mod blocks;
mod error;
pub mod extraction;
pub mod links;
pub mod load;
mod parsed;
pub mod split;

pub use error::{DocumentError, Result};
pub use extraction::{Extraction, Extractor};
pub use load::{Failure, Input, Limits};
pub use parsed::ParsedDocument;
