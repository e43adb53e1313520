//! Which column names the rows, or which columns do so together.

use std::collections::{HashMap, HashSet};

use graphwright_core::Span;
use graphwright_documents::blocks::{Row, Table, text::BlockText};
use graphwright_english::words;

use super::{KEYS, NAMES, header_words, key_of};
use crate::headers;

/// The parts of a person's name, in the order in which they are written.
const GIVEN: [&str; 3] = ["first", "given", "forename"];
const FAMILY: [&str; 4] = ["family", "last", "surname", "second"];
/// Longer texts do not tell rows apart.
const LONGEST: usize = 60;
/// At most so many columns are tried together, three at a time.
const MOST_TRIED: usize = 10;
/// So many composite keys of a list are known at most.
const MOST_JOINT: usize = 6;
/// At most so many columns name rows together.
const MOST_TOGETHER: usize = 3;
/// A column names rows if it gives nine of ten a name of their own.
const NEARLY_ALL: (usize, usize) = (9, 10);

/// The column that names what the rows speak of, as its header says: `name`, `title`; `team_name` where `team_id` is the rows'
/// key, or where nearly each row has one of its own.
pub(crate) fn name_column(table: &Table) -> Option<usize> {
    let words = header_words(table);
    let called = headers::name_column(table.header.iter().map(BlockText::trimmed));
    let called = called.map(|column| spelled_out(table, &words, column).unwrap_or(column));
    // `Title` beside the parts of a person's name is none.
    let called = called.filter(|column| words[*column] != ["title"] || person(&words, 0, |_| true).is_none());
    // Where some lack it, the parts of a person's name are better.
    let is_whole = |column: &usize| {
        let parts = person(&words, 0, |column| is_full(table, column));
        is_full(table, *column) || parts.is_none()
    };
    let called = called.filter(is_whole);
    let own = || {
        let prefix = (0..words.len()).find_map(|column| {
            key_of(&words[column]).map(|(prefix, _)| prefix).filter(|_| is_unique(table, &[column]))
        })?;
        words.iter().position(|own| {
            let rest = own.strip_prefix(prefix);
            rest.is_some_and(|rest| {
                matches!(rest, [last] if NAMES.contains(&last.as_str())) || rest.is_empty()
            })
        })
    };
    let telling = || {
        (0..words.len()).find(|column| {
            let named = words[*column].last().is_some_and(|last| NAMES.contains(&last.as_str()));
            let part = || person(&words, 0, |_| true).is_some_and(|parts| parts.contains(column));
            named && is_text(table, *column) && is_nearly_unique(table, *column) && !part()
        })
    };
    called.or_else(own).or_else(telling)
}

/// The column that spells the names of a column of slugs out: `Polished Granite` for `polished_granite`.
fn spelled_out(table: &Table, words: &[Vec<String>], slugs: usize) -> Option<usize> {
    fn cell(row: &Row, column: usize) -> &str {
        row.cells.get(column).map_or("", BlockText::trimmed)
    }
    let is_slug =
        |row: &Row| headers::is_code(cell(row, slugs)) && !cell(row, slugs).contains(char::is_uppercase);
    let is_joined = |row: &Row| cell(row, slugs).contains(['_', '-', '.']);
    let plain =
        |text: &str| text.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>().to_lowercase();
    let spells = |row: &Row, column: usize| {
        let text = plain(cell(row, column));
        !text.is_empty() && plain(cell(row, slugs)).ends_with(&text)
    };
    if !table.rows.iter().all(is_slug) || !table.rows.iter().any(is_joined) {
        return None;
    }
    let is_called = |column: usize| words[column].last().is_some_and(|last| NAMES.contains(&last.as_str()));
    (0..words.len()).find(|column| {
        let spelled = table.rows.iter().filter(|row| spells(row, *column)).count();
        *column != slugs
            && is_called(*column)
            && spelled * 2 > table.rows.len()
            && is_nearly_unique(table, *column)
    })
}

/// Whether a column names or identifies the rows, so that each is a thing: none of the columns that tell of other things.
pub(crate) fn are_named(table: &Table, tells_of_others: impl Fn(usize) -> bool) -> bool {
    let is_own_key = |column: usize| is_key(table.header[column].trimmed()) && is_unique(table, &[column]);
    name_column(table).is_some_and(|column| !tells_of_others(column))
        || !super::own_keys(table).is_empty()
        || (0..table.header.len()).any(is_own_key)
}

/// The columns of a person's name, from a column on.
pub(super) fn person(words: &[Vec<String>], from: usize, fits: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
    let part = |called: &[&str]| {
        let is_part = |column: usize, called: &str| match words[column].as_slice() {
            [only] => only == called && !matches!(called, "first" | "last"),
            [part, name] | [name, part] if name == "name" => part == called,
            _ => false,
        };
        let column =
            |called: &&str| (from..words.len()).find(|column| is_part(*column, called) && fits(*column));
        called.iter().find_map(column)
    };
    Some(vec![part(&GIVEN)?, part(&FAMILY)?])
}

/// The columns that name rows together, and what stands between their values.
#[derive(Debug)]
pub(super) struct MadeUp {
    columns: Vec<usize>,
    between: &'static str,
    /// Whether rows that the columns do not tell apart are numbered.
    numbered: bool,
}

/// What names rows that no column names: the parts of a person's name, the rows' key, or the fewest columns that tell the rows
/// apart (a candidate key). The column `own` that is called as the rows are names them if it holds texts, else together with
/// others.
pub(super) fn made_up(table: &Table, own: Option<usize>) -> Option<MadeUp> {
    if table.rows.len() < 2 || name_column(table).is_some() || has_own_keys(table) {
        return None;
    }
    let words = header_words(table);
    if let Some(columns) = person(&words, 0, |_| true) {
        return Some(MadeUp { columns, between: " ", numbered: false });
    }
    let tells = |column| is_text(table, column) && is_unique(table, &[column]);
    let is_named = match own {
        Some(own) => is_text(table, own) || is_unique(table, &[own]),
        None => (0..words.len()).any(tells),
    };
    if is_named {
        return None;
    }
    let key = candidate_key(table, &words, own);
    let numbered = key.is_none();
    let columns = key.unwrap_or_else(|| most_telling(table, &words));
    (!columns.is_empty()).then_some(MadeUp { columns, between: ", ", numbered })
}

/// Whether a header is that of the keys under which records stand.
pub(crate) fn is_key(header: &str) -> bool {
    let header = header.to_lowercase();
    headers::is_id(&header) || header == "key"
}

/// Whether rows are told apart by the keys that they have in the records that hold them.
fn has_own_keys(table: &Table) -> bool {
    let key = table.header.iter().position(|header| is_key(header.trimmed()));
    let Some(key) = key.filter(|_| !table.parents.is_empty()) else { return false };
    let mut seen = HashSet::new();
    let cell = |row: &Row| row.cells.get(key).map_or("", BlockText::trimmed).to_owned();
    table
        .rows
        .iter()
        .zip(&table.parents)
        .all(|(row, parent)| !parent.is_empty() && seen.insert((parent, cell(row))))
}

impl MadeUp {
    /// Adds a column `name`.
    pub(super) fn add_to(&self, table: &mut Table) {
        let place = table.header.first().map_or(0, |cell| cell.span(0..0).start);
        let width = table.header.len();
        table.header.push(BlockText::copied("name", place));
        let mut times: HashMap<String, usize> = HashMap::new();
        for row in &mut table.rows {
            let mut name = joined(row, &self.columns, self.between);
            let times = times.entry(name.text.clone()).and_modify(|times| *times += 1).or_insert(1);
            if self.numbered && *times > 1 {
                let end = name.span(name.text.len()..name.text.len()).end;
                name.push(&format!(" ({times})"), end..end);
            }
            row.cells.resize_with(width, BlockText::default);
            row.cells.push(name);
        }
    }
}

/// The fewest columns, one or two, by which rows of one name differ: of several those with the fewest values. The column that
/// tells most of them apart, if none tells all.
pub(crate) fn telling_apart(table: &Table, name: usize, alike: &[Vec<usize>]) -> Vec<usize> {
    if alike.is_empty() {
        return Vec::new();
    }
    let told_apart = |columns: &[usize]| -> usize {
        let different = |rows: &Vec<usize>| {
            rows.iter().map(|row| values(&table.rows[*row], columns)).collect::<HashSet<_>>().len()
        };
        alike.iter().map(different).sum()
    };
    let all: usize = alike.iter().map(Vec::len).sum();
    let mut short: Vec<usize> =
        (0..table.header.len()).filter(|column| *column != name && is_short(table, *column)).collect();
    short.sort_by_key(|column| different(table, *column));
    let tells = |columns: &Vec<usize>| told_apart(columns) == all;
    let alone = short.iter().map(|column| vec![*column]);
    let mut sets = alone.clone().chain(combinations(&short[..short.len().min(MOST_TRIED)], 2));
    let most = || alone.rev().max_by_key(|column| told_apart(column));
    sets.find(tells).or_else(most).unwrap_or_default()
}

/// The sets of columns, two or three, that together identify the rows where no column does alone (composite keys), the likeliest
/// first. Each value of such a column comes again. Numbers of which neither the header nor a year says that they identify come
/// last.
pub(crate) fn joint_keys(table: &Table) -> Vec<Vec<usize>> {
    let rows = table.rows.len();
    let rank = |column: usize| {
        let count = different(table, column);
        let repeats = count > 2 && count * 2 <= rows && is_short(table, column) && is_full(table, column);
        let certain = headers::is_identifying(table.header[column].trimmed())
            || is_text(table, column)
            || holds_years(table, column);
        repeats.then_some((!certain, count, column))
    };
    let mut ranked: Vec<_> = (0..table.header.len()).filter_map(rank).collect();
    ranked.sort_unstable();
    ranked.truncate(MOST_TRIED);
    let parts: Vec<usize> = ranked.iter().map(|(_, _, column)| *column).collect();
    let keys = |count| {
        let all = combinations(&parts, count).into_iter();
        let unique: Vec<Vec<usize>> =
            all.filter(|columns| is_unique(table, columns)).take(MOST_JOINT).collect();
        (!unique.is_empty()).then_some(unique)
    };
    (2..=MOST_TOGETHER).find_map(keys).unwrap_or_default()
}

/// The columns by which most rows differ, two or three: each that tells more rows apart than those before it.
fn most_telling(table: &Table, words: &[Vec<String>]) -> Vec<usize> {
    let short = short_columns(table, words);
    let (texts, others): (Vec<usize>, Vec<usize>) =
        short.into_iter().partition(|column| !is_numbers(table, *column));
    let short = if texts.len() > 1 { texts } else { [texts, others].concat() };
    let different =
        |columns: &[usize]| table.rows.iter().map(|row| values(row, columns)).collect::<HashSet<_>>().len();
    let mut chosen: Vec<usize> = Vec::new();
    let mut told_apart = 0;
    while chosen.len() < MOST_TOGETHER {
        let others = short.iter().copied().filter(|column| !chosen.contains(column));
        let with = |column| (different(&[chosen.as_slice(), &[column]].concat()), column);
        let best = others.rev().map(with).max_by_key(|(count, _)| *count);
        // One column alone would be called as what it names.
        let Some((count, column)) = best.filter(|(count, _)| chosen.len() < 2 || *count > told_apart) else {
            break;
        };
        chosen.push(column);
        told_apart = count;
    }
    chosen.sort_unstable();
    chosen
}

/// The row's own key, or the fewest columns that tell rows apart: texts first, then what else is short.
fn candidate_key(table: &Table, words: &[Vec<String>], own: Option<usize>) -> Option<Vec<usize>> {
    let is_key = |column: &usize| {
        key_of(&words[*column]).is_some()
            || matches!(words[*column].as_slice(), [only] if KEYS.contains(&only.as_str()))
    };
    if let Some(key) = (0..words.len()).find(|column| is_key(column) && is_unique(table, &[*column])) {
        return Some(vec![key]);
    }
    let short = short_columns(table, words);
    let (texts, others): (Vec<usize>, Vec<usize>) =
        short.into_iter().partition(|column| is_text(table, *column));
    let all = texts.iter().copied().chain(others).take(MOST_TRIED).collect::<Vec<_>>();
    let texts = &texts[..texts.len().min(MOST_TRIED)];
    // A name has a text, if it takes no more than one column more.
    let cost = |columns: &Vec<usize>| {
        columns.len() + usize::from(columns.iter().all(|column| !texts.contains(column)))
    };
    let fewest = |own| {
        let found = [texts, &all].into_iter().filter_map(|tried| fewest(table, tried, own));
        found.min_by_key(cost)
    };
    own.and_then(|own| fewest(Some(own))).or_else(|| fewest(None))
}

/// The columns with short values, but for numbers of places.
fn short_columns(table: &Table, words: &[Vec<String>]) -> Vec<usize> {
    // A number that identifies others (`order_id`) tells rows apart, one of the row's own place does not name it.
    let place = |column: &usize| {
        let called = words[*column].last().is_some_and(|last| KEYS.contains(&last.as_str()));
        called && is_unique(table, &[*column])
    };
    (0..words.len()).filter(|column| is_short(table, *column) && !place(column)).collect()
}

/// The fewest of some columns that tell rows apart, three at most; `own` is one of them.
fn fewest(table: &Table, tried: &[usize], own: Option<usize>) -> Option<Vec<usize>> {
    let others: Vec<usize> = tried.iter().copied().filter(|column| Some(*column) != own).collect();
    let room = MOST_TOGETHER - usize::from(own.is_some());
    let unique = |columns: Vec<usize>| {
        let mut columns: Vec<usize> = columns.into_iter().chain(own).collect();
        columns.sort_unstable();
        (!columns.is_empty() && is_unique(table, &columns)).then_some(columns)
    };
    (0..=room).find_map(|count| combinations(&others, count).into_iter().find_map(unique))
}

/// Each way to take so many of some columns, in their order.
fn combinations(columns: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let from =
        |at: usize| combinations(&columns[at + 1..], count - 1).into_iter().map(move |rest| (at, rest));
    (0..columns.len()).flat_map(from).map(|(at, rest)| [vec![columns[at]], rest].concat()).collect()
}

/// The cells of some columns as one text.
pub(super) fn joined(row: &Row, columns: &[usize], between: &str) -> BlockText {
    let cells = columns
        .iter()
        .filter_map(|column| row.cells.get(*column))
        .filter(|cell| !cell.trimmed().is_empty() && !words::is_no_value(&cell.trimmed().to_lowercase()));
    let texts: Vec<(&str, Span)> =
        cells.map(|cell| (cell.trimmed(), cell.span(cell.trim(0..cell.text.len())))).collect();
    let mut text = BlockText::default();
    let start = texts.iter().map(|(_, span)| span.start).min();
    let end = texts.iter().map(|(_, span)| span.end).max();
    if let (Some(start), Some(end)) = (start, end) {
        let whole: Vec<&str> = texts.iter().map(|(text, _)| *text).collect();
        text.push(&whole.join(between), start..end);
    }
    text
}

fn values<'r>(row: &'r Row, columns: &[usize]) -> Vec<&'r str> {
    columns.iter().map(|column| row.cells.get(*column).map_or("", BlockText::trimmed)).collect()
}

/// Whether each row has values of its own in some columns.
pub(crate) fn is_unique(table: &Table, columns: &[usize]) -> bool {
    let mut seen = HashSet::new();
    table.rows.iter().all(|row| {
        let values = values(row, columns);
        values.iter().all(|value| !value.is_empty()) && seen.insert(values)
    })
}

/// Whether a column identifies the rows: one value without spaces in most rows, never the same twice. Numbers do so only
/// under a header that says it.
pub(crate) fn identifies(table: &Table, column: usize) -> bool {
    let header = table.header[column].trimmed();
    let called = headers::is_identifying(header);
    let mut seen = HashSet::new();
    let (mut numbers, mut again) = (0, 0);
    for row in &table.rows {
        let Some(cell) = row.cells.get(column).filter(|cell| !cell.trimmed().is_empty()) else { continue };
        let text = cell.trimmed();
        if cell.items.len() > 1 || !headers::may_identify(text, header) {
            return false;
        }
        if seen.insert(text) {
            numbers += usize::from(text.parse::<f64>().is_ok());
        } else {
            again += 1;
        }
    }
    // What is called an identifier may have slips; the two parts of Serpens share one.
    let few = again == 0 || called && again * 20 <= seen.len();
    few && seen.len() > 1 && seen.len() * 2 > table.rows.len() && (called || numbers * 2 < seen.len())
}

/// How many different values a column has.
fn different(table: &Table, column: usize) -> usize {
    let values = table.rows.iter().filter_map(|row| row.cells.get(column)).map(BlockText::trimmed);
    values.filter(|value| !value.is_empty()).collect::<HashSet<_>>().len()
}

/// Whether each row has a value in a column.
fn is_full(table: &Table, column: usize) -> bool {
    table.rows.iter().all(|row| row.cells.get(column).is_some_and(|cell| !cell.trimmed().is_empty()))
}

/// Whether all values are years, or begin with one, as dates do.
fn holds_years(table: &Table, column: usize) -> bool {
    let is_year = |value: &str| {
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        digits == 4
            && value.starts_with(['1', '2'])
            && value[4..].bytes().all(|sign| sign.is_ascii_digit() || sign == b'-')
    };
    table.rows.iter().filter_map(|row| row.cells.get(column)).all(|cell| is_year(cell.trimmed()))
}

fn is_nearly_unique(table: &Table, column: usize) -> bool {
    different(table, column) * NEARLY_ALL.1 >= table.rows.len() * NEARLY_ALL.0
}

/// Whether most values of a column hold letters, and are no addresses.
pub(crate) fn is_text(table: &Table, column: usize) -> bool {
    let values = || table.rows.iter().filter_map(|row| row.cells.get(column)).map(BlockText::trimmed);
    let texts =
        values().filter(|value| value.contains(char::is_alphabetic) && !value.contains("://")).count();
    texts * 2 > values().filter(|value| !value.is_empty()).count()
}

fn is_numbers(table: &Table, column: usize) -> bool {
    let mut values = table.rows.iter().filter_map(|row| row.cells.get(column)).map(BlockText::trimmed);
    values.all(|value| value.is_empty() || value.parse::<f64>().is_ok())
}

fn is_short(table: &Table, column: usize) -> bool {
    table
        .rows
        .iter()
        .filter_map(|row| row.cells.get(column))
        .all(|cell| cell.items.len() < 2 && cell.trimmed().len() <= LONGEST)
}
