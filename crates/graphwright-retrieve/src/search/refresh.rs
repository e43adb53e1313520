//! Makes a search index and brings it up to date.

use std::{
    io::BufWriter,
    path::{Path, PathBuf},
    sync::Arc,
};

use graphwright_core::GraphStore;
use graphwright_llm::{Embedder, EmbedderIdentity};

use super::{
    HitKind,
    changes::{Before, Plan},
    embed::{Known, same_embedder, write_vectors},
    entries::Entries,
    generation::{Generation, Manifest, Refresher, SegmentEntry},
    index::SearchIndex,
    reading::read_entries,
    report::{RefreshOptions, RefreshReport},
    section::{in_threads, pieces},
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
        let entries = Arc::new(read_entries(store).await?);
        let identity = embedder.as_ref().map(|embedder| embedder.identity().clone());
        let digest = entries.digest();
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
        let (known, plan) = before.plan(&entries, identity.as_ref());
        let fresh = blocking(move || Fresh::begin(refresher, plan)).await?;
        let made = match embedder.as_deref() {
            Some(embedder) => fresh.embed(&entries, embedder, &known).await?,
            None => 0,
        };
        drop(known);
        let manifest = Manifest::new(identity, digest);
        let segments = blocking(move || fresh.publish(&entries, manifest, &version)).await?;
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
        let is_same = current.manifest.digest == read_entries(store).await?.digest();
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

/// A generation that is being written. Deletes its folder unless it comes to an end.
struct Fresh {
    refresher: Refresher,
    folder: PathBuf,
    before: Option<Arc<Generation>>,
    kept: Vec<(SegmentEntry, Option<Vec<u8>>)>,
    new: Vec<New>,
    is_published: bool,
}

/// A segment to write.
struct New {
    kind: HitKind,
    folder: String,
    rows: Vec<usize>,
    with_codes: bool,
}

impl Fresh {
    fn begin(refresher: Refresher, plan: Plan) -> Result<Self> {
        // Numbers that no kept segment has.
        let used =
            plan.kept.iter().filter_map(|(kept, _)| kept.folder.rsplit_once('-')?.1.parse::<usize>().ok());
        let first = used.max().map_or(0, |last| last + 1);
        let mut new = Vec::new();
        for (kind, all, rows) in plan.fresh {
            let with_codes = all > MOST_EXACT && rows.len() > all / 10;
            for rows in pieces(&rows) {
                let folder = folder_name(kind, first + new.len());
                new.push(New { kind, folder, rows: rows.to_vec(), with_codes });
            }
        }
        let folder = refresher.begin()?;
        Ok(Self { refresher, folder, before: plan.before, kept: plan.kept, new, is_published: false })
    }

    /// Writes the vectors of the new segments, and returns how many were made.
    async fn embed(&self, entries: &Entries, embedder: &dyn Embedder, known: &Known) -> Result<usize> {
        let mut made = 0;
        for New { folder, rows, .. } in &self.new {
            let (file, path) = Segment::create_vectors(&self.folder.join(folder))?;
            let mut file = BufWriter::new(file);
            made += write_vectors(entries, rows, embedder, known, (&mut file, &path)).await?;
        }
        Ok(made)
    }

    /// Writes the rest of the generation and makes it the current one.
    fn publish(
        mut self,
        entries: &Entries,
        mut manifest: Manifest,
        version: &str,
    ) -> Result<Vec<SegmentEntry>> {
        let mut segments = self.take_over()?;
        let taken_over: Vec<String> = segments.iter().map(|segment| segment.folder.clone()).collect();
        let dimensions = manifest.embedder.as_ref().map(|embedder| embedder.dimensions);
        segments.extend(in_threads(
            std::mem::take(&mut self.new),
            |New { kind, folder, rows, with_codes }| {
                Segment::write(&self.folder.join(&folder), entries, &rows, dimensions, with_codes)?;
                Ok(SegmentEntry { kind, folder, rows: rows.len(), live: rows.len(), alive: None })
            },
        )?);
        manifest.segments.clone_from(&segments);
        self.refresher.publish(&self.folder, manifest, self.before.take(), &taken_over, version)?;
        self.is_published = true;
        Ok(segments)
    }

    fn take_over(&mut self) -> Result<Vec<SegmentEntry>> {
        let mut segments = Vec::new();
        for (segment, alive) in std::mem::take(&mut self.kept) {
            if let Some(before) = &self.before {
                Refresher::take_over(before, &self.folder, &segment.folder)?;
            }
            if let (Some(name), Some(alive)) = (&segment.alive, alive) {
                let path = self.folder.join(name);
                std::fs::write(&path, alive)
                    .map_err(|source| RetrieveError::io("cannot write", &path, source))?;
            }
            segments.push(segment);
        }
        Ok(segments)
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if !self.is_published {
            self.refresher.discard(&self.folder);
        }
    }
}

/// Returns what was opened, or `None` if there is no index or a damaged one.
fn whole<T>(opened: Result<T>) -> Result<Option<T>> {
    match opened {
        Err(RetrieveError::NoIndex { .. } | RetrieveError::Damaged { .. }) => Ok(None),
        opened => opened.map(Some),
    }
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
