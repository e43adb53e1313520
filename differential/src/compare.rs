//! Comparison of two answers.
//!
//! - Rows are bags. Where an `ORDER BY` says so they are ordered, with ties free among equal keys.
//! - Nodes and relationships compare by labels, type and properties. Each has a number of its own.
//! - Floats compare to ten digits, because the order of a sum is open.
//! - Lists whose order Cypher leaves open stand in columns and under keys whose names begin with
//!   `bag`.

use std::collections::BTreeMap;

use graphwright_core::{Table, Value};

/// A sort key of a result: a column, or a property of the node in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    column: usize,
    property: Option<String>,
}

impl Key {
    fn find(columns: &[String], name: &str) -> Option<Self> {
        let place = |name: &str| columns.iter().position(|column| column == name);
        if let Some(column) = place(name) {
            return Some(Self { column, property: None });
        }
        let (variable, property) = name.split_once('.')?;
        Some(Self { column: place(variable)?, property: Some(property.to_owned()) })
    }

    /// Returns the key's value in a row in canonical form.
    fn value<'a>(&self, row: &'a [Value]) -> Option<&'a Value> {
        let value = row.get(self.column)?;
        match &self.property {
            None => Some(value),
            // The properties of a node are the last item of its canonical list.
            Some(property) => Some(value.as_list()?.last()?.as_map()?.get(property).unwrap_or(&Value::Null)),
        }
    }
}

/// The order that the last clause of a query gives its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ordering {
    /// The columns of `ORDER BY`.
    keys: Vec<String>,
    /// Whether `SKIP` or `LIMIT` leaves rows out.
    cuts: bool,
}

impl Ordering {
    /// Reads the order from the end of a query whose `ORDER BY` names only columns.
    pub(crate) fn from_query(query: &str) -> Self {
        let query = query.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some((_, tail)) = query.rsplit_once(" ORDER BY ") else {
            return Self::default();
        };
        let is_last = tail.chars().all(|char| char.is_alphanumeric() || " _,.".contains(char));
        // The `ORDER BY` may belong to an earlier clause or to a subquery.
        if !is_last || tail.contains("RETURN") || tail.contains("WITH") {
            return Self::default();
        }
        let (keys, cut) = match tail.split_once(" SKIP ").or_else(|| tail.split_once(" LIMIT ")) {
            Some((keys, _)) => (keys, true),
            None => (tail, false),
        };
        let keys = keys.split(',').filter_map(|key| key.split_whitespace().next()).map(str::to_owned);
        Self { keys: keys.collect(), cuts: cut }
    }
}

/// Returns the query without the `SKIP` and `LIMIT` at its end, which may leave out any of the rows
/// that tie.
pub(crate) fn uncut(query: &str) -> Option<&str> {
    let order = query.rfind("ORDER").filter(|_| Ordering::from_query(query).cuts)?;
    let (before, tail) = query.split_at(order);
    let cut = ["SKIP", "LIMIT"].iter().filter_map(|word| tail.find(word)).min()?;
    query.get(..before.len() + cut).map(str::trim_end)
}

/// Returns the difference between two answers to one query, or `None` if they are equal.
pub(crate) fn difference(left: &Table, right: &Table, ordering: &Ordering) -> Option<String> {
    if left.columns != right.columns {
        return Some(format!("columns {:?} and {:?}", left.columns, right.columns));
    }
    let rows = |table: &Table| -> Vec<Vec<Value>> {
        table.rows.iter().map(|row| canonical_row(&left.columns, row)).collect()
    };
    let (left_rows, right_rows) = (rows(left), rows(right));
    if left_rows.len() != right_rows.len() {
        return Some(shown(&left_rows, &right_rows));
    }
    let keys: Vec<_> = ordering.keys.iter().filter_map(|key| Key::find(&left.columns, key)).collect();
    let same_order = left_rows.iter().zip(&right_rows).all(|(left, right)| ties(left, right, &keys));
    if !same_order {
        return Some(format!("another order: {}", shown(&left_rows, &right_rows)));
    }
    let equal = if ordering.cuts {
        bag(inner(&left_rows, &keys)) == bag(inner(&right_rows, &keys))
    } else {
        bag(&left_rows) == bag(&right_rows)
    };
    (!equal).then(|| shown(&left_rows, &right_rows))
}

/// Returns whether two rows have equal sort keys.
///
/// The stores may compute a key differently in its last digits, which decide the order. Behind such
/// a key the other keys are free.
fn ties(left: &[Value], right: &[Value], keys: &[Key]) -> bool {
    for key in keys {
        match (key.value(left), key.value(right)) {
            (Some(left), Some(right)) if left.order(right).is_ne() => return false,
            (Some(value), Some(_)) if is_rounded(value) => return true,
            (Some(_), Some(_)) => {}
            _ => return false,
        }
    }
    true
}

/// Returns whether a value is a float that may have lost digits in its canonical form.
fn is_rounded(value: &Value) -> bool {
    let digits = |number: f64| number.to_string().chars().filter(char::is_ascii_digit).count();
    matches!(value, Value::Float(number) if digits(*number) >= DIGITS)
}

/// Returns the rows that do not tie with the first or the last. Where rows are left out, each store
/// may choose others among those that tie.
fn inner<'a>(rows: &'a [Vec<Value>], keys: &[Key]) -> &'a [Vec<Value>] {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return rows;
    };
    let start = rows.iter().take_while(|row| ties(row, first, keys)).count();
    let end = rows.len() - rows.iter().rev().take_while(|row| ties(row, last, keys)).count();
    rows.get(start..end).unwrap_or_default()
}

/// Returns the rows as sorted texts.
fn bag(rows: &[Vec<Value>]) -> Vec<String> {
    let mut rows: Vec<_> = rows.iter().map(text).collect();
    rows.sort_unstable();
    rows
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Describes how many rows each answer has, and which the other lacks.
fn shown(left: &[Vec<Value>], right: &[Vec<Value>]) -> String {
    let counts = format!("embedded {} rows, neo4j {} rows", left.len(), right.len());
    match apart(("embedded", &bag(left)), ("neo4j", &bag(right))) {
        Some(rows) => format!("{counts}; {rows}"),
        None => counts,
    }
}

/// Describes the items of each bag that the other lacks, or returns `None` if the bags are equal.
pub(crate) fn apart(left: (&str, &[String]), right: (&str, &[String])) -> Option<String> {
    let sides = [(left.0, only(left.1, right.1)), (right.0, only(right.1, left.1))];
    let told = sides.iter().map(|(name, items)| {
        // Five items are enough to see the difference.
        let some: Vec<_> = items.iter().take(5).map(String::as_str).collect();
        format!("only {name} ({}): {}", items.len(), some.join(" "))
    });
    let told = told.collect::<Vec<_>>().join("; ");
    sides.iter().any(|(_, items)| !items.is_empty()).then_some(told)
}

/// Returns the items of a bag beyond another.
fn only(these: &[String], those: &[String]) -> Vec<String> {
    let mut those = those.to_vec();
    let mut these = these.to_vec();
    these.retain(|item| match those.iter().position(|other| other == item) {
        Some(place) => {
            those.swap_remove(place);
            false
        }
        None => true,
    });
    these
}

fn canonical_row(columns: &[String], row: &[Value]) -> Vec<Value> {
    columns.iter().zip(row).map(|(column, value)| canonical_member(column, value)).collect()
}

fn canonical_member(name: &str, value: &Value) -> Value {
    match canonical(value) {
        Value::List(mut items) if name.starts_with("bag") => {
            items.sort_by_cached_key(text);
            Value::List(items)
        }
        value => value,
    }
}

/// Returns a value without anything that is specific to one store.
pub(crate) fn canonical(value: &Value) -> Value {
    match value {
        Value::Float(number) => Value::Float(rounded(*number)),
        Value::List(items) => Value::List(items.iter().map(canonical).collect()),
        Value::Map(map) => canonical_map(map),
        Value::Node(node) => {
            let mut labels = node.labels.clone();
            labels.sort_unstable();
            Value::List(vec!["node".into(), labels.into(), canonical_map(&node.properties)])
        }
        Value::Relationship(relationship) => Value::List(vec![
            "relationship".into(),
            relationship.kind.as_str().into(),
            canonical_map(&relationship.properties),
        ]),
        Value::Path(path) => {
            let nodes = path.nodes.iter().map(|node| canonical(&node.clone().into())).collect();
            let relationships =
                path.relationships.iter().map(|step| canonical(&step.clone().into())).collect();
            Value::List(vec!["path".into(), Value::List(nodes), Value::List(relationships)])
        }
        other => other.clone(),
    }
}

fn canonical_map(map: &BTreeMap<String, Value>) -> Value {
    Value::Map(map.iter().map(|(name, value)| (name.clone(), canonical_member(name, value))).collect())
}

/// The number of digits of a float that are compared.
const DIGITS: usize = 10;

fn rounded(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { format!("{number:.*e}", DIGITS - 1).parse().unwrap_or(number) }
}

#[cfg(test)]
mod tests {
    use graphwright_core::Summary;

    use super::*;

    fn table<const N: usize>(columns: [&str; N], rows: &[[i64; N]]) -> Table {
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: rows.iter().map(|row| row.map(Value::from).to_vec()).collect(),
            summary: Summary::default(),
        }
    }

    fn same(query: &str, left: &[[i64; 2]], right: &[[i64; 2]]) -> bool {
        difference(&table(["a", "b"], left), &table(["a", "b"], right), &Ordering::from_query(query))
            .is_none()
    }

    #[test]
    fn rows_are_bags_unless_the_query_orders_them() {
        let (rows, turned) = ([[1, 1], [2, 2]], [[2, 2], [1, 1]]);
        assert!(same("MATCH (n) RETURN 1 AS a, 2 AS b", &rows, &turned));
        assert!(!same("MATCH (n) RETURN 1 AS a, 2 AS b ORDER BY a", &rows, &turned));
        assert!(!same("MATCH (n) RETURN 1 AS a, 2 AS b", &rows, &[[1, 1], [1, 1]]));
        assert!(!same("MATCH (n) RETURN 1 AS a, 2 AS b", &rows, &[[1, 1]]));
    }

    #[test]
    fn ties_are_free() {
        let (rows, turned) = ([[1, 1], [1, 2]], [[1, 2], [1, 1]]);
        assert!(same("RETURN a, b ORDER BY a DESC", &rows, &turned));
        assert!(!same("RETURN a, b ORDER BY a, b", &rows, &turned));
        let (rows, others) = ([[1, 1], [2, 1], [3, 1]], [[1, 1], [2, 1], [3, 9]]);
        assert!(same("RETURN a, b ORDER BY a LIMIT 3", &rows, &others));
        assert!(!same("RETURN a, b ORDER BY a", &rows, &others));
        assert!(!same("RETURN a, b ORDER BY a LIMIT 3", &rows, &[[1, 1], [2, 2], [3, 1]]));
    }

    #[test]
    fn the_last_digits_of_a_key_may_decide_the_order() {
        let table = |rows: [(f64, i64); 2]| Table {
            columns: vec!["a".into(), "b".into()],
            rows: rows.map(|(a, b)| vec![a.into(), b.into()]).to_vec(),
            summary: Summary::default(),
        };
        let ordering = Ordering::from_query("RETURN a, b ORDER BY a, b DESC");
        let turned = |low: f64, high: f64| {
            difference(&table([(low, 1), (high, 2)]), &table([(low, 2), (low, 1)]), &ordering)
        };
        assert_eq!(turned(5.188_127_472_090_0, 5.188_127_472_090_4), None);
        assert!(turned(2.5, 2.5).is_some());
    }

    #[test]
    fn a_key_may_be_a_property_of_a_returned_node() {
        let one = |age: i64, name: &str| {
            let properties = [("age".to_owned(), age.into()), ("name".to_owned(), name.into())].into();
            let id = graphwright_core::ElementId::new(name);
            let node = graphwright_core::Node { element_id: id, labels: Vec::new(), properties };
            Table { columns: vec!["n".into()], rows: vec![vec![node.into()]], summary: Summary::default() }
        };
        let ordering = Ordering::from_query("MATCH (n)\nRETURN n\nORDER BY n.age\nLIMIT 1");
        assert_eq!(difference(&one(1, "a"), &one(1, "b"), &ordering), None);
        assert!(difference(&one(1, "a"), &one(2, "b"), &ordering).is_some());
        assert!(difference(&one(1, "a"), &one(1, "b"), &Ordering::default()).is_some());
    }

    #[test]
    fn an_order_within_the_query_is_not_that_of_the_result() {
        assert_eq!(
            Ordering::from_query("MATCH (n) WITH n ORDER BY n.i LIMIT 2 RETURN n.i AS a"),
            Ordering::default()
        );
        assert_eq!(
            Ordering::from_query("RETURN COLLECT { MATCH (n) RETURN n.i AS x ORDER BY x } AS a"),
            Ordering::default()
        );
        let ordering = Ordering::from_query("RETURN 1 AS a, 2 AS b ORDER BY b DESC, a SKIP 1 LIMIT 2");
        assert_eq!(ordering, Ordering { keys: vec!["b".into(), "a".into()], cuts: true });
    }

    #[test]
    fn the_whole_of_a_query_that_cuts() {
        let query = "MATCH (n) WITH n LIMIT 5 RETURN n\nORDER BY n.age\nSKIP 1 LIMIT 1";
        assert_eq!(uncut(query), Some("MATCH (n) WITH n LIMIT 5 RETURN n\nORDER BY n.age"));
        assert_eq!(uncut("MATCH (n) RETURN n ORDER BY n.age"), None);
        assert_eq!(uncut("MATCH (n) RETURN n.a AS a LIMIT 3"), None);
    }

    #[test]
    fn what_only_one_bag_has_is_told() {
        let bag = |items: &[&str]| items.iter().map(|&item| item.to_owned()).collect::<Vec<_>>();
        let (left, right) = (bag(&["a", "a", "b"]), bag(&["b", "a", "c"]));
        assert_eq!(
            apart(("one", &left), ("two", &right)).as_deref(),
            Some("only one (1): a; only two (1): c")
        );
        assert_eq!(apart(("one", &left), ("two", &bag(&["a", "b", "a"]))), None);
    }

    #[test]
    fn types_count_and_the_last_digits_of_floats_do_not() {
        let one = |value: Value| Table {
            columns: vec!["bag1".into()],
            rows: vec![vec![value]],
            summary: Summary::default(),
        };
        let same =
            |left: Value, right: Value| difference(&one(left), &one(right), &Ordering::default()).is_none();
        assert!(!same(1.into(), 1.0.into()));
        assert!(same((0.1 + 0.2).into(), 0.3.into()));
        assert!(same(vec![1, 2].into(), vec![2, 1].into()));
        assert!(!same(vec![1, 2].into(), vec![2, 2].into()));
    }
}
