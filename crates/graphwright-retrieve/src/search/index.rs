//! The search index: making, refreshing, opening and searching it.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use graphwright_core::GraphStore;
use graphwright_llm::{Embedder, EmbedderIdentity};

use super::{
    Hit, HitKind, SearchMode, SearchRequest, SearchResults,
    entry::{Entry, read_entries},
    fusion::{fuse, spread},
    generation::{Generation, Manifest, Refresher},
    query,
    section::{Section, TextHash, text_hash},
    text::TextScores,
    vectors::Vectors,
};
use crate::{Result, RetrieveError};

/// Number of texts sent to the embedder at a time.
const BATCH: usize = 256;

/// Options of [`SearchIndex::refresh`].
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
    /// Texts sent to the embedder.
    pub embedded: usize,
    /// Vectors kept because their text did not change.
    pub reused: usize,
    /// Whether the index was already up to date.
    pub unchanged: bool,
}

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
    sections: Vec<Section>,
    embedder: Option<Arc<dyn Embedder>>,
    identity: Option<EmbedderIdentity>,
    store_version: String,
    stale: bool,
    /// Keeps the files on disk while they are used.
    _generation: Option<Generation>,
}

impl SearchIndex {
    /// Brings the index in `folder` up to date with a store, and opens it.
    ///
    /// Sends only new and changed texts to the embedder. If nothing that can be found has changed,
    /// writes only the store's version. Waits while another process refreshes this index. If
    /// stopped or failing midway, leaves the index as it was.
    pub async fn refresh(
        folder: &Path,
        store: &dyn GraphStore,
        embedder: Option<Arc<dyn Embedder>>,
        options: RefreshOptions,
    ) -> Result<(Self, RefreshReport)> {
        let index = folder.to_owned();
        let refresher = blocking(move || Refresher::acquire(&index)).await?;
        // Before the entries are read: a write in between makes the index look old, never new.
        let version = store.version().await?;
        let entries = read_entries(store).await?;
        let identity = embedder.as_ref().map(|embedder| embedder.identity().clone());
        let digest = digest(&entries);
        let before = match Self::open_sections(folder) {
            Ok(opened) => Some(opened),
            Err(error) if is_made_anew(&error) => None,
            Err(error) => return Err(error),
        };
        if let Some((current, _)) = before.as_ref().filter(|_| !options.re_embed) {
            same_embedder(current.manifest.embedder.as_ref(), identity.as_ref())?;
            if current.manifest.digest == digest && current.manifest.embedder == identity {
                if current.store_version != version {
                    refresher.confirm(current, &version)?;
                }
                let report = RefreshReport { unchanged: true, ..count(&current.manifest.sections) };
                return Ok((Self::open(folder, embedder)?, report));
            }
        }
        let known = match &before {
            Some((current, sections)) if !options.re_embed && current.manifest.embedder == identity => {
                known_vectors(sections)?
            }
            _ => HashMap::new(),
        };
        let (parts, mut report) = embed_sections(entries, embedder.as_deref(), &known).await?;
        // Releases the old generation, so that publishing the new one can delete it.
        drop(before);
        let sections: Vec<(HitKind, usize)> =
            parts.iter().map(|part| (part.kind, part.entries.len())).collect();
        report = RefreshReport { embedded: report.embedded, reused: report.reused, ..count(&sections) };
        let manifest = Manifest::new(identity, digest, sections);
        blocking(move || {
            let fresh = refresher.begin()?;
            for part in parts {
                Section::build(
                    Some(&section_folder(&fresh, part.kind)),
                    part.kind,
                    &part.entries,
                    part.vectors,
                )?;
            }
            refresher.publish(&fresh, &manifest, &version)
        })
        .await?;
        Ok((Self::open(folder, embedder)?, report))
    }

    /// Records that the index in `folder` is up to date, if nothing that can be found has changed,
    /// and returns whether that is so.
    ///
    /// Call it after writes that do not concern the index, such as conversations. Embeds nothing.
    /// Returns false if there is no index.
    pub async fn confirm(folder: &Path, store: &dyn GraphStore) -> Result<bool> {
        let index = folder.to_owned();
        let version = store.version().await?;
        let refresher = blocking(move || Refresher::acquire(&index)).await?;
        let current = match Generation::current(folder) {
            Err(error) if is_made_anew(&error) => return Ok(false),
            current => current?,
        };
        if current.store_version == version {
            return Ok(true);
        }
        let is_same = current.manifest.digest == digest(&read_entries(store).await?);
        if is_same {
            refresher.confirm(&current, &version)?;
        }
        Ok(is_same)
    }

    /// Opens the index in `folder` for searching, even while a process refreshes it.
    ///
    /// Without an embedder, only words are searched.
    ///
    /// # Errors
    /// [`RetrieveError::OtherEmbedder`] if the index was made with another embedder.
    pub fn open(folder: &Path, embedder: Option<Arc<dyn Embedder>>) -> Result<Self> {
        let (generation, sections) = Self::open_sections(folder)?;
        let identity = generation.manifest.embedder.clone();
        same_embedder(identity.as_ref(), embedder.as_ref().map(|embedder| embedder.identity()))?;
        let store_version = generation.store_version.clone();
        Ok(Self { sections, embedder, identity, store_version, stale: false, _generation: Some(generation) })
    }

    /// Checks whether [`refresh`](Self::refresh) would accept this embedder for the index in
    /// `folder` without making all vectors again.
    ///
    /// For callers who want to know before they write to the store. Reads one small file.
    ///
    /// # Errors
    /// [`RetrieveError::OtherEmbedder`] if the index was made with another embedder.
    pub fn check_embedder(folder: &Path, given: &EmbedderIdentity) -> Result<()> {
        match Generation::current(folder) {
            Ok(current) => same_embedder(current.manifest.embedder.as_ref(), Some(given)),
            Err(error) if is_made_anew(&error) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Makes an index in memory.
    pub async fn in_memory(store: &dyn GraphStore, embedder: Option<Arc<dyn Embedder>>) -> Result<Self> {
        let store_version = store.version().await?;
        let entries = read_entries(store).await?;
        let identity = embedder.as_ref().map(|embedder| embedder.identity().clone());
        let (parts, _) = embed_sections(entries, embedder.as_deref(), &HashMap::new()).await?;
        let build = |part: Part| Section::build(None, part.kind, &part.entries, part.vectors);
        let sections = blocking(move || parts.into_iter().map(build).collect()).await?;
        Ok(Self { sections, embedder, identity, store_version, stale: false, _generation: None })
    }

    /// Opens the index in `folder`, or makes one in memory if there is none.
    ///
    /// An index that is older than the store is used, and every result says so.
    pub async fn open_or_build(
        folder: &Path,
        store: &dyn GraphStore,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Result<Self> {
        match Self::open(folder, embedder.clone()) {
            Err(RetrieveError::NoIndex { .. }) => Self::in_memory(store, embedder).await,
            Err(error) => Err(error),
            Ok(index) => {
                let stale = index.store_version != store.version().await?;
                Ok(Self { stale, ..index })
            }
        }
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
        let mut notices = Vec::new();
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
        // Quotes and stars are syntax of the query and mean nothing to the embedder.
        let text = query.replace(['"', '*'], " ");
        let vectors = embed(embedder.as_ref(), &[text]).await?;
        let vector = vectors.into_iter().next().filter(|vector| vector.iter().any(|number| *number != 0.0));
        if vector.is_none() {
            notices.push(only_words("the embedder knows no word of the query"));
        }
        Ok(vector)
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
            cosines.push(match (vector, section.vectors()?) {
                (Some(vector), Some(vectors)) => vectors.cosines(vector),
                _ => Vec::new(),
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

    fn open_sections(folder: &Path) -> Result<(Generation, Vec<Section>)> {
        let generation = Generation::current(folder)?;
        let dimensions = generation.manifest.embedder.as_ref().map(|embedder| embedder.dimensions);
        let open = |&(kind, rows): &(HitKind, usize)| {
            Section::open(&section_folder(&generation.folder, kind), kind, rows, dimensions)
        };
        let sections = generation.manifest.sections.iter().map(open).collect::<Result<_>>()?;
        Ok((generation, sections))
    }
}

/// Entries of one kind, with their vectors in the same order.
struct Part {
    kind: HitKind,
    entries: Vec<Entry>,
    vectors: Option<Vectors>,
}

async fn embed_sections(
    entries: Vec<Entry>,
    embedder: Option<&dyn Embedder>,
    known: &HashMap<TextHash, Vec<f32>>,
) -> Result<(Vec<Part>, RefreshReport)> {
    let mut report = RefreshReport::default();
    let (nodes, chunks): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|entry| entry.kind == HitKind::Node);
    let mut parts = Vec::new();
    for (kind, entries) in [(HitKind::Node, nodes), (HitKind::Chunk, chunks)] {
        if entries.is_empty() {
            continue;
        }
        let vectors = match embedder {
            Some(embedder) => Some(embed_entries(&entries, embedder, known, &mut report).await?),
            None => None,
        };
        parts.push(Part { kind, entries, vectors });
    }
    Ok((parts, report))
}

async fn embed_entries(
    entries: &[Entry],
    embedder: &dyn Embedder,
    known: &HashMap<TextHash, Vec<f32>>,
    report: &mut RefreshReport,
) -> Result<Vectors> {
    let mut vectors = Vectors::new(embedder.identity().dimensions);
    for batch in entries.chunks(BATCH) {
        let reused: Vec<Option<&Vec<f32>>> = batch.iter().map(|entry| known.get(&text_hash(entry))).collect();
        let fresh = batch.iter().zip(&reused).filter(|(_, reused)| reused.is_none());
        let texts: Vec<String> = fresh.map(|(entry, _)| entry.embedded_text()).collect();
        report.embedded += texts.len();
        report.reused += batch.len() - texts.len();
        let made = if texts.is_empty() { Vec::new() } else { embed(embedder, &texts).await? };
        let mut made = made.iter();
        for vector in reused.into_iter().filter_map(|reused| reused.or_else(|| made.next())) {
            vectors.push(vector);
        }
    }
    Ok(vectors)
}

/// Embeds texts. Fails unless there is one vector of the right length for each.
async fn embed(embedder: &dyn Embedder, texts: &[String]) -> Result<Vec<Vec<f32>>> {
    let EmbedderIdentity { name, dimensions, .. } = embedder.identity();
    let vectors = embedder.embed(texts).await?;
    let bad = |wanted: String, got: String| RetrieveError::BadVectors { name: name.clone(), wanted, got };
    if vectors.len() != texts.len() {
        return Err(bad(format!("{} vectors", texts.len()), vectors.len().to_string()));
    }
    match vectors.iter().find(|vector| vector.len() != *dimensions) {
        Some(vector) => {
            Err(bad(format!("a vector of {dimensions} numbers"), format!("one of {}", vector.len())))
        }
        None => Ok(vectors),
    }
}

fn known_vectors(sections: &[Section]) -> Result<HashMap<TextHash, Vec<f32>>> {
    let mut known = HashMap::new();
    for section in sections {
        if let Some(vectors) = section.vectors()? {
            let hashes = section.hashes()?;
            known.extend(
                hashes
                    .into_iter()
                    // A damaged file may hold more hashes, and beyond its vectors `row` panics.
                    .take(vectors.len())
                    .enumerate()
                    .map(|(row, hash)| (hash, vectors.row(row).to_vec())),
            );
        }
    }
    Ok(known)
}

/// Returns whether a refresh replaces an index that failed to open with this error.
fn is_made_anew(error: &RetrieveError) -> bool {
    matches!(error, RetrieveError::NoIndex { .. } | RetrieveError::Damaged { .. } | RetrieveError::Io { .. })
}

fn same_embedder(index: Option<&EmbedderIdentity>, given: Option<&EmbedderIdentity>) -> Result<()> {
    match (index, given) {
        (Some(index), Some(given)) if index != given => Err(RetrieveError::OtherEmbedder {
            index: Box::new(index.clone()),
            given: Box::new(given.clone()),
        }),
        _ => Ok(()),
    }
}

fn digest(entries: &[Entry]) -> String {
    let mut hasher = blake3::Hasher::new();
    for entry in entries {
        let parts =
            [&entry.id, &entry.name, &entry.label, entry.document.as_ref().unwrap_or(&entry.id), &entry.text];
        for part in parts {
            // Lengths keep neighbouring texts apart: "ab", "c" must differ from "a", "bc".
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
    }
    hasher.finalize().to_hex().to_string()
}

fn count(sections: &[(HitKind, usize)]) -> RefreshReport {
    let rows = |wanted| sections.iter().filter(|(kind, _)| *kind == wanted).map(|(_, rows)| rows).sum();
    RefreshReport { nodes: rows(HitKind::Node), chunks: rows(HitKind::Chunk), ..RefreshReport::default() }
}

fn section_folder(generation: &Path, kind: HitKind) -> PathBuf {
    generation.join(match kind {
        HitKind::Node => "nodes",
        HitKind::Chunk => "chunks",
    })
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

/// Runs work that reads and writes files on a thread where waiting for the disk blocks nothing
/// else.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| RetrieveError::Io {
        action: "the work was stopped on",
        path: PathBuf::from("the search index"),
        source: std::io::Error::other(error),
    })?
}
