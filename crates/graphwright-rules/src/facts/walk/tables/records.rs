//! Rows of files of records: names and values are taken as they stand.

use std::collections::BTreeMap;
use std::ops::Range;

use graphwright_core::{Span, Value, names, text::identifier_words};
use graphwright_documents::extraction::DropReason;
use graphwright_english::names::name_key;
use graphwright_ontology::DataType;

use super::{
    Entity, Layout, Meaning, Walk,
    references::{FarEnd, Joint, KeyColumn, keys_of_rows},
    rows::{LONGEST_NAME, Rows},
};
use crate::{
    columns,
    facts::{
        blocks::{Origin, Row, Table},
        collect::Status,
        people,
        text::BlockText,
        values,
        walk::fields,
        words,
    },
};

impl Walk<'_> {
    /// Reads rows, each of which names a thing of the layout's type.
    pub(super) fn record_rows(&mut self, layout: &Layout, table: &Table) {
        // The number of an order tells no two customers of one name apart.
        let is_own = |header: &str| match columns::keyed(header) {
            Some(words) => self.kind_of_nested(&words).is_none_or(|kind| kind == layout.kind),
            None => !columns::counts_rows(header),
        };
        let rows = Rows::read(layout, table, self.lexicon.vocabulary, is_own);
        let keys = self.key_columns(layout, table, &rows);
        for key in &keys {
            for (value, name) in &key.names {
                self.collector.key(&Entity { kind: key.kind, name: name.clone() }, &key.column, value);
            }
        }
        let known: Vec<&KeyColumn> = keys.iter().chain(self.keys).collect();
        let joint = self.joint_references(layout, table, &known);
        let layout = &self.with_references(&without(layout, &joint), table, &known);
        let ends: Vec<FarEnd<'_>> =
            (0..table.header.len()).map(|column| self.far_end_of(layout, table, column, &known)).collect();
        let repeated = rows.own.len() < table.rows.len();
        let keys = keys_of_rows(self.keys, self.lexicon.vocabulary, layout, table);
        for (row, (name, written)) in table.rows.iter().zip(rows.names.iter().zip(&rows.written)) {
            if name.is_empty() {
                self.collector.drop(DropReason::Malformed, row.span, || beginning(row));
                continue;
            }
            let other = |known: &&String| !known.eq_ignore_ascii_case(name);
            let keyed = keys.and_then(|keys| keys.names.get(name)).filter(other);
            let known = keyed.cloned().unwrap_or_else(|| self.known_row(layout.kind, name, &rows));
            let entity = Entity { kind: layout.kind, name: known };
            self.collector.alias(&entity, name);
            // A bare `100` would be any.
            if name.starts_with(written) {
                self.collector.alias(&entity, written);
            }
            self.record(layout, &entity, row, &ends, &joint);
            if repeated {
                let status = self.base().max(self.row_status(layout, row));
                self.relate_columns(layout, row, &ends, status);
            }
        }
    }

    /// The name under which the thing of a row is known elsewhere, unless that is another row's.
    pub(super) fn known_row(&self, kind: usize, name: &str, rows: &Rows) -> String {
        let gazetteer = self.lexicon.gazetteer;
        let found = gazetteer.lookup_whole(name);
        let mut fitting =
            found.iter().map(|entry| &gazetteer.entries[*entry]).filter(|entry| entry.kind == kind);
        match (fitting.next(), fitting.next()) {
            (Some(entry), None) if !rows.own.contains(&name_key(&entry.name)) => entry.name.clone(),
            _ => name.to_owned(),
        }
    }

    /// The types that a relationship may have at the end that a cell gives.
    pub(super) fn far_end(&self, relation: usize, inverse: bool) -> Vec<usize> {
        let definition = &self.lexicon.vocabulary.relations[relation];
        if inverse { definition.from.clone() } else { definition.to.clone() }
    }

    fn record(
        &mut self,
        layout: &Layout,
        entity: &Entity,
        row: &Row,
        ends: &[FarEnd<'_>],
        joint: &[Joint<'_>],
    ) {
        let status = self.base().max(self.row_status(layout, row));
        self.collector.mention(entity, row.cells[layout.key].span(0..row.cells[layout.key].text.len()));
        self.entry(entity, self.base(), row.span);
        self.section_value(entity, status, row.span);
        self.implied_value(layout, entity, status, row.span);
        for (column, meaning) in layout.meanings.iter().enumerate() {
            let Some(cell) = row.cells.get(column).filter(|cell| !cell.trimmed().is_empty()) else {
                continue;
            };
            let key = self.header_of(column);
            if let Some(Meaning::Property(property)) = meaning {
                let definition = &self.lexicon.vocabulary.properties[*property].definition;
                if !matches!(definition.kind, DataType::List(_)) {
                    self.record_property(entity, *property, &key, cell, row.span);
                } else if !is_given_before(layout, row, column) {
                    // The values of several columns are read with the first.
                    let places =
                        (column..layout.meanings.len()).filter(|at| layout.meanings[*at] == *meaning);
                    let cells: Vec<&BlockText> = places.filter_map(|at| row.cells.get(at)).collect();
                    self.record_property(entity, *property, &key, &together(&cells), row.span);
                }
            } else if let Some(property) = layout.references.get(&column) {
                self.record_property(entity, *property, &key, cell, row.span);
            }
            match meaning {
                Some(Meaning::Relation { relation, inverse }) => {
                    for (other, range) in self.held_by(entity, cell, &ends[column]) {
                        self.collector.mention(&other, cell.span(range));
                        let (from, to) = if *inverse { (&other, entity) } else { (entity, &other) };
                        self.collector.fact(*relation, from, to, status, 1.0, row.span, BTreeMap::new());
                    }
                }
                Some(Meaning::Property(_) | Meaning::Kind(_)) => {}
                None if column == layout.key || columns::counts_rows(&self.header[column]) => {}
                None if is_aliases(&self.header[column]) => {
                    for other in other_names(cell) {
                        self.collector.alias(entity, other);
                    }
                }
                None if joint.iter().any(|joint| joint.reference.columns.contains(&column)) => {}
                None if ends[column].kinds.is_empty() => {
                    let what = || format!("{}.{} = {}", entity.name, self.header[column], cell.trimmed());
                    self.collector.drop(DropReason::UnknownProperty, row.span, what);
                }
                None => {
                    for (other, range) in self.named_in_cell(cell, &ends[column]) {
                        self.collector.mention(&other, cell.span(range));
                    }
                }
            }
        }
        for joint in joint {
            let Some(other) = joint.reference.named_in(row) else { continue };
            let (from, to) = if joint.inverse { (&other, entity) } else { (entity, &other) };
            self.collector.fact(joint.relation, from, to, status, 1.0, row.span, BTreeMap::new());
        }
        // What has records of its own is described by them.
        self.columns_among_themselves(layout, row, status, |column| ends[column].keys.is_none());
    }

    /// States how the things in two other columns are related, where only one relationship can be meant: the player and the
    /// award in one of the rows of a tournament. Where each row is of one thing, its columns speak of that.
    fn relate_columns(&mut self, layout: &Layout, row: &Row, ends: &[FarEnd<'_>], status: Status) {
        let typed = |column: usize| layout.kinds[column].filter(|_| column != layout.key);
        let own = |column: usize, kind: usize| {
            let cell = row.cells.get(column).filter(|cell| !cell.trimmed().is_empty())?;
            let end = FarEnd { kinds: vec![kind], ..ends[column] };
            match self.named_in_cell(cell, &end).as_slice() {
                [(only, _)] => Some(only.clone()),
                _ => None,
            }
        };
        let things: Vec<Entity> =
            (0..layout.kinds.len()).filter_map(|column| own(column, typed(column)?)).collect();
        let different = |kind: usize| things.iter().filter(|thing| thing.kind == kind).count() == 1;
        for (at, one) in things.iter().enumerate() {
            for other in &things[at + 1..] {
                let only = self.lexicon.vocabulary.only_relation(one.kind, other.kind);
                let Some((relation, inverse)) = only.filter(|_| different(one.kind) && different(other.kind))
                else {
                    continue;
                };
                let (from, to) = if inverse { (other, one) } else { (one, other) };
                self.collector.fact(relation, from, to, status, 0.9, row.span, BTreeMap::new());
            }
        }
    }

    /// States the value, or the values, of a property as they stand.
    pub(in crate::facts::walk) fn record_property(
        &mut self,
        entity: &Entity,
        property: usize,
        key: &str,
        cell: &BlockText,
        span: Span,
    ) {
        let entry = &self.lexicon.vocabulary.properties[property];
        let read = |text: &str| {
            let literal = || entry.definition.parse_value(text);
            let number = || matches!(entry.definition.kind, DataType::Integer | DataType::Float);
            let day = || (entry.definition.kind == DataType::Date).then(|| values::day_of_moment(text))?;
            fields::with_unit_of_key(key, text, entry)
                .or_else(|| {
                    number().then(|| values::read_measured(text, &entry.definition, entry.measure))?
                })
                .or_else(literal)
                .or_else(day)
        };
        let value = match (&entry.definition.kind, cell.items.as_slice()) {
            (DataType::List(item), items) if !items.is_empty() => {
                let item =
                    graphwright_ontology::PropertyType { kind: (**item).clone(), ..entry.definition.clone() };
                let read: Option<Vec<Value>> =
                    items.iter().map(|range| item.parse_value(&cell.text[range.clone()])).collect();
                read.map(Value::List)
            }
            _ => read(cell.trimmed()),
        };
        match value {
            Some(value) => self.collector.property(entity, property, value, Status::Fact, 1.0, span),
            None if words::is_no_value(&cell.trimmed().to_lowercase()) => {}
            None => {
                let what = || format!("{}.{} = {}", entity.name, entry.name, cell.trimmed());
                self.collector.drop(DropReason::BadValue, span, what);
            }
        }
    }

    /// The things that a cell names in the record of a thing: those that are known as its own (`Chrome 100`), or by their names.
    fn held_by(&self, entity: &Entity, cell: &BlockText, end: &FarEnd<'_>) -> Vec<(Entity, Range<usize>)> {
        let gazetteer = self.lexicon.gazetteer;
        let own = |range: &Range<usize>| {
            let name = format!("{} {}", entity.name, cell.text[range.clone()].trim());
            let found = gazetteer.lookup_whole(&name);
            let mut fitting = found.iter().map(|entry| &gazetteer.entries[*entry]);
            let entry = fitting.find(|entry| end.kinds.contains(&entry.kind))?;
            Some((Entity { kind: entry.kind, name: entry.name.clone() }, range.clone()))
        };
        let own: Vec<_> = cell.items.iter().filter_map(own).collect();
        if own.is_empty() { self.named_in_cell(cell, end) } else { own }
    }

    /// The things that a cell names: each of its values is one, or what the values are split at.
    fn named_in_cell(&self, cell: &BlockText, end: &FarEnd<'_>) -> Vec<(Entity, Range<usize>)> {
        let known = |text: &str| {
            let gazetteer = self.lexicon.gazetteer;
            gazetteer
                .lookup_whole(text)
                .iter()
                .any(|entry| end.kinds.contains(&gazetteer.entries[*entry].kind))
        };
        let people = end.kinds.iter().all(|kind| self.lexicon.vocabulary.types[*kind].human);
        let ranges = if cell.items.is_empty() {
            fields::list_pieces(&cell.text, cell.trim(0..cell.text.len()), (end.plural, people), &known)
        } else {
            cell.items.clone()
        };
        let named = ranges
            .into_iter()
            .filter_map(|range| Some((self.thing_called(cell.text[range.clone()].trim(), end)?, range)));
        named.collect()
    }

    /// The thing that a value means: by what identifies it, by name, or a new one of the only possible type.
    pub(super) fn thing_called(&self, text: &str, end: &FarEnd<'_>) -> Option<Entity> {
        if let Some((keys, name)) = end.keys.and_then(|keys| Some((keys, keys.names.get(text)?))) {
            return Some(Entity { kind: keys.kind, name: name.clone() });
        }
        if text.is_empty() || text.len() > LONGEST_NAME || words::is_no_value(&text.to_lowercase()) {
            return None;
        }
        let gazetteer = self.lexicon.gazetteer;
        let found = gazetteer.lookup_whole(text);
        let mut fitting = found
            .iter()
            .map(|entry| &gazetteer.entries[*entry])
            .filter(|entry| end.kinds.contains(&entry.kind));
        if let Some(entry) = fitting.next() {
            let same = entry.name != text && fitting.next().is_some();
            return (!same).then(|| Entity { kind: entry.kind, name: entry.name.clone() });
        }
        match people::types_for(self.lexicon, text, &end.kinds).as_slice() {
            [kind] if end.texts || text.chars().any(char::is_alphabetic) => {
                Some(Entity { kind: *kind, name: text.to_owned() })
            }
            _ => None,
        }
    }
}

/// The name in the key column of a table in a text, however it is spelled; not `n/a`, and no number.
pub(super) fn literal_name(text: &str, kind: usize) -> Option<Entity> {
    let text = text.trim();
    let named = text.len() <= LONGEST_NAME
        && text.chars().any(char::is_alphabetic)
        && !words::is_no_value(&text.to_lowercase());
    named.then(|| Entity { kind, name: text.to_owned() })
}

/// The same layout, in which columns that refer to a thing together do not name others alone.
fn without(layout: &Layout, joint: &[Joint<'_>]) -> Layout {
    let mut layout = layout.clone();
    for column in joint.iter().flat_map(|joint| &joint.reference.columns) {
        layout.kinds[*column] = None;
        layout.meanings[*column] =
            layout.meanings[*column].filter(|meaning| matches!(meaning, Meaning::Property(_)));
    }
    layout
}

/// The first cells of a row, to tell which is meant.
pub(super) fn beginning(row: &Row) -> String {
    let cells = row.cells.iter().map(BlockText::trimmed).filter(|cell| !cell.is_empty());
    cells.take(3).collect::<Vec<_>>().join(", ")
}

/// Whether a column before another one has the same meaning, and a value in a row.
fn is_given_before(layout: &Layout, row: &Row, column: usize) -> bool {
    let is_given = |at: usize| row.cells.get(at).is_some_and(|cell| !cell.trimmed().is_empty());
    (0..column).any(|at| layout.meanings[at] == layout.meanings[column] && is_given(at))
}

/// Whether a column holds other names of what the rows speak of.
fn is_aliases(header: &str) -> bool {
    identifier_words(header) == [names::ALIASES]
}

/// The values of several columns of one property.
fn together(cells: &[&BlockText]) -> BlockText {
    if let [only] = cells {
        return (*only).clone();
    }
    let values = cells.iter().flat_map(|cell| {
        let whole = Some(0..cell.text.len()).filter(|_| cell.items.is_empty() && !cell.trimmed().is_empty());
        let ranges = whole.into_iter().chain(cell.items.iter().cloned());
        ranges.map(|range| (cell.text[range.clone()].trim(), cell.span(range).range()))
    });
    BlockText::list(values)
}

fn other_names(cell: &BlockText) -> impl Iterator<Item = &str> {
    let listed = cell.items.iter().map(|range| &cell.text[range.clone()]);
    let written = cell.text.split([';', '|']).filter(|_| cell.items.is_empty());
    listed.chain(written).map(str::trim).filter(|name| !name.is_empty())
}

/// Whether a table's cells are values as they stand.
pub(super) fn is_literal(table: &Table) -> bool {
    table.origin != Origin::Text
}
