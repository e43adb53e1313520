//! Describes where the engine reads a text otherwise than Cypher is usually written.

use graphwright_cypher::syntax::{
    print::{Dialect, Place},
    tree::{BinaryOperator, Expression, ExpressionKind, Test, UnaryOperator},
};

/// The dialect of kglite 0.21.5.
pub(super) struct Engine;

/// Words that the engine reads as names only in back-ticks, in alphabetical order.
const KEYWORDS: [&str; 54] = [
    "ALL",
    "AND",
    "AS",
    "ASC",
    "ASCENDING",
    "BY",
    "CALL",
    "CASE",
    "CONTAINS",
    "CREATE",
    "DELETE",
    "DESC",
    "DESCENDING",
    "DETACH",
    "DISTINCT",
    "ELSE",
    "END",
    "ENDS",
    "EXCEPT",
    "EXISTS",
    "EXPLAIN",
    "FALSE",
    "FOREACH",
    "HAVING",
    "IN",
    "INTERSECT",
    "IS",
    "LIMIT",
    "MATCH",
    "MERGE",
    "NOT",
    "NULL",
    "NULLS",
    "ON",
    "OPTIONAL",
    "OR",
    "ORDER",
    "OVER",
    "PARTITION",
    "PROFILE",
    "REMOVE",
    "RETURN",
    "SET",
    "SKIP",
    "STARTS",
    "THEN",
    "TRUE",
    "UNION",
    "UNWIND",
    "WHEN",
    "WHERE",
    "WITH",
    "XOR",
    "YIELD",
];

impl Dialect for Engine {
    fn quotes(&self, name: &str) -> bool {
        !name.is_ascii() || KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(name))
    }

    fn brackets(&self, place: Place, expression: &Expression) -> bool {
        match place {
            // Comparisons and tests cannot follow each other, and are not read at all as parts.
            Place::Compared | Place::Tested | Place::Part => is_condition(expression),
            Place::Left(operator) if is_predicate(operator) => is_condition(expression),
            Place::Right(operator) if is_misread_behind(operator, expression) => true,
            Place::Left(_) | Place::Right(_) | Place::Behind(UnaryOperator::Minus | UnaryOperator::Plus) => {
                is_label_test(expression)
            }
            // The bar would be taken for a part of the type.
            Place::BeforeBar => matches!(expression.kind, ExpressionKind::Test { test: Test::Type(_), .. }),
            _ => false,
        }
    }

    /// Adds `0 + `, since `(COUNT {` would be taken for a node with properties.
    fn behind_opening(&self, expression: &Expression) -> &'static str {
        if matches!(expression.kind, ExpressionKind::Subquery(_)) { "0 + " } else { "" }
    }

    /// Adds ` AND true`, since the name and its label would be taken for a node.
    fn before_closing(&self, expression: &Expression) -> &'static str {
        if is_label_test(expression) { " AND true" } else { "" }
    }

    fn escape(&self, _: char) -> Option<&'static str> {
        None
    }

    fn infinity(&self) -> &'static str {
        "1e999"
    }

    fn not_a_number(&self) -> &'static str {
        "(0.0 * 1e999)"
    }

    fn around_types(&self) -> [&'static str; 2] {
        ["", ""]
    }
}

fn is_label_test(expression: &Expression) -> bool {
    matches!(expression.kind, ExpressionKind::Labels { .. })
}

/// Tells whether an operator gives a truth value.
fn is_predicate(operator: BinaryOperator) -> bool {
    use BinaryOperator::{Contains, EndsWith, In, Matches, StartsWith};
    matches!(operator, In | StartsWith | EndsWith | Contains | Matches)
}

/// Tells whether an expression binds less tightly than a sum.
fn is_condition(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Logical { .. }
        | ExpressionKind::Unary { operator: UnaryOperator::Not, .. }
        | ExpressionKind::Comparison { .. }
        | ExpressionKind::Test { .. }
        | ExpressionKind::Labels { .. } => true,
        ExpressionKind::Pattern(pattern) => pattern.shortest.is_none(),
        ExpressionKind::Binary { operator, .. } => is_predicate(*operator),
        _ => false,
    }
}

/// Tells whether the engine misreads an expression behind `IN` or a minus. After `IN`, it reads no
/// further than a list at the start of the expression. After a minus, it takes that list for a
/// relationship.
fn is_misread_behind(operator: BinaryOperator, expression: &Expression) -> bool {
    let mut first = expression;
    while let ExpressionKind::Index { base, .. }
    | ExpressionKind::Slice { base, .. }
    | ExpressionKind::Property { base, .. }
    | ExpressionKind::Binary { left: base, .. } = &first.kind
    {
        first = base;
    }
    let is_list = matches!(first.kind, ExpressionKind::List(_));
    let is_comprehension =
        matches!(first.kind, ExpressionKind::ListComprehension(_) | ExpressionKind::PatternComprehension(_));
    let is_longer = !std::ptr::eq(first, expression);
    match operator {
        BinaryOperator::In => is_comprehension || is_list && is_longer,
        BinaryOperator::Subtract => is_comprehension || is_list,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use graphwright_cypher::syntax::{parse, print::print_with};

    use super::Engine;

    /// Returns the text that the engine gets for an expression.
    fn written(expression: &str) -> String {
        let parsed = parse(&format!("RETURN {expression}"));
        assert_eq!(parsed.diagnostics, [], "{expression}");
        print_with(&parsed.tree, &Engine).0.split_off("RETURN ".len())
    }

    #[test]
    fn what_the_engine_reads_otherwise_is_in_brackets() {
        let cases = [
            ("a IS NULL = b", "(a IS NULL) = b"),
            ("a IN b = c", "(a IN b) = c"),
            ("a STARTS WITH b IS NULL", "(a STARTS WITH b) IS NULL"),
            ("a IN [x IN b | x]", "a IN ([x IN b | x])"),
            ("a IN [b][0]", "a IN ([b][0])"),
            ("a IN [b]", "a IN [b]"),
            ("a - [b][0]", "a - ([b][0])"),
            ("[x IN (a OR b) | x]", "[x IN (a OR b) | x]"),
            ("[x IN a WHERE x IS :: STRING | x]", "[x IN a WHERE (x IS :: STRING) | x]"),
            ("(n:A) = true", "(n:A AND true) = true"),
            ("NOT (n:A)", "NOT n:A"),
            ("1 - (COUNT { (a)-->() } + 2)", "1 - (0 + COUNT { (a)-->() } + 2)"),
        ];
        for (expression, expected) in cases {
            assert_eq!(written(expression), expected);
        }
    }

    #[test]
    fn names_and_values_are_as_the_engine_writes_them() {
        let cases = [
            ("n.order", "n.`order`"),
            ("größe", "`größe`"),
            ("[INF, NaN]", "[1e999, (0.0 * 1e999)]"),
            ("a IS :: ANY<INTEGER | FLOAT>", "a IS :: INTEGER | FLOAT"),
            ("'a\\nb\\u00e9\\'c'", "'a\nbé\\'c'"),
        ];
        for (expression, expected) in cases {
            assert_eq!(written(expression), expected);
        }
    }

    #[test]
    fn parts_of_the_text_tell_where_they_stood() {
        let text = "MATCH  (n:A)   RETURN   n.x + 1";
        let (printed, origins) = print_with(&parse(text).tree, &Engine);
        for part in ["n:A", "n.x", "1"] {
            let place = printed.find(part).unwrap();
            assert_eq!(Some(origins.of(place)), text.find(part));
        }
    }
}
