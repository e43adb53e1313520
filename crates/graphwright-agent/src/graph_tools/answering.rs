//! What all graph tools share: the graph that they read, the cache of results, and the note on a
//! graph that has changed.

use std::{borrow::Cow, sync::Arc};

use graphwright_answer::Event;
use graphwright_core::{cache::CacheKey, text::visible};
use serde_json::{Value, json};

use super::{GraphSnapshot, GraphTools, Source};
use crate::{ResultCache, ToolContext, ToolError, ToolOutput};

/// A call of one of the tools.
pub(super) struct Call<'a> {
    pub(super) context: &'a ToolContext,
    pub(super) name: &'static str,
    /// Everything that the result depends on besides the graph.
    pub(super) arguments: Value,
}

/// The result of a tool, with what decides about caching it.
pub(super) struct Answer {
    pub(super) output: ToolOutput,
    /// Whether the call gives the same result for as long as the graph stays the same.
    pub(super) lasts: bool,
    /// Whether the tool saw the current graph, even if the run reads an earlier one.
    pub(super) is_of_now: bool,
}

impl From<ToolOutput> for Answer {
    fn from(output: ToolOutput) -> Self {
        Self { output, lasts: true, is_of_now: false }
    }
}

impl GraphTools {
    /// Returns the graph that the tools read.
    pub(super) async fn graph(&self) -> Result<Arc<GraphSnapshot>, ToolError> {
        match &self.source {
            Source::Snapshot(graph) => Ok(Arc::clone(graph)),
            Source::Latest(source) => Ok(source.graph().await?),
        }
    }

    /// Answers a call from the cache, or else by doing the work.
    ///
    /// A result is cached if the graph has not changed meanwhile. If the graph has changed since
    /// the run began, a note in the output says so.
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
        let mut answer: Answer = work.await.map_err(ToolError::made_visible)?.into();
        // What was read of a damaged snapshot is no result.
        graph.require_whole()?;
        // Names of types, properties and columns stand outside of what is quoted.
        if let Cow::Owned(text) = visible(&answer.output.text) {
            answer.output.text = text;
        }
        // Neither the cache nor a note needs to know of changes, so the store is not asked.
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

    /// Returns the cache and the key for a call. `None` if there is no cache of this store, or if
    /// the graph has changed since the run began.
    async fn place(&self, graph: &GraphSnapshot, call: &Call<'_>) -> Option<(&ResultCache, CacheKey)> {
        let cache = self.cache.as_ref().filter(|cache| cache.is_of(graph.live()))?;
        let is_current = self.reads_latest() || matches!(graph.has_changed().await, Ok(false));
        let key = || CacheKey::new(&json!([call.name, call.arguments, graph.state(), self.tokens]));
        is_current.then(|| (cache, key()))
    }
}

/// Adds a note to the output if the graph has changed since the run began.
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

/// Estimates the size of a result in bytes.
fn size(output: &ToolOutput) -> usize {
    output.text.len() + output.structured.as_ref().map_or(0, |value| value.to_string().len())
}
