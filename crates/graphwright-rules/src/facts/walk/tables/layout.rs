//! What a table's rows speak of, and what its columns say of it.

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{names::NAME, text::identifier_words};
use graphwright_ontology::DataType;

use super::Layout;
use crate::{
    columns,
    facts::{
        blocks::{Origin, Table},
        keys::fit,
        text::BlockText,
        vocabulary::Property,
        walk::{Meaning, Section, Walk, fields, headings},
        words,
    },
    headers,
};

impl Walk<'_> {
    /// Finds what a table's rows speak of and what its columns say.
    pub(in crate::facts::walk) fn layout(&mut self, table: &Table) -> Option<Layout> {
        let headers: Vec<String> = table.header.iter().map(|cell| cell.trimmed().to_owned()).collect();
        self.header.clone_from(&headers);
        if headers.is_empty() {
            return None;
        }
        let vocabulary = self.lexicon.vocabulary;
        let kinds: Vec<Option<usize>> = headers.iter().map(|header| self.kind_of_header(header)).collect();
        let found = match &table.origin {
            Origin::Nested(name) => {
                let kind = self.kind_of_nested(name)?;
                let own = || headers.iter().position(|header| self.names_rows(header, kind));
                let column = columns::name_column(table).or_else(own).unwrap_or_else(|| name_column(table));
                Some((column, kind))
            }
            _ => self
                .layout_of_list(table)
                .or_else(|| self.layout_by_header(&headers, &kinds))
                .or_else(|| self.layout_by_content(&headers, table)),
        };
        let (key, kind) = found?;
        let mut meanings: Vec<Option<Meaning>> = headers
            .iter()
            .enumerate()
            .map(|(column, header)| {
                let meaning = || {
                    let other = kinds[column];
                    other
                        .and_then(|other| self.relation_of_key(&headers[key], kind, other))
                        .or_else(|| vocabulary.keys.meaning_for(vocabulary, header, kind))
                        .or_else(|| fit(vocabulary, Meaning::Kind(other?), kind))
                        .or_else(|| fit(vocabulary, Meaning::Kind(self.key_of(header)?), kind))
                };
                // A name may be a property as well, which the ontology calls otherwise: `team_name`. The `AlbumId` of albums is
                // not that of the `album` of something else.
                let is_own = || self.is_own_key(kind, table, column);
                let kept = |meaning: &Meaning| match meaning {
                    Meaning::Relation { .. } => column != key && !is_own(),
                    _ => column != key || self.is_other_name(*meaning),
                };
                meaning().filter(kept)
            })
            .collect();
        self.keep_exact(&headers, &mut meanings);
        // The `teamID` of a team names no other one.
        let mut kinds = kinds;
        for column in (0..headers.len()).filter(|column| *column != key && meanings[*column].is_none()) {
            if kinds[column] == Some(kind) && headers::is_identifying(&headers[column]) {
                kinds[column] = None;
            }
        }
        if table.origin != Origin::Text {
            self.part_meanings(&headers, kind, &mut meanings);
        }
        if matches!(table.origin, Origin::Nested(_))
            && columns::is_key(&headers[key])
            && meanings[key].is_none()
        {
            meanings[key] = self.required_text(kind, &meanings);
        }
        let is_open = |column: &usize| *column != key && meanings[*column].is_none();
        let id = (0..headers.len()).find(|column| columns::is_key(&headers[*column])).filter(is_open);
        // Numbers may be no more than those of the rows.
        if let Some(column) = id.filter(|column| columns::is_text(table, *column)) {
            meanings[column] = self.declared_key(kind, &meanings);
        }
        Some(Layout { key, kind, meanings, kinds, references: BTreeMap::new() })
    }

    /// Of columns that may be one property, keeps the one that is called as it: `region_name` beside `region_id`.
    fn keep_exact(&self, headers: &[String], meanings: &mut [Option<Meaning>]) {
        for at in 0..meanings.len() {
            let Some(Meaning::Property(property)) = meanings[at] else { continue };
            let name = &self.lexicon.vocabulary.properties[property].name;
            let is_exact = |column: usize| identifier_words(&headers[column]) == identifier_words(name);
            let same = |column: &usize| *column != at && meanings[*column] == meanings[at];
            if !is_exact(at) && (0..meanings.len()).filter(same).any(is_exact) {
                meanings[at] = None;
            }
        }
    }

    /// The only text that each thing of a type must have and that no column gives: the key under which it stands.
    fn required_text(&self, kind: usize, meanings: &[Option<Meaning>]) -> Option<Meaning> {
        let is_open = |(number, property): (usize, &Property)| {
            let own = &property.definition;
            let meaning = Meaning::Property(number);
            let fits = property.owner == kind && own.required && own.kind == DataType::String;
            (fits && property.name != NAME && !meanings.contains(&Some(meaning))).then_some(meaning)
        };
        let mut open = self.lexicon.vocabulary.properties.iter().enumerate().filter_map(is_open);
        open.next().filter(|_| open.next().is_none())
    }

    /// The property that the ontology declares to identify things of a type, if no column gives it and it is called as generally as
    /// an `id` is: `code`.
    fn declared_key(&self, kind: usize, meanings: &[Option<Meaning>]) -> Option<Meaning> {
        let vocabulary = self.lexicon.vocabulary;
        let key = &vocabulary.types[kind].key;
        let is_key = |property: &Property| property.owner == kind && property.name == *key;
        if !headers::is_general_key(key) {
            return None;
        }
        let meaning = Meaning::Property(vocabulary.properties.iter().position(is_key)?);
        (!meanings.contains(&Some(meaning))).then_some(meaning)
    }

    /// Whether a column holds the keys of the rows' own things, as its header and its values say.
    pub(super) fn is_own_key(&self, kind: usize, table: &Table, column: usize) -> bool {
        let own = columns::keyed(table.header[column].trimmed());
        let own = own.and_then(|own| self.lexicon.vocabulary.keys.kind_named(&own));
        let is_key = || columns::is_unique(table, &[column]) || columns::identifies(table, column);
        own == Some(kind) && is_key()
    }

    fn is_other_name(&self, meaning: Meaning) -> bool {
        matches!(meaning, Meaning::Property(property) if self.lexicon.vocabulary.properties[property].name != NAME)
    }

    /// The column of a list that names the rows, with the type that the header of its key, the file, the section or the columns
    /// say: the one whose header says it, else the first that differs in each row.
    fn layout_of_list(&self, table: &Table) -> Option<(usize, usize)> {
        if table.origin != Origin::Records {
            return None;
        }
        let own = columns::own_words(table, &headings::words_of_file(&self.source));
        let own = own.and_then(|own| self.lexicon.vocabulary.keys.kind_named(&own));
        let kind = own.or_else(|| self.kind_of_records(table))?;
        let headers = || table.header.iter().map(BlockText::trimmed);
        let tells = |column: &usize| columns::is_unique(table, &[*column]);
        let column = columns::name_column(table)
            .or_else(|| headers().position(|header| self.names_rows(header, kind)).filter(tells))
            .or_else(|| headers().position(|header| self.is_key_of(header, kind)))
            .or_else(|| {
                (0..table.header.len()).find(|column| tells(column) && columns::is_text(table, *column))
            })?;
        Some((column, kind))
    }

    /// The type of the rows of a list, as the section or else the file says.
    pub(super) fn kind_of_rows(&self) -> Option<usize> {
        let listed = match self.section() {
            Section::Kind(kind) => Some(*kind),
            _ => self.listed_kind(),
        };
        listed.or_else(|| headings::kind_of_file(self.lexicon.vocabulary, &self.source))
    }

    /// The column whose header names a type, and that type: the one on which most other headers mean something.
    fn layout_by_header(&self, headers: &[String], kinds: &[Option<usize>]) -> Option<(usize, usize)> {
        let vocabulary = self.lexicon.vocabulary;
        let mut best: Option<(usize, usize, usize)> = None;
        // `Contractor | Bridges`: a column of lists is not what the rows speak of.
        let single = |column: usize| !fields::is_plural_key(&headers[column]);
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
        best.filter(|(column, _, count)| *count > 0 || *column == 0).map(|(column, kind, _)| (column, kind))
    }

    /// What the last of the keys to a column of records says, or the first ones, where nothing else gives that property:
    /// `address city`, `demonym eng m`.
    fn part_meanings(&self, headers: &[String], kind: usize, meanings: &mut [Option<Meaning>]) {
        let vocabulary = self.lexicon.vocabulary;
        let property = |path: &str| {
            let found = vocabulary.keys.meaning_for(vocabulary, path, kind);
            found.filter(|found| matches!(found, Meaning::Property(_)) && self.is_other_name(*found))
        };
        let last = |header| str::rsplit_once(header, ' ').map(|(_, last)| last);
        let mut uses: HashMap<&str, usize> = HashMap::new();
        headers.iter().filter_map(|header| last(header)).for_each(|last| *uses.entry(last).or_default() += 1);
        for column in 0..headers.len() {
            let own = last(&headers[column]).filter(|own| meanings[column].is_none() && uses[own] == 1);
            let found = own.and_then(property);
            meanings[column] = meanings[column].or(found.filter(|found| !meanings.contains(&Some(*found))));
        }
        let takes_several = |meaning: Meaning| matches!(meaning, Meaning::Property(own) if matches!(vocabulary.properties[own].definition.kind, DataType::List(_)));
        for column in 0..headers.len() {
            let mut path = headers[column].as_str();
            while let Some((shorter, _)) = path.rsplit_once(' ').filter(|_| meanings[column].is_none()) {
                path = shorter;
                let is_new = |found: &Meaning| takes_several(*found) || !meanings.contains(&Some(*found));
                meanings[column] = property(path).filter(is_new);
            }
        }
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

    /// The type that a header names: `Service`, `Service name`, `Library ID`; not when it may be a property.
    pub(super) fn kind_of_header(&self, header: &str) -> Option<usize> {
        let keys = &self.lexicon.vocabulary.keys;
        // `team` is the type where a property is called `teams`.
        let exact = keys.exact_meanings(header);
        let meanings = if exact.is_empty() { keys.meanings(header) } else { exact.to_vec() };
        if meanings.iter().any(|meaning| matches!(meaning, Meaning::Property(_))) {
            return None;
        }
        let kind = meanings.iter().find_map(|meaning| match meaning {
            Meaning::Kind(kind) => Some(*kind),
            _ => None,
        });
        kind.or_else(|| self.kind_named_by(header))
    }

    /// The only type of whose names the ontology says that they may be called so: `Airline` for the name of operators.
    fn kind_named_by(&self, header: &str) -> Option<usize> {
        let words = identifier_words(header);
        let types = self.lexicon.vocabulary.types.iter().enumerate();
        let mut called = types.filter(|(_, kind)| words != [NAME] && kind.name_words.contains(&words));
        let (kind, _) = called.next()?;
        called.next().is_none().then_some(kind)
    }

    /// The type of what records have under a key: the one that it names, or the only one at the far end of its relationship.
    pub(super) fn kind_of_nested(&self, name: &str) -> Option<usize> {
        let keys = &self.lexicon.vocabulary.keys;
        keys.kind_named(name).or_else(|| {
            keys.meanings(name).iter().find_map(|meaning| match meaning {
                Meaning::Relation { relation, inverse } => match self.far_end(*relation, *inverse).as_slice()
                {
                    [only] => Some(*only),
                    _ => None,
                },
                _ => None,
            })
        })
    }

    /// The key column where no header names a type: `Name`, or the column whose cells are known, with the type that
    /// section, file, or the other columns say.
    fn layout_by_content(&self, headers: &[String], table: &Table) -> Option<(usize, usize)> {
        let vocabulary = self.lexicon.vocabulary;
        let column = name_column(table);
        let header = headers[column].to_lowercase();
        let by_key = self.only_keyed(&headers[column]);
        let count = |kind: usize| {
            headers
                .iter()
                .enumerate()
                .filter(|(other, header)| {
                    *other != column && vocabulary.keys.meaning_for(vocabulary, header, kind).is_some()
                })
                .count()
        };
        if let Some(kind) = by_key
            .or_else(|| self.kind_of_rows())
            .filter(|kind| table.origin != Origin::Text || count(*kind) > 0)
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
            if text.is_empty() || words::is_no_value(&text.to_lowercase()) {
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

/// The column that names what the rows speak of, else the first.
pub(super) fn name_column(table: &Table) -> usize {
    let key = || table.header.iter().position(|cell| columns::is_key(cell.trimmed()));
    columns::name_column(table).or_else(key).unwrap_or(0)
}
