//! Runs every retriever on a small graph: `cargo run -p graphwright --example retrievers`.

#![expect(clippy::print_stdout, reason = "an example talks to the person who runs it")]

use std::sync::Arc;

use graphwright::{
    Graph, Input, Ontology, RetrieverChoice, SearchRequest,
    llm::{ListwiseReranker, ScriptedModel},
    search::{HitKind, Reranked, Retrieved, Retriever, in_words},
};

const NOTE: &str = "\
# Services

The service `ledger` depends on the library `money-types`. The service `billing` depends on the service `ledger`.

# Kitchen

The canteen opens at noon and serves soup.
";

const ONTOLOGY: &str = "\
nodes:
  Service: {}
  Library: {}
relationships:
  DEPENDS_ON: {from: [Service], to: [Service, Library]}
";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let graph = Graph::builder().store(folder.path().join("graph")).build().await?;
    let note = Input::Bytes { source: "services.md".to_owned(), bytes: NOTE.as_bytes().to_vec() };
    graph.ingest([note]).ontology(Ontology::parse(ONTOLOGY, "inline.yaml".as_ref())?).await?;

    let about = "MATCH (node)<-[:FROM_CHUNK]-(e) RETURN DISTINCT e.name AS name, score ORDER BY name";
    let passages =
        SearchRequest { kind: Some(HitKind::Chunk), limit: 1, ..SearchRequest::new("Who has lunch?") };
    let words = SearchRequest { limit: 2, explain: true, ..SearchRequest::new("billing money-types") };
    for (choice, request) in [
        (RetrieverChoice::Vector { index: None }, &passages),
        (RetrieverChoice::FullText { index: None }, &words),
        (RetrieverChoice::Hybrid { indexes: None }, &words),
        (
            RetrieverChoice::VectorCypher { query: about.to_owned(), index: None },
            &SearchRequest { query: "which service depends on which".to_owned(), ..passages.clone() },
        ),
        (RetrieverChoice::Neighborhood, &SearchRequest { limit: 1, ..SearchRequest::new("billing") }),
        (RetrieverChoice::Path, &words),
    ] {
        show(&graph.retriever(&choice).await?.retrieve(request).await?.within(500), request);
    }

    // Here a script plays the model that is asked for the order. `--reranker` names a real one.
    let model = ScriptedModel::replies(["[2] > [1]"]);
    let search = graph.retriever(&RetrieverChoice::FullText { index: None }).await?;
    let reranked = Reranked::new(search, Arc::new(ListwiseReranker::new(Arc::new(model))));
    show(&reranked.retrieve(&words).await?, &words);
    Ok(())
}

fn show(found: &Retrieved, request: &SearchRequest) {
    println!("{}: {:?}", found.retriever, request.query);
    for hit in &found.hits {
        println!("  {:.2} {} {} ({})", hit.score, hit.label, hit.name, hit.why);
    }
    for path in &found.paths {
        println!("  {:.2} {path}", path.score);
    }
    for row in &found.rows {
        println!("  {}", row.iter().map(in_words).collect::<Vec<_>>().join(" | "));
    }
}
