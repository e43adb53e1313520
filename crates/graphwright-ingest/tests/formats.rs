//! Tests that every file format brings equal content into the graph (`formats/README.md`).

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::{path::Path, sync::Arc};

use graphwright_core::{GraphStore, Statement, Value, store::QueryOptions};
use graphwright_documents::{Input, Limits, load};
use graphwright_embedded::EmbeddedStore;
use graphwright_ingest::Ingest;
use graphwright_ontology::Ontology;
use graphwright_rules::RulesExtractor;

const ONTOLOGY: &str = "
nodes:
  Station: {properties: {height: {type: integer}, lit: {type: date}}}
  Supplier: {}
  Person: {}
relationships:
  SUPPLIED_BY: {from: [Station], to: [Supplier], cues: [is supplied by]}
  STAFFED_BY: {from: [Station], to: [Person], cues: [is staffed by]}
";

const HTML: &str = "<!doctype html><html><head><title>Lights</title><style>p {color: red}</style></head><body>
<nav><a href='/'>Home</a></nav>
<h1>Lights of the north coast</h1>
<p>Skerry Point is a station of the coast guard. The station <b>Skerry Point</b> is supplied by Fenwick Works, which also
repairs its lamp twice a year when the weather allows a landing.</p>
<h2>Gull Rock</h2>
<p>The station Gull Rock is supplied by Harbour Stores. Gull Rock is not supplied by Fenwick Works.
It is staffed by Ottilie&nbsp;Brandt.</p>
<table><thead><tr><th>Station</th><th>Height</th><th>Lit</th></tr></thead><tbody>
<tr><td>Skerry Point</td><td>41</td><td>1874-05-03</td></tr>
<tr><td>Gull Rock</td><td>27</td><td>1902-09-17</td></tr></tbody></table>
<footer>Printed daily</footer></body></html>";

const CSV: &str = "station,height,lit,supplied by,staffed by
Skerry Point,41,1874-05-03,Fenwick Works,
Gull Rock,27,1902-09-17,Harbour Stores,Ottilie Brandt
";

const JSON: &str = r#"{"stations": [
    {"name": "Skerry Point", "height": 41, "lit": "1874-05-03", "supplied_by": "Fenwick Works"},
    {"name": "Gull Rock", "height": 27, "lit": "1902-09-17", "supplied_by": "Harbour Stores", "staffed_by": "Ottilie Brandt"}
]}"#;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formats"))
}

fn given(name: &str, text: &str) -> Input {
    Input::Bytes { source: name.to_owned(), bytes: text.as_bytes().to_vec() }
}

/// Ingests one document and returns what the graph states: facts, then properties.
async fn said_by(input: Input) -> String {
    let store: Arc<dyn GraphStore> = Arc::new(EmbeddedStore::in_memory());
    let ontology = Ontology::parse(ONTOLOGY, Path::new("lights.yaml")).unwrap();
    let ingest = Ingest::new(Arc::clone(&store), Arc::new(RulesExtractor::default())).ontology(ontology);
    let report = ingest.run(&[input], &|_| {}).await.unwrap();
    assert_eq!((report.documents.added, report.failed), (1, vec![]));
    let facts = "MATCH (a:`__Entity__`)-[r]->(b:`__Entity__`) RETURN a.name, type(r), b.name ORDER BY a.name, type(r)";
    let properties = "MATCH (s:Station) RETURN s.name, s.height, s.lit ORDER BY s.name";
    let mut said = Vec::new();
    for query in [facts, properties] {
        let rows = store.read(Statement::fixed(query), QueryOptions::default()).await.unwrap();
        for row in rows.collect().await.unwrap().rows {
            let cells = row.iter().map(|cell| match cell {
                Value::Date(date) => date.to_string(),
                Value::String(text) => text.clone(),
                other => serde_json::to_string(other).unwrap(),
            });
            said.push(cells.collect::<Vec<_>>().join(" "));
        }
    }
    said.join("\n")
}

#[tokio::test]
async fn facts_reach_the_graph_from_files_of_every_kind() {
    let expected = "Gull Rock STAFFED_BY Ottilie Brandt
Gull Rock SUPPLIED_BY Harbour Stores
Skerry Point SUPPLIED_BY Fenwick Works
Gull Rock 27 1902-09-17
Skerry Point 41 1874-05-03";
    for input in [
        Input::Path(folder().join("lights.docx")),
        Input::Path(folder().join("lights.pdf")),
        Input::Path(folder().join("lights_embedded_font.pdf")),
        given("lights.html", HTML),
        given("stations.csv", CSV),
        given("stations.json", JSON),
    ] {
        let kind = format!("{input:?}").chars().take(120).collect::<String>();
        assert_eq!(said_by(input).await, expected, "{kind}");
    }
}

#[tokio::test]
async fn passages_of_a_pdf_know_their_pages() {
    let store: Arc<dyn GraphStore> = Arc::new(EmbeddedStore::in_memory());
    let ontology = Ontology::parse(ONTOLOGY, Path::new("lights.yaml")).unwrap();
    let ingest = Ingest::new(Arc::clone(&store), Arc::new(RulesExtractor::default())).ontology(ontology);
    ingest.run(&[Input::Path(folder().join("lights.pdf"))], &|_| {}).await.unwrap();
    let query = "MATCH (c:Chunk) RETURN c.page, c.page_starts, c.start, c.text";
    let rows = store.read(Statement::fixed(query), QueryOptions::default()).await.unwrap();
    let rows = rows.collect().await.unwrap().rows;
    let [row] = rows.as_slice() else { unreachable!("the text is short") };
    let [page, Value::List(starts), Value::Integer(0), Value::String(text)] = row.as_slice() else {
        unreachable!("{row:?}")
    };
    assert_eq!((page, starts.len()), (&Value::Integer(1), 1));
    let second = usize::try_from(starts[0].as_integer().unwrap()).unwrap();
    assert!(text[second..].starts_with("## Gull Rock"), "{}", &text[second..]);
}

#[test]
fn pages_become_headings_paragraphs_and_tables() {
    let files = ["lights.docx", "lights.pdf", "lights_embedded_font.pdf"];
    let inputs = files.map(|file| Input::Path(folder().join(file)));
    let (documents, failed) = load::documents(&inputs, &Limits::default());
    assert_eq!(failed, vec![]);
    let [first, others @ ..] = documents.as_slice() else { unreachable!("there are three") };
    insta::assert_snapshot!(first.text.trim_end());
    for other in others {
        assert_eq!(other.text.trim_end(), first.text.trim_end(), "{}", other.source);
        assert_eq!(other.title, "Lights of the north coast");
    }
}
