//! The search index: making, refreshing, opening and searching it.

use std::{path::Path, sync::Arc};

use graphwright_core::GraphStore;
use graphwright_llm::{BuiltinEmbedder, Embedder, EmbedderIdentity};

use super::{
    HitKind, SearchMode, SearchRequest, SearchResults,
    checksums::Bytes,
    embed::{Known, embed, same_embedder, write_vectors},
    entries::Entries,
    generation::Generation,
    query,
    rank::rank,
    reading::read_entries,
    section::{Section, open_sections, pieces},
    server::ServerIndex,
    vectors::Vectors,
};
use crate::{
    Result, RetrieveError,
    sealed::{blocking, damaged},
};

/// An index over the words and vectors of a graph's nodes, passages and facts.
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
    /// The indexes of a server, which are searched in place of the sections.
    server: Option<ServerIndex>,
}

impl SearchIndex {
    /// Opens the index in `folder` for searching, even while a process refreshes it.
    ///
    /// Without an embedder, only words are searched. Files are mapped, so that little of a large index
    /// is read; what is read is checked. Up to 64 MB of words are checked now.
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
        Ok(Self::of(sections, embedder, identity, store_version, generation))
    }

    /// Makes an index in memory.
    pub async fn in_memory(store: &dyn GraphStore, embedder: Option<Arc<dyn Embedder>>) -> Result<Self> {
        let store_version = store.version().await?;
        let entries = read_entries(store).await?;
        let identity = embedder.as_ref().map(|embedder| embedder.identity().clone());
        let mut kinds = Vec::new();
        for (kind, rows) in entries.kinds() {
            let mut with_vectors = Vec::new();
            for rows in pieces(&rows.collect::<Vec<usize>>()) {
                let vectors = match embedder.as_deref() {
                    Some(embedder) => Some(vectors_of(&entries, rows, embedder).await?),
                    None => None,
                };
                with_vectors.push((rows.to_vec(), vectors));
            }
            kinds.push((kind, with_vectors));
        }
        let build = move |(kind, pieces)| Section::in_memory(kind, &entries, pieces);
        let sections = blocking(move || kinds.into_iter().map(build).collect()).await?;
        Ok(Self::of(sections, embedder, identity, store_version, None))
    }

    /// Creates an index of sections that are up to date; `generation` holds their files, if they have any.
    fn of(
        sections: Arc<[Section]>,
        embedder: Option<Arc<dyn Embedder>>,
        identity: Option<EmbedderIdentity>,
        store_version: String,
        generation: Option<Arc<Generation>>,
    ) -> Self {
        Self {
            sections,
            embedder,
            identity,
            store_version,
            stale: false,
            damage: None,
            generation,
            server: None,
        }
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

    /// Opens the indexes that a server keeps itself, if [`refresh_on_server`](Self::refresh_on_server)
    /// has made them.
    ///
    /// # Errors
    /// [`RetrieveError::OtherEmbedder`] if their vectors are of another embedder.
    pub async fn open_on_server(
        store: &Arc<dyn GraphStore>,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Result<Option<Self>> {
        let store_version = store.version().await?;
        let opened = ServerIndex::open(Arc::clone(store), embedder).await?;
        Ok(opened.map(|server| Self {
            sections: Arc::default(),
            embedder: None,
            identity: Some(server.identity.clone()),
            store_version,
            stale: false,
            damage: None,
            generation: None,
            server: Some(server),
        }))
    }

    /// Opens the index in `folder` with the sections of `before` if they are of its generation.
    fn reopen(folder: &Path, before: Option<&Self>, embedder: Option<Arc<dyn Embedder>>) -> Result<Self> {
        let held = before.and_then(|before| Some((before, before.generation.as_ref()?)));
        if let Some((before, held)) = held {
            let current = Generation::current(folder)?;
            if held.folder == current.folder && held.manifest == current.manifest {
                let (sections, identity) = (Arc::clone(&before.sections), before.identity.clone());
                let (store_version, held) = (current.store_version.clone(), Some(Arc::clone(held)));
                return Ok(Self::of(sections, embedder, identity, store_version, held));
            }
        }
        Self::open(folder, embedder)
    }

    /// Reads what searches have not needed so far, and returns what is damaged, or `None` if the
    /// index is as it was written.
    pub fn damage(&self) -> Option<String> {
        let check =
            || self.generation.as_deref().map_or(Ok(()), |generation| generation.check(Path::new("")));
        self.damage.clone().or_else(|| check().err().map(|error| error.to_string()))
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

    /// Returns whether these are the indexes of a server.
    pub fn is_on_server(&self) -> bool {
        self.server.is_some()
    }

    /// Returns the number of nodes, passages and facts; 0 for the indexes of a server.
    pub fn len(&self) -> usize {
        self.sections.iter().map(Section::len).sum()
    }

    /// Returns whether the index is empty.
    pub fn is_empty(&self) -> bool {
        self.server.is_none() && self.sections.is_empty()
    }

    /// Searches the index.
    pub async fn search(&self, request: &SearchRequest) -> Result<SearchResults> {
        if let Some(server) = &self.server {
            return server.search(request).await;
        }
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
            _ => self.embed_query(query, &mut notices).await?,
        };
        let wanted = |section: &&Section| match request.kind {
            Some(kind) => kind == section.kind,
            None => section.kind != HitKind::Fact,
        };
        let sections: Vec<&Section> = self.sections.iter().filter(wanted).collect();
        if let Some(vector) = vector {
            match rank(&sections, request, query, request.mode, Some(&vector)) {
                Ok((hits, names)) => {
                    let (mode, stale) = (request.mode, self.stale);
                    return Ok(SearchResults { hits, mode, names, stale, notices });
                }
                Err(error @ RetrieveError::Damaged { .. }) => {
                    let notice = only_words(&format!("{error}; the next ingest mends it"));
                    tracing::warn!("{notice}");
                    notices.push(notice);
                }
                Err(error) => return Err(error),
            }
        }
        // Names connect passages however their texts are compared.
        let mode = match request.mode {
            SearchMode::Hybrid | SearchMode::Vector => SearchMode::Text,
            mode => mode,
        };
        let (hits, names) = rank(&sections, request, query, mode, None)?;
        Ok(SearchResults { hits, mode: SearchMode::Text, names, stale: self.stale, notices })
    }

    /// Embeds a query. If there is no vector, adds a notice that says why.
    async fn embed_query(&self, query: &str, notices: &mut Vec<String>) -> Result<Option<Vec<f32>>> {
        let (Some(embedder), Some(_)) = (&self.embedder, &self.identity) else {
            let reason =
                if self.identity.is_none() { "the index has no vectors" } else { "no embedder is set" };
            notices.push(only_words(reason));
            return Ok(None);
        };
        let vectors = embed(embedder.as_ref(), &[query::plain(query)]).await?;
        let vector = vectors.into_iter().next().filter(|vector| vector.iter().any(|number| *number != 0.0));
        if vector.is_none() {
            notices.push(only_words("the embedder knows no word of the query"));
        }
        Ok(vector)
    }
}

/// Makes the vectors of rows in memory.
async fn vectors_of(entries: &Entries, rows: &[usize], embedder: &dyn Embedder) -> Result<Vectors> {
    let (mut bytes, memory) = (Vec::new(), Path::new("memory"));
    write_vectors(entries, rows, embedder, &Known::default(), (&mut bytes, memory)).await?;
    let vectors = Vectors::from_bytes(Bytes::from(bytes), embedder.identity().dimensions, rows.len());
    vectors.map_err(|message| damaged(memory, message))
}

fn only_words(reason: &str) -> String {
    format!("{reason}, so only words were compared")
}
