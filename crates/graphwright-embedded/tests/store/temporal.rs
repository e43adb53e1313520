//! Functions of moments for which the engine gives other values. The expected texts are those of
//! Neo4j 5.26.

use graphwright_embedded::EmbeddedStore;

use crate::support::rows;

async fn check(cases: &[(&'static str, &str)]) {
    let store = EmbeddedStore::in_memory();
    for (query, expected) in cases {
        let rows = rows(&store, query).await;
        assert_eq!(rows, [[(*expected).into()]], "{query}");
    }
}

#[tokio::test]
async fn a_time_of_day_takes_the_date_and_the_zone_of_the_other_moment() {
    check(&[
        ("RETURN toString(duration.between(date('1984-10-11'), localtime('16:30')))", "PT16H30M"),
        ("RETURN toString(duration.between(time('14:30Z'), time('16:30+01:00')))", "PT1H"),
        ("RETURN toString(duration.inDays(localtime('10:00'), date('2020-01-01')))", "PT0S"),
        ("RETURN toString(duration.inSeconds(datetime('2020-01-01T10:00+05:00'), time('10:00+02:00')))", "PT3H"),
        ("RETURN toString(duration.inSeconds(datetime('2017-10-29T00:00[Europe/Stockholm]'), localtime('04:00')))", "PT5H"),
        ("RETURN toString(duration.inSeconds(localtime('12:34:54.7'), localtime('12:34:54.3')))", "PT-0.4S"),
    ])
    .await;
}

#[tokio::test]
async fn zoned_moments_are_compared_in_the_first_zone() {
    check(&[
        ("RETURN toString(duration.between(datetime('2020-01-31T10:00+05:00'), datetime('2020-03-01T03:00-03:00')))", "P1M1DT1H"),
        ("RETURN toString(duration.between(datetime('2020-03-01T03:00-03:00'), datetime('2020-01-31T10:00+05:00')))", "P-1M-1DT-1H"),
        ("RETURN toString(duration.between(datetime('2017-10-28T04:30[Europe/Stockholm]'), datetime('2017-10-29T04:00[Europe/Stockholm]')))", "PT24H30M"),
        ("RETURN toString(duration.inDays(datetime('2020-01-31T10:00+05:00'), datetime('2020-03-01T03:00-03:00')))", "P30D"),
    ])
    .await;
}

#[tokio::test]
async fn parts_below_a_truncated_second_are_added() {
    check(&[
        ("RETURN toString(time.truncate('millisecond', time('12:31:14.645876123+01:00'), {microsecond: 2, nanosecond: 3}))", "12:31:14.645002003+01:00"),
        ("RETURN toString(time.truncate('hour', datetime('1984-10-11T12:31:14-01:00'), {timezone: '+01:00', second: 3}))", "12:00:03+01:00"),
    ])
    .await;
}

#[tokio::test]
async fn a_time_moves_into_the_named_zone() {
    check(&[
        ("RETURN toString(datetime({date: date('2020-01-01'), time: time('23:30:05-10:00'), day: 31, timezone: 'Europe/Paris'}))", "2020-02-01T10:30:05+01:00[Europe/Paris]"),
        ("RETURN toString(datetime({date: date('2020-01-01'), time: localtime('23:30:05'), timezone: 'Europe/Paris'}))", "2020-01-01T23:30:05+01:00[Europe/Paris]"),
    ])
    .await;
}

#[tokio::test]
async fn the_text_of_a_moment_has_its_seconds() {
    check(&[
        ("RETURN toString(datetime('2020-01-01T10:00Z'))", "2020-01-01T10:00:00Z"),
        (
            "RETURN toString(datetime('2020-01-01T10:00:00.120[Europe/Paris]'))",
            "2020-01-01T10:00:00.12+01:00[Europe/Paris]",
        ),
        ("RETURN toString(time('10:00:00.500+01:00'))", "10:00:00.5+01:00"),
        ("UNWIND [localtime('10:00')] AS t RETURN toString(t)", "10:00:00"),
    ])
    .await;
}
