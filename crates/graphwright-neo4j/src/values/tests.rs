use jiff::civil::{date, time};
use proptest::prelude::*;

use graphwright_core::value::{CypherDuration, OffsetTime};
use jiff::tz::{Offset, TimeZone};

use super::*;

/// Returns what a server sends back for a value that it only keeps.
fn echo(value: Value) -> Value {
    from_driver(ValueReceive::from(to_driver(value).unwrap())).unwrap()
}

fn zoned(text: &str) -> Value {
    text.parse::<jiff::Zoned>().unwrap().into()
}

#[test]
fn every_type_comes_back() {
    let offset = Offset::from_seconds(-5400).unwrap();
    for value in [
        Value::Null,
        true.into(),
        i64::MIN.into(),
        0.1.into(),
        "日本".into(),
        vec![Value::from(1), "a".into(), Value::Null].into(),
        Value::Map(BTreeMap::from([("a b".to_owned(), vec![1.5].into())])),
        date(-9999, 1, 1).into(),
        date(9999, 12, 31).into(),
        Value::LocalTime(time(23, 59, 59, 999_999_999)),
        Value::Time(OffsetTime { time: time(1, 2, 3, 4), offset }),
        date(1969, 12, 31).at(23, 59, 59, 1).into(),
        zoned("1969-12-31T23:59:59.5+01:00[Europe/Paris]"),
        zoned("2020-10-25T02:30:00+01:00[Europe/Berlin]"),
        zoned("2020-10-25T02:30:00+02:00[Europe/Berlin]"),
        date(2020, 1, 1).at(0, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap().into(),
        date(2020, 1, 1).at(0, 0, 0, 0).to_zoned(offset.to_time_zone()).unwrap().into(),
        CypherDuration::new(-1, 2, -1, 500_000_000).unwrap().into(),
        Point { srid: WGS_84, x: 12.5, y: 55.7, z: None }.into(),
        Point { srid: WGS_84_3D, x: 12.5, y: 55.7, z: Some(1.0) }.into(),
        Point { srid: CARTESIAN, x: -1.0, y: 2.0, z: None }.into(),
        Point { srid: CARTESIAN_3D, x: -1.0, y: 2.0, z: Some(3.0) }.into(),
    ] {
        assert_eq!(echo(value.clone()), value);
    }
}

#[test]
fn what_cannot_be_sent_is_said() {
    let node = Node { element_id: ElementId::new("1"), labels: Vec::new(), properties: Properties::new() };
    let odd = Point { srid: 1, x: 0.0, y: 0.0, z: None };
    let flat = Point { srid: WGS_84, x: 0.0, y: 0.0, z: Some(1.0) };
    for value in [Value::from(node), odd.into(), flat.into()] {
        assert_eq!(to_driver(vec![value].into()).unwrap_err().code(), "evaluation");
    }
    let late = ValueReceive::Date(chrono::NaiveDate::from_ymd_opt(10_000, 1, 1).unwrap());
    let message = from_driver(late).unwrap_err().to_string();
    assert!(message.contains("years go from -9999 to 9999"), "{message}");
}

#[test]
fn bytes_are_signed_numbers() {
    let bytes = ValueReceive::Bytes(vec![1, 255]);
    assert_eq!(from_driver(bytes).unwrap(), vec![1, -1].into());
}

#[test]
fn our_labels_come_last() {
    let labels = ["__Entity__", "Person", "Author"].map(str::to_owned).to_vec();
    assert_eq!(specific_first(labels), ["Person", "Author", "__Entity__"]);
}

#[test]
fn sizes_follow_the_text() {
    let size = |value: Value| wire_size(&to_driver(value).unwrap());
    assert!(size("x".repeat(1000).into()) >= 1000);
    assert!(size(vec!["x".repeat(1000); 3].into()) >= 3000);
}

proptest! {
    #[test]
    fn instants_keep_their_nanoseconds(nanoseconds in -200_000_000_000_000_000_000_i128..200_000_000_000_000_000_000) {
        let instant = jiff::Timestamp::from_nanosecond(nanoseconds).unwrap();
        for zone in [TimeZone::UTC, TimeZone::get("Asia/Kathmandu").unwrap()] {
            let value = Value::from(instant.to_zoned(zone));
            prop_assert_eq!(echo(value.clone()), value);
        }
    }

    #[test]
    fn durations_keep_their_parts(months in -1_000_000_i64..1_000_000, days in -1_000_000_i64..1_000_000,
        seconds in -1_000_000_000_i64..1_000_000_000, nanoseconds in 0_i64..1_000_000_000) {
        let value = Value::from(CypherDuration::new(months, days, seconds, nanoseconds).unwrap());
        prop_assert_eq!(echo(value.clone()), value);
    }
}
