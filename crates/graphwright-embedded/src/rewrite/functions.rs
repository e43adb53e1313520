//! Rewrites functions that the engine lacks, names otherwise, or computes otherwise.

use graphwright_cypher::syntax::{
    tree::{BinaryOperator, CallForm, Expression, ExpressionKind, FunctionCall, Query},
    visit::{VisitMut, walk_expression_mut},
};

use super::{Context, RewriteError, make::renamed, moments, points, template::cypher, trims};

pub(super) fn run(query: &mut Query, context: &mut Context<'_>) {
    Functions { context, is_read: false }.visit_query(query);
}

struct Functions<'c, 't> {
    context: &'c mut Context<'t>,
    /// Whether the expression around the current one reads the end of a relationship itself.
    is_read: bool,
}

impl VisitMut for Functions<'_, '_> {
    fn visit_expression(&mut self, expression: &mut Expression) {
        let is_read = std::mem::replace(&mut self.is_read, reads_ends(expression));
        walk_expression_mut(self, expression);
        self.is_read = is_read;
        let ExpressionKind::Call(call) = &expression.kind else { return };
        let name = call.lower_name();
        if is_foreign(&name) {
            let written: Vec<_> = call.name.iter().map(|part| &*part.text).collect();
            let construct = format!("the function {}", written.join("."));
            let hint = "use a function of standard Cypher";
            return self.context.refuse(RewriteError::unsupported(construct, hint, expression.span));
        }
        let changed = match end_as_value(&name, call).filter(|_| !is_read) {
            Some(end) => Some(end),
            None => self.context.replacement(&name, call),
        };
        if let Some(changed) = changed
            && self.context.may_grow(&changed)
        {
            expression.kind = changed.kind;
        }
    }
}

/// Tells whether a function belongs to a library of Neo4j. Functions with a namespace do, except
/// the temporal and spatial ones.
fn is_foreign(name: &str) -> bool {
    const NAMESPACES: [&str; 8] =
        ["date", "datetime", "localdatetime", "time", "localtime", "duration", "point", "vector"];
    name.split_once('.').is_some_and(|(namespace, _)| !NAMESPACES.contains(&namespace))
}

impl Context<'_> {
    fn replacement(&mut self, name: &str, call: &FunctionCall) -> Option<Expression> {
        match call.arguments.as_slice() {
            [text, characters] if trims::is_one(name) => {
                Some(trims::replacement(name, text, characters, self))
            }
            arguments if points::is_one(name) => points::replacement(name, arguments, self),
            arguments if moments::is_one(name) => moments::replacement(name, call, arguments, self),
            _ => self.computed(name, call),
        }
    }

    fn computed(&mut self, name: &str, call: &FunctionCall) -> Option<Expression> {
        Some(match (name, call.arguments.as_slice()) {
            // The engine gives a float. Where no two values are mixed, Cypher gives the value
            // itself.
            ("percentilecont", [value, share]) => cypher!(
                "head([_gw_f IN [$found] | CASE WHEN $share * ($count - 1) = toInteger($share * ($count - 1)) \
             THEN coalesce(head([_gw_v IN collect($value) WHERE _gw_v = _gw_f]), _gw_f) ELSE _gw_f END])",
                found = renamed(call, "percentile_cont"),
                share = share,
                count = aggregated(call, "count", value),
                value = value,
            ),
            // The engine gives a float, but Cypher gives the value itself.
            ("percentiledisc", [value, _]) => cypher!(
                "head([_gw_v IN collect($value) WHERE _gw_v = $found])",
                value = value,
                found = renamed(call, "percentile_disc"),
            ),
            // The engine gives null for one value or none.
            ("stdev", [_]) => cypher!("coalesce($deviation, 0.0)", deviation = renamed(call, "stDev")),
            ("stdevp", [_]) => cypher!(
                "CASE WHEN $count < 2 THEN 0.0 ELSE $deviation * sqrt(($count - 1.0) / $count) END",
                count = renamed(call, "count"),
                deviation = renamed(call, "stDev"),
            ),
            ("timestamp", []) => cypher!("datetime().epochMillis"),
            ("e", []) => cypher!("exp(1)"),
            ("lower", [_]) => renamed(call, "toLower"),
            ("upper", [_]) => renamed(call, "toUpper"),
            ("isnan", [value]) => cypher!("toString($value) = 'NaN'", value = value),
            ("isempty", [value]) => cypher!("size($value) = 0", value = value),
            ("nullif", [left, right]) => {
                cypher!("CASE WHEN $left = $right THEN null ELSE $left END", left = left, right = right)
            }
            ("char_length" | "character_length", [_]) => renamed(call, "size"),
            ("vector.similarity.cosine", [left, right]) => {
                self.bind([left.clone(), right.clone()], |[left, right]| {
                    cypher!(
                        "(1.0 + $dot / (sqrt($left) * sqrt($right))) / 2.0",
                        dot = product(left, right),
                        left = product(left, left),
                        right = product(right, right),
                    )
                })
            }
            ("vector.similarity.euclidean", [left, right]) => {
                self.bind([left.clone(), right.clone()], |[left, right]| {
                    cypher!(
                        "1.0 / (1.0 + reduce(_gw_s = 0.0, _gw_i IN range(0, size($left) - 1) | \
                     _gw_s + ($left[_gw_i] - $right[_gw_i]) * ($left[_gw_i] - $right[_gw_i])))",
                        left = left,
                        right = right,
                    )
                })
            }
            // The engine counts days alone. Cypher counts months, then days, then seconds.
            ("duration.between", [from, to]) => cypher!(
                "$months + duration.inDays($from + $months, $to) \
             + duration.inSeconds($from + $months + duration.inDays($from + $months, $to), $to)",
                months = months(from, to),
                from = from,
                to = to,
            ),
            ("duration.inmonths", [from, to]) => months(from, to),
            _ => return None,
        })
    }
}

/// Calls another aggregate over these rows.
fn aggregated(call: &FunctionCall, name: &str, value: &Expression) -> Expression {
    let call = FunctionCall { arguments: vec![value.clone()], ..call.clone() };
    renamed(&call, name)
}

/// Counts the whole months between two moments. If the last day is not whole yet, Neo4j counts to
/// the day before it. The engine counts whole months by day of the month and time of day.
fn months(from: &Expression, to: &Expression) -> Expression {
    cypher!("duration.inMonths(date($from), date($from) + duration.inDays($from, $to))", from = from, to = to)
}

/// Sums the products of the components of two vectors.
fn product(left: &Expression, right: &Expression) -> Expression {
    cypher!(
        "reduce(_gw_s = 0.0, _gw_i IN range(0, size($left) - 1) | _gw_s + $left[_gw_i] * $right[_gw_i])",
        left = left,
        right = right,
    )
}

/// Rewrites `startNode(r)` as a value. The engine would give the node's name in its place, but
/// gives the whole node in a comprehension.
fn end_as_value(name: &str, call: &FunctionCall) -> Option<Expression> {
    let [relationship] = call.arguments.as_slice() else { return None };
    let ExpressionKind::Variable(variable) = &relationship.kind else { return None };
    let ends = match name {
        "startnode" => cypher!("[(_gw_e)-[relationship]->() | _gw_e]", relationship = variable),
        "endnode" => cypher!("[()-[relationship]->(_gw_e) | _gw_e]", relationship = variable),
        _ => return None,
    };
    Some(cypher!(
        "CASE WHEN $relationship IS NULL THEN null ELSE $ends[0] END",
        relationship = relationship,
        ends = ends,
    ))
}

/// Tells whether an expression itself reads the end of a relationship that stands directly in it.
fn reads_ends(expression: &Expression) -> bool {
    const READERS: [&str; 6] = ["labels", "id", "elementid", "properties", "keys", "count"];
    match &expression.kind {
        ExpressionKind::Property { .. }
        | ExpressionKind::Labels { .. }
        | ExpressionKind::Index { .. }
        | ExpressionKind::Slice { .. }
        | ExpressionKind::Comparison { .. }
        | ExpressionKind::Binary { operator: BinaryOperator::In, .. } => true,
        ExpressionKind::Call(call) => {
            call.form == CallForm::Plain && READERS.contains(&call.lower_name().as_str())
        }
        _ => false,
    }
}
