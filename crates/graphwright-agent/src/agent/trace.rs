//! Spans and log lines for tool calls.

use std::time::Instant;

use graphwright_llm::{ToolCall, estimate_tokens};
use tracing::{Span, field::Empty};

/// The log target that gets one line for each call and one for each result.
const CALLS: &str = "graphwright_agent::calls";

/// A traced call, with the field names of OpenTelemetry's conventions for generative AI
/// (<https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/>).
pub(super) struct CallTrace {
    span: Span,
    name: String,
    started: Instant,
    /// Whether the trace carries arguments and result.
    content: bool,
}

impl CallTrace {
    pub(super) fn begin(call: &ToolCall, content: bool) -> Self {
        let ToolCall { id, name, arguments } = call;
        let said = content.then(|| arguments.to_string());
        let span = tracing::info_span!(
            "execute_tool",
            otel.name = format!("execute_tool {name}"),
            otel.status_code = Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = name,
            gen_ai.tool.call.id = id,
            gen_ai.tool.call.arguments = said,
            gen_ai.tool.call.result = Empty,
            graphwright.cached = Empty,
            error.r#type = Empty,
        );
        // Without a parent: the fields of the span would drown the line.
        tracing::debug!(target: CALLS, parent: None, tool = name, said, "call");
        Self { span, name: name.clone(), started: Instant::now(), content }
    }

    pub(super) fn span(&self) -> &Span {
        &self.span
    }

    /// Ends the trace with the text that the model is told.
    pub(super) fn end(&self, text: &str, is_error: bool) {
        let said = self.content.then_some(text);
        if let Some(said) = said {
            self.span.record("gen_ai.tool.call.result", said);
        }
        if is_error {
            self.span.record("otel.status_code", "ERROR");
            self.span.record("error.type", "tool_error");
        }
        let (tool, tokens, elapsed) = (&self.name, estimate_tokens(text), self.started.elapsed());
        tracing::debug!(target: CALLS, parent: None, tool, tokens, is_error, ?elapsed, said, "result");
    }
}
