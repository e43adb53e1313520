//! Finds nodes and passages by words and by meaning.
//!
//! [`SearchIndex::refresh`] makes an index in a folder beside the store, [`SearchIndex::in_memory`]
//! one in memory, and [`SearchIndex::search`] searches it.
//!
//! # Storage
//!
//! The index owns its vectors and keeps them in a flat file; the store holds none for it. A refresh
//! sends only new and changed texts to the embedder. So all vectors belong to one known embedder,
//! reading them needs no query, and a store that is open for reading only can be indexed.
//!
//! The content of an index is a generation: a folder that never changes once a small pointer file
//! names it. Readers in other processes keep theirs while a new one is made (`generation`). Its files
//! have checksums, so a damaged one is told, never searched (`checksums`).
//!
//! # Scores
//!
//! Words are scored by BM25 (S. Robertson, H. Zaragoza, *The Probabilistic Relevance Framework:
//! BM25 and Beyond*, 2009) over stemmed words. The score is divided by the most that the query
//! could score, so that 1 means that the text has all of it: the *coverage*. Meaning is the cosine
//! of vectors, computed for all of them and scaled to 0…1 over what was searched. Meaning fills a
//! share of what the words leave open.

mod checksums;
mod entry;
mod fusion;
mod generation;
mod index;
mod parts;
mod query;
mod refresh;
mod section;
mod text;
mod vectors;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

pub use index::SearchIndex;
pub use refresh::{RefreshOptions, RefreshReport};

/// Kind of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HitKind {
    /// An entity or a document.
    Node,
    /// A passage of a document.
    Chunk,
}

/// A search hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// Kind of the hit.
    pub kind: HitKind,
    /// Value of `__id__`, or the store's identifier if there is none.
    pub id: String,
    /// Name of the node; for a passage, the document's title and the headings above it.
    pub name: String,
    /// Most specific label.
    #[serde(rename = "type")]
    pub label: String,
    /// Identifier of a passage's document.
    pub document: Option<String>,
    /// Number of the page on which a passage begins, where its document has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// Text of the passage, or the node's properties in words.
    pub text: String,
    /// Score from 0 to 1; comparable only within one result.
    pub score: f64,
    /// The words that were found, and the similarity in meaning.
    pub why: String,
}

/// How to compare the query with texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchMode {
    /// By words and by meaning.
    #[default]
    Hybrid,
    /// By words.
    Text,
    /// By meaning.
    Vector,
}

/// A search request.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// Words to search for. `"…"` must occur as written, and `auth*` stands for all words with that
    /// beginning. Any text is valid; the first 2,000 characters are compared.
    pub query: String,
    /// How to compare.
    pub mode: SearchMode,
    /// Kind of hits to return; both if `None`.
    pub kind: Option<HitKind>,
    /// Labels of the hits to return ([`Hit::label`]); all if empty.
    pub labels: Vec<String>,
    /// Identifier of the only document whose passages to return ([`Hit::document`]).
    pub document: Option<String>,
    /// Identifiers of the only hits to return ([`Hit::id`]), such as the nodes of a walk; all if
    /// `None`.
    pub among: Option<HashSet<String>>,
    /// Maximum number of hits; 10 by default.
    pub limit: usize,
    /// How much of what the words leave open meaning can fill in [`SearchMode::Hybrid`], from 0 to
    /// 1; 0.4 by default.
    pub vector_weight: f64,
}

impl SearchRequest {
    /// Creates a request for ten hits of any kind, by words and by meaning.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            mode: SearchMode::Hybrid,
            kind: None,
            labels: Vec::new(),
            document: None,
            among: None,
            limit: 10,
            vector_weight: 0.4,
        }
    }
}

/// Results of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResults {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// How texts were compared in the end.
    pub mode: SearchMode,
    /// Whether the graph has changed since the index was made.
    pub stale: bool,
    /// Notices for the reader, such as why meaning could not be used.
    pub notices: Vec<String>,
}

#[cfg(test)]
mod measure;
#[cfg(test)]
mod tests;
