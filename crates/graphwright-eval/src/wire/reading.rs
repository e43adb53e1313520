//! What an answer says, in terms that all forms share.

use serde_json::Value;

/// What an answer says.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Reading {
    /// The kind of the error, in place of all else.
    pub(super) error: Option<&'static str>,
    pub(super) text: String,
    /// Names and arguments. Arguments that are no JSON are the text itself.
    pub(super) calls: Vec<(String, Value)>,
    pub(super) reasoning: String,
    /// What only the provider can read, and wants back.
    pub(super) opaque: Vec<String>,
    /// The tokens sent, those of them that were cached, those received, and those of them that are
    /// reasoning.
    pub(super) usage: [u64; 4],
    pub(super) finish: &'static str,
}
