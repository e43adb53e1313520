//! Comments, hints, names and strings in the form that the engine reads.

use super::{Pass, Result, RewriteError};
use crate::{
    builder::quote,
    edit::Edits,
    lexer::TokenKind,
    source::{Keyword, Source},
};

/// Words that the engine never reads as names where Cypher does.
const KEYWORDS: [&str; 20] = [
    "END",
    "ON",
    "OVER",
    "PARTITION",
    "HAVING",
    "INTERSECT",
    "EXCEPT",
    "NULLS",
    "CONTAINS",
    "STARTS",
    "ENDS",
    "ORDER",
    "ASC",
    "DESC",
    "BY",
    "LIMIT",
    "SKIP",
    "EXPLAIN",
    "PROFILE",
    "YIELD",
];

/// Words after which a value or a name follows.
pub(super) const BEFORE_OPERAND: [&str; 22] = [
    "RETURN", "WITH", "DISTINCT", "WHERE", "AND", "OR", "XOR", "NOT", "BY", "UNWIND", "WHEN", "THEN", "ELSE",
    "CASE", "IN", "SET", "REMOVE", "DELETE", "CONTAINS", "SKIP", "LIMIT", "IS",
];

pub(super) fn run(pass: &mut Pass<'_>) -> Result<Edits> {
    let source = pass.source;
    let mut edits = Edits::default();
    for &comment in source.comments() {
        edits.replace(comment, " ");
    }
    for index in 0..source.len() {
        match source.kind(index) {
            Some(TokenKind::Symbol(";")) => {
                if index + 1 < source.len() && !source.is_symbol(index + 1, ";") {
                    return Err(RewriteError::syntax("only one statement at a time", source.span(index)));
                }
                edits.replace(source.span(index), "");
            }
            Some(TokenKind::String) if source.text(index).contains('\\') => {
                edits.replace(source.span(index), plain_string(source, index)?);
            }
            Some(TokenKind::Integer | TokenKind::Float) if source.text(index).contains('_') => {
                edits.replace(source.span(index), source.text(index).replace('_', ""));
            }
            Some(TokenKind::Float) if source.text(index).starts_with('.') => {
                edits.insert(source.span(index).start, "0");
            }
            Some(TokenKind::Float) if source.text(index).parse::<f64>().is_ok_and(f64::is_infinite) => {
                return Err(RewriteError::syntax("this float is too large", source.span(index)));
            }
            Some(TokenKind::Symbol(":")) if is_repeated_colon(source, index) => {
                edits.replace(source.span(index), "");
            }
            Some(TokenKind::Word) if needs_quotes(source, index) => {
                edits.replace(source.span(index), format!("`{}`", source.text(index)));
            }
            Some(TokenKind::Parameter) if !is_plain_parameter(source.text(index)) => {
                let name = pass.fresh();
                let given = source.name(index).unwrap_or_default().into_owned();
                if let Some(value) = pass.rewritten.parameters.get(&given).cloned() {
                    pass.rewritten.parameters.insert(name.clone(), value);
                }
                edits.replace(source.span(index), format!("${name}"));
            }
            _ => {}
        }
    }
    hints(pass, &mut edits);
    targets(pass, &mut edits);
    Ok(edits)
}

fn is_plain_parameter(text: &str) -> bool {
    text.bytes().skip(1).all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn needs_quotes(source: &Source<'_>, index: usize) -> bool {
    let word = source.text(index);
    if !word.is_ascii() {
        return true;
    }
    if !source.is_any_word(index, &KEYWORDS) || quote(word).is_err() {
        return false;
    }
    let after_star = index.checked_sub(2).is_some_and(|word| {
        source.is_symbol(word + 1, "*") && source.is_any_word(word, &["RETURN", "WITH", "DISTINCT"])
    });
    let operand = !after_star
        && source.before(index, |before| {
            source
                .is_any_symbol(before, &["(", "[", ",", "=", "+", "-", "*", "/", "<", ">", "<>", "<=", ">="])
                || source.is_any_word(before, &BEFORE_OPERAND)
        });
    source.is_name_position(index) || operand && !source.is_symbol(index + 1, "(")
}

/// The second colon of `[:A|:B]`.
fn is_repeated_colon(source: &Source<'_>, colon: usize) -> bool {
    source.before(colon, |bar| source.is_symbol(bar, "|"))
        && source.around(colon).is_some_and(|open| {
            source.is_symbol(open, "[") && source.before(open, |before| source.is_symbol(before, "-"))
        })
}

/// The same string with only the escapes that the engine knows.
fn plain_string(source: &Source<'_>, index: usize) -> Result<String> {
    let text = source.text(index);
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.get(1..text.len().saturating_sub(1)).unwrap_or_default().chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        let escaped = rest.next().unwrap_or('\\');
        let length = match escaped {
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        plain.push(match escaped {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            '\\' | '\'' | '"' | '`' => escaped,
            'u' | 'U' => {
                let digits: String = rest.by_ref().take(length).collect();
                let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == length);
                code.and_then(char::from_u32).ok_or_else(|| {
                    RewriteError::syntax(
                        format!("\\{escaped}{digits} is not a character"),
                        source.span(index),
                    )
                })?
            }
            other => {
                let message = format!("\\{other} is not an escape; write \\\\{other} for a backslash");
                return Err(RewriteError::syntax(message, source.span(index)));
            }
        });
    }
    Ok(format!("'{}'", plain.replace('\\', "\\\\").replace('\'', "\\'")))
}

/// `SET (n).name = 1` is `SET n.name = 1`.
fn targets(pass: &Pass<'_>, edits: &mut Edits) {
    let source = pass.source;
    for clause in pass.blocks.iter().flat_map(|block| &block.clauses) {
        if clause.keyword != Keyword::Set {
            continue;
        }
        for item in super::columns::split(source, clause.tokens.start + 1..clause.tokens.end) {
            let open = item.start;
            if source.is_symbol(open, "(") && source.partner(open) == open + 2 {
                edits.replace(source.span(open), "");
                edits.replace(source.span(open + 2), "");
            }
        }
    }
}

/// `USING INDEX …` says how to find, not what.
fn hints(pass: &Pass<'_>, edits: &mut Edits) {
    let source = pass.source;
    for clause in pass.blocks.iter().flat_map(|block| &block.clauses) {
        if !matches!(clause.keyword, Keyword::Match | Keyword::OptionalMatch) {
            continue;
        }
        let level: Vec<usize> = source.level(clause.tokens.clone()).collect();
        let word = |index: usize, word| source.is_word(index, word) && !source.is_name_position(index);
        let Some(&first) = level.iter().find(|&&index| word(index, "USING")) else { continue };
        let filter = level.iter().copied().find(|&index| index > first && word(index, "WHERE"));
        edits.replace(source.span_of(&(first..filter.unwrap_or(clause.tokens.end))), "");
    }
}
