//! Patterns that are nearly right.

use graphwright_core::Span;

use super::{
    ChangeCode,
    draft::Draft,
    places, scope,
    step::{Outcome, Step},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    lexer::Keyword,
    syntax::tree::{ClauseKind, Expression, ExpressionKind, UnaryOperator},
};

/// Returns the token behind the pattern that begins with the bracket at token `open`. Returns
/// `None` if it is no path of two or more nodes.
fn pattern_end(draft: &Draft<'_>, open: usize) -> Option<usize> {
    let mut end = draft.closing(open)? + 1;
    let mut links = 0;
    loop {
        let mut at = end;
        let mut dashes = 0;
        while let Some(sign) = ["<", "-", ">", "["].iter().find(|sign| draft.is(at, sign)) {
            dashes += usize::from(*sign == "-");
            at = if *sign == "[" { draft.closing(at)? + 1 } else { at + 1 };
        }
        if dashes == 0 || !draft.is(at, "(") {
            return (links > 0).then_some(end);
        }
        end = draft.closing(at)? + 1;
        links += 1;
    }
}

/// Puts a pattern behind `EXISTS` in braces.
///
/// `WHERE EXISTS (a)-->(b)` → `WHERE EXISTS { (a)-->(b) }`
pub(super) fn exists_without_braces(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::UnexpectedSyntax {
        return None;
    }
    let at = draft.token_at(fault.span.start);
    let word = (0..at).rev().find(|&index| draft.is(index, "EXISTS") && draft.is(index + 1, "("))?;
    let end = pattern_end(draft, word + 1).filter(|&end| end > at)?;
    let step = Step::new(ChangeCode::ForeignSyntax, "EXISTS has its pattern in braces");
    Some(Outcome::Step(step.insert(draft.start_of(word + 1), "{ ").insert(draft.end_before(end), " }")))
}

/// Adds a dash: `(a)-(b)` → `(a)--(b)`.
pub(super) fn single_dash(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let is_single = draft.is(at, "(") && at > 1 && draft.is(at - 1, "-") && !draft.is(at - 2, "]");
    let step = Step::new(ChangeCode::ForeignSyntax, "a relationship without brackets has two dashes");
    (fault.code == Code::UnexpectedSyntax && is_single)
        .then(|| Outcome::Step(step.insert(draft.end_before(at), "-")))
}

/// Puts a node in brackets: `WHERE n.-[:KNOWS]->(m)` → `WHERE (n)-[:KNOWS]->(m)`.
pub(super) fn node_with_dot(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let dot = at.checked_sub(1).filter(|&dot| draft.is(dot, "."))?;
    let name = dot.checked_sub(1).filter(|&name| draft.is_name(name))?;
    let is_link = (draft.is(at, "-") || draft.is(at, "<")) && !draft.is(name.wrapping_sub(1), ".");
    let step = Step::new(ChangeCode::BracketAdded, "a node of a pattern stands in brackets");
    (fault.code == Code::UnexpectedSyntax && is_link)
        .then(|| Outcome::Step(step.insert(draft.start_of(name), "(").replace(draft.span_of(dot), ")")))
}

/// Turns a relationship type written as an operator into a pattern.
///
/// - `WHERE n HAS_PART m` → `WHERE (n)-[:HAS_PART]->(m)`
/// - `WHERE n HAS_PART (:Part)` → `WHERE (n)-[:HAS_PART]->(:Part)`
/// - `WHERE n HAS_PART AND …` → `WHERE (n)-[:HAS_PART]->() AND …`
pub(super) fn type_as_operator(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let at = if is_type(draft, at) { at } else { at + 1 };
    let name = at.checked_sub(1).filter(|&name| draft.is_name(name) && is_type(draft, at))?;
    let begins = ["WHERE", "MATCH", "AND", "OR", "XOR", "NOT", "("];
    let is_first = name.checked_sub(1).is_some_and(|before| begins.iter().any(|word| draft.is(before, word)));
    if fault.code != Code::UnexpectedSyntax || !is_first {
        return None;
    }
    let (end, target) = match at + 1 {
        next if draft.is(next, "(") => (at, String::new()),
        next if draft.is_name(next) && !is_word(draft, next) && !draft.is(next + 1, ".") => {
            (next, format!("({})", draft.token(next)))
        }
        next if draft.is_name(next) && !is_word(draft, next) => return None,
        _ => (at, "()".to_owned()),
    };
    let text = format!("({})-[:{}]->{target}", draft.token(name), draft.token(at));
    let span = Span::new(draft.start_of(name), draft.end_of(end));
    let step = Step::new(ChangeCode::ForeignSyntax, "a relationship stands in a pattern");
    Some(Outcome::Step(step.replace(span, text)))
}

/// Returns whether a token is written like a relationship type and unlike an operator: `HAS_PART`,
/// not `STARTS_WITH`.
fn is_type(draft: &Draft<'_>, at: usize) -> bool {
    let text = draft.token(at);
    draft.is_name(at)
        && text.contains('_')
        && text.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
        && !text.split('_').all(|part| Keyword::from_word(part).is_some())
}

fn is_word(draft: &Draft<'_>, at: usize) -> bool {
    draft.tokens.get(at).is_some_and(|token| token.keyword.is_some())
}

/// Adds the node at the end of a pattern: `(a)-[:KNOWS] RETURN a` → `(a)-[:KNOWS]-() RETURN a`.
pub(super) fn missing_node(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let is_clause = draft.tokens.get(at)?.keyword.is_some_and(|keyword| {
        keyword.begins_clause() || keyword == Keyword::Where || keyword == Keyword::Union
    });
    let follows = is_clause || draft.is(at, ",");
    let before = at.checked_sub(1)?;
    let text = match draft.token(before) {
        "]" => "-()",
        "-" => "()",
        ">" if draft.is(before.checked_sub(1)?, "-") => "()",
        _ => return None,
    };
    let step = Step::new(ChangeCode::BracketAdded, "the relationship ends at any node");
    (fault.code == Code::UnexpectedSyntax && follows)
        .then(|| Outcome::Step(step.insert(draft.end_of(before), text)))
}

/// Puts a node in brackets: `MATCH n RETURN n` → `MATCH (n) RETURN n`.
pub(super) fn node_without_brackets(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let at = draft.token_at(fault.span.start);
    let before = at.checked_sub(1)?;
    let is_node = draft.is_name(at) && (draft.is(before, "MATCH") || draft.is(before, ","));
    if fault.code != Code::UnexpectedSyntax || !fault.message.starts_with("expected a node") || !is_node {
        return None;
    }
    let labelled = draft.is(at + 1, ":") && draft.is_name(at + 2);
    let end = draft.end_of(if labelled { at + 2 } else { at });
    let step = Step::new(ChangeCode::BracketAdded, "a node stands in brackets");
    Some(Outcome::Step(step.insert(draft.start_of(at), "(").insert(end, ")")))
}

/// Renames the second relationship with one name, if the name is used nowhere else.
///
/// `(a)-[r]->(b), (c)-[r]->(d)` → `(a)-[r]->(b), (c)-[r_2]->(d)`
pub(super) fn repeated_relationship(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let name = draft.text.get(fault.span.range()).filter(|name| !name.is_empty())?;
    if fault.code != Code::RelationshipUniquenessViolation {
        return None;
    }
    let is_variable = |index: &usize| draft.is(index.wrapping_sub(1), "[");
    let uses: Vec<usize> = (0..draft.tokens.len()).filter(|&index| draft.is_use_of(index, name)).collect();
    if !uses.iter().all(is_variable) {
        return None;
    }
    let new = draft.fresh_name(&format!("{name}_2"));
    let message = format!("the second relationship called `{name}` is called `{new}`");
    Some(Outcome::Step(Step::new(ChangeCode::NameMended, message).replace(fault.span, new)))
}

/// Replaces the count of a pattern: `size((a)-->(b))` → `COUNT { (a)-->(b) }`.
pub(super) fn counted_pattern(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    let open = draft.token_at(fault.span.start);
    let call = open.checked_sub(2)?;
    let counts = draft.is(call, "size") || draft.is(call, "count") || draft.is(call, "length");
    if fault.code != Code::UnexpectedSyntax || !counts || !draft.is(call + 1, "(") {
        return None;
    }
    let end = pattern_end(draft, open).filter(|&end| draft.is(end, ")"))?;
    let span = Span::new(draft.start_of(call), draft.end_of(end));
    let step = Step::new(ChangeCode::ForeignSyntax, "COUNT counts the matches of a pattern");
    Some(Outcome::Step(step.replace(span, format!("COUNT {{ {} }}", draft.between(open, end)))))
}

/// Moves a pattern among the columns into a `MATCH`, if nothing is aggregated.
///
/// `WITH n, (n)-->(m) AS p` → `MATCH p = (n)-->(m) WITH n, p`
pub(super) fn pattern_among_columns(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    if fault.code != Code::UnexpectedSyntax || !draft.parses() {
        return None;
    }
    places::around(&draft.tree, fault.span, |query, index| {
        let clause = query.clauses.get(index)?;
        let projection = places::projection(&clause.kind)?;
        let item = projection.items.iter().find(|item| item.span.contains(fault.span))?;
        let aggregates = projection.items.iter().any(|item| places::aggregates(&item.expression));
        if aggregates || !matches!(item.expression.kind, ExpressionKind::Pattern(_)) {
            return None;
        }
        let name = match &item.alias {
            Some(alias) => alias.text.to_string(),
            None => draft.fresh_name("path"),
        };
        let pattern = draft.text.get(item.expression.span.range())?;
        let step =
            Step::new(ChangeCode::ConditionMoved, "the pattern among the columns stands in a MATCH before");
        let step = step.insert(clause.span.start, format!("MATCH {name} = {pattern} "));
        Some(Outcome::Step(step.replace(item.span, name)))
    })
}

/// Moves a pattern with new variables out of a condition, which cannot define variables.
///
/// `WHERE (n)-[r]->(m) AND m.x > 1` → `WHERE EXISTS { (n)-[r]->(m) WHERE m.x > 1 }`
///
/// If the variables are used elsewhere, the pattern moves to a `MATCH`.
pub(super) fn pattern_with_variables(draft: &Draft<'_>, fault: &Diagnostic) -> Option<Outcome> {
    scope::undefined(draft, fault)?;
    places::around(&draft.tree, fault.span, |query, index| {
        let clause = query.clauses.get(index)?;
        let condition =
            places::condition(&clause.kind).filter(|condition| condition.span.contains(fault.span))?;
        let operands = scope::operands(condition);
        let at = operands.iter().position(|operand| operand.span.contains(fault.span))?;
        let operand = operands.get(at)?;
        let pattern = negated(operand).unwrap_or(operand);
        if !matches!(&pattern.kind, ExpressionKind::Pattern(pattern) if pattern.shortest.is_none()) {
            return None;
        }
        let new: Vec<&str> = draft
            .faults
            .iter()
            .filter(|other| other.code == fault.code && pattern.span.contains(other.span))
            .filter_map(|other| draft.text.get(other.span.range()))
            .collect();
        let uses = |span: Span| {
            let from = draft.token_at(span.start);
            let to = draft.token_at(span.end);
            (from..to).any(|index| new.iter().any(|name| draft.is_use_of(index, name)))
        };
        let (inside, others): (Vec<&Expression>, Vec<&Expression>) =
            operands.iter().filter(|other| other.span != operand.span).partition(|other| uses(other.span));
        let outside =
            uses(Span::new(0, condition.span.start)) || uses(Span::new(condition.span.end, draft.text.len()));
        let text = draft.text.get(pattern.span.range())?;
        if !outside {
            let message = "a pattern with variables of its own stands in EXISTS { … }";
            let inner = if inside.is_empty() {
                String::new()
            } else {
                format!(" WHERE {}", scope::joined(draft, &inside))
            };
            let step = Step::new(ChangeCode::ForeignSyntax, message)
                .replace(pattern.span, format!("EXISTS {{ {text}{inner} }}"));
            return Some(Outcome::Step(
                inside
                    .iter()
                    .try_fold(step, |step, condition| Some(step.remove(with_and(draft, condition.span)?)))?,
            ));
        }
        if negated(operand).is_some() {
            return None;
        }
        let message = "a pattern whose variables are used stands in MATCH";
        let step = Step::new(ChangeCode::ConditionMoved, message);
        let rest: Vec<&Expression> =
            operands.iter().filter(|other| other.span != operand.span).copied().collect();
        drop(others);
        match &clause.kind {
            ClauseKind::Match(found) => {
                let step = scope::without_condition(step, draft, condition, &rest);
                Some(Outcome::Step(step.insert(found.patterns.last()?.span.end, format!(", {text}"))))
            }
            ClauseKind::With(_) => {
                let step = scope::without_condition(step, draft, condition, &[]);
                let inner = if rest.is_empty() {
                    String::new()
                } else {
                    format!(" WHERE {}", scope::joined(draft, &rest))
                };
                Some(Outcome::Step(step.insert(condition.span.end, format!(" MATCH {text}{inner}"))))
            }
            _ => None,
        }
    })
}

fn negated(expression: &Expression) -> Option<&Expression> {
    match &expression.kind {
        ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => Some(operand),
        _ => None,
    }
}

/// Returns the span of a condition with the `AND` before or behind it.
fn with_and(draft: &Draft<'_>, condition: Span) -> Option<Span> {
    let first = draft.token_at(condition.start);
    let behind = draft.token_at(condition.end);
    if first > 0 && draft.is(first - 1, "AND") {
        return Some(Span::new(draft.end_of(first - 2), condition.end));
    }
    draft.is(behind, "AND").then(|| Span::new(condition.start, draft.start_of(behind + 1)))
}
