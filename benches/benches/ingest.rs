//! How fast documents become a graph: the sample from nothing, and again when nothing changed.

use divan::{Bencher, counter::BytesCount};
use graphwright::{Graph, Ontology};
use tokio::runtime::Runtime;

const DOCUMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/software-catalogue/documents");
const ONTOLOGY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/software-catalogue/ontology.yaml");

fn main() {
    divan::main();
}

fn ontology() -> Ontology {
    Ontology::read(ONTOLOGY.as_ref()).expect("ontology")
}

async fn open(folder: &std::path::Path) -> Graph {
    Graph::builder().store(folder.join("graph")).build().await.expect("open")
}

fn bytes(folder: &std::path::Path) -> u64 {
    let entries =
        std::fs::read_dir(folder).expect("the sample is there").map(|entry| entry.expect("entry").path());
    entries.map(|path| if path.is_dir() { bytes(&path) } else { path.metadata().expect("file").len() }).sum()
}

#[divan::bench(sample_count = 10)]
fn first_time(bencher: Bencher<'_, '_>) {
    let runtime = Runtime::new().expect("runtime");
    bencher
        .counter(BytesCount::new(bytes(DOCUMENTS.as_ref())))
        .with_inputs(|| tempfile::tempdir().expect("folder"))
        .bench_values(|folder| {
            runtime.block_on(async {
                let graph = open(folder.path()).await;
                graph.ingest([DOCUMENTS]).ontology(ontology()).await.expect("ingest")
            })
        });
}

#[divan::bench(sample_count = 10)]
fn nothing_changed(bencher: Bencher<'_, '_>) {
    let runtime = Runtime::new().expect("runtime");
    let folder = tempfile::tempdir().expect("folder");
    let graph = runtime.block_on(async {
        let graph = open(folder.path()).await;
        graph.ingest([DOCUMENTS]).ontology(ontology()).await.expect("ingest");
        graph
    });
    bencher.counter(BytesCount::new(bytes(DOCUMENTS.as_ref()))).bench_local(|| {
        runtime.block_on(graph.ingest([DOCUMENTS]).ontology(ontology()).into_future()).expect("ingest")
    });
}
