//! Tables whose rows are relationships: `acted_in.csv`, with a person, a film and a role (join tables).

use std::collections::BTreeMap;

use graphwright_core::{Value, text::identifier_words};
use graphwright_documents::extraction::DropReason;

use super::{Entity, Meaning, Walk, records::beginning, references::Reference};
use crate::{
    columns,
    facts::{
        blocks::{Origin, Row, Table},
        text::BlockText,
        walk::headings,
    },
};

/// What the columns of a table of relationships say.
#[derive(Debug)]
struct Related<'k> {
    relation: usize,
    from: Reference<'k>,
    to: Reference<'k>,
    /// The property of the relationship that each column has.
    properties: Vec<Option<usize>>,
}

impl Walk<'_> {
    /// Reads a table of relationships. Returns whether it is one: the file or the section is called as the relationship, or two
    /// columns refer to things between which there is only one and nothing else in the table is of either.
    pub(super) fn relationship_rows(&mut self, table: &Table) -> bool {
        if table.origin != Origin::Records {
            return false;
        }
        let Some(related) = self.related(table, self.keys) else {
            return self.are_unknown_relationships(table);
        };
        for row in &table.rows {
            let ends = self.named_by(&related.from, row).zip(self.named_by(&related.to, row));
            let Some((from, to)) = ends else {
                self.collector.drop(DropReason::Malformed, row.span, || beginning(row));
                continue;
            };
            let properties = self.properties_of(&related, table, row);
            for (end, thing) in [(&related.from, &from), (&related.to, &to)] {
                if let Some(cell) = row.cells.get(end.columns[0]) {
                    self.collector.mention(thing, cell.span(cell.trim(0..cell.text.len())));
                }
            }
            self.collector.fact(related.relation, &from, &to, self.base(), 1.0, row.span, properties);
        }
        true
    }

    /// Whether the file or the section is called as a relationship, of nothing that a column names: what its rows relate is
    /// not known before other files were read. They are dropped then.
    fn are_unknown_relationships(&mut self, table: &Table) -> bool {
        let are_rows = self.relation_of_rows().is_some() && !columns::are_named(table);
        if are_rows {
            for row in &table.rows {
                self.collector.drop(DropReason::Malformed, row.span, || beginning(row));
            }
        }
        are_rows
    }

    fn related<'k>(&self, table: &Table, keys: &'k [super::KeyColumn]) -> Option<Related<'k>> {
        let references = self.references(table, keys);
        let named = self.relation_of_rows();
        if named.is_none() && (references.len() != 2 || self.are_things(table, &references)) {
            return None;
        }
        let all = 0..self.lexicon.vocabulary.relations.len();
        let mut found =
            all.filter(|relation| named.is_none_or(|named| named == *relation)).filter_map(|relation| {
                let end = |inverse, other: Option<usize>| {
                    let kinds = self.far_end(relation, inverse);
                    (0..references.len()).find(|at| {
                        Some(*at) != other
                            && references[*at].end.kinds.iter().any(|kind| kinds.contains(kind))
                    })
                };
                let from = end(true, None)?;
                Some((relation, from, end(false, Some(from))?))
            });
        let (relation, from, to) = found.next()?;
        if found.next().is_some() {
            return None;
        }
        let (from, to) = (references[from].clone(), references[to].clone());
        let property = |column: usize| self.property_of(relation, table.header[column].trimmed());
        let properties = (0..table.header.len()).map(property).collect();
        Some(Related { relation, from, to, properties })
    }

    /// The relationship that the section or else the file is called as, and no type.
    fn relation_of_rows(&self) -> Option<usize> {
        let called = if self.heading.is_empty() {
            headings::words_of_file(&self.source)
        } else {
            identifier_words(&self.heading)
        };
        let vocabulary = self.lexicon.vocabulary;
        let is_called = |name: &str| identifier_words(name) == called;
        let is_type = || {
            vocabulary
                .keys
                .exact_meanings(&called.join(" "))
                .iter()
                .any(|meaning| matches!(meaning, Meaning::Kind(_)))
        };
        let named = vocabulary.relations.iter().position(|relation| is_called(&relation.name));
        named.filter(|_| !is_type()).or_else(|| {
            let meanings = vocabulary.keys.exact_meanings(&called.join(" ")).iter();
            let mut relations = meanings.filter_map(|meaning| match meaning {
                Meaning::Relation { relation, .. } => Some(*relation),
                _ => None,
            });
            relations.next().filter(|_| self.kind_of_rows().is_none())
        })
    }

    /// Whether the rows are of a type: one of the columns identifies them, or is a property of what the file or the section
    /// says that they are.
    fn are_things(&self, table: &Table, references: &[Reference<'_>]) -> bool {
        let refers = |column: &usize| references.iter().any(|reference| reference.columns.contains(column));
        let is_property = |kind: usize| {
            (0..table.header.len())
                .any(|column| !refers(&column) && self.is_property(table.header[column].trimmed(), kind))
        };
        let rows = self.kind_of_records(table);
        columns::are_named(table)
            || references.iter().any(|reference| columns::is_unique(table, &reference.columns))
            || rows.is_some_and(|rows| {
                is_property(rows) || !references.iter().any(|reference| reference.end.kinds.contains(&rows))
            })
    }

    fn property_of(&self, relation: usize, header: &str) -> Option<usize> {
        let words = identifier_words(header);
        self.lexicon.vocabulary.relations[relation].properties.iter().position(|(name, definition)| {
            std::iter::once(name).chain(&definition.synonyms).any(|name| identifier_words(name) == words)
        })
    }

    fn properties_of(&mut self, related: &Related<'_>, table: &Table, row: &Row) -> BTreeMap<String, Value> {
        let relation = &self.lexicon.vocabulary.relations[related.relation];
        let mut properties = BTreeMap::new();
        for (column, property) in related.properties.iter().enumerate() {
            let text = row.cells.get(column).map_or("", BlockText::trimmed);
            let is_end = related.from.columns.contains(&column) || related.to.columns.contains(&column);
            if text.is_empty() || is_end && property.is_none() {
                continue;
            }
            let what = || format!("{}.{} = {text}", relation.name, table.header[column].trimmed());
            let Some((name, definition)) = property.map(|property| &relation.properties[property]) else {
                self.collector.drop(DropReason::UnknownProperty, row.span, what);
                continue;
            };
            match definition.parse_value(text) {
                Some(value) => {
                    properties.insert(name.clone(), value);
                }
                None => self.collector.drop(DropReason::BadValue, row.span, what),
            }
        }
        properties
    }

    /// The thing that a row refers to.
    fn named_by(&self, reference: &Reference<'_>, row: &Row) -> Option<Entity> {
        if let [column] = reference.columns.as_slice() {
            return self.thing_called(row.cells.get(*column)?.trimmed(), &reference.end);
        }
        reference.named_in(row)
    }
}
