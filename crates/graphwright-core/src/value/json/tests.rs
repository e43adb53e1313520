use std::collections::BTreeMap;

use jiff::{
    civil::{Date, DateTime, Time},
    tz::{Offset, TimeZone},
};
use proptest::prelude::*;

use crate::{
    ElementId, Node, Path, Properties, Relationship, Value,
    value::{CypherDuration, OffsetTime, Point},
};

fn round_trip(value: &Value) -> Value {
    let text = serde_json::to_string(value).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn element_id() -> impl Strategy<Value = ElementId> {
    "[0-9a-z:-]{1,12}".prop_map(ElementId::new)
}

fn date() -> impl Strategy<Value = Date> {
    (-9999_i16..=9999, 1_i8..=12, 1_i8..=28).prop_map(|(y, m, d)| Date::new(y, m, d).unwrap())
}

fn time() -> impl Strategy<Value = Time> {
    (0_i8..24, 0_i8..60, 0_i8..60, 0..1_000_000_000_i32)
        .prop_map(|(h, m, s, n)| Time::new(h, m, s, n).unwrap())
}

fn offset() -> impl Strategy<Value = Offset> {
    (-18 * 3600..=18 * 3600_i32).prop_map(|seconds| Offset::from_seconds(seconds).unwrap())
}

fn datetime() -> impl Strategy<Value = DateTime> {
    (date(), time()).prop_map(|(date, time)| date.to_datetime(time))
}

fn zoned() -> impl Strategy<Value = Value> {
    let year = 1900_i16..2100;
    let local = (year, 1_i8..=12, 1_i8..=28, time())
        .prop_map(|(y, m, d, time)| Date::new(y, m, d).unwrap().to_datetime(time));
    let zone = prop_oneof![
        offset().prop_map(TimeZone::fixed),
        prop::sample::select(vec!["Europe/Paris", "America/New_York", "Asia/Kolkata", "UTC"])
            .prop_map(|name| TimeZone::get(name).unwrap()),
    ];
    (local, zone).prop_map(|(local, zone)| Value::from(local.to_zoned(zone).unwrap()))
}

fn scalar() -> impl Strategy<Value = Value> {
    let duration =
        (-9_999_i64..9_999, any::<i32>(), -1_000_000_000_000_i64..1_000_000_000_000, 0..1_000_000_000_i64)
            .prop_map(|(months, days, seconds, nanoseconds)| {
                CypherDuration::new(months, days.into(), seconds, nanoseconds).unwrap()
            });
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-100..100_i32).prop_map(|number| Value::from(f64::from(number))),
        Just(Value::Float(f64::NAN)),
        Just(Value::Float(f64::INFINITY)),
        Just(Value::Float(f64::NEG_INFINITY)),
        any::<String>().prop_map(Value::from),
        date().prop_map(Value::from),
        (time(), offset()).prop_map(|(time, offset)| Value::Time(OffsetTime { time, offset })),
        time().prop_map(Value::LocalTime),
        zoned(),
        datetime().prop_map(Value::from),
        duration.prop_map(Value::from),
        (any::<u32>(), any::<f64>(), any::<f64>(), prop::option::of(any::<f64>()))
            .prop_map(|(srid, x, y, z)| Value::from(Point { srid, x, y, z })),
    ]
}

fn map(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = BTreeMap<String, Value>> {
    let key = prop_oneof![3 => "[a-z_]{1,6}", 1 => Just("$type".to_owned()), 1 => any::<String>()];
    prop::collection::btree_map(key, inner, 0..4)
}

fn node(properties: impl Strategy<Value = Properties>) -> impl Strategy<Value = Node> {
    (element_id(), prop::collection::vec(any::<String>(), 0..3), properties)
        .prop_map(|(element_id, labels, properties)| Node { element_id, labels, properties })
}

fn relationship(properties: impl Strategy<Value = Properties>) -> impl Strategy<Value = Relationship> {
    (element_id(), any::<String>(), element_id(), element_id(), properties).prop_map(
        |(element_id, kind, start, end, properties)| Relationship {
            element_id,
            kind,
            start,
            end,
            properties,
        },
    )
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            map(inner.clone()).prop_map(Value::from),
            node(map(inner.clone())).prop_map(Value::from),
            relationship(map(inner.clone())).prop_map(Value::from),
            prop::collection::vec((relationship(map(inner.clone())), node(map(inner.clone()))), 0..3)
                .prop_flat_map(move |steps| {
                    node(map(inner.clone())).prop_map(move |start| {
                        let mut path = Path { nodes: vec![start], relationships: Vec::new() };
                        for (relationship, node) in &steps {
                            path.relationships.push(relationship.clone());
                            path.nodes.push(node.clone());
                        }
                        Value::from(path)
                    })
                }),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_comes_back(value in value()) {
        prop_assert_eq!(round_trip(&value), value);
    }

    #[test]
    fn every_duration_reads_its_own_text(months in any::<i32>(), days in any::<i32>(), seconds in any::<i32>(), nanoseconds in 0..1_000_000_000_i64) {
        let duration = CypherDuration::new(months.into(), days.into(), seconds.into(), nanoseconds).unwrap();
        prop_assert_eq!(duration.to_string().parse::<CypherDuration>().unwrap(), duration);
    }

    #[test]
    fn no_text_panics(text in "[-PT0-9YMWDHS.,:Z+]{0,20}") {
        let _ = text.parse::<CypherDuration>();
        let _ = text.parse::<OffsetTime>();
    }
}

#[test]
fn numbers_keep_their_type() {
    assert_eq!(serde_json::to_string(&Value::from(vec![1.0, 1e300, -0.5])).unwrap(), "[1.0,1e+300,-0.5]");
    assert_eq!(round_trip(&Value::from(1.0)), Value::Float(1.0));
    assert_eq!(round_trip(&Value::from(1)), Value::Integer(1));
}

#[test]
fn the_form_is_the_documented_one() {
    let node = Node {
        element_id: ElementId::new("7"),
        labels: vec!["Service".into()],
        properties: Properties::from([("$type".to_owned(), Value::from("x"))]),
    };
    let zoned = Date::constant(2020, 7, 1).at(10, 0, 0, 0).in_tz("Europe/Paris").unwrap();
    let values = vec![
        Value::from(node),
        Value::from(zoned),
        Value::from(CypherDuration { months: 14, days: 3, seconds: 3_661, nanoseconds: 500_000_000 }),
        Value::from(Point { srid: 7203, x: 1.0, y: 2.5, z: None }),
        Value::Float(f64::NAN),
    ];
    insta::assert_snapshot!(serde_json::to_string_pretty(&values).unwrap(), @r#"
[
  {
    "$type": "node",
    "id": "7",
    "labels": [
      "Service"
    ],
    "properties": {
      "$type": "map",
      "entries": [
        [
          "$type",
          "x"
        ]
      ]
    }
  },
  {
    "$type": "datetime",
    "value": "2020-07-01T10:00:00+02:00[Europe/Paris]"
  },
  {
    "$type": "duration",
    "value": "P1Y2M3DT1H1M1.5S"
  },
  {
    "$type": "point",
    "srid": 7203,
    "x": 1.0,
    "y": 2.5
  },
  {
    "$type": "float",
    "value": "NaN"
  }
]
"#);
}

#[test]
fn bad_input_says_what_is_wrong() {
    let error = |text: &str| serde_json::from_str::<Value>(text).unwrap_err().to_string();
    let messages = [
        error(r#"{"$type": "nod"}"#),
        error(r#"{"$type": "date", "value": "2020-13-01"}"#),
        error(r#"{"$type": "duration", "value": "P"}"#),
        error(r#"{"$type": "node", "id": "1", "labels": []}"#),
        error(r#"{"$type": "datetime", "value": "2020-01-01T10:00:00"}"#),
        error("18446744073709551615"),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
unknown $type `nod` at line 1 column 16
`2020-13-01` is not a date: failed to parse two digit integer as month: parameter 'month' is not in the required range of 1..=12 at line 1 column 40
`P` is not a duration, as P1Y2M3DT4H5M6.7S at line 1 column 35
member `properties` is missing at line 1 column 42
`2020-01-01T10:00:00` has no offset from UTC at line 1 column 53
18446744073709551615 is beyond the 64-bit integers; write a fraction if it is a float at line 1 column 20
"#);
}

#[test]
fn durations_are_read_as_cypher_reads_them() {
    let text = |text: &str| text.parse::<CypherDuration>().unwrap().to_string();
    assert_eq!(text("P14DT16H12M"), "P14DT16H12M");
    assert_eq!(text("P5M1.5D"), "P5M1DT12H");
    assert_eq!(text("P0.75M"), "P22DT19H51M49.5S");
    assert_eq!(text("P2.5W"), "P17DT12H");
    assert_eq!(text("PT0.75M"), "PT45S");
    assert_eq!(text("PT-0.5S"), "PT-0.5S");
    assert_eq!(text("-P1Y"), "P-1Y");
    assert_eq!(text("P1.5Y"), "P1Y6M");
    for bad in ["", "P", "PT", "P1", "P1H", "PT1D", "P1M1Y", "P1.M", "1D"] {
        assert!(bad.parse::<CypherDuration>().is_err(), "{bad}");
    }
}
