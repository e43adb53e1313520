//! Questions that a flow answers by Cypher.

use std::sync::Arc;

use graphwright_answer::{Answer, Event};
use graphwright_llm::{ChatModel, ChatReply, ScriptedModel};
use graphwright_text2cypher::{FlowOptions, Text2Cypher};

use crate::{Error, Graph, Result};

impl Graph {
    /// Answers a question by Cypher that the graph's model writes, through a flow. Calls `events` with what happens on the way; the last
    /// event is [`Event::Done`].
    ///
    /// The queries only read. If the model fails or the time is over, the graph alone answers, and the answer says so.
    ///
    /// # Errors
    /// Fails if no model is set, the question has no words, the graph cannot be read, or the work is cancelled.
    pub async fn ask_flow(
        &self,
        question: &str,
        options: &FlowOptions,
        events: impl Fn(Event) + Send + Sync + 'static,
    ) -> Result<Answer> {
        Ok(self.flows().await?.ask(question, options, events).await?)
    }

    /// Verifies the [examples](Self::examples) that were learned under another schema: their queries must have no errors, run and give
    /// rows. What does not hold becomes a candidate. Returns how many hold, and how many do not. No model is asked.
    ///
    /// # Errors
    /// Fails if the graph cannot be read, or if the file of examples cannot be read or written.
    pub async fn verify_examples(&self) -> Result<(usize, usize)> {
        let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::replies(Vec::<ChatReply>::new()));
        Ok(self.open_flows(model).await?.verify_examples().await?)
    }

    /// Opens the flows of this version of the graph, which remember how they fared with a kind of question.
    async fn flows(&self) -> Result<Text2Cypher> {
        let model = self.model().ok_or_else(|| Error::Settings {
            message: "a flow needs a model, and none is set".to_owned(),
            hint: "set one, as openai/gpt-4o-mini or ollama/qwen3".to_owned(),
        })?;
        let loaded = self.loaded().await?;
        Ok(loaded.flows.get_or_try_init(|| self.open_flows(Arc::clone(model))).await?.clone())
    }

    async fn open_flows(&self, model: Arc<dyn ChatModel>) -> Result<Text2Cypher> {
        let answerer = self.answerer().await?;
        let flows = Text2Cypher::open(Arc::clone(self.store()), answerer, model).await?;
        let flows = flows.with_suggestions(Arc::new(self.suggestions()?));
        Ok(flows.with_examples(Arc::new(self.examples()?), self.settings().learn))
    }
}
