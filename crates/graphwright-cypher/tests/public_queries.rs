//! The parser, the printer and the semantic stage on public collections of queries.
//!
//! `GRAPHWRIGHT_DATA=… cargo test -p graphwright-cypher --test public_queries -- --include-ignored --nocapture` prints the figures
//! of `docs/cypher.md`.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

#[path = "public_queries/collections.rs"]
mod collections;
#[path = "public_queries/feature.rs"]
mod feature;

use graphwright_cypher::syntax::{parse, print};

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
fn queries_of_scenarios_that_succeed_parse() {
    let scenarios = feature::read_scenarios(&collections::folder().join("opencypher_tck/tck/features"));
    let succeeding = scenarios.iter().filter(|scenario| !scenario.fails_at_compile_time());
    let queries: Vec<_> =
        succeeding.flat_map(|scenario| scenario.setup.iter().chain(&scenario.queries)).collect();
    let refused = refused(queries.iter().copied());
    println!(
        "{} scenarios, {} queries that must parse, {} refused",
        scenarios.len(),
        queries.len(),
        refused.len()
    );
    assert!(queries.len() > 4_000);
    assert_eq!(refused, Vec::<String>::new());
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
