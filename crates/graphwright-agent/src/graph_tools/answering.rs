//! What the tools of a graph have in common: which graph they read, results that are remembered, and what is said when the graph has changed.

use std::sync::Arc;

use graphwright_answer::Event;
use serde_json::{Value, json};

use super::{GraphSnapshot, GraphTools, Source};
use crate::{ResultCache, ResultKey, ToolContext, ToolError, ToolOutput};

/// A call of one of the tools.
pub(super) struct Call<'a> {
    pub(super) context: &'a ToolContext,
    pub(super) name: &'static str,
    /// All that the result depends on beside the graph.
    pub(super) arguments: Value,
}

/// What a tool found.
pub(super) struct Answer {
    pub(super) output: ToolOutput,
    /// Whether the same call gives the same as long as the graph is the same.
    pub(super) lasts: bool,
    /// Whether it saw the graph as it is now, even where the run reads it as it was.
    pub(super) is_of_now: bool,
}

impl From<ToolOutput> for Answer {
    fn from(output: ToolOutput) -> Self {
        Self { output, lasts: true, is_of_now: false }
    }
}

impl GraphTools {
    pub(super) async fn graph(&self) -> Result<Arc<GraphSnapshot>, ToolError> {
        match &self.source {
            Source::Snapshot(graph) => Ok(Arc::clone(graph)),
            Source::Latest(source) => Ok(source.graph().await?),
        }
    }

    /// Answers a call by what was remembered of this graph, or else by the work, whose result is remembered if the graph has not changed meanwhile.
    /// Says when the graph has changed since the run began.
    pub(super) async fn answer<T: Into<Answer>>(
        &self,
        graph: &GraphSnapshot,
        call: Call<'_>,
        work: impl Future<Output = Result<T, ToolError>>,
    ) -> Result<ToolOutput, ToolError> {
        let place = self.place(graph, &call).await;
        if let Some(output) = place.and_then(|(cache, key)| cache.get(key)) {
            let what = format!("{} is answered from the cache; the graph has not changed since", call.name);
            call.context.emit(Event::Step { what });
            tracing::Span::current().record("graphwright.cached", true);
            return Ok(output);
        }
        let answer: Answer = work.await?.into();
        if place.is_none() && self.reads_latest() {
            return Ok(answer.output);
        }
        let change = graph.has_changed().await.map_err(|error| error.to_string());
        if let (Some((cache, key)), Ok(false), true) = (place, &change, answer.lasts) {
            cache.put(key, &answer.output, size(&answer.output));
        }
        Ok(if self.reads_latest() { answer.output } else { noted(answer, change) })
    }

    fn reads_latest(&self) -> bool {
        matches!(self.source, Source::Latest(_))
    }

    /// Where the result of a call is kept, unless the store holds something else by now.
    async fn place(&self, graph: &GraphSnapshot, call: &Call<'_>) -> Option<(&ResultCache, ResultKey)> {
        let cache = self.cache.as_ref().filter(|cache| cache.is_of(graph.live()))?;
        let is_current = self.reads_latest() || matches!(graph.has_changed().await, Ok(false));
        let key = || ResultCache::key(&json!([call.name, call.arguments, graph.state(), self.tokens]));
        is_current.then(|| (cache, key()))
    }
}

/// The output with a note where the graph has changed since the run began.
fn noted(answer: Answer, change: Result<bool, String>) -> ToolOutput {
    let Answer { mut output, is_of_now, .. } = answer;
    let note = match change {
        Ok(false) => return output,
        Ok(true) if is_of_now => {
            "the graph has changed since this work began, and this query saw it as it is now; the other tools show it as it was"
                .to_owned()
        }
        Ok(true) => "the graph has changed since this work began; this is as it was then".to_owned(),
        Err(error) => format!("whether the graph has changed since is not known: {error}"),
    };
    output.text = format!("{}\nNote: {note}.", output.text.trim_end());
    if let Some(Value::Object(fields)) = &mut output.structured {
        fields.insert("note".to_owned(), note.into());
    }
    output
}

/// About how many bytes a result takes.
fn size(output: &ToolOutput) -> usize {
    output.text.len() + output.structured.as_ref().map_or(0, |value| value.to_string().len())
}
