//! Translates dates, times and durations to the engine's and back.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use graphwright_core::{
    Result, StoreError, Value,
    value::{CypherDuration, OffsetTime, time_zone},
};
use jiff::{
    Timestamp, Zoned, civil,
    tz::{Offset, TimeZone},
};
use kglite::api::{Value as EngineValue, time_zone::ZoneId};

use super::unsupported;

const SECOND: u64 = 1_000_000_000;

pub(super) fn date_to_engine(date: civil::Date) -> Result<NaiveDate> {
    NaiveDate::from_ymd_opt(date.year().into(), unsigned(date.month()), unsigned(date.day()))
        .ok_or_else(|| out_of_range(&date))
}

pub(super) fn date_from_engine(date: NaiveDate) -> Result<civil::Date> {
    i16::try_from(date.year())
        .ok()
        .and_then(|year| civil::Date::new(year, signed(date.month())?, signed(date.day())?).ok())
        .ok_or_else(|| out_of_range(&date))
}

/// Returns the nanoseconds since midnight.
pub(super) fn nanoseconds(time: civil::Time) -> u64 {
    let whole = |part: i8| u64::from(part.unsigned_abs());
    let seconds = whole(time.hour()) * 3600 + whole(time.minute()) * 60 + whole(time.second());
    seconds * SECOND + u64::from(time.subsec_nanosecond().unsigned_abs())
}

pub(super) fn time_from_nanoseconds(nanoseconds: u64) -> Result<civil::Time> {
    let (seconds, rest) = (nanoseconds / SECOND, nanoseconds % SECOND);
    let part = |value: u64| i8::try_from(value).ok();
    (|| {
        let (hour, minute, second) = (part(seconds / 3600)?, part(seconds / 60 % 60)?, part(seconds % 60)?);
        civil::Time::new(hour, minute, second, i32::try_from(rest).ok()?).ok()
    })()
    .ok_or_else(|| out_of_range(&nanoseconds))
}

pub(super) fn time_to_engine(time: OffsetTime) -> EngineValue {
    EngineValue::Time { nanos: nanoseconds(time.time), offset_secs: time.offset.seconds() }
}

pub(super) fn time_from_engine(nanos: u64, offset: i32) -> Result<Value> {
    Ok(Value::Time(OffsetTime { time: time_from_nanoseconds(nanos)?, offset: offset_of(offset)? }))
}

pub(super) fn local_datetime_to_engine(datetime: civil::DateTime) -> Result<NaiveDateTime> {
    let nanoseconds = nanoseconds(datetime.time());
    let seconds = u32::try_from(nanoseconds / SECOND).ok();
    let fraction = u32::try_from(nanoseconds % SECOND).ok();
    let time = seconds
        .zip(fraction)
        .and_then(|(seconds, fraction)| NaiveTime::from_num_seconds_from_midnight_opt(seconds, fraction));
    Ok(date_to_engine(datetime.date())?.and_time(time.ok_or_else(|| out_of_range(&datetime))?))
}

pub(super) fn local_datetime_from_engine(datetime: NaiveDateTime) -> Result<civil::DateTime> {
    let time = datetime.time();
    let nanoseconds = u64::from(time.num_seconds_from_midnight()) * SECOND + u64::from(time.nanosecond());
    Ok(date_from_engine(datetime.date())?.to_datetime(time_from_nanoseconds(nanoseconds)?))
}

pub(super) fn zoned_to_engine(zoned: &Zoned) -> Result<EngineValue> {
    let timestamp = zoned.timestamp();
    let nanoseconds = timestamp.as_nanosecond();
    let second = i128::from(SECOND);
    let utc = i64::try_from(nanoseconds.div_euclid(second))
        .ok()
        .zip(u32::try_from(nanoseconds.rem_euclid(second)).ok())
        .and_then(|(seconds, fraction)| DateTime::from_timestamp(seconds, fraction))
        .ok_or_else(|| out_of_range(zoned))?
        .naive_utc();
    let offset_secs = zoned.offset().seconds();
    let zone = match zoned.time_zone().iana_name() {
        None | Some("UTC") => None,
        Some(name) => Some(
            ZoneId::from_name(name)
                // The engine brings its own table of zones, which may differ from ours.
                .filter(|zone| zone.offset_at(utc) == offset_secs)
                .ok_or_else(|| unsupported(format!("the time zone {name}"), "use an offset, as +02:00"))?,
        ),
    };
    Ok(EngineValue::ZonedDateTime { utc, offset_secs, zone })
}

pub(super) fn zoned_from_engine(utc: NaiveDateTime, offset: i32, zone: Option<&str>) -> Result<Value> {
    let utc = utc.and_utc();
    let timestamp = i32::try_from(utc.timestamp_subsec_nanos())
        .ok()
        .and_then(|fraction| Timestamp::new(utc.timestamp(), fraction).ok())
        .ok_or_else(|| out_of_range(&utc))?;
    let zone = match zone {
        None => TimeZone::fixed(offset_of(offset)?),
        Some(name) => time_zone(name)
            .ok_or_else(|| unsupported(format!("the time zone {name}"), "use an offset, as +02:00"))?,
    };
    Ok(Value::DateTime(Box::new(timestamp.to_zoned(zone))))
}

pub(super) fn duration_to_engine(duration: CypherDuration) -> Result<EngineValue> {
    let normal =
        CypherDuration::new(duration.months, duration.days, duration.seconds, duration.nanoseconds.into());
    normal
        .and_then(|normal| {
            Some(EngineValue::Duration {
                months: i32::try_from(normal.months).ok()?,
                days: i32::try_from(normal.days).ok()?,
                seconds: normal.seconds,
                nanos: normal.nanoseconds,
            })
        })
        .ok_or_else(|| {
            let hint = "months and days go up to 2,147,483,647";
            unsupported(format!("a duration as long as {duration}"), hint)
        })
}

pub(super) fn duration_from_engine(months: i32, days: i32, seconds: i64, nanos: i32) -> Value {
    Value::Duration(CypherDuration { months: months.into(), days: days.into(), seconds, nanoseconds: nanos })
}

fn offset_of(seconds: i32) -> Result<Offset> {
    Offset::from_seconds(seconds).map_err(|_| out_of_range(&seconds))
}

fn unsigned(part: i8) -> u32 {
    part.unsigned_abs().into()
}

fn signed(part: u32) -> Option<i8> {
    i8::try_from(part).ok()
}

fn out_of_range(value: &dyn std::fmt::Debug) -> StoreError {
    unsupported(format!("the temporal value {value:?}"), "years go from -9999 to 9999")
}
