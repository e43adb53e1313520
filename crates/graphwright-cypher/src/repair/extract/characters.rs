//! Characters that stand for others.

use crate::lexer::comment_length;

/// HTML entities and their characters.
const ENTITIES: [(&str, &str); 7] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&apos;", "'"),
    ("&nbsp;", " "),
    // This one comes last, so that its result is not decoded again.
    ("&amp;", "&"),
];

/// Decodes HTML entities, if some stand outside of strings. The whole text was then written as
/// HTML.
pub(super) fn decoded(text: &str) -> Option<(String, String)> {
    let is_html = outside_quotes(text).any(|at| {
        text.get(at..).is_some_and(|rest| ENTITIES.iter().any(|(entity, _)| rest.starts_with(entity)))
    });
    if !is_html {
        return None;
    }
    let decoded = ENTITIES.iter().fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain));
    Some((decoded, "replaced HTML entities by their characters".to_owned()))
}

/// Signs that look like those of Cypher, with the latter.
const SIGNS: [(char, &str); 10] = [
    ('–', "-"),
    ('—', "-"),
    ('−', "-"),
    ('→', "->"),
    ('←', "<-"),
    ('≥', ">="),
    ('≤', "<="),
    ('≠', "<>"),
    ('，', ","),
    ('：', ":"),
];

/// Typographic quotes: opening, closing and the plain one.
const QUOTES: [(&[char], &[char], char); 3] =
    [(&['‘', '‚', '’'], &['’', '‘'], '\''), (&['“', '„', '”'], &['”', '“'], '"'), (&['«'], &['»'], '"')];

/// Replaces typographic quotes, signs and escaped white space outside of strings and comments.
pub(super) fn plain(text: &str) -> Option<(String, String)> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    let mut quote = None;
    while let Some(character) = rest.chars().next() {
        let after = rest.get(character.len_utf8()..).unwrap_or_default();
        if let Some(open) = quote {
            // An escaped quote does not end the string.
            let escaped = if character == '\\' { after.chars().next() } else { None };
            plain.push(character);
            plain.extend(escaped);
            rest = after.get(escaped.map_or(0, char::len_utf8)..).unwrap_or_default();
            if character == open {
                quote = None;
            }
            continue;
        }
        if let Some((comment, behind)) = comment_length(rest).and_then(|length| rest.split_at_checked(length))
        {
            plain.push_str(comment);
            rest = behind;
            continue;
        }
        if let Some((string, behind)) = quoted(character, after) {
            plain.push_str(&string);
            rest = behind;
            continue;
        }
        rest = after;
        if matches!(character, '\'' | '"' | '`') {
            quote = Some(character);
        }
        if let Some((_, sign)) = SIGNS.iter().find(|(sign, _)| *sign == character) {
            plain.push_str(sign);
        } else if let Some((space, behind)) = escaped_space(character, after) {
            plain.push(space);
            rest = behind;
        } else {
            plain.push(character);
        }
    }
    (plain != text).then(|| (plain, "wrote plain quotes, signs and line ends outside of strings".to_owned()))
}

/// Returns a string in typographic or escaped quotes with plain ones, and the text behind it.
fn quoted(open: char, after: &str) -> Option<(String, &str)> {
    if open == '\\' {
        let plain = after.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
        let (inner, behind) = after.get(1..)?.split_once(&format!("\\{plain}"))?;
        return Some((format!("{plain}{inner}{plain}"), behind));
    }
    let (_, closing, plain) = QUOTES.iter().find(|(opening, ..)| opening.contains(&open))?;
    let end = after.find(*closing).or_else(|| after.find(*plain))?;
    let (inner, behind) = after.split_at_checked(end)?;
    let closing = behind.chars().next()?;
    let escaped = inner.replace(*plain, &format!("\\{plain}"));
    Some((format!("{plain}{escaped}{plain}"), behind.get(closing.len_utf8()..)?))
}

/// Returns white space that is written as an escape outside of strings, and the text behind it.
fn escaped_space(character: char, after: &str) -> Option<(char, &str)> {
    let space = match (character, after.chars().next()?) {
        ('\\', 'n') => '\n',
        ('\\', 't') => '\t',
        _ => return None,
    };
    Some((space, after.get(1..)?))
}

/// Returns the positions of characters outside of strings, quoted names and comments.
fn outside_quotes(text: &str) -> impl Iterator<Item = usize> {
    let mut quote = None;
    let mut escaped = false;
    let mut comment_end = 0;
    text.char_indices().filter_map(move |(at, character)| {
        if quote.is_none()
            && at >= comment_end
            && let Some(length) = text.get(at..).and_then(comment_length)
        {
            comment_end = at + length;
        }
        if at < comment_end {
            return None;
        }
        let outside = quote.is_none();
        match quote {
            _ if escaped => escaped = false,
            Some(_) if character == '\\' => escaped = true,
            Some(open) if character == open => quote = None,
            None if matches!(character, '\'' | '"' | '`') => quote = Some(character),
            _ => {}
        }
        outside.then_some(at)
    })
}
