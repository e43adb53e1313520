//! Operators of other languages.

use graphwright_core::Span;

use super::{
    ChangeCode,
    draft::Draft,
    regions,
    step::{Outcome, Step},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    lexer::{Keyword, TokenKind, unescape},
};

/// Returns the first token of the value that ends before token `behind`: `n.name`,
/// `toLower(n.name)` or `(a + b)`, with the operands that `+ * / %` join to it.
fn value_start(draft: &Draft<'_>, behind: usize) -> Option<usize> {
    let mut start = behind;
    loop {
        start = postfix_start(draft, start)?;
        let sign = start.checked_sub(1)?;
        if !["+", "*", "/", "%"].iter().any(|known| draft.is(sign, known)) {
            return Some(start);
        }
        start = sign;
    }
}

/// Returns the first token of the operand that ends before token `behind`.
pub(super) fn postfix_start(draft: &Draft<'_>, behind: usize) -> Option<usize> {
    let mut at = behind.checked_sub(1)?;
    loop {
        if matches!(draft.token(at), ")" | "]") {
            at = draft.opening(at)?;
            // It may be `f(…)` or `list[0]`.
            let before = at.checked_sub(1)?;
            let is_operator = draft.tokens.get(before)?.keyword.is_some_and(is_operator);
            if (draft.is_name(before) && !is_operator) || matches!(draft.token(before), ")" | "]") {
                at = before;
                continue;
            }
            return Some(at);
        }
        let before = at.checked_sub(2);
        match before {
            Some(before) if draft.is(at - 1, ".") => at = before,
            _ => return is_value(draft, at).then_some(at),
        }
    }
}

fn is_value(draft: &Draft<'_>, at: usize) -> bool {
    draft.tokens.get(at).is_some_and(|token| match token.kind {
        TokenKind::Symbol(_) => false,
        TokenKind::Word => !token.keyword.is_some_and(is_operator),
        _ => true,
    })
}

fn is_operator(keyword: Keyword) -> bool {
    use Keyword::{And, In, Not, On, Or, Then, When, Where, Xor};
    matches!(keyword, And | In | Not | On | Or | Then | When | Where | Xor) || keyword.begins_clause()
}

/// Returns the token behind the value that begins at token `from`.
fn value_end(draft: &Draft<'_>, from: usize) -> usize {
    let mut at = from;
    while at < draft.tokens.len() {
        match draft.token(at) {
            "(" | "[" | "{" => at = draft.closing(at).unwrap_or(at),
            ")" | "]" | "}" | "," | ";" | "|" => return at,
            _ if ["AND", "OR", "XOR", "THEN", "ELSE", "END", "AS"].iter().any(|word| draft.is(at, word)) => {
                return at;
            }
            _ if regions::clause_end(draft, at) == at => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Replaces `LIKE`.
///
/// `n.name LIKE 'A%'` → `n.name STARTS WITH 'A'`
///
/// The place of the wildcards decides between `STARTS WITH`, `ENDS WITH`, `CONTAINS`, `=` and `=~`.
/// `ILIKE` becomes `=~ '(?i)…'`.
pub(super) fn like(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let ignores_case = draft.is(at, "ILIKE");
    let token = draft.tokens.get(at + 1).filter(|token| token.kind == TokenKind::String)?;
    if fault.code != Code::UnexpectedSyntax || !(draft.is(at, "LIKE") || ignores_case) {
        return None;
    }
    let pattern = unescape(token.text(&draft.text)).into_owned();
    let text = comparison(&pattern, ignores_case);
    let message = format!("`{text}` in place of {}", draft.token(at));
    let span = Span::new(draft.start_of(at), token.span.end);
    Some(Outcome::Step(Step::new(ChangeCode::ForeignSyntax, message).replace(span, text)))
}

/// Returns the comparison in Cypher for a pattern of `LIKE`.
fn comparison(pattern: &str, ignores_case: bool) -> String {
    let inner = pattern.trim_matches('%');
    let is_plain = !inner.contains(['%', '_', '\\']) && !inner.is_empty() && !ignores_case;
    if !is_plain {
        // `%` stands for line ends too, which `.` does not without the flag.
        let flags = if ignores_case { "(?is)" } else { "(?s)" };
        return format!("=~ {}", quoted(&format!("{flags}{}", regular_expression(pattern))));
    }
    let operator = match (pattern.starts_with('%'), pattern.ends_with('%')) {
        (true, true) => "CONTAINS",
        (true, false) => "ENDS WITH",
        (false, true) => "STARTS WITH",
        (false, false) => "=",
    };
    format!("{operator} {}", quoted(inner))
}

fn regular_expression(pattern: &str) -> String {
    let mut expression = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '%' => expression.push_str(".*"),
            '_' => expression.push('.'),
            '\\' => expression.extend(characters.next().map(|escaped| format!("\\{escaped}"))),
            _ if character.is_alphanumeric() || character.is_whitespace() => expression.push(character),
            _ => expression.extend(['\\', character]),
        }
    }
    expression
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Moves `NOT` before the condition: `n.name NOT IN ['a']` → `NOT n.name IN ['a']`.
pub(super) fn not_before_operator(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let operators = ["IN", "LIKE", "ILIKE", "CONTAINS", "STARTS", "ENDS", "BETWEEN", "EXISTS"];
    let is_operator = operators.iter().any(|operator| draft.is(at + 1, operator));
    if fault.code != Code::UnexpectedSyntax || !draft.is(at, "NOT") || !is_operator {
        return None;
    }
    let start = value_start(draft, at)?;
    let step = Step::new(ChangeCode::ForeignSyntax, "NOT stands before the whole condition")
        .insert(draft.start_of(start), "NOT ")
        .remove(Span::new(draft.start_of(at), draft.start_of(at + 1)));
    Some(Outcome::Step(step))
}

/// Replaces `BETWEEN`: `n.age BETWEEN 3 AND 5` → `3 <= n.age <= 5`.
pub(super) fn between(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    if fault.code != Code::UnexpectedSyntax || !draft.is(at, "BETWEEN") {
        return None;
    }
    let start = value_start(draft, at)?;
    let and = value_end(draft, at + 1);
    let end = value_end(draft, and + 1);
    if !draft.is(and, "AND") || and == at + 1 || end == and + 1 {
        return None;
    }
    let (low, value, high) =
        (draft.between(at + 1, and), draft.between(start, at), draft.between(and + 1, end));
    let span = Span::new(draft.start_of(start), draft.end_before(end));
    let step = Step::new(ChangeCode::ForeignSyntax, "a chain of comparisons in place of BETWEEN");
    Some(Outcome::Step(step.replace(span, format!("{low} <= {value} <= {high}"))))
}

/// Replaces `IS` before a value.
///
/// `n.name IS 'x'` → `n.name = 'x'`,
/// `n.name IS NOT 'x'` → `n.name <> 'x'`,
/// `n.flag IS TRUE` → `n.flag = TRUE`
pub(super) fn is_value_test(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    // The parser reads `IS TRUE` as a label, so the value before it is at fault.
    let label = draft.token_at(fault.span.end);
    let at = if draft.is(label, "IS") { label + 1 } else { draft.token_at(fault.span.start) };
    let negated = at > 0 && draft.is(at - 1, "NOT");
    let is = at.checked_sub(1 + usize::from(negated)).filter(|&is| draft.is(is, "IS"))?;
    let literal =
        matches!(draft.tokens.get(at)?.kind, TokenKind::String | TokenKind::Integer | TokenKind::Float);
    // `IS NOT TRUE` holds for null, but `<> TRUE` does not.
    let truth = !negated && (draft.is(at, "TRUE") || draft.is(at, "FALSE"));
    if !(literal || truth) {
        return None;
    }
    let operator = if negated { "<>" } else { "=" };
    let span = Span::new(draft.start_of(is), draft.end_before(at));
    let message = format!("`{operator}` compares values");
    Some(Outcome::Step(Step::new(ChangeCode::ForeignSyntax, message).replace(span, operator)))
}

/// Turns the signs of a comparison: `a => b` → `a >= b`, `a =< b` → `a <= b`.
pub(super) fn turned_comparison(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let before = at
        .checked_sub(1)
        .filter(|&before| draft.is(before, "=") && draft.end_of(before) == draft.start_of(at))?;
    let operator = match draft.token(at) {
        ">" => ">=",
        "<" => "<=",
        _ => return None,
    };
    let span = Span::new(draft.start_of(before), draft.end_of(at));
    let message = format!("`{operator}` compares values");
    Some(Outcome::Step(Step::new(ChangeCode::ForeignSyntax, message).replace(span, operator)))
}

/// Replaces `MATCHES`: `n.name MATCHES 'a.*'` → `n.name =~ 'a.*'`.
pub(super) fn matches(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let is_string = draft.tokens.get(at + 1).is_some_and(|token| token.kind == TokenKind::String);
    let step = Step::new(ChangeCode::ForeignSyntax, "`=~` compares with a regular expression");
    (fault.code == Code::UnexpectedSyntax && draft.is(at, "MATCHES") && is_string)
        .then(|| Outcome::Step(step.replace(draft.span_of(at), "=~")))
}

/// Replaces `||` between conditions: `a || b` → `a OR b`.
pub(super) fn bars_between_conditions(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::InvalidArgumentType {
        return None;
    }
    // The fault is at an operand, so the bars nearest to it are meant.
    let near = draft.token_at(fault.span.start);
    let bars: Vec<usize> = (0..draft.tokens.len()).filter(|&index| draft.is(index, "||")).collect();
    let bar = *bars.iter().min_by_key(|&&bar| bar.abs_diff(near))?;
    let step = Step::new(ChangeCode::ForeignSyntax, "OR between conditions");
    let spaced = draft.text.get(..draft.start_of(bar)).is_some_and(|before| before.ends_with(' '));
    Some(Outcome::Step(step.replace(draft.span_of(bar), if spaced { "OR" } else { " OR " })))
}

/// Orders the parts of a page.
///
/// `LIMIT 5 OFFSET 10` and `LIMIT 10, 5` → `SKIP 10 LIMIT 5`
///
/// An `ORDER BY` behind `LIMIT` moves before it.
pub(super) fn page_order(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let message = "ORDER BY, SKIP and LIMIT stand in this order";
    let step = Step::new(ChangeCode::ForeignSyntax, message);
    if draft.is(at, ",") {
        let limit = at.checked_sub(2).filter(|&limit| draft.is(limit, "LIMIT"))?;
        let (skip, count) = (draft.token(at - 1), draft.token(at + 1));
        let span = Span::new(draft.start_of(limit), draft.end_of(at + 1));
        return Some(Outcome::Step(step.replace(span, format!("SKIP {skip} LIMIT {count}"))));
    }
    let is_page =
        |index: usize| ["ORDER", "SKIP", "OFFSET", "LIMIT"].iter().position(|word| draft.is(index, word));
    is_page(at)?;
    // Finds the first part of the faulty page; each part begins with its keyword.
    let mut first = at;
    while let Some(before) = (0..first)
        .rev()
        .take_while(|&index| regions::clause_end(draft, index) != index || is_page(index).is_some())
        .find(|&index| is_page(index).is_some())
    {
        first = before;
    }
    let mut parts = Vec::new();
    let mut from = first;
    while let Some(rank) = is_page(from) {
        let end = regions::clause_end(draft, from + 1);
        parts.push((rank, draft.between(from, end).to_owned(), draft.span_of(from)));
        from = end;
    }
    let span = Span::new(draft.start_of(first), draft.end_of(from.checked_sub(1)?));
    // `OFFSET` is `SKIP` by another name.
    parts.sort_by_key(|(rank, ..)| if *rank == 2 { 1 } else { *rank });
    let text = parts.iter().map(|(rank, text, _)| {
        if *rank == 2 {
            format!("SKIP{}", text.get("OFFSET".len()..).unwrap_or_default())
        } else {
            text.clone()
        }
    });
    let text = text.collect::<Vec<_>>().join(" ");
    Some(Outcome::Step(step.replace(span, text)))
}

/// Moves the direction behind its key: `ORDER BY DESC n.age` → `ORDER BY n.age DESC`.
pub(super) fn direction_behind_key(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let at = if draft.is(at, "DESC") || draft.is(at, "ASC") { at } else { at.checked_sub(1)? };
    let is_direction = draft.is(at, "DESC") || draft.is(at, "ASC");
    let follows_by = at > 0 && (draft.is(at - 1, "BY") || draft.is(at - 1, ","));
    if fault.code != Code::UnexpectedSyntax || !is_direction || !follows_by {
        return None;
    }
    let end = value_end(draft, at + 1);
    let step = Step::new(ChangeCode::ForeignSyntax, "the direction stands behind the value")
        .remove(Span::new(draft.start_of(at), draft.start_of(at + 1)))
        .insert(draft.end_before(end), format!(" {}", draft.token(at)));
    Some(Outcome::Step(step))
}

/// The types of SQL and the functions that convert to them.
const CASTS: [(&[&str], &str); 5] = [
    (&["INT", "INTEGER", "BIGINT", "SMALLINT", "SIGNED", "UNSIGNED", "LONG"], "toInteger"),
    (&["FLOAT", "DOUBLE", "DECIMAL", "NUMERIC", "REAL"], "toFloat"),
    (&["STRING", "VARCHAR", "TEXT", "CHAR", "NVARCHAR"], "toString"),
    (&["BOOLEAN", "BOOL"], "toBoolean"),
    (&["DATE"], "date"),
];

/// Replaces `CAST`: `CAST(n.age AS INT)` → `toInteger(n.age)`.
pub(super) fn cast(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let open = draft.opening(at).filter(|&open| open > 0 && draft.is(open - 1, "CAST"))?;
    let close = draft.closing(open)?;
    if fault.code != Code::UnexpectedSyntax || !draft.is(at, "AS") {
        return None;
    }
    let wanted = draft.token(at + 1);
    let (_, function) =
        CASTS.iter().find(|(types, _)| types.iter().any(|known| known.eq_ignore_ascii_case(wanted)))?;
    let step = Step::new(ChangeCode::ForeignFunction, format!("{function}() in place of CAST"))
        .replace(draft.span_of(open - 1), *function)
        .remove(Span::new(draft.end_before(at), draft.start_of(close)));
    Some(Outcome::Step(step))
}
