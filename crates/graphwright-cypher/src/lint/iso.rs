//! Dates and times in ISO 8601, as Cypher reads them.

/// Returns whether a text is a date, with a time or not: `2020-12-31`, `2020-12-31T12:30`.
pub(super) fn is_moment(text: &str) -> bool {
    text.get(..10).is_some_and(is_date) && text.get(10..).is_some_and(|time| time.is_empty() || is_time(time))
}

/// Returns whether a text is a date: `2020-12-31`.
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
        // The 29th of February exists only in some years, so it proves nothing.
        Some(2) => 28,
        Some(4 | 6 | 9 | 11) => 30,
        Some(1..=12) => 31,
        _ => return false,
    };
    number(year, 4).is_some() && number(day, 2).is_some_and(|day| (1..=days).contains(&day))
}

/// Returns whether a text is a time: `T12:30`, `T12:30:59`, optionally with `Z`.
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
