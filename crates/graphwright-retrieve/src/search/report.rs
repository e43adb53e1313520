//! What a refresh is asked for, and what it has done.

/// Options of [`SearchIndex::refresh`](crate::SearchIndex::refresh).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefreshOptions {
    /// Whether to make all vectors again, possibly with another embedder.
    pub re_embed: bool,
}

/// Result of a refresh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct RefreshReport {
    /// Nodes that can be found.
    pub nodes: usize,
    /// Passages that can be found.
    pub chunks: usize,
    /// Facts that can be found.
    pub facts: usize,
    /// Texts sent to the embedder.
    pub embedded: usize,
    /// Vectors kept because their text did not change.
    pub reused: usize,
    /// Whether the index was already up to date.
    pub unchanged: bool,
    /// Whether the index was damaged, and was made anew.
    pub damaged: bool,
}
