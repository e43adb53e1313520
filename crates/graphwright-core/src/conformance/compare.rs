//! Comparison of rows with the expected ones.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::{Properties, Value};

/// Rows as they are compared.
type Rows = [Vec<Value>];

/// Expected rows.
#[derive(Debug)]
pub(super) struct Expected {
    rows: Vec<Row>,
    sorted: bool,
}

#[derive(Debug)]
enum Row {
    Cells(Vec<Cell>),
    /// The row's one list, in any order.
    Bag(Vec<Cell>),
}

/// An expected value.
#[derive(Debug)]
enum Cell {
    Any,
    Value(Value),
    List(Vec<Cell>),
    Map(BTreeMap<String, Cell>),
    Node(Vec<String>, BTreeMap<String, Cell>),
    Relationship(String, BTreeMap<String, Cell>),
    /// A temporal value whose text begins with this.
    Temporal(String),
}

impl Expected {
    /// Reads rows from JSON: a list of lists.
    pub(super) fn parse(text: &str, sorted: bool) -> Result<Self, String> {
        let rows: Vec<Vec<Json>> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let rows = rows.iter().map(|row| Row::parse(row)).collect::<Result<_, _>>()?;
        Ok(Self { rows, sorted })
    }

    pub(super) fn check(&self, rows: &Rows) -> Result<(), String> {
        let equal = self.rows.len() == rows.len()
            && if self.sorted { self.in_order(rows) } else { self.in_any_order(rows) };
        if equal {
            return Ok(());
        }
        let shown = serde_json::to_string(&rows.iter().take(20).collect::<Vec<_>>()).unwrap_or_default();
        Err(format!("gave {} rows {shown}, should be {} rows {:?}", rows.len(), self.rows.len(), self.rows))
    }

    fn in_order(&self, rows: &Rows) -> bool {
        self.rows.iter().zip(rows).all(|(expected, row)| expected.matches(row))
    }

    fn in_any_order(&self, rows: &Rows) -> bool {
        is_permutation(&self.rows, rows, Row::matches)
    }
}

/// Returns whether each expected item matches an item of its own.
///
/// Takes the first that fits. That is enough as long as no item with placeholders takes one that a
/// later item without placeholders needs; therefore those without come first.
fn is_permutation<E, V>(expected: &[E], found: &[V], matches: impl Fn(&E, &V) -> bool) -> bool {
    let mut left: Vec<&V> = found.iter().collect();
    let all = expected.iter().all(|item| match left.iter().position(|value| matches(item, value)) {
        Some(place) => {
            left.swap_remove(place);
            true
        }
        None => false,
    });
    all && left.is_empty()
}

impl Row {
    fn parse(row: &[Json]) -> Result<Self, String> {
        match row {
            [Json::String(mark), Json::Array(items)] if mark == "#" => Ok(Self::Bag(cells(items)?)),
            _ => Ok(Self::Cells(cells(row)?)),
        }
    }

    fn matches(&self, row: &Vec<Value>) -> bool {
        match (self, row.as_slice()) {
            (Self::Cells(cells), row) => all_match(cells, row),
            (Self::Bag(cells), [Value::List(items)]) => is_permutation(cells, items, Cell::matches),
            (Self::Bag(_), _) => false,
        }
    }
}

fn all_match(cells: &[Cell], values: &[Value]) -> bool {
    cells.len() == values.len() && cells.iter().zip(values).all(|(cell, value)| cell.matches(value))
}

fn cells(items: &[Json]) -> Result<Vec<Cell>, String> {
    items.iter().map(Cell::parse).collect()
}

fn members(map: &serde_json::Map<String, Json>) -> Result<BTreeMap<String, Cell>, String> {
    map.iter().map(|(key, value)| Ok((key.clone(), Cell::parse(value)?))).collect()
}

impl Cell {
    fn parse(json: &Json) -> Result<Self, String> {
        Ok(match json {
            Json::String(mark) if mark == "*" => Self::Any,
            Json::Array(items) => Self::List(cells(items)?),
            Json::Object(map) if map.contains_key("$type") => {
                Self::Value(serde_json::from_value(json.clone()).map_err(|error| error.to_string())?)
            }
            Json::Object(map) => match (map.get("$n"), map.get("$r"), map.get("$t")) {
                (Some(Json::Array(parts)), ..) => match parts.as_slice() {
                    [Json::Array(labels), Json::Object(properties)] => {
                        let labels = labels.iter().filter_map(Json::as_str).map(str::to_owned).collect();
                        Self::Node(labels, members(properties)?)
                    }
                    _ => return Err(format!("{json} is no node")),
                },
                (_, Some(Json::Array(parts)), _) => match parts.as_slice() {
                    [Json::String(kind), Json::Object(properties)] => {
                        Self::Relationship(kind.clone(), members(properties)?)
                    }
                    _ => return Err(format!("{json} is no relationship")),
                },
                (.., Some(Json::String(text))) => Self::Temporal(text.clone()),
                _ => Self::Map(members(map)?),
            },
            other => Self::Value(serde_json::from_value(other.clone()).map_err(|error| error.to_string())?),
        })
    }

    fn matches(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Any, _) => true,
            (Self::Value(expected), found) if expected == found => true,
            (Self::Value(Value::Float(expected)), Value::Float(found)) => {
                // Engines add in different orders, so the last bits may differ.
                (expected - found).abs() <= 1e-9 * expected.abs().max(1.0)
            }
            (Self::List(cells), Value::List(items)) => all_match(cells, items),
            (Self::Map(cells), Value::Map(map)) => same_members(cells, map),
            (Self::Node(labels, properties), Value::Node(node)) => {
                is_permutation(labels, &node.labels, |expected, found| expected == found)
                    && same_members(properties, &node.properties)
            }
            (Self::Relationship(kind, properties), Value::Relationship(relationship)) => {
                *kind == relationship.kind && same_members(properties, &relationship.properties)
            }
            (Self::Temporal(prefix), found) => {
                temporal_text(found).is_some_and(|text| text.starts_with(prefix))
            }
            _ => false,
        }
    }
}

fn same_members(cells: &BTreeMap<String, Cell>, map: &Properties) -> bool {
    cells.len() == map.len()
        && cells.iter().zip(map).all(|((key, cell), (name, value))| key == name && cell.matches(value))
}

fn temporal_text(value: &Value) -> Option<String> {
    match value {
        Value::Date(date) => Some(date.to_string()),
        Value::Time(time) => Some(time.to_string()),
        Value::LocalTime(time) => Some(time.to_string()),
        Value::DateTime(zoned) => Some(zoned.to_string()),
        Value::LocalDateTime(datetime) => Some(datetime.to_string()),
        Value::Duration(duration) => Some(duration.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ElementId, Node};

    fn check(expected: &str, sorted: bool, rows: &[Vec<Value>]) -> bool {
        Expected::parse(expected, sorted).unwrap().check(rows).is_ok()
    }

    fn row(value: impl Into<Value>) -> Vec<Value> {
        vec![value.into()]
    }

    #[test]
    fn order_counts_only_where_it_is_asked_for() {
        let rows = [row(2), row(1)];
        assert!(check("[[1], [2]]", false, &rows));
        assert!(!check("[[1], [2]]", true, &rows));
    }

    #[test]
    fn number_of_rows_and_columns_count() {
        assert!(!check("[[1]]", false, &[row(1), row(1)]));
        assert!(!check("[[1], [1]]", false, &[row(1)]));
        assert!(!check("[[1], [2]]", false, &[row(1), row(1)]));
        assert!(!check("[[1, 2]]", false, &[row(1)]));
        assert!(check("[]", false, &[]));
        assert!(!check("[]", false, &[row(Value::Null)]));
    }

    #[test]
    fn types_count() {
        assert!(!check("[[1]]", false, &[row(1.0)]));
        assert!(!check("[[1.0]]", false, &[row(1)]));
        assert!(!check("[[\"1\"]]", false, &[row(1)]));
        assert!(!check("[[null]]", false, &[row(false)]));
        assert!(check("[[0.3]]", false, &[row(0.1 + 0.2)]));
        assert!(check("[[\"*\"]]", false, &[row(5)]));
    }

    #[test]
    fn nested_values_are_compared_whole() {
        let node = |label: &str| {
            let properties = Properties::from([("x".to_owned(), Value::from(1))]);
            row(Node { element_id: ElementId::new("7"), labels: vec![label.to_owned()], properties })
        };
        assert!(check(r#"[[{"$n": [["A"], {"x": 1}]}]]"#, false, &[node("A")]));
        assert!(!check(r#"[[{"$n": [["A"], {"x": 1}]}]]"#, false, &[node("B")]));
        assert!(!check(r#"[[{"$n": [["A"], {"x": 2}]}]]"#, false, &[node("A")]));
        assert!(!check(r#"[[{"$n": [["A"], {}]}]]"#, false, &[node("A")]));
        assert!(check(r##"[["#", [1, 2]]]"##, false, &[row(vec![2, 1])]));
        assert!(!check("[[[1, 2]]]", false, &[row(vec![2, 1])]));
        assert!(!check(r#"[[{"a": 1}]]"#, false, &[row(BTreeMap::from([("b".to_owned(), Value::from(1))]))]));
        let date = row(jiff::civil::date(2020, 1, 2));
        assert!(check(r#"[[{"$t": "2020-01"}]]"#, false, std::slice::from_ref(&date)));
        assert!(!check(r#"[["2020-01-02"]]"#, false, &[date]));
    }
}
