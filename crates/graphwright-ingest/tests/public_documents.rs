//! Tests ingesting a public set of documents with an inferred ontology: provenance is complete,
//! links become relationships, and a second run changes nothing.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a test that also reports what it found")]
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use futures::StreamExt;
use graphwright_core::{
    ElementId, GraphStore, Node, Properties, Relationship, Value, names, store::ScanOptions,
};
use graphwright_documents::{Extractor, Input, ParsedDocument, load};
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use graphwright_english::names::name_key;
use graphwright_ingest::{Ingest, IngestReport};
use graphwright_rules::RulesExtractor;

fn folder() -> PathBuf {
    PathBuf::from(std::env::var("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA is set"))
        .join("azure_well_architected")
}

async fn ingest(store: &Arc<EmbeddedStore>) -> IngestReport {
    let extractor: Arc<dyn Extractor> = Arc::new(RulesExtractor::default());
    let infer =
        |documents: &[Arc<ParsedDocument>]| graphwright_rules::infer(documents.iter().map(Arc::as_ref));
    let ingest = Ingest::new(Arc::clone(store) as Arc<dyn GraphStore>, extractor).infer(Arc::new(infer));
    let report = ingest.run(&[Input::Path(folder())], &|_| {}).await.expect("ingests");
    println!("{}", serde_json::to_string(&report).expect("writes"));
    report
}

async fn scan(store: &dyn GraphStore) -> (BTreeMap<ElementId, Node>, Vec<Relationship>) {
    let mut batches = store.scan(ScanOptions::default()).await.expect("scans");
    let (mut nodes, mut relationships) = (BTreeMap::new(), Vec::new());
    while let Some(batch) = batches.next().await {
        let batch = batch.expect("scans");
        nodes.extend(batch.nodes.into_iter().map(|node| (node.element_id.clone(), node)));
        relationships.extend(batch.relationships);
    }
    (nodes, relationships)
}

fn list<'p>(properties: &'p Properties, name: &str) -> &'p [Value] {
    properties.get(name).and_then(Value::as_list).unwrap_or_default()
}

fn spans(properties: &Properties) -> Vec<(usize, usize)> {
    let number = |value: &Value| value.as_integer().expect("a number") as usize;
    let ends = list(properties, names::ENDS).iter().map(number);
    list(properties, names::STARTS).iter().map(number).zip(ends).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs public data"]
async fn every_statement_of_the_graph_is_in_its_document() {
    let place = tempfile::tempdir().expect("a folder");
    let store = EmbeddedStore::open(place.path().join("store"), OpenOptions::writer()).await.expect("opens");
    let store = Arc::new(store);
    let first = ingest(&store).await;
    assert_eq!((first.failed.len(), first.skipped.len()), (0, 0), "{:?} {:?}", first.failed, first.skipped);
    assert!(first.links.added > 300, "{:?}", first.links);

    let texts: BTreeMap<String, String> = load::load(&[Input::Path(folder())], load::Limits::default())
        .map(|document| document.expect("loads"))
        .map(ParsedDocument::into_document)
        .map(|document| (document.id, document.text))
        .collect();
    let (nodes, relationships) = scan(store.as_ref()).await;
    let text_at = |chunk: &str, (start, end): (usize, usize)| {
        let document = chunk.rsplit_once('#').expect("a chunk").0;
        texts[document].get(start..end).expect("a range of the text").to_owned()
    };
    let mut checked: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &relationships {
        let (from, to) = (&nodes[&one.start], &nodes[&one.end]);
        let named = |node: &Node| -> Vec<String> {
            let aliases = list(&node.properties, names::ALIASES).iter().filter_map(Value::as_str);
            std::iter::once(node.display_name()).chain(aliases).map(name_key).collect()
        };
        let holds = |text: &str, node: &Node| {
            let text = name_key(text);
            named(node).iter().any(|name| text.contains(name.as_str()))
        };
        match one.kind.as_str() {
            names::FROM_DOCUMENT | names::NEXT_CHUNK | names::LINKS_TO => continue,
            // The fields and links of a page tell of it without its name.
            kind if kind == "REFERS_TO" || kind.starts_with("HAS_") => {}
            names::FROM_CHUNK => {
                let chunk = &to.properties;
                for span in spans(&one.properties) {
                    let text = text_at(to.id(), span);
                    // "Gen 1 and 2" mentions two things that share a part of the name.
                    *checked.entry("mentions").or_default() += 1;
                    *checked.entry("mentions in full").or_default() += usize::from(holds(&text, from));
                    let begins = chunk["start"].as_integer().expect("a number") as usize;
                    assert!(begins <= span.0, "{} is mentioned before {}", from.id(), to.id());
                }
            }
            _ => {
                let chunks = list(&one.properties, names::CHUNKS);
                assert!(!chunks.is_empty());
                for (chunk, span) in chunks.iter().zip(spans(&one.properties)) {
                    let text = text_at(chunk.as_str().expect("a chunk"), span);
                    // A pronoun or a description may stand for one of the names.
                    let (names_from, names_to) = (holds(&text, from), holds(&text, to));
                    *checked.entry("statements").or_default() += 1;
                    *checked.entry("statements naming an end").or_default() +=
                        usize::from(names_from || names_to);
                    *checked.entry("statements naming both ends").or_default() +=
                        usize::from(names_from && names_to);
                }
            }
        }
        *checked.entry(one.kind.as_str()).or_default() += 1;
    }
    println!("{checked:#?}");
    // Fields of pages mention these without their names.
    assert!(checked["mentions in full"] * 100 >= checked["mentions"] * 85, "{checked:?}");
    assert!(checked["statements naming an end"] * 100 >= checked["statements"] * 85, "{checked:?}");

    // The passages of a document together are its text.
    let mut passages: BTreeMap<String, Vec<(i64, String)>> = BTreeMap::new();
    for chunk in nodes.values().filter(|node| node.kind() == names::CHUNK) {
        let text = |name: &str| chunk.properties[name].as_str().expect("text").to_owned();
        let index = chunk.properties["index"].as_integer().expect("a number");
        passages.entry(text("document")).or_default().push((index, text("text")));
    }
    for (document, mut parts) in passages {
        parts.sort();
        let joined: String = parts.into_iter().map(|(_, text)| text).collect();
        assert_eq!(joined, texts[&document], "{document}");
    }

    let version = store.version().await.expect("a version");
    let second = ingest(&store).await;
    for count in [second.documents, second.chunks, second.entities, second.relationships, second.links] {
        assert_eq!((count.added, count.changed, count.removed), (0, 0, 0));
    }
    assert_eq!(second.entities.unchanged, first.entities.added);
    assert_eq!(second.relationships.unchanged, first.relationships.added);
    assert_eq!(store.version().await.expect("a version"), version);
}
