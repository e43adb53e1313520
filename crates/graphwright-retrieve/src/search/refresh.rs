//! Makes a search index and brings it up to date.

use std::{path::Path, sync::Arc};

use graphwright_core::GraphStore;
use graphwright_llm::{Embedder, EmbedderIdentity};

use super::{
    HitKind,
    changes::{Before, Plan},
    entry::Entry,
    generation::{Generation, Manifest, Refresher, SegmentEntry},
    index::SearchIndex,
    parts::{Known, Part, embed_part, same_embedder},
    reading::read_entries,
    report::{RefreshOptions, RefreshReport},
    section::{in_threads, pieces_of},
    segment::{MOST_EXACT, Segment, folder_name},
    server::ServerIndex,
};
use crate::{Result, RetrieveError, sealed::blocking};

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
        let before =
            if options.re_embed { Before::default() } else { Before::read(folder, identity.as_ref())? };
        let is_current = |current: &&Arc<Generation>| {
            current.manifest.digest == digest && current.manifest.embedder == identity
        };
        if let Some(current) = before.current.as_ref().filter(is_current).filter(|_| !before.damaged) {
            if current.store_version != version {
                refresher.confirm(current, &version)?;
            }
            let report = RefreshReport { unchanged: true, ..count(&current.manifest.segments) };
            return Ok((Self::open(folder, embedder)?, report));
        }
        let (damaged, has_vectors) = (before.damaged, identity.is_some());
        let (known, plan) = before.plan(entries, identity.as_ref());
        let (parts, made) = plan.embed(embedder.as_deref(), &known).await?;
        drop(known);
        let describe = move |segments| Manifest::new(identity, digest, segments);
        let segments = blocking(move || parts.publish(&refresher, describe, &version)).await?;
        let found = count(&segments);
        let all = found.nodes + found.chunks + found.facts;
        let reused = if has_vectors { all - made } else { 0 };
        Ok((Self::open(folder, embedder)?, RefreshReport { embedded: made, reused, damaged, ..found }))
    }

    /// Makes the full-text and vector indexes of a server for passages and entities, and brings their
    /// vectors up to date. Sends only new and changed texts to the embedder.
    ///
    /// The vectors are the property `embedding` of `Chunk` and `__Entity__`; a record in the graph
    /// names their embedder, so that machines that share the graph do not mix two.
    ///
    /// # Errors
    /// [`RetrieveError::OtherEmbedder`] if the vectors are of another embedder, unless all are made
    /// again. Fails if the store or the embedder does.
    pub async fn refresh_on_server(
        store: &Arc<dyn GraphStore>,
        embedder: &Arc<dyn Embedder>,
        options: RefreshOptions,
    ) -> Result<RefreshReport> {
        ServerIndex::refresh(store, embedder, options).await
    }

    /// Checks whether [`refresh_on_server`](Self::refresh_on_server) would accept this embedder
    /// without making all vectors again.
    ///
    /// # Errors
    /// [`RetrieveError::OtherEmbedder`] if the vectors are of another embedder.
    pub async fn check_embedder_on_server(store: &dyn GraphStore, given: &EmbedderIdentity) -> Result<()> {
        ServerIndex::check_embedder(store, given).await
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

impl Plan {
    /// Makes the vectors of what is written anew, and returns how many were made.
    async fn embed(self, embedder: Option<&dyn Embedder>, known: &Known) -> Result<(Fresh, usize)> {
        let (mut parts, mut made) = (Vec::new(), 0);
        for (kind, rows, entries) in self.fresh {
            let (part, count) = embed_part(kind, entries, embedder, known).await?;
            made += count;
            parts.push((rows, part));
        }
        Ok((Fresh { before: self.before, kept: self.kept, parts }, made))
    }
}

/// The segments of a new generation: those that are kept and those that are written.
struct Fresh {
    before: Option<Arc<Generation>>,
    kept: Vec<(SegmentEntry, Option<Vec<u8>>)>,
    /// Parts, each with the number of all entries of its kind.
    parts: Vec<(usize, Part)>,
}

impl Fresh {
    /// Writes the generation and makes it the current one.
    fn publish(
        self,
        refresher: &Refresher,
        describe: impl FnOnce(Vec<SegmentEntry>) -> Manifest,
        version: &str,
    ) -> Result<Vec<SegmentEntry>> {
        let fresh = refresher.begin()?;
        let before = self.before.clone();
        let published = self.write(&fresh).and_then(|(segments, taken_over)| {
            let manifest = describe(segments.clone());
            refresher.publish(&fresh, manifest, before, &taken_over, version)?;
            Ok(segments)
        });
        if published.is_err() {
            refresher.discard(&fresh);
        }
        published
    }

    fn write(self, fresh: &Path) -> Result<(Vec<SegmentEntry>, Vec<String>)> {
        let (mut segments, mut taken_over) = (Vec::new(), Vec::new());
        for (segment, alive) in self.kept {
            if let Some(before) = &self.before {
                Refresher::take_over(before, fresh, &segment.folder)?;
            }
            if let (Some(name), Some(alive)) = (&segment.alive, alive) {
                let path = fresh.join(name);
                std::fs::write(&path, alive)
                    .map_err(|source| RetrieveError::io("cannot write", &path, source))?;
            }
            taken_over.push(segment.folder.clone());
            segments.push(segment);
        }
        // Numbers that no kept segment has.
        let used =
            segments.iter().filter_map(|segment| segment.folder.rsplit_once('-')?.1.parse::<usize>().ok());
        let mut next = used.max().map_or(0, |last| last + 1);
        for (rows, part) in self.parts {
            let mut pieces = Vec::new();
            for piece in part.split(pieces_of) {
                pieces.push((folder_name(piece.kind, next), piece));
                next += 1;
            }
            segments.extend(in_threads(pieces, |(folder, piece)| {
                let with_codes = rows > MOST_EXACT && piece.entries.len() > rows / 10;
                Segment::write(&fresh.join(&folder), &piece.entries, piece.vectors.as_ref(), with_codes)?;
                let rows = piece.entries.len();
                Ok(SegmentEntry { kind: piece.kind, folder, rows, live: rows, alive: None })
            })?);
        }
        Ok((segments, taken_over))
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
        hasher.update(&entry.hash());
    }
    hasher.finalize().to_hex().to_string()
}

fn count(segments: &[SegmentEntry]) -> RefreshReport {
    let rows =
        |wanted| segments.iter().filter(|segment| segment.kind == wanted).map(|segment| segment.live).sum();
    RefreshReport {
        nodes: rows(HitKind::Node),
        chunks: rows(HitKind::Chunk),
        facts: rows(HitKind::Fact),
        ..RefreshReport::default()
    }
}
