//! Indexes the words and facets of entries with tantivy, in one segment whose document numbers are
//! the rows.

use std::path::Path;

use tantivy::{
    Directory, Index, InvertedIndexReader, SegmentReader, TantivyDocument, TantivyError,
    directory::{MmapDirectory, RamDirectory},
    fieldnorm::FieldNormReader,
    indexer::SingleSegmentIndexWriter,
    schema::{
        FAST, Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value as _,
    },
    store::StoreReader,
};

use super::{
    entry::{Entry, Shown},
    facets,
    stems::{Language, Stems},
};
use crate::{
    Result, RetrieveError,
    dictionary::{Token, tokens},
};

type Writer = SingleSegmentIndexWriter<TantivyDocument>;

const WRITER_MEMORY: usize = 64 << 20;

/// The words and facets of the entries of a segment.
pub(super) struct TextIndex {
    pub(super) segment: SegmentReader,
    pub(super) fields: Fields,
    /// Languages of the texts.
    pub(super) languages: Vec<Language>,
    pub(super) text: Indexed,
    pub(super) name: Indexed,
    store: StoreReader,
}

/// A field with the lengths of its texts.
pub(super) struct Indexed {
    pub(super) words: std::sync::Arc<InvertedIndexReader>,
    pub(super) lengths: FieldNormReader,
}

#[derive(Clone, Copy)]
pub(super) struct Fields {
    /// Name and text, stemmed.
    pub(super) text: Field,
    /// The name, stemmed.
    pub(super) name: Field,
    /// Name and text as written, for prefixes and near spellings.
    pub(super) words: Field,
    /// What is filtered by.
    pub(super) facets: Field,
    /// The names in a passage.
    pub(super) names: Field,
    /// The names that head a passage.
    pub(super) headings: Field,
    /// A number for the document of a passage.
    document: Field,
    valid_from: Field,
    valid_to: Field,
    /// The entry itself.
    entry: Field,
}

/// Name of the field with the first day on which an entry is so.
pub(super) const VALID_FROM: &str = "valid_from";
/// Name of the field with the last day on which an entry is so.
pub(super) const VALID_TO: &str = "valid_to";

/// Name of the field with the names in a passage.
pub(super) const NAMES: &str = "names";
/// Name of the field with the number of a passage's document.
pub(super) const DOCUMENT: &str = "document";

impl TextIndex {
    /// Builds an index in a folder, or in memory if `folder` is `None`.
    pub(super) fn build(folder: Option<&Path>, entries: impl Iterator<Item = Result<Entry>>) -> Result<Self> {
        let failed = |error: TantivyError| RetrieveError::text_index(folder, &error);
        let (mut writer, fields) = Self::writer(folder).map_err(failed)?;
        let stems = Stems::default();
        for entry in entries {
            let entry = entry?;
            document(&entry, fields, &stems)
                .and_then(|document| writer.add_document(document))
                .map_err(failed)?;
        }
        writer.finalize().and_then(|index| Self::read(&index, fields)).map_err(failed)
    }

    fn writer(folder: Option<&Path>) -> tantivy::Result<(Writer, Fields)> {
        let (schema, fields) = schema();
        let builder = Index::builder().schema(schema);
        let directory: Box<dyn Directory> = match folder {
            Some(folder) => Box::new(MmapDirectory::open(folder)?),
            None => Box::new(RamDirectory::create()),
        };
        Ok((builder.single_segment_index_writer(directory, WRITER_MEMORY)?, fields))
    }

    /// Opens an index. Needs no permission to write there.
    pub(super) fn open(directory: impl Into<Box<dyn Directory>>) -> tantivy::Result<Self> {
        let (schema, fields) = schema();
        let index = Index::open(directory)?;
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
        let indexed = |field| {
            let (words, lengths) = (segment.inverted_index(field)?, segment.get_fieldnorms_reader(field)?);
            Ok::<_, TantivyError>(Indexed { words, lengths })
        };
        let (text, name) = (indexed(fields.text)?, indexed(fields.name)?);
        let languages = facets::languages(&*segment.inverted_index(fields.facets)?)?;
        Ok(Self { segment, fields, languages, text, name, store })
    }

    pub(super) fn len(&self) -> usize {
        self.segment.max_doc() as usize
    }

    /// Reads what is shown of a row.
    pub(super) fn entry(&self, row: u32) -> tantivy::Result<Shown> {
        let document: TantivyDocument = self.store.get(row)?;
        let text = document.get_first(self.fields.entry).and_then(|value| value.as_str());
        let entry = text.and_then(|text| serde_json::from_str(text).ok());
        entry.ok_or_else(|| TantivyError::InternalError(format!("row {row} cannot be read")))
    }
}

impl std::fmt::Debug for TextIndex {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TextIndex").field("rows", &self.len()).finish_non_exhaustive()
    }
}

fn schema() -> (Schema, Fields) {
    let words = |option| {
        let indexing = TextFieldIndexing::default().set_tokenizer("whitespace").set_index_option(option);
        TextOptions::default().set_indexing_options(indexing)
    };
    let mut schema = Schema::builder();
    let fields = Fields {
        text: schema.add_text_field("text", words(IndexRecordOption::WithFreqsAndPositions)),
        name: schema.add_text_field("name", words(IndexRecordOption::WithFreqs)),
        words: schema.add_text_field("words", words(IndexRecordOption::WithFreqs)),
        facets: schema.add_text_field("facets", STRING),
        names: schema.add_text_field(NAMES, STRING | FAST),
        headings: schema.add_text_field("headings", STRING),
        document: schema.add_u64_field(DOCUMENT, FAST),
        valid_from: schema.add_i64_field(VALID_FROM, FAST),
        valid_to: schema.add_i64_field(VALID_TO, FAST),
        entry: schema.add_text_field("entry", STORED),
    };
    (schema.build(), fields)
}

fn document(entry: &Entry, fields: Fields, stems: &Stems) -> tantivy::Result<TantivyDocument> {
    let (name, text) = (tokens(&entry.shown.name), tokens(&entry.shown.text));
    let stemmed = |words: &[Token]| {
        joined(words, |word, into| stems.with_stem(entry.facets.language, word, |stem| into.push_str(stem)))
    };
    let written = |words: &[Token]| joined(words, |word, into| into.push_str(word));
    let mut document = TantivyDocument::default();
    let stemmed_name = stemmed(&name);
    document.add_text(fields.name, &stemmed_name);
    // Positions are not contiguous between values, so that no phrase spans name and text.
    document.add_text(fields.text, stemmed_name);
    document.add_text(fields.text, stemmed(&text));
    document.add_text(fields.words, written(&name));
    document.add_text(fields.words, written(&text));
    for facet in facets::facets_of(entry) {
        document.add_text(fields.facets, facet);
    }
    entry.facets.names.iter().for_each(|name| document.add_text(fields.names, name));
    entry.facets.headings.iter().for_each(|name| document.add_text(fields.headings, name));
    if let Some(number) = entry.document_number() {
        document.add_u64(fields.document, number);
    }
    if let Some(interval) = entry.facets.validity {
        document.add_i64(fields.valid_from, i64::from(interval.first));
        document.add_i64(fields.valid_to, i64::from(interval.last));
    }
    let shown = serde_json::to_string(&entry.shown);
    let shown = shown.map_err(|error| TantivyError::InternalError(error.to_string()))?;
    document.add_text(fields.entry, shown);
    Ok(document)
}

/// Joins words by spaces, at which tantivy splits them again.
fn joined(words: &[Token], push: impl Fn(&str, &mut String)) -> String {
    let mut text = String::with_capacity(words.iter().map(|word| word.text.len() + 1).sum());
    for word in words {
        push(&word.text, &mut text);
        text.push(' ');
    }
    text
}
