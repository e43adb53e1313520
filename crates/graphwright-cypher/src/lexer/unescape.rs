//! The values of quoted names and strings.

use std::borrow::Cow;

/// Removes back-ticks around a name and undoubles those within.
pub(crate) fn unquote(text: &str) -> Cow<'_, str> {
    match text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
        None => Cow::Borrowed(text),
        Some(inner) if inner.contains('`') => Cow::Owned(inner.replace("``", "`")),
        Some(inner) => Cow::Borrowed(inner),
    }
}

/// Returns the value of a string literal with its quotes.
///
/// A backslash before a character that has no escape stands for itself, as in Neo4j (`'\d'` is
/// `\d`).
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
    let Some(first) = inner.find('\\') else { return Cow::Borrowed(inner) };
    let (before, rest) = inner.split_at(first);
    let mut value = String::with_capacity(inner.len());
    value.push_str(before);
    let mut characters = rest.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            value.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => value.push('\n'),
            Some('t') => value.push('\t'),
            Some('r') => value.push('\r'),
            Some('b') => value.push('\u{8}'),
            Some('f') => value.push('\u{c}'),
            Some(same @ ('\\' | '\'' | '"' | '`')) => value.push(same),
            Some('u') => match code_point(characters.as_str()) {
                Some((decoded, used)) => {
                    value.push(decoded);
                    characters = characters.as_str().get(used..).unwrap_or_default().chars();
                }
                None => value.extend(['\\', 'u']),
            },
            Some(other) => value.extend(['\\', other]),
            None => value.push('\\'),
        }
    }
    Cow::Owned(value)
}

/// Reads four hexadecimal digits, or a surrogate pair of two escapes, as a character. Returns it
/// with the number of bytes read.
pub(super) fn code_point(text: &str) -> Option<(char, usize)> {
    let code = |at: usize| {
        let digits = text.get(at..at + 4)?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let first = code(0)?;
    if (0xD800..0xDC00).contains(&first) && text.get(4..6)? == "\\u" {
        let second = code(6).filter(|second| (0xDC00..0xE000).contains(second))?;
        let combined = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return Some((char::from_u32(combined)?, 10));
    }
    Some((char::from_u32(first)?, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_lose_their_escapes() {
        for (text, value) in [
            ("'plain'", "plain"),
            (r"'it\'s'", "it's"),
            (r#""a\"b\\\n\t\r\b\f""#, "a\"b\\\n\t\r\u{8}\u{c}"),
            (r"'\u00e9\U0001F600'", r"é\U0001F600"),
            (r"'\uD83D\uDE00'", "😀"),
            (r"'.*\d+'", r".*\d+"),
        ] {
            assert_eq!(unescape(text), value, "{text}");
        }
    }
}
