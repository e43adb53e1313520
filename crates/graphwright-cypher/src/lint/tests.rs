//! Tests of what the rules find and what they leave alone.

use async_trait::async_trait;
use futures::executor::block_on;
use graphwright_core::{GraphSchema, schema::Pattern};

use super::{Lint, Suggest, SuggestError, Suggestion, WantedValue};
use crate::{
    diagnose,
    diagnostic::{Code, Diagnostic, Severity},
    syntax::parse,
};

/// The page that describes each code.
const PAGE: &str = include_str!("../../../../docs/lint.md");

/// Returns the schema of the page's examples.
fn schema() -> GraphSchema {
    let (_, block) = PAGE.split_once("```json\n").unwrap();
    GraphSchema::from_json(block.split_once("```").unwrap().0).unwrap()
}

fn found(text: &str) -> Vec<Diagnostic> {
    diagnose(text, Some(&Lint::new(&schema())))
}

/// Returns each finding as `severity code: message | help | text with the fix`.
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
fn values() {
    insta::assert_snapshot!(all_shown(&[
        "MATCH (m:Movie {year: '1999'}) RETURN m.title",
        "MATCH (m:Movie) WHERE m.title = 1917 AND m.rating > '7.5' RETURN m.title",
        "MATCH (p:Person) WHERE p.born > '1970-01-01' AND p.born < 1980 RETURN p.name",
        "MATCH (p:Person) WHERE p.born = datetime('1970-01-01') RETURN p.name",
        "MATCH (m:Movie) WHERE m.genres = 'Drama' OR m.genres CONTAINS 'War' RETURN m.title",
        "MATCH (m:Movie {genres: 'Drama'}) WHERE m.year STARTS WITH '19' RETURN m.title",
        "MATCH (p:Person) WHERE p.height IN ['180', 190] RETURN p.name",
        "MATCH (p:Person) WHERE p.name <> 3 RETURN p.name",
        "MATCH (p:Person) WITH p.born AS b WHERE b > 1950 RETURN b",
        "MATCH (p:Person)-[:KNOWS]->(q) WHERE p.gender = 'Female' AND q.gender IN ['mal', 'other'] RETURN p.name",
        "MATCH (m:Movie) RETURN sum(m.title)",
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE p.born = m.year OR p.height > m.rating RETURN p.name",
    ]));
}

#[test]
fn nulls() {
    insta::assert_snapshot!(all_shown(&[
        "MATCH (p:Person) RETURN p.name ORDER BY p.gender DESC LIMIT 3",
        "MATCH (p:Person) WHERE p.born > date('1970-01-01') OR p.name = 'Ada' RETURN p.gender AS g ORDER BY g DESC LIMIT 1",
        "MATCH (p:Person) WHERE p.name <> 'Ada' WITH p ORDER BY p.gender DESC LIMIT 1 RETURN p.name",
        "MATCH (m:Movie) OPTIONAL MATCH (p:Person)-[:ACTED_IN]->(m) RETURN m.title ORDER BY p.gender DESC LIMIT 1",
        "MATCH (p:Person) WITH p LIMIT 3 RETURN p.name ORDER BY p.gender DESC LIMIT 1",
        "MATCH (p:Person) RETURN p.name ORDER BY p.name DESC, p.gender DESC LIMIT 1",
        "MATCH (p:Person) RETURN p.name ORDER BY p.gender DESC",
        "MATCH (p:Person) WHERE p.gender IS NOT NULL RETURN p.name ORDER BY p.gender DESC LIMIT 3",
        "MATCH (p:Person) WHERE p.gender <> 'male' RETURN p.name ORDER BY p.name DESC",
        "MATCH (p:Person) WHERE p.name = null AND p.born <> null RETURN p.name",
        "MATCH (p:Person) WHERE NOT (p.name = null) AND p.height > null RETURN p.name",
    ]));
}

#[test]
fn rows() {
    insta::assert_snapshot!(all_shown(&[
        "MATCH (p:Person), (m:Movie) RETURN p.name, m.title",
        "MATCH (p:Person), (q:Person), (m:Movie) WHERE p.born = q.born AND m.year > 3 RETURN p.name, m.title",
        "MATCH (p:Person), (m:Movie) WITH p, m WHERE p.name = m.title RETURN p.name",
        "MATCH (p:Person {name: 'Ada'}), (m:Movie) RETURN p.name, m.title",
        "MATCH (p:Person), (m:Movie) MATCH (p)-[:KNOWS]->(q)-[:ACTED_IN]->(m) RETURN q.name",
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) RETURN p.name",
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie {title: 'Tron'}) RETURN p.name",
        "MATCH (p:Person) RETURN p, count(DISTINCT p) AS c",
        "MATCH (m:Movie) RETURN m, m AS movie",
    ]));
}

#[test]
fn forms_that_were_given_up() {
    insta::assert_snapshot!(all_shown(&[
        "MATCH (p:Person) WHERE exists(p.name) AND id(p) = 3 RETURN p.name",
        "MATCH (p:Person) WHERE exists((p)-[:KNOWS]->()) RETURN p.name",
        "MATCH (p:Person) WHERE size((p)-[:KNOWS]->()) > 2 RETURN p.name",
        "MATCH (p:Person) CALL { WITH p MATCH (p)-[:KNOWS]->(q) RETURN count(q) AS c } RETURN p.name, c",
    ]));
}

#[test]
fn what_is_right_is_left_alone() {
    for text in [
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie)-[:MADE_BY]->(s:Studio) RETURN p.name, m.title, s.name",
        "MATCH (p:Person)-[:ACTED_IN|DIRECTED]->(m) RETURN p.name, m.title",
        "MATCH (p:Person)-[:KNOWS*1..3]-(q) RETURN q.name",
        "MATCH (m:Movie)--(p:Person) RETURN p.name",
        "MATCH (p:Person {name: 'Ada'})-[:ACTED_IN*2]-(q:Person) RETURN q.name",
        "MATCH path = shortestPath((p:Person {name: 'Ada'})-[*..6]-(s:Studio)) RETURN length(path)",
        "CALL db.index.fulltext.queryNodes('plots', 'x') YIELD node, score MATCH (node)-[:MADE_BY]->(s) RETURN node.title, s.name, score.anything",
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
            .filter(|found| found.code.as_str().starts_with("un") || found.severity > Severity::Hint)
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
    // This label is named by the patterns only.
    sampled.patterns.push(Pattern {
        from: "Person".into(),
        kind: "WROTE".into(),
        to: "Book".into(),
        count: 1,
    });
    let lint = Lint::new(&sampled);
    for text in [
        "MATCH (p:Persn) RETURN p",
        "MATCH (p:Person {nam: 'x'})-[:ACTED_IN]->(s:Studio) RETURN p",
        "MATCH (p:Person)-[:LIKES]->(s) RETURN s",
    ] {
        let found = diagnose(text, Some(&lint));
        assert!(
            !found.is_empty() && found.iter().all(|found| found.severity < Severity::Error),
            "{text}: {found:#?}"
        );
    }
    assert!(
        diagnose(
            "MATCH (n:Any {x: 1})-[:THING]->() RETURN DISTINCT n",
            Some(&Lint::new(&GraphSchema::default()))
        )
        .is_empty()
    );
}

/// A source that has no text in the wanted form.
#[derive(Debug)]
struct Nearly;

#[async_trait]
impl Suggest for Nearly {
    async fn values(&self, wanted: &WantedValue, _limit: usize) -> Result<Vec<Suggestion>, SuggestError> {
        Ok(vec![Suggestion { text: format!("{}!", wanted.text), score: 0.9 }])
    }

    async fn names(
        &self,
        _wanted: &str,
        _among: &[String],
        _limit: usize,
    ) -> Result<Vec<Suggestion>, SuggestError> {
        Ok(Vec::new())
    }
}

/// Returns the section of the page about a code.
fn section(code: Code) -> Option<&'static str> {
    let (_, rest) = PAGE.split_once(&format!("\n### `{}`\n", code.as_str()))?;
    Some(rest.split("\n### ").next().unwrap_or(rest))
}

#[test]
fn the_page_has_every_code_with_an_example_that_raises_it() {
    let table: String = PAGE.lines().filter(|line| line.starts_with("| `")).collect::<Vec<_>>().join("\n");
    let last_of_parser = Code::InvalidArgumentPassingMode;
    for &code in Code::ALL {
        if code <= last_of_parser {
            assert!(table.contains(&format!("`{}`", code.as_str())), "{} is not in the table", code.as_str());
            continue;
        }
        let section = section(code).unwrap_or_else(|| panic!("{} has no section", code.as_str()));
        let severity = format!("{:?}", code.severity()).to_lowercase();
        assert!(section.contains(&format!("Severity: {severity}")), "{}: {severity}", code.as_str());
        let examples: Vec<&str> =
            section.split("```cypher\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        assert!(!examples.is_empty(), "{} has no example", code.as_str());
        for example in examples {
            let lint = Lint::new(&schema());
            let asked = block_on(lint.suggest(&parse(example).tree, example, &Nearly)).unwrap();
            let raised = [found(example), asked].concat();
            assert!(raised.iter().any(|raised| raised.code == code), "{example}: {raised:#?}");
        }
    }
}
