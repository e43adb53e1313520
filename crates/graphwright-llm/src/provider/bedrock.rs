//! Models of Amazon Bedrock, by its Converse interface.
//!
//! The client library `genai` knows its form and the binary frames of its streams. It is used here
//! and nowhere else.

mod failure;
mod reply;
mod request;
mod stream;

use async_trait::async_trait;
use genai::{
    Client, ModelIden, ServiceTarget, WebConfig,
    adapter::AdapterKind,
    resolver::{AuthData, Endpoint},
};

use super::{
    CONNECT_TIMEOUT,
    address::{base_address, required_key},
    draft::Draft,
    failure::Source,
};
use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, ModelName, ProviderSettings, Result};

/// A chat model of Bedrock, without any layer.
#[derive(Debug)]
pub(super) struct BedrockModel {
    client: Client,
    target: ServiceTarget,
    source: Source,
    settings: ProviderSettings,
    full_name: String,
}

impl BedrockModel {
    pub(super) fn new(name: &ModelName, settings: &ProviderSettings) -> Result<Self> {
        let base = base_address(name.provider, settings)?;
        let target = ServiceTarget {
            auth: AuthData::Key(required_key(name.provider, settings.key.as_ref())?),
            model: ModelIden::new(AdapterKind::BedrockApi, name.model.as_str()),
            endpoint: Endpoint::from_owned(base.clone()),
        };
        let web = WebConfig {
            connect_timeout: Some(CONNECT_TIMEOUT),
            read_timeout: Some(settings.timeout.unwrap_or(ProviderSettings::TIMEOUT)),
            ..WebConfig::default()
        };
        let client = Client::builder().with_web_config(web).build().map_err(|error| {
            LlmError::Configuration { message: format!("cannot set up the HTTP client: {error}") }
        })?;
        let source = Source::new(name, settings, &base);
        Ok(Self { client, target, source, settings: settings.clone(), full_name: name.to_string() })
    }
}

#[async_trait]
impl ChatModel for BedrockModel {
    fn name(&self) -> &str {
        &self.full_name
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let options = request::options(&request, &self.settings);
        let conversation = request::conversation(request);
        let reply = self.client.exec_chat(self.target.clone(), conversation, Some(&options)).await;
        let reply = reply.map_err(|error| failure::translate(&self.source, error))?;
        let mut draft = Draft::default();
        reply::read(reply, &mut draft);
        draft.settle();
        if draft.is_void() && !draft.is_ended() {
            return Err(self.source.void_reply());
        }
        Ok(draft.complete(&self.full_name, &self.source.name.model))
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let options = request::options(&request, &self.settings);
        let conversation = request::conversation(request);
        let opened = self.client.exec_chat_stream(self.target.clone(), conversation, Some(&options)).await;
        let opened = opened.map_err(|error| failure::translate(&self.source, error))?;
        stream::open(opened.stream, self.source.clone()).await
    }
}
