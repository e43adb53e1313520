//! Creates the agent from a model, the tools, and instructions.

use std::sync::Arc;

use graphwright::{Agent, Error, Graph, Result, Toolbox};

use crate::Posts;

const INSTRUCTIONS: &str = include_str!("instructions.md");

/// Returns the tools over the graph as it is now. Make new ones for each question.
///
/// # Errors
/// If the graph cannot be read.
pub async fn tools(graph: &Graph) -> Result<Toolbox> {
    Ok(Toolbox::from_set(Posts::new(graph.snapshot().await?))?)
}

/// Creates an agent of the graph's model, for one question.
///
/// [`Graph::ask_agent`] runs it, and keeps only what the cited posts confirm.
///
/// # Errors
/// If no model is set, or if the graph cannot be read.
pub async fn agent(graph: &Graph) -> Result<Agent> {
    let model = graph.model().ok_or_else(|| Error::Settings {
        message: "the agent needs a model, and none is set".to_owned(),
        hint: "set one with --model or GRAPHWRIGHT_MODEL, as openai/gpt-4o-mini (with OPENAI_API_KEY) or ollama/qwen3"
            .to_owned(),
    })?;
    Ok(Agent::new(Arc::clone(model))
        .with_name("stackoverflow")
        .with_instructions(INSTRUCTIONS)
        .with_tools(tools(graph).await?)
        .with_temperature(0.0)
        .with_numbered_results())
}
