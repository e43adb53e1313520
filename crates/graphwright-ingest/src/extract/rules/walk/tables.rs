//! Tables and records: each row speaks of the thing in its key column.

use std::collections::BTreeMap;

use graphwright_core::Span;

use super::{Meaning, Section, Walk, fields::Field, headings};
use crate::extract::rules::{
    blocks::{Row, Table},
    collect::Status,
    grammar, slots,
    text::Flat,
    tokens, vocabulary,
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
}

impl Walk<'_> {
    pub(super) fn table(&mut self, table: &Table) {
        self.context.start_paragraph();
        if self.fields_table(table) {
            return;
        }
        if let Some(turned) = self.turned(table) {
            self.table(&turned);
            return;
        }
        self.header = table.header.iter().map(|cell| cell.trimmed().to_owned()).collect();
        if let Some(column) = self.type_column(table) {
            self.typed_rows(table, column);
            return;
        }
        let Some(layout) = self.layout(table) else {
            self.list_table(table);
            return;
        };
        let mut above: Option<Flat> = None;
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
        let means = |cell: &Flat| !vocabulary.keys.meanings(cell.trimmed()).is_empty();
        let named = names.iter().all(|cell| !cell.trimmed().is_empty() && !means(cell));
        let kind = self.kind_of_header(corner.trimmed());
        let open = kind.is_some()
            || matches!(
                corner.trimmed().to_lowercase().as_str(),
                "" | "name" | "field" | "property" | "feature" | "attribute"
            );
        let keys: Vec<&Flat> = table.rows.iter().filter_map(|row| row.cells.first()).collect();
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
        Some(Table { header, rows: rows.collect() })
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

    fn kind_of_cell(&self, cell: &Flat) -> Option<usize> {
        match self.lexicon.vocabulary.kinds_named(&tokens::tokenise(cell.trimmed())).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Reads a table whose rows are of the types that one of its columns says.
    fn typed_rows(&mut self, table: &Table, column: usize) {
        let vocabulary = self.lexicon.vocabulary;
        let headers: Vec<String> = table.header.iter().map(|cell| cell.trimmed().to_owned()).collect();
        let key = headers
            .iter()
            .position(|header| matches!(header.to_lowercase().as_str(), "name" | "title" | "full name"))
            .unwrap_or(0);
        let kinds: Vec<Option<usize>> = headers.iter().map(|header| self.kind_of_header(header)).collect();
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
            let layout = Layout { key, kind, meanings, kinds: kinds.clone() };
            self.row(&layout, cell, row);
        }
    }

    fn row(&mut self, layout: &Layout, cell: &Flat, row: &Row) {
        let base = self.base().max(self.row_status(layout, row));
        let (name, note) = super::fields::without_note(cell.trimmed());
        let status = base.max(slots::text_status(note.split(' ')));
        let entity = self
            .entity_named(cell.trimmed(), &[layout.kind], true)
            .filter(|_| note.is_empty())
            .or_else(|| self.entity_named(name, &[layout.kind], true));
        let Some(entity) = entity else { return };
        let trimmed = cell.trim(0..cell.text.len());
        self.collector.mention(&entity, cell.span(trimmed));
        self.section_value(&entity, status, row.span);
        for (column, meaning) in layout.meanings.iter().enumerate() {
            let Some(value) = row.cells.get(column).filter(|value| !value.trimmed().is_empty()) else {
                continue;
            };
            match meaning {
                Some(meaning) => {
                    let key = self.header_of(column);
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
        self.columns_among_themselves(layout, row, status);
    }

    /// Properties of the things in other columns (`Team`, `Team lead`).
    fn columns_among_themselves(&mut self, layout: &Layout, row: &Row, status: Status) {
        for (column, kind) in layout.kinds.iter().enumerate() {
            let Some(kind) = kind.filter(|_| column != layout.key) else { continue };
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
                if slots::text_status(words.iter().copied()) != Status::Fact
                    || words.len() <= 4
                        && words
                            .iter()
                            .any(|word| is_over(word) || grammar::is_plan(word) || grammar::is_denial(word))
                {
                    return Status::NotCurrent;
                }
            }
        }
        Status::Fact
    }

    /// A table of two columns whose first holds the names of fields.
    fn fields_table(&mut self, table: &Table) -> bool {
        let Some(topic) = self.context.section.clone().or_else(|| self.context.page.clone()) else {
            return false;
        };
        let width = table.header.len().max(table.rows.first().map_or(0, |row| row.cells.len()));
        if width != 2 {
            return false;
        }
        let vocabulary = self.lexicon.vocabulary;
        let meaning = |cell: Option<&Flat>| {
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
        let mut all: Vec<(&[Flat], Span)> = rows.collect();
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
                let status = slots::text_status(note.split(' '));
                self.section_value(&entity, status, row.span);
            }
        }
    }

    /// Finds what a table's rows speak of and what its columns say.
    pub(super) fn layout(&mut self, table: &Table) -> Option<Layout> {
        let headers: Vec<String> = table.header.iter().map(|cell| cell.trimmed().to_owned()).collect();
        self.header.clone_from(&headers);
        if headers.is_empty() {
            return None;
        }
        let vocabulary = self.lexicon.vocabulary;
        let kinds: Vec<Option<usize>> = headers.iter().map(|header| self.kind_of_header(header)).collect();
        let mut best: Option<(usize, usize, usize)> = None;
        // `Contractor | Bridges`: a column of lists is not what the rows speak of.
        let single = |column: usize| !super::fields::is_plural_key(&headers[column]);
        let singles = (0..headers.len()).any(|column| kinds[column].is_some() && single(column));
        for (column, kind) in kinds.iter().enumerate() {
            let Some(kind) = kind.filter(|_| single(column) || !singles) else { continue };
            let means = |other: usize| {
                vocabulary.keys.meaning_for(vocabulary, &headers[other], kind).is_some()
                    || kinds[other]
                        .is_some_and(|far| self.relation_of_key(&headers[column], kind, far).is_some())
            };
            let count = (0..headers.len()).filter(|other| *other != column && means(*other)).count();
            if best.is_none_or(|(_, _, known)| count > known) {
                best = Some((column, kind, count));
            }
        }
        let found = match best {
            Some((column, kind, count)) if count > 0 || column == 0 => Some((column, kind)),
            _ => None,
        };
        let (key, kind) = found.or_else(|| self.layout_by_content(&headers, table))?;
        let meanings = headers
            .iter()
            .enumerate()
            .map(|(column, header)| {
                let meaning = || {
                    let other = kinds[column];
                    other
                        .and_then(|other| self.relation_of_key(&headers[key], kind, other))
                        .or_else(|| vocabulary.keys.meaning_for(vocabulary, header, kind))
                        .or_else(|| self.relation_of_file(kind, other?))
                };
                (column != key).then(meaning).flatten()
            })
            .collect();
        Some(Layout { key, kind, meanings, kinds })
    }

    /// What a column of things says where the key column's header names the relationship: `Importer`, `Estate`.
    fn relation_of_key(&self, header: &str, kind: usize, other: usize) -> Option<Meaning> {
        let vocabulary = self.lexicon.vocabulary;
        vocabulary.keys.meanings(header).into_iter().find_map(|meaning| match meaning {
            Meaning::Relation { relation, inverse } => {
                let definition = &vocabulary.relations[relation];
                // The noun names the far end; the rows' things stand at it.
                let (far, near) = if inverse {
                    (&definition.from, &definition.to)
                } else {
                    (&definition.to, &definition.from)
                };
                (far.contains(&kind) && near.contains(&other))
                    .then_some(Meaning::Relation { relation, inverse: !inverse })
            }
            _ => None,
        })
    }

    /// What a column of things says where the file's name says the relationship: `loans-register.csv`.
    fn relation_of_file(&self, kind: usize, other: usize) -> Option<Meaning> {
        let vocabulary = self.lexicon.vocabulary;
        let file = self.source.rsplit(['/', '\\']).next().unwrap_or(&self.source);
        let stem = file.split('.').next().unwrap_or(file);
        vocabulary::words(stem).into_iter().find_map(|word| {
            vocabulary.keys.meanings(&word).into_iter().find_map(|meaning| match meaning {
                Meaning::Relation { relation, .. } => {
                    let definition = &vocabulary.relations[relation];
                    let stands = |inverse: bool| {
                        let (from, to) = if inverse { (other, kind) } else { (kind, other) };
                        definition.from.contains(&from) && definition.to.contains(&to)
                    };
                    let inverse = [false, true].into_iter().find(|inverse| stands(*inverse))?;
                    Some(Meaning::Relation { relation, inverse })
                }
                _ => None,
            })
        })
    }

    /// The type that a header names: `Service`, `Service name`, `Library ID`; not when it may be a property.
    fn kind_of_header(&self, header: &str) -> Option<usize> {
        let meanings = self.lexicon.vocabulary.keys.meanings(header);
        if meanings.iter().any(|meaning| matches!(meaning, Meaning::Property(_))) {
            return None;
        }
        meanings.iter().find_map(|meaning| match meaning {
            Meaning::Kind(kind) => Some(*kind),
            _ => None,
        })
    }

    /// The key column where no header names a type: `Name`, or the column whose cells are known, with the type that
    /// section, file, or the other columns say.
    fn layout_by_content(&self, headers: &[String], table: &Table) -> Option<(usize, usize)> {
        let vocabulary = self.lexicon.vocabulary;
        let column = headers
            .iter()
            .position(|header| matches!(header.to_lowercase().as_str(), "name" | "title" | "full name"))
            .unwrap_or(0);
        let header = headers[column].to_lowercase();
        let by_key = vocabulary
            .types
            .iter()
            .position(|kind| kind.key != "name" && kind.key.eq_ignore_ascii_case(&header.replace(' ', "_")));
        let count = |kind: usize| {
            headers
                .iter()
                .enumerate()
                .filter(|(other, header)| {
                    *other != column && vocabulary.keys.meaning_for(vocabulary, header, kind).is_some()
                })
                .count()
        };
        let hinted = match self.section() {
            Section::Kind(kind) => Some(*kind),
            _ => self.listed_kind(),
        };
        if let Some(kind) = by_key
            .or(hinted)
            .or_else(|| headings::kind_of_file(vocabulary, &self.source))
            .filter(|kind| count(*kind) > 0)
        {
            return Some((column, kind));
        }
        if let Some(kind) = self.kind_of_cells(column, table) {
            return Some((column, kind));
        }
        let others: Vec<String> = headers
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != column)
            .map(|(_, header)| header.clone())
            .collect();
        let named = column > 0
            || matches!(
                header.as_str(),
                "name" | "title" | "full name" | "id" | "item" | "entry" | "no." | ""
            );
        let known_key = !vocabulary.keys.meanings(&headers[column]).is_empty() && !named;
        if known_key {
            return None;
        }
        self.kind_of_keys(&others, 2).map(|kind| (column, kind))
    }

    /// The type of which most cells of a column are known names.
    fn kind_of_cells(&self, column: usize, table: &Table) -> Option<usize> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        let mut cells = 0;
        for row in table.rows.iter().take(50) {
            let text = row.cells.get(column).map_or("", |cell| cell.trimmed());
            if text.is_empty() || grammar::is_no_value(&text.to_lowercase()) {
                continue;
            }
            cells += 1;
            for entry in self.lexicon.gazetteer.lookup(text) {
                *counts.entry(self.lexicon.gazetteer.entries[entry].kind).or_default() += 1;
            }
        }
        let (kind, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        (count * 2 > cells).then_some(kind)
    }
}

grammar::words! {
/// Words of a status cell by which its row is no fact of today.
is_over:
"planned" "proposed" "former" "rejected" "cancelled" "canceled" "terminated" "ended" "expired" "withdrawn" "discontinued" "declined" "considered" "negotiation" "evaluation" "draft" "retired" "returned" "resigned" "lapsed" "over" "void" "left" "closed" }
