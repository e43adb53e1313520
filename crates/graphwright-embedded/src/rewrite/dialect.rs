//! What the embedded engine reads otherwise than Cypher is written.

use crate::syntax::{
    level,
    tree::{BinaryOperator, Expression, ExpressionKind},
};

/// Who reads the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Anybody who reads Cypher.
    #[default]
    Cypher,
    /// kglite 0.21.5.
    Embedded,
}

/// Words that the engine reads as names only in back-ticks, in order.
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

impl Dialect {
    /// Whether a name needs back-ticks that Cypher reads without.
    pub(super) fn quotes(self, name: &str) -> bool {
        let is_keyword = || KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(name));
        self == Self::Embedded && (!name.is_ascii() || is_keyword())
    }

    /// How strongly an operand must hold together that Cypher reads without brackets: the engine's comparisons and tests do
    /// not follow each other.
    pub(super) fn left_operand(self, least: u8) -> u8 {
        if self == Self::Embedded && least == level::PREDICATE { level::ADD } else { least }
    }

    /// How strongly lists that are gone through, places in lists, and numbers of rows must hold together.
    pub(super) fn least_part(self) -> u8 {
        match self {
            Self::Cypher => 0,
            Self::Embedded => level::ADD,
        }
    }

    /// Whether the engine, after `IN`, would read no further than the list that an expression begins with, or takes that
    /// list after a minus for a relationship.
    pub(super) fn misreads_list(self, operator: BinaryOperator, expression: &Expression) -> bool {
        let mut first = expression;
        while let ExpressionKind::Index { base, .. }
        | ExpressionKind::Slice { base, .. }
        | ExpressionKind::Property { base, .. }
        | ExpressionKind::Binary { left: base, .. } = &first.kind
        {
            first = base;
        }
        let is_list = matches!(first.kind, ExpressionKind::List(_));
        let is_comprehension = matches!(
            first.kind,
            ExpressionKind::ListComprehension(_) | ExpressionKind::PatternComprehension(_)
        );
        let is_longer = !std::ptr::eq(first, expression);
        self == Self::Embedded
            && match operator {
                BinaryOperator::In => is_comprehension || is_list && is_longer,
                BinaryOperator::Subtract => is_comprehension || is_list,
                _ => false,
            }
    }

    /// What stands around types that are joined by `|`.
    pub(super) fn union_brackets(self) -> [&'static str; 2] {
        match self {
            Self::Cypher => ["ANY<", ">"],
            Self::Embedded => ["", ""],
        }
    }

    pub(super) fn infinity(self) -> &'static str {
        match self {
            Self::Cypher => "INF",
            Self::Embedded => "1e999",
        }
    }

    pub(super) fn not_a_number(self) -> &'static str {
        match self {
            Self::Cypher => "NaN",
            Self::Embedded => "(0.0 * 1e999)",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::{parse, print::print_for_embedded};

    /// What the engine gets for an expression.
    fn written(expression: &str) -> String {
        let parsed = parse(&format!("RETURN {expression}"));
        assert_eq!(parsed.diagnostics, [], "{expression}");
        print_for_embedded(&parsed.tree).0.split_off("RETURN ".len())
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
        let (printed, origins) = print_for_embedded(&parse(text).tree);
        for part in ["n:A", "n.x", "1"] {
            let place = printed.find(part).unwrap();
            let origin = origins.iter().rfind(|(start, _)| *start <= place).unwrap().1;
            assert_eq!(Some(origin), text.find(part));
        }
    }
}
