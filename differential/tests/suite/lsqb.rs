//! Runs the queries of LSQB (Mhedhbi et al.: "LSQB: a large-scale subgraph query benchmark",
//! GRADES-NDA 2021), which count matches, on two of its graphs.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use graphwright_core::{GraphStore, Statement, Value, store::QueryOptions};
use graphwright_embedded::EmbeddedStore;
use graphwright_exchange::{CsvFiles, CsvFormat, ImportOptions, Source, import};

use crate::server;

const QUERIES: [&str; 9] = [
    "MATCH (:Country)<-[:IS_PART_OF]-(:City)<-[:IS_LOCATED_IN]-(:Person)<-[:HAS_MEMBER]-(:Forum)\
     -[:CONTAINER_OF]->(:Post)<-[:REPLY_OF]-(:Comment)-[:HAS_TAG]->(:Tag)-[:HAS_TYPE]->(:TagClass) \
     RETURN count(*) AS count",
    "MATCH (person1:Person)-[:KNOWS]-(person2:Person), \
     (person1)<-[:HAS_CREATOR]-(comment:Comment)-[:REPLY_OF]->(post:Post)-[:HAS_CREATOR]->(person2) \
     RETURN count(*) AS count",
    "MATCH (country:Country) \
     MATCH (person1:Person)-[:IS_LOCATED_IN]->(city1:City)-[:IS_PART_OF]->(country) \
     MATCH (person2:Person)-[:IS_LOCATED_IN]->(city2:City)-[:IS_PART_OF]->(country) \
     MATCH (person3:Person)-[:IS_LOCATED_IN]->(city3:City)-[:IS_PART_OF]->(country) \
     MATCH (person1)-[:KNOWS]-(person2)-[:KNOWS]-(person3)-[:KNOWS]-(person1) RETURN count(*) AS count",
    "MATCH (:Tag)<-[:HAS_TAG]-(message:Message)-[:HAS_CREATOR]->(creator:Person), \
     (message)<-[:LIKES]-(liker:Person), (message)<-[:REPLY_OF]-(comment:Comment) RETURN count(*) AS count",
    "MATCH (tag1:Tag)<-[:HAS_TAG]-(message:Message)<-[:REPLY_OF]-(comment:Comment)-[:HAS_TAG]->(tag2:Tag) \
     WHERE tag1 <> tag2 RETURN count(*) AS count",
    "MATCH (person1:Person)-[:KNOWS]-(person2:Person)-[:KNOWS]-(person3:Person)-[:HAS_INTEREST]->(tag:Tag) \
     WHERE person1 <> person3 RETURN count(*) AS count",
    "MATCH (:Tag)<-[:HAS_TAG]-(message:Message)-[:HAS_CREATOR]->(creator:Person) \
     OPTIONAL MATCH (message)<-[:LIKES]-(liker:Person) \
     OPTIONAL MATCH (message)<-[:REPLY_OF]-(comment:Comment) RETURN count(*) AS count",
    "MATCH (tag1:Tag)<-[:HAS_TAG]-(message:Message)<-[:REPLY_OF]-(comment:Comment)-[:HAS_TAG]->(tag2:Tag) \
     WHERE NOT (comment)-[:HAS_TAG]->(tag1) AND tag1 <> tag2 RETURN count(*) AS count",
    "MATCH (person1:Person)-[:KNOWS]-(person2:Person)-[:KNOWS]-(person3:Person)-[:HAS_INTEREST]->(tag:Tag) \
     WHERE NOT (person1)-[:KNOWS]-(person3) AND person1 <> person3 RETURN count(*) AS count",
];

fn folder() -> PathBuf {
    let root = std::env::var_os("GRAPHWRIGHT_DATA").unwrap_or_else(|| panic!("GRAPHWRIGHT_DATA is not set"));
    PathBuf::from(root).join("lsqb")
}

/// Returns the counts that LSQB publishes for a graph.
fn published(scale: &str) -> Vec<i64> {
    let text = std::fs::read_to_string(folder().join("expected-output/expected-output.csv")).unwrap();
    let rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row[2] == scale).map(|row| row[5].parse().unwrap()).collect()
}

/// Returns the files of a graph. The name of a file tells the label or type, and posts and comments
/// are messages too.
fn sources(graph: &Path) -> Vec<Source> {
    let files = std::fs::read_dir(graph).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            let parts: Vec<&str> = stem.split('_').collect();
            let files = |names: Vec<String>| CsvFiles { paths: vec![path.clone()], names };
            match parts[..] {
                [_, kind, _] => Source::CsvRelationships(files(vec![upper_snake(kind)])),
                [label @ ("Post" | "Comment")] => {
                    Source::CsvNodes(files(vec![label.to_owned(), "Message".to_owned()]))
                }
                _ => Source::CsvNodes(files(vec![stem.clone()])),
            }
        })
        .collect()
}

fn upper_snake(name: &str) -> String {
    name.chars()
        .flat_map(|char| char.is_uppercase().then_some('_').into_iter().chain(char.to_uppercase()))
        .collect()
}

async fn counts(store: &dyn GraphStore, graph: &Path) -> Vec<i64> {
    let csv = CsvFormat { delimiter: '|', ..CsvFormat::default() };
    let options = ImportOptions { csv, ..ImportOptions::default() };
    import(store, sources(graph), &options, &mut |_| {}).await.unwrap();
    let mut counts = Vec::new();
    for query in QUERIES {
        let rows = store.read(Statement::fixed(query), QueryOptions::default()).await.unwrap();
        counts.push(rows.collect().await.unwrap().rows[0].first().and_then(Value::as_integer).unwrap());
    }
    counts
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j and public data"]
async fn matches_are_counted_alike() {
    let example = folder().join("data/social-network-sfexample-projected-fk");
    let small = folder().join("data/social-network-sf0.003-projected-fk");
    for (graph, published) in [(example, Some(published("example"))), (small, None)] {
        let (neo4j, _guard) = server().await;
        let embedded: Arc<dyn GraphStore> = Arc::new(EmbeddedStore::in_memory());
        let here = counts(&*embedded, &graph).await;
        let there = counts(&*neo4j, &graph).await;
        println!("LSQB {}: {here:?}", graph.display());
        assert_eq!(here, there);
        if let Some(published) = published {
            assert_eq!(here, published);
        }
    }
}
