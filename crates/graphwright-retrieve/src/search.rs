//! Finds nodes, passages and facts by words and by meaning.
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
//! names it. Readers in other processes keep theirs while a new one is made (`generation`). A
//! generation has one or several segments of each kind of entry. A refresh writes a segment of what
//! has changed, and takes the others over; small segments are written together (`changes`). Files
//! are mapped into memory, and their blocks have checksums, so a damaged one is told, never
//! searched (`checksums`).
//!
//! # Scores
//!
//! Words are scored by BM25 (S. Robertson, H. Zaragoza, *The Probabilistic Relevance Framework:
//! BM25 and Beyond*, 2009) over words stemmed by the language of the document. The score is divided
//! by the most that the query could score, so that 1 means that the text has all of it: the
//! *coverage*. Meaning is the cosine of vectors, scaled to 0…1 over what was searched; it fills a
//! share of what the words leave open.
//!
//! Every row is scored, by threads that share the rows. The cosines of up to 100,000 entries of a
//! kind are computed, those of more estimated from codes of one bit for each component (`codes`),
//! and computed for the best five hundred. Filters hold before the best are chosen, so they cost no hit.
//! In [`SearchMode::Graph`], passages are then ranked by what they say together (`linked`).

mod changes;
mod checksums;
mod codes;
mod embed;
mod entries;
mod entry;
mod excerpt;
mod facets;
mod filter;
mod fusion;
mod generation;
mod index;
mod kernels;
mod linked;
mod postings;
mod query;
mod rank;
mod reading;
mod refresh;
mod report;
mod rerank;
mod rows;
mod scoring;
mod section;
mod segment;
mod server;
mod stems;
mod text;
mod vectors;

use std::collections::HashSet;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

pub use excerpt::excerpt;
pub use index::SearchIndex;
pub use report::{RefreshOptions, RefreshReport};
pub use rerank::rerank;
pub(crate) use server::{Candidate, best_of_named, full_text_query, indexes_of, read_identity};

/// Kind of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HitKind {
    /// An entity or a document.
    Node,
    /// A passage of a document.
    Chunk,
    /// A relationship between two entities, as a sentence.
    Fact,
}

impl HitKind {
    /// Returns the name of the kind, such as `chunk`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Chunk => "chunk",
            Self::Fact => "fact",
        }
    }
}

/// A search hit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// Kind of the hit.
    pub kind: HitKind,
    /// Value of `__id__`, or the store's identifier if there is none.
    pub id: String,
    /// Name of the node; for a passage, the document's title and the headings above it; for a fact,
    /// the fact as a sentence.
    pub name: String,
    /// Most specific label; for a fact, its type.
    #[serde(rename = "type")]
    pub label: String,
    /// Identifier of a passage's document, or of the first document that states a fact.
    pub document: Option<String>,
    /// Number of the page on which a passage begins, where its document has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// Identifier of the entity from which a fact goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Identifier of the entity to which a fact goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Text of the passage or a part of it ([`SearchRequest::longest`]), or the properties of the node or fact in words.
    pub text: String,
    /// Offset of the text's first byte in the text of its document, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// Offset after its last byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
    /// Score from 0 to 1; comparable only within one result.
    pub score: f64,
    /// Score of a reranker, if one ranked the hits: higher is more relevant, and the scale is the reranker's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance: Option<f32>,
    /// The words that were found, the similarity in meaning, and the passage that led here.
    pub why: String,
    /// The chain of passages to which this one owes its rank, if it was asked for
    /// ([`SearchRequest::explain`]) and there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<ChainStep>,
}

/// A passage of a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainStep {
    /// Identifier of the passage.
    pub id: String,
    /// The document's title and the headings above it.
    pub name: String,
    /// The name by which the passage before leads here; `None` for the first, and where the question names both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Strength of that link, from 0 to 1; `None` for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<f64>,
}

/// How to compare the query with texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchMode {
    /// By words, by meaning, and by what passages say together along the names that connect them.
    #[default]
    Graph,
    /// By words and by meaning.
    Hybrid,
    /// By words.
    Text,
    /// By meaning.
    Vector,
    /// As [`Hybrid`](Self::Hybrid), but passages by personalised PageRank from what is found, along the names that
    /// connect them.
    #[serde(rename = "pagerank")]
    PageRank,
}

/// A search request.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// Words to search for. `"…"` must occur as written, `auth*` stands for all words with that
    /// beginning, and `depreciation~` for all that differ by an edit or two (`~1` and `~2` say how
    /// many). Any text is valid; the first 2,000 characters are compared.
    pub query: String,
    /// How to compare.
    pub mode: SearchMode,
    /// Kind of hits to return; nodes and passages if `None`.
    pub kind: Option<HitKind>,
    /// Labels or types of the hits to return, of which each hit has one; all if empty.
    pub labels: Vec<String>,
    /// Identifier of the only document whose passages, and the facts that it states, to return.
    pub document: Option<String>,
    /// Properties of the hits to return, each with its value as [`in_words`](crate::in_words) writes
    /// it, or with one item of a list. Texts of more than 256 bytes equal nothing.
    pub properties: Vec<(String, String)>,
    /// Day on which the hits are so, by `valid_from` and `valid_to`; any if `None`. What has no
    /// dates is so on every day.
    pub valid_on: Option<Date>,
    /// Identifiers of the only hits to return ([`Hit::id`]), such as the nodes of a walk; all if
    /// `None`.
    pub among: Option<HashSet<String>>,
    /// Maximum number of hits; 10 by default.
    pub limit: usize,
    /// How much of what the words leave open meaning can fill where both are compared, from 0 to 1;
    /// 0.4 by default.
    pub vector_weight: f64,
    /// How much more a word in the name, title or headings counts; 0.5 by default.
    pub name_boost: f64,
    /// Whether hits tell which passages and names led to them ([`Hit::chain`]), and what a reranker made of them
    /// ([`Hit::why`]).
    pub explain: bool,
    /// The most bytes of a passage's text: of a longer one comes the part that has most of the query. `None`, the
    /// default, for whole passages.
    pub longest: Option<usize>,
}

impl SearchRequest {
    /// Creates a request for ten hits of any kind, by words, meaning and what connects passages.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            mode: SearchMode::Graph,
            kind: None,
            labels: Vec::new(),
            document: None,
            properties: Vec::new(),
            valid_on: None,
            among: None,
            limit: 10,
            vector_weight: 0.4,
            name_boost: 0.5,
            explain: false,
            longest: None,
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
    /// The names of the query that passages have, from which chains of passages begin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Whether the graph has changed since the index was made.
    pub stale: bool,
    /// Notices for the reader, such as why meaning could not be used.
    pub notices: Vec<String>,
}

#[cfg(test)]
mod tests;
