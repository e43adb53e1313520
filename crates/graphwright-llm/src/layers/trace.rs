//! A span for each call, named as OpenTelemetry's conventions for generative AI have it
//! (<https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/>).

use async_trait::async_trait;
use futures::StreamExt;
use tracing::{Instrument, Span, field::Empty};

use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, Result, StreamEvent};

#[derive(Debug)]
pub(super) struct Traced<M> {
    inner: M,
    content: bool,
}

impl<M: ChatModel> Traced<M> {
    /// `content`: whether spans carry what was said.
    pub(super) fn new(inner: M, content: bool) -> Self {
        Self { inner, content }
    }

    fn span(&self, request: &ChatRequest, stream: bool) -> Span {
        let (provider, model) = self.inner.name().split_once('/').unwrap_or(("", self.inner.name()));
        let span = tracing::info_span!(
            "chat",
            otel.name = format!("chat {model}"),
            otel.kind = "client",
            gen_ai.operation.name = "chat",
            gen_ai.provider.name = provider,
            gen_ai.request.model = model,
            gen_ai.request.stream = stream,
            gen_ai.request.temperature = request.temperature,
            gen_ai.request.seed = request.seed,
            gen_ai.request.max_tokens = request.max_tokens,
            gen_ai.input.messages = Empty,
            gen_ai.output.messages = Empty,
            gen_ai.response.model = Empty,
            gen_ai.response.finish_reasons = Empty,
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.usage.cache_read.input_tokens = Empty,
            gen_ai.usage.reasoning.output_tokens = Empty,
            graphwright.cost = Empty,
            error.r#type = Empty,
        );
        if self.content {
            span.record("gen_ai.input.messages", json(&request.messages));
        }
        span
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn record_reply(span: &Span, reply: &ChatReply, content: bool) {
    let usage = &reply.usage;
    span.record("gen_ai.response.model", reply.model.as_str());
    span.record("gen_ai.response.finish_reasons", json(&[reply.finish]));
    span.record("gen_ai.usage.input_tokens", usage.input_tokens);
    span.record("gen_ai.usage.output_tokens", usage.output_tokens);
    span.record("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens);
    span.record("gen_ai.usage.reasoning.output_tokens", usage.reasoning_tokens);
    if let Some(cost) = usage.cost {
        span.record("graphwright.cost", cost);
    }
    if content {
        span.record("gen_ai.output.messages", json(&reply.message));
    }
}

fn record_error(span: &Span, error: &LlmError) {
    let kind = match error {
        LlmError::Authentication { .. } => "authentication",
        LlmError::RateLimited { .. } => "rate_limited",
        LlmError::Unavailable { .. } => "unavailable",
        LlmError::ContextLength { .. } => "context_length",
        LlmError::Refused { .. } => "refused",
        LlmError::BadReply { .. } => "bad_reply",
        LlmError::Budget { .. } => "budget",
        LlmError::Configuration { .. } => "configuration",
        LlmError::Cancelled => "cancelled",
    };
    span.record("error.type", kind);
}

#[async_trait]
impl<M: ChatModel> ChatModel for Traced<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let span = self.span(&request, false);
        let result = self.inner.chat(request).instrument(span.clone()).await;
        match &result {
            Ok(reply) => record_reply(&span, reply, self.content),
            Err(error) => record_error(&span, error),
        }
        result
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let span = self.span(&request, true);
        let opened = self.inner.stream(request).instrument(span.clone()).await;
        let stream = opened.inspect_err(|error| record_error(&span, error))?;
        let content = self.content;
        Ok(stream
            .inspect(move |event| match event {
                Ok(StreamEvent::End(reply)) => record_reply(&span, reply, content),
                Ok(_) => {}
                Err(error) => record_error(&span, error),
            })
            .boxed())
    }
}
