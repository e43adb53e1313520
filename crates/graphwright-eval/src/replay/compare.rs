//! Comparison of results as in benchmarks of text-to-Cypher.
//!
//! The measure is the execution accuracy of CypherBench (Feng, Papicchio, Rahman, 2024,
//! arXiv:2412.18702), which Mind-the-Query uses too. It goes back to the test-suite accuracy of
//! Zhong, Yu and Klein (2020, arXiv:2010.02840).
//!
//! - Rows are a bag. Their order counts only if the right query has an `ORDER BY`.
//! - Names and order of columns do not count: some order of the columns must make the rows equal.
//! - A list is the bag of its items, a date is its text, a node is its properties, and `1` equals
//!   `1.0`.

use std::collections::HashMap;

use graphwright_core::{Table, Value};

/// A value in the form in which it is compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Cell {
    Null,
    Boolean(bool),
    Integer(i64),
    /// The bits of a float that is no integer.
    Float(u64),
    Text(String),
    List(Vec<Cell>),
    Map(Vec<(String, Cell)>),
}

/// Returns whether the order of rows counts for the right query `gold`.
pub fn wants_order(gold: &str) -> bool {
    gold.to_ascii_lowercase().contains("order by")
}

/// Returns whether two results are equal under some order of the columns. The order of rows counts
/// if `ordered` is set.
///
/// ```
/// use graphwright_core::{Table, Value};
/// use graphwright_eval::replay::same_rows;
///
/// let table = |columns: &[&str], rows: &[[i64; 2]]| Table {
///     columns: columns.iter().map(|name| (*name).to_owned()).collect(),
///     rows: rows.iter().map(|row| row.map(Value::Integer).to_vec()).collect(),
///     ..Table::default()
/// };
/// let gold = table(&["a", "b"], &[[1, 2], [3, 4]]);
/// let predicted = table(&["y", "x"], &[[4, 3], [2, 1]]);
/// assert!(same_rows(&gold, &predicted, false));
/// assert!(!same_rows(&gold, &predicted, true));
/// ```
pub fn same_rows(gold: &Table, predicted: &Table, ordered: bool) -> bool {
    if gold.rows.len() != predicted.rows.len() {
        return false;
    }
    // Without rows there is nothing to compare, whatever the columns.
    if gold.rows.is_empty() {
        return true;
    }
    if gold.columns.len() != predicted.columns.len() {
        return false;
    }
    let comparison = Comparison { gold: columns(gold), predicted: columns(predicted), ordered };
    comparison.matches(&mut Vec::new())
}

struct Comparison {
    gold: Vec<Vec<Cell>>,
    predicted: Vec<Vec<Cell>>,
    ordered: bool,
}

impl Comparison {
    /// Returns whether the columns chosen so far can be completed. `chosen[i]` stands for the gold
    /// column `i`.
    fn matches(&self, chosen: &mut Vec<usize>) -> bool {
        if chosen.len() == self.gold.len() {
            return true;
        }
        for candidate in 0..self.predicted.len() {
            if chosen.contains(&candidate) {
                continue;
            }
            chosen.push(candidate);
            if self.agrees(chosen) && self.matches(chosen) {
                return true;
            }
            chosen.pop();
        }
        false
    }

    /// Returns whether the rows are equal in the chosen columns.
    fn agrees(&self, chosen: &[usize]) -> bool {
        let last = chosen.len() - 1;
        // The earlier columns were compared when they were chosen.
        if self.ordered {
            return self.gold[last] == self.predicted[chosen[last]];
        }
        let gold: Vec<_> = (0..chosen.len()).map(|column| &self.gold[column]).collect();
        let predicted: Vec<_> = chosen.iter().map(|column| &self.predicted[*column]).collect();
        bag(&gold) == bag(&predicted)
    }
}

/// Returns how often each row occurs.
fn bag<'a>(columns: &[&'a Vec<Cell>]) -> HashMap<Vec<&'a Cell>, usize> {
    let rows = columns.first().map_or(0, |column| column.len());
    let mut bag = HashMap::with_capacity(rows);
    for row in 0..rows {
        *bag.entry(columns.iter().map(|column| &column[row]).collect()).or_default() += 1;
    }
    bag
}

fn columns(table: &Table) -> Vec<Vec<Cell>> {
    (0..table.columns.len())
        .map(|column| table.rows.iter().map(|row| row.get(column).map_or(Cell::Null, cell)).collect())
        .collect()
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Boolean(truth) => Cell::Boolean(*truth),
        Value::Integer(number) => Cell::Integer(*number),
        Value::Float(number) => float(*number),
        Value::String(text) => Cell::Text(text.clone()),
        Value::List(items) => {
            let mut items: Vec<_> = items.iter().map(cell).collect();
            items.sort_unstable();
            Cell::List(items)
        }
        Value::Map(map) => members(map.iter()),
        Value::Node(node) => members(node.properties.iter()),
        Value::Date(date) => Cell::Text(date.to_string()),
        // Every other value has one JSON form.
        other => Cell::Text(serde_json::to_string(other).unwrap_or_default()),
    }
}

fn members<'a>(members: impl Iterator<Item = (&'a String, &'a Value)>) -> Cell {
    let mut members: Vec<_> = members.map(|(name, value)| (name.clone(), cell(value))).collect();
    members.sort_unstable();
    Cell::Map(members)
}

fn float(number: f64) -> Cell {
    // Beyond 2^53 a float stands for many integers.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        Cell::Integer(number as i64)
    } else {
        Cell::Float(number.to_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[Value]]) -> Table {
        let columns = rows.first().map_or(0, |row| row.len());
        Table {
            columns: (0..columns).map(|column| format!("c{column}")).collect(),
            rows: rows.iter().map(|row| row.to_vec()).collect(),
            ..Table::default()
        }
    }

    fn integers<const N: usize>(rows: &[[i64; N]]) -> Table {
        let rows: Vec<Vec<Value>> = rows.iter().map(|row| row.map(Value::Integer).to_vec()).collect();
        table(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn rows_are_a_bag_unless_the_query_orders_them() {
        let (one, other) = (integers(&[[1], [2], [2]]), integers(&[[2], [1], [2]]));
        assert!(same_rows(&one, &other, false));
        assert!(!same_rows(&one, &other, true));
        assert!(!same_rows(&one, &integers(&[[1], [1], [2]]), false));
        assert!(!same_rows(&one, &integers(&[[1], [2]]), false));
        assert!(wants_order("MATCH (n) RETURN n.a Order By n.b"));
    }

    #[test]
    fn one_order_of_columns_must_fit_all_rows() {
        assert!(same_rows(&integers(&[[1, 2], [3, 4]]), &integers(&[[2, 1], [4, 3]]), false));
        // Each column alone fits, and so does each row, but no order of the columns makes all rows
        // equal.
        assert!(!same_rows(
            &integers(&[[1, 2], [2, 1], [1, 2]]),
            &integers(&[[1, 2], [1, 2], [1, 2]]),
            false
        ));
        assert!(!same_rows(&integers(&[[1, 2], [3, 4]]), &integers(&[[1, 4], [3, 2]]), false));
        assert!(!same_rows(&integers(&[[1, 2]]), &integers(&[[1]]), false));
    }

    #[test]
    fn empty_results_are_the_same_whatever_their_columns() {
        assert!(same_rows(&integers::<1>(&[]), &integers::<2>(&[]), true));
        assert!(!same_rows(&integers::<1>(&[]), &integers(&[[1]]), true));
    }

    #[test]
    fn values_are_compared_as_the_benchmark_does() {
        let same = |one: Value, other: Value| same_rows(&table(&[&[one]]), &table(&[&[other]]), false);
        assert!(same(Value::Integer(1), Value::Float(1.0)));
        assert!(!same(Value::Integer(1), Value::Boolean(true)));
        assert!(same(vec![1_i64, 2].into(), vec![2_i64, 1].into()));
        assert!(same(jiff::civil::date(2019, 6, 7).into(), "2019-06-07".into()));
        assert!(!same(Value::Null, "".into()));
        assert!(!same(Value::Float(0.1 + 0.2), Value::Float(0.3)));
    }
}
