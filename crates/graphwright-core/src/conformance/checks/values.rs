//! Checks that values of all types are stored, returned and compared as Cypher says.

use std::collections::BTreeMap;

use jiff::{
    civil::{date, time},
    tz::Offset,
};

use super::{apply, checks, ensure, equal, key, one, properties, rows, table, write};
use crate::{
    Statement, Value,
    value::{CypherDuration, OffsetTime, Point},
};

fn storable() -> Vec<(&'static str, Value)> {
    let offset = Offset::from_seconds(2 * 3600 + 1800).unwrap_or(Offset::UTC);
    let moment = date(2020, 2, 29).at(10, 11, 12, 123_456_789);
    let zoned = |zone: jiff::tz::TimeZone| moment.to_zoned(zone).map_or(Value::Null, Value::from);
    vec![
        ("boolean", true.into()),
        ("integer", i64::MIN.into()),
        ("float", 0.1.into()),
        ("whole_float", 1.0.into()),
        ("string", "it's \"quoted\" \\ \n 日本".into()),
        ("empty", "".into()),
        ("list", vec![1, 2, 3].into()),
        ("strings", vec!["a", "b"].into()),
        ("no_items", Value::List(Vec::new())),
        ("date", date(2020, 2, 29).into()),
        ("time", Value::Time(OffsetTime { time: time(10, 11, 12, 5), offset })),
        ("local_time", Value::LocalTime(time(23, 59, 59, 999_999_999))),
        ("datetime", zoned(offset.to_time_zone())),
        ("zoned", jiff::tz::TimeZone::get("Europe/Paris").map_or(Value::Null, zoned)),
        ("local_datetime", moment.into()),
        (
            "duration",
            CypherDuration { months: 14, days: -3, seconds: 3_661, nanoseconds: 500_000_000 }.into(),
        ),
        ("place", Point { srid: 4326, x: 12.5, y: 55.7, z: None }.into()),
        ("flat", Point { srid: 7203, x: 1.0, y: 2.0, z: None }.into()),
        ("high", Point { srid: 4979, x: 12.5, y: 55.7, z: Some(10.0) }.into()),
        ("space", Point { srid: 9157, x: 1.0, y: 2.0, z: Some(3.0) }.into()),
    ]
}

checks! { "values":
    every_type_is_stored(store) {
        let given = storable();
        let all: crate::Properties = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        apply(&store, |changes| changes.upsert_node(key("V", "1"), &[], all)).await?;
        let node = one(&store, "MATCH (n:V) RETURN n").await?;
        for (name, value) in &given {
            let found = node.as_node().and_then(|node| node.properties.get(*name));
            ensure(found == Some(value), format!("{name}: gave {found:?}, should be {value:?}"))?;
        }
    }
    every_type_is_a_parameter(store) {
        for (name, value) in storable() {
            let found = table(&store, Statement::fixed("RETURN $value AS v").with("value", value.clone())).await?.rows;
            ensure(found == [[value.clone()]], format!("{name}: gave {found:?}, should be {value:?}"))?;
        }
    }
    every_type_is_kept_on_relationships(store) {
        for (name, value) in storable() {
            let (a, b) = (key("A", "1"), key("A", "2"));
            apply(&store, |changes| {
                changes.upsert_node(a.clone(), &[], properties([]));
                changes.upsert_node(b.clone(), &[], properties([]));
                changes.upsert_relationship(super::relationship("R", &a, &b, name), properties([("v", value.clone())]));
            }).await?;
            let found = table(&store, Statement::fixed("MATCH ()-[r:R {__id__: $id}]->() RETURN r.v").with("id", name)).await?.rows;
            ensure(found == [[value.clone()]], format!("{name}: gave {found:?}, should be {value:?}"))?;
        }
    }
    null_is_absent(store) {
        apply(&store, |changes| changes.upsert_node(key("V", "1"), &[], properties([("x", Value::Null)]))).await?;
        let node = one(&store, "MATCH (n:V) RETURN n").await?;
        ensure(node.as_node().is_some_and(|node| !node.properties.contains_key("x")), format!("{node:?}"))?;
    }
    maps_are_values_but_no_properties(store) {
        let found = one(&store, "RETURN {a: 1, b: {c: [1, null]}} AS m").await?;
        let inner = Value::Map(BTreeMap::from([("c".to_owned(), Value::List(vec![1.into(), Value::Null]))]));
        equal(found, Value::Map(BTreeMap::from([("a".to_owned(), 1.into()), ("b".to_owned(), inner)])))?;
        ensure(write(&store, "CREATE (:V {m: {a: 1}})").await.is_err(), "a map was taken as a property")?;
    }
    integers_are_exact(store) {
        equal(one(&store, "RETURN 9007199254740993 AS x").await?, 9_007_199_254_740_993_i64.into())?;
        equal(one(&store, "RETURN -9223372036854775808 AS x").await?, i64::MIN.into())?;
        ensure(rows(&store, "RETURN 9223372036854775807 + 1 AS x").await.is_err(), "an overflow worked")?;
    }
    strings_with_escapes(store) {
        equal(one(&store, r"RETURN 'a\tb\n\'c\' \\ \u00e9' AS s").await?, "a\tb\n'c' \\ é".into())?;
    }
    temporal_arithmetic(store) {
        equal(one(&store, "RETURN date('2020-01-31') + duration('P1M') AS d").await?, date(2020, 2, 29).into())?;
        equal(one(&store, "RETURN duration.between(date('2020-01-01'), date('2021-03-05')) AS d").await?,
            CypherDuration { months: 14, days: 4, ..CypherDuration::default() }.into())?;
        equal(one(&store, "RETURN date('2020-05-06').month AS m").await?, 5.into())?;
        equal(one(&store, "RETURN date('2020-01-02') < date('2020-01-10') AS x").await?, true.into())?;
    }
    temporal_parameters_compare(store) {
        write(&store, "CREATE (:E {at: date('2020-01-01')}), (:E {at: date('2021-01-01')})").await?;
        let statement = Statement::fixed("MATCH (e:E) WHERE e.at >= $from RETURN e.at").with("from", date(2020, 6, 1));
        equal(table(&store, statement).await?.rows, vec![vec![date(2021, 1, 1).into()]])?;
    }
    instants_compare_over_zones(store) {
        equal(one(&store, "RETURN datetime('2020-01-01T10:00:00+02:00') < datetime('2020-01-01T09:00:00Z') AS x").await?, true.into())?;
    }
    null_in_comparisons(store) {
        let found = rows(&store, "RETURN null = null AS a, 1 < null AS b, null IN [1] AS c, [1, null] = [1, null] AS d, null IS NULL AS e").await?;
        equal(found, vec![vec![Value::Null, Value::Null, Value::Null, Value::Null, true.into()]])?;
    }
    order_by_puts_nulls_last(store) {
        let found = rows(&store, "UNWIND [2, null, 1] AS x RETURN x ORDER BY x").await?;
        equal(found, vec![vec![1.into()], vec![2.into()], vec![Value::Null]])?;
        let found = rows(&store, "UNWIND [2, null, 1] AS x RETURN x ORDER BY x DESC").await?;
        equal(found, vec![vec![Value::Null], vec![2.into()], vec![1.into()]])?;
    }
    aggregates_of_nothing(store) {
        let found = rows(&store, "MATCH (n:Nothing) RETURN count(*) AS a, sum(n.x) AS b, avg(n.x) AS c, collect(n.x) AS d, min(n.x) AS e, stDev(n.x) AS f").await?;
        equal(found, vec![vec![0.into(), 0.into(), Value::Null, Value::List(Vec::new()), Value::Null, 0.0.into()]])?;
    }
    percentiles_and_deviations(store) {
        let text = "UNWIND [1, 2, 3, 4] AS x RETURN percentileCont(x, 0.5) AS a, percentileDisc(x, 0.5) AS b, stDev(x) > 1.29 AS c, stDevP(x) < 1.12 AS d";
        equal(rows(&store, text).await?, vec![vec![2.5.into(), 2.into(), true.into(), true.into()]])?;
        equal(one(&store, "UNWIND [7] AS x RETURN stDev(x) AS a").await?, 0.0.into())?;
    }
    aggregates_within_expressions(store) {
        write(&store, "CREATE (:A {k: 'x', v: 1}), (:A {k: 'x', v: 3}), (:A {k: 'y', v: 5})").await?;
        let text = "MATCH (n:A) RETURN n.k AS k, avg(n.v) > 2 OR count(*) > 5 AS big, {n: count(*), k: n.k} AS m ORDER BY k";
        let map = |n: i64, k: &str| Value::Map(BTreeMap::from([("k".to_owned(), k.into()), ("n".to_owned(), n.into())]));
        equal(rows(&store, text).await?, vec![vec!["x".into(), false.into(), map(2, "x")], vec!["y".into(), true.into(), map(1, "y")]])?;
    }
}
