//! Ranks the rows of sections by words and meaning.

use std::{collections::HashSet, ops::Range};

use super::{
    ChainStep, Hit, HitKind, SearchMode, SearchRequest,
    codes::Query,
    excerpt::{Wanted, shorten},
    fusion::Spread,
    linked::{self, CANDIDATES, Linked, Piece, Place},
    postings::Places,
    query::{self, Clause},
    rows::{Rows, both},
    scoring::{Scorer, Weights, required},
    section::{Section, in_threads, threads},
    segment::Segment,
    vectors::unit,
};
use crate::{Result, rank::fuse};

/// Rows that are scored at a time, so that their scores stay in the cache.
const WINDOW: u32 = 1 << 15;
/// Rows from which on several threads share the work.
const WORTH_THREADS: usize = 20_000;
/// Rows whose cosines are computed after they were estimated: they have 99.7 % of the ten facts of
/// MetaQA that are nearest to its questions (`cargo xtask indexes facts`).
const SHORTLIST: usize = 500;
/// Rows by which the least and the greatest cosine are found.
const EXTREMES: usize = 32;

/// A request, prepared for each segment.
struct Prepared<'a> {
    segments: Vec<InSegment<'a>>,
    /// Those of them that hold passages.
    passages: Range<usize>,
    clauses: Vec<Clause>,
    request: &'a SearchRequest,
    mode: SearchMode,
    /// How many rows are kept of each share.
    keep: usize,
}

/// A segment with what a request asks of it.
struct InSegment<'a> {
    segment: &'a Segment,
    places: Vec<Places>,
    weights: Weights,
    /// The rows that may be found; `None` for all.
    allowed: Option<Rows>,
    /// Whether some that stand for something may not be found.
    filtered: bool,
    meaning: Option<Meaning>,
}

/// The query's vector, with its form for codes where a segment has them.
struct Meaning {
    vector: Vec<f32>,
    estimate: Option<Query>,
}

/// Some rows of a segment, with their cosines if the query has a vector.
struct Share {
    segment: usize,
    rows: Range<u32>,
    cosines: Vec<f32>,
}

/// A row that was found.
#[derive(Clone, Copy)]
struct Found {
    score: f32,
    coverage: f32,
    cosine: f32,
    segment: usize,
    row: u32,
}

/// Finds the best rows, and the names of the query by which passages were ranked.
pub(super) fn rank(
    sections: &[&Section],
    request: &SearchRequest,
    query: &str,
    mode: SearchMode,
    vector: Option<&[f32]>,
) -> Result<(Vec<Hit>, Vec<String>)> {
    let prepared = Prepared::new(sections, request, query, mode, vector)?;
    let shares = in_threads(prepared.shares(), |shares| prepared.with_cosines(shares))?;
    let spread = prepared.spread(&shares)?;
    let (mut found, linked) = if matches!(mode, SearchMode::Graph | SearchMode::PageRank) {
        prepared.linked(query, &shares, spread)?
    } else {
        (prepared.found(&shares, spread, |_| true, false)?, None)
    };
    found.sort_unstable_by(best_first);
    found.truncate(request.limit);
    let hits = found.iter().map(|found| prepared.hit(found, linked.as_ref())).collect::<Result<_>>()?;
    Ok((hits, linked.map(|linked| linked.names).unwrap_or_default()))
}

fn best_first(left: &Found, right: &Found) -> std::cmp::Ordering {
    let place = |found: &Found| (found.segment, found.row);
    right.score.total_cmp(&left.score).then_with(|| place(left).cmp(&place(right)))
}

impl<'a> Prepared<'a> {
    fn new(
        sections: &[&'a Section],
        request: &'a SearchRequest,
        query: &str,
        mode: SearchMode,
        vector: Option<&[f32]>,
    ) -> Result<Self> {
        let clauses = query::parse(query);
        let vector = vector.map(unit);
        let mut segments = Vec::new();
        let mut passages = 0..0;
        for section in sections {
            if section.kind == HitKind::Chunk {
                passages = segments.len()..segments.len() + section.segments.len();
            }
            let (places, weights) = section.places(&clauses, request.name_boost as f32)?;
            for (segment, places) in section.segments.iter().zip(places) {
                let filtered = segment.text.filtered(request).map_err(|error| segment.failed(&error))?;
                let filtered = both(filtered, required(&places, segment.text.len()));
                let is_filtered = filtered.is_some();
                let allowed = both(filtered, segment.alive.clone());
                let meaning = match (&vector, &segment.vectors) {
                    (Some(vector), Some(_)) => {
                        let codes = segment.codes.as_ref();
                        let estimate = codes.map(|codes| codes.query(vector)).transpose()?;
                        Some(Meaning { vector: vector.clone(), estimate })
                    }
                    _ => None,
                };
                let weights = weights.clone();
                segments.push(InSegment {
                    segment,
                    places,
                    weights,
                    allowed,
                    filtered: is_filtered,
                    meaning,
                });
            }
        }
        let estimated = segments.iter().any(InSegment::is_estimated);
        let linked = matches!(mode, SearchMode::Graph | SearchMode::PageRank);
        let wanted = if linked { request.limit.max(CANDIDATES) } else { request.limit };
        let keep = if estimated { SHORTLIST.max(wanted.saturating_mul(10)) } else { wanted };
        Ok(Self { segments, passages, clauses, request, mode, keep })
    }

    /// Splits the rows evenly among threads.
    fn shares(&self) -> Vec<Vec<Share>> {
        let rows = |segment: &InSegment<'_>| segment.segment.text.len();
        let total: usize = self.segments.iter().map(rows).sum();
        let count = if total < WORTH_THREADS { 1 } else { threads() };
        let size = total.div_ceil(count).max(1);
        let mut shares: Vec<Vec<Share>> = vec![Vec::new()];
        let mut room = size;
        for (number, segment) in self.segments.iter().enumerate() {
            let mut start = 0;
            while start < rows(segment) {
                if room == 0 {
                    shares.push(Vec::new());
                    room = size;
                }
                let end = rows(segment).min(start + room);
                let share = Share { segment: number, rows: start as u32..end as u32, cosines: Vec::new() };
                if let Some(last) = shares.last_mut() {
                    last.push(share);
                }
                (room, start) = (room - (end - start), end);
            }
        }
        shares
    }

    /// Computes or estimates the cosines of shares.
    fn with_cosines(&self, mut shares: Vec<Share>) -> Result<Vec<Share>> {
        for share in &mut shares {
            let InSegment { segment, meaning, .. } = &self.segments[share.segment];
            let (Some(meaning), Some(vectors)) = (meaning, &segment.vectors) else { continue };
            share.cosines = vec![0.0; share.rows.len()];
            let (first, cosines) = (share.rows.start as usize, &mut share.cosines);
            match (&segment.codes, &meaning.estimate) {
                (Some(codes), Some(query)) => codes.estimate(query, first, cosines)?,
                _ => vectors.cosines(&meaning.vector, first, cosines)?,
            }
        }
        Ok(shares)
    }

    /// Finds the least and the greatest cosine.
    fn spread(&self, shares: &[Vec<Share>]) -> Result<Spread> {
        let mut spread = Spread::default();
        for share in shares.iter().flatten() {
            if !self.is_estimated(share.segment) {
                spread.extend(share.cosines.iter().copied());
                continue;
            }
            let mut rows: Vec<u32> = (0..share.cosines.len() as u32).collect();
            let by_cosine = |left: &u32, right: &u32| {
                share.cosines[*left as usize].total_cmp(&share.cosines[*right as usize])
            };
            let ends = EXTREMES.min(rows.len());
            let last = rows.len() - ends;
            if last > ends {
                rows.select_nth_unstable_by(ends, by_cosine);
                rows[ends..].select_nth_unstable_by(last - ends, by_cosine);
            }
            for &row in rows[..ends].iter().chain(&rows[last..]) {
                spread.extend([self.cosine(share.segment, share.rows.start + row)?]);
            }
        }
        Ok(spread)
    }

    /// Finds the best rows of some segments, in any order; `all` for those that filters leave out, too.
    fn found(
        &self,
        shares: &[Vec<Share>],
        spread: Spread,
        wanted: impl Fn(usize) -> bool + Sync,
        all: bool,
    ) -> Result<Vec<Found>> {
        let found = in_threads(shares.iter().collect(), |shares| {
            Ok(self.best(shares.iter().filter(|share| wanted(share.segment)), spread, all))
        })?;
        let mut found: Vec<Found> = found.into_iter().flatten().collect();
        if found.len() > self.keep && self.keep > 0 {
            found.select_nth_unstable_by(self.keep - 1, best_first);
            found.truncate(self.keep);
        }
        for found in found.iter_mut().filter(|found| self.is_estimated(found.segment)) {
            found.cosine = self.cosine(found.segment, found.row)?;
            found.score = self.score(found.coverage, found.cosine, spread);
        }
        found.retain(|found| found.score > 0.0);
        Ok(found)
    }

    /// Finds the best rows, with passages ranked by the names that connect them. Filters do not hold on the way from
    /// one passage to another.
    fn linked(
        &self,
        query: &str,
        shares: &[Vec<Share>],
        spread: Spread,
    ) -> Result<(Vec<Found>, Option<Linked<'_>>)> {
        let is_passage = |segment: usize| self.passages.contains(&segment);
        let mut found = self.found(shares, spread, |segment| !is_passage(segment), false)?;
        if self.passages.is_empty() {
            return Ok((found, None));
        }
        let mut passages = self.found(shares, spread, is_passage, false)?;
        let filtered = self.segments[self.passages.clone()].iter().any(|segment| segment.filtered);
        let mut candidates =
            if filtered { self.found(shares, spread, is_passage, true)? } else { passages.clone() };
        candidates.sort_unstable_by(best_first);
        candidates.truncate(CANDIDATES);
        let pieces = self.pieces(shares, spread, &candidates);
        let candidates: Vec<(Place, f32)> =
            candidates.iter().map(|found| (self.place(found), found.score)).collect();
        let weight = self.request.vector_weight as f32;
        let linked = Linked::rank(pieces, (query, &self.clauses), self.mode, &candidates, weight)?;
        let known: HashSet<Place> = passages.iter().map(|found| self.place(found)).collect();
        for (piece, row) in self.reached(&linked).take(self.request.limit) {
            if !known.contains(&(piece, row)) {
                let segment = self.passages.start + piece;
                let cosine = self.cosine(segment, row)?;
                passages.push(Found { score: 0.0, coverage: 0.0, cosine, segment, row });
            }
        }
        for found in &mut passages {
            found.score = linked.score(self.place(found), found.score);
        }
        found.extend(passages);
        Ok((found, Some(linked)))
    }

    /// The segments of passages, as they are linked.
    fn pieces(&self, shares: &[Vec<Share>], spread: Spread, candidates: &[Found]) -> Vec<Piece<'_>> {
        let segments = self.passages.clone();
        let mut pieces: Vec<Piece<'_>> = segments
            .map(|number| {
                let InSegment { segment, places, weights, .. } = &self.segments[number];
                // Shares are in the order of rows.
                let shares = shares.iter().flatten().filter(|share| share.segment == number);
                let cosines = shares.flat_map(|share| &share.cosines);
                let meaning = cosines.map(|&cosine| spread.place(cosine)).collect();
                Piece { segment, places, weights, meaning }
            })
            .collect();
        for found in candidates {
            let (piece, row) = self.place(found);
            if let Some(meaning) = pieces[piece].meaning.get_mut(row as usize) {
                *meaning = spread.place(found.cosine);
            }
        }
        pieces
    }

    /// The passages that were ranked and may be found, best first.
    fn reached(&self, linked: &Linked<'_>) -> impl Iterator<Item = Place> {
        linked.places().filter(|&(piece, row)| {
            let allowed = &self.segments[self.passages.start + piece].allowed;
            allowed.as_ref().is_none_or(|rows| rows.contains(row))
        })
    }

    /// The place of a row among passages.
    fn place(&self, found: &Found) -> Place {
        (found.segment - self.passages.start, found.row)
    }

    /// Finds the best rows of shares.
    fn best<'s>(&self, shares: impl Iterator<Item = &'s Share>, spread: Spread, all: bool) -> Vec<Found> {
        let mut best = Best { keep: self.keep, least: 0.0, found: Vec::new() };
        let mut coverage = vec![0.0; WINDOW as usize];
        for share in shares {
            let InSegment { segment, places, weights, allowed, .. } = &self.segments[share.segment];
            let allowed = if all { &segment.alive } else { allowed };
            let mut scorer = Scorer::new(&segment.text, places, weights);
            let mut start = share.rows.start;
            while start < share.rows.end {
                let end = share.rows.end.min(start + WINDOW);
                let coverage = &mut coverage[..(end - start) as usize];
                scorer.coverage(start..end, coverage);
                let offset = (start - share.rows.start) as usize;
                let cosines = share.cosines.get(offset..offset + coverage.len()).unwrap_or_default();
                for (place, &coverage) in coverage.iter().enumerate() {
                    let cosine = cosines.get(place).copied().unwrap_or_default();
                    let score = self.score(coverage, cosine, spread);
                    let row = start + place as u32;
                    if score > best.least && allowed.as_ref().is_none_or(|rows| rows.contains(row)) {
                        best.push(Found { score, coverage, cosine, segment: share.segment, row });
                    }
                }
                start = end;
            }
        }
        best.into_found()
    }

    fn score(&self, coverage: f32, cosine: f32, spread: Spread) -> f32 {
        match self.mode {
            SearchMode::Text => coverage,
            SearchMode::Vector => cosine,
            _ => fuse(coverage, spread.place(cosine), self.request.vector_weight as f32),
        }
    }

    fn is_estimated(&self, segment: usize) -> bool {
        self.segments[segment].is_estimated()
    }

    /// Computes the cosine of a row.
    fn cosine(&self, segment: usize, row: u32) -> Result<f32> {
        let InSegment { segment, meaning, .. } = &self.segments[segment];
        let mut cosine = [0.0];
        if let (Some(vectors), Some(meaning)) = (&segment.vectors, meaning) {
            vectors.cosines(&meaning.vector, row as usize, &mut cosine)?;
        }
        Ok(cosine[0])
    }

    fn hit(&self, found: &Found, linked: Option<&Linked<'_>>) -> Result<Hit> {
        let InSegment { segment, places, weights, meaning, .. } = &self.segments[found.segment];
        let words = self.clauses.iter().zip(places).filter(|(_, places)| places.contains(found.row));
        let words: Vec<String> = words.map(|(clause, _)| clause.written()).collect();
        let mut why = Vec::new();
        if !words.is_empty() {
            why.push(format!("words: {}", words.join(", ")));
        }
        why.extend(meaning.as_ref().map(|_| format!("meaning: {:.2}", found.cosine)));
        let chain = self.chain(found, linked)?;
        why.extend(chain.as_deref().map(linked::in_words));
        let mut hit = segment.entry(found.row)?.into_hit(found.score, why.join("; "));
        hit.chain = chain.filter(|_| self.request.explain).unwrap_or_default();
        if let Some(longest) = self.request.longest.filter(|longest| hit.text.len() > *longest) {
            let words = self.clauses.iter().zip(weights.bounds()).filter_map(|(clause, weight)| {
                if let Clause::Word(word) = clause { Some((word.as_str(), weight)) } else { None }
            });
            shorten(&mut hit, &Wanted::new(words, &segment.text.languages), longest);
        }
        Ok(hit)
    }

    fn chain(&self, found: &Found, linked: Option<&Linked<'_>>) -> Result<Option<Vec<ChainStep>>> {
        match linked {
            Some(linked) if self.passages.contains(&found.segment) => linked.chain(self.place(found)),
            _ => Ok(None),
        }
    }
}

impl InSegment<'_> {
    fn is_estimated(&self) -> bool {
        self.meaning.as_ref().is_some_and(|meaning| meaning.estimate.is_some())
    }
}

/// The best rows so far.
struct Best {
    keep: usize,
    /// What a row must exceed.
    least: f32,
    found: Vec<Found>,
}

impl Best {
    fn push(&mut self, found: Found) {
        self.found.push(found);
        if self.found.len() >= self.keep * 2 + 1_000 {
            self.cut();
        }
    }

    /// Drops what is not among the best.
    fn cut(&mut self) {
        if self.keep == 0 {
            self.found.clear();
        } else if self.found.len() > self.keep {
            let (_, last, _) = self.found.select_nth_unstable_by(self.keep - 1, best_first);
            self.least = last.score;
            self.found.truncate(self.keep);
        }
    }

    fn into_found(mut self) -> Vec<Found> {
        self.cut();
        self.found
    }
}
