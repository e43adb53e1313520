//! What the values of a property are measured by: what is asked for and sorted in the same words everywhere (`when`, `earliest`).

use graphwright_core::Value;
use graphwright_english::dates::{Days, FigureOrder};

use crate::words::shown;

/// The share of values that must be on a scale.
const MOST: f64 = 0.95;
/// What the values of a property are measured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Days, moments and years.
    Days,
    /// Times of day.
    Clock,
    /// Numbers and durations.
    Numbers,
    /// By nothing: texts and the like.
    #[default]
    None,
}

impl Scale {
    /// The scale of most of these values.
    pub(crate) fn of<'a>(values: impl Iterator<Item = &'a Value>) -> Self {
        let values: Vec<(&Value, String)> = values.map(|value| (value, shown(value))).collect();
        let is_most = |fits: fn(&Value, &str) -> bool| {
            let count = values.iter().filter(|(value, text)| fits(value, text)).count();
            count > 0 && count as f64 >= MOST * values.len() as f64
        };
        // Years are numbers too.
        if is_most(is_day) {
            Self::Days
        } else if is_most(is_clock) {
            Self::Clock
        } else if is_most(is_number) {
            Self::Numbers
        } else {
            Self::None
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Days => "days",
            Self::Clock => "clock",
            Self::Numbers => "numbers",
            Self::None => "none",
        }
    }
}

fn is_day(value: &Value, text: &str) -> bool {
    let in_figures =
        || [FigureOrder::DayFirst, FigureOrder::MonthFirst].iter().any(|order| order.read(text).is_some());
    Days::from_value(value).is_some() || in_figures()
}

/// A time of day: two or three numbers of at most two figures.
fn is_clock(value: &Value, text: &str) -> bool {
    let figures =
        |part: &str| matches!(part.len(), 1 | 2) && part.bytes().all(|letter| letter.is_ascii_digit());
    matches!(value, Value::Time(_) | Value::LocalTime(_))
        || matches!(text.split(':').count(), 2 | 3) && text.split(':').all(figures)
}

fn is_number(value: &Value, text: &str) -> bool {
    matches!(value, Value::Duration(_)) || text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(values: &[&str]) -> Scale {
        let values: Vec<Value> = values.iter().map(|value| Value::from(*value)).collect();
        Scale::of(values.iter())
    }

    #[test]
    fn values_tell_their_scale() {
        assert_eq!(scale(&["22/08/2017", "1/08/2017"]), Scale::Days);
        assert_eq!(scale(&["2017-08-22"]), Scale::Days);
        assert_eq!(scale(&["1999", "2004"]), Scale::Days);
        assert_eq!(scale(&["1999", "4"]), Scale::Numbers);
        assert_eq!(scale(&["21:07", "9:27"]), Scale::Clock);
        assert_eq!(scale(&["543-43-9738", "7-(727)924-9245"]), Scale::None);
        assert_eq!(scale(&[]), Scale::None);
    }
}
