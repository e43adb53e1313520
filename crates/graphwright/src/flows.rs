//! Questions that a flow answers by Cypher.

use std::sync::Arc;

use graphwright_answer::{Answer, Event};
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

    /// Opens the flows of this version of the graph, which remember how they fared with a kind of question.
    async fn flows(&self) -> Result<Text2Cypher> {
        let model = self.model().ok_or_else(|| Error::Settings {
            message: "a flow needs a model, and none is set".to_owned(),
            hint: "set one, as openai/gpt-4o-mini or ollama/qwen3".to_owned(),
        })?;
        let answerer = self.answerer().await?;
        let loaded = self.loaded().await?;
        let open = async {
            let flows = Text2Cypher::open(Arc::clone(self.store()), answerer, Arc::clone(model)).await?;
            Ok::<_, Error>(flows.with_suggestions(Arc::new(self.suggestions()?)))
        };
        Ok(loaded.flows.get_or_try_init(|| open).await?.clone())
    }
}
