//! Ranks the passages of an index by the names that connect them.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use graphwright_core::text::shorten;
use tantivy::{
    DocSet, TERMINATED, Term,
    columnar::{Column, StrColumn},
    schema::{Field, IndexRecordOption},
};

use super::{
    ChainStep, SearchMode,
    postings::Places,
    query::Clause,
    scoring::{Scorer, Weights},
    segment::Segment,
    text::{DOCUMENT, NAMES},
};
use crate::{
    Result,
    rank::{Chain, Named, Passages, Question, Ranked, names_in_question, rank_by_chains, rank_by_pagerank},
};

/// How many of the passages that plain search finds are ranked anew.
pub(super) const CANDIDATES: usize = 100;
/// How many words of a text, one behind the other, are close together: about a sentence.
const CLOSE: u32 = 20;
/// What a word counts that only the name of a passage has, where one in the text counts 1.
const IN_NAME: f32 = 0.8;

/// A segment of passages as one query sees it.
pub(super) struct Piece<'a> {
    pub(super) segment: &'a Segment,
    pub(super) places: &'a [Places],
    pub(super) weights: &'a Weights,
    /// Similarity of each row in meaning, from 0 to 1; empty if the query has no vector.
    pub(super) meaning: Vec<f32>,
}

/// A row of one of the pieces.
pub(super) type Place = (usize, u32);

/// New scores of passages.
pub(super) struct Linked<'a> {
    passages: Indexed<'a>,
    /// Best first.
    ranked: Vec<Ranked>,
    /// Positions of passages in `ranked`.
    positions: HashMap<u32, usize>,
    /// The least score of them. Other passages come behind.
    least: f32,
    /// The names of the question that passages have.
    pub(super) names: Vec<String>,
}

impl<'a> Linked<'a> {
    /// Ranks passages for a query. `found` are those that plain search finds, with their scores.
    pub(super) fn rank(
        pieces: Vec<Piece<'a>>,
        (query, clauses): (&str, &[Clause]),
        mode: SearchMode,
        found: &[(Place, f32)],
        meaning_weight: f32,
    ) -> Result<Self> {
        let mut passages = Indexed::new(pieces)?;
        let found: Vec<(u32, f32)> =
            found.iter().map(|(place, score)| (passages.number(*place), *score)).collect();
        let candidates: Vec<u32> = found.iter().map(|(passage, _)| *passage).collect();
        let weights: Vec<f32> =
            passages.pieces.first().into_iter().flat_map(|piece| piece.weights.bounds()).collect();
        passages.closeness = passages.closeness(clauses, &weights, &candidates)?;
        let numbers = names_in_question(query, |key| passages.name_number(key))?;
        let names = numbers.iter().map(|&name| passages.key(name)).collect();
        let ranked = if mode == SearchMode::PageRank {
            let ranked = rank_by_pagerank(&passages, &found, &numbers)?;
            let best = ranked.first().map_or(1.0, |(_, rank)| *rank);
            let one = |(passage, rank)| Ranked { passage, score: rank / best, chain: None };
            ranked.into_iter().map(one).collect()
        } else {
            let (weights, candidates) = (&weights, &candidates);
            rank_by_chains(&passages, &Question { weights, names: &numbers, candidates, meaning_weight })?
        };
        let least = ranked.last().map_or(1.0, |ranked| ranked.score);
        let positions = (0..).zip(&ranked).map(|(position, ranked)| (ranked.passage, position)).collect();
        Ok(Self { passages, ranked, positions, least, names })
    }

    /// Returns the ranked passages, best first.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        self.ranked.iter().map(|ranked| self.passages.place(ranked.passage))
    }

    /// Returns the score of a passage in place of that of plain search.
    pub(super) fn score(&self, place: Place, plain: f32) -> f32 {
        self.ranked_at(place).map_or(plain * self.least, |ranked| ranked.score)
    }

    /// Returns the best chain that a passage stands in.
    pub(super) fn chain(&self, place: Place) -> Result<Option<Vec<ChainStep>>> {
        let chain = self.ranked_at(place).and_then(|ranked| ranked.chain.as_deref());
        chain.map(|chain| self.steps(chain)).transpose()
    }

    fn ranked_at(&self, place: Place) -> Option<&Ranked> {
        self.positions.get(&self.passages.number(place)).map(|&position| &self.ranked[position])
    }

    fn steps(&self, chain: &Chain) -> Result<Vec<ChainStep>> {
        let links = [None].into_iter().chain(chain.links.iter().map(Some));
        let steps = chain.passages.iter().zip(links).map(|(&passage, link)| {
            let (piece, row) = self.passages.place(passage);
            let entry = self.passages.pieces[piece].segment.entry(row)?;
            let name = link.and_then(|link| link.name);
            Ok(ChainStep {
                id: entry.id,
                name: shorten(&entry.name, 80),
                by: name.map(|name| self.passages.key(name)),
                strength: link.map(|link| f64::from(link.strength)),
            })
        });
        steps.collect()
    }
}

/// Formats a chain, such as `chain: Journals → (vienna society) Adolescence`.
pub(super) fn in_words(steps: &[ChainStep]) -> String {
    let mut text = String::new();
    for (at, step) in steps.iter().enumerate() {
        text.push_str(match &step.by {
            None if at == 0 => "chain: ",
            None => " and ",
            Some(_) => " → ",
        });
        if let Some(name) = &step.by {
            text.push_str(&format!("({name}) "));
        }
        text.push_str(if step.name.is_empty() { &step.id } else { &step.name });
    }
    text
}

/// The passages of all segments, numbered one behind the other.
struct Indexed<'a> {
    pieces: Vec<Piece<'a>>,
    /// Number of the first passage of each piece, and behind them the number of all.
    firsts: Vec<u32>,
    columns: Vec<Columns>,
    /// `starts[passage]..starts[passage + 1]` are the credits of a passage.
    starts: Vec<u32>,
    credits: Vec<(u32, f32)>,
    /// The share of the query's words that stand close together in each candidate.
    closeness: HashMap<u32, f32>,
    names: RefCell<Names>,
    /// Lists that were read.
    read: RefCell<HashMap<u32, Rc<Named>>>,
}

/// What is read by row of a segment.
struct Columns {
    names: Option<StrColumn>,
    document: Column<u64>,
}

/// The names that were met, by numbers that hold for all segments.
#[derive(Default)]
struct Names {
    keys: Vec<String>,
    /// Whether several passages have the name.
    shared: Vec<bool>,
    by_key: HashMap<String, u32>,
    /// By piece and number there.
    by_number: HashMap<(usize, u64), u32>,
}

impl<'a> Indexed<'a> {
    fn new(pieces: Vec<Piece<'a>>) -> Result<Self> {
        let mut firsts = vec![0];
        let mut columns = Vec::new();
        for (at, Piece { segment, .. }) in pieces.iter().enumerate() {
            firsts.push(firsts[at] + segment.text.len() as u32);
            let fields = segment.text.segment.fast_fields();
            let read = || Ok(Columns { names: fields.str(NAMES)?, document: fields.u64(DOCUMENT)? });
            columns.push(read().map_err(|error| segment.failed(&error))?);
        }
        let (starts, credits) = credits(&pieces, &firsts);
        Ok(Self {
            pieces,
            firsts,
            columns,
            starts,
            credits,
            closeness: HashMap::new(),
            names: RefCell::default(),
            read: RefCell::default(),
        })
    }

    fn number(&self, (piece, row): Place) -> u32 {
        self.firsts[piece] + row
    }

    fn place(&self, passage: u32) -> Place {
        let piece = self.firsts.partition_point(|first| *first <= passage) - 1;
        (piece, passage - self.firsts[piece])
    }

    /// Returns the number of a name, or `None` if no passage has it.
    fn name_number(&self, key: &str) -> Result<Option<u32>> {
        Ok(if self.frequency(key)? > 0 { Some(self.intern(key.to_owned())?) } else { None })
    }

    fn intern(&self, key: String) -> Result<u32> {
        if let Some(&known) = self.names.borrow().by_key.get(&key) {
            return Ok(known);
        }
        let shared = self.frequency(&key)? > 1;
        let mut names = self.names.borrow_mut();
        let number = names.keys.len() as u32;
        names.keys.push(key.clone());
        names.shared.push(shared);
        names.by_key.insert(key, number);
        Ok(number)
    }

    fn key(&self, name: u32) -> String {
        self.names.borrow().keys[name as usize].clone()
    }

    /// Returns in how many passages a name is. That is known without reading which, and most names are in one.
    fn frequency(&self, key: &str) -> Result<usize> {
        let of = |Piece { segment, .. }: &Piece<'_>| -> tantivy::Result<usize> {
            let field = segment.text.fields.names;
            let index = segment.text.segment.inverted_index(field)?;
            Ok(index.doc_freq(&Term::from_field_text(field, key))? as usize)
        };
        self.pieces.iter().map(|piece| of(piece).map_err(|error| piece.segment.failed(&error))).sum()
    }

    /// Returns the number of a name by its number in a segment.
    fn name_in(&self, piece: usize, number: u64) -> Result<u32> {
        if let Some(&known) = self.names.borrow().by_number.get(&(piece, number)) {
            return Ok(known);
        }
        let segment = self.pieces[piece].segment;
        let key = || -> tantivy::Result<String> {
            let index = segment.text.segment.inverted_index(segment.text.fields.names)?;
            let mut key = Vec::new();
            index.terms().ord_to_term(number, &mut key)?;
            Ok(String::from_utf8_lossy(&key).into_owned())
        };
        let name = self.intern(key().map_err(|error| segment.failed(&error))?)?;
        self.names.borrow_mut().by_number.insert((piece, number), name);
        Ok(name)
    }

    fn read(&self, name: u32) -> Result<Named> {
        let key = self.key(name);
        let mut named = Named::default();
        for (Piece { segment, .. }, &first) in self.pieces.iter().zip(&self.firsts) {
            let fields = segment.text.fields;
            for (field, into) in [(fields.names, &mut named.mentioned), (fields.headings, &mut named.headed)]
            {
                let rows = rows(segment, field, &key).map_err(|error| segment.failed(&error))?;
                into.extend(rows.into_iter().map(|row| first + row));
            }
        }
        Ok(named)
    }

    /// Returns the share of the query's words, by weight, that the best stretch of each candidate has, with those of its
    /// name.
    fn closeness(
        &self,
        clauses: &[Clause],
        weights: &[f32],
        candidates: &[u32],
    ) -> Result<HashMap<u32, f32>> {
        let mut sorted = candidates.to_vec();
        sorted.sort_unstable();
        let mut places: HashMap<u32, Vec<(Option<u32>, usize)>> = HashMap::new();
        for (Piece { segment, .. }, bounds) in self.pieces.iter().zip(self.firsts.windows(2)) {
            let (first, end) = (bounds[0], bounds[1]);
            let here = sorted.iter().filter(|passage| (first..end).contains(passage));
            let rows: Vec<u32> = here.map(|passage| passage - first).collect();
            for (word, clause) in clauses.iter().enumerate() {
                let visited = segment.text.visit_places(clause, &rows, |row, place| {
                    places.entry(first + row).or_default().push((place, word));
                });
                visited.map_err(|error| segment.failed(&error))?;
            }
        }
        let total: f32 = weights.iter().sum();
        let shares: Vec<f32> = weights.iter().map(|weight| weight / total).collect();
        Ok(places.into_iter().map(|(passage, places)| (passage, best_stretch(places, &shares))).collect())
    }
}

/// Returns the rows that have a name and still stand for something, ascending.
fn rows(segment: &Segment, field: Field, key: &str) -> tantivy::Result<Vec<u32>> {
    let index = segment.text.segment.inverted_index(field)?;
    let postings = index.read_postings(&Term::from_field_text(field, key), IndexRecordOption::Basic)?;
    let Some(mut postings) = postings else { return Ok(Vec::new()) };
    let mut rows = Vec::with_capacity(postings.doc_freq() as usize);
    while postings.doc() != TERMINATED {
        if segment.alive.as_ref().is_none_or(|alive| alive.contains(postings.doc())) {
            rows.push(postings.doc());
        }
        postings.advance();
    }
    Ok(rows)
}

/// Sorts the scores of all clauses by passage: how far each has each of them.
fn credits(pieces: &[Piece<'_>], firsts: &[u32]) -> (Vec<u32>, Vec<(u32, f32)>) {
    let count = firsts.last().copied().unwrap_or_default() as usize;
    let mut all = Vec::new();
    let mut starts = vec![0_u32; count + 1];
    for (Piece { segment, places, weights, .. }, first) in pieces.iter().zip(firsts) {
        let bounds: Vec<f32> = weights.bounds().collect();
        for (clause, mut scores) in Scorer::new(&segment.text, places, weights).by_clause() {
            for (row, score) in &mut scores {
                *score = (*score / bounds[clause as usize]).min(1.0);
                starts[(first + *row) as usize + 1] += 1;
            }
            all.push((*first, clause, scores));
        }
    }
    for passage in 0..count {
        starts[passage + 1] += starts[passage];
    }
    let mut next = starts.clone();
    let mut credits = vec![(0, 0.0); starts[count] as usize];
    for (first, clause, scores) in all {
        for (row, score) in scores {
            let place = &mut next[(first + row) as usize];
            credits[*place as usize] = (clause, score);
            *place += 1;
        }
    }
    (starts, credits)
}

impl Passages for Indexed<'_> {
    fn count(&self) -> usize {
        self.firsts.last().copied().unwrap_or_default() as usize
    }

    fn credits(&self, passage: u32) -> &[(u32, f32)] {
        let place = passage as usize;
        &self.credits[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    fn meaning(&self, passage: u32) -> f32 {
        let (piece, row) = self.place(passage);
        self.pieces[piece].meaning.get(row as usize).copied().unwrap_or(0.0)
    }

    fn closeness(&self, passage: u32) -> f32 {
        self.closeness.get(&passage).copied().unwrap_or(0.0)
    }

    fn document(&self, passage: u32) -> Option<u64> {
        let (piece, row) = self.place(passage);
        self.columns[piece].document.first(row)
    }

    fn names_in(&self, passage: u32) -> Result<Vec<u32>> {
        let (piece, row) = self.place(passage);
        // The numbers of the column are those of the words: both count the same names in the same order.
        let numbers = self.columns[piece].names.iter().flat_map(|names| names.term_ords(row));
        let names: Vec<u32> = numbers.map(|number| self.name_in(piece, number)).collect::<Result<_>>()?;
        let known = self.names.borrow();
        Ok(names.into_iter().filter(|&name| known.shared[name as usize]).collect())
    }

    fn passages_with(&self, name: u32) -> Result<Rc<Named>> {
        if let Some(known) = self.read.borrow().get(&name) {
            return Ok(Rc::clone(known));
        }
        let named = Rc::new(self.read(name)?);
        self.read.borrow_mut().insert(name, Rc::clone(&named));
        Ok(named)
    }
}

/// Returns the greatest weight of different words within a stretch. What has no place is in the name.
fn best_stretch(mut places: Vec<(Option<u32>, usize)>, weights: &[f32]) -> f32 {
    places.sort_unstable();
    let texts = places.partition_point(|(place, _)| place.is_none());
    let mut base = vec![0.0_f32; weights.len()];
    for &(_, word) in &places[..texts] {
        base[word] = IN_NAME * weights[word];
    }
    let mut best: f32 = base.iter().sum();
    for (at, &(start, _)) in places[texts..].iter().enumerate() {
        let mut had = base.clone();
        let end = start.map(|start| start + CLOSE);
        let stretch = places[texts + at..].iter().take_while(|(place, _)| *place < end);
        stretch.for_each(|&(_, word)| had[word] = weights[word]);
        best = best.max(had.iter().sum());
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_stretch_has_most_of_the_words_and_those_of_the_name() {
        let weights = [0.5, 0.3, 0.2];
        let text = |place: u32| Some(place);
        let close = |places: &[(Option<u32>, usize)]| best_stretch(places.to_vec(), &weights);
        assert!((close(&[(text(3), 0), (text(9), 1)]) - 0.8).abs() < 1e-6);
        assert!((close(&[(text(90), 1), (text(3), 0)]) - 0.5).abs() < 1e-6, "far apart");
        assert!((close(&[(None, 0), (text(3), 2)]) - 0.6).abs() < 1e-6, "0.8 of the word in the name");
        assert!(close(&[]).abs() < 1e-6);
    }
}
