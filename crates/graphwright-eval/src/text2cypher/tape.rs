//! Records what a model replies, and plays it again.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use futures::StreamExt;
use graphwright_llm::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, StreamEvent};
use serde::{Deserialize, Serialize};

use super::step::Step;

type Outcome<T> = Result<T, LlmError>;

/// A request and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// What was asked for.
    pub step: Step,
    /// The hash of the request.
    pub request: String,
    /// The reply; `None` if the model failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<ChatReply>,
    /// The model's error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What was said so far. Clones share it.
#[derive(Clone, Debug, Default)]
struct Heard(Arc<Mutex<Vec<Exchange>>>);

impl Heard {
    fn lock(&self) -> MutexGuard<'_, Vec<Exchange>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, (step, request): &(Step, String), outcome: Outcome<&ChatReply>) {
        let (reply, error) = match outcome {
            Ok(reply) => (Some(reply.clone()), None),
            Err(error) => (None, Some(error.to_string())),
        };
        self.lock().push(Exchange { step: *step, request: request.clone(), reply, error });
    }
}

/// A model that passes all on to another one, and keeps what that replies. Clones share what they keep.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    model: Arc<dyn ChatModel>,
    heard: Heard,
}

impl Recorder {
    pub(super) fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model, heard: Heard::default() }
    }

    /// Returns what was said so far.
    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        self.heard.lock().clone()
    }
}

#[async_trait]
impl ChatModel for Recorder {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn chat(&self, request: ChatRequest) -> Outcome<ChatReply> {
        let asked = (Step::of(&request), hash(&request));
        let outcome = self.model.chat(request).await;
        self.heard.add(&asked, outcome.as_ref().map_err(Clone::clone));
        outcome
    }

    async fn stream(&self, request: ChatRequest) -> Outcome<ChatStream> {
        let asked = (Step::of(&request), hash(&request));
        let stream = match self.model.stream(request).await {
            Ok(stream) => stream,
            Err(error) => {
                self.heard.add(&asked, Err(error.clone()));
                return Err(error);
            }
        };
        let heard = self.heard.clone();
        let listen = move |event: &Outcome<StreamEvent>| match event {
            Ok(StreamEvent::End(reply)) => heard.add(&asked, Ok(reply)),
            Ok(_) => {}
            Err(error) => heard.add(&asked, Err(error.clone())),
        };
        Ok(stream.inspect(listen).boxed())
    }
}

/// A model that gives the recorded replies to the requests that they were given to.
#[derive(Debug)]
pub(super) struct Tape {
    name: String,
    exchanges: Mutex<HashMap<String, VecDeque<Exchange>>>,
}

impl Tape {
    pub(super) fn new(name: impl Into<String>, exchanges: &[Exchange]) -> Self {
        let mut known: HashMap<String, VecDeque<Exchange>> = HashMap::new();
        for exchange in exchanges {
            known.entry(exchange.request.clone()).or_default().push_back(exchange.clone());
        }
        Self { name: name.into(), exchanges: Mutex::new(known) }
    }

    fn next(&self, request: &ChatRequest) -> Outcome<ChatReply> {
        let mut exchanges = self.exchanges.lock().unwrap_or_else(PoisonError::into_inner);
        let next = exchanges.get_mut(&hash(request)).and_then(VecDeque::pop_front);
        let unusable = |message: String| LlmError::BadReply { model: self.name.clone(), message };
        let exchange = next.ok_or_else(|| unusable("no reply to this request is recorded".to_owned()))?;
        exchange.reply.ok_or_else(|| unusable(exchange.error.unwrap_or_default()))
    }
}

#[async_trait]
impl ChatModel for Tape {
    fn name(&self) -> &str {
        &self.name
    }

    async fn chat(&self, request: ChatRequest) -> Outcome<ChatReply> {
        self.next(&request)
    }

    async fn stream(&self, request: ChatRequest) -> Outcome<ChatStream> {
        Ok(self.next(&request)?.into_stream())
    }
}

/// Returns the hash of all that a reply depends on.
fn hash(request: &ChatRequest) -> String {
    let text = serde_json::to_vec(request).unwrap_or_default();
    blake3::hash(&text).to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt;
    use graphwright_llm::ScriptedModel;

    use super::*;

    #[tokio::test]
    async fn what_was_recorded_is_played_to_the_same_requests() {
        let failed = LlmError::BadReply { model: "m".to_owned(), message: "cut off".to_owned() };
        let script = [Ok("one".into()), Ok("two".into()), Err(failed)];
        let recorder = Recorder::new(Arc::new(ScriptedModel::results(script)));
        let request = |text: &str| ChatRequest::new("", text);
        recorder.chat(request("a")).await.unwrap();
        let events: Vec<_> = recorder.stream(request("b")).await.unwrap().try_collect().await.unwrap();
        assert!(recorder.stream(request("c")).await.is_err());
        assert!(matches!(events.last(), Some(StreamEvent::End(_))));

        let exchanges = recorder.exchanges();
        let kept: Vec<Exchange> = serde_json::from_str(&serde_json::to_string(&exchanges).unwrap()).unwrap();
        let tape = Tape::new("m", &kept);
        assert_eq!(tape.chat(request("b")).await.unwrap(), exchanges[1].reply.clone().unwrap());
        assert_eq!(tape.chat(request("a")).await.unwrap().text(), "one");
        let said = |outcome: Outcome<ChatReply>| outcome.unwrap_err().to_string();
        assert!(said(tape.chat(request("c")).await).ends_with("cut off"));
        assert!(said(tape.chat(request("a")).await).ends_with("no reply to this request is recorded"));
    }
}
