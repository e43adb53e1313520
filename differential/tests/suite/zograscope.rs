//! Runs the gold queries of ZOGRASCOPE on the graph of crimes, imported into both stores.

use std::{path::PathBuf, sync::Arc};

use futures::{StreamExt, stream};
use graphwright_core::{GraphStore, Properties};
use graphwright_differential::{Verdict, judge};
use graphwright_embedded::EmbeddedStore;
use graphwright_exchange::{ImportOptions, Source, import};

use crate::{server, support};

/// The gold query of a question and the number of rows that it should return.
struct Gold {
    id: String,
    query: String,
    rows: usize,
}

fn folder() -> PathBuf {
    let root = std::env::var_os("GRAPHWRIGHT_DATA").unwrap_or_else(|| panic!("GRAPHWRIGHT_DATA is not set"));
    PathBuf::from(root).join("zograscope")
}

fn gold() -> Vec<Gold> {
    let mut reader = csv::Reader::from_path(folder().join("train.csv")).unwrap();
    let headers = reader.headers().unwrap().clone();
    let place = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (id, query, rows) = (place("id"), place("mr"), place("return_count"));
    let records = reader.records().map(Result::unwrap);
    records
        .map(|record| Gold {
            id: record[id].to_owned(),
            query: record[query].to_owned(),
            rows: record[rows].parse().unwrap(),
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j and public data"]
async fn gold_queries_give_the_same_rows() {
    let (neo4j, _guard) = server().await;
    let embedded: Arc<dyn GraphStore> = Arc::new(EmbeddedStore::in_memory());
    let options = ImportOptions::default();
    for store in [&embedded, &neo4j] {
        let sources = Source::detect(&folder().join("pole_csv"), &options.csv).unwrap();
        let report = import(&**store, sources, &options, &mut |_| {}).await.unwrap();
        assert_eq!((report.nodes, report.relationships), (61_521, 105_840));
    }
    let gold = gold();
    assert_eq!(gold.len(), 2_350);
    let gold: Vec<_> = gold.into_iter().step_by(support::one_in()).collect();
    let parameters = Properties::new();
    let verdicts: Vec<_> = stream::iter(&gold)
        .map(|gold| judge(&*embedded, &*neo4j, &gold.query, &parameters))
        .buffered(3)
        .collect()
        .await;
    support::clear(&*neo4j).await.unwrap();
    let mut faults = Vec::new();
    let mut same = 0;
    for (Gold { id, query, rows }, verdict) in gold.iter().zip(&verdicts) {
        match verdict {
            Verdict::Same(found) => {
                same += 1;
                if found != rows {
                    faults.push(format!("{id}: {found} rows on both, should be {rows}\n    {query}"));
                }
            }
            other => faults.push(format!("{id}: {other:?}\n    {query}")),
        }
    }
    println!("ZOGRASCOPE: {} queries, {same} with the same rows on both stores", gold.len());
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
