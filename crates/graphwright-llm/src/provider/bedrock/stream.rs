//! Translates the client library's streams to [`ChatStream`].

use futures::{StreamExt, stream};
use genai::chat as wire;

use super::{failure, reply};
use crate::{
    ChatStream, Result, StreamEvent,
    provider::{draft::Draft, failure::Source, stream::begun},
};

/// Opens a stream, and waits for its first event.
///
/// So a refused request fails here, where it can be tried again.
pub(super) async fn open(inner: wire::ChatStream, source: Source) -> Result<ChatStream> {
    let broken_off = source.broken_off(true);
    let reader = Reader { inner, source, draft: Some(Draft::default()) };
    let events = stream::unfold(reader, |mut reader| async { Some((reader.next().await?, reader)) });
    begun(events.boxed(), broken_off).await
}

/// A reader of the client library's events.
struct Reader {
    inner: wire::ChatStream,
    source: Source,
    /// The reply so far. None once its end or an error was passed on.
    draft: Option<Draft>,
}

impl Reader {
    async fn next(&mut self) -> Option<Result<StreamEvent>> {
        loop {
            let mut draft = self.draft.take()?;
            if let Some(event) = draft.next_event() {
                self.draft = Some(draft);
                return Some(Ok(event));
            }
            if draft.is_ended() {
                let name = &self.source.name;
                let reply = draft.complete(&name.to_string(), &name.model);
                return Some(Ok(StreamEvent::End(Box::new(reply))));
            }
            match self.inner.next().await {
                Some(Ok(event)) => read(event, &mut draft),
                Some(Err(error)) => return Some(Err(failure::translate(&self.source, error))),
                // The library makes up an end when the connection breaks. Only a true end has a
                // reason.
                None => return Some(Err(self.source.broken_off(draft.is_void()))),
            }
            self.draft = Some(draft);
        }
    }
}

fn read(event: wire::ChatStreamEvent, draft: &mut Draft) {
    match event {
        wire::ChatStreamEvent::Chunk(piece) => draft.say(&piece.content),
        wire::ChatStreamEvent::ReasoningChunk(piece) => draft.think("", &piece.content),
        wire::ChatStreamEvent::ToolCallChunk(piece) => reply::read_call(&piece.tool_call, draft),
        wire::ChatStreamEvent::End(end) => {
            draft.settle();
            reply::end(end.captured_stop_reason.as_ref(), end.captured_usage.as_ref(), draft);
        }
        wire::ChatStreamEvent::Start
        | wire::ChatStreamEvent::ThoughtSignatureChunk(_)
        | wire::ChatStreamEvent::Heartbeat => {}
    }
}
