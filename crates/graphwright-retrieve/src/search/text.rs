//! Indexes the words of all entries with tantivy, in one segment whose document numbers are the
//! rows of the section.

use std::path::Path;

use tantivy::{
    DocSet, Index, SegmentReader, TantivyDocument, TantivyError, Term,
    directory::{MmapDirectory, RamDirectory},
    postings::Postings,
    schema::{
        Field, IndexRecordOption, OwnedValue, STORED, Schema, TextFieldIndexing, TextOptions, Value as _,
    },
    store::StoreReader,
    tokenizer::{PreTokenizedString, Token as TantivyToken},
};

use super::{entry::Entry, query::Clause};
use crate::dictionary::{Token, stem, tokens};

/// BM25's k1: how fast repetitions of a word stop to count.
pub(super) const K1: f32 = 1.2;
/// BM25's b: how much the length of a text counts.
pub(super) const B: f32 = 0.75;
/// Extra weight of a word in the name, relative to one in the text.
pub(super) const NAME_BONUS: f32 = 0.5;

/// Maximum number of words for a prefix. If there are more, the alphabetically first count.
const MOST_EXPANSIONS: usize = 200;
/// Distance between the words of name and text, so that no phrase spans both.
const GAP: usize = 16;
const WRITER_MEMORY: usize = 64 << 20;

/// A text index of a section.
pub(super) struct TextIndex {
    segment: SegmentReader,
    store: StoreReader,
    fields: Fields,
}

#[derive(Clone, Copy)]
struct Fields {
    /// Name and text, stemmed.
    text: Field,
    /// The name, stemmed.
    name: Field,
    /// Name and text as written, for prefixes.
    words: Field,
    /// The entry itself.
    entry: Field,
}

/// Scores of all rows for a query.
pub(super) struct TextScores {
    /// Share of the best possible score that each row reaches, from 0 to 1.
    pub(super) coverage: Vec<f32>,
    /// Rows of each clause, ascending.
    matches: Vec<(Clause, Vec<u32>)>,
    /// Rows that have all phrases; `None` if the query has no phrase.
    required: Option<Vec<u32>>,
}

impl TextScores {
    /// Returns whether a row has all phrases.
    pub(super) fn allows(&self, row: u32) -> bool {
        self.required.as_ref().is_none_or(|rows| rows.binary_search(&row).is_ok())
    }

    /// Returns the clauses that a row has.
    pub(super) fn found_in(&self, row: u32) -> impl Iterator<Item = &Clause> {
        let found = self.matches.iter().filter(move |(_, rows)| rows.binary_search(&row).is_ok());
        found.map(|(clause, _)| clause)
    }
}

/// Rows, each with its number of occurrences.
type Occurrences = Vec<(u32, u32)>;

impl TextIndex {
    /// Builds an index in a folder, or in memory if `folder` is `None`.
    pub(super) fn build(folder: Option<&Path>, entries: &[Entry]) -> tantivy::Result<Self> {
        let (schema, fields) = schema();
        let builder = Index::builder().schema(schema);
        let directory: Box<dyn tantivy::Directory> = match folder {
            Some(folder) => Box::new(MmapDirectory::open(folder)?),
            None => Box::new(RamDirectory::create()),
        };
        let mut writer = builder.single_segment_index_writer::<TantivyDocument>(directory, WRITER_MEMORY)?;
        for entry in entries {
            writer.add_document(document(entry, fields)?)?;
        }
        Self::read(&writer.finalize()?, fields)
    }

    /// Opens the index in a folder, whose files must be as they were written: others make it panic.
    /// Needs no permission to write there.
    pub(super) fn open(folder: MmapDirectory) -> tantivy::Result<Self> {
        let (schema, fields) = schema();
        let index = Index::open(folder)?;
        if index.schema() != schema {
            return Err(TantivyError::SchemaError("the fields are those of another version".to_owned()));
        }
        Self::read(&index, fields)
    }

    fn read(index: &Index, fields: Fields) -> tantivy::Result<Self> {
        let segments = index.searchable_segments()?;
        let [segment] = segments.as_slice() else {
            return Err(TantivyError::InternalError(format!("{} segments instead of one", segments.len())));
        };
        let segment = SegmentReader::open(segment)?;
        let store = segment.get_store_reader(8)?;
        Ok(Self { segment, store, fields })
    }

    pub(super) fn len(&self) -> usize {
        self.segment.max_doc() as usize
    }

    /// Reads the entry of a row.
    pub(super) fn entry(&self, row: u32) -> tantivy::Result<Entry> {
        let document: TantivyDocument = self.store.get(row)?;
        let text = document.get_first(self.fields.entry).and_then(|value| value.as_str());
        let entry = text.and_then(|text| serde_json::from_str(text).ok());
        entry.ok_or_else(|| TantivyError::InternalError(format!("row {row} cannot be read")))
    }

    /// Scores all rows.
    pub(super) fn score(&self, clauses: &[Clause]) -> tantivy::Result<TextScores> {
        let rows = self.len();
        let text = self.segment.inverted_index(self.fields.text)?;
        let name = self.segment.inverted_index(self.fields.name)?;
        let text_lengths = self.segment.get_fieldnorms_reader(self.fields.text)?;
        let name_lengths = self.segment.get_fieldnorms_reader(self.fields.name)?;
        let average = |tokens: u64| tokens as f32 / rows.max(1) as f32;
        let text_length = average(text.total_num_tokens());
        let name_length = average(name.total_num_tokens());

        let mut scores = vec![0.0_f32; rows];
        let (mut bound, mut matches) = (0.0, Vec::new());
        let mut required: Option<Vec<u32>> = None;
        for clause in clauses {
            let (found, in_names) = match clause {
                Clause::Word { stem, .. } => {
                    (self.occurrences(self.fields.text, stem)?, self.occurrences(self.fields.name, stem)?)
                }
                Clause::Prefix(prefix) => (self.prefix_occurrences(prefix)?, Vec::new()),
                Clause::Phrase(words) => (self.phrase_occurrences(words)?, Vec::new()),
            };
            let weight = clause_weight(clause) * inverse_frequency(found.len(), rows);
            // Saturation stays below K1 + 1, so `bound` is the most that texts can score without names.
            bound += weight * (K1 + 1.0);
            for &(row, count) in &found {
                let length = text_lengths.fieldnorm(row) as f32 / text_length;
                scores[row as usize] += weight * saturation(count, length);
            }
            for &(row, count) in &in_names {
                let length = name_lengths.fieldnorm(row) as f32 / name_length;
                scores[row as usize] += NAME_BONUS * weight * saturation(count, length);
            }
            let rows: Vec<u32> = found.into_iter().map(|(row, _)| row).collect();
            if matches!(clause, Clause::Phrase(_)) {
                let before = required.take();
                required = Some(match before {
                    None => rows.clone(),
                    Some(before) => {
                        before.into_iter().filter(|row| rows.binary_search(row).is_ok()).collect()
                    }
                });
            }
            matches.push((clause.clone(), rows));
        }
        if bound > 0.0 {
            for score in &mut scores {
                *score = (*score / bound).min(1.0);
            }
        }
        Ok(TextScores { coverage: scores, matches, required })
    }

    fn occurrences(&self, field: Field, word: &str) -> tantivy::Result<Occurrences> {
        let index = self.segment.inverted_index(field)?;
        let term = Term::from_field_text(field, word);
        let Some(mut postings) = index.read_postings(&term, IndexRecordOption::WithFreqs)? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::with_capacity(postings.doc_freq() as usize);
        while postings.doc() != tantivy::TERMINATED {
            found.push((postings.doc(), postings.term_freq()));
            postings.advance();
        }
        Ok(found)
    }

    fn prefix_occurrences(&self, prefix: &str) -> tantivy::Result<Occurrences> {
        let index = self.segment.inverted_index(self.fields.words)?;
        let mut words = index.terms().range().ge(prefix).into_stream()?;
        let mut expansions = Vec::new();
        while let Some((word, _)) = words.next() {
            if !word.starts_with(prefix.as_bytes()) || expansions.len() == MOST_EXPANSIONS {
                break;
            }
            expansions.push(String::from_utf8_lossy(word).into_owned());
        }
        let mut counts = std::collections::BTreeMap::new();
        for word in expansions {
            for (row, count) in self.occurrences(self.fields.words, &word)? {
                *counts.entry(row).or_insert(0) += count;
            }
        }
        Ok(counts.into_iter().collect())
    }

    fn phrase_occurrences(&self, words: &[String]) -> tantivy::Result<Occurrences> {
        let index = self.segment.inverted_index(self.fields.text)?;
        // Rows, with the positions where the words so far begin.
        let mut places: Option<Vec<(u32, Vec<u32>)>> = None;
        for (offset, word) in words.iter().enumerate() {
            let term = Term::from_field_text(self.fields.text, word);
            let option = IndexRecordOption::WithFreqsAndPositions;
            let Some(mut postings) = index.read_postings(&term, option)? else { return Ok(Vec::new()) };
            let mut here = Vec::new();
            let mut positions = Vec::new();
            while postings.doc() != tantivy::TERMINATED {
                postings.positions(&mut positions);
                let starts = positions.iter().filter_map(|place| place.checked_sub(offset as u32));
                let starts: Vec<u32> = match &places {
                    None => starts.collect(),
                    Some(before) => match before.binary_search_by_key(&postings.doc(), |(row, _)| *row) {
                        Ok(found) => starts.filter(|start| before[found].1.contains(start)).collect(),
                        Err(_) => Vec::new(),
                    },
                };
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

impl std::fmt::Debug for TextIndex {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TextIndex").field("rows", &self.len()).finish_non_exhaustive()
    }
}

/// Returns the weight of a clause. A phrase counts as all its words.
fn clause_weight(clause: &Clause) -> f32 {
    match clause {
        Clause::Phrase(words) => words.len() as f32,
        _ => 1.0,
    }
}

/// Returns BM25's weight of something that `count` of `rows` texts have. Highest for what no text
/// has.
fn inverse_frequency(count: usize, rows: usize) -> f32 {
    (1.0 + (rows as f32 - count as f32 + 0.5) / (count as f32 + 0.5)).ln()
}

/// Returns BM25's factor for `count` occurrences in a text of `length`, where 1 is the average
/// length.
fn saturation(count: u32, length: f32) -> f32 {
    let count = count as f32;
    count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length))
}

fn schema() -> (Schema, Fields) {
    let words = |option| {
        TextOptions::default().set_indexing_options(TextFieldIndexing::default().set_index_option(option))
    };
    let mut schema = Schema::builder();
    let fields = Fields {
        text: schema.add_text_field("text", words(IndexRecordOption::WithFreqsAndPositions)),
        name: schema.add_text_field("name", words(IndexRecordOption::WithFreqs)),
        words: schema.add_text_field("words", words(IndexRecordOption::WithFreqs)),
        entry: schema.add_text_field("entry", STORED),
    };
    (schema.build(), fields)
}

fn document(entry: &Entry, fields: Fields) -> tantivy::Result<TantivyDocument> {
    let (name, text) = (tokens(&entry.name), tokens(&entry.text));
    let stemmed = |word: &str| stem(word).into_owned();
    let mut document = TantivyDocument::default();
    document.add_field_value(fields.name, &positioned(&name, 0, stemmed));
    document.add_field_value(fields.text, &positioned(&name, 0, stemmed));
    document.add_field_value(fields.text, &positioned(&text, GAP, stemmed));
    document.add_field_value(fields.words, &positioned(&name, 0, str::to_owned));
    document.add_field_value(fields.words, &positioned(&text, GAP, str::to_owned));
    document.add_text(
        fields.entry,
        serde_json::to_string(entry).map_err(|error| TantivyError::InternalError(error.to_string()))?,
    );
    Ok(document)
}

fn positioned(words: &[Token], offset: usize, form: impl Fn(&str) -> String) -> OwnedValue {
    let tokens = words.iter().enumerate().map(|(position, word)| TantivyToken {
        offset_from: word.start,
        offset_to: word.end,
        position: offset + position,
        text: form(&word.text),
        position_length: 1,
    });
    OwnedValue::PreTokStr(PreTokenizedString { text: String::new(), tokens: tokens.collect() })
}
