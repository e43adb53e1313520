//! Runs the parser and the semantic checks of `graphwright-cypher` on the queries of the kit.
//! Nothing runs on a store.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::PathBuf;

use graphwright_cypher::syntax::{Diagnostic, check, parse, print};
use graphwright_tck::{Scenario, load};

fn scenarios() -> Vec<Scenario> {
    let folder = std::env::var("GRAPHWRIGHT_DATA").unwrap_or_else(|_| panic!("GRAPHWRIGHT_DATA is not set"));
    load(&PathBuf::from(folder).join("opencypher_tck/tck")).unwrap()
}

/// Returns the faults that the parser and the semantic checks find.
fn faults(text: &str) -> Vec<Diagnostic> {
    let parsed = parse(text);
    if parsed.diagnostics.is_empty() { check(&parsed.tree, text) } else { parsed.diagnostics }
}

/// Returns the detail of an error that a scenario expects before its query runs, as
/// `UndefinedVariable`.
fn compile_time_error(scenario: &Scenario) -> Option<&str> {
    let (when, detail) = scenario.error()?.rsplit_once(':')?;
    when.contains("compile time").then(|| detail.trim())
}

#[test]
#[ignore = "needs public data"]
fn queries_of_scenarios_that_succeed_parse_without_faults() {
    let scenarios = scenarios();
    let mut count = 0;
    let mut refused = Vec::new();
    for scenario in &scenarios {
        let tested = scenario.error().is_none().then(|| scenario.queries());
        for query in scenario.setup().chain(tested.into_iter().flatten()) {
            count += 1;
            let faults = faults(query);
            let printed = print(&parse(query).tree);
            if !faults.is_empty() || print(&parse(&printed).tree) != printed {
                refused.push(format!("{} {faults:?}\n{query}\n{printed}", scenario.id));
            }
        }
    }
    println!("{} scenarios, {count} queries that must succeed, {} refused", scenarios.len(), refused.len());
    assert_eq!((scenarios.len(), count), (3_897, 4_187));
    assert_eq!(refused, Vec::<String>::new());
}

#[test]
#[ignore = "needs public data"]
fn faults_of_scenarios_are_found_at_compile_time() {
    let scenarios = scenarios();
    let failing: Vec<_> =
        scenarios.iter().filter(|scenario| compile_time_error(scenario).is_some()).collect();
    let mut missed = Vec::new();
    let mut same = 0;
    for scenario in &failing {
        let detail = compile_time_error(scenario).unwrap();
        let found: Vec<_> =
            scenario.queries().flat_map(faults).map(|fault| format!("{:?}", fault.code)).collect();
        if found.is_empty() {
            missed.push(scenario.id.as_str());
        } else if found.iter().any(|code| code == detail) {
            same += 1;
        } else {
            println!("{}: expected {detail}, found {found:?}", scenario.id);
        }
    }
    let found = failing.len() - missed.len();
    println!("{found} of {} found, {same} with the code of the kit; missed: {missed:#?}", failing.len());
    // Finding the others needs the signatures of the store's procedures or the values of
    // parameters.
    assert!(missed.iter().all(|id| id.contains("clauses/call/")), "{missed:?}");
    assert_eq!((failing.len(), found, same), (600, 591, 588));
}
