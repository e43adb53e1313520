//! What the values of a property are measured by: what is asked for and sorted in the same words everywhere (`when`, `earliest`).

use graphwright_core::Value;
use graphwright_english::dates::Days;

use crate::words::shown;

/// The share of values that must be on a scale.
const MOST: f64 = 0.95;
/// What numbers may be years.
const YEARS: std::ops::RangeInclusive<u32> = 1000..=2100;

/// What the values of a property are measured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Days, moments and years.
    Days,
    /// Times of day.
    Clock,
    Numbers,
    /// By nothing: texts and the like.
    #[default]
    None,
}

impl Scale {
    /// The scale of most of these values.
    pub(crate) fn of<'a>(values: impl Iterator<Item = &'a Value>) -> Self {
        let (mut all, mut counts) = (0, [0_usize; 3]);
        let mut are_years = true;
        for value in values {
            all += 1;
            let text = shown(value);
            if is_clock(value, &text) {
                counts[Self::Clock as usize] += 1;
            } else if text.parse::<f64>().is_ok() {
                are_years &= text.parse().is_ok_and(|year: u32| YEARS.contains(&year));
                counts[Self::Numbers as usize] += 1;
            } else if is_day(value, &text) {
                counts[Self::Days as usize] += 1;
            }
        }
        let is_most = |scale: Self| counts[scale as usize] as f64 >= MOST * f64::from(all.max(1));
        match [Self::Days, Self::Clock, Self::Numbers].into_iter().find(|scale| is_most(*scale)) {
            Some(Self::Numbers) if are_years => Self::Days,
            found => found.unwrap_or_default(),
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
    matches!(value, Value::Date(_) | Value::LocalDateTime(_) | Value::DateTime(_))
        || Days::parse(text).is_some()
        || is_figures(text, &['/', '.', '-'], 3) && text.len() >= 8
}

fn is_clock(value: &Value, text: &str) -> bool {
    matches!(value, Value::Time(_) | Value::LocalTime(_))
        || is_figures(text, &[':'], 2)
        || is_figures(text, &[':'], 3)
}

/// Whether a text is so many numbers of one, two or four figures between signs.
fn is_figures(text: &str, signs: &[char], count: usize) -> bool {
    let figures =
        |part: &str| matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|letter| letter.is_ascii_digit());
    text.split(signs).count() == count && text.split(signs).all(figures)
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
