//! The parser, the printer and the semantic stage on public collections of queries.
//!
//! `GRAPHWRIGHT_DATA=… cargo test -p graphwright-cypher --test public_queries -- --include-ignored --nocapture` prints the figures
//! of `docs/cypher.md`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test that prints figures"
)]

#[path = "public_queries/collections.rs"]
mod collections;

use graphwright_cypher::syntax::{Diagnostic, check, parse, print};

/// What is wrong with a text, if anything is; and that printing a text that is right gives the same tree again.
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

fn refused<'a>(queries: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    queries.into_iter().filter_map(|query| Some(format!("{}\n{query}", first_fault(query)?))).collect()
}

#[test]
#[ignore = "needs public data"]
fn gold_queries_parse() {
    let sets: [(&str, Vec<String>, usize); 4] = [
        ("zograscope", collections::zograscope(), 0),
        // One has a typographic apostrophe for a quote, one is a sentence in typographic quotes: neither is Cypher.
        ("recommendations_questions", collections::recommendations(), 2),
        ("mind_the_query", collections::gold("mind_the_query"), 0),
        ("cypherbench", collections::gold("cypherbench"), 0),
    ];
    for (name, queries, expected) in sets {
        let refused = refused(&queries);
        println!("{name}: {} queries, {} refused", queries.len(), refused.len());
        assert!(queries.len() > 50);
        assert_eq!(refused.len(), expected, "{refused:#?}");
    }
}

/// Everything that the parser and the semantic stage find.
fn faults(text: &str) -> Vec<Diagnostic> {
    let parsed = parse(text);
    if parsed.diagnostics.is_empty() { check(&parsed.tree, text) } else { parsed.diagnostics }
}

/// How often a fault was found and a label says so, found only, and only labelled.
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

/// The labels moved to the statements that they belong to: within the file they lag behind by a growing number of rows. Of all
/// ways to move them by up to 15 rows, the one with the fewest disagreements, where each change of the number counts as four.
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
    for (row, (query, _)) in statements.iter().enumerate().filter(|(row, _)| found[*row] != moved[*row]) {
        let code = faults(query).first().map_or("not found", |fault| fault.code.as_str());
        println!("row {row}: {code}: {}", query.replace('\n', " "));
    }
    assert!(f1 > 0.9, "{f1}");
}

#[test]
#[ignore = "needs public data"]
fn gold_queries_have_no_faults() {
    // One names no variable and has a typographic quote, one is a sentence, one orders by a variable that WITH dropped.
    let sets = [
        ("zograscope", collections::zograscope(), 0),
        ("recommendations_questions", collections::recommendations(), 3),
        ("mind_the_query", collections::gold("mind_the_query"), 0),
        ("cypherbench", collections::gold("cypherbench"), 0),
    ];
    for (name, queries, expected) in sets {
        let wrong: Vec<_> = queries.iter().filter(|query| !faults(query).is_empty()).collect();
        println!("{name}: {} queries, {} with faults", queries.len(), wrong.len());
        assert_eq!(wrong.len(), expected, "{wrong:#?}");
    }
}
