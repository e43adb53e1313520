//! What the rules find, and what they leave alone.

use graphwright_core::{
    GraphSchema,
    schema::{ElementSchema, Pattern, PropertySchema},
};

use super::Lint;
use crate::{diagnose, diagnostic::Diagnostic};

fn element(name: &str, properties: &[(&str, &str)]) -> ElementSchema {
    let property = |(name, kind): &(&str, &str)| PropertySchema {
        name: (*name).to_owned(),
        types: vec![(*kind).to_owned()],
        count: 10,
        ..PropertySchema::default()
    };
    ElementSchema {
        name: name.to_owned(),
        count: 10,
        observed: 10,
        properties: properties.iter().map(property).collect(),
    }
}

fn pattern(from: &str, kind: &str, to: &str) -> Pattern {
    Pattern { from: from.into(), kind: kind.into(), to: to.into(), count: 10 }
}

fn schema() -> GraphSchema {
    GraphSchema {
        labels: vec![
            element("Person", &[("name", "STRING"), ("born", "DATE"), ("height", "INTEGER")]),
            element(
                "Movie",
                &[("title", "STRING"), ("year", "INTEGER"), ("rating", "FLOAT"), ("genres", "LIST")],
            ),
            element("Studio", &[("name", "STRING")]),
        ],
        relationship_types: vec![
            element("ACTED_IN", &[("role", "STRING")]),
            element("DIRECTED", &[]),
            element("MADE_BY", &[]),
            element("KNOWS", &[("since", "INTEGER")]),
        ],
        patterns: vec![
            pattern("Person", "ACTED_IN", "Movie"),
            pattern("Person", "DIRECTED", "Movie"),
            pattern("Movie", "MADE_BY", "Studio"),
            pattern("Person", "KNOWS", "Person"),
        ],
        ..GraphSchema::default()
    }
}

fn found(text: &str) -> Vec<Diagnostic> {
    diagnose(text, Some(&Lint::new(&schema())))
}

/// Each finding as `severity code: message | help | text with the fix`.
fn shown(text: &str) -> String {
    let lines = found(text).into_iter().map(|diagnostic| {
        let fix = diagnostic.fix.map_or_else(String::new, |fix| {
            let mut fixed = text.to_owned();
            fixed.replace_range(fix.span.range(), &fix.text);
            format!("\n  {}: {fixed}", if fix.safe { "safe" } else { "perhaps" })
        });
        format!(
            "{:?} {}: {}\n  {}{fix}\n",
            diagnostic.severity,
            diagnostic.code.as_str(),
            diagnostic.message,
            diagnostic.help.unwrap_or_default(),
        )
    });
    format!("{text}\n{}", lines.collect::<String>())
}

fn all_shown(texts: &[&str]) -> String {
    texts.iter().map(|text| shown(text)).collect::<Vec<_>>().join("\n")
}

#[test]
fn names() {
    insta::assert_snapshot!(all_shown(&[
        "MATCH (p:Persn) RETURN p.name",
        "MATCH (p:person)-[:ActedIn]->(m:Movies) RETURN p.name",
        "MATCH (p:Person)-[:WORKED_FOR]->(s:Studio) RETURN p.name",
        "MATCH (m:Movie)-[:PRODUCED]->(s:Studio) RETURN m.title",
        "MATCH (p:Person)-[:Movie]->(m:ACTED_IN) RETURN p.name",
        "OPTIONAL MATCH (p:Actor) RETURN p",
        "MATCH (p:Person|Actor) RETURN p",
        "MATCH (p) WHERE NOT p:Persn RETURN p",
        "MATCH (p:Author) RETURN count(p)",
        "CREATE (p:Persn {nme: 'Ada'})-[:LIKES]->(:Book)",
    ]));
}

#[test]
fn properties() {
    insta::assert_snapshot!(all_shown(&[
        "MATCH (p:Person) WHERE p.Name = 'Ada' RETURN p.title",
        "MATCH (p:Person)-[r:ACTED_IN {roles: 'x'}]->(m) RETURN m.budget, r.role",
        "MATCH (p:Person) WITH p AS q, collect(p) AS people UNWIND people AS r RETURN q.nam, r.heigth, p_.x",
        "MATCH (n) WHERE n.salary > 3 RETURN n",
        "MATCH (p:Person) RETURN p {.name, .titel} AS q, [x IN collect(p) | x.year] AS years",
    ]));
}

#[test]
fn connections() {
    insta::assert_snapshot!(all_shown(&[
        "MATCH (m:Movie)-[:ACTED_IN]->(p:Person) RETURN p.name",
        "MATCH (p:Person)<-[r:ACTED_IN {role: 'x'}]-(m) RETURN p.name",
        "MATCH (p:Person)-[:MADE_BY]->(m:Movie) RETURN p.name",
        "MATCH (s:Studio)-[:KNOWS*1..3]->(p:Person) RETURN p.name",
        "MATCH (p:Person)-[:ACTED_IN]->(m)-[:DIRECTED]->(q) RETURN q",
        "MATCH (p:Person)-->(s:Studio) RETURN p.name",
        "MATCH (p:Person) WHERE EXISTS { (p)-[:MADE_BY]->() } RETURN p.name",
    ]));
}

#[test]
fn what_is_right_is_left_alone() {
    for text in [
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie)-[:MADE_BY]->(s:Studio) RETURN p.name, m.title, s.name",
        "MATCH (p:Person)-[:ACTED_IN|DIRECTED]->(m) RETURN p.name, m.title",
        "MATCH (p:Person)-[:KNOWS*1..3]-(q) RETURN q.name",
        "MATCH (m:Movie)--(p:Person) RETURN p.name",
        "MATCH (n) RETURN n.name, n.title",
        "MATCH (p:Person) WITH {name: p.name} AS map RETURN map.anything",
        "MATCH (p:Person) RETURN p.born.year, p.__id__",
        "MATCH (p:Person) CALL (p) { MATCH (p)-[:ACTED_IN]->(m) RETURN m } RETURN m.title",
        "MATCH (p:Person) CALL { WITH p MATCH (p)-[:ACTED_IN]->(m) RETURN m AS n UNION WITH p MATCH (p)-[:KNOWS]->(q) RETURN q AS n } RETURN n.anything",
        "MATCH (p:Person) OPTIONAL MATCH (p)-[:ACTED_IN]->(m) RETURN p.name, m.title",
        "MATCH ((p:Person)-[:KNOWS]->(q)){1,3} RETURN [x IN p | x.name]",
        "MERGE (b:Book {isbn: '1'}) SET b.pages = 3",
        "MATCH (n:$($label)) RETURN n.title, n[$key]",
    ] {
        let found: Vec<_> = found(text)
            .into_iter()
            .filter(|found| found.code.as_str().starts_with("un") || found.severity > crate::Severity::Hint)
            .collect();
        assert!(found.is_empty(), "{text}: {found:#?}");
    }
}

#[test]
fn a_schema_that_is_not_complete_makes_no_errors() {
    let mut sampled = schema();
    for element in sampled.labels.iter_mut().chain(&mut sampled.relationship_types) {
        element.count = 1_000;
    }
    // A label of which only the patterns know.
    sampled.patterns.push(pattern("Person", "WROTE", "Book"));
    let lint = Lint::new(&sampled);
    for text in [
        "MATCH (p:Persn) RETURN p",
        "MATCH (p:Person {nam: 'x'})-[:ACTED_IN]->(s:Studio) RETURN p",
        "MATCH (p:Person)-[:LIKES]->(s) RETURN s",
    ] {
        let found = diagnose(text, Some(&lint));
        assert!(
            !found.is_empty() && found.iter().all(|found| found.severity < crate::Severity::Error),
            "{text}: {found:#?}"
        );
    }
    assert!(
        diagnose("MATCH (n:Any {x: 1})-[:THING]->() RETURN n", Some(&Lint::new(&GraphSchema::default())))
            .is_empty()
    );
}
