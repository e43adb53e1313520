//! What one store exports, the other imports without loss.

use std::collections::{BTreeMap, BTreeSet};

use graphwright_core::{GraphStore, Statement, Value, store::QueryOptions};
use graphwright_embedded::EmbeddedStore;
use graphwright_exchange::{ExportOptions, ImportOptions, Source, export_json_lines, import};
use serde_json::Value as Json;

use crate::support::{alone_and_empty, emptied, rows};

/// A graph with all that an export may hold.
///
/// It has values of every type, names that mean something to one of the stores, parallel
/// relationships and loops, nodes without labels, vectors under two names with their indexes, and a
/// constraint.
const EVERYTHING: &str = r#"{"graphwright":1,"graph":"everything"}
{"constraint":{"name":"person_email","label":"Person","properties":["email"]}}
{"node":"1","labels":["Person","Author","Of books"],"properties":{"__id__":"1","email":"a@example.org","id":7,"name":"Ada","type":"x","title":"Countess","label":"l","a b`c":"é\n\"","labels":["p","q"],"embedded":[0.5,0.25]}}
{"node":"2","labels":["Person"],"properties":{"__id__":"2","email":"b@example.org","boolean":true,"false":false,"least":-9223372036854775808,"most":9223372036854775807,"float":1.0,"small":5e-324,"large":1.7976931348623157e308,"negative":-0.0,"empty":"","nothing":[],"integers":[1,2],"floats":[1.0,2.5],"texts":["a",""],"booleans":[true,false]}}
{"node":"3","labels":["Moment"],"properties":{"__id__":"3","date":{"$type":"date","value":"2024-03-01"},"early":{"$type":"date","value":"-000044-03-15"},"time":{"$type":"time","value":"10:00:00+02:00"},"local_time":{"$type":"local_time","value":"10:00:00.000000005"},"datetime":{"$type":"datetime","value":"2024-03-01T10:00:00+01:00[Europe/Paris]"},"offset":{"$type":"datetime","value":"2024-03-01T10:00:00.123456789-03:30"},"utc":{"$type":"datetime","value":"2024-03-01T10:00:00Z"},"local_datetime":{"$type":"local_datetime","value":"2024-03-01T10:00:00"},"duration":{"$type":"duration","value":"P1Y2M3DT4H5M6.5S"},"back":{"$type":"duration","value":"P-1M-2DT-3.5S"},"dates":[{"$type":"date","value":"2024-03-01"},{"$type":"date","value":"2024-03-02"}]}}
{"node":"4","labels":["Place"],"properties":{"__id__":"4","cartesian":{"$type":"point","srid":7203,"x":1.5,"y":-2.0},"cartesian_3d":{"$type":"point","srid":9157,"x":1.5,"y":-2.0,"z":3.0},"wgs_84":{"$type":"point","srid":4326,"x":12.5,"y":55.7},"wgs_84_3d":{"$type":"point","srid":4979,"x":12.5,"y":55.7,"z":10.0}}}
{"node":"5","labels":[],"properties":{"__id__":"5","name":"bare"}}
{"node":"6","labels":[],"properties":{"__id__":"6"}}
{"node":"7","labels":[],"properties":{"__id__":"1","name":"not Ada"}}
{"relationship":"r1","type":"KNOWS","from":"1","to":"2","properties":{"__id__":"r1","since":1815,"id":"x","type":"y"}}
{"relationship":"r2","type":"KNOWS","from":"1","to":"2","properties":{"__id__":"r2","since":1815,"at":{"$type":"datetime","value":"2024-03-01T10:00:00+01:00[Europe/Paris]"}}}
{"relationship":"r3","type":"KNOWS","from":"2","to":"1","properties":{"__id__":"r3"}}
{"relationship":"r1","type":"KNOWS","from":"1","to":"1","properties":{"__id__":"r1"}}
{"relationship":"r1","type":"A b`c","from":"5","to":"6","properties":{"__id__":"r1","where":{"$type":"point","srid":4326,"x":12.5,"y":55.7}}}
{"relationship":"r2","type":"A b`c","from":"6","to":"3","properties":{"__id__":"r2"}}
{"relationship":"r3","type":"A b`c","from":"7","to":"1","properties":{"__id__":"r3"}}
{"vector":"1","property":"embedding","values":[0.1,-2.0,3.4e38]}
{"vector":"2","property":"embedding","values":[1.0,0.0,1e-45]}
{"vector":"5","property":"embedding","values":[0.5,0.25]}
{"vector":"4","property":"shape","values":[1.0,2.0]}
{"index":{"name":"person_name","target":{"label":"Person"},"properties":["name"],"kind":"property"}}
{"index":{"name":"person_vectors","target":{"label":"Person"},"properties":["embedding"],"kind":"vector","dimensions":3,"similarity":"cosine"}}
{"index":{"name":"place_shapes","target":{"label":"Place"},"properties":["shape"],"kind":"vector","dimensions":2,"similarity":"euclidean"}}
{"end":{"nodes":7,"relationships":7,"vectors":4}}
"#;

async fn import_text(store: &dyn GraphStore, text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.jsonl");
    std::fs::write(&path, text).unwrap();
    let options = ImportOptions::default();
    let sources = Source::detect(&path, &options.csv).unwrap();
    import(store, sources, &options, &mut |_| {}).await.unwrap();
}

async fn export_text(store: &dyn GraphStore) -> String {
    let mut text = Vec::new();
    export_json_lines(store, &mut text, &ExportOptions::default(), &mut |_| {}).await.unwrap();
    String::from_utf8(text).unwrap()
}

/// Returns what an export holds, without the order of lines and labels and the names of its
/// elements.
fn content_of(export: &str) -> BTreeSet<String> {
    let mut names = BTreeMap::new();
    let mut content = BTreeSet::new();
    for line in export.lines() {
        let mut line: Json = serde_json::from_str(line).unwrap();
        let name = format!("{} {}", line["labels"].get(0).is_some(), line["properties"]["__id__"]);
        if line["graphwright"].is_number() {
            continue;
        }
        if let Some(labels) = line["labels"].as_array_mut() {
            labels.sort_by_key(ToString::to_string);
        }
        if let Some(given) = line["node"].as_str() {
            names.insert(given.to_owned(), name);
            line["node"] = Json::Null;
        } else if line["relationship"].is_string() {
            line["relationship"] = Json::Null;
        }
        for end in ["from", "to", "vector"] {
            if let Some(name) = line[end].as_str() {
                line[end] = names[name].as_str().into();
            }
        }
        if let Some(properties) = line["properties"].as_object_mut() {
            properties.sort_keys();
        }
        assert!(content.insert(line.to_string()), "twice: {line}");
    }
    content
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn a_graph_goes_to_the_server_and_back_without_loss() {
    let (_alone, server) = alone_and_empty().await;
    let (begin, back) = (EmbeddedStore::in_memory(), EmbeddedStore::in_memory());
    import_text(&begin, EVERYTHING).await;
    let given = export_text(&begin).await;
    assert_eq!(content_of(&given), content_of(EVERYTHING));

    import_text(&*server, &given).await;
    let there = export_text(&*server).await;
    assert_eq!(content_of(&there), content_of(&given));

    import_text(&back, &there).await;
    assert_eq!(content_of(&export_text(&back).await), content_of(&given));

    // Once more into what is there: nothing new.
    import_text(&*server, &export_text(&back).await).await;
    assert_eq!(content_of(&export_text(&*server).await), content_of(&given));

    // The server's vector indexes find what they were made for.
    let found = rows(
        &*server,
        "CALL db.index.vector.queryNodes('place_shapes', 1, [1.0, 2.0]) YIELD node, score RETURN node.__id__, score",
    );
    assert_eq!(found.await.unwrap(), [["4".into(), 1.0.into()]]);
    emptied(&server).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs neo4j"]
async fn nodes_in_results_come_without_their_vectors() {
    let (_alone, server) = alone_and_empty().await;
    let embedded = EmbeddedStore::in_memory();
    for store in [&*server as &dyn GraphStore, &embedded] {
        import_text(store, EVERYTHING).await;
    }
    // The second reading knows the names of indexes by then.
    for _ in 0..2 {
        for text in [
            "MATCH (n:Place) RETURN n",
            "MATCH (n:Person {__id__: '1'}) RETURN n",
            "MATCH (n {__id__: '5'}) RETURN [n, {inner: n}] AS list",
            "MATCH p = (:Person {__id__: '1'})-[:KNOWS]->(:Person {__id__: '2'}) RETURN p ORDER BY length(p) LIMIT 1",
        ] {
            let (one, other) = (rows(&*server, text).await.unwrap(), rows(&embedded, text).await.unwrap());
            let shown = serde_json::to_string(&one).unwrap();
            assert!(!shown.contains("embedding") && !shown.contains("shape"), "{text}: {shown}");
            assert!(!serde_json::to_string(&other).unwrap().contains("embedding"), "{text}");
            assert_eq!(one.len(), other.len(), "{text}");
        }
    }
    // Lists of numbers that are no vectors stay.
    let shown = rows(&*server, "MATCH (n:Author) RETURN n").await.unwrap();
    let node = shown[0][0].as_node().unwrap();
    assert_eq!(node.properties["embedded"], Value::from(vec![0.5, 0.25]));
    // Who writes gets them neither, and who names a vector gets it.
    let text = Statement::fixed("MATCH (n:Place) SET n.seen = true RETURN n");
    let written = server.write(text, QueryOptions::default()).await.unwrap();
    assert!(!written.table.rows[0][0].as_node().unwrap().properties.contains_key("shape"));
    let named = rows(&*server, "MATCH (n:Place) RETURN n.shape").await.unwrap();
    assert_eq!(named, [[Value::from(vec![1.0, 2.0])]]);
    emptied(&server).await.unwrap();
}
