//! Models behind the wire formats of their providers.

mod address;
mod asked;
mod bedrock;
mod draft;
mod embedder;
mod failure;
mod framing;
mod reranker;
mod stream;
mod takes;
mod thoughts;
mod wire;
mod wishes;

use std::{path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use graphwright_core::text::{public_address, secrets_of_address};
use reqwest::{Client, Response, header::CONTENT_TYPE};
use secrecy::SecretString;
use serde_json::Value;

use self::{
    address::{Call, Target},
    asked::Asked,
    bedrock::BedrockModel,
    draft::Draft,
    failure::Source,
    takes::Known,
    wire::Form,
};
pub(crate) use self::{embedder::ProviderEmbedder, reranker::ProviderReranker};
use crate::{
    ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, ModelName, Provider, ProviderSettings, Result,
};

/// The time to open a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The most times that a request is made again without what its model does not take.
const MOST_STEPS: usize = 12;

/// Returns a chat model of a provider, without any layer.
pub(crate) fn model(name: &ModelName, settings: &ProviderSettings) -> Result<Arc<dyn ChatModel>> {
    Ok(match (Form::of(name), name.provider) {
        (Some(form), _) => Arc::new(WireModel::new(name, settings, form)?),
        (None, Provider::Bedrock) => Arc::new(BedrockModel::new(name, settings)?),
        (None, provider) => {
            let message = format!("{provider} has rerankers and no chat models here");
            return Err(LlmError::Configuration { message });
        }
    })
}

/// A connection to a model: the client, and the model's address.
#[derive(Debug)]
struct Connection {
    client: Client,
    target: Target,
    settings: ProviderSettings,
    source: Source,
}

impl Connection {
    fn new(name: &ModelName, settings: &ProviderSettings) -> Result<Self> {
        let target = Target::new(name, settings)?;
        let client = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(settings.timeout.unwrap_or(ProviderSettings::TIMEOUT))
            .build()
            .map_err(|error| LlmError::Configuration {
                message: format!("cannot set up the HTTP client: {error}"),
            })?;
        let source = Source::new(name, settings, &target.base);
        Ok(Self { client, target, settings: settings.clone(), source })
    }

    /// Makes a request, and returns the answer if it is a success.
    async fn post(&self, call: Call, body: &Value) -> Result<Response> {
        let response = self.send(call, body).await?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self.refusal(response).await.0)
    }

    async fn send(&self, call: Call, body: &Value) -> Result<Response> {
        let url = self.target.url(&self.source.name, &self.settings, call);
        let request = self.client.post(url).headers(self.target.headers.clone());
        let request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        request.send().await.map_err(|error| self.source.disconnected(&error))
    }

    /// Reads an answer that is no success, and returns it with its body.
    async fn refusal(&self, response: Response) -> (LlmError, String) {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = response.text().await.unwrap_or_default();
        let error = self.source.by_status(status, &body, |name| headers.get(name)?.to_str().ok());
        (error, body)
    }

    /// Reads the JSON of an answer.
    async fn json(&self, response: Response) -> Result<Value> {
        let header = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let content_type = header.unwrap_or_default().to_owned();
        let body = response.bytes().await.map_err(|error| self.source.disconnected(&error))?;
        serde_json::from_slice(&body).map_err(|error| {
            self.source.bad_reply(if content_type.contains("json") {
                error.to_string()
            } else {
                let address = &self.source.address;
                format!("{address} answers with {content_type:?} instead of JSON; is the address right?")
            })
        })
    }
}

impl Source {
    fn new(name: &ModelName, settings: &ProviderSettings, base: &str) -> Self {
        let secrets = settings.key.iter().chain(&settings.bearer_token).cloned();
        Self {
            name: name.clone(),
            address: public_address(base).into_owned(),
            secrets: secrets.chain(secrets_of_address(base).map(SecretString::from)).collect(),
        }
    }
}

/// A chat model whose form of requests and replies is ours to read.
#[derive(Debug)]
struct WireModel {
    connection: Connection,
    form: Form,
    full_name: String,
    /// What the model was found not to take.
    known: Known,
}

impl WireModel {
    fn new(name: &ModelName, settings: &ProviderSettings, form: Form) -> Result<Self> {
        let connection = Connection::new(name, settings)?;
        let full_name = name.to_string();
        let address = &connection.source.address;
        let recall = |file: &PathBuf| Known::recall(file, &full_name, address);
        let known = settings.refusals.as_ref().map(recall).unwrap_or_default();
        Ok(Self { connection, form, full_name, known })
    }

    /// Makes a request, again without what the model does not take.
    async fn ask(&self, request: &ChatRequest, stream: bool) -> Result<Response> {
        let call = if stream { Call::Stream } else { Call::Chat };
        let mut steps = 0;
        loop {
            let limits = self.known.limits();
            let Connection { source, settings, .. } = &self.connection;
            let asked = Asked { name: &source.name, request, settings, limits: &limits, stream };
            if asked.is_too_long() {
                return Err(LlmError::ContextLength { model: self.full_name.clone() });
            }
            let body = self.form.body(asked);
            let response = self.connection.send(call, &body).await?;
            let status = response.status();
            if status.is_success() {
                if steps > 0 {
                    self.known.remember().await;
                }
                return Ok(response);
            }
            let (error, refusal) = self.connection.refusal(response).await;
            steps += 1;
            let may_learn = matches!(status.as_u16(), 400 | 422 | 500 | 501) && steps < MOST_STEPS;
            if !may_learn || !self.known.learn(&limits, &body, &refusal) {
                return Err(error);
            }
            tracing::info!(model = self.full_name, %error, "asking again without what the model does not take");
        }
    }
}

#[async_trait]
impl ChatModel for WireModel {
    fn name(&self) -> &str {
        &self.full_name
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let response = self.ask(&request, false).await?;
        let body = self.connection.json(response).await?;
        let source = &self.connection.source;
        let mut draft = Draft::new(false);
        self.form.read_whole(&body, &mut draft).map_err(|trouble| source.trouble(trouble))?;
        draft.settle();
        if draft.is_void() && !draft.is_ended() {
            return Err(source.void_reply());
        }
        self.known.note(&draft);
        Ok(draft.complete(&self.full_name, &source.name.model))
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let response = self.ask(&request, true).await?;
        stream::open(response, self.form, self.connection.source.clone(), self.known.clone()).await
    }
}
