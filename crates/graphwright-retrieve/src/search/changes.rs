//! Finds what has changed since an index was made, and which of its segments stay.

use std::{collections::HashMap, ops::Range, path::Path, sync::Arc};

use graphwright_llm::EmbedderIdentity;

use super::{
    HitKind,
    embed::{Known, same_embedder},
    entries::{Entries, Hashes},
    entry::Hash,
    generation::{Generation, SegmentEntry},
    rows::Rows,
    segment::{read_hashes, read_vectors},
    vectors::Vectors,
};
use crate::{Result, RetrieveError};

/// How many times as many live rows a segment must have as are written anew, so that it stays. So
/// the sizes of segments grow geometrically: there are few of them, and an entry is written anew
/// about as often as its index has doubled (P. O'Neil et al., *The Log-Structured Merge-Tree*,
/// 1996).
const GROWTH: usize = 2;

/// What a refresh finds.
#[derive(Debug, Default)]
pub(super) struct Before {
    pub(super) current: Option<Arc<Generation>>,
    pub(super) damaged: bool,
    segments: Vec<Old>,
}

/// A segment of the current generation.
#[derive(Debug)]
struct Old {
    entry: SegmentEntry,
    /// Hashes of its rows; empty if they are damaged.
    hashes: Vec<Hashes>,
    vectors: Option<Vectors>,
    /// Rows that stand for something.
    alive: Rows,
    is_whole: bool,
}

/// What is kept and what is written anew.
pub(super) struct Plan {
    pub(super) before: Option<Arc<Generation>>,
    /// Segments that stay, with the rows of them that still stand for something unless all do.
    pub(super) kept: Vec<(SegmentEntry, Option<Vec<u8>>)>,
    /// Rows of the entries to write, with the number of all entries of their kind.
    pub(super) fresh: Vec<(HitKind, usize, Vec<usize>)>,
}

impl Before {
    /// Reads and checks all files of the index in `folder`. Says which of them is damaged.
    pub(super) fn read(folder: &Path, embedder: Option<&EmbedderIdentity>) -> Result<Self> {
        let current = match Generation::current(folder) {
            Ok(current) => Arc::new(current),
            Err(RetrieveError::NoIndex { .. }) => return Ok(Self::default()),
            Err(error @ RetrieveError::Damaged { .. }) => {
                tracing::warn!("{error}; it is made anew");
                return Ok(Self { damaged: true, ..Self::default() });
            }
            Err(error) => return Err(error),
        };
        same_embedder(current.manifest.embedder.as_ref(), embedder)?;
        let mut before = Self::default();
        for segment in &current.manifest.segments {
            let old = Old::read(&current, segment)?;
            before.damaged |= !old.is_whole;
            before.segments.push(old);
        }
        Ok(Self { current: Some(current), ..before })
    }

    /// Decides what stays for these entries, which are sorted.
    pub(super) fn plan(self, entries: &Entries, embedder: Option<&EmbedderIdentity>) -> (Known, Plan) {
        let same = self.current.as_ref().is_some_and(|now| now.manifest.embedder.as_ref() == embedder);
        let mut known = Known::default();
        let mut plan = Plan { before: self.current, kept: Vec::new(), fresh: Vec::new() };
        let mut old = self.segments;
        for segment in old.iter_mut().filter(|_| same) {
            if let Some(vectors) = segment.vectors.take().filter(|_| !segment.hashes.is_empty()) {
                known.add(vectors, segment.hashes.iter().map(|hashes| hashes.text));
            }
        }
        // With another embedder, or one where there was none, all vectors are written anew.
        old.retain(|segment| same && segment.is_whole);
        for (kind, rows) in entries.kinds() {
            let (of_kind, others) = old.into_iter().partition(|segment: &Old| segment.entry.kind == kind);
            old = others;
            plan.add(kind, entries, rows, of_kind);
        }
        (known, plan)
    }
}

impl Plan {
    fn add(&mut self, kind: HitKind, entries: &Entries, rows: Range<usize>, mut old: Vec<Old>) {
        let by_key = rows.clone().map(|row| (entries.hashes(row), row));
        let mut wanted: HashMap<Hash, (Hash, usize)> =
            by_key.map(|(hashes, row)| (hashes.key, (hashes.entry, row))).collect();
        // Rows of the entries that each segment has as they are now.
        let mut held: Vec<Vec<usize>> = Vec::new();
        for segment in &mut old {
            let mut places = Vec::new();
            for (row, hashes) in segment.hashes.iter().enumerate() {
                let row = row as u32;
                match wanted.get(&hashes.key) {
                    Some(&(hash, place)) if hash == hashes.entry && segment.alive.contains(row) => {
                        wanted.remove(&hashes.key);
                        places.push(place);
                    }
                    _ => segment.alive.remove(row),
                }
            }
            held.push(places);
        }
        let mut is_kept = vec![false; rows.len()];
        let mut pending = wanted.len();
        let mut segments: Vec<(Old, Vec<usize>)> = old.into_iter().zip(held).collect();
        segments.sort_by_key(|(_, places)| places.len());
        for (segment, places) in segments {
            let live = places.len();
            // What is mostly gone makes searches slower and the weights of words wrong.
            if live < GROWTH * pending || live * 2 < segment.entry.rows || live == 0 {
                pending += live;
                continue;
            }
            for &place in &places {
                is_kept[place - rows.start] = true;
            }
            self.kept.push(segment.kept(live));
        }
        let all = rows.len();
        let fresh: Vec<usize> =
            rows.zip(is_kept).filter(|(_, is_kept)| !is_kept).map(|(row, _)| row).collect();
        if !fresh.is_empty() {
            self.fresh.push((kind, all, fresh));
        }
    }
}

impl Old {
    fn read(generation: &Generation, segment: &SegmentEntry) -> Result<Self> {
        let mut is_whole = true;
        let mut unless_damaged = |error: RetrieveError| match error {
            RetrieveError::Damaged { .. } => {
                tracing::warn!("{error}; it is made anew");
                is_whole = false;
                Ok(())
            }
            error => Err(error),
        };
        let hashes = match read_hashes(generation, segment) {
            Ok(hashes) => hashes,
            Err(error) => unless_damaged(error).map(|()| Vec::new())?,
        };
        let vectors = match read_vectors(generation, segment) {
            Ok(vectors) => vectors,
            Err(error) => unless_damaged(error).map(|()| None)?,
        };
        let mut alive = Rows::all(segment.rows);
        if let Some(file) = &segment.alive {
            match generation.read(Path::new(file)) {
                Ok(bytes) => alive = Rows::from_bytes(&bytes, segment.rows).unwrap_or(alive),
                Err(error) => unless_damaged(error)?,
            }
        }
        if let Err(error) = generation.check(Path::new(&segment.folder)) {
            unless_damaged(error)?;
        }
        Ok(Self { entry: segment.clone(), hashes, vectors, alive, is_whole })
    }

    fn kept(self, live: usize) -> (SegmentEntry, Option<Vec<u8>>) {
        let Self { entry, alive, .. } = self;
        let bytes = (live < entry.rows).then(|| alive.to_bytes());
        let name = bytes.as_ref().map(|_| format!("{}.alive", entry.folder));
        (SegmentEntry { live, alive: name, ..entry }, bytes)
    }
}
