//! Facets: the terms by which entries are filtered.

use tantivy::InvertedIndexReader;

use super::{entry::Entry, stems::Language};

/// Beginnings of the facets of each sort.
pub(super) const LABEL: &str = "l\0";
pub(super) const DOCUMENT: &str = "d\0";
pub(super) const ID: &str = "i\0";
pub(super) const PROPERTY: &str = "p\0";
const LANGUAGE: &str = "s\0";

/// Returns the facets of an entry, by which it is filtered.
pub(super) fn facets_of(entry: &Entry) -> Vec<String> {
    let facets = &entry.facets;
    let mut all = vec![format!("{ID}{}", entry.shown.id), format!("{LANGUAGE}{}", facets.language.code())];
    all.extend(facets.labels.iter().map(|label| format!("{LABEL}{label}")));
    all.extend(facets.documents.iter().map(|document| format!("{DOCUMENT}{document}")));
    all.extend(facets.properties.iter().map(|(name, value)| format!("{PROPERTY}{name}\0{value}")));
    all
}

/// Reads the languages of the texts.
pub(super) fn languages(facets: &InvertedIndexReader) -> tantivy::Result<Vec<Language>> {
    let mut found = facets.terms().range().ge(LANGUAGE).into_stream()?;
    let mut languages = Vec::new();
    while let Some((facet, _)) = found.next() {
        let Some(code) = facet.strip_prefix(LANGUAGE.as_bytes()) else { break };
        languages.push(Language::of_code(&String::from_utf8_lossy(code)));
    }
    Ok(languages)
}
