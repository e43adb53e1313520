//! Runs the lint on public collections of right queries. Its findings are false alarms, or rightly
//! hints.
//!
//! `GRAPHWRIGHT_DATA=… cargo test -p graphwright-cypher --test public_lint -- --include-ignored
//! --nocapture` prints the figures of `docs/lint.md`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a test that prints figures"
)]

#[path = "public_queries/collections.rs"]
#[expect(dead_code, reason = "other collections are for other tests")]
mod collections;
#[path = "public_lint/schemas.rs"]
mod schemas;

use std::collections::{BTreeMap, BTreeSet};

use collections::folder;
use graphwright_core::GraphSchema;
use graphwright_cypher::{Code, Severity, diagnose, lint::Lint};

/// The number of queries shown for each code.
const EXAMPLES: usize = 3;

/// The findings in the queries of one set.
#[derive(Default)]
struct Report {
    queries: usize,
    /// The number of queries for which each code was raised.
    counts: BTreeMap<(Severity, Code), usize>,
    errors: usize,
    examples: BTreeMap<(Severity, Code), Vec<String>>,
}

impl Report {
    fn add(&mut self, query: &str, lint: &Lint) {
        self.queries += 1;
        let found = diagnose(query, Some(lint));
        self.errors += usize::from(found.iter().any(|found| found.severity == Severity::Error));
        let mut seen = BTreeSet::new();
        for diagnostic in found {
            let key = (diagnostic.severity, diagnostic.code);
            if !seen.insert(key) {
                continue;
            }
            *self.counts.entry(key).or_default() += 1;
            let examples = self.examples.entry(key).or_default();
            if examples.len() < EXAMPLES {
                examples.push(format!("{}\n        {}", diagnostic.message, query.replace('\n', " ")));
            }
        }
    }

    fn print(&self, name: &str) {
        println!("{name}: {} queries", self.queries);
        for ((severity, code), count) in self.counts.iter().rev() {
            let share = 100.0 * *count as f64 / self.queries as f64;
            println!("  {severity:?} {}: {count} ({share:.2} %)", code.as_str());
            for example in &self.examples[&(*severity, *code)] {
                println!("      {example}");
            }
        }
    }
}

/// Returns the queries of one collection by their graph.
fn gold(benchmark: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut queries: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let files = std::fs::read_dir(folder().join("cypher_replay").join(benchmark)).unwrap();
    for file in files {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            if let (Some(graph), Some(query)) = (row["graph"].as_str(), row["gold_cypher"].as_str()) {
                queries.entry(graph.to_owned()).or_default().insert(query.to_owned());
            }
        }
    }
    queries
}

#[test]
#[ignore = "needs public data"]
fn gold_queries_raise_no_errors() {
    let mut reports: BTreeMap<String, Report> = BTreeMap::new();
    for (graph, queries) in gold("mind_the_query") {
        let lint = Lint::new(&schemas::mind_the_query(&graph));
        let report = reports.entry(format!("mind_the_query {graph}")).or_default();
        for query in &queries {
            report.add(query, &lint);
        }
    }
    // No schema is at hand for these graphs, so only the rules that need none apply.
    let lint = Lint::new(&GraphSchema::default());
    let report = reports.entry("cypherbench, test".to_owned()).or_default();
    for query in gold("cypherbench").values().flatten() {
        report.add(query, &lint);
    }
    let mut lints = BTreeMap::new();
    for (graph, schema, query) in schemas::cypherbench() {
        let lint = lints.entry(graph).or_insert_with(|| Lint::new(&GraphSchema::from_json(&schema).unwrap()));
        reports.entry("cypherbench, valid".to_owned()).or_default().add(&query, lint);
    }
    let lint = Lint::new(&schemas::zograscope());
    let report = reports.entry("zograscope".to_owned()).or_default();
    for query in &collections::zograscope() {
        report.add(query, &lint);
    }
    let lint = Lint::new(&schemas::neo4j_labs()["recommendations"]);
    let report = reports.entry("recommendations_questions".to_owned()).or_default();
    for query in &collections::recommendations() {
        report.add(query, &lint);
    }

    for (name, report) in &reports {
        report.print(name);
    }
    for (name, report) in &reports {
        // Three of these are not Cypher (see `public_queries`).
        let expected = if name.starts_with("recommendations") { 3 } else { 0 };
        assert_eq!(report.errors, expected, "{name}");
    }
}

/// Runs on statements of a model. A label tells which name the schema does not have.
#[test]
#[ignore = "needs public data"]
fn names_that_a_model_made_up_are_found() {
    let lints: BTreeMap<String, Lint> =
        schemas::neo4j_labs().into_iter().map(|(graph, schema)| (graph, Lint::new(&schema))).collect();
    let path = folder().join("cypher_replay/neo4j_labs/text2cypher_gpt4turbo.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let (mut both, mut found_only, mut labelled_only) = (0, 0, 0);
    for record in reader.records() {
        let record = record.unwrap();
        let (query, graph, label) = (&record[1], &record[3], &record[7]);
        let Some(lint) = lints.get(graph) else { continue };
        let found = diagnose(query, Some(lint));
        // A text that does not parse is not compared with the schema.
        if found.iter().any(|found| found.code <= Code::InvalidArgumentPassingMode) {
            continue;
        }
        let made_up = |code: Code| {
            matches!(
                code,
                Code::UnknownLabel
                    | Code::UnknownRelationshipType
                    | Code::UnknownProperty
                    | Code::MisplacedProperty
            )
        };
        let found = found.iter().find(|found| made_up(found.code));
        match (found, label.is_empty()) {
            (Some(_), false) => both += 1,
            (None, false) => labelled_only += 1,
            (Some(_), true) => found_only += 1,
            (None, true) => continue,
        }
        if found.is_some() == label.is_empty() {
            let message = found.map_or("not found", |found| found.message.as_str());
            println!("{graph}: label `{label}`: {message}: {}", query.replace('\n', " "));
        }
    }
    let precision = f64::from(both) / f64::from(both + found_only);
    let recall = f64::from(both) / f64::from(both + labelled_only);
    println!(
        "precision {precision:.3} recall {recall:.3}: {both} both, {found_only} found only, {labelled_only} labelled only"
    );
    assert!(precision > 0.85 && recall > 0.95, "{precision} {recall}");
}

/// Runs on answers of models that had the rows of the gold query. On `wwc` none raises an error. On
/// `bloom50` many gold queries find nothing, and so do answers with made-up names, so errors are
/// right there.
#[test]
#[ignore = "needs public data"]
fn right_answers_of_models_raise_no_errors() {
    let mut queries = BTreeSet::new();
    for file in std::fs::read_dir(folder().join("cypher_replay/mind_the_query")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            if row["metrics"]["execution_accuracy"] == 1.0 && row["graph"] == "wwc" {
                queries.insert(row["pred_cypher"].as_str().unwrap().to_owned());
            }
        }
    }
    let lint = Lint::new(&schemas::mind_the_query("wwc"));
    let mut report = Report::default();
    for query in &queries {
        report.add(query, &lint);
    }
    report.print("right answers, wwc");
    assert_eq!(report.errors, 0);
}
