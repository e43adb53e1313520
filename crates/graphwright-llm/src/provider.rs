//! Models behind the wire formats of their providers.
//!
//! The client library `genai` is used here and nowhere else.

mod address;
mod embedder;
mod failure;
mod reply;
mod request;
mod stream;
mod wishes;

use std::time::Duration;

use async_trait::async_trait;
use genai::{Client, ServiceTarget, WebConfig};
use graphwright_core::text::{public_address, secrets_of_address};
use secrecy::SecretString;

pub(crate) use self::embedder::ProviderEmbedder;
use self::{address::Purpose, failure::Source};
use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, ModelName, ProviderSettings, Result};

/// The time to open a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection to a model: the client, and the model's address.
#[derive(Clone, Debug)]
struct Connection {
    client: Client,
    target: ServiceTarget,
    source: Source,
}

impl Connection {
    fn new(name: &ModelName, settings: &ProviderSettings, purpose: Purpose) -> Result<Self> {
        let target = address::target(name, settings, purpose)?;
        let web = WebConfig {
            connect_timeout: Some(CONNECT_TIMEOUT),
            read_timeout: Some(settings.timeout.unwrap_or(ProviderSettings::TIMEOUT)),
            ..WebConfig::default()
        };
        let client = Client::builder().with_web_config(web).build().map_err(|error| {
            LlmError::Configuration { message: format!("cannot set up the HTTP client: {error}") }
        })?;
        let source = Source {
            name: name.clone(),
            address: public_address(target.endpoint.base_url()).into_owned(),
            secrets: settings
                .key
                .iter()
                .chain(&settings.bearer_token)
                .cloned()
                .chain(secrets_of_address(target.endpoint.base_url()).map(SecretString::from))
                .collect(),
        };
        Ok(Self { client, target, source })
    }
}

/// A chat model of a provider, without any layer.
#[derive(Debug)]
pub(crate) struct ProviderModel {
    connection: Connection,
    full_name: String,
}

impl ProviderModel {
    pub(crate) fn new(name: &ModelName, settings: &ProviderSettings) -> Result<Self> {
        let connection = Connection::new(name, settings, Purpose::Chat)?;
        Ok(Self { connection, full_name: name.to_string() })
    }
}

#[async_trait]
impl ChatModel for ProviderModel {
    fn name(&self) -> &str {
        &self.full_name
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let Connection { client, target, source } = &self.connection;
        let options = request::options(&source.name, &request);
        let reply = client.exec_chat(target.clone(), request::conversation(request), Some(&options)).await;
        let reply = reply.map(reply::translate).map_err(|error| source.translate(error))?;
        if reply::is_void(&reply) { Err(source.void_reply()) } else { Ok(reply) }
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let Connection { client, target, source } = &self.connection;
        let options = request::options(&source.name, &request);
        let opened =
            client.exec_chat_stream(target.clone(), request::conversation(request), Some(&options)).await;
        let opened = opened.map_err(|error| source.translate(error))?;
        stream::open(opened.stream, source.clone()).await
    }
}
