//! Durations as people write them.

use jiff::{Span, SpanRelativeTo, Unit};

/// Reads a duration as people write it, such as `19 hours 43 minutes`, in seconds.
pub(crate) fn seconds(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches('.');
    // `12 m` is more often a length.
    let mut units = text.split(|letter: char| !letter.is_alphabetic()).filter(|unit| !unit.is_empty());
    if units.any(|unit| unit.len() == 1) {
        return None;
    }
    text.parse::<Span>().ok()?.total((Unit::Second, SpanRelativeTo::days_are_24_hours())).ok()
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn durations_of_any_unit_are_seconds() {
        let (hour, days) = (Some(3600.0), Some(172_860.0));
        assert_eq!(["1 hour", "60 minutes", " 2 days 1 min.", "1h"].map(seconds), [hour, hour, days, None]);
        assert_eq!(["12 m", "two hours", "53? minutes", "1435", ""].map(seconds), [None; 5]);
    }
}
