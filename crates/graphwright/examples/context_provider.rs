//! Puts what a retriever finds before each message of an agent: `cargo run -p graphwright --example context_provider`.
//!
//! The model is a script that repeats what it sees, so that no key is needed.

#![expect(clippy::print_stdout, reason = "an example talks to the person who runs it")]

use std::sync::Arc;

use graphwright::{
    Agent, Graph, GraphContext, Input, MemoryThreads, RetrieverChoice, ToolContext,
    llm::{ChatReply, Message, ScriptedModel},
};

const NOTE: &str = "\
# Tokens

Tokens of the gateway expire after an hour. The service `billing` refreshes them.

# Kitchen

The canteen opens at noon and serves soup.
";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let graph = Graph::builder().store(folder.path().join("graph")).build().await?;
    graph.ingest([Input::Bytes { source: "notes.md".to_owned(), bytes: NOTE.as_bytes().to_vec() }]).await?;

    let retriever = graph.retriever(&RetrieverChoice::Hybrid { indexes: None }).await?;
    let context = GraphContext::new(retriever).top_k(1).tokens(500);
    let model = ScriptedModel::answering(|request| {
        let seen = request.messages.last().map(Message::text).unwrap_or_default();
        Ok(ChatReply::from(format!("I was shown:\n{seen}")))
    });
    let agent = Agent::new(Arc::new(model))
        .with_threads(Arc::new(MemoryThreads::default()))
        .with_context(Arc::new(context));

    let thread = ToolContext::new("thread");
    for message in ["When do tokens expire?", "Thanks!"] {
        let run = agent.run::<String>(message, &thread).await?;
        println!("> {message}\n{}\n", run.output);
        for provided in &run.provided {
            println!("({} looked for {:?} and put in {:?})\n", provided.source, provided.query, provided.ids);
        }
    }
    Ok(())
}
