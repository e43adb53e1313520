//! Finding nodes and passages by words and by meaning.
//!
//! A [`SearchIndex`] is a folder beside the store (or memory). It owns its vectors: they are made from the texts by the
//! embedder when the index is refreshed, only for texts that are new or changed, and kept in a flat file of the index;
//! the store holds none for it. So the vectors always belong to one known embedder, reading them needs no query, and a
//! store that is open for reading only can still be indexed. What the index holds is one generation: a folder that never
//! changes once a small pointer file names it, so that readers in other processes go on with theirs while a new one is
//! made (`generation`).
//!
//! Words are scored by BM25 (S. Robertson, H. Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond*, 2009)
//! over stemmed words, divided by what the query could have scored at most, so that 1 means that the text has all of it:
//! the *coverage*. Meaning is the cosine of vectors, compared with all of them and brought to 0…1 over what was searched.
//! Meaning fills a share of what the words leave open.

mod entry;
mod fusion;
mod generation;
mod index;
mod query;
mod section;
mod text;
mod vectors;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

pub use index::{RefreshOptions, RefreshReport, SearchIndex};

/// What a hit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HitKind {
    /// An entity or a document.
    Node,
    /// A passage of a document.
    Chunk,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// What it is.
    pub kind: HitKind,
    /// Our identifier of it, or the store's where it has none of ours.
    pub id: String,
    /// Its name; for a passage the document's title and the headings above it.
    pub name: String,
    /// Its most specific label.
    #[serde(rename = "type")]
    pub label: String,
    /// For a passage, the identifier of its document.
    pub document: Option<String>,
    /// The passage, or the node's properties in words.
    pub text: String,
    /// From 0 to 1; comparable within one result only.
    pub score: f64,
    /// The words that were found, and how near it is in meaning.
    pub why: String,
}

/// By what to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchMode {
    /// By words and meaning.
    #[default]
    Hybrid,
    /// By words.
    Text,
    /// By meaning.
    Vector,
}

/// What to search for.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// Words; `"…"` must occur as they stand, `auth*` stands for all words that begin so. Any text is accepted.
    pub query: String,
    /// By what.
    pub mode: SearchMode,
    /// Only nodes, or only passages; both when absent.
    pub kind: Option<HitKind>,
    /// Only these types ([`Hit::label`]); all when empty.
    pub labels: Vec<String>,
    /// Only passages of this document, by its identifier ([`Hit::document`]).
    pub document: Option<String>,
    /// Only these, by identifier ([`Hit::id`]), as what a walk through the graph found; all when absent.
    pub among: Option<HashSet<String>>,
    /// How many at most; the default is 10.
    pub limit: usize,
    /// How much of what the words leave open meaning can fill in [`SearchMode::Hybrid`], from 0 to 1; the default is 0.4.
    pub vector_weight: f64,
}

impl SearchRequest {
    /// A search by words and meaning for ten hits of any kind.
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

/// What was found, and by what.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResults {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// By what was searched in the end.
    pub mode: SearchMode,
    /// Whether the graph has changed since the index was made.
    pub stale: bool,
    /// What the reader should know, as why meaning could not be used.
    pub notices: Vec<String>,
}

#[cfg(test)]
mod measure;
#[cfg(test)]
mod tests;
