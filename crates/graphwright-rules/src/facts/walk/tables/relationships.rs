//! Tables whose rows are relationships: `acted_in.csv`, with a person, a film and a role (join tables).

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{Value, text::identifier_words};
use graphwright_documents::extraction::DropReason;
use graphwright_english::inflection::singular;

use super::{
    Entity, Meaning, Walk,
    records::beginning,
    references::{Reference, base_of},
};
use crate::{
    columns::{self, Group},
    facts::{
        blocks::{Origin, Row, Table},
        text::BlockText,
        walk::headings,
    },
    headers,
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
    /// Reads a table of relationships. Returns whether it is one: the file or the section is called as a relationship, or columns
    /// refer to things between which there are relationships and nothing else in the table is of one of them.
    pub(super) fn relationship_rows(&mut self, table: &Table) -> bool {
        if table.origin != Origin::Records {
            return false;
        }
        let named = self.relation_of_rows();
        let things = columns::referred(table, |words| self.kind_of_nested(words).is_some());
        let all = self.related(table, named, &things, self.keys);
        if all.is_empty() {
            return named.is_some() && self.are_unknown_relationships(table);
        }
        let mut names: HashMap<usize, Vec<BlockText>> = HashMap::new();
        for thing in &things {
            let (called, list) = thing.read(table);
            self.table(&list);
            names.insert(thing.key, called);
        }
        for (number, row) in table.rows.iter().enumerate() {
            for related in &all {
                let named = |end| self.named_by(end, row, named_beside(end, &names, number));
                let Some((from, to)) = named(&related.from).zip(named(&related.to)) else {
                    self.collector.drop(DropReason::Malformed, row.span, || beginning(row));
                    continue;
                };
                let properties = self.properties_of(related, table, row);
                for (end, thing) in [(&related.from, &from), (&related.to, &to)] {
                    if let Some(cell) = row.cells.get(end.columns[0]) {
                        self.collector.mention(thing, cell.span(cell.trim(0..cell.text.len())));
                    }
                }
                self.collector.fact(related.relation, &from, &to, self.base(), 1.0, row.span, properties);
            }
            self.drop_unread(&all, &things, table, row);
        }
        true
    }

    /// The relationships that the rows are: the one that the file or the section is called as, and of each two further things
    /// the one between them.
    fn related<'k>(
        &self,
        table: &Table,
        named: Option<usize>,
        things: &[Group],
        keys: &'k [super::KeyColumn],
    ) -> Vec<Related<'k>> {
        let mut references = self.references(table, keys);
        // The code beside the id of a team names no other team.
        let is_beside = |reference: &Reference<'_>| {
            let column = reference.columns[0];
            reference.columns.len() == 1
                && things.iter().any(|thing| thing.has(column) && thing.key != column)
        };
        // What has a list of others is a thing, of which the list tells.
        let holds_lists = |reference: &Reference<'_>| {
            let cells =
                |row: &Row| row.cells.get(reference.columns[0]).is_some_and(|cell| cell.items.len() > 1);
            table.rows.iter().any(cells)
        };
        references.retain(|reference| !is_beside(reference) && !holds_lists(reference));
        if references.len() < 2 || named.is_none() && self.are_things(table, &references, things) {
            return Vec::new();
        }
        let ends = |relation: usize| {
            let end = |inverse, other: Option<usize>| {
                let kinds = self.far_end(relation, inverse);
                (0..references.len()).find(|at| {
                    Some(*at) != other && references[*at].end.kinds.iter().any(|kind| kinds.contains(kind))
                })
            };
            let from = end(true, None)?;
            Some((relation, from, end(false, Some(from))?))
        };
        let mut found: Vec<(usize, usize, usize)> = named.and_then(ends).into_iter().collect();
        if named.is_none() || references.len() > 2 && !found.is_empty() {
            let all: Vec<_> = (0..self.lexicon.vocabulary.relations.len()).filter_map(ends).collect();
            let alike = |(_, from, to): &(usize, usize, usize), (_, other, end): &(usize, usize, usize)| {
                (from.min(to), from.max(to)) == (other.min(end), other.max(end))
            };
            let held = |relation: usize| {
                let headers = table.header.iter().map(BlockText::trimmed);
                headers.filter(|header| self.property_of(relation, header).is_some()).count()
            };
            // Of several between the same things the one that has most of the columns.
            let is_only = |one: &&(usize, usize, usize)| {
                let mut others = all.iter().filter(|other| other.0 != one.0 && alike(one, other));
                others.all(|other| held(other.0) < held(one.0))
                    && !found.iter().any(|other| alike(one, other))
            };
            let only: Vec<_> = all.iter().filter(is_only).copied().collect();
            found.extend(only);
        }
        // Both stations are on the line.
        let like = |end: usize, others: [usize; 2]| -> Vec<usize> {
            let is_like = |at: &usize| {
                !others.contains(at) && are_numbered_alike(table, &references[end], &references[*at])
            };
            (0..references.len()).filter(is_like).collect()
        };
        for (relation, from, to) in found.clone() {
            let ends = [from, to];
            found.extend(like(from, ends).into_iter().map(|other| (relation, other, to)));
            found.extend(like(to, ends).into_iter().map(|other| (relation, from, other)));
        }
        let related = |(relation, from, to): (usize, usize, usize)| {
            let property = |column: usize| self.property_of(relation, table.header[column].trimmed());
            let properties = (0..table.header.len()).map(property).collect();
            Related { relation, from: references[from].clone(), to: references[to].clone(), properties }
        };
        found.into_iter().map(related).collect()
    }

    /// Whether the rows of what is called as a relationship refer to something by keys, and are nothing that a column names: what
    /// they relate is not known before other files were read. They are dropped then.
    fn are_unknown_relationships(&mut self, table: &Table) -> bool {
        let refers = table.header.iter().any(|header| headers::is_identifying(header.trimmed()));
        let are_rows = refers && !columns::are_named(table, |_| false);
        if are_rows {
            for row in &table.rows {
                self.collector.drop(DropReason::Malformed, row.span, || beginning(row));
            }
        }
        are_rows
    }

    /// The relationship that the section or else the file is called as, and no type.
    fn relation_of_rows(&self) -> Option<usize> {
        if !self.heading.is_empty() {
            return self.relation_called(&identifier_words(&self.heading));
        }
        // The `details` of orders may be what they contain.
        let whole = headings::stem_of_file(&self.source);
        let called = headings::words_of_file(&self.source);
        let named = self.relation_named(&whole).filter(|_| whole.len() > called.len());
        named.or_else(|| headings::parts_of_name(&called).find_map(|words| self.relation_called(words)))
    }

    fn relation_named(&self, words: &[String]) -> Option<usize> {
        let text = words.join(" ");
        let is_named = |name: &str| {
            let name = identifier_words(name).join(" ");
            name == text || name == singular(&text)
        };
        self.lexicon.vocabulary.relations.iter().position(|relation| is_named(&relation.name))
    }

    /// The relationship that words say, where they say no type.
    fn relation_called(&self, words: &[String]) -> Option<usize> {
        let keys = &self.lexicon.vocabulary.keys;
        let text = words.join(" ");
        let meanings = match keys.exact_meanings(&text) {
            [] => keys.exact_meanings(&singular(&text)),
            found => found,
        };
        let is_type = meanings.iter().any(|meaning| matches!(meaning, Meaning::Kind(_)));
        self.relation_named(words).filter(|_| !is_type).or_else(|| {
            let mut relations = meanings.iter().filter_map(|meaning| match meaning {
                Meaning::Relation { relation, .. } => Some(*relation),
                _ => None,
            });
            relations.next().filter(|_| self.kind_of_rows().is_none())
        })
    }

    /// Whether the rows are of a type: one of the columns identifies them, or is a property of what the file or the section
    /// says that they are.
    fn are_things(&self, table: &Table, references: &[Reference<'_>], things: &[Group]) -> bool {
        let tells_of_thing = |column: usize| things.iter().any(|thing| thing.has(column));
        let refers = |column: usize| {
            references.iter().any(|reference| reference.columns.contains(&column)) || tells_of_thing(column)
        };
        let is_property = |kind: usize| {
            (0..table.header.len())
                .any(|column| !refers(column) && self.is_property(table.header[column].trimmed(), kind))
        };
        let rows = self.kind_of_records(table);
        columns::are_named(table, tells_of_thing)
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
            if text.is_empty() {
                continue;
            }
            let Some(property) = property else { continue };
            let (name, definition) = &relation.properties[*property];
            if let Some(value) = definition.parse_value(text) {
                properties.insert(name.clone(), value);
            } else {
                let what = || format!("{}.{} = {text}", relation.name, table.header[column].trimmed());
                self.collector.drop(DropReason::BadValue, row.span, what);
            }
        }
        properties
    }

    /// Counts the cells of a row that none of its relationships says anything of.
    fn drop_unread(&mut self, all: &[Related<'_>], things: &[Group], table: &Table, row: &Row) {
        for (column, header) in table.header.iter().enumerate() {
            let text = row.cells.get(column).map_or("", BlockText::trimmed);
            let is_read = |related: &Related<'_>| {
                let ends = [&related.from, &related.to];
                related.properties[column].is_some() || ends.iter().any(|end| end.columns.contains(&column))
            };
            let is_told = || all.iter().any(is_read) || things.iter().any(|thing| thing.has(column));
            if text.is_empty() || columns::counts_rows(header.trimmed()) || is_told() {
                continue;
            }
            let relation = &self.lexicon.vocabulary.relations[all[0].relation].name;
            let what = || format!("{relation}.{} = {text}", header.trimmed());
            self.collector.drop(DropReason::UnknownProperty, row.span, what);
        }
    }

    /// The thing that a row refers to: by a key, else by the name beside it.
    fn named_by(&self, reference: &Reference<'_>, row: &Row, beside: Option<&str>) -> Option<Entity> {
        let [column] = reference.columns.as_slice() else { return reference.named_in(row) };
        let text = row.cells.get(*column)?.trimmed();
        let is_key = reference.end.keys.is_some_and(|keys| keys.names.contains_key(text));
        self.thing_called(beside.filter(|_| !is_key).unwrap_or(text), &reference.end)
    }
}

/// Whether only numbers tell the headers of two columns apart: `station1`, `station2`.
fn are_numbered_alike(table: &Table, one: &Reference<'_>, other: &Reference<'_>) -> bool {
    let ([one], [other]) = (one.columns.as_slice(), other.columns.as_slice()) else { return false };
    base_of(table, *one) == base_of(table, *other)
}

/// What the thing of a row is called beside its key, by the columns of keys.
fn named_beside<'t>(
    reference: &Reference<'_>,
    names: &'t HashMap<usize, Vec<BlockText>>,
    row: usize,
) -> Option<&'t str> {
    let [key] = reference.columns.as_slice() else { return None };
    Some(names.get(key)?.get(row)?.trimmed()).filter(|name| !name.is_empty())
}
