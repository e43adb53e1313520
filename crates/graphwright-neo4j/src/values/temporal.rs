//! Translates temporal values to the driver's and back. [`jiff`]'s are ours, [`chrono`]'s the
//! driver's.

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use graphwright_core::{
    Result, StoreError, Value,
    value::{CypherDuration, OffsetTime, time_zone},
};
use jiff::{Timestamp, Zoned, civil, tz};
use neo4j::{ValueReceive, ValueSend, value::time};

use super::wrong;

pub(super) fn to_driver(value: &Value) -> Result<ValueSend> {
    match value {
        Value::Date(date) => date_to_driver(*date).map(ValueSend::Date),
        Value::LocalTime(time) => time_to_driver(*time).map(ValueSend::LocalTime),
        Value::Time(OffsetTime { time, offset }) => Ok(ValueSend::Time(time::Time {
            time: time_to_driver(*time)?,
            offset: offset_to_driver(*offset, value)?,
        })),
        Value::LocalDateTime(moment) => {
            let (date, time) = (date_to_driver(moment.date())?, time_to_driver(moment.time())?);
            Ok(ValueSend::LocalDateTime(NaiveDateTime::new(date, time)))
        }
        Value::DateTime(zoned) => zoned_to_driver(zoned),
        Value::Duration(duration) => {
            let CypherDuration { months, days, seconds, nanoseconds } = *duration;
            let sent = time::Duration::new(months, days, seconds, nanoseconds);
            sent.map(ValueSend::Duration).ok_or_else(|| out_of_range(value))
        }
        other => Err(out_of_range(other)),
    }
}

pub(super) fn from_driver(value: &ValueReceive) -> Result<Value> {
    match value {
        ValueReceive::Date(date) => date_from_driver(*date).map(Value::Date),
        ValueReceive::LocalTime(time) => time_from_driver(*time).map(Value::LocalTime),
        ValueReceive::Time(time) => Ok(Value::Time(OffsetTime {
            time: time_from_driver(time.time)?,
            offset: offset_from_driver(time.offset)?,
        })),
        ValueReceive::LocalDateTime(moment) => {
            let (date, time) = (date_from_driver(moment.date())?, time_from_driver(moment.time())?);
            Ok(Value::LocalDateTime(date.to_datetime(time)))
        }
        ValueReceive::DateTimeFixed(moment) => {
            let zone = offset_from_driver(*moment.offset())?.to_time_zone();
            Ok(zoned_from_driver(moment.timestamp(), moment.timestamp_subsec_nanos(), zone)?.into())
        }
        ValueReceive::DateTime(moment) => {
            let name = moment.timezone().name();
            let zone =
                time_zone(name).ok_or_else(|| wrong(format!("the time zone `{name}` is not known")))?;
            Ok(zoned_from_driver(moment.timestamp(), moment.timestamp_subsec_nanos(), zone)?.into())
        }
        ValueReceive::Duration(duration) => {
            let (months, days) = (duration.months(), duration.days());
            CypherDuration::new(months, days, duration.seconds(), duration.nanoseconds().into())
                .map(Value::Duration)
                .ok_or_else(|| wrong("a duration came that is too long"))
        }
        _ => Err(wrong("a value came of a type that this version does not know")),
    }
}

fn date_to_driver(date: civil::Date) -> Result<NaiveDate> {
    NaiveDate::from_ymd_opt(
        date.year().into(),
        date.month().cast_unsigned().into(),
        date.day().cast_unsigned().into(),
    )
    .ok_or_else(|| out_of_range(&Value::Date(date)))
}

fn time_to_driver(time: civil::Time) -> Result<NaiveTime> {
    let part = |part: i8| u32::from(part.cast_unsigned());
    let nanoseconds = time.subsec_nanosecond().cast_unsigned();
    NaiveTime::from_hms_nano_opt(part(time.hour()), part(time.minute()), part(time.second()), nanoseconds)
        .ok_or_else(|| out_of_range(&Value::LocalTime(time)))
}

fn offset_to_driver(offset: tz::Offset, value: &Value) -> Result<FixedOffset> {
    FixedOffset::east_opt(offset.seconds()).ok_or_else(|| out_of_range(value))
}

/// Translates an instant. A zone with a name goes by its name; UTC is an offset, as it is for
/// Neo4j.
fn zoned_to_driver(zoned: &Zoned) -> Result<ValueSend> {
    let value = || Value::DateTime(Box::new(zoned.clone()));
    let nanoseconds = zoned.timestamp().as_nanosecond();
    let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000)).map_err(|_| out_of_range(&value()))?;
    let rest = nanoseconds.rem_euclid(1_000_000_000) as u32;
    let utc = DateTime::from_timestamp(seconds, rest).ok_or_else(|| out_of_range(&value()))?;
    match zoned.time_zone().iana_name() {
        Some(name) if name != "UTC" => {
            let zone: time::Tz = name
                .parse()
                .map_err(|_| wrong(format!("the time zone `{name}` is not known to the driver")))?;
            Ok(ValueSend::DateTime(utc.with_timezone(&zone)))
        }
        _ => {
            let offset = offset_to_driver(zoned.offset(), &value())?;
            Ok(ValueSend::DateTimeFixed(utc.with_timezone(&offset)))
        }
    }
}

fn date_from_driver(date: NaiveDate) -> Result<civil::Date> {
    let parts = (i16::try_from(date.year()), i8::try_from(date.month()), i8::try_from(date.day()));
    let (Ok(year), Ok(month), Ok(day)) = parts else { return Err(beyond(&date.to_string())) };
    civil::Date::new(year, month, day).map_err(|_| beyond(&date.to_string()))
}

fn time_from_driver(time: NaiveTime) -> Result<civil::Time> {
    let parts = (i8::try_from(time.hour()), i8::try_from(time.minute()), i8::try_from(time.second()));
    let nanoseconds = i32::try_from(time.nanosecond());
    let ((Ok(hour), Ok(minute), Ok(second)), Ok(nanoseconds)) = (parts, nanoseconds) else {
        return Err(beyond(&time.to_string()));
    };
    civil::Time::new(hour, minute, second, nanoseconds).map_err(|_| beyond(&time.to_string()))
}

fn offset_from_driver(offset: FixedOffset) -> Result<tz::Offset> {
    tz::Offset::from_seconds(offset.local_minus_utc()).map_err(|_| beyond(&offset.to_string()))
}

fn zoned_from_driver(seconds: i64, nanoseconds: u32, zone: tz::TimeZone) -> Result<Zoned> {
    let nanoseconds = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
    let timestamp = Timestamp::from_nanosecond(nanoseconds).map_err(|_| beyond(&format!("{seconds} s")))?;
    Ok(timestamp.to_zoned(zone))
}

fn out_of_range(value: &Value) -> StoreError {
    wrong(format!("a value of type {} is out of what Neo4j stores", value.type_name()))
}

fn beyond(text: &str) -> StoreError {
    wrong(format!("the temporal value {text} is out of range: years go from -9999 to 9999"))
}
