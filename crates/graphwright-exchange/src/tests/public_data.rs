//! Tests with published graphs; `docs/` says where to get them.

use super::*;

fn data(path: &str) -> PathBuf {
    let root =
        std::env::var_os("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA names the folder of public data");
    Path::new(&root).join("graphs").join(path)
}

async fn counts(store: &EmbeddedStore) -> (Value, Value) {
    let nodes = single(store, "MATCH (n) RETURN count(n)").await;
    (nodes, single(store, "MATCH ()-[r]->() RETURN count(r)").await)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs public data"]
async fn stackoverflow() {
    let store = EmbeddedStore::in_memory();
    let paths = [data("stackoverflow/stackoverflow-data-importer.zip")];
    let report = import_all(&store, &paths, &ImportOptions::default()).await.unwrap();
    assert_eq!(counts(&store).await, (6_193.into(), 11_540.into()));
    assert_eq!((report.nodes, report.relationships, report.schema), (6_193, 11_540, 10));
    let [(ProblemKind::BadValue, skipped)] = report.skipped.iter().collect::<Vec<_>>()[..] else {
        panic!("{:?}", report.skipped)
    };
    assert_eq!((skipped.count, skipped.examples[0].column.as_deref()), (1, Some("`uuid`")));
    let again = import_all(&store, &paths, &ImportOptions::default()).await.unwrap();
    assert_eq!((again.changed.nodes_created, again.changed.relationships_created), (0, 0));
    assert_eq!(counts(&store).await, (6_193.into(), 11_540.into()));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs public data"]
async fn northwind() {
    let store = EmbeddedStore::in_memory();
    let paths = [data("northwind/northwind-data-importer-mode-data.zip")];
    let report = import_all(&store, &paths, &ImportOptions::default()).await.unwrap();
    assert_eq!(counts(&store).await, (1_104.into(), 4_909.into()));
    // The model declares the text `quantityPerUnit` of 77 products a number, and one employee
    // reports to `NULL`.
    let skipped: Vec<_> =
        report.skipped.iter().map(|(kind, skipped)| (kind.as_str(), skipped.count)).collect();
    assert_eq!(skipped, [("bad_value", 77), ("dangling_relationship", 1)]);
    assert_eq!(
        single(&store, "MATCH (p:Product {productID: '1'}) RETURN p.productName").await,
        Value::from("Chai")
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs public data"]
async fn movies() {
    let store = EmbeddedStore::in_memory();
    let paths = [data("movies/movies.cypher")];
    let report = import_all(&store, &paths, &ImportOptions::default()).await.unwrap();
    assert_eq!(counts(&store).await, (171.into(), 253.into()));
    assert_eq!((report.statements, report.schema), (5, 4));
}
