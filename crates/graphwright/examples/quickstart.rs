//! From a folder of documents to an answered question, with what proves the answer. Offline and without a model:
//!
//! ```sh
//! cargo run -p graphwright --example quickstart
//! cargo run -p graphwright --example quickstart -- docs/ "Who owns the ledger service?"
//! ```

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;

use graphwright::{Graph, IngestOptions, Input, Ontology};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/software-catalogue");

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (input, ontology, question) = match arguments.as_slice() {
        [documents, question] => (Input::parse(documents), None, question.as_str()),
        _ => (
            Input::parse(&format!("{SAMPLE}/documents")),
            Some(Ontology::read(format!("{SAMPLE}/ontology.yaml").as_ref())?),
            "Which services written in Go are affected by the deprecation of auth-lib-v2?",
        ),
    };

    // The store is a folder; it is made when there is none.
    let folder = tempfile::tempdir()?;
    let graph = Graph::builder().store(folder.path().join("graph")).build().await?;

    // Without an ontology one is inferred from the documents.
    let mut options = IngestOptions::default();
    options.ontology = ontology;
    let done = graph.ingest([input]).with(options).await?;
    println!("{} documents, {} facts", done.report.documents.added, done.report.relationships.added);
    for failure in &done.report.failed {
        println!("not read: {}: {}", failure.path, failure.reason);
    }

    let answer = graph.ask(question).await?;
    println!("\n{question}\n{}", answer.answer);
    for path in &answer.paths {
        let names: Vec<_> = path.nodes.iter().map(|node| node.name.as_str()).collect();
        println!("  because of {}", names.join(" – "));
    }
    for passage in &answer.passages {
        println!("  {} says: {}", passage.document, passage.text.trim());
    }
    Ok(())
}
