//! Numbers in JSON that no value holds.

/// Finds the first number in JSON that reading would change: a whole number beyond 64 bits, which
/// would become a float, and a float that would become zero or infinite. Returns its first byte and
/// what is wrong.
///
/// A reader of JSON gets only the number that it became. So who must not lose one looks at the text
/// first. Text that is no JSON gives no sensible answer.
///
/// ```
/// use graphwright_core::value::lost_number;
///
/// assert_eq!(lost_number(br#"{"a": 9223372036854775807, "b": 1e300, "c": "1e400"}"#), None);
/// let (at, message) = lost_number(br#"{"a": -9223372036854775809}"#).unwrap();
/// assert_eq!(at, 6);
/// assert!(message.starts_with("-9223372036854775809 is beyond the 64-bit integers"));
/// ```
pub fn lost_number(json: &[u8]) -> Option<(usize, String)> {
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        match byte {
            b'"' => at += string_length(&json[at..]),
            b'-' | b'0'..=b'9' => {
                let rest = &json[at..];
                let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                let length = rest.iter().take_while(|byte| is_part(byte)).count();
                let number = str::from_utf8(&rest[..length]).unwrap_or_default();
                if let Some(message) = loss(number) {
                    return Some((at, message));
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    None
}

fn string_length(json: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = json.get(at) {
        at += if byte == b'\\' { 2 } else { 1 };
        if byte == b'"' {
            break;
        }
    }
    at
}

fn loss(number: &str) -> Option<String> {
    // No shorter number can be beyond.
    const SHORTEST: usize = 19;
    if number.contains(['.', 'e', 'E']) {
        let is_lost = number.parse::<f64>().is_ok() && parse_float(number).is_none();
        return is_lost.then(|| format!("{number} is beyond the 64-bit floats"));
    }
    let is_lost = number.len() >= SHORTEST && number.parse::<i64>().is_err();
    is_lost.then(|| format!("{number} is beyond the 64-bit integers; write a fraction if it is a float"))
}

/// Parses a float. Returns `None` for what is none, and for digits that would become zero or
/// infinite.
///
/// ```
/// use graphwright_core::value::parse_float;
///
/// assert_eq!(parse_float("1e300"), Some(1e300));
/// assert_eq!(parse_float("-Infinity"), Some(f64::NEG_INFINITY));
/// assert_eq!((parse_float("1e400"), parse_float("1e-400"), parse_float("many")), (None, None, None));
/// ```
pub fn parse_float(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    let is_nothing = !digits.contains(|digit: char| matches!(digit, '1'..='9'));
    let is_word = !text.contains(|digit: char| digit.is_ascii_digit());
    let is_kept = is_word || (number.is_finite() && (number != 0.0 || is_nothing));
    is_kept.then_some(number)
}
