//! Facts from documents without a model: [`RulesExtractor`] reads documents under an ontology, and
//! [`infer()`] proposes an ontology for documents that have none.

mod addresses;
mod columns;
mod facts;
mod head;
mod headers;
mod infer;

pub use facts::RulesExtractor;
pub use infer::infer;
