//! Forms that other programs read: well formed, with all nodes, relationships and values.

use std::collections::BTreeMap;

use graphwright_core::{NodeKey, Properties, RelationshipKey, store::ChangeSet};
use oxrdf::{Term, vocab::rdf};
use quick_xml::{Reader, XmlVersion, events::Event};

use super::*;
use crate::{FileForm, export_file};

/// A store with names and values that a careless writer gets wrong.
async fn awkward() -> EmbeddedStore {
    let store = EmbeddedStore::in_memory();
    let (ada, team) = (NodeKey::new("Person", "Person:ada"), NodeKey::new("Team", "\"R&D\" <\u{1b}\u{0}>"));
    let date = Value::Date(jiff::civil::date(1815, 12, 10));
    let mut changes = ChangeSet::new();
    let properties = Properties::from([
        ("name".to_owned(), "Ada  Łovelace\r\n\t'quoted' ]]>".into()),
        ("label".to_owned(), "countess".into()),
        ("born".to_owned(), date),
        ("aliases".to_owned(), Value::List(vec!["A".into(), "B; C".into()])),
        ("__path__".to_owned(), "/home/ada".into()),
        ("score".to_owned(), 1.into()),
    ]);
    changes.upsert_node(ada.clone(), &["Author", "__Entity__"], properties);
    let properties = Properties::from([
        ("name".to_owned(), "R&D\u{1}".into()),
        ("score".to_owned(), 0.5.into()),
        ("open".to_owned(), true.into()),
    ]);
    changes.upsert_node(team.clone(), &[], properties);
    changes.upsert_node(NodeKey::new("__Meta__", "ontology"), &[], Properties::new());
    for (id, year) in [("a", 1842), ("b", 1843)] {
        let key =
            RelationshipKey { kind: "MEMBER OF".into(), from: ada.clone(), to: team.clone(), id: id.into() };
        changes.upsert_relationship(key, Properties::from([("since".to_owned(), year.into())]));
    }
    store.apply(changes).await.unwrap();
    store
}

async fn export(store: &dyn GraphStore, name: &str) -> (String, ExportReport) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let form = FileForm::from_path(&path).unwrap();
    let report = export_file(store, &path, form, &ExportOptions::default(), &mut |_| {}).await.unwrap();
    (std::fs::read_to_string(path).unwrap(), report)
}

/// Reads XML, which must be well formed. Returns how often each element comes, and all texts and values.
fn read_xml(text: &str) -> (BTreeMap<String, usize>, Vec<String>) {
    let (mut counts, mut texts, mut depth) = (BTreeMap::new(), Vec::new(), 0);
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::End(_) => depth -= 1,
            Event::Text(text) => texts.push(text.as_ref().to_owned()),
            event @ (Event::Start(_) | Event::Empty(_)) => {
                depth += i32::from(matches!(event, Event::Start(_)));
                let (Event::Start(element) | Event::Empty(element)) = event else { unreachable!() };
                *counts.entry(element.name().as_ref().to_owned()).or_default() += 1;
                for attribute in element.attributes() {
                    let value = attribute.unwrap().normalized_value(XmlVersion::Implicit1_0).unwrap();
                    texts.push(value.into_owned());
                }
            }
            Event::GeneralRef(_) | Event::Decl(_) => {}
            other => panic!("unexpected {other:?}"),
        }
    }
    assert_eq!(depth, 0);
    (counts, texts)
}

#[tokio::test]
async fn graphml_has_typed_keys_and_all_elements() {
    let (text, report) = export(&awkward().await, "graph.graphml").await;
    let (counts, _) = read_xml(&text);
    assert_eq!((counts["node"], counts["edge"], counts["key"]), (2, 2, 12));
    assert_eq!((report.nodes, report.relationships), (2, 2));
    insta::assert_snapshot!(text);
    insta::assert_snapshot!(report.losses.join("\n"), @"
    4 characters that XML cannot hold are written as U+FFFD
    records of Graphwright's own are not written: 1
    ");
}

#[tokio::test]
async fn gexf_has_typed_attributes_and_all_elements() {
    let (text, report) = export(&awkward().await, "graph.gexf").await;
    let (counts, values) = read_xml(&text);
    assert_eq!((counts["node"], counts["edge"], counts["nodes"], counts["edges"]), (2, 2, 1, 1));
    assert_eq!((report.nodes, report.relationships), (2, 2));
    assert!(values.iter().any(|value| value == "Ada  Łovelace\r\n\t'quoted' ]]>"), "{values:?}");
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn turtle_reads_back() {
    let (text, report) = export(&awkward().await, "graph.ttl").await;
    let triples: Vec<_> = oxttl::TurtleParser::new().for_slice(&text).map(Result::unwrap).collect();
    let of = |predicate: &str| -> Vec<Term> {
        let found = triples.iter().filter(|triple| triple.predicate.as_str() == predicate);
        found.map(|triple| triple.object.clone()).collect()
    };
    let kinds = of(rdf::TYPE.as_str());
    assert_eq!(kinds.iter().filter(|kind| **kind == Term::from(rdf::STATEMENT)).count(), 2);
    assert_eq!(of("urn:graphwright:relationship:MEMBER%20OF").len(), 2);
    assert_eq!((report.nodes, report.relationships), (2, 2));
    let names: Vec<_> = of(oxrdf::vocab::rdfs::LABEL.as_str()).iter().map(ToString::to_string).collect();
    assert!(names.contains(&r#""Ada  Łovelace\r\n\t'quoted' ]]>""#.to_owned()), "{names:?}");
    // The prefixes come in any order.
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("@prefix ")).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[tokio::test]
async fn an_empty_graph_is_a_whole_file() {
    let store = EmbeddedStore::in_memory();
    for name in ["graph.graphml", "graph.gexf"] {
        let (text, report) = export(&store, name).await;
        assert_eq!((report.nodes, read_xml(&text).0["graph"]), (0, 1));
    }
    let (text, _) = export(&store, "graph.ttl").await;
    assert_eq!(oxttl::TurtleParser::new().for_slice(&text).count(), 0);
}

#[tokio::test]
#[ignore = "needs python"]
async fn networkx_reads_graphml() {
    const SCRIPT: &str = "
import json, sys, networkx
graph = networkx.read_graphml(sys.argv[1])
ada = next(node for node in graph.nodes.values() if node['labels'] == 'Person:Author')
since = sorted(edge['since'] for _, _, edge in graph.edges(data=True))
print(json.dumps([graph.is_directed(), graph.is_multigraph(), len(graph), ada['name'], ada['score'], since]))
";
    let (text, _) = export(&awkward().await, "graph.graphml").await;
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "graph.graphml", &text);
    let python = std::env::var("GRAPHWRIGHT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let python = std::process::Command::new(python).args(["-c", SCRIPT]).arg(path).output().unwrap();
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    let expected = r#"[true, true, 2, "Ada  \u0141ovelace\r\n\t'quoted' ]]>", 1.0, [1842, 1843]]"#;
    assert_eq!(String::from_utf8(python.stdout).unwrap().trim_end(), expected);
}
