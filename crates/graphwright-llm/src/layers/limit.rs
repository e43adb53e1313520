//! Limits the calls at the same time.

use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt;

use super::lane::Lane;
use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, Result};

/// A model that takes a place of its address for each call. Further calls wait in order.
///
/// A stream counts until its end.
#[derive(Debug)]
pub(super) struct Limited<M> {
    inner: M,
    lane: Arc<Lane>,
}

impl<M> Limited<M> {
    pub(super) fn new(inner: M, lane: Arc<Lane>) -> Self {
        Self { inner, lane }
    }
}

#[async_trait]
impl<M: ChatModel> ChatModel for Limited<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply> {
        let _place = self.lane.places.take().await?;
        self.inner.chat(request).await
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream> {
        let place = self.lane.places.take().await?;
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
