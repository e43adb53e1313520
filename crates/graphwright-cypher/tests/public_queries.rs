//! Runs the parser, the printer and the semantic checks on public collections of queries.
//!
//! `GRAPHWRIGHT_DATA=… cargo test -p graphwright-cypher --test public_queries -- --include-ignored
//! --nocapture` prints the figures of `docs/cypher.md`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test that prints figures"
)]

#[path = "public_queries/collections.rs"]
mod collections;

use std::collections::{BTreeMap, BTreeSet};

use graphwright_core::QueryType;
use graphwright_cypher::{
    Gate, Refusal, query_type,
    syntax::{Diagnostic, check, parse, print},
};

/// Returns the first fault of a text, if any. Checks that printing a right text gives the same tree
/// again.
fn first_fault(text: &str) -> Option<String> {
    let parsed = parse(text);
    if let Some(found) = parsed.diagnostics.first() {
        return Some(format!("{} at byte {}", found.message, found.span.start));
    }
    let printed = print(&parsed.tree);
    let again = parse(&printed);
    if !again.diagnostics.is_empty() || print(&again.tree) != printed {
        return Some(format!("printed as {printed}"));
    }
    None
}

/// A set of right queries.
struct Gold {
    name: &'static str,
    queries: Vec<String>,
    size: usize,
    /// The number that the parser refuses.
    refused: usize,
    /// The number with a fault, including those refused.
    faulty: usize,
}

fn gold() -> [Gold; 4] {
    let set = |name, queries, size| Gold { name, queries, size, refused: 0, faulty: 0 };
    [
        set("zograscope", collections::zograscope(), 2_350),
        Gold {
            // One has a typographic apostrophe for a quote, one is a sentence in typographic
            // quotes: neither is Cypher.
            refused: 2,
            // One orders by a variable that WITH dropped.
            faulty: 3,
            ..set("recommendations_questions", collections::recommendations(), 53)
        },
        set("mind_the_query", collections::gold("mind_the_query"), 26_958),
        set("cypherbench", collections::gold("cypherbench"), 30_524),
    ]
}

#[test]
#[ignore = "needs public data"]
fn gold_queries_parse_and_have_no_faults() {
    for set in gold() {
        let refused: Vec<_> = set
            .queries
            .iter()
            .filter_map(|query| Some(format!("{}\n{query}", first_fault(query)?)))
            .collect();
        let faulty: Vec<_> = set.queries.iter().filter(|query| !faults(query).is_empty()).collect();
        let Gold { name, size, .. } = set;
        println!("{name}: {size} queries, {} refused, {} with faults", refused.len(), faulty.len());
        assert_eq!(set.queries.len(), size, "{name}");
        assert_eq!(refused.len(), set.refused, "{refused:#?}");
        assert_eq!(faulty.len(), set.faulty, "{faulty:#?}");
    }
}

/// Returns the queries that read, each once.
fn reading(queries: Vec<String>) -> BTreeSet<String> {
    let reads = |query: &String| faults(query).is_empty() && query_type(query) == Some(QueryType::Read);
    queries.into_iter().filter(reads).collect()
}

/// The harmless queries that the gate refuses: code, part of the text, and why.
const REFUSED: [(&str, &str, &str); 8] = [
    (
        "unbounded_path",
        "WITH app\n    MATCH (app)-[:DEPENDS_ON*]->(dependency)\n    RETURN DISTINCT dependency",
        COUNTS,
    ),
    ("unbounded_path", "MATCH (app:Application {name: 'logstash'})-[:DEPENDS_ON*]->(dependency)", COUNTS),
    (
        "work",
        "abs(p3.born - p1.born) AS diff3\nORDER BY",
        "each person with each two others: a product of all three times",
    ),
    ("unbounded_path", "MATCH (p:Process {name: '7.1'})-[:DEPENDS_ON*]->(dependency)", COLLECTS),
    ("unbounded_path", "MATCH (p:Process {name: '8966'})\nCALL {\n    WITH p", COLLECTS),
    ("unbounded_path", "MATCH (s)-[:INSTANCE|DEPENDS_ON*]->(dependency)", COLLECTS),
    ("unbounded_path", "MATCH (s:Software {name: 'RHEL'})-[:DEPENDS_ON*]->(dependency)", COLLECTS),
    ("unbounded_path", "MATCH (s:Software)-[:DEPENDS_ON*]->(a:Application {name: 'webserver'})", COUNTS),
];
const COUNTS: &str = "a count over paths of any length, which is wrong with a bound";
const COLLECTS: &str = "collects the ends of paths of any length, some of which are missing with a bound";

#[test]
#[ignore = "needs public data"]
fn the_gate_lets_harmless_queries_through() {
    let labs = collections::neo4j_labs().into_iter().map(|(query, _)| query).collect();
    let sets = gold().map(|set| (set.name, set.queries)).into_iter().chain([("neo4j_labs", labs)]);
    let mut count = 0;
    let mut refused = Vec::new();
    for (name, queries) in sets {
        let queries = reading(queries);
        println!("{name}: {} harmless queries", queries.len());
        count += queries.len();
        refused.extend(
            queries.into_iter().filter_map(|query| Some((Gate::default().check(&query).err()?, query))),
        );
    }
    println!("{count} harmless queries, {} refused, each for a reason that the test names", refused.len());
    assert!(count >= 16_000, "{count}");
    let is_named = |refusal: &Refusal, query: &String| {
        REFUSED.iter().any(|(code, part, _)| refusal.code.as_str() == *code && query.contains(part))
    };
    let wrongly: Vec<_> = refused.iter().filter(|(refusal, query)| !is_named(refusal, query)).collect();
    assert!(wrongly.is_empty(), "{wrongly:#?}");
    assert!(refused.len() <= REFUSED.len());
}

/// Returns the faults that the parser and the semantic checks find.
fn faults(text: &str) -> Vec<Diagnostic> {
    let parsed = parse(text);
    if parsed.diagnostics.is_empty() { check(&parsed.tree, text) } else { parsed.diagnostics }
}

/// Counts faults that were found and labelled, only found, and only labelled.
fn counts(found: &[bool], labels: &[bool]) -> (usize, usize, usize) {
    let count = |found_is: bool, label_is: bool| {
        found.iter().zip(labels).filter(|&(&found, &label)| (found, label) == (found_is, label_is)).count()
    };
    (count(true, true), count(true, false), count(false, true))
}

fn print_rates(name: &str, (both, found_only, labelled_only): (usize, usize, usize)) -> f64 {
    let precision = both as f64 / (both + found_only) as f64;
    let recall = both as f64 / (both + labelled_only) as f64;
    let f1 = 2.0 * precision * recall / (precision + recall);
    println!(
        "{name}: precision {precision:.3} recall {recall:.3} F1 {f1:.3} ({both} both, {found_only} found only, {labelled_only} labelled only)"
    );
    f1
}

/// Moves the labels to their statements: within the file they lag behind by a growing number of
/// rows.
///
/// Of all ways to move them by up to 15 rows, this takes the one with the fewest disagreements,
/// where each change of the number counts as four.
fn aligned(found: &[bool], labels: &[bool]) -> Vec<bool> {
    const MOST: usize = 15;
    const CHANGE: usize = 4;
    let label = |row: usize, shift: usize| row.checked_sub(shift).is_some_and(|row| labels[row]);
    let mut costs = [CHANGE; MOST + 1];
    costs[0] = 0;
    let mut origins = Vec::with_capacity(found.len());
    for (row, &found) in found.iter().enumerate() {
        let cheapest = (0..=MOST).min_by_key(|&shift| costs[shift]).unwrap();
        let before = costs;
        let origin: [usize; MOST + 1] =
            std::array::from_fn(
                |shift| {
                    if before[shift] <= before[cheapest] + CHANGE { shift } else { cheapest }
                },
            );
        costs = std::array::from_fn(|shift| {
            before[shift].min(before[cheapest] + CHANGE) + usize::from(found != label(row, shift))
        });
        origins.push(origin);
    }
    let mut shift = (0..=MOST).min_by_key(|&shift| costs[shift]).unwrap();
    let mut moved = vec![false; found.len()];
    for row in (0..found.len()).rev() {
        moved[row] = label(row, shift);
        shift = origins[row][shift];
    }
    moved
}

#[test]
#[ignore = "needs public data"]
fn syntax_errors_of_a_model_are_found() {
    let statements = collections::neo4j_labs();
    let found: Vec<bool> = statements.iter().map(|(query, _)| !faults(query).is_empty()).collect();
    let labels: Vec<bool> = statements.iter().map(|(_, label)| *label).collect();
    print_rates("labels as they stand", counts(&found, &labels));
    let moved = aligned(&found, &labels);
    let f1 = print_rates("labels moved to their statements", counts(&found, &moved));
    let mut disagreements = BTreeMap::<_, Vec<usize>>::new();
    for row in (0..found.len()).filter(|row| found[*row] != moved[*row]) {
        let code = faults(&statements[row].0).first().map_or("not found", |fault| fault.code.as_str());
        disagreements.entry(code).or_default().push(row);
    }
    for (code, rows) in disagreements {
        println!("rows that disagree, {code}: {rows:?}");
    }
    assert!(f1 > 0.96, "{f1}");
}
