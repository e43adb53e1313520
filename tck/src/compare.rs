//! Comparison of values and rows with the expected ones. Identifiers of nodes and relationships do
//! not count.

use graphwright_core::{
    Node, Path, Properties, Record, Relationship, Table, Value,
    value::{CypherDuration, OffsetTime},
};
use jiff::{Zoned, civil};

/// The expected rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExpectedRows {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Record>,
    /// Whether the order of the rows counts.
    pub(crate) in_order: bool,
    pub(crate) lists: Lists,
}

/// Whether the order of a list's elements counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lists {
    InOrder,
    InAnyOrder,
}

impl ExpectedRows {
    /// Compares a table with the expected rows. Columns are matched by their names; their order
    /// does not count.
    ///
    /// # Errors
    ///
    /// Returns a message with what was found and what was expected.
    pub(crate) fn check(&self, found: &Table) -> Result<(), String> {
        let places: Option<Vec<usize>> =
            self.columns.iter().map(|name| found.columns.iter().position(|column| column == name)).collect();
        let Some(places) = places.filter(|places| places.len() == found.columns.len()) else {
            return Err(format!("columns {:?}, should be {:?}", found.columns, self.columns));
        };
        let same_row = |expected: &Record, row: &Record| {
            let cells = expected.iter().zip(&places);
            cells
                .into_iter()
                .all(|(cell, &place)| row.get(place).is_some_and(|value| same(cell, value, self.lists)))
        };
        let equal = if self.in_order {
            self.rows.len() == found.rows.len()
                && self.rows.iter().zip(&found.rows).all(|(expected, row)| same_row(expected, row))
        } else {
            same_bag(&self.rows, &found.rows, same_row)
        };
        if equal { Ok(()) } else { Err(format!("rows {:?}, should be {:?}", found.rows, self.rows)) }
    }
}

/// Returns whether each expected item can be paired with a found one, and none is left. Items that
/// equal the same item are equal, so the first match will do.
fn same_bag<E, V>(expected: &[E], found: &[V], same: impl Fn(&E, &V) -> bool) -> bool {
    let mut left: Vec<&V> = found.iter().collect();
    let all = expected.iter().all(|item| match left.iter().position(|value| same(item, value)) {
        Some(place) => {
            left.swap_remove(place);
            true
        }
        None => false,
    });
    all && left.is_empty()
}

fn same(expected: &Value, found: &Value, lists: Lists) -> bool {
    let same = |expected: &Value, found: &Value| same(expected, found, lists);
    match (expected, found) {
        (Value::List(expected), Value::List(found)) if lists == Lists::InAnyOrder => {
            same_bag(expected, found, same)
        }
        (Value::List(expected), Value::List(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(one, other)| same(one, other))
        }
        (Value::Map(expected), Value::Map(found)) => same_properties(expected, found, same),
        (Value::Node(expected), Value::Node(found)) => same_node(expected, found, same),
        (Value::Relationship(expected), Value::Relationship(found)) => {
            same_relationship(expected, found, same)
        }
        (Value::Path(expected), Value::Path(found)) => same_path(expected, found, same),
        (Value::String(text), found) => same_text(text, found),
        (expected, found) => expected == found,
    }
}

fn same_properties(expected: &Properties, found: &Properties, same: impl Fn(&Value, &Value) -> bool) -> bool {
    expected.len() == found.len()
        && expected.iter().zip(found).all(|((key, one), (name, other))| key == name && same(one, other))
}

fn same_node(expected: &Node, found: &Node, same: impl Fn(&Value, &Value) -> bool) -> bool {
    same_bag(&expected.labels, &found.labels, |one, other| one == other)
        && same_properties(&expected.properties, &found.properties, same)
}

fn same_relationship(
    expected: &Relationship,
    found: &Relationship,
    same: impl Fn(&Value, &Value) -> bool,
) -> bool {
    expected.kind == found.kind && same_properties(&expected.properties, &found.properties, same)
}

fn same_path(expected: &Path, found: &Path, same: impl Fn(&Value, &Value) -> bool) -> bool {
    let starts_before = |path: &Path, place: usize| {
        path.nodes.get(place).map(|node| &node.element_id)
            == path.relationships.get(place).map(|relationship| &relationship.start)
    };
    let is_loop = |place: usize| {
        found.relationships.get(place).is_some_and(|relationship| relationship.start == relationship.end)
    };
    expected.nodes.len() == found.nodes.len()
        && expected.relationships.len() == found.relationships.len()
        && expected.nodes.iter().zip(&found.nodes).all(|(one, other)| same_node(one, other, &same))
        && expected.relationships.iter().zip(&found.relationships).enumerate().all(|(place, (one, other))| {
            same_relationship(one, other, &same)
                // The direction of a loop cannot be told.
                && (is_loop(place) || starts_before(expected, place) == starts_before(found, place))
        })
}

/// Compares a text with a value: a string, or the temporal value that the text writes.
fn same_text(text: &str, found: &Value) -> bool {
    match found {
        Value::String(found) => text == found,
        Value::Date(found) => text.parse().is_ok_and(|date: civil::Date| date == *found),
        Value::LocalTime(found) => text.parse().is_ok_and(|time: civil::Time| time == *found),
        Value::LocalDateTime(found) => text.parse().is_ok_and(|datetime: civil::DateTime| datetime == *found),
        Value::Time(found) => text.parse().is_ok_and(|time: OffsetTime| time == *found),
        Value::Duration(found) => text.parse().is_ok_and(|duration: CypherDuration| duration == *found),
        Value::DateTime(found) => same_zoned(text, found),
        _ => false,
    }
}

/// Compares a zoned date-time with text like `1984-10-11T12:00+01:00[Europe/Stockholm]`: date,
/// time, offset and zone must each be equal.
fn same_zoned(text: &str, found: &Zoned) -> bool {
    let (text, zone) = match text.split_once('[') {
        Some((text, zone)) => (text, zone.strip_suffix(']')),
        None => (text, None),
    };
    let parts = text
        .split_once('T')
        .and_then(|(date, time)| Some((date.parse::<civil::Date>().ok()?, time.parse::<OffsetTime>().ok()?)));
    let is_offset_only = found.time_zone().iana_name().is_none_or(|name| name == "UTC");
    parts.is_some_and(|(date, time)| {
        found.datetime() == date.to_datetime(time.time)
            && found.offset() == time.offset
            && zone.map_or(is_offset_only, |zone| found.time_zone().iana_name() == Some(zone))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse;

    fn rows(cells: &[&str], in_order: bool, lists: Lists) -> ExpectedRows {
        let rows = cells.iter().map(|cell| vec![parse(cell).unwrap()]).collect();
        ExpectedRows { columns: vec!["x".to_owned()], rows, in_order, lists }
    }

    fn table(cells: &[&str]) -> Table {
        let rows = rows(cells, true, Lists::InOrder);
        Table { columns: rows.columns, rows: rows.rows, ..Table::default() }
    }

    #[test]
    fn the_order_of_rows_and_of_lists_counts_where_it_should() {
        let found = table(&["[1, 2]", "[3]"]);
        assert!(rows(&["[3]", "[1, 2]"], false, Lists::InOrder).check(&found).is_ok());
        assert!(rows(&["[3]", "[1, 2]"], true, Lists::InOrder).check(&found).is_err());
        assert!(rows(&["[2, 1]", "[3]"], true, Lists::InAnyOrder).check(&found).is_ok());
        assert!(rows(&["[2, 1]", "[3]"], true, Lists::InOrder).check(&found).is_err());
        assert!(rows(&["[1, 2]"], false, Lists::InOrder).check(&found).is_err());
        let other = Table { columns: vec!["y".to_owned()], ..found };
        assert!(rows(&["[1, 2]", "[3]"], false, Lists::InOrder).check(&other).is_err());
    }

    #[test]
    fn directions_labels_and_types_count() {
        let equal =
            |one: &str, other: &str| same(&parse(one).unwrap(), &parse(other).unwrap(), Lists::InOrder);
        assert!(equal("(:A:B {p: 1})", "(:B:A {p: 1})"));
        assert!(!equal("(:A)", "(:A:B)"));
        assert!(!equal("1", "1.0"));
        assert!(!equal("'1'", "1"));
        assert!(!equal("null", "'null'"));
        assert!(equal("NaN", "NaN"));
        assert!(equal("<()-[:T]->()>", "<()-[:T]->()>"));
        assert!(!equal("<()-[:T]->()>", "<()<-[:T]-()>"));
    }

    #[test]
    fn strings_stand_for_temporal_values() {
        let zoned = |text: &str| Value::from(text.parse::<Zoned>().unwrap());
        assert!(same_text("1984-10-11", &civil::date(1984, 10, 11).into()));
        assert!(same_text("12:31", &Value::LocalTime(civil::time(12, 31, 0, 0))));
        assert!(same_text("12:31Z", &Value::Time("12:31:00+00:00".parse().unwrap())));
        assert!(!same_text("12:31+01:00", &Value::Time("12:31:00+02:00".parse().unwrap())));
        assert!(same_text("1984-10-11T12:31", &civil::datetime(1984, 10, 11, 12, 31, 0, 0).into()));
        assert!(same_text("P1Y", &Value::Duration("P12M".parse().unwrap())));
        let stockholm = zoned("1984-10-11T12:31:14+01:00[Europe/Stockholm]");
        assert!(same_text("1984-10-11T12:31:14+01:00[Europe/Stockholm]", &stockholm));
        assert!(!same_text("1984-10-11T12:31:14+01:00", &stockholm));
        assert!(same_text("1984-10-11T12:31Z", &zoned("1984-10-11T12:31:00+00:00[UTC]")));
        assert!(!same_text("1984-10-12", &civil::date(1984, 10, 11).into()));
    }
}
