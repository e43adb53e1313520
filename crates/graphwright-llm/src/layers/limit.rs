//! Limits the calls at the same time.

use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, Result};

/// A model that lets a number of calls run at the same time. Further ones wait in order.
///
/// A stream counts until its end.
#[derive(Debug)]
pub(super) struct Limited<M> {
    inner: M,
    places: Arc<Semaphore>,
}

impl<M> Limited<M> {
    pub(super) fn new(inner: M, places: usize) -> Self {
        Self { inner, places: Arc::new(Semaphore::new(places.clamp(1, Semaphore::MAX_PERMITS))) }
    }

    async fn place(&self) -> Result<OwnedSemaphorePermit> {
        // Nobody closes the semaphore.
        Arc::clone(&self.places).acquire_owned().await.map_err(|_| LlmError::Cancelled)
    }
}

#[async_trait]
impl<M: ChatModel> ChatModel for Limited<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let _place = self.place().await?;
        self.inner.chat(request).await
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let place = self.place().await?;
        let stream = self.inner.stream(request).await?;
        Ok(stream
            .map(move |event| {
                // The place is freed when the stream is dropped, not when it was opened.
                let _held = &place;
                event
            })
            .boxed())
    }
}
