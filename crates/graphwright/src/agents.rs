//! Agents over the graph.

use std::sync::Arc;

use graphwright_agent::{
    AGENT_INSTRUCTIONS, Agent, AgentAnswerer, AgentLimits, GraphSource, GraphTools, StoredThreads,
    ThreadStore, ToolContext, Toolbox,
};
use graphwright_answer::Answer;

use crate::{Error, Graph, Result};

/// Options of an agent.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AgentOptions {
    /// How far a run may go.
    pub limits: AgentLimits,
    /// Whether each tool sees the latest state of the graph, instead of one moment shared by all
    /// tools.
    pub latest: bool,
    /// Where conversations are kept. Without it, each question stands alone.
    pub threads: Option<Arc<dyn ThreadStore>>,
}

impl AgentOptions {
    /// Sets how far a run may go.
    #[must_use]
    pub fn limits(mut self, limits: AgentLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether each tool sees the latest state of the graph.
    #[must_use]
    pub fn latest(mut self, latest: bool) -> Self {
        self.latest = latest;
        self
    }

    /// Sets where conversations are kept.
    #[must_use]
    pub fn threads(mut self, threads: Arc<dyn ThreadStore>) -> Self {
        self.threads = Some(threads);
        self
    }
}

impl Graph {
    /// Builds tools for one run, which all read the graph as it is now.
    pub async fn tools(&self) -> Result<Toolbox> {
        Ok(Toolbox::from_set(self.remembering(GraphTools::new(Arc::new(self.snapshot().await?))))?)
    }

    /// Builds tools that read the latest state of the graph at each call.
    pub fn latest_tools(self: &Arc<Self>) -> Result<Toolbox> {
        let source: Arc<dyn GraphSource> = Arc::<Self>::clone(self);
        Ok(Toolbox::from_set(self.remembering(GraphTools::latest(source)))?)
    }

    fn remembering(&self, tools: GraphTools) -> GraphTools {
        match &self.results {
            Some(cache) => tools.with_cache(cache.clone()),
            None => tools,
        }
    }

    /// Builds an agent for one question, with the graph's model and tools that read the graph as it
    /// is now.
    ///
    /// The agent starts with names, explores, finds paths, and writes Cypher last. Its answers cite
    /// the results of its tools by number.
    ///
    /// # Errors
    /// Fails if no model is set or the graph cannot be read.
    pub async fn agent(self: &Arc<Self>, options: &AgentOptions) -> Result<Agent> {
        let model = self.model().ok_or_else(|| Error::Settings {
            message: "an agent needs a model, and none is set".to_owned(),
            hint: "set one, as openai/gpt-4o-mini or ollama/qwen3".to_owned(),
        })?;
        let tools = if options.latest { self.latest_tools()? } else { self.tools().await? };
        let agent = Agent::new(Arc::clone(model))
            .with_name("graph")
            .with_instructions(AGENT_INSTRUCTIONS)
            .with_tools(tools)
            .with_temperature(0.0)
            .with_limits(options.limits)
            .with_numbered_results();
        let agent = if self.settings().trace_content { agent.with_content_in_traces() } else { agent };
        Ok(match &options.threads {
            Some(threads) => agent.with_threads(Arc::clone(threads)).with_questions_that_stand_alone(),
            None => agent,
        })
    }

    /// Lets an agent find the answer.
    ///
    /// Sentences that the results of its tools do not support are dropped. If none remains, or the
    /// agent fails, the graph alone answers, and the answer says so.
    ///
    /// The agent's calls are recorded in [`routes`](Self::routes), unless the settings say
    /// otherwise. If recording fails, the [steps](Answer::steps) of the answer say so.
    pub async fn ask_agent(&self, agent: &Agent, question: &str, context: &ToolContext) -> Result<Answer> {
        Ok(self.agent_answerer().await?.ask(agent, question, context).await?)
    }

    /// Finishes the interrupted answer of the context's thread, as [`ask_agent`](Self::ask_agent)
    /// would have.
    ///
    /// # Errors
    /// Fails if the thread has no such answer.
    pub async fn resume_agent(&self, agent: &Agent, context: &ToolContext) -> Result<Answer> {
        Ok(self.agent_answerer().await?.resume(agent, context).await?)
    }

    async fn agent_answerer(&self) -> Result<AgentAnswerer> {
        let answerer = AgentAnswerer::new(self.answerer().await?);
        let records = self.settings().routes;
        Ok(if records { answerer.with_routes(Arc::new(self.routes()?)) } else { answerer })
    }

    /// Returns the conversations that are kept in the graph's store.
    pub fn threads(&self) -> StoredThreads {
        StoredThreads::new(Arc::clone(self.store())).with_versions(Arc::clone(&self.versions))
    }
}
