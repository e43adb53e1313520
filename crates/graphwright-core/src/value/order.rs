//! Equality, comparison and sort order as Cypher defines them.
//!
//! The source is [openCypher 9](https://s3.amazonaws.com/artifacts.opencypher.org/openCypher9.pdf),
//! "Comparability" and "Orderability".

use std::{cmp::Ordering, collections::BTreeMap};

use super::{CypherDuration, Point, Value};
use crate::{ElementId, Path};

impl Value {
    /// Compares as Cypher's `=` does. `None` stands for null, the answer wherever a null decides.
    ///
    /// Integers and floats compare by number, `NaN` equals nothing, and values of different types
    /// are not equal. Nodes and relationships are equal when they are the same element.
    ///
    /// ```
    /// use graphwright_core::Value;
    ///
    /// assert_eq!(Value::from(1).cypher_eq(&Value::from(1.0)), Some(true));
    /// assert_eq!(Value::Null.cypher_eq(&Value::Null), None);
    /// ```
    pub fn cypher_eq(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Null, _) | (_, Self::Null) => None,
            (Self::Integer(_) | Self::Float(_), Self::Integer(_) | Self::Float(_)) => {
                Some(compare_numbers(self, other) == Some(Ordering::Equal))
            }
            (Self::List(left), Self::List(right)) => {
                if left.len() != right.len() {
                    return Some(false);
                }
                all_equal(left.iter().zip(right))
            }
            (Self::Map(left), Self::Map(right)) => {
                if !left.keys().eq(right.keys()) {
                    return Some(false);
                }
                all_equal(left.values().zip(right.values()))
            }
            (Self::Node(left), Self::Node(right)) => Some(left.element_id == right.element_id),
            (Self::Relationship(left), Self::Relationship(right)) => {
                Some(left.element_id == right.element_id)
            }
            (Self::Path(left), Self::Path(right)) => Some(steps(left).eq(steps(right))),
            _ => Some(self == other),
        }
    }

    /// Compares as Cypher's `<`, `<=`, `>` and `>=` do.
    ///
    /// Returns `None` where they give null: for a null, for two types, and for a type without an
    /// order (maps, nodes, durations, points). Returns `None` also for `NaN`, which makes every one
    /// of them false.
    pub fn cypher_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(_) | Self::Float(_), Self::Integer(_) | Self::Float(_)) => {
                compare_numbers(self, other)
            }
            (Self::List(left), Self::List(right)) => {
                for (left, right) in left.iter().zip(right) {
                    match left.cypher_cmp(right) {
                        Some(Ordering::Equal) => {}
                        decided => return decided,
                    }
                }
                Some(left.len().cmp(&right.len()))
            }
            (
                Self::Boolean(_)
                | Self::String(_)
                | Self::Date(_)
                | Self::Time(_)
                | Self::LocalTime(_)
                | Self::DateTime(_)
                | Self::LocalDateTime(_),
                _,
            ) if rank(self) == rank(other) => Some(self.order(other)),
            _ => None,
        }
    }

    /// Compares as `ORDER BY` does, over values of all types.
    ///
    /// The order of types is: maps, nodes, relationships, lists, paths, points, zoned date-times,
    /// local date-times, dates, zoned times, local times, durations, strings, booleans, numbers
    /// (`NaN` last), null.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Map(left), Self::Map(right)) => order_maps(left, right),
            (Self::Node(left), Self::Node(right)) => left.element_id.cmp(&right.element_id),
            (Self::Relationship(left), Self::Relationship(right)) => left.element_id.cmp(&right.element_id),
            (Self::List(left), Self::List(right)) => order_all(left, right),
            (Self::Path(left), Self::Path(right)) => steps(left).cmp(steps(right)),
            (Self::Point(left), Self::Point(right)) => order_points(left, right),
            (Self::DateTime(left), Self::DateTime(right)) => order_zoned(left, right),
            (Self::LocalDateTime(left), Self::LocalDateTime(right)) => left.cmp(right),
            (Self::Date(left), Self::Date(right)) => left.cmp(right),
            (Self::Time(left), Self::Time(right)) => {
                let instant = |time: &super::OffsetTime| {
                    let nanoseconds = time.time.duration_since(jiff::civil::Time::midnight()).as_nanos();
                    nanoseconds - i128::from(time.offset.seconds()) * 1_000_000_000
                };
                instant(left).cmp(&instant(right)).then(left.offset.cmp(&right.offset))
            }
            (Self::LocalTime(left), Self::LocalTime(right)) => left.cmp(right),
            (Self::Duration(left), Self::Duration(right)) => order_durations(left, right),
            (Self::String(left), Self::String(right)) => left.cmp(right),
            (Self::Boolean(left), Self::Boolean(right)) => left.cmp(right),
            (Self::Integer(_) | Self::Float(_), Self::Integer(_) | Self::Float(_)) => {
                compare_numbers(self, other).unwrap_or_else(|| is_nan(self).cmp(&is_nan(other)))
            }
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Boolean(left), Self::Boolean(right)) => left == right,
            (Self::Integer(left), Self::Integer(right)) => left == right,
            (Self::Float(left), Self::Float(right)) => left == right || left.is_nan() && right.is_nan(),
            (Self::String(left), Self::String(right)) => left == right,
            (Self::List(left), Self::List(right)) => left == right,
            (Self::Map(left), Self::Map(right)) => left == right,
            (Self::Node(left), Self::Node(right)) => left == right,
            (Self::Relationship(left), Self::Relationship(right)) => left == right,
            (Self::Path(left), Self::Path(right)) => left == right,
            (Self::Date(left), Self::Date(right)) => left == right,
            (Self::Time(left), Self::Time(right)) => left == right,
            (Self::LocalTime(left), Self::LocalTime(right)) => left == right,
            // jiff's own equality compares instants and overlooks the zone.
            (Self::DateTime(left), Self::DateTime(right)) => order_zoned(left, right).is_eq(),
            (Self::LocalDateTime(left), Self::LocalDateTime(right)) => left == right,
            (Self::Duration(left), Self::Duration(right)) => left == right,
            (Self::Point(left), Self::Point(right)) => left == right,
            _ => false,
        }
    }
}

/// Returns the place of a type in the order of all types. Integers and floats share one.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Map(_) => 0,
        Value::Node(_) => 1,
        Value::Relationship(_) => 2,
        Value::List(_) => 3,
        Value::Path(_) => 4,
        Value::Point(_) => 5,
        Value::DateTime(_) => 6,
        Value::LocalDateTime(_) => 7,
        Value::Date(_) => 8,
        Value::Time(_) => 9,
        Value::LocalTime(_) => 10,
        Value::Duration(_) => 11,
        Value::String(_) => 12,
        Value::Boolean(_) => 13,
        Value::Integer(_) | Value::Float(_) => 14,
        Value::Null => 15,
    }
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(number) if number.is_nan())
}

/// Compares by number without rounding. Returns `None` if either is `NaN` (or no number).
fn compare_numbers(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => Some(left.cmp(right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
        (Value::Integer(left), Value::Float(right)) => compare_integer(*left, *right),
        (Value::Float(left), Value::Integer(right)) => compare_integer(*right, *left).map(Ordering::reverse),
        _ => None,
    }
}

fn compare_integer(integer: i64, float: f64) -> Option<Ordering> {
    // 2^63 and beyond lie outside the integers; within, the whole part of a float is an exact
    // integer.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if float.is_nan() {
        None
    } else if float >= LIMIT {
        Some(Ordering::Less)
    } else if float < -LIMIT {
        Some(Ordering::Greater)
    } else {
        let whole = float.trunc();
        Some(integer.cmp(&(whole as i64)).then(0.0_f64.partial_cmp(&(float - whole))?))
    }
}

fn all_equal<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> Option<bool> {
    let mut result = Some(true);
    for (left, right) in pairs {
        match left.cypher_eq(right) {
            Some(true) => {}
            Some(false) => return Some(false),
            // A null leaves the answer open, but a later pair that differs still decides it.
            None => result = None,
        }
    }
    result
}

fn steps(path: &Path) -> impl Iterator<Item = &ElementId> {
    let nodes = path.nodes.iter().map(|node| &node.element_id);
    nodes.chain(path.relationships.iter().map(|relationship| &relationship.element_id))
}

fn order_all(left: &[Value], right: &[Value]) -> Ordering {
    let decided = left.iter().zip(right).map(|(left, right)| left.order(right)).find(|order| order.is_ne());
    decided.unwrap_or_else(|| left.len().cmp(&right.len()))
}

fn order_maps(left: &BTreeMap<String, Value>, right: &BTreeMap<String, Value>) -> Ordering {
    let values = || {
        let decided = left
            .values()
            .zip(right.values())
            .map(|(left, right)| left.order(right))
            .find(|order| order.is_ne());
        decided.unwrap_or(Ordering::Equal)
    };
    left.len().cmp(&right.len()).then_with(|| left.keys().cmp(right.keys())).then_with(values)
}

fn order_points(left: &Point, right: &Point) -> Ordering {
    let height = |point: &Point| point.z.unwrap_or(0.0);
    let parts = left.x.total_cmp(&right.x).then(left.y.total_cmp(&right.y));
    left.srid.cmp(&right.srid).then(parts).then(height(left).total_cmp(&height(right)))
}

/// Orders by instant, then by offset, then by the zone's name.
fn order_zoned(left: &jiff::Zoned, right: &jiff::Zoned) -> Ordering {
    let zone = |value: &jiff::Zoned| value.time_zone().iana_name().map(str::to_owned);
    let instants = left.timestamp().cmp(&right.timestamp());
    instants.then(left.offset().cmp(&right.offset())).then_with(|| zone(left).cmp(&zone(right)))
}

/// Orders by mean length, then by parts, so that only equal durations are equal.
fn order_durations(left: &CypherDuration, right: &CypherDuration) -> Ordering {
    let length = |duration: &CypherDuration| {
        let months = i128::from(duration.months) * i128::from(CypherDuration::SECONDS_PER_MONTH);
        let seconds = months + i128::from(duration.days) * 86_400 + i128::from(duration.seconds);
        seconds * 1_000_000_000 + i128::from(duration.nanoseconds)
    };
    let parts = |duration: &CypherDuration| (duration.months, duration.days);
    length(left).cmp(&length(right)).then_with(|| parts(left).cmp(&parts(right)))
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::*;
    use crate::{Node, Properties, value::OffsetTime};

    fn node(id: &str, name: &str) -> Value {
        let properties = Properties::from([("name".to_owned(), Value::from(name))]);
        Value::from(Node { element_id: ElementId::new(id), labels: Vec::new(), properties })
    }

    fn list(items: &[Value]) -> Value {
        Value::List(items.to_vec())
    }

    #[test]
    fn equality_has_three_values() {
        let (one, two, null) = (Value::from(1), Value::from(2), Value::Null);
        assert_eq!(one.cypher_eq(&Value::from(1.0)), Some(true));
        assert_eq!(one.cypher_eq(&Value::from("1")), Some(false));
        assert_eq!(one.cypher_eq(&null), None);
        let nan = Value::Float(f64::NAN);
        assert_eq!(nan.cypher_eq(&nan), Some(false));
        assert_eq!(list(&[one.clone(), null.clone()]).cypher_eq(&list(&[one.clone(), one.clone()])), None);
        assert_eq!(
            list(&[null.clone(), one.clone()]).cypher_eq(&list(&[null.clone(), two.clone()])),
            Some(false)
        );
        assert_eq!(list(std::slice::from_ref(&null)).cypher_eq(&list(&[])), Some(false));
        let map = |value: &Value| Value::Map(BTreeMap::from([("a".to_owned(), value.clone())]));
        assert_eq!(map(&null).cypher_eq(&map(&one)), None);
        assert_eq!(map(&one).cypher_eq(&map(&two)), Some(false));
        assert_eq!(node("1", "a").cypher_eq(&node("1", "b")), Some(true));
        assert_eq!(node("1", "a").cypher_eq(&node("2", "a")), Some(false));
    }

    #[test]
    fn large_integers_do_not_round_when_compared_with_floats() {
        let odd = Value::from(9_007_199_254_740_993_i64);
        assert_eq!(odd.cypher_eq(&Value::from(9_007_199_254_740_992.0)), Some(false));
        assert_eq!(odd.cypher_cmp(&Value::from(9_007_199_254_740_992.0)), Some(Ordering::Greater));
        assert_eq!(Value::from(i64::MAX).cypher_cmp(&Value::from(9.3e18)), Some(Ordering::Less));
        assert_eq!(Value::from(i64::MIN).cypher_eq(&Value::from(-9_223_372_036_854_775_808.0)), Some(true));
        assert_eq!(Value::from(-1).cypher_cmp(&Value::from(-1.5)), Some(Ordering::Greater));
        assert_eq!(Value::from(0).cypher_cmp(&Value::from(-0.5)), Some(Ordering::Greater));
        assert_eq!(Value::from(1).cypher_cmp(&Value::from(1.5)), Some(Ordering::Less));
    }

    #[test]
    fn only_values_of_one_type_compare() {
        let less = Some(Ordering::Less);
        assert_eq!(Value::from("a").cypher_cmp(&Value::from("b")), less);
        assert_eq!(Value::from(false).cypher_cmp(&Value::from(true)), less);
        assert_eq!(Value::from(1).cypher_cmp(&Value::from("a")), None);
        assert_eq!(Value::from(1).cypher_cmp(&Value::Null), None);
        assert_eq!(Value::Float(f64::NAN).cypher_cmp(&Value::from(1)), None);
        assert_eq!(list(&[Value::from(1)]).cypher_cmp(&list(&[Value::from(1), Value::Null])), less);
        assert_eq!(list(&[Value::Null]).cypher_cmp(&list(&[Value::from(1)])), None);
        let day = CypherDuration { days: 1, ..CypherDuration::default() };
        assert_eq!(Value::from(day).cypher_cmp(&Value::from(day)), None);
        assert_eq!(node("1", "a").cypher_cmp(&node("2", "a")), None);
        assert_eq!(Value::from(date(2020, 1, 1)).cypher_cmp(&Value::from(date(2020, 1, 2))), less);
    }

    #[test]
    fn one_instant_in_two_zones_is_ordered_by_offset() {
        let zoned = |hour, zone: i8| {
            let offset = jiff::tz::Offset::constant(zone).to_time_zone();
            Value::from(date(2020, 1, 1).at(hour, 0, 0, 0).to_zoned(offset).unwrap())
        };
        assert_eq!(zoned(10, 2).cypher_eq(&zoned(8, 0)), Some(false));
        assert_eq!(zoned(8, 0).cypher_cmp(&zoned(10, 2)), Some(Ordering::Less));
        assert_eq!(zoned(10, 2).cypher_cmp(&zoned(9, 0)), Some(Ordering::Less));
        let timed = |hour, zone: i8| {
            Value::Time(OffsetTime { time: time(hour, 0, 0, 0), offset: jiff::tz::Offset::constant(zone) })
        };
        assert_eq!(timed(10, 2).cypher_cmp(&timed(9, 0)), Some(Ordering::Less));
    }

    #[test]
    fn all_types_have_one_order() {
        let day = |days| CypherDuration { days, ..CypherDuration::default() };
        let month = CypherDuration { months: 1, ..CypherDuration::default() };
        let sorted = vec![
            Value::Map(BTreeMap::new()),
            node("1", "b"),
            node("2", "a"),
            list(&[]),
            list(&[Value::from("z")]),
            list(&[Value::from(1)]),
            list(&[Value::Null]),
            Value::from(Point { srid: 7203, x: 0.0, y: 0.0, z: None }),
            Value::from(date(2020, 1, 1).at(0, 0, 0, 0)),
            Value::from(date(2020, 1, 1)),
            Value::LocalTime(time(1, 0, 0, 0)),
            Value::from(day(30)),
            Value::from(month),
            Value::from(day(31)),
            Value::from(""),
            Value::from("a"),
            Value::from(false),
            Value::from(true),
            Value::from(f64::NEG_INFINITY),
            Value::from(1),
            Value::from(1.5),
            Value::from(2),
            Value::from(f64::INFINITY),
            Value::from(f64::NAN),
            Value::Null,
        ];
        for (place, left) in sorted.iter().enumerate() {
            for (other, right) in sorted.iter().enumerate() {
                assert_eq!(left.order(right), place.cmp(&other), "{left:?} and {right:?}");
            }
        }
    }
}
