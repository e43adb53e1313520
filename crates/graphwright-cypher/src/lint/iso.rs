//! Dates and times that are written as ISO 8601 has them, which Cypher reads.

/// `2020-12-31`, `2020-12-31T12:30`
pub(super) fn is_moment(text: &str) -> bool {
    text.get(..10).is_some_and(is_date) && text.get(10..).is_some_and(|time| time.is_empty() || is_time(time))
}

/// `2020-12-31`
pub(super) fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let number = |part: &str, digits: usize| {
        let plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| part.parse::<u32>().ok()).flatten()
    };
    let days = match number(month, 2) {
        // A 29th of February may be none.
        Some(2) => 28,
        Some(4 | 6 | 9 | 11) => 30,
        Some(1..=12) => 31,
        _ => return false,
    };
    number(year, 4).is_some() && number(day, 2).is_some_and(|day| (1..=days).contains(&day))
}

/// `T12:30`, `T12:30:59`, with `Z` behind it or not.
fn is_time(text: &str) -> bool {
    let Some(text) = text.strip_prefix('T') else { return false };
    let text = text.strip_suffix('Z').unwrap_or(text);
    let mut parts = text.split(':');
    let below = |part: Option<&str>, limit: u32| {
        part.is_some_and(|part| part.len() == 2 && part.parse::<u32>().is_ok_and(|number| number < limit))
    };
    below(parts.next(), 24)
        && below(parts.next(), 60)
        && parts.next().is_none_or(|part| below(Some(part), 60))
        && parts.next().is_none()
}
