use std::fmt::Write;

use proptest::prelude::*;

use super::*;

/// Lists messages, places and advice, one on a line.
fn faults(text: &str) -> String {
    let mut lines = format!("{text}\n");
    for found in parse(text).diagnostics {
        let (start, end) = (found.span.start, found.span.end);
        write!(lines, "  {start}..{end} {}: {}", found.code.as_str(), found.message).unwrap();
        if let Some(help) = found.help {
            write!(lines, " ({help})").unwrap();
        }
        if let Some(fix) = found.fix {
            write!(lines, " [{}..{} -> {}]", fix.span.start, fix.span.end, fix.text).unwrap();
        }
        lines.push('\n');
    }
    lines
}

#[test]
fn faults_say_what_was_expected_and_found() {
    let texts = [
        "",
        "METCH (n) RETRUN n ODER BY n.x LIMT 3",
        "MATCH (n:Person WHERE n.age > RETURN n MATCH (m RETURN m",
        "MATCH (n) WHERE n.a == 1 && n.b != 2 RETURN n",
        "SELECT n.name FROM Person n GROUP BY n.name",
        "MATCH (n) WHERE n.name LIKE 'A%' RETURN n",
        "MATCH (a)-[:R]>(b) RETURN a",
        "MATCH (a)(b) RETURN a",
        "RETURN [1, 2",
        "RETURN {a: 1, b}",
        "RETURN 'open",
        "CALL { MATCH (n RETURN n } RETURN 1 } RETURN 2",
        "MATCH (n) RETURN n.first name, n.x",
        "FOREACH (x IN [1] | RETURN x",
        "FOREACH (x IN [1] | ) RETURN 1",
        "RETURN 9223372036854775808, 1e400, 0x, 12ab, '\\uZZ'",
        "MATCH (n) RETURN \\u0041",
        "MERGE (n) ON CRATE SET n.x = 1",
        "CASE WHEN 1",
        "RETURN CASE WHEN a THEN b",
        "MATCH (n) SET n RETURN n",
        "MATCH ((a)-->(b)){3,1} RETURN a",
        "MATCH (n) WHERE n.x = NOT n.y RETURN n",
        "RETURN “quoted”",
        "WITH 1 AS x RETURN x IS INTEGR",
        "MATCH (n:A|:B)-[:A|:B]->()-[r:A|:B|:C]->()-[:A|:B*2]->()-[:A|:B {x: 1}]->() RETURN r",
    ];
    insta::assert_snapshot!(texts.map(faults).join("\n"));
}

#[test]
fn keywords_are_names_where_they_can_be() {
    for text in [
        "MATCH (order:Order)-[in:IN]->(end:End) WHERE order.limit > 1 AND end.where = in.set RETURN order, end ORDER BY order.by",
        "WITH 1 AS match, 2 AS return RETURN match + return AS call",
        "RETURN count, exists, all, any.x, none",
        "MATCH (n) RETURN n.match AS set, {return: 1, with: 2}.with AS `create`",
        "MATCH p = (start)-[*]-(end) RETURN start, end, nodes(p) AS case",
        "UNWIND [1] AS skip RETURN skip LIMIT 1",
        "MATCH (limit) SET limit.x = 1, limit:Set RETURN limit",
        "WITH [1] AS list RETURN [all IN list WHERE all > 0 | all]",
        "MATCH (call) CALL db.labels() YIELD label RETURN call, label",
    ] {
        assert_eq!(parse(text).diagnostics, [], "{text}");
    }
}

#[test]
fn what_is_nested_too_deeply_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{a: ", "}"),
        ("NOT ", ""),
        ("- ", ""),
        ("f(", ")"),
        ("CASE WHEN ", " THEN 1 END"),
        ("EXISTS { MATCH (n) WHERE ", " }"),
        ("[x IN ", "]"),
        ("1 + ", ""),
        ("1 ^ ", ""),
        ("1 = (", ")"),
    ] {
        let text = format!("RETURN {}1{}", open.repeat(50_000), close.repeat(50_000));
        let parsed = parse(&text);
        assert_eq!(parsed.diagnostics.first().map(|found| found.code), Some(Code::NestedTooDeeply), "{open}");
    }
    for text in [
        format!("RETURN a{}", ".b".repeat(50_000)),
        format!("RETURN a{}", "[0]".repeat(50_000)),
        format!("MATCH (n:{}A) RETURN n", "!".repeat(50_000)),
        format!("MATCH (n:{}A{}) RETURN n", "(".repeat(50_000), ")".repeat(50_000)),
        format!("MATCH {}(a){} RETURN 1", "(".repeat(50_000), ")".repeat(50_000)),
        format!("RETURN x :: INTEGER{}", " LIST".repeat(50_000)),
        format!("RETURN x :: {}INTEGER{}", "LIST<".repeat(50_000), ">".repeat(50_000)),
        format!("{}RETURN 1{}", "CALL { ".repeat(50_000), " }".repeat(50_000)),
        format!("{}CREATE (a){}", "FOREACH (x IN l | ".repeat(50_000), ")".repeat(50_000)),
    ] {
        let parsed = parse(&text);
        let codes: Vec<_> = parsed.diagnostics.iter().map(|found| found.code).collect();
        assert!(
            codes.contains(&Code::NestedTooDeeply),
            "{} {codes:?}",
            text.chars().take(30).collect::<String>()
        );
    }
    let long = vec!["n.name = 'x'"; 5_000].join(" OR ");
    assert_eq!(parse(&format!("MATCH (n) WHERE {long} RETURN n")).diagnostics, []);
}

#[test]
fn a_tree_remains_of_what_is_broken() {
    let parsed = parse("MATCH (n:Person WHERE n.age > 3 RETURN n; RETURN 1 AS x");
    assert_eq!(parsed.tree.statements.len(), 2);
    assert_eq!(parsed.diagnostics.len(), 1);
}

/// The pieces of queries from which random texts are made that come near to Cypher.
const PIECES: [&str; 64] = [
    "MATCH ",
    "RETURN ",
    "WITH ",
    "WHERE ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "n",
    "m",
    ":Label",
    "-[",
    "]->",
    "--",
    "->",
    "<-",
    ".",
    "..",
    "*",
    "1",
    "2.5",
    "'text'",
    "$p",
    "$(",
    "AND ",
    "OR ",
    "NOT ",
    "=",
    "<",
    ">",
    "+",
    "-",
    "|",
    "&",
    "!",
    "%",
    ",",
    ";",
    "CALL ",
    "EXISTS ",
    "COUNT ",
    "CASE ",
    "WHEN ",
    "THEN ",
    "END ",
    "UNION ",
    "FOREACH ",
    " IN ",
    "IS ",
    "NULL ",
    "::",
    "shortestPath(",
    "`q`",
    "'",
    "/*",
    "//",
    "\n",
    "\\u",
    "é",
    "ORDER BY ",
    "SET ",
    "all(",
];

proptest! {
    #[test]
    fn any_text_has_a_tree(text in any::<String>()) {
        parse(&text);
    }

    #[test]
    fn any_pieces_have_a_tree(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..60)) {
        let text = pieces.concat();
        let parsed = parse(&text);
        for found in &parsed.diagnostics {
            prop_assert!(text.get(found.span.range()).is_some(), "{:?} of {:?}", found.span, text);
        }
        if parsed.diagnostics.is_empty() {
            let printed = crate::syntax::print(&parsed.tree);
            let again = parse(&printed);
            prop_assert_eq!(&again.diagnostics, &[], "{} was {}", printed, text);
            prop_assert_eq!(crate::syntax::print(&again.tree), printed);
        }
    }
}

#[test]
fn a_bar_in_braces_stands_between_labels_whatever_is_around_them() {
    for text in [
        "RETURN reduce(n = null, n IN EXISTS { SET n:A|B } | n)",
        "RETURN [x IN COLLECT { MATCH (n) WHERE n:A|B RETURN n } | x]",
        "RETURN [x IN [] WHERE COUNT { (n:A|B) WHERE n:A|B } > 1 | x]",
    ] {
        assert_eq!(parse(text).diagnostics, [], "{text}");
    }
}

#[test]
fn the_last_bar_of_a_comprehension_ends_its_condition() {
    for (text, printed) in [
        ("RETURN [(n)-->(m) WHERE n:B|!A | m.v]", "RETURN [(n)-->(m) WHERE n:(B|!A) | m.v]"),
        ("RETURN [x IN l WHERE n:A|B&%|:(C|D)|x]", "RETURN [x IN l WHERE n:(A|B&%|(C|D)) | x]"),
        ("RETURN [x IN l WHERE n:A | m:B|C]", "RETURN [x IN l WHERE n:A | m:B|C]"),
        (
            "RETURN [x IN l WHERE n:A | CASE WHEN m:B|C THEN x END]",
            "RETURN [x IN l WHERE n:A | CASE WHEN m:B|C THEN x END]",
        ),
        (
            "RETURN reduce(a = 0, x IN CASE WHEN n:A|B THEN l END | a + x)",
            "RETURN reduce(a = 0, x IN CASE WHEN n:A|B THEN l END | a + x)",
        ),
    ] {
        let parsed = parse(text);
        assert_eq!(parsed.diagnostics, [], "{text}");
        assert_eq!(crate::syntax::print(&parsed.tree), printed);
    }
}

#[test]
fn a_literal_in_brackets_is_no_variable() {
    for text in
        ["RETURN [null IN [1], 2]", "RETURN [true IN $list, false IN $list]", "RETURN [`null` IN [1] | 2]"]
    {
        assert_eq!(parse(text).diagnostics, [], "{text}");
    }
}

#[test]
fn integers_have_64_bits_and_a_sign() {
    for text in ["9223372036854775807", "-9223372036854775808", "0x7FFFFFFFFFFFFFFF"] {
        assert_eq!(parse(&format!("RETURN {text}")).diagnostics, [], "{text}");
    }
    for text in ["9223372036854775808", "18446744073709551615", "-9223372036854775809", "0xFFFFFFFFFFFFFFFF"]
    {
        let found = parse(&format!("RETURN {text}")).diagnostics;
        assert_eq!(found.first().map(|found| found.code), Some(Code::IntegerOverflow), "{text}");
    }
}
