//! Makes a search index and brings it up to date.

use std::{collections::HashMap, path::Path, sync::Arc};

use graphwright_core::GraphStore;
use graphwright_llm::{Embedder, EmbedderIdentity};

use super::{
    HitKind,
    entry::{Entry, read_entries},
    generation::{Generation, Manifest, Refresher},
    index::SearchIndex,
    parts::{Part, blocking, embed_sections, same_embedder},
    section::{Section, TextHash, open_sections, vectors_of},
};
use crate::{Result, RetrieveError};

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
    /// Whether the index was damaged, and was made anew.
    pub damaged: bool,
}

impl SearchIndex {
    /// Brings the index in `folder` up to date with a store, and opens it.
    ///
    /// Sends only new and changed texts to the embedder. If nothing that can be found has changed,
    /// writes only the store's version. Makes a damaged index anew, and keeps the vectors that are
    /// whole. Waits while another process refreshes this index. If stopped or failing midway, leaves
    /// the index as it was.
    ///
    /// # Errors
    /// [`RetrieveError::OtherEmbedder`] if the index was made with another embedder, unless all
    /// vectors are made again. Fails if the store or the embedder does, or a file cannot be read or
    /// written.
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
        let Before { current, known, damaged } =
            if options.re_embed { Before::default() } else { Before::read(folder, identity.as_ref())? };
        let is_current = |current: &&Arc<Generation>| {
            current.manifest.digest == digest && current.manifest.embedder == identity
        };
        if let Some(current) = current.as_ref().filter(is_current).filter(|_| !damaged) {
            if current.store_version != version {
                refresher.confirm(current, &version)?;
            }
            let report = RefreshReport { unchanged: true, ..count(&current.manifest.sections) };
            return Ok((Self::open(folder, embedder)?, report));
        }
        let (parts, counts) = embed_sections(entries, embedder.as_deref(), &known).await?;
        // Releases the old generation, so that publishing the new one can delete it.
        drop(current);
        let sections: Vec<(HitKind, usize)> =
            parts.iter().map(|part| (part.kind, part.entries.len())).collect();
        let report =
            RefreshReport { embedded: counts.made, reused: counts.reused, damaged, ..count(&sections) };
        let manifest = Manifest::new(identity, digest, sections);
        blocking(move || {
            let fresh = refresher.begin()?;
            let write = |part: &Part| Section::write(&fresh, part.kind, &part.entries, part.vectors.as_ref());
            let published =
                parts.iter().try_for_each(write).and_then(|()| refresher.publish(&fresh, manifest, &version));
            if published.is_err() {
                refresher.discard(&fresh);
            }
            published
        })
        .await?;
        Ok((Self::open(folder, embedder)?, report))
    }

    /// Records that the index in `folder` is up to date, if nothing that can be found has changed,
    /// and returns whether that is so.
    ///
    /// Call it after writes that do not concern the index, such as conversations. Embeds nothing.
    /// Returns false if there is no index, or a damaged one.
    pub async fn confirm(folder: &Path, store: &dyn GraphStore) -> Result<bool> {
        let index = folder.to_owned();
        let version = store.version().await?;
        let refresher = blocking(move || Refresher::acquire(&index)).await?;
        let Some(current) = whole(Generation::current(folder))? else { return Ok(false) };
        if current.store_version == version {
            return Ok(true);
        }
        let is_same = current.manifest.digest == digest(&read_entries(store).await?);
        if is_same {
            refresher.confirm(&current, &version)?;
        }
        Ok(is_same)
    }

    /// Checks whether [`refresh`](Self::refresh) would accept this embedder for the index in
    /// `folder` without making all vectors again.
    ///
    /// For callers who want to know before they write to the store. Reads one small file.
    ///
    /// # Errors
    /// [`RetrieveError::OtherEmbedder`] if the index was made with another embedder.
    pub fn check_embedder(folder: &Path, given: &EmbedderIdentity) -> Result<()> {
        match whole(Generation::current(folder))? {
            Some(current) => same_embedder(current.manifest.embedder.as_ref(), Some(given)),
            None => Ok(()),
        }
    }
}

/// What a refresh finds.
#[derive(Debug, Default)]
struct Before {
    current: Option<Arc<Generation>>,
    /// Vectors that need not be made again.
    known: HashMap<TextHash, Vec<f32>>,
    damaged: bool,
}

impl Before {
    /// Reads and checks all files of the index in `folder`. Says which of them is damaged.
    fn read(folder: &Path, embedder: Option<&EmbedderIdentity>) -> Result<Self> {
        let told = |error: &RetrieveError| tracing::warn!("{error}; it is made anew");
        let current = match Generation::current(folder) {
            Ok(current) => Arc::new(current),
            Err(RetrieveError::NoIndex { .. }) => return Ok(Self::default()),
            Err(error @ RetrieveError::Damaged { .. }) => {
                told(&error);
                return Ok(Self { damaged: true, ..Self::default() });
            }
            Err(error) => return Err(error),
        };
        same_embedder(current.manifest.embedder.as_ref(), embedder)?;
        let (known, checked) = vectors_of(&current);
        let damaged = match checked.and_then(|()| open_sections(&current).map(drop)) {
            Ok(()) => false,
            Err(error @ RetrieveError::Damaged { .. }) => {
                told(&error);
                true
            }
            Err(error) => return Err(error),
        };
        let known = if current.manifest.embedder.as_ref() == embedder { known } else { HashMap::new() };
        Ok(Self { current: Some(current), known, damaged })
    }
}

/// Returns what was opened, or `None` if there is no index or a damaged one.
fn whole<T>(opened: Result<T>) -> Result<Option<T>> {
    match opened {
        Err(RetrieveError::NoIndex { .. } | RetrieveError::Damaged { .. }) => Ok(None),
        opened => opened.map(Some),
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
