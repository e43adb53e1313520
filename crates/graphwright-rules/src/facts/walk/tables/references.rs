//! What the columns of a list refer to: the keys of records, in the same list or elsewhere.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use graphwright_core::{names::NAME, text::identifier_words};
use graphwright_documents::blocks;

use super::{Entity, Layout, Meaning, Walk, rows::Rows};
use crate::{
    columns,
    facts::{
        blocks::{Origin, Row, Table},
        keys::fit,
        text::BlockText,
        vocabulary::Vocabulary,
        walk::fields,
    },
    headers,
};

/// Stands between the columns, and the values, of a key of several columns.
const JOINT: char = '\u{1f}';

/// What identifies things of a type in their records, with the names of these things.
#[derive(Clone, Debug)]
pub(in crate::facts) struct KeyColumn {
    pub(in crate::facts) kind: usize,
    /// The column, or the columns that identify them together (a composite key).
    pub(in crate::facts) column: String,
    pub(in crate::facts) names: HashMap<String, String>,
}

impl KeyColumn {
    fn is_joint(&self) -> bool {
        self.column.contains(JOINT)
    }

    /// What each of its columns is called.
    fn headers(&self) -> impl Iterator<Item = &str> {
        self.column.split(JOINT)
    }
}

/// What the cells of a column name.
#[derive(Clone, Debug)]
pub(super) struct FarEnd<'k> {
    pub(super) kinds: Vec<usize>,
    /// Whether the header speaks of several.
    pub(super) plural: bool,
    /// Whether most of the values have letters, so that others are names as well: `.1` beside `.roff`.
    pub(super) texts: bool,
    /// The column from which its values are taken.
    pub(super) keys: Option<&'k KeyColumn>,
}

/// The columns of a table that refer to one thing: the person, or the year and the team together.
#[derive(Clone, Debug)]
pub(super) struct Reference<'k> {
    pub(super) columns: Vec<usize>,
    pub(super) end: FarEnd<'k>,
}

impl<'k> Reference<'k> {
    fn new(columns: Vec<usize>, kind: usize, keys: Option<&'k KeyColumn>) -> Self {
        Self { columns, end: FarEnd { kinds: vec![kind], plural: false, texts: false, keys } }
    }

    /// The thing that a row refers to by a key.
    pub(super) fn named_in(&self, row: &Row) -> Option<Entity> {
        let keys = self.end.keys?;
        let name = keys.names.get(&joined(row, &self.columns)?)?;
        Some(Entity { kind: keys.kind, name: name.clone() })
    }
}

/// Columns that together refer to one thing, and how the row's thing is related to it: the year and the team that won.
#[derive(Debug)]
pub(super) struct Joint<'k> {
    pub(super) reference: Reference<'k>,
    pub(super) relation: usize,
    pub(super) inverse: bool,
}

/// The values of some columns as those of one key. `None` if one is missing.
fn joined(row: &Row, columns: &[usize]) -> Option<String> {
    let cell =
        |column: &usize| row.cells.get(*column).map(BlockText::trimmed).filter(|text| !text.is_empty());
    let values: Option<Vec<&str>> = columns.iter().map(cell).collect();
    Some(values?.join(&JOINT.to_string()))
}

impl Walk<'_> {
    /// The same layout with the relationships to records whose keys columns hold: those that their headers say, also where these
    /// are declared as properties, else the only one.
    pub(super) fn with_references(&self, layout: &Layout, table: &Table, keys: &[&KeyColumn]) -> Layout {
        let mut layout = layout.clone();
        for column in (0..table.header.len()).filter(|column| *column != layout.key) {
            let property = match layout.meanings[column] {
                Some(Meaning::Property(property)) => Some(property),
                None => None,
                Some(_) => continue,
            };
            let numbers = || values_of(table, column).iter().all(|value| value.parse::<f64>().is_ok());
            let only = || {
                let relation = |far| self.lexicon.vocabulary.only_relation(layout.kind, far);
                let related = keys.iter().copied().filter(|keys| relation(keys.kind).is_some());
                relation(referred(related, table, column)?.kind)
            };
            let is_open = || {
                let is_free = property.is_none() && layout.kinds[column].is_none();
                is_free && (is_index(table, column) || !numbers())
            };
            let found = self.said_reference(&layout, table, column, keys).or_else(|| is_open().then(only)?);
            let meaning = found.map(|(relation, inverse)| Meaning::Relation { relation, inverse });
            let is_numbered = || base_of(table, column) != table.header[column].trimmed();
            let is_new = |meaning: &Meaning| is_numbered() || !layout.meanings.contains(&Some(*meaning));
            if let Some(meaning) = meaning.filter(is_new) {
                layout.meanings[column] = Some(meaning);
                layout.references.extend(property.map(|property| (column, property)));
            }
        }
        layout
    }

    /// The relationship that the header of a column says whose values are keys of what is at its other end.
    fn said_reference(
        &self,
        layout: &Layout,
        table: &Table,
        column: usize,
        keys: &[&KeyColumn],
    ) -> Option<(usize, bool)> {
        let vocabulary = self.lexicon.vocabulary;
        if self.is_own_key(layout.kind, table, column) {
            return None;
        }
        let header = base_of(table, column);
        let meant = |meaning: Meaning| {
            let Meaning::Relation { relation, inverse } = fit(vocabulary, meaning, layout.kind)? else {
                return None;
            };
            let far = self.far_end(relation, inverse);
            let of_far = keys.iter().copied().filter(|keys| far.contains(&keys.kind));
            referred(of_far, table, column).map(|_| (relation, inverse))
        };
        // The last of the keys that lead to a value says what it is: `address municipality`.
        let last = header.rsplit_once(' ').map(|(_, last)| last);
        let mut called = std::iter::once(header).chain(last.filter(|_| table.origin != Origin::Text));
        let said = called.find_map(|called| vocabulary.keys.meanings(called).into_iter().find_map(meant));
        // A bare `id` is that of the row, and `group_id` no `id` of anything else.
        let is_said = |keys: &&KeyColumn| {
            self.may_hold(header, keys)
                && (!headers::is_general_key(&keys.column) || self.kind_of_key(header).is_some())
        };
        let by_key = || {
            let key = referred(keys.iter().copied().filter(is_said), table, column)?;
            let role = identifier_words(columns::role(header, &key.column)?).join(" ");
            let own = role.is_empty() && key.kind == layout.kind;
            self.relation_in_role(layout.kind, key.kind, &role).filter(|_| !own)
        };
        said.or_else(by_key)
    }

    /// The type of which a header says that its column holds keys: `Artist` for `artist_id`.
    fn kind_of_key(&self, header: &str) -> Option<usize> {
        self.lexicon.vocabulary.keys.kind_named(&columns::keyed(header)?)
    }

    /// Whether a column may hold the keys of others, as its header is called.
    fn may_hold(&self, header: &str, keys: &KeyColumn) -> bool {
        !keys.is_joint()
            && columns::role(header, &keys.column).is_some()
            && (!headers::is_general_key(&keys.column)
                || self.kind_of_key(header).is_none_or(|kind| kind == keys.kind))
    }

    /// What the cells of a column name.
    pub(super) fn far_end_of<'k>(
        &self,
        layout: &Layout,
        table: &Table,
        column: usize,
        keys: &[&'k KeyColumn],
    ) -> FarEnd<'k> {
        let kinds = match layout.meanings[column] {
            Some(Meaning::Relation { relation, inverse }) => self.far_end(relation, inverse),
            _ => layout.kinds[column].into_iter().collect(),
        };
        let plural = fields::is_plural_key(table.header[column].trimmed());
        let values = values_of(table, column);
        let texts =
            values.iter().filter(|value| value.contains(char::is_alphabetic)).count() * 2 > values.len();
        // Codes of which some are keys of what is meant are such keys all, also where those of the others are not known.
        let are_codes = values.iter().all(|value| is_key_like(value));
        let best = best_keys(keys.iter().copied().filter(|key| kinds.contains(&key.kind)), &values);
        let best = best.filter(|(hits, _)| are_codes || hits * 2 >= values.len());
        FarEnd { plural, texts, keys: best.map(|(_, key)| key), kinds }
    }

    /// What columns refer to together, and the relationships to it.
    pub(super) fn joint_references<'k>(
        &self,
        layout: &Layout,
        table: &Table,
        keys: &[&'k KeyColumn],
    ) -> Vec<Joint<'k>> {
        let mut found: Vec<Joint<'k>> = Vec::new();
        for (reference, role) in joint_columns(table, keys.iter().copied()) {
            let far = reference.end.kinds[0];
            // Columns that are called as those of a key are that key of the rows themselves.
            let own = role.is_empty() && layout.kind == far;
            let relation = self.relation_in_role(layout.kind, far, &role);
            if let Some((relation, inverse)) = relation.filter(|_| !own) {
                found.push(Joint { reference, relation, inverse });
            }
        }
        found
    }

    /// What the columns of a table refer to: together, or alone by the keys or the names of things.
    pub(super) fn references<'k>(&self, table: &Table, keys: &'k [KeyColumn]) -> Vec<Reference<'k>> {
        let joint = joint_columns(table, keys.iter()).into_iter();
        let mut found: Vec<Reference<'k>> = joint.map(|(reference, _)| reference).collect();
        let singles: Vec<&KeyColumn> = keys.iter().filter(|keys| !keys.is_joint()).collect();
        for column in 0..table.header.len() {
            let header = table.header[column].trimmed();
            if columns::counts_rows(header) || found.iter().any(|known| known.columns.contains(&column)) {
                continue;
            }
            found.extend(self.single_reference(table, column, &singles));
        }
        found
    }

    /// What a column refers to, by keys that are called as it or of what it is called as; else by names.
    fn single_reference<'k>(
        &self,
        table: &Table,
        column: usize,
        keys: &[&'k KeyColumn],
    ) -> Option<Reference<'k>> {
        let header = table.header[column].trimmed();
        let said = base_of(table, column);
        let named = keys.iter().copied().filter(|keys| self.may_hold(said, keys));
        if let Some(keys) = referred(named, table, column) {
            return Some(Reference::new(vec![column], keys.kind, Some(keys)));
        }
        let called = self.key_of(header).or_else(|| self.kind_of_header(said));
        let kind = called.or_else(|| self.kind_of_nested(said))?;
        let keys = referred(keys.iter().copied().filter(|keys| keys.kind == kind), table, column);
        let names = || values_of(table, column).iter().any(|value| value.parse::<f64>().is_err());
        (called.is_some() || keys.is_some() || names()).then(|| Reference::new(vec![column], kind, keys))
    }

    /// The relationship between two types that a word says (`winner`), else the only one.
    fn relation_in_role(&self, kind: usize, far: usize, role: &str) -> Option<(usize, bool)> {
        let vocabulary = self.lexicon.vocabulary;
        let said = vocabulary.keys.meanings(role).into_iter().find_map(|meaning| match meaning {
            Meaning::Relation { relation, inverse } => {
                let near = self.far_end(relation, !inverse).contains(&kind);
                (near && self.far_end(relation, inverse).contains(&far)).then_some((relation, inverse))
            }
            _ => None,
        });
        said.or_else(|| vocabulary.only_relation(kind, far))
    }

    /// The columns by which other records may refer to these.
    pub(super) fn key_columns(&self, layout: &Layout, table: &Table, rows: &Rows) -> Vec<KeyColumn> {
        let relates = |column: usize| matches!(layout.meanings[column], Some(Meaning::Relation { .. }));
        let declared = |column: usize| self.lexicon.vocabulary.key_of(layout.kind, layout.meanings[column]?);
        // The `line` of each of the lines.
        let is_called_so = |column: usize| {
            let kind = self.lexicon.vocabulary.keys.kind_named(table.header[column].trimmed());
            kind == Some(layout.kind) && columns::is_unique(table, &[column])
        };
        let singles = (0..table.header.len()).filter(|column| {
            declared(*column).is_some()
                || *column != layout.key && is_called_so(*column)
                || *column != layout.key
                    && !relates(*column)
                    && !columns::counts_rows(table.header[*column].trimmed())
                    && columns::identifies(table, *column)
        });
        let singles: Vec<Vec<usize>> = singles.map(|column| vec![column]).collect();
        let columns = if singles.is_empty() { columns::joint_keys(table) } else { singles };
        let key = |columns: Vec<usize>| {
            let keyed = table.rows.iter().zip(&rows.names).filter_map(|(row, name)| {
                let key = joined(row, &columns)?;
                (!name.is_empty()).then(|| (key, self.known_row(layout.kind, name, rows)))
            });
            let (kind, names) = (layout.kind, only_once(keyed));
            let called =
                |column: &usize| declared(*column).unwrap_or_else(|| table.header[*column].trimmed());
            let called: Vec<&str> = columns.iter().map(called).collect();
            KeyColumn { kind, column: called.join(&JOINT.to_string()), names }
        };
        columns.into_iter().map(key).collect()
    }
}

/// Whether a column is all that a map says of its keys.
fn is_index(table: &Table, column: usize) -> bool {
    let is_own = |header: &BlockText| columns::is_key(header.trimmed()) || header.trimmed() == NAME;
    let mut others = table.header.iter().enumerate().filter(|(other, _)| *other != column);
    table.header[column].trimmed() == blocks::VALUE && others.all(|(_, header)| is_own(header))
}

/// What the header of a column says, without the number that tells it from others of one kind: `station` for `station2`.
pub(super) fn base_of(table: &Table, column: usize) -> &str {
    let header = table.header[column].trimmed();
    let base = headers::without_number(header, table.header.iter().map(BlockText::trimmed));
    base.unwrap_or(header)
}

/// The pairs whose key no other pair has: what identifies two things tells of neither.
fn only_once(pairs: impl Iterator<Item = (String, String)>) -> HashMap<String, String> {
    let mut found: HashMap<String, Option<String>> = HashMap::new();
    for (key, name) in pairs {
        let known = found.entry(key).or_insert_with(|| Some(name.clone()));
        if known.as_ref() != Some(&name) {
            *known = None;
        }
    }
    found.into_iter().filter_map(|(key, name)| Some((key, name?))).collect()
}

/// What sets of columns refer to together, with what their headers say beside those of the key (`winner` of `teamIDwinner`): most
/// of their values are those of the key.
fn joint_columns<'k>(
    table: &Table,
    keys: impl Iterator<Item = &'k KeyColumn>,
) -> Vec<(Reference<'k>, String)> {
    let mut found: Vec<(Reference<'k>, String)> = Vec::new();
    for keys in keys.filter(|keys| keys.is_joint()) {
        let fitting = |called: &str| {
            let headers = table.header.iter().map(BlockText::trimmed).enumerate();
            headers.filter_map(|(column, header)| Some((column, columns::role(header, called)?))).collect()
        };
        for chosen in columns::choices(&keys.headers().map(fitting).collect::<Vec<Vec<_>>>()) {
            let columns: Vec<usize> = chosen.iter().map(|(column, _)| *column).collect();
            let roles = chosen.iter().map(|(_, role)| identifier_words(role).join(" "));
            let role = roles.filter(|role| !role.is_empty()).collect::<Vec<_>>().join(" ");
            let is_known = |(known, _): &(Reference<'_>, String)| {
                known.end.kinds == [keys.kind] && known.columns == columns
            };
            if !found.iter().any(is_known) && are_taken_from(table, &columns, keys) {
                found.push((Reference::new(columns, keys.kind, Some(keys)), role));
            }
        }
    }
    found
}

/// Whether most of the values of some columns are those of a key.
fn are_taken_from(table: &Table, columns: &[usize], keys: &KeyColumn) -> bool {
    let values: HashSet<String> = table.rows.iter().filter_map(|row| joined(row, columns)).collect();
    let hits = values.iter().filter(|value| keys.names.contains_key(*value)).count();
    hits > 0 && hits * 2 >= values.len()
}

/// The different values of a column.
fn values_of(table: &Table, column: usize) -> HashSet<&str> {
    let mut values: HashSet<&str> = HashSet::new();
    for cell in table.rows.iter().filter_map(|row| row.cells.get(column)) {
        if cell.items.is_empty() {
            values.extend(Some(cell.trimmed()).filter(|text| !text.is_empty()));
        }
        values.extend(cell.items.iter().map(|range| cell.text[range.clone()].trim()));
    }
    values
}

/// The column of keys that the values of a column are taken from: the one that holds most of them, at least half, and the
/// fewest others.
fn referred<'k>(
    keys: impl DoubleEndedIterator<Item = &'k KeyColumn>,
    table: &Table,
    column: usize,
) -> Option<&'k KeyColumn> {
    let mut keys = keys.peekable();
    keys.peek()?;
    let values = values_of(table, column);
    best_keys(keys, &values).filter(|(hits, _)| hits * 2 >= values.len()).map(|(_, key)| key)
}

/// The keys by which other records name the things of the rows: those of an `id`, or those that most rows are called as where
/// these are not the names of things themselves.
pub(super) fn keys_of_rows<'k>(
    keys: &'k [KeyColumn],
    vocabulary: &Vocabulary,
    layout: &Layout,
    table: &Table,
) -> Option<&'k KeyColumn> {
    let is_id = columns::is_key(table.header[layout.key].trimmed());
    let declared = &vocabulary.types[layout.kind].key;
    let is_key = |column: &str| !is_id || columns::is_key(column) || column == declared;
    let mut keys = keys.iter().filter(|keys| keys.kind == layout.kind && is_key(&keys.column)).peekable();
    keys.peek()?;
    let values = values_of(table, layout.key);
    let (hits, keys) = best_keys(keys, &values)?;
    let named = || keys.names.values().filter(|name| values.contains(name.as_str())).count();
    (is_id || hits * 2 >= values.len() && named() * 2 < values.len()).then_some(keys)
}

/// The column of keys that holds most of some values, and how many: of equals the one that holds the fewest others.
fn best_keys<'k>(
    keys: impl DoubleEndedIterator<Item = &'k KeyColumn>,
    values: &HashSet<&str>,
) -> Option<(usize, &'k KeyColumn)> {
    let hits = |key: &KeyColumn| values.iter().filter(|value| key.names.contains_key(**value)).count();
    // Of equals the first: columns that identify stand in order of importance.
    let best = keys
        .filter(|key| !key.is_joint())
        .rev()
        .map(|key| (hits(key), key))
        .max_by_key(|(hits, key)| (*hits, Reverse(key.names.len())))?;
    Some(best).filter(|(hits, _)| *hits > 0)
}

/// Whether a value can only be a key: a code of letters and digits.
fn is_key_like(value: &str) -> bool {
    headers::is_numbered_code(value) && value.contains(|sign: char| sign.is_ascii_alphabetic())
}
