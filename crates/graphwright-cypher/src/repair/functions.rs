//! Functions of other languages that have an equal in Cypher.

use graphwright_core::Span;

use super::{
    ChangeCode,
    draft::Draft,
    operators, places,
    step::{Outcome, Step},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::tree::{ExpressionKind, FunctionCall},
};

/// The replacement of a call: `$1` and `$2` stand for its arguments.
type Template = &'static str;

/// The functions by their names in lower case and the number of their arguments, with their
/// replacements.
const FUNCTIONS: [(&str, usize, Template); 57] = [
    ("startswith", 2, "$1 STARTS WITH $2"),
    ("starts_with", 2, "$1 STARTS WITH $2"),
    ("endswith", 2, "$1 ENDS WITH $2"),
    ("ends_with", 2, "$1 ENDS WITH $2"),
    ("contains", 2, "$1 CONTAINS $2"),
    ("includes", 2, "$1 CONTAINS $2"),
    ("isnull", 1, "$1 IS NULL"),
    ("is_null", 1, "$1 IS NULL"),
    ("isnotnull", 1, "$1 IS NOT NULL"),
    ("is_not_null", 1, "$1 IS NOT NULL"),
    ("len", 1, "size($1)"),
    ("now", 0, "datetime()"),
    ("current_timestamp", 0, "datetime()"),
    ("getdate", 0, "datetime()"),
    ("current_date", 0, "date()"),
    ("curdate", 0, "date()"),
    ("today", 0, "date()"),
    ("todate", 1, "date($1)"),
    ("to_date", 1, "date($1)"),
    ("todatetime", 1, "datetime($1)"),
    ("average", 1, "avg($1)"),
    ("mean", 1, "avg($1)"),
    ("median", 1, "percentileCont($1, 0.5)"),
    ("count_distinct", 1, "count(DISTINCT $1)"),
    ("collect_list", 1, "collect($1)"),
    ("array_agg", 1, "collect($1)"),
    ("collect_set", 1, "collect(DISTINCT $1)"),
    ("stddev", 1, "stDev($1)"),
    ("std", 1, "stDev($1)"),
    ("ucase", 1, "toUpper($1)"),
    ("lcase", 1, "toLower($1)"),
    ("touppercase", 1, "toUpper($1)"),
    ("tolowercase", 1, "toLower($1)"),
    ("toint", 1, "toInteger($1)"),
    ("int", 1, "toInteger($1)"),
    ("to_integer", 1, "toInteger($1)"),
    ("tonumber", 1, "toFloat($1)"),
    ("to_number", 1, "toFloat($1)"),
    ("to_float", 1, "toFloat($1)"),
    ("str", 1, "toString($1)"),
    ("to_string", 1, "toString($1)"),
    ("ifnull", 2, "coalesce($1, $2)"),
    ("nvl", 2, "coalesce($1, $2)"),
    ("year", 1, "date($1).year"),
    ("month", 1, "date($1).month"),
    ("day", 1, "date($1).day"),
    ("power", 2, "$1 ^ $2"),
    ("pow", 2, "$1 ^ $2"),
    ("mod", 2, "$1 % $2"),
    ("ln", 1, "log($1)"),
    ("concat", 2, "$1 + $2"),
    ("concat", 3, "$1 + $2 + $3"),
    ("concat", 4, "$1 + $2 + $3 + $4"),
    ("if", 3, "CASE WHEN $1 THEN $2 ELSE $3 END"),
    ("iif", 3, "CASE WHEN $1 THEN $2 ELSE $3 END"),
    ("matches", 2, "$1 =~ $2"),
    ("regex_match", 2, "$1 =~ $2"),
];

/// Replaces a function of another language, called as a function or as a method.
///
/// `startsWith(n.name, 'A')` or `n.name.startsWith('A')` → `n.name STARTS WITH 'A'`
pub(super) fn foreign_function(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::UnknownFunction {
        return None;
    }
    places::expression_at(&draft.tree, fault.span, |expression| {
        let ExpressionKind::Call(call) = &expression.kind else { return None };
        let (name, arguments) = name_and_arguments(draft, call)?;
        let known = template(&name, arguments.len());
        let inner = match known {
            Some(template) => filled(template, &arguments),
            // The function is Cypher's own, called as a method: `n.name.toLower()`.
            None if call.name.len() > 1 && crate::functions::is_function(&name) => {
                let distinct = if call.distinct { "DISTINCT " } else { "" };
                format!("{name}({distinct}{})", arguments.join(", "))
            }
            None => return None,
        };
        let message = format!("`{inner}` in place of {name}()");
        let text = if known.is_some_and(is_operation) { format!("({inner})") } else { inner };
        Some(Outcome::Step(Step::new(ChangeCode::ForeignFunction, message).replace(expression.span, text)))
    })
}

/// Replaces a method that is called on the result of a call.
///
/// `n.name.trim().toLower()` → `toLower(n.name.trim())`
pub(super) fn chained_method(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let open = draft.token_at(fault.span.start);
    let name = open.checked_sub(2).map(|dot| dot + 1).filter(|&name| draft.is_name(name))?;
    if fault.code != Code::UnexpectedSyntax || !draft.is(open, "(") || !draft.is(name - 1, ".") {
        return None;
    }
    let start = operators::postfix_start(draft, name - 1)?;
    let close = draft.closing(open)?;
    let mut arguments = vec![draft.between(start, name - 1).to_owned()];
    if close > open + 1 {
        let others = draft.split(open + 1, close, |at| draft.is(at, ","));
        arguments.extend(others.into_iter().map(|(from, to)| draft.between(from, to).to_owned()));
    }
    let name = draft.token(name);
    let known = template(name, arguments.len());
    let inner = match known {
        Some(template) => filled(template, &arguments),
        None if crate::functions::is_function(name) => format!("{name}({})", arguments.join(", ")),
        None => return None,
    };
    let message = format!("`{inner}` in place of a method");
    let text = if known.is_some_and(is_operation) { format!("({inner})") } else { inner };
    let span = Span::new(draft.start_of(start), draft.end_of(close));
    Some(Outcome::Step(Step::new(ChangeCode::ForeignFunction, message).replace(span, text)))
}

/// Returns the name of a function and its arguments as written. The first argument of a method is
/// the value before it.
fn name_and_arguments(draft: &Draft<'_>, call: &FunctionCall) -> Option<(String, Vec<String>)> {
    let (last, base) = call.name.split_last()?;
    let mut arguments = Vec::new();
    // `n.count(m)` counts `m`, so `n` is no argument.
    let is_aggregate =
        base.len() == 1 && crate::functions::is_aggregate(&last.text) && !call.arguments.is_empty();
    if let (Some(first), Some(end), false) = (base.first(), base.last(), is_aggregate) {
        arguments.push(draft.text.get(first.span.start..end.span.end)?.to_owned());
    }
    for argument in &call.arguments {
        arguments.push(draft.text.get(argument.span.range())?.to_owned());
    }
    Some((last.text.to_string(), arguments))
}

fn template(name: &str, arguments: usize) -> Option<Template> {
    let name = name.to_lowercase();
    FUNCTIONS
        .iter()
        .find(|(known, count, _)| *known == name && *count == arguments)
        .map(|(_, _, template)| *template)
}

fn filled(template: Template, arguments: &[String]) -> String {
    let is_call = template.contains('(') && !template.contains("CASE");
    let mut parts = template.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // A template has fewer than ten arguments, so a place is `$` and one digit.
        let place = part.chars().next().and_then(|digit| digit.to_digit(10)).unwrap_or(0) as usize;
        let Some(argument) = place.checked_sub(1).and_then(|index| arguments.get(index)) else { continue };
        // An argument of an operator needs brackets only if it may be an operation itself.
        let is_simple = is_call || !argument.contains(' ') || argument.ends_with([')', '\'', '"']);
        text += &if is_simple { argument.clone() } else { format!("({argument})") };
        text.push_str(&part[1..]);
    }
    text
}

/// Returns whether a template makes an operation, which needs brackets beside others.
fn is_operation(template: Template) -> bool {
    template.starts_with('$')
}

/// Replaces `length(list)` with `size(list)`.
pub(super) fn length_of_list(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::InvalidArgumentType {
        return None;
    }
    let open = draft.token_at(fault.span.start).checked_sub(1)?;
    let call = open.checked_sub(1).filter(|&call| draft.is(call, "length") && draft.is(open, "("))?;
    let step = Step::new(ChangeCode::ForeignFunction, "size() in place of length() for lists and strings");
    Some(Outcome::Step(step.replace(draft.span_of(call), "size")))
}

/// Replaces `CURRENT_DATE` and `CURRENT_TIMESTAMP` without brackets.
pub(super) fn current_time(_: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let name = fault.message.split('`').nth(1)?;
    if fault.code != Code::UndefinedVariable {
        return None;
    }
    let text = match name.to_ascii_uppercase().as_str() {
        "CURRENT_DATE" => "date()",
        "CURRENT_TIMESTAMP" => "datetime()",
        _ => return None,
    };
    let message = format!("`{text}` in place of {name}");
    Some(Outcome::Step(Step::new(ChangeCode::ForeignFunction, message).replace(fault.span, text)))
}
