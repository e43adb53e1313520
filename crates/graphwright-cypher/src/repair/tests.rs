use super::*;

/// Returns the result of a repair as readable text.
fn mended(text: &str) -> String {
    let repaired = Repair::default().repair(text);
    match (&repaired.refused, repaired.diagnostics.first()) {
        (Some(reason), _) => format!("refused {:?}: {}", reason.code, reason.message),
        (None, Some(fault)) if !repaired.is_clean() => format!("{} | {}", repaired.text, fault.message),
        _ => repaired.text,
    }
}

#[track_caller]
fn becomes(cases: &[(&str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|(text, expected)| (mended(text), *expected))
        .filter(|(found, expected)| found != expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Runs the examples of `docs/repair.md`: texts, each with its result behind an arrow.
#[test]
fn documented_examples_are_true() {
    let document = include_str!("../../../../docs/repair.md");
    let mut in_examples = false;
    let mut text = String::new();
    let mut examples = 0;
    for line in document.lines() {
        if line.starts_with("~~~") {
            in_examples = line == "~~~text";
            text.clear();
        } else if let Some(expected) = line.strip_prefix("→ ").filter(|_| in_examples) {
            let repaired = Repair::default().repair(text.trim());
            let found = match repaired.refused {
                Some(reason) => {
                    format!("refused: {}", serde_json::to_value(reason.code).unwrap().as_str().unwrap())
                }
                None => repaired.text,
            };
            assert_eq!(found, expected, "{text}");
            text.clear();
            examples += 1;
        } else if in_examples {
            text.push_str(line);
            text.push('\n');
        }
    }
    assert!(examples > 40, "{examples}");
}

#[test]
fn text_around_the_query_goes() {
    let query = "MATCH (n:Person) RETURN n.name";
    for text in [
        "```cypher\nMATCH (n:Person) RETURN n.name\n```",
        "```\nMATCH (n:Person) RETURN n.name",
        "Here's the query:\n\n```cypher\nMATCH (n:Person) RETURN n.name\n```\nIt's what you want.",
        "Here is the query: MATCH (n:Person) RETURN n.name",
        "<think>Match them all. MATCH (x) RETURN x</think>\nMATCH (n:Person) RETURN n.name",
        r#"{"query": "MATCH (n:Person) RETURN n.name"}"#,
        r#"```json
{"arguments": {"cypher": "MATCH (n:Person) RETURN n.name"}, "note": "all"}
```"#,
        "MATCH (n:Person) RETURN n.name\n\nThis query returns all the names, doesn't it?",
        "`MATCH (n:Person) RETURN n.name`",
        "```bash\nls\n```\nthen\n```\nMATCH (n:Person) RETURN n.name\n```",
    ] {
        let repaired = Repair::default().repair(text);
        assert_eq!(repaired.text, query, "{text}");
        assert_eq!(repaired.changes.iter().filter(|change| change.code != ChangeCode::Extracted).count(), 0);
    }
}

#[test]
fn characters_become_plain() {
    becomes(&[
        ("MATCH (n) WHERE n.age &gt; 3 RETURN n", "MATCH (n) WHERE n.age > 3 RETURN n"),
        ("MATCH (n {name: “Tom’s \"inn\"”}) RETURN n", r#"MATCH (n {name: "Tom’s \"inn\""}) RETURN n"#),
        ("MATCH (n)–[:KNOWS]→(m) RETURN m", "MATCH (n)-[:KNOWS]->(m) RETURN m"),
        (r"MATCH (n)\nRETURN n", "MATCH (n)\nRETURN n"),
        ("MATCH (n)-[r:A|:B*]->(m) RETURN r", "MATCH (n)-[r:A|B*]->(m) RETURN r"),
        ("MATCH (n) WHERE n.a = 'x &gt; “y” –' RETURN n", "MATCH (n) WHERE n.a = 'x &gt; “y” –' RETURN n"),
    ]);
}

#[test]
fn a_call_with_too_many_arguments_keeps_them() {
    let query = "MATCH (n) WHERE exists('A', n) RETURN n";
    assert_eq!(Repair::default().repair(query).text, query);
    becomes(&[
        ("MATCH (n) WHERE exists(n) RETURN n", "MATCH (n) WHERE n IS NOT NULL RETURN n"),
        ("MATCH (n) RETURN nvl(n.a, '$1 or $2')", "MATCH (n) RETURN coalesce(n.a, '$1 or $2')"),
        ("MATCH (n) RETURN nvl('costs $2', n.a)", "MATCH (n) RETURN coalesce('costs $2', n.a)"),
    ]);
}

#[test]
fn conditions_leave_the_braces() {
    becomes(&[
        ("MATCH (n:Card {limit > 5}) RETURN n", "MATCH (n:Card WHERE n.limit > 5) RETURN n"),
        (
            "MATCH (:Card {a: 1, limit: >= 5})-->(m) RETURN m",
            "MATCH (found:Card {a: 1} WHERE found.limit >= 5)-->(m) RETURN m",
        ),
        (
            "MATCH (n {name CONTAINS 'x' OR name = 'y'}) RETURN n",
            "MATCH (n WHERE (n.name CONTAINS 'x' OR n.name = 'y')) RETURN n",
        ),
        (
            "MATCH (n)-[r:IN {year IS NOT NULL}]->(m) RETURN m",
            "MATCH (n)-[r:IN WHERE r.year IS NOT NULL]->(m) RETURN m",
        ),
    ]);
}

#[test]
fn values_that_are_missing_are_not_guessed() {
    for text in ["MATCH (n {balance: {balance}}) RETURN n", "MATCH (n {balance: ?}) RETURN n"] {
        let repaired = Repair::default().repair(text);
        assert_eq!(repaired.refused.unwrap().code, ReasonCode::MissingValue, "{text}");
        assert_eq!(repaired.text, text);
    }
}

#[test]
fn variables_are_carried() {
    becomes(&[
        (
            "MATCH (n)-->(m) WITH DISTINCT n RETURN n.name, m.name",
            "MATCH (n)-->(m) WITH DISTINCT n, m RETURN n.name, m.name",
        ),
        (
            "MATCH (n)-->(m) WITH DISTINCT n WHERE m.a > 1 RETURN n.name",
            "MATCH (n)-->(m) WHERE m.a > 1 WITH DISTINCT n RETURN n.name",
        ),
        (
            "MATCH (n)-->(m) WHERE n.a = 1 OR n.b = 2 WITH n, count(*) AS num WHERE num > 1 AND m.a > 1 RETURN n.name",
            "MATCH (n)-->(m) WHERE (n.a = 1 OR n.b = 2) AND m.a > 1 WITH n, count(*) AS num WHERE num > 1 RETURN n.name",
        ),
        (
            "OPTIONAL MATCH (n)-->(m) WITH DISTINCT n WHERE m.a > 1 RETURN n",
            "OPTIONAL MATCH (n)-->(m) WITH * WHERE m.a > 1 WITH DISTINCT n RETURN n",
        ),
    ]);
}

#[test]
fn columns_get_names() {
    becomes(&[
        (
            "MATCH (n)-->(m) WITH n, count(m) RETURN n.name, count(m)",
            "MATCH (n)-->(m) WITH n, count(m) AS count_m RETURN n.name, count_m",
        ),
        ("MATCH (n) RETURN n.name, n.name", "MATCH (n) RETURN n.name, n.name AS name"),
        (
            "MATCH (n:A) RETURN n.name UNION MATCH (m:B) RETURN m.title",
            "MATCH (n:A) RETURN n.name AS name UNION MATCH (m:B) RETURN m.title AS name",
        ),
        ("MATCH (n) WITH n, n RETURN n.name", "MATCH (n) WITH n RETURN n.name"),
    ]);
}

#[test]
fn conditions_find_their_clause() {
    becomes(&[
        ("MATCH (n) RETURN n.name WHERE n.age > 3", "MATCH (n) WHERE n.age > 3 RETURN n.name"),
        (
            "MATCH (n)-->(m) RETURN n.name, count(m) AS num WHERE num > 1 LIMIT 5",
            "MATCH (n)-->(m) WITH n.name AS name, count(m) AS num WHERE num > 1 RETURN name, num LIMIT 5",
        ),
        (
            "MATCH (n)-->(m) RETURN n.name HAVING count(m) > 1",
            "MATCH (n)-->(m) WITH n.name AS name, count(m) AS count_m WHERE count_m > 1 RETURN name",
        ),
        (
            "MATCH (n)-->(m) WITH DISTINCT n WHERE count(m) > 1 RETURN n.name",
            "MATCH (n)-->(m) WITH DISTINCT n, count(m) AS count_m WHERE count_m > 1 RETURN n.name",
        ),
        (
            "MATCH (n)-->(m) WHERE n.a = 1 AND count(m) > 1 RETURN n.name",
            "MATCH (n)-->(m) WHERE n.a = 1 WITH n, count(m) AS count_m WHERE count_m > 1 RETURN n.name",
        ),
    ]);
}

#[test]
fn aggregates_find_their_clause() {
    becomes(&[
        (
            "MATCH (n)-->(m) WITH n, count(m) AS num RETURN n.name, sum(m.x) / num AS mean",
            "MATCH (n)-->(m) WITH n, count(m) AS num, sum(m.x) AS sum_x RETURN n.name, sum_x / num AS mean",
        ),
        (
            "MATCH (n)-->(m) WITH n, count(m) AS num RETURN n.name, count(m)",
            "MATCH (n)-->(m) WITH n, count(m) AS num RETURN n.name, num",
        ),
        (
            "MATCH (n)-->(m) RETURN n.name, avg(count(m)) AS mean",
            "MATCH (n)-->(m) WITH n.name AS name, count(m) AS count_m RETURN name, avg(count_m) AS mean",
        ),
        (
            "MATCH (n) RETURN sum(n.a) / n.b AS share",
            "MATCH (n) WITH n.b AS b, sum(n.a) AS sum_a RETURN sum_a / b AS share",
        ),
        (
            "MATCH (n) RETURN DISTINCT n.name ORDER BY n.age LIMIT 3",
            "MATCH (n) WITH DISTINCT n.name AS name, n.age AS age RETURN name ORDER BY age LIMIT 3",
        ),
        (
            "MATCH (n)-->(m) RETURN n.name AS who, count(m) ORDER BY n.age",
            "MATCH (n)-->(m) WITH n.name AS who, count(m) AS count_m, n.age AS age RETURN who, count_m ORDER BY age",
        ),
        (
            "MATCH (n)-->(m) WITH n, count(m) AS num, num / 2 AS half RETURN n.name, half",
            "MATCH (n)-->(m) WITH n, count(m) AS num WITH n, num, num / 2 AS half RETURN n.name, half",
        ),
        (
            "MATCH (n)-->(m) RETURN count(DISTINCT m WHERE m.x > 0)",
            "MATCH (n)-->(m) RETURN count(DISTINCT CASE WHEN m.x > 0 THEN m END)",
        ),
    ]);
}

#[test]
fn sql_becomes_cypher() {
    becomes(&[
        ("MATCH (n) RETURN n.city, avg(n.age) GROUP BY n.city", "MATCH (n) RETURN n.city, avg(n.age)"),
        (
            "MATCH (n) RETURN avg(n.age) AS mean GROUP BY n.city ORDER BY mean",
            "MATCH (n) WITH n.city AS city, avg(n.age) AS mean RETURN mean ORDER BY mean",
        ),
        (
            "MATCH (n) RETURN n.name, (SELECT avg(n.age) AS mean)",
            "MATCH (n) RETURN n.name, avg(n.age) AS mean",
        ),
        ("MATCH (n) WHERE n.name LIKE '%a%' RETURN n", "MATCH (n) WHERE n.name CONTAINS 'a' RETURN n"),
        ("MATCH (n) WHERE n.name LIKE 'a%' RETURN n", "MATCH (n) WHERE n.name STARTS WITH 'a' RETURN n"),
        (
            "MATCH (n) WHERE n.name NOT LIKE '%a' RETURN n",
            "MATCH (n) WHERE NOT n.name ENDS WITH 'a' RETURN n",
        ),
        (
            "MATCH (n) WHERE n.name LIKE 'a_c%(' RETURN n",
            r"MATCH (n) WHERE n.name =~ '(?s)a.c.*\\(' RETURN n",
        ),
        ("MATCH (n) WHERE n.name ILIKE '%a%' RETURN n", "MATCH (n) WHERE n.name =~ '(?is).*a.*' RETURN n"),
        (
            "MATCH (n) WHERE toLower(n.name) NOT IN ['a'] RETURN n",
            "MATCH (n) WHERE NOT toLower(n.name) IN ['a'] RETURN n",
        ),
        (
            "MATCH (n) WHERE n.age BETWEEN 3 AND 5 AND n.x = 1 RETURN n",
            "MATCH (n) WHERE 3 <= n.age <= 5 AND n.x = 1 RETURN n",
        ),
        (
            "MATCH (n) WHERE n.a IS NOT 'x' AND n.b IS TRUE RETURN n",
            "MATCH (n) WHERE n.a <> 'x' AND n.b = TRUE RETURN n",
        ),
        ("MATCH (n) WHERE n.age => 5 RETURN n", "MATCH (n) WHERE n.age >= 5 RETURN n"),
        ("MATCH (n) WHERE n.a != 1 && n.b == 2 RETURN n", "MATCH (n) WHERE n.a <> 1 AND n.b = 2 RETURN n"),
        ("MATCH (n) WHERE n.a = 1 || n.b = 2 RETURN n", "MATCH (n) WHERE n.a = 1 OR n.b = 2 RETURN n"),
        ("MATCH (n) RETURN sum(CAST(n.age AS INTEGER))", "MATCH (n) RETURN sum(toInteger(n.age))"),
        ("MATCH (n) RETURN n.name LIMIT 5 OFFSET 10", "MATCH (n) RETURN n.name SKIP 10 LIMIT 5"),
        ("MATCH (n) RETURN n.name LIMIT 10, 5", "MATCH (n) RETURN n.name SKIP 10 LIMIT 5"),
        ("MATCH (n) RETURN n.name LIMIT 5 ORDER BY n.age", "MATCH (n) RETURN n.name ORDER BY n.age LIMIT 5"),
        ("MATCH (n) RETURN n.name ORDER BY DESC n.age", "MATCH (n) RETURN n.name ORDER BY n.age DESC"),
        ("MATCH (n) RETURN n.name, DISTINCT n.age", "MATCH (n) RETURN DISTINCT n.name, n.age"),
    ]);
    let refused = Repair::default().repair("SELECT name FROM person WHERE age > 3").refused.unwrap();
    assert_eq!(refused.code, ReasonCode::OtherLanguage);
}

#[test]
fn functions_become_those_of_cypher() {
    becomes(&[
        (
            "MATCH (n) WHERE startsWith(n.name, 'a') RETURN n",
            "MATCH (n) WHERE (n.name STARTS WITH 'a') RETURN n",
        ),
        ("MATCH (n) WHERE n.name.contains('a') RETURN n", "MATCH (n) WHERE (n.name CONTAINS 'a') RETURN n"),
        (
            "MATCH (n)-->(m) RETURN n.name, n.count(DISTINCT m)",
            "MATCH (n)-->(m) RETURN n.name, count(DISTINCT m)",
        ),
        ("MATCH (n) RETURN n.name.toLower()", "MATCH (n) RETURN toLower(n.name)"),
        (
            "MATCH (n) WHERE isNull(n.a) RETURN len(n.name)",
            "MATCH (n) WHERE (n.a IS NULL) RETURN size(n.name)",
        ),
        ("MATCH (n) RETURN length(collect(n))", "MATCH (n) RETURN size(collect(n))"),
        (
            "MATCH (n) WHERE n.born < CURRENT_DATE RETURN year(n.born)",
            "MATCH (n) WHERE n.born < date() RETURN date(n.born).year",
        ),
    ]);
}

#[test]
fn patterns_become_whole() {
    becomes(&[
        (
            "MATCH (n) WHERE EXISTS (n)-[:A]->(m) RETURN n",
            "MATCH (n) WHERE EXISTS { (n)-[:A]->(m) } RETURN n",
        ),
        ("MATCH (n) WHERE n.-[:A]->(:B) RETURN n", "MATCH (n) WHERE (n)-[:A]->(:B) RETURN n"),
        ("MATCH (n)-(m) RETURN m", "MATCH (n)--(m) RETURN m"),
        ("MATCH (n)<-[r:A] RETURN n", "MATCH (n)<-[r:A]-() RETURN n"),
        ("MATCH n RETURN n", "MATCH (n) RETURN n"),
        ("MATCH (a)-[r:X]->(b), (b)-[r:Y]->(c) RETURN c", "MATCH (a)-[r:X]->(b), (b)-[r_2:Y]->(c) RETURN c"),
        ("MATCH (n) RETURN n.name, size((n)-->(:A))", "MATCH (n) RETURN n.name, COUNT { (n)-->(:A) }"),
        (
            "MATCH (n) WHERE (n)-[r:A]->(m) AND m.x > 1 AND n.a = 1 RETURN n",
            "MATCH (n) WHERE EXISTS { (n)-[r:A]->(m) WHERE m.x > 1 } AND n.a = 1 RETURN n",
        ),
        (
            "MATCH (n) WHERE (n)-[:A]->(m) AND n.a = 1 RETURN m.x",
            "MATCH (n), (n)-[:A]->(m) WHERE n.a = 1 RETURN m.x",
        ),
        ("MATCH (a)-->(b) AND (b)-->(c) RETURN c", "MATCH (a)-->(b), (b)-->(c) RETURN c"),
        (
            "MATCH (n) WITH n, (n)-->(m) AS p RETURN m.name",
            "MATCH (n) MATCH p = (n)-->(m) WITH n, p, m RETURN m.name",
        ),
    ]);
}

#[test]
fn brackets_and_quotes_close() {
    becomes(&[
        ("MATCH (n {name: 'x'} RETURN n", "MATCH (n {name: 'x'}) RETURN n"),
        ("MATCH (n) RETURN avg(n.a)), n.b", "MATCH (n) RETURN avg(n.a), n.b"),
        ("MATCH (n {name: 'King's Landing'}) RETURN n", r"MATCH (n {name: 'King\'s Landing'}) RETURN n"),
        ("MATCH (n:Big City) RETURN n.full name", "MATCH (n:`Big City`) RETURN n.`full name`"),
        ("MATCH (n) WITH n count(n) AS c RETURN c", "MATCH (n) WITH n, count(n) AS c RETURN c"),
        ("MATCH (n)-->(m) WITH (n, m) RETURN n, m", "MATCH (n)-->(m) WITH n, m RETURN n, m"),
        ("MATCH (n) RETURN avg(n.a) AND count(n)", "MATCH (n) RETURN avg(n.a), count(n)"),
        ("MATCH (n) RETURN avg(n.a) AS a AND count(n) AS b", "MATCH (n) RETURN avg(n.a) AS a, count(n) AS b"),
        ("MATCH (n) WHERE n.born > 1970-01-01 RETURN n", "MATCH (n) WHERE n.born > '1970-01-01' RETURN n"),
        ("MATCH (n {name 'x'}), RETURN n", "MATCH (n {name: 'x'}) RETURN n"),
    ]);
    for text in
        ["MATCH (n:Person {name: 'x", "MATCH (n) WHERE n.a =", "MATCH (n)-->(m)", "MATCH (n) RETURN count(n"]
    {
        assert_eq!(Repair::default().repair(text).refused.unwrap().code, ReasonCode::Truncated, "{text}");
    }
}

#[test]
fn subqueries_get_and_give_their_variables() {
    becomes(&[
        (
            "MATCH (n) CALL { MATCH (m) WHERE m.a = n.a RETURN m.b AS b } RETURN n.a, b",
            "MATCH (n) CALL { WITH n MATCH (m) WHERE m.a = n.a RETURN m.b AS b } RETURN n.a, b",
        ),
        ("CALL { MATCH (n)-->(m) RETURN n } RETURN n, m", "CALL { MATCH (n)-->(m) RETURN n, m } RETURN n, m"),
        ("CALL { MATCH (n) RETURN count(n) AS c }", "CALL { MATCH (n) RETURN count(n) AS c } RETURN c"),
        (
            "MATCH (n) RETURN n.name AS a MATCH (m) RETURN m.x, a",
            "MATCH (n) WITH n.name AS a MATCH (m) RETURN m.x, a",
        ),
        ("MATCH (person) RETURN preson.name", "MATCH (person) RETURN person.name"),
        ("MATCH (m0) RETURN m.name", "MATCH (m0) RETURN m0.name"),
    ]);
}

/// Characters that end a line for some programs and do not end a comment in Cypher.
const LINE_ENDS: [&str; 8] = ["\u{2028}", "\u{2029}", "\u{85}", "\u{b}", "\u{c}", "\u{1c}", "\u{1e}", "\\n"];

#[test]
fn no_line_end_but_those_of_cypher_ends_a_comment() {
    for end in LINE_ENDS {
        let hidden = format!("// x{end}MATCH (n) RETURN n");
        assert_eq!(
            Repair::default().repair(&hidden).refused.map(|reason| reason.code),
            Some(ReasonCode::NoQuery),
            "{hidden:?}"
        );
    }
    for end in ["\n", "\r", "\r\n"] {
        let shown = format!("// x{end}MATCH (n) RETURN n");
        assert_eq!(mended(&shown), shown);
    }
}

mod comments {
    use proptest::prelude::*;

    use super::*;
    use crate::{format, lexer::scan};

    /// Parts of queries and of replies, good and bad.
    const PARTS: [&str; 14] = [
        "MATCH (n:Person)",
        "WHERE n.x = 'a//b'",
        "RETURN n.x",
        "WITH n",
        "retrun n",
        "Here is it: ",
        "sure!\n",
        "```cypher\n",
        "\n```\n",
        ";",
        "RETURN \u{201c}a\u{201d} AS x",
        "a &lt; b",
        "RETURN n.x LIMIT 5",
        "</think>",
    ];
    /// Comments. `|` stands for a line end that is none, and `hidden` for what nobody may read.
    const COMMENTS: [&str; 9] = [
        " // hidden|MATCH (hidden) RETURN hidden\n",
        " // hidden\r",
        " /* hidden|RETURN hidden; // hidden\n hidden */ ",
        " // ```|MATCH (hidden) RETURN hidden|```\n",
        " // hidden's \u{201c}hidden\\n RETURN hidden\n",
        " // hidden </think>|RETURN hidden\n",
        " // hidden: RETURN hidden; This is a sentence\n",
        " /*hidden*/ ",
        " //|RETURN hidden\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn what_is_commented_out_is_never_read(
            parts in proptest::collection::vec((0..PARTS.len() * 2, 0..COMMENTS.len(), 0..LINE_ENDS.len()), 1..9)
        ) {
            let text: String = parts.iter().map(|&(part, comment, end)| match PARTS.get(part) {
                Some(part) => format!("{part} "),
                None => COMMENTS[comment].replace('|', LINE_ENDS[end]),
            }).collect();
            let reads_hidden =
                |text: &str| scan(text).0.tokens.iter().any(|token| token.text(text).contains("hidden"));
            prop_assume!(!reads_hidden(&text));
            let repaired = Repair::default().repair(&text);
            // What is refused never runs.
            if repaired.refused.is_some() {
                return Ok(());
            }
            prop_assert!(!reads_hidden(&repaired.text), "{:?} became {:?}", text, repaired.text);
            let Ok(formatted) = format(&repaired.text) else { return Ok(()) };
            prop_assert!(!reads_hidden(&formatted), "{:?} became {:?}", repaired.text, formatted);
            let tokens = |text: &str| crate::syntax::print(&crate::syntax::parse(text).tree);
            prop_assert_eq!(tokens(&formatted), tokens(&repaired.text));
            let line_ends = ["\u{2028}", "\u{2029}", "\u{85}", "\u{b}", "\u{c}", "\u{1c}", "\u{1e}"];
            prop_assert!(line_ends.iter().all(|end| !formatted.contains(end)), "{:?}", formatted);
        }
    }
}
