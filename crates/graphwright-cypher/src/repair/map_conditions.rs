//! Conditions in the braces of a pattern, where only `key: value` can stand.

use graphwright_core::Span;

use super::{
    ChangeCode,
    draft::Draft,
    step::{Outcome, Step},
};
use crate::diagnostic::{Code, Diagnostic};

/// The operators between a property and its value in such a condition.
const OPERATORS: [&str; 15] =
    [">", "<", ">=", "<=", "<>", "!=", "=", "=~", "CONTAINS", "STARTS", "ENDS", "IN", "IS", "LIKE", "NOT"];

/// Moves conditions out of braces.
///
/// `(b:Book {lang: 'en', year > 1990})` → `(b:Book {lang: 'en'} WHERE b.year > 1990)`
pub(super) fn condition_of_map(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::UnexpectedSyntax {
        return None;
    }
    let braces = Braces::around(draft, draft.token_at(fault.span.start))?;
    let new_variable = if braces.variable.is_none() { Some(draft.fresh_name("found")) } else { None };
    let variable =
        braces.variable.map_or_else(|| new_variable.clone(), |at| Some(draft.token(at).to_owned()))?;
    let mut kept = Vec::new();
    let mut conditions = Vec::new();
    for (from, to) in braces.entries(draft) {
        match entry(draft, from, to, &variable)? {
            Entry::Value(text) => kept.push(text),
            Entry::Condition(text) => conditions.push(text),
        }
    }
    let mut text = String::new();
    if !kept.is_empty() {
        text = format!("{{{}}}", kept.join(", "));
    }
    if !conditions.is_empty() {
        let space = if kept.is_empty() { "" } else { " " };
        text = format!("{text}{space}WHERE {}", conditions.join(" AND "));
    }
    let message = format!("the condition on `{variable}` stands behind WHERE: braces hold only `key: value`");
    let span = Span::new(draft.start_of(braces.open), draft.end_of(braces.close));
    let mut step = Step::new(ChangeCode::ConditionMoved, message).replace(span, text);
    if let Some(name) = new_variable {
        step = step.insert(draft.end_of(braces.element), name);
    }
    Some(Outcome::Step(step))
}

/// The braces of a node or relationship, by the indexes of their tokens.
struct Braces {
    /// The opening bracket of the node or relationship.
    element: usize,
    variable: Option<usize>,
    open: usize,
    close: usize,
}

impl Braces {
    fn around(draft: &Draft<'_>, at: usize) -> Option<Self> {
        let mut open = draft.opening(at)?;
        while draft.token(open) != "{" {
            open = draft.opening(open)?;
        }
        let close = draft.closing(open)?;
        let element = draft.opening(open)?;
        if !matches!((draft.token(element), draft.token(close + 1)), ("(", ")") | ("[", "]")) {
            return None;
        }
        // Only a name and labels stand between the bracket and the braces.
        let is_head = (element + 1..open).all(|index| {
            draft.is_name(index) || [":", "|", "&", "!"].iter().any(|symbol| draft.is(index, symbol))
        });
        let variable = (element + 1 < open && draft.is_name(element + 1)).then_some(element + 1);
        is_head.then_some(Self { element, variable, open, close })
    }

    /// Returns the entries between commas.
    fn entries(&self, draft: &Draft<'_>) -> Vec<(usize, usize)> {
        draft.split(self.open + 1, self.close, |at| draft.is(at, ","))
    }
}

enum Entry {
    Value(String),
    Condition(String),
}

/// Reads an entry: a property and its value, or conditions joined by `AND` or `OR`.
fn entry(draft: &Draft<'_>, from: usize, to: usize, variable: &str) -> Option<Entry> {
    let parts = split_conditions(draft, from, to);
    if let [(None, first, last)] = parts.as_slice()
        && let Some((key, value)) = value_of(draft, *first, *last)
    {
        return Some(Entry::Value(format!("{key}: {value}")));
    }
    let mut text = String::new();
    for (joined_by, first, last) in &parts {
        if let Some(joined_by) = joined_by {
            text = format!("{text} {} ", draft.token(*joined_by).to_ascii_uppercase());
        }
        text.push_str(&condition(draft, *first, *last, variable)?);
    }
    let has_or = parts.iter().any(|(joined_by, ..)| joined_by.is_some_and(|index| draft.is(index, "OR")));
    Some(Entry::Condition(if has_or { format!("({text})") } else { text }))
}

/// Returns the parts between `AND` and `OR` outside of brackets, each with the word before it.
fn split_conditions(draft: &Draft<'_>, from: usize, to: usize) -> Vec<(Option<usize>, usize, usize)> {
    let parts = draft.split(from, to, |at| draft.is(at, "AND") || draft.is(at, "OR")).into_iter();
    parts.map(|(first, end)| ((first > from).then(|| first - 1), first, end)).collect()
}

/// Returns the key and value of `key: value`, `key = value` or `variable.key = value`.
fn value_of<'d>(draft: &'d Draft<'_>, from: usize, to: usize) -> Option<(&'d str, &'d str)> {
    let key = key_of(draft, from)?;
    let sign = key + 1;
    let value = sign + 1;
    let is_value = (draft.is(sign, ":") || draft.is(sign, "="))
        && value < to
        && !OPERATORS.iter().any(|operator| draft.is(value, operator));
    is_value.then(|| (draft.token(key), draft.between(value, to)))
}

/// Returns the key at the beginning of an entry, behind the variable if that is written too.
fn key_of(draft: &Draft<'_>, from: usize) -> Option<usize> {
    let key = if draft.is(from + 1, ".") { from + 2 } else { from };
    draft.is_name(key).then_some(key)
}

fn condition(draft: &Draft<'_>, from: usize, to: usize, variable: &str) -> Option<String> {
    let negated = draft.is(from, "NOT");
    let from = from + usize::from(negated);
    let key = key_of(draft, from).filter(|key| *key < to)?;
    let behind = key + 1;
    let has_colon = draft.is(behind, ":");
    let operator = behind + usize::from(has_colon);
    let is_operator = OPERATORS.iter().any(|known| draft.is(operator, known));
    let sign = if has_colon && !is_operator { "= " } else { "" };
    if operator >= to || (!is_operator && !has_colon) || (is_operator && operator + 1 >= to) {
        return None;
    }
    let not = if negated { "NOT " } else { "" };
    Some(format!("{not}{variable}.{} {sign}{}", draft.token(key), draft.between(operator, to)))
}
