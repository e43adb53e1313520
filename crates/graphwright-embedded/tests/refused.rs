//! What the documentation says is refused is refused by name.

use graphwright_core::{GraphStore, StoreError, store::QueryOptions};
use graphwright_cypher::{Gate, Writes};
use graphwright_embedded::EmbeddedStore;

const DOCUMENT: &str = include_str!("../../../docs/cypher-embedded.md");

/// The second column of the table: one query in back-ticks.
fn examples() -> Vec<&'static str> {
    let rows = DOCUMENT.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = rows.filter_map(|row| row.split(" | ").nth(1)).filter(|cell| cell.starts_with('`'));
    cells.map(|cell| cell.trim_matches('`')).collect()
}

#[tokio::test]
async fn each_example_of_the_documentation_is_refused() {
    let gate =
        Gate { writes: Writes::Script, row_limit: None, max_hops: None, max_work: None, ..Gate::default() };
    let mut others = Vec::new();
    for example in examples() {
        let store = EmbeddedStore::in_memory();
        let checked = gate.check(example).unwrap();
        match store.write(checked.statement, QueryOptions::default()).await {
            Err(StoreError::Unsupported { .. }) => {}
            other => others.push((example, other.map(|result| result.table.rows))),
        }
    }
    assert!(others.is_empty(), "{others:#?}");
    assert!(examples().len() > 10);
}
