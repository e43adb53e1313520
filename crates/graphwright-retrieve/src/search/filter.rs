//! Filters rows within the index: by labels, documents, identifiers, properties and time.

use tantivy::{DocSet, Term, columnar::Column, schema::IndexRecordOption};

use super::{
    SearchRequest,
    facets::{DOCUMENT, ID, LABEL, PROPERTY},
    rows::{Rows, both},
    text::{TextIndex, VALID_FROM, VALID_TO},
};
use crate::validity::day_number;

impl TextIndex {
    /// Finds the rows that a request lets through, or returns `None` if it lets all through.
    pub(super) fn filtered(&self, request: &SearchRequest) -> tantivy::Result<Option<Rows>> {
        let mut found = None;
        let all_of = |prefix: &str, values: &mut dyn Iterator<Item = &String>| {
            self.having(values.map(|value| format!("{prefix}{value}")))
        };
        if !request.labels.is_empty() {
            found = both(found, Some(all_of(LABEL, &mut request.labels.iter())?));
        }
        if let Some(document) = &request.document {
            found = both(found, Some(all_of(DOCUMENT, &mut std::iter::once(document))?));
        }
        if let Some(among) = &request.among {
            found = both(found, Some(all_of(ID, &mut among.iter())?));
        }
        for (name, value) in &request.properties {
            let wanted = std::iter::once(format!("{PROPERTY}{name}\0{value}"));
            found = both(found, Some(self.having(wanted)?));
        }
        if let Some(day) = request.valid_on {
            found = both(found, Some(self.valid_on(i64::from(day_number(day)))?));
        }
        Ok(found)
    }

    /// Finds the rows that have any of these facets.
    fn having(&self, facets: impl Iterator<Item = String>) -> tantivy::Result<Rows> {
        let index = self.segment.inverted_index(self.fields.facets)?;
        let mut rows = Rows::none(self.len());
        for facet in facets {
            let term = Term::from_field_text(self.fields.facets, &facet);
            if let Some(mut found) = index.read_postings(&term, IndexRecordOption::Basic)? {
                while found.doc() != tantivy::TERMINATED {
                    rows.insert(found.doc());
                    found.advance();
                }
            }
        }
        Ok(rows)
    }

    /// Finds the rows that are so on a day. What has no dates is so on every day.
    fn valid_on(&self, day: i64) -> tantivy::Result<Rows> {
        let columns = self.segment.fast_fields();
        let (from, to) = (columns.i64(VALID_FROM)?, columns.i64(VALID_TO)?);
        let mut rows = Rows::all(self.len());
        let mut keep = |column: &Column<i64>, holds: &dyn Fn(i64) -> bool| {
            for row in 0..self.len() as u32 {
                if column.first(row).is_some_and(|bound| !holds(bound)) {
                    rows.remove(row);
                }
            }
        };
        keep(&from, &|from| from <= day);
        keep(&to, &|to| to >= day);
        Ok(rows)
    }
}
