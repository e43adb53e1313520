//! Where the clauses of a query occur in a segment.

use std::{collections::BTreeMap, sync::Arc};

use tantivy::{
    DocSet, InvertedIndexReader, Term,
    postings::{BlockSegmentPostings, Postings},
    query::FuzzyTermQuery,
    schema::{Field, IndexRecordOption},
};

use super::{query::Clause, text::TextIndex};

/// Maximum number of words for a prefix or a near spelling. If there are more, the alphabetically
/// first count.
const MOST_EXPANSIONS: usize = 200;

/// Rows in order, each with its number of occurrences.
#[derive(Clone)]
pub(super) enum List {
    /// As they are in the index.
    Blocks(Box<BlockSegmentPostings>),
    /// Put together from several words.
    Rows(Arc<Vec<(u32, u32)>>),
}

impl List {
    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Blocks(postings) => postings.doc_freq() as usize,
            Self::Rows(rows) => rows.len(),
        }
    }

    /// Returns whether a row is in the list.
    pub(super) fn contains(&self, row: u32) -> bool {
        match self {
            Self::Blocks(postings) => {
                let mut postings = postings.clone();
                let place = postings.seek(row);
                postings.docs().get(place) == Some(&row)
            }
            Self::Rows(rows) => rows.binary_search_by_key(&row, |(row, _)| *row).is_ok(),
        }
    }
}

/// Where a clause occurs.
#[derive(Clone)]
pub(super) struct Places {
    /// In names and texts.
    pub(super) text: Option<List>,
    /// In names.
    pub(super) name: Option<List>,
    /// Whether other rows are out of the question.
    pub(super) required: bool,
}

impl Places {
    /// Returns the number of rows.
    pub(super) fn frequency(&self) -> usize {
        self.text.as_ref().map_or(0, List::len)
    }

    pub(super) fn contains(&self, row: u32) -> bool {
        self.text.as_ref().is_some_and(|list| list.contains(row))
    }
}

impl TextIndex {
    /// Finds where a clause occurs.
    pub(super) fn places(&self, clause: &Clause) -> tantivy::Result<Places> {
        let expanded = |words: Vec<String>| {
            let index = self.segment.inverted_index(self.fields.words)?;
            list(&index, self.fields.words, &words)
        };
        let (text, name) = match clause {
            Clause::Word(word) => {
                let stems = self.stems(word);
                let text = list(&self.text.words, self.fields.text, &stems)?;
                (text, list(&self.name.words, self.fields.name, &stems)?)
            }
            Clause::Prefix(prefix) => (expanded(self.words_with_prefix(prefix)?)?, None),
            Clause::Fuzzy(word, distance) => (expanded(self.words_near(word, *distance)?)?, None),
            Clause::Phrase(words) => (self.phrase(words)?, None),
        };
        Ok(Places { text, name, required: matches!(clause, Clause::Phrase(_)) })
    }

    /// Calls `visit` with the places at which some rows, ascending, have the word of a clause: the number of words before
    /// it in the text, or `None` in the name. Other clauses than words have none.
    pub(super) fn visit_places(
        &self,
        clause: &Clause,
        rows: &[u32],
        mut visit: impl FnMut(u32, Option<u32>),
    ) -> tantivy::Result<()> {
        let Clause::Word(word) = clause else { return Ok(()) };
        let mut places = Vec::new();
        for stem in self.stems(word) {
            let term = Term::from_field_text(self.fields.text, &stem);
            let option = IndexRecordOption::WithFreqsAndPositions;
            let Some(mut postings) = self.text.words.read_postings(&term, option)? else { continue };
            for &row in rows {
                // Rows that the postings have passed do not have the word.
                if postings.doc() < row && postings.seek(row) == tantivy::TERMINATED {
                    break;
                }
                if postings.doc() == row {
                    postings.positions(&mut places);
                    // The words of the name come first. Lengths above 40 are rounded down.
                    let name = self.name.lengths.fieldnorm(row);
                    for &place in &places {
                        visit(row, place.checked_sub(name));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the stems of a word in the languages of the texts.
    fn stems(&self, word: &str) -> Vec<String> {
        let mut stems: Vec<String> = Vec::new();
        for stem in self.languages.iter().map(|language| language.stem(word)) {
            if !stems.iter().any(|known| *known == stem) {
                stems.push(stem.into_owned());
            }
        }
        stems
    }

    fn words_with_prefix(&self, prefix: &str) -> tantivy::Result<Vec<String>> {
        let index = self.segment.inverted_index(self.fields.words)?;
        let mut words = index.terms().range().ge(prefix).into_stream()?;
        let mut found = Vec::new();
        while let Some((word, _)) = words.next() {
            if !word.starts_with(prefix.as_bytes()) || found.len() == MOST_EXPANSIONS {
                break;
            }
            found.push(String::from_utf8_lossy(word).into_owned());
        }
        Ok(found)
    }

    /// Finds the words within an edit distance, where two letters that change places count as one
    /// edit (F. Damerau, *A technique for computer detection and correction of spelling errors*,
    /// 1964). Words with other first letters are found as well.
    fn words_near(&self, word: &str, distance: u8) -> tantivy::Result<Vec<String>> {
        let index = self.segment.inverted_index(self.fields.words)?;
        let near = FuzzyTermQuery::new(Term::from_field_text(self.fields.words, word), distance, true);
        let mut words = index.terms().search(near.automaton()?).into_stream()?;
        let mut found = Vec::new();
        while let Some((word, _)) = words.next() {
            if found.len() == MOST_EXPANSIONS {
                break;
            }
            found.push(String::from_utf8_lossy(word).into_owned());
        }
        Ok(found)
    }

    fn phrase(&self, words: &[String]) -> tantivy::Result<Option<List>> {
        let mut all: BTreeMap<u32, u32> = BTreeMap::new();
        let mut seen: Vec<Vec<String>> = Vec::new();
        for language in &self.languages {
            let stems: Vec<String> = words.iter().map(|word| language.stem(word).into_owned()).collect();
            if seen.contains(&stems) {
                continue;
            }
            for (row, count) in self.stems_in_a_row(&stems)? {
                let known = all.entry(row).or_default();
                *known = count.max(*known);
            }
            seen.push(stems);
        }
        Ok(Some(List::Rows(Arc::new(all.into_iter().collect()))))
    }

    fn stems_in_a_row(&self, stems: &[String]) -> tantivy::Result<Vec<(u32, u32)>> {
        // Rows, with the positions where the words so far begin.
        let mut places: Option<Vec<(u32, Vec<u32>)>> = None;
        for (offset, stem) in stems.iter().enumerate() {
            let term = Term::from_field_text(self.fields.text, stem);
            let option = IndexRecordOption::WithFreqsAndPositions;
            let Some(mut postings) = self.text.words.read_postings(&term, option)? else {
                return Ok(Vec::new());
            };
            let mut here = Vec::new();
            let mut positions = Vec::new();
            while postings.doc() != tantivy::TERMINATED {
                let before = places.as_ref().map(|before| {
                    let found = before.binary_search_by_key(&postings.doc(), |(row, _)| *row);
                    found.map_or(&[][..], |found| before[found].1.as_slice())
                });
                if before.is_some_and(<[u32]>::is_empty) {
                    postings.advance();
                    continue;
                }
                postings.positions(&mut positions);
                let starts = positions.iter().filter_map(|place| place.checked_sub(offset as u32));
                let starts: Vec<u32> =
                    starts.filter(|start| before.is_none_or(|before| before.contains(start))).collect();
                if !starts.is_empty() {
                    here.push((postings.doc(), starts));
                }
                postings.advance();
            }
            places = Some(here);
        }
        let places = places.unwrap_or_default();
        Ok(places.into_iter().map(|(row, starts)| (row, starts.len() as u32)).collect())
    }
}

/// Returns the rows that have any of the words, or `None` if there are none.
fn list(index: &InvertedIndexReader, field: Field, words: &[String]) -> tantivy::Result<Option<List>> {
    let mut found = Vec::new();
    for word in words {
        let term = Term::from_field_text(field, word);
        found.extend(index.read_block_postings(&term, IndexRecordOption::WithFreqs)?);
    }
    if found.len() <= 1 {
        return Ok(found.pop().map(|postings| List::Blocks(Box::new(postings))));
    }
    let mut counts = BTreeMap::new();
    for mut postings in found {
        while !postings.docs().is_empty() {
            for (row, count) in postings.docs().iter().zip(postings.freqs()) {
                *counts.entry(*row).or_insert(0) += count;
            }
            postings.advance();
        }
    }
    Ok(Some(List::Rows(Arc::new(counts.into_iter().collect()))))
}
