//! Tables and records: each row speaks of the thing in its key column.

mod layout;
mod records;
mod references;
mod relationships;
mod rows;
mod things;

use std::collections::BTreeMap;

pub(in crate::facts) use references::KeyColumn;

use graphwright_core::Span;
use graphwright_documents::extraction::DropReason;

use super::{Entity, Meaning, Section, Walk, fields::Field};
use crate::facts::{
    blocks::{Row, Table},
    collect::Status,
    notes, prose,
    text::BlockText,
    words,
};

/// What the columns of a table say.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The column of the thing that a row speaks of.
    pub(super) key: usize,
    /// Its type.
    pub(super) kind: usize,
    /// What the other columns say of it.
    pub(super) meanings: Vec<Option<Meaning>>,
    /// The types of columns that hold things of other types.
    pub(super) kinds: Vec<Option<usize>>,
    /// The properties, by their columns, that are declared of what refers to other things: an order has a `customer_id`.
    pub(super) references: BTreeMap<usize, usize>,
}

impl Walk<'_> {
    pub(super) fn table(&mut self, table: &Table) {
        self.context.start_paragraph();
        let literal = records::is_literal(table);
        if literal && self.relationship_rows(table) {
            return;
        }
        if let Some(lists) = literal.then(|| self.lists_apart(table)).flatten() {
            for list in &lists {
                self.table(list);
            }
            return;
        }
        if !literal && self.fields_table(table) {
            return;
        }
        if let Some(turned) = self.turned(table).filter(|_| !literal) {
            self.table(&turned);
            return;
        }
        self.header = table.header.iter().map(|cell| cell.trimmed().to_owned()).collect();
        if let Some(column) = self.type_column(table) {
            self.typed_rows(table, column);
            return;
        }
        let Some(layout) = self.layout(table) else {
            if literal {
                for row in &table.rows {
                    self.collector.drop(DropReason::UnknownType, row.span, || records::beginning(row));
                }
            } else {
                self.list_table(table);
            }
            return;
        };
        if literal {
            self.record_rows(&layout, table);
            return;
        }
        let mut above: Option<BlockText> = None;
        for row in &table.rows {
            let mut cell = row.cells.get(layout.key).cloned().unwrap_or_default();
            let blank = matches!(cell.trimmed(), "" | "\"" | "〃" | "''");
            if blank {
                match &above {
                    Some(known) => cell = known.clone(),
                    None => continue,
                }
            }
            above = Some(cell.clone());
            self.row(&layout, &cell, row);
        }
    }

    /// A table whose columns are the things and whose rows their fields, turned round.
    fn turned(&self, table: &Table) -> Option<Table> {
        let vocabulary = self.lexicon.vocabulary;
        let (corner, names) = table.header.split_first()?;
        let means = |cell: &BlockText| !vocabulary.keys.meanings(cell.trimmed()).is_empty();
        let named = names.iter().all(|cell| !cell.trimmed().is_empty() && !means(cell));
        let kind = self.kind_of_header(corner.trimmed());
        let open = kind.is_some()
            || matches!(
                corner.trimmed().to_lowercase().as_str(),
                "" | "name" | "field" | "property" | "feature" | "attribute"
            );
        let keys: Vec<&BlockText> = table.rows.iter().filter_map(|row| row.cells.first()).collect();
        let known = keys.iter().filter(|cell| means(cell)).count();
        let fitting = |kind: usize| {
            keys.iter().any(|cell| vocabulary.keys.meaning_for(vocabulary, cell.trimmed(), kind).is_some())
        };
        let plain = names.len() > 1 && named && open && known >= 2 && known * 3 >= keys.len() * 2;
        if !plain || kind.is_some_and(|kind| !fitting(kind)) {
            return None;
        }
        let start = corner.span(0..0).start;
        let end = table.rows.last()?.span.end;
        let span = Span::new(start.min(table.rows[0].span.start), end);
        let header = std::iter::once(corner).chain(keys).cloned().collect();
        let rows = names.iter().enumerate().map(|(column, name)| {
            let values = table.rows.iter().map(|row| row.cells.get(column + 1).cloned().unwrap_or_default());
            Row { cells: std::iter::once(name.clone()).chain(values).collect(), span }
        });
        Some(Table { header, rows: rows.collect(), ..Table::default() })
    }

    /// The column in which every cell is a word for a type (`kind`: `Database`, `Service`): it says what its row is of.
    fn type_column(&self, table: &Table) -> Option<usize> {
        (1..table.header.len()).find(|column| {
            !table.rows.is_empty()
                && table
                    .rows
                    .iter()
                    .all(|row| row.cells.get(*column).is_some_and(|cell| self.kind_of_cell(cell).is_some()))
        })
    }

    fn kind_of_cell(&self, cell: &BlockText) -> Option<usize> {
        match self.lexicon.vocabulary.kinds_named(&prose::tokenise(cell.trimmed())).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Reads a table whose rows are of the types that one of its columns says.
    fn typed_rows(&mut self, table: &Table, column: usize) {
        let vocabulary = self.lexicon.vocabulary;
        let headers: Vec<String> = table.header.iter().map(|cell| cell.trimmed().to_owned()).collect();
        let key = layout::name_column(table);
        let kinds: Vec<Option<usize>> = headers.iter().map(|header| self.kind_of_header(header)).collect();
        let mut typed: BTreeMap<usize, (Layout, Vec<Row>)> = BTreeMap::new();
        for row in &table.rows {
            let (Some(cell), Some(kind)) =
                (row.cells.get(key), row.cells.get(column).and_then(|cell| self.kind_of_cell(cell)))
            else {
                continue;
            };
            let meaning = |(at, header): (usize, &String)| {
                (at != key && at != column)
                    .then(|| vocabulary.keys.meaning_for(vocabulary, header, kind))
                    .flatten()
            };
            let meanings = headers.iter().enumerate().map(meaning).collect();
            let layout = Layout { key, kind, meanings, kinds: kinds.clone(), references: BTreeMap::new() };
            if records::is_literal(table) {
                typed.entry(kind).or_insert_with(|| (layout, Vec::new())).1.push(row.clone());
            } else {
                self.row(&layout, cell, row);
            }
        }
        for (layout, rows) in typed.into_values() {
            let header = table.header.clone();
            self.record_rows(
                &layout,
                &Table { origin: table.origin.clone(), header, rows, parents: Vec::new() },
            );
        }
    }

    fn row(&mut self, layout: &Layout, cell: &BlockText, row: &Row) {
        let base = self.base().max(self.row_status(layout, row));
        let (name, note) = super::fields::without_note(cell.trimmed());
        let status = base.max(notes::status(note.split(' ')));
        let entity = self
            .entity_named(cell.trimmed(), &[layout.kind], true)
            .filter(|_| note.is_empty())
            .or_else(|| self.entity_named(name, &[layout.kind], true))
            .or_else(|| records::literal_name(name, layout.kind));
        let Some(entity) = entity else {
            self.collector.drop(DropReason::Malformed, row.span, || cell.trimmed().to_owned());
            return;
        };
        let trimmed = cell.trim(0..cell.text.len());
        self.collector.mention(&entity, cell.span(trimmed));
        self.entry(&entity, status, row.span);
        self.section_value(&entity, status, row.span);
        self.implied_value(layout, &entity, status, row.span);
        for (column, meaning) in layout.meanings.iter().enumerate() {
            let Some(value) = row.cells.get(column).filter(|value| !value.trimmed().is_empty()) else {
                continue;
            };
            match meaning {
                Some(meaning) => {
                    let key = self.header_of(column);
                    if let Some(own) = self.lexicon.vocabulary.key_of(layout.kind, *meaning) {
                        self.collector.key(&entity, own, value.trimmed());
                    }
                    let field = Field { key: &key, meaning: *meaning, value, span: row.span };
                    self.field_value(&entity, &field, 1.0, status);
                }
                None => {
                    if let Some(kind) = layout.kinds[column] {
                        for (other, _, range) in self.named_in_list(value, &[kind], true) {
                            self.collector.mention(&other, value.span(range));
                        }
                    }
                }
            }
        }
        self.columns_among_themselves(layout, row, status, |_| true);
    }

    /// A table of stations in the section on a line: the only relationship between the two types is meant.
    fn implied_value(&mut self, layout: &Layout, entity: &Entity, status: Status, span: Span) {
        let Some((relation, topic_ends, topic)) = self.implied_relation(layout) else { return };
        let (from, to) = if topic_ends { (entity, &topic) } else { (&topic, entity) };
        self.collector.fact(relation, from, to, status, 0.8, span, BTreeMap::new());
    }

    /// The only relationship between the topic and what the rows speak of, unless a column gives it; with whether the
    /// topic is its end.
    fn implied_relation(&self, layout: &Layout) -> Option<(usize, bool, Entity)> {
        let vocabulary = self.lexicon.vocabulary;
        let headed = self.kind_of_header(&self.header_of(layout.key)) == Some(layout.kind);
        let topic = match self.section() {
            Section::Entity(entity) if headed => entity.clone(),
            Section::Kind(kind) if *kind == layout.kind => self.context.section.clone()?,
            Section::Other if headed && self.is_headed_by(layout.kind) => self.context.section.clone()?,
            _ => return None,
        };
        let (relation, topic_ends) = vocabulary.only_relation(topic.kind, layout.kind)?;
        let given = layout.meanings.iter().flatten().any(
            |meaning| matches!(meaning, Meaning::Relation { relation: other, .. } if *other == relation),
        );
        (!given).then_some((relation, topic_ends, topic))
    }

    /// Whether the innermost heading begins with the word for a type: `Films shown`.
    fn is_headed_by(&self, kind: usize) -> bool {
        let tokens = prose::tokenise(&self.heading);
        let found = self.lexicon.vocabulary.type_words.find(&tokens, 0);
        found.is_some_and(|(_, kinds)| kinds.contains(&&kind))
    }

    /// Properties of the things in other columns (`Team`, `Team lead`), of those that are described here.
    fn columns_among_themselves(
        &mut self,
        layout: &Layout,
        row: &Row,
        status: Status,
        is_described: impl Fn(usize) -> bool,
    ) {
        for (column, kind) in layout.kinds.iter().enumerate() {
            let Some(kind) = kind.filter(|_| column != layout.key && is_described(column)) else { continue };
            let others = layout.kinds.iter().filter(|other| **other == Some(kind)).count();
            let Some(cell) = row.cells.get(column).filter(|_| others == 1) else { continue };
            let named = self.named_in_list(cell, &[kind], true);
            let [(entity, own, _)] = named.as_slice() else { continue };
            for (place, value) in row.cells.iter().enumerate() {
                if place == column
                    || place == layout.key
                    || layout.meanings.get(place).is_none_or(Option::is_some)
                {
                    continue;
                }
                let header = self.header_of(place);
                let meaning =
                    self.lexicon.vocabulary.keys.meaning_for(self.lexicon.vocabulary, &header, kind);
                if let Some(meaning @ Meaning::Property(_)) = meaning {
                    let field = Field { key: &header, meaning, value, span: row.span };
                    self.field_value(entity, &field, 0.9, status.max(*own));
                }
            }
        }
    }

    fn header_of(&self, column: usize) -> String {
        self.header.get(column).cloned().unwrap_or_default()
    }

    /// Whether a cell of a column without meaning says that the row is over or planned.
    fn row_status(&self, layout: &Layout, row: &Row) -> Status {
        for (column, cell) in row.cells.iter().enumerate() {
            if column == layout.key || layout.meanings.get(column).is_some_and(Option::is_some) {
                continue;
            }
            let header = self.header_of(column).to_lowercase();
            let about =
                ["status", "state", "remark", "note", "phase", "comment", "stage", "decision", "outcome"]
                    .iter()
                    .any(|word| header.contains(word));
            let text = cell.trimmed().to_lowercase();
            if about {
                let words: Vec<&str> =
                    text.split([' ', ',', ';', '.']).filter(|word| !word.is_empty()).collect();
                if notes::status(words.iter().copied()) != Status::Fact
                    || words.len() <= 4
                        && words.iter().any(|word| {
                            words::is_over(word) || words::is_plan(word) || words::is_denial(word)
                        })
                {
                    return Status::NotCurrent;
                }
            }
        }
        Status::Fact
    }

    /// A table of two columns whose first holds the names of fields.
    fn fields_table(&mut self, table: &Table) -> bool {
        let width = table.header.len().max(table.rows.first().map_or(0, |row| row.cells.len()));
        if width != 2 {
            return false;
        }
        let vocabulary = self.lexicon.vocabulary;
        // The first row of fields may have become the header.
        let columns = table.header.iter().all(|cell| !vocabulary.keys.meanings(cell.trimmed()).is_empty());
        let first = (!columns).then_some(table.header.as_slice());
        let fields: Vec<(String, BlockText)> = first
            .into_iter()
            .chain(table.rows.iter().map(|row| row.cells.as_slice()))
            .filter_map(|cells| match cells {
                [key, value] if !key.trimmed().is_empty() => Some((key.trimmed().to_owned(), value.clone())),
                _ => None,
            })
            .collect();
        self.own_record(&fields);
        let Some(topic) = self.context.section.clone().or_else(|| self.context.page.clone()) else {
            return false;
        };
        let meaning = |cell: Option<&BlockText>| {
            cell.and_then(|cell| vocabulary.keys.meaning_for(vocabulary, cell.trimmed(), topic.kind))
        };
        let known = table.rows.iter().filter(|row| meaning(row.cells.first()).is_some()).count();
        let header_is_field = meaning(table.header.first()).is_some();
        let own_layout = self.layout(table).is_some_and(|layout| {
            layout.meanings.iter().any(Option::is_some) && header_is_field && known == 0
        });
        if own_layout || known == 0 || known * 3 < table.rows.len() {
            return false;
        }
        let header_row = table.header.len() == 2 && header_is_field;
        let rows = table.rows.iter().map(|row| (row.cells.as_slice(), row.span));
        let mut all: Vec<(&[BlockText], Span)> = rows.collect();
        if header_row {
            let start = table.header[0].span(0..0).start;
            let end = table.header[1].span(0..table.header[1].text.len()).end;
            all.insert(0, (table.header.as_slice(), Span::new(start, end)));
        }
        let base = self.base();
        for (cells, span) in all {
            if let [key, value] = cells
                && let Some(meaning) = meaning(Some(key))
                && !value.trimmed().is_empty()
            {
                self.field_value(&topic, &Field { key: key.trimmed(), meaning, value, span }, 1.0, base);
            }
        }
        true
    }

    /// A table of which only the first column is understood: names, as in a list.
    fn list_table(&mut self, table: &Table) {
        let allowed = self.item_kinds();
        for row in &table.rows {
            let Some(cell) = row.cells.first() else { continue };
            let (name, note) = super::fields::without_note(cell.trimmed());
            if allowed.is_empty() {
                continue;
            }
            if let Some(entity) = self.entity_named(name, &allowed, true) {
                self.collector.mention(&entity, cell.span(cell.trim(0..cell.text.len())));
                let status = notes::status(note.split(' '));
                self.section_value(&entity, status, row.span);
            }
        }
    }
}
