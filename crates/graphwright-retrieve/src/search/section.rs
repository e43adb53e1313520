//! A section of an index: all entries of one kind, in one or several segments.

use std::sync::Arc;

use super::{
    HitKind,
    entries::Entries,
    generation::Generation,
    query::Clause,
    scoring::{Statistics, Weights},
    segment::{MOST_EXACT, Segment},
    vectors::Vectors,
};
use crate::{Result, search::postings::Places};

/// Rows from which on several threads share the work.
const WORTH_THREADS: usize = 50_000;

/// The entries of one kind.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) kind: HitKind,
    pub(super) segments: Vec<Segment>,
}

impl Section {
    /// Builds a section in memory of the rows of one kind, by pieces with their vectors.
    pub(super) fn in_memory(
        kind: HitKind,
        entries: &Entries,
        pieces: Vec<(Vec<usize>, Option<Vectors>)>,
    ) -> Result<Self> {
        let with_codes = pieces.iter().map(|(rows, _)| rows.len()).sum::<usize>() > MOST_EXACT;
        let build =
            |(rows, vectors): (Vec<usize>, _)| Segment::in_memory(entries, &rows, vectors, with_codes);
        Ok(Self { kind, segments: in_threads(pieces, build)? })
    }

    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.segments.iter().map(Segment::len).sum()
    }

    /// Finds where clauses occur in each segment, and weighs them.
    pub(super) fn places(&self, clauses: &[Clause], name_boost: f32) -> Result<(Vec<Vec<Places>>, Weights)> {
        let find = |segment: &Segment| {
            let places = clauses.iter().map(|clause| segment.text.places(clause));
            places.collect::<tantivy::Result<Vec<Places>>>().map_err(|error| segment.failed(&error))
        };
        let places: Vec<Vec<Places>> = self.segments.iter().map(find).collect::<Result<_>>()?;
        let frequency = |clause: usize| places.iter().map(|places| places[clause].frequency()).sum();
        let frequencies: Vec<usize> = (0..clauses.len()).map(frequency).collect();
        let statistics = Statistics::of(self.segments.iter().map(|segment| &segment.text));
        let weights = Weights::new(clauses, &frequencies, statistics, name_boost);
        Ok((places, weights))
    }
}

/// Splits rows into those of several segments, so that several threads can build them.
pub(super) fn pieces(rows: &[usize]) -> impl Iterator<Item = &[usize]> {
    let count = if rows.len() < WORTH_THREADS { 1 } else { threads() };
    rows.chunks(rows.len().div_ceil(count).max(1))
}

/// Returns the number of threads that share work.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Does work for each item, in threads if there are several. The results come in order.
pub(super) fn in_threads<I: Send, T: Send>(
    items: Vec<I>,
    work: impl Fn(I) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    if items.len() <= 1 {
        return items.into_iter().map(work).collect();
    }
    let work = &work;
    std::thread::scope(|scope| {
        let started: Vec<_> = items.into_iter().map(|item| scope.spawn(move || work(item))).collect();
        let ended = started.into_iter().map(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        ended.collect()
    })
}

/// Opens the sections of a generation.
pub(super) fn open_sections(generation: &Arc<Generation>) -> Result<Vec<Section>> {
    let mut sections: Vec<Section> = Vec::new();
    for segment in &generation.manifest.segments {
        let opened = Segment::open(generation, segment)?;
        match sections.iter_mut().find(|section| section.kind == segment.kind) {
            Some(section) => section.segments.push(opened),
            None => sections.push(Section { kind: segment.kind, segments: vec![opened] }),
        }
    }
    sections.sort_by_key(|section| section.kind);
    Ok(sections)
}
