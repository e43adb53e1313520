//! Every construct that the documentation says is refused, is refused by name.

use graphwright_core::{GraphStore, StoreError, store::QueryOptions};
use graphwright_cypher::{Gate, Writes};
use graphwright_embedded::EmbeddedStore;

const DOCUMENT: &str = include_str!("../../../docs/cypher-embedded.md");

/// Reads the rows of the table: the name of a construct before a bracket, and one query in
/// back-ticks.
fn examples() -> Vec<(String, String)> {
    let rows = DOCUMENT.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = rows.filter_map(|row| {
        let mut cells = row.trim_start_matches("| ").split(" | ");
        let name = cells.next()?.split(" (").next()?.replace('`', "");
        let example = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
        Some((name, example.replace("\\|", "|")))
    });
    cells.collect()
}

#[tokio::test]
async fn each_example_of_the_documentation_is_refused_by_its_name() {
    let gate =
        Gate { writes: Writes::Script, row_limit: None, max_hops: None, max_work: None, ..Gate::default() };
    let mut others = Vec::new();
    for (name, example) in examples() {
        let store = EmbeddedStore::in_memory();
        let statement = match gate.check(&example) {
            Ok(checked) => checked.statement,
            Err(refusal) => {
                others.push((name, example, refusal.to_string()));
                continue;
            }
        };
        match store.write(statement, QueryOptions::default()).await {
            Err(StoreError::Unsupported { construct, .. }) if construct.replace('`', "") == name => {}
            other => others.push((name, example, format!("{:?}", other.map(|result| result.table.rows)))),
        }
    }
    assert!(others.is_empty(), "{others:#?}");
    assert!(examples().len() > 30);
}
