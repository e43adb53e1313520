//! Messages about what was found in place of what was expected.

use graphwright_core::{Span, text::cut};

use super::Parser;
use crate::{
    diagnostic::{Code, Diagnostic, Fix},
    lexer::TokenKind,
};

/// The words that may follow a complete clause or column.
pub(super) const CONTINUATIONS: [&str; 33] = [
    "MATCH", "OPTIONAL", "WHERE", "WITH", "RETURN", "UNWIND", "CREATE", "MERGE", "SET", "REMOVE", "DELETE",
    "DETACH", "CALL", "YIELD", "FOREACH", "LOAD", "UNION", "ORDER", "SKIP", "LIMIT", "USING", "AND", "OR",
    "XOR", "NOT", "AS", "CONTAINS", "STARTS", "ENDS", "DESC", "ASC", "FINISH", "USE",
];

/// The words that begin a statement.
pub(super) const BEGINNINGS: [&str; 19] = [
    "MATCH", "OPTIONAL", "WITH", "RETURN", "UNWIND", "CREATE", "MERGE", "CALL", "FOREACH", "LOAD", "USE",
    "FINISH", "EXPLAIN", "PROFILE", "CYPHER", "SHOW", "DROP", "ALTER", "SET",
];

/// Words of other languages that Cypher lacks, and the advice for each.
const FOREIGN: [(&str, &str); 22] = [
    ("GROUP", "leave it out: rows are grouped by the columns of WITH or RETURN that are no aggregates"),
    ("HAVING", "put the aggregate into a WITH and filter with WHERE behind it"),
    ("SELECT", "write RETURN behind MATCH"),
    ("FROM", "write MATCH with a pattern"),
    ("JOIN", "write MATCH with a relationship"),
    ("INNER", "write MATCH with a relationship"),
    ("LEFT", "write OPTIONAL MATCH"),
    ("LIKE", "write CONTAINS, STARTS WITH, ENDS WITH or =~"),
    ("ILIKE", "compare toLower() of both sides with CONTAINS"),
    ("BETWEEN", "write a <= x AND x <= b"),
    ("NOT", "put NOT before the whole condition"),
    ("INTERSECT", "match both patterns in one query"),
    ("EXCEPT", "write WHERE NOT EXISTS { … }"),
    ("MINUS", "write WHERE NOT EXISTS { … }"),
    ("UPDATE", "write SET"),
    ("VALUES", "write a list and UNWIND"),
    ("OVER", "Cypher has no window functions; collect() and list functions do it"),
    ("PARTITION", "Cypher has no window functions; collect() and list functions do it"),
    ("FILTER", "write WITH … WHERE"),
    ("LET", "write WITH *, … AS …"),
    ("IF", "write CASE WHEN … THEN … END"),
    ("OFFSET", "write SKIP before LIMIT"),
];

/// Returns the diagnostic "expected …, found …" at the parser's place.
pub(super) fn unexpected(parser: &Parser<'_>, expected: &str, keywords: &[&str]) -> Diagnostic {
    let span = parser.here();
    let found = found(parser);
    let mut diagnostic =
        Diagnostic::new(Code::UnexpectedSyntax, span, format!("expected {expected}, found {found}"));
    let Some(token) = parser.tokens.get(parser.at) else {
        if let Some(open) = unclosed(parser) {
            diagnostic.help = Some(open);
        }
        return diagnostic;
    };
    let text = token.text(parser.text);
    match token.kind {
        TokenKind::Word => {
            if let Some((keyword, distance)) = nearest(text, keywords) {
                diagnostic.help = Some(format!("write {keyword}"));
                // Two letters make another word. Nobody asks another graph by a slip.
                let safe = distance == 1 && keyword != "USE";
                diagnostic.fix = Some(Fix { span, text: keyword.to_owned(), safe });
            } else if let Some((_, help)) = FOREIGN.iter().find(|(word, _)| text.eq_ignore_ascii_case(word)) {
                diagnostic.help = Some((*help).to_owned());
            }
        }
        TokenKind::Symbol(symbol) => operator(parser, symbol, span, &mut diagnostic),
        _ => {}
    }
    diagnostic
}

fn found(parser: &Parser<'_>) -> String {
    let text = parser.token_text(parser.at);
    if text.is_empty() {
        return "the end of the text".to_owned();
    }
    format!("`{}`", cut(text, 40))
}

/// Adds advice and a fix for an operator of another language.
fn operator(parser: &Parser<'_>, symbol: &str, span: Span, diagnostic: &mut Diagnostic) {
    let before = parser.at.checked_sub(1).map(|before| parser.token_text(before)).unwrap_or_default();
    let (span, text) = match (before, symbol) {
        (_, "!=") => (span, "<>"),
        // The first `=` was read as the operator, so the fix covers both.
        ("=", "=") => (Span::new(span.start - 1, span.end), "="),
        (_, "&") if parser.token_text(parser.at + 1) == "&" => (Span::new(span.start, span.end + 1), "AND"),
        (_, "&") => {
            diagnostic.help = Some("write AND".to_owned());
            return;
        }
        (_, "!") => (span, "NOT "),
        _ => return,
    };
    diagnostic.help = Some(format!("write {}", text.trim_end()));
    diagnostic.fix = Some(Fix { span, text: text.to_owned(), safe: true });
}

/// Returns advice that names the innermost bracket still open at the end of the text.
fn unclosed(parser: &Parser<'_>) -> Option<String> {
    let open = (0..parser.tokens.len()).rev().find(|&index| {
        matches!(parser.tokens.get(index).map(|token| token.kind), Some(TokenKind::Symbol("(" | "[" | "{")))
            && parser.partners.get(index).is_some_and(|&partner| partner as usize == index)
    })?;
    let token = parser.tokens.get(open)?;
    Some(format!("close the `{}` at byte {}", token.text(parser.text), token.span.start))
}

/// Returns the keyword that `word` misspells, with the number of letters that differ: one, or up to
/// two in words of more than four letters.
pub(super) fn nearest<'k>(word: &str, keywords: &[&'k str]) -> Option<(&'k str, usize)> {
    // Too short a word is near to many keywords.
    if !word.is_ascii() || word.len() < 3 || word.len() > 12 {
        return None;
    }
    let upper = word.to_ascii_uppercase();
    let allowed = if word.len() > 4 { 2 } else { 1 };
    let best = keywords.iter().map(|keyword| (strsim::osa_distance(&upper, keyword), *keyword)).min()?;
    (best.0 > 0 && best.0 <= allowed).then_some((best.1, best.0))
}
