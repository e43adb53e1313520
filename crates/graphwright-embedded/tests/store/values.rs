//! Every value comes out as it went in: as parameter, property of a node, property of a
//! relationship.

use std::collections::BTreeMap;

use graphwright_core::{
    GraphStore, NodeKey, Statement, StoreError, Value,
    store::ChangeSet,
    value::{CypherDuration, OffsetTime, Point},
};
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use jiff::tz::{Offset, TimeZone};

use crate::support::{knows, nodes, person, properties, read, relationships};

fn parsed<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

fn point(srid: u32, z: Option<f64>) -> Value {
    Value::Point(Point { srid, x: 12.5, y: -55.75, z })
}

fn samples() -> Vec<Value> {
    let date: jiff::civil::Date = parsed("2024-02-29");
    let time: jiff::civil::Time = parsed("23:59:59.123456789");
    let datetime: jiff::civil::DateTime = parsed("1999-12-31T23:59:59.999999999");
    let old: jiff::civil::DateTime = parsed("-000044-03-15T12:00:00.000000001");
    let map = BTreeMap::from([
        ("id".to_owned(), Value::Integer(1)),
        ("name".to_owned(), Value::from("x")),
        ("deep".to_owned(), Value::List(vec![1.into(), 2.5.into(), Value::Null, "three".into()])),
    ]);
    vec![
        true.into(),
        false.into(),
        0.into(),
        i64::MAX.into(),
        i64::MIN.into(),
        1.0.into(),
        (-0.5).into(),
        f64::MAX.into(),
        f64::INFINITY.into(),
        f64::NAN.into(),
        "".into(),
        "2024-01-01".into(),
        "{\"a\": 1}".into(),
        "[1, 2]".into(),
        "__nref:0".into(),
        "null".into(),
        "a\u{0}b é 🦀 '\"\\".into(),
        Value::List(vec![]),
        vec![1, 2, 3].into(),
        vec![1.0, 2.0].into(),
        vec!["a", "b"].into(),
        Value::List(vec![1.into(), 1.0.into(), "1".into(), true.into()]),
        Value::List(vec![vec![1].into(), vec!["a"].into()]),
        Value::Map(BTreeMap::new()),
        Value::Map(map.clone()),
        Value::List(vec![Value::Map(map)]),
        date.into(),
        Value::Date(parsed("-000001-01-01")),
        Value::Date(parsed("9999-12-31")),
        Value::LocalTime(time),
        Value::LocalTime(parsed("00:00:00")),
        Value::Time(OffsetTime { time, offset: Offset::from_seconds(-12_345).unwrap() }),
        Value::Time(OffsetTime { time, offset: Offset::UTC }),
        datetime.into(),
        old.into(),
        datetime.to_zoned(TimeZone::UTC).unwrap().into(),
        datetime.to_zoned(TimeZone::fixed(Offset::from_seconds(5 * 3600 + 1800).unwrap())).unwrap().into(),
        datetime.to_zoned(TimeZone::get("Europe/Stockholm").unwrap()).unwrap().into(),
        Value::List(vec![date.into(), datetime.into()]),
        CypherDuration::default().into(),
        CypherDuration::new(14, -3, 86_401, 5).unwrap().into(),
        CypherDuration::new(0, 0, 0, -500_000_000).unwrap().into(),
        point(4326, None),
        point(4979, Some(3.0)),
        point(7203, None),
        point(9157, Some(-1.0)),
        Value::List(vec![point(7203, None), point(4326, None)]),
    ]
}

/// Writes a value so that `NaN` and the zone of a date-time are compared too.
fn text(value: &Value) -> String {
    format!("{value:?}")
}

#[tokio::test]
async fn parameters_come_back() {
    let store = EmbeddedStore::in_memory();
    for value in samples().into_iter().chain([Value::Null]) {
        let table =
            read(&store, Statement::fixed("RETURN $value AS value").with("value", value.clone())).await;
        assert_eq!(text(&table.unwrap().rows[0][0]), text(&value));
    }
}

/// Properties of one name and many types share a column in the engine. Their order must not matter.
#[tokio::test]
async fn properties_come_back_also_after_reopening() {
    let directory = tempfile::tempdir().unwrap();
    let mut samples = samples();
    for _ in 0..2 {
        samples.reverse();
        let path = directory.path().join(samples[0].type_name());
        let store = EmbeddedStore::open(&path, OpenOptions::writer()).await.unwrap();
        let mut changes = ChangeSet::new();
        for (number, value) in samples.iter().enumerate() {
            let id = format!("{number:03}");
            changes.upsert_node(person(&id), &[], properties([("value", value.clone())]));
            changes.upsert_relationship(knows(&id, &id, &id), properties([("value", value.clone())]));
        }
        store.apply(changes).await.unwrap();
        check(&store, &samples).await;
        let reader = EmbeddedStore::open(&path, OpenOptions::reader()).await.unwrap();
        check(&reader, &samples).await;
        drop(store);
        let store = EmbeddedStore::open(&path, OpenOptions::writer()).await.unwrap();
        check(&store, &samples).await;
    }
}

async fn check(store: &dyn GraphStore, samples: &[Value]) {
    let expected: Vec<_> = samples.iter().map(text).collect();
    let stored: Vec<_> = nodes(store).await.iter().map(|node| text(&node.properties["value"])).collect();
    assert_eq!(stored, expected);
    let stored: Vec<_> = relationships(store)
        .await
        .iter()
        .map(|relationship| text(&relationship.properties["value"]))
        .collect();
    assert_eq!(stored, expected);
    let statement = Statement::fixed("MATCH (n:Person)-[r]->() RETURN n.value, r.value");
    let mut rows = read(store, statement).await.unwrap().rows;
    for row in &rows {
        assert_eq!(text(&row[0]), text(&row[1]));
    }
    let (mut rows, mut expected): (Vec<_>, _) = (rows.drain(..).map(|row| text(&row[0])).collect(), expected);
    rows.sort();
    expected.sort();
    assert_eq!(rows, expected);
}

#[tokio::test]
async fn what_does_not_fit_is_refused() {
    let store = EmbeddedStore::in_memory();
    let long = CypherDuration { months: i64::MAX, ..CypherDuration::default() };
    let like_a_point = Value::Map(BTreeMap::from([("__point__".to_owned(), Value::Integer(1))]));
    for value in [long.into(), like_a_point] {
        let mut changes = ChangeSet::new();
        changes.upsert_node(NodeKey::new("Person", "ada"), &[], properties([("value", value)]));
        let error = store.apply(changes).await.unwrap_err();
        assert!(matches!(&error, StoreError::Unsupported { store, .. } if store == "embedded"), "{error}");
        assert!(nodes(&store).await.is_empty());
    }
}
