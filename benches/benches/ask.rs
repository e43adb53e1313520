//! How fast a question is answered on the sample without a model, with the graph open.

use divan::Bencher;
use std::future::IntoFuture;

use graphwright::{Graph, Ontology};
use tokio::runtime::Runtime;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/software-catalogue");
const QUESTIONS: &str = include_str!("../../examples/software-catalogue/demo.txt");

fn main() {
    divan::main();
}

#[divan::bench(args = QUESTIONS.lines())]
fn ask(bencher: Bencher<'_, '_>, question: &str) {
    let runtime = Runtime::new().expect("runtime");
    let folder = tempfile::tempdir().expect("folder");
    let graph = runtime.block_on(async {
        let graph =
            Graph::builder().store(folder.path().join("graph")).build().await.expect("open");
        let ontology = Ontology::read(format!("{SAMPLE}/ontology.yaml").as_ref()).expect("ontology");
        graph.ingest([format!("{SAMPLE}/documents")]).ontology(ontology).await.expect("ingest");
        graph
    });
    bencher.bench_local(|| runtime.block_on(graph.ask(question).into_future()).expect("answer"));
}
