//! The search index: making, refreshing, opening and searching it.

use std::{collections::HashMap, path::Path, sync::Arc};

use graphwright_core::GraphStore;
use graphwright_llm::{BuiltinEmbedder, Embedder, EmbedderIdentity};

use super::{
    Hit, SearchMode, SearchRequest, SearchResults,
    entry::read_entries,
    fusion::{fuse, spread},
    generation::Generation,
    parts::{Part, blocking, embed, embed_sections, same_embedder},
    query,
    section::{Section, open_sections, vectors_of},
    text::TextScores,
};
use crate::{Result, RetrieveError};

/// An index over the words and vectors of a graph's nodes and passages.
///
/// Other processes may read an index in a folder while it is refreshed. A search takes a few
/// milliseconds of computation without waiting, apart from the embedder's time for the query.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use std::sync::Arc;
/// use graphwright_core::{GraphStore, NodeKey, Properties, store::ChangeSet};
/// use graphwright_llm::BuiltinEmbedder;
/// use graphwright_retrieve::{RefreshOptions, SearchIndex, SearchRequest};
///
/// let store = graphwright_embedded::EmbeddedStore::in_memory();
/// let mut changes = ChangeSet::new();
/// let text = Properties::from([("text".into(), "Tokens expire after an hour.".into())]);
/// changes.upsert_node(NodeKey::new("Chunk", "c0"), &[], text);
/// store.apply(changes).await?;
///
/// let folder = tempfile::tempdir()?;
/// let embedder = Arc::new(BuiltinEmbedder::new());
/// let options = RefreshOptions::default();
/// let (index, report) =
///     SearchIndex::refresh(folder.path(), &store, Some(embedder), options).await?;
/// assert_eq!((report.chunks, report.embedded), (1, 1));
/// let found = index.search(&SearchRequest::new("expiring token")).await?;
/// assert_eq!(found.hits[0].id, "c0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct SearchIndex {
    pub(super) sections: Arc<[Section]>,
    embedder: Option<Arc<dyn Embedder>>,
    identity: Option<EmbedderIdentity>,
    store_version: String,
    stale: bool,
    /// Why this stands in for the index in the folder.
    damage: Option<String>,
    /// The files; `None` in memory.
    generation: Option<Arc<Generation>>,
}

impl SearchIndex {
    /// Opens the index in `folder` for searching, even while a process refreshes it.
    ///
    /// Without an embedder, only words are searched. The files of the words are checked now, those of
    /// the vectors when they are first used.
    ///
    /// # Errors
    /// [`RetrieveError::OtherEmbedder`] if the index was made with another embedder;
    /// [`RetrieveError::Damaged`] if a file is not as it was written.
    pub fn open(folder: &Path, embedder: Option<Arc<dyn Embedder>>) -> Result<Self> {
        let generation = Arc::new(Generation::current(folder)?);
        let identity = generation.manifest.embedder.clone();
        same_embedder(identity.as_ref(), embedder.as_ref().map(|embedder| embedder.identity()))?;
        let sections = open_sections(&generation)?.into();
        let store_version = generation.store_version.clone();
        let generation = Some(generation);
        Ok(Self { sections, embedder, identity, store_version, stale: false, damage: None, generation })
    }

    /// Makes an index in memory.
    pub async fn in_memory(store: &dyn GraphStore, embedder: Option<Arc<dyn Embedder>>) -> Result<Self> {
        let store_version = store.version().await?;
        let entries = read_entries(store).await?;
        let identity = embedder.as_ref().map(|embedder| embedder.identity().clone());
        let (parts, _) = embed_sections(entries, embedder.as_deref(), &HashMap::new()).await?;
        let build = |part: Part| Section::in_memory(part.kind, &part.entries, part.vectors);
        let sections = blocking(move || parts.into_iter().map(build).collect()).await?;
        Ok(Self { sections, embedder, identity, store_version, stale: false, damage: None, generation: None })
    }

    /// Opens the index in `folder`, or makes one in memory if there is none.
    ///
    /// An index that is older than the store is used, and every result says so. In place of a
    /// damaged one stands one in memory, with vectors only if they cost nothing; every result says
    /// that too. What `before` has opened and checked is not read again.
    pub async fn open_or_build(
        folder: &Path,
        store: &dyn GraphStore,
        embedder: Option<Arc<dyn Embedder>>,
        before: Option<&Self>,
    ) -> Result<Self> {
        match Self::reopen(folder, before, embedder.clone()) {
            Err(RetrieveError::NoIndex { .. }) => Self::in_memory(store, embedder).await,
            Err(error @ RetrieveError::Damaged { .. }) => {
                let damage =
                    format!("{error}; the texts were read from the graph, and the next ingest mends it");
                tracing::warn!("{damage}");
                let free = embedder.filter(|embedder| embedder.identity().name == BuiltinEmbedder::NAME);
                Ok(Self { damage: Some(damage), ..Self::in_memory(store, free).await? })
            }
            Err(error) => Err(error),
            Ok(index) => {
                let stale = index.store_version != store.version().await?;
                Ok(Self { stale, ..index })
            }
        }
    }

    /// Opens the index in `folder` with the sections of `before` if they are of its generation.
    fn reopen(folder: &Path, before: Option<&Self>, embedder: Option<Arc<dyn Embedder>>) -> Result<Self> {
        let held = before.and_then(|before| Some((before, before.generation.as_ref()?)));
        if let Some((before, held)) = held {
            let current = Generation::current(folder)?;
            if held.folder == current.folder && held.manifest == current.manifest {
                return Ok(Self {
                    sections: Arc::clone(&before.sections),
                    embedder,
                    identity: before.identity.clone(),
                    store_version: current.store_version.clone(),
                    stale: false,
                    damage: None,
                    generation: Some(Arc::clone(held)),
                });
            }
        }
        Self::open(folder, embedder)
    }

    /// Reads what searches have not needed so far, and returns what is damaged, or `None` if the
    /// index is as it was written.
    pub fn damage(&self) -> Option<String> {
        let check = || {
            self.load_vectors()?;
            self.generation.as_deref().map_or(Ok(()), |generation| vectors_of(generation).1)
        };
        self.damage.clone().or_else(|| check().err().map(|error: RetrieveError| error.to_string()))
    }

    /// Returns the version of the store that the index stands for.
    pub fn store_version(&self) -> &str {
        &self.store_version
    }

    /// Returns the embedder of its vectors, or `None` if it has no vectors.
    pub fn embedder(&self) -> Option<&EmbedderIdentity> {
        self.identity.as_ref()
    }

    /// Returns whether the store has changed since the index was made.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Returns the number of nodes and passages.
    pub fn len(&self) -> usize {
        self.sections.iter().map(|section| section.text.len()).sum()
    }

    /// Returns whether the index is empty.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// Searches the index.
    pub async fn search(&self, request: &SearchRequest) -> Result<SearchResults> {
        let mut notices: Vec<String> = self.damage.iter().cloned().collect();
        let query = query::compared(&request.query);
        if query.len() < request.query.len() {
            notices.push(format!(
                "only the first {} characters of the query were compared",
                query::MOST_CHARACTERS
            ));
        }
        let vector = match request.mode {
            SearchMode::Text => None,
            SearchMode::Hybrid | SearchMode::Vector => self.embed_query(query, &mut notices).await?,
        };
        let mode = if vector.is_some() { request.mode } else { SearchMode::Text };
        let hits = self.rank(request, query, mode, vector.as_deref())?;
        Ok(SearchResults { hits, mode, stale: self.stale, notices })
    }

    /// Embeds a query. If there is no vector, adds a notice that says why.
    async fn embed_query(&self, query: &str, notices: &mut Vec<String>) -> Result<Option<Vec<f32>>> {
        let only_words = |reason: &str| format!("{reason}, so only words were compared");
        let (Some(embedder), Some(_)) = (&self.embedder, &self.identity) else {
            let reason =
                if self.identity.is_none() { "the index has no vectors" } else { "no embedder is set" };
            notices.push(only_words(reason));
            return Ok(None);
        };
        match self.load_vectors() {
            Err(error @ RetrieveError::Damaged { .. }) => {
                let notice = only_words(&format!("{error}; the next ingest mends it"));
                tracing::warn!("{notice}");
                notices.push(notice);
                return Ok(None);
            }
            loaded => loaded?,
        }
        // Quotes and stars are syntax of the query and mean nothing to the embedder.
        let text = query.replace(['"', '*'], " ");
        let vectors = embed(embedder.as_ref(), &[text]).await?;
        let vector = vectors.into_iter().next().filter(|vector| vector.iter().any(|number| *number != 0.0));
        if vector.is_none() {
            notices.push(only_words("the embedder knows no word of the query"));
        }
        Ok(vector)
    }

    fn load_vectors(&self) -> Result<()> {
        self.sections.iter().try_for_each(|section| section.vectors().map(drop))
    }

    fn rank(
        &self,
        request: &SearchRequest,
        query: &str,
        mode: SearchMode,
        vector: Option<&[f32]>,
    ) -> Result<Vec<Hit>> {
        let clauses = query::parse(query);
        let wanted = |section: &&Section| request.kind.is_none_or(|kind| kind == section.kind);
        let sections: Vec<&Section> = self.sections.iter().filter(wanted).collect();
        let (mut words, mut cosines) = (Vec::new(), Vec::new());
        for section in &sections {
            let scores = section.text.score(&clauses);
            words.push(scores.map_err(|error| RetrieveError::text_index(None, &error))?);
            cosines.push(match vector {
                Some(vector) => section.vectors()?.map(|vectors| vectors.cosines(vector)).unwrap_or_default(),
                None => Vec::new(),
            });
        }
        // The cosines themselves are shown with the hits.
        let mut meaning = cosines.clone();
        if mode == SearchMode::Hybrid {
            spread(&mut meaning);
        }
        let among = match &request.among {
            Some(ids) => Some(sections.iter().map(|section| section.rows(ids)).collect::<Result<Vec<_>>>()?),
            None => None,
        };
        let mut found = Vec::new();
        for (number, words) in words.iter().enumerate() {
            for (row, &coverage) in words.coverage.iter().enumerate() {
                let meaning = meaning[number].get(row).copied().unwrap_or(0.0);
                let score = match mode {
                    SearchMode::Text => coverage,
                    SearchMode::Vector => meaning,
                    SearchMode::Hybrid => fuse(coverage, meaning, request.vector_weight as f32),
                };
                let wanted = among.as_ref().is_none_or(|rows| rows[number].contains(&(row as u32)));
                if score > 0.0 && wanted && words.allows(row as u32) {
                    found.push((score, number, row as u32));
                }
            }
        }
        let best_first = |left: &(f32, usize, u32), right: &(f32, usize, u32)| {
            right.0.total_cmp(&left.0).then((left.1, left.2).cmp(&(right.1, right.2)))
        };
        // Selecting the best first saves sorting all, but only if no filter can drop some of them.
        let takes_all = request.labels.is_empty() && request.document.is_none();
        if takes_all && found.len() > request.limit {
            found.select_nth_unstable_by(request.limit, best_first);
            found.truncate(request.limit);
        }
        found.sort_unstable_by(best_first);
        let mut hits = Vec::new();
        for (score, number, row) in found {
            if hits.len() == request.limit {
                break;
            }
            let entry = sections[number].entry(row)?;
            let of_label = request.labels.is_empty() || request.labels.contains(&entry.label);
            if of_label && (request.document.is_none() || request.document == entry.document) {
                let why = why(&words[number], row, cosines[number].get(row as usize).copied());
                hits.push(entry.into_hit(score, why));
            }
        }
        Ok(hits)
    }
}

fn why(words: &TextScores, row: u32, cosine: Option<f32>) -> String {
    let found: Vec<String> = words.found_in(row).map(super::query::Clause::written).collect();
    let mut reasons = Vec::new();
    if !found.is_empty() {
        reasons.push(format!("words: {}", found.join(", ")));
    }
    reasons.extend(cosine.map(|cosine| format!("meaning: {cosine:.2}")));
    reasons.join("; ")
}
