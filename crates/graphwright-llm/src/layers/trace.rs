//! Traces each call with a span, and logs a line for each call and each result at the level
//! `debug`.
//!
//! Spans are named as in OpenTelemetry's conventions for generative AI
//! (<https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/>).

mod transcript;

use std::time::Instant;

use async_trait::async_trait;
use futures::StreamExt;
use tracing::{Instrument, Span, field::Empty};

use crate::{
    ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, ModelName, OutputFormat, Provider, Result,
    StreamEvent, Usage,
};

/// The target of the lines in the log.
const CALLS: &str = "graphwright_llm::calls";

/// Returns the name of a provider in the conventions, which allow others.
const fn provider_name(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi | Provider::OpenAiResponses => "openai",
        Provider::Azure => "azure.ai.openai",
        Provider::Gemini => "gcp.gemini",
        Provider::Bedrock => "aws.bedrock",
        Provider::Vertex => "gcp.vertex_ai",
        Provider::Anthropic
        | Provider::Ollama
        | Provider::Cohere
        | Provider::Jina
        | Provider::Voyage
        | Provider::Tei
        | Provider::OpenAiCompatible => provider.name(),
    }
}

#[derive(Debug)]
pub(super) struct Traced<M> {
    inner: M,
    name: ModelName,
    server: String,
    content: bool,
}

impl<M: ChatModel> Traced<M> {
    /// Traces a model at `address`, which is without secrets.
    ///
    /// `content` tells whether spans and log carry what was said.
    pub(super) fn new(inner: M, name: ModelName, address: &str, content: bool) -> Self {
        Self { inner, name, server: host(address).to_owned(), content }
    }

    fn begin(&self, request: &ChatRequest, stream: bool) -> Call {
        let model = self.name.model.as_str();
        let json = !matches!(request.output, OutputFormat::Text);
        let span = tracing::info_span!(
            "chat",
            otel.name = format!("chat {model}"),
            otel.kind = "client",
            otel.status_code = Empty,
            gen_ai.operation.name = "chat",
            gen_ai.provider.name = provider_name(self.name.provider),
            gen_ai.request.model = model,
            gen_ai.request.stream = stream,
            gen_ai.request.temperature = request.temperature,
            gen_ai.request.seed = request.seed,
            gen_ai.request.max_tokens = request.max_tokens,
            gen_ai.output.r#type = if json { "json" } else { "text" },
            gen_ai.system_instructions = Empty,
            gen_ai.input.messages = Empty,
            gen_ai.output.messages = Empty,
            gen_ai.response.model = Empty,
            gen_ai.response.finish_reasons = Empty,
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.usage.cache_read.input_tokens = Empty,
            gen_ai.usage.reasoning.output_tokens = Empty,
            graphwright.cost = Empty,
            graphwright.cached = Empty,
            server.address = self.server,
            error.r#type = Empty,
        );
        if self.content && !span.is_disabled() {
            let (system, messages) = transcript::request_messages(request);
            span.record("gen_ai.system_instructions", system.to_string());
            span.record("gen_ai.input.messages", messages.to_string());
        }
        // Without a parent: the fields of the span would drown the line.
        tracing::debug!(
            target: CALLS,
            parent: None,
            model = %self.name,
            messages = request.messages.len(),
            tools = request.tools.len(),
            stream,
            said = self.content.then(|| tracing::field::display(transcript::readable(&request.messages))),
            "call"
        );
        Call { span, model: self.name.to_string(), started: Instant::now(), content: self.content }
    }
}

/// A call that is being traced.
struct Call {
    span: Span,
    model: String,
    started: Instant,
    content: bool,
}

impl Call {
    fn record(&self, result: Result<&ChatReply, &LlmError>) {
        let elapsed = self.started.elapsed();
        match result {
            Ok(reply) => {
                self.record_reply(reply);
                tracing::debug!(
                    target: CALLS,
                    parent: None,
                    model = %self.model,
                    finish = transcript::finish_reason(reply.finish),
                    input_tokens = reply.usage.input_tokens,
                    output_tokens = reply.usage.output_tokens,
                    cost = reply.usage.cost,
                    ?elapsed,
                    said = self.content.then(|| tracing::field::display(transcript::readable([&reply.message]))),
                    "reply"
                );
            }
            Err(error) => {
                record_error(&self.span, error);
                tracing::debug!(target: CALLS, parent: None, model = %self.model, ?elapsed, %error, "no reply");
            }
        }
    }

    fn record_reply(&self, reply: &ChatReply) {
        let span = &self.span;
        span.record("gen_ai.response.model", reply.model.as_str());
        span.record(
            "gen_ai.response.finish_reasons",
            format!("[{:?}]", transcript::finish_reason(reply.finish)),
        );
        record_usage(span, &reply.usage);
        if self.content && !span.is_disabled() {
            span.record("gen_ai.output.messages", transcript::reply_messages(reply).to_string());
        }
    }
}

/// Creates the span of a request to an embedder.
#[cfg(feature = "providers")]
pub(super) fn embedding_span(name: &ModelName, address: &str, dimensions: usize) -> Span {
    let model = name.model.as_str();
    tracing::info_span!(
        "embeddings",
        otel.name = format!("embeddings {model}"),
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = "embeddings",
        gen_ai.provider.name = provider_name(name.provider),
        gen_ai.request.model = model,
        gen_ai.embeddings.dimension.count = dimensions,
        gen_ai.usage.input_tokens = Empty,
        graphwright.cost = Empty,
        server.address = host(address),
        error.r#type = Empty,
    )
}

/// Creates the span of a request to a reranker. The conventions have no name for it.
#[cfg(feature = "providers")]
pub(super) fn rerank_span(name: &ModelName, address: &str) -> Span {
    let model = name.model.as_str();
    tracing::info_span!(
        "rerank",
        otel.name = format!("rerank {model}"),
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = "rerank",
        gen_ai.provider.name = provider_name(name.provider),
        gen_ai.request.model = model,
        gen_ai.usage.input_tokens = Empty,
        graphwright.cost = Empty,
        server.address = host(address),
        error.r#type = Empty,
    )
}

pub(super) fn record_usage(span: &Span, usage: &Usage) {
    span.record("gen_ai.usage.input_tokens", usage.input_tokens);
    span.record("gen_ai.usage.output_tokens", usage.output_tokens);
    span.record("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens);
    span.record("gen_ai.usage.reasoning.output_tokens", usage.reasoning_tokens);
    span.record("graphwright.cached", usage.cached_replies > 0);
    if let Some(cost) = usage.cost {
        span.record("graphwright.cost", cost);
    }
}

/// Records the kind of an error alone: its words may repeat what was said.
pub(super) fn record_error(span: &Span, error: &LlmError) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", error.kind());
}

fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    // User and password may stand before the host.
    authority.rsplit('@').next().unwrap_or(authority)
}

#[async_trait]
impl<M: ChatModel> ChatModel for Traced<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let call = self.begin(&request, false);
        let result = self.inner.chat(request).instrument(call.span.clone()).await;
        call.record(result.as_ref());
        result
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let call = self.begin(&request, true);
        let opened = self.inner.stream(request).instrument(call.span.clone()).await;
        let stream = opened.inspect_err(|error| call.record(Err(error)))?;
        Ok(stream
            .inspect(move |event| match event {
                Ok(StreamEvent::End(reply)) => call.record(Ok(reply)),
                Ok(_) => {}
                Err(error) => call.record(Err(error)),
            })
            .boxed())
    }
}
