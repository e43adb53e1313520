//! The things that the rows of a list of records refer to, as the ontology tells them by its keys and properties.

use graphwright_core::{names::NAME, text::identifier_words};

use crate::{
    columns::{self, Group, Known},
    facts::{
        blocks::{Origin, Table},
        text::BlockText,
        walk::{Meaning, Walk},
    },
    headers,
};

/// So many columns that are properties of a type say that the rows are of it.
const TELLING: usize = 3;

impl Walk<'_> {
    /// The list of the rows and those of the things that they refer to. `None` if the list stays as it is.
    pub(super) fn lists_apart(&self, table: &Table) -> Option<Vec<Table>> {
        let rows = match &table.origin {
            Origin::Nested(key) => self.kind_of_nested(key),
            _ => self.kind_of_records(table),
        };
        let kind_of = |words: &[String]| self.kind_of_nested(&words.join(" "));
        let relates = |one, other| self.lexicon.vocabulary.only_relation(one, other).is_some();
        let refers = |one: &[String], other: &[String]| {
            let ends = kind_of(one).zip(kind_of(other));
            ends.is_some_and(|(one, other)| {
                relates(one, other) && rows.is_some_and(|rows| !relates(rows, other))
            })
        };
        let known = Known {
            is_thing: &|words| self.kind_of_nested(words).is_some(),
            names_rows: &|header| rows.is_none_or(|rows| self.names_rows(header, rows)),
            identifies_rows: &|header| rows.is_some_and(|rows| self.is_key_of(header, rows)),
            groups: rows.map_or_else(Vec::new, |rows| self.groups_of_keys(table, rows)),
            refers: &refers,
        };
        columns::apart(table, known)
    }

    /// The type of the rows of a list of records: as the section or the file says, or that of which the columns are properties.
    pub(super) fn kind_of_records(&self, table: &Table) -> Option<usize> {
        self.kind_of_rows()
            .or_else(|| self.kind_by_columns(table).filter(|_| table.origin == Origin::Records))
    }

    /// The type of which most columns are properties, where nothing says that each row is of another one: no column with the
    /// word or the key of a type names each row differently.
    fn kind_by_columns(&self, table: &Table) -> Option<usize> {
        let headers: Vec<&str> = table.header.iter().map(BlockText::trimmed).collect();
        let names = |column: usize| {
            self.kind_of_header(headers[column]).is_some() || self.key_of(headers[column]).is_some()
        };
        if (0..headers.len()).any(|column| names(column) && columns::is_unique(table, &[column])) {
            return None;
        }
        let count = |kind: usize| headers.iter().filter(|header| self.is_property(header, kind)).count();
        let counts = (0..self.lexicon.vocabulary.types.len()).map(|kind| (count(kind), kind));
        let (most, kind) = counts.clone().max()?;
        let alone = counts.filter(|(count, _)| *count == most).count() == 1;
        (alone && most >= TELLING).then_some(kind)
    }

    /// Whether a header is the word for the type of the rows, which may be a property as well: the `flight` of flights is its
    /// number.
    pub(super) fn names_rows(&self, header: &str, rows: usize) -> bool {
        let words = identifier_words(header);
        let own = &self.lexicon.vocabulary.types[rows].words;
        self.kind_of_header(header) == Some(rows) || own.contains(&words)
    }

    /// The columns that speak of things by the keys of their types: the key, the name and further properties.
    fn groups_of_keys(&self, table: &Table, rows: usize) -> Vec<Group> {
        let headers: Vec<&str> = table.header.iter().map(BlockText::trimmed).collect();
        let group = |key: usize| {
            let kind = self.key_of(headers[key]).filter(|kind| *kind != rows)?;
            let of_kind = |column: &usize| *column != key && self.is_property(headers[*column], kind);
            let others: Vec<usize> = (0..headers.len())
                .filter(|column| of_kind(column) && !self.is_property(headers[*column], rows))
                .collect();
            let is_called =
                |column: &usize| *column != key && self.kind_of_header(headers[*column]) == Some(kind);
            let called = (0..headers.len()).find(is_called);
            // A key alone refers to the records that it is the key of.
            let name = called
                .or_else(|| others.iter().copied().find(|column| self.is_name(headers[*column], kind)))?;
            let words = self.lexicon.vocabulary.types[kind].words.first()?.clone();
            (!columns::is_unique(table, &[key])).then(|| Group { words, key, name: vec![name], others })
        };
        (0..headers.len()).filter_map(group).collect()
    }

    /// The type whose things a header's values identify, as the ontology declares: `fips` of counties. An `id` may be that of
    /// anything.
    pub(super) fn key_of(&self, header: &str) -> Option<usize> {
        self.only_keyed(header).filter(|_| !headers::is_general_key(header))
    }

    /// The only type that the ontology declares to be identified by what a header says.
    pub(super) fn only_keyed(&self, header: &str) -> Option<usize> {
        let kinds = 0..self.lexicon.vocabulary.types.len();
        let mut keyed = kinds.filter(|kind| self.is_key_of(header, *kind));
        keyed.next().filter(|_| keyed.next().is_none())
    }

    /// Whether the ontology declares that things of a type are identified by what a header says.
    pub(super) fn is_key_of(&self, header: &str, kind: usize) -> bool {
        let key = &self.lexicon.vocabulary.types[kind].key;
        key != NAME && identifier_words(key) == identifier_words(header)
    }

    pub(super) fn is_property(&self, header: &str, kind: usize) -> bool {
        let vocabulary = self.lexicon.vocabulary;
        let of_kind = |meaning: &Meaning| matches!(meaning, Meaning::Property(property) if vocabulary.properties[*property].owner == kind);
        vocabulary.keys.exact_meanings(header).iter().any(of_kind)
    }

    /// Whether a header is that of a property that may be called `name`.
    fn is_name(&self, header: &str, kind: usize) -> bool {
        let vocabulary = self.lexicon.vocabulary;
        vocabulary.keys.exact_meanings(header).iter().any(|meaning| {
            let Meaning::Property(property) = meaning else { return false };
            let property = &vocabulary.properties[*property];
            property.owner == kind && property.phrases.iter().any(|phrase| phrase.as_slice() == [NAME])
        })
    }
}
