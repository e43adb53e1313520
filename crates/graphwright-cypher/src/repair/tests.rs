use super::*;

/// What becomes of a text, for reading.
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
    for (text, expected) in cases {
        assert_eq!(mended(text), *expected, "{text}");
    }
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
        ("MATCH (n) WHERE n.a = 'x &gt; “y” –' RETURN n", "MATCH (n) WHERE n.a = 'x &gt; “y” –' RETURN n"),
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
        ("MATCH (n) RETURN n.name, n.name", "MATCH (n) RETURN n.name, n.name AS name_2"),
        ("MATCH (n) WITH n, n RETURN n.name", "MATCH (n) WITH n RETURN n.name"),
    ]);
}
