//! Reads a streamed answer to [`ChatStream`].

use bytes::Bytes;
use futures::{StreamExt, stream, stream::BoxStream};
use serde_json::Value;

use super::{
    draft::Draft,
    failure::Source,
    framing::{Frame, Frames},
    takes::Known,
    wire::Form,
};
use crate::{ChatStream, FinishReason, LlmError, Result, StreamEvent};

/// Opens a stream, and waits for its first event.
///
/// So an answer that is none fails here, where it can be tried again.
pub(super) async fn open(
    response: reqwest::Response,
    form: Form,
    source: Source,
    known: Known,
) -> Result<ChatStream> {
    let draft = Draft::new(known.limits().thinks_unmarked);
    let bytes = response.bytes_stream().boxed();
    let frames = Frames::default();
    let broken_off = source.broken_off(true);
    let reader = Reader { bytes, closed: false, frames, draft, state: State::Reading, form, source, known };
    let events = stream::unfold(reader, |mut reader| async { Some((reader.next().await?, reader)) });
    begun(events.boxed(), broken_off).await
}

/// Waits for the first event of a stream; one that has none is the error.
pub(super) async fn begun(mut events: ChatStream, broken_off: LlmError) -> Result<ChatStream> {
    let first = events.next().await.ok_or(broken_off)??;
    Ok(stream::once(async { Ok(first) }).chain(events).boxed())
}

/// A reader of an answer, piece by piece.
struct Reader {
    bytes: BoxStream<'static, reqwest::Result<Bytes>>,
    /// Whether no more bytes come.
    closed: bool,
    frames: Frames,
    draft: Draft,
    state: State,
    form: Form,
    source: Source,
    known: Known,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    /// The reply is whole; its last events have not all been passed on.
    Whole,
    /// The end or an error was passed on.
    Over,
}

impl Reader {
    async fn next(&mut self) -> Option<Result<StreamEvent>> {
        loop {
            if self.state == State::Over {
                return None;
            }
            if let Some(event) = self.draft.next_event() {
                return Some(Ok(event));
            }
            if self.state == State::Whole {
                self.state = State::Over;
                return Some(Ok(self.end()));
            }
            if let Err(error) = self.step().await {
                self.state = State::Over;
                return Some(Err(error));
            }
        }
    }

    /// Reads the next piece, or more bytes.
    async fn step(&mut self) -> Result<()> {
        match self.frames.next() {
            Some(Frame::Data(data)) => self.read(&data),
            Some(Frame::Done) => {
                if !self.draft.is_void() && !self.draft.is_ended() {
                    self.draft.end(FinishReason::Stop);
                }
                self.close()
            }
            None if self.closed => self.close(),
            None => match self.bytes.next().await {
                Some(Ok(bytes)) => {
                    self.frames.push(&bytes);
                    Ok(())
                }
                // What was told to be whole is, however the connection ends.
                Some(Err(error)) if !self.draft.is_ended() => Err(self.source.disconnected(&error)),
                Some(Err(_)) | None => {
                    self.closed = true;
                    self.frames.end();
                    Ok(())
                }
            },
        }
    }

    fn read(&mut self, data: &str) -> Result<()> {
        let piece: Value = match serde_json::from_str(data) {
            Ok(piece) => piece,
            // Cut in its middle.
            Err(_) if self.closed => return Ok(()),
            Err(error) => return Err(self.source.bad_reply(format!("a piece of it is no JSON: {error}"))),
        };
        let read = self.form.read_piece(&piece, &mut self.draft);
        read.map_err(|trouble| self.source.trouble(trouble))
    }

    fn close(&mut self) -> Result<()> {
        if !self.draft.is_ended() {
            return Err(self.source.broken_off(self.draft.is_void()));
        }
        self.draft.settle();
        self.state = State::Whole;
        Ok(())
    }

    fn end(&mut self) -> StreamEvent {
        let draft = std::mem::take(&mut self.draft);
        self.known.note(&draft);
        let name = &self.source.name;
        StreamEvent::End(Box::new(draft.complete(&name.to_string(), &name.model)))
    }
}
