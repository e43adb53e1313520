//! Translates the client library's streams to [`ChatStream`], with only what is new in each piece.

use std::collections::VecDeque;

use futures::{StreamExt, stream};
use genai::chat as wire;
use serde_json::Value;

use super::{failure, reply};
use crate::{ChatStream, LlmError, Result, StreamEvent, provider::failure::Source};

/// Opens a stream, and waits for its first piece.
///
/// So a refused request fails here, where it can be tried again.
pub(super) async fn open(inner: wire::ChatStream, source: Source) -> Result<ChatStream> {
    let mut reader = EventReader {
        inner,
        source,
        calls: Vec::new(),
        ready: VecDeque::new(),
        silent: true,
        finished: false,
    };
    match reader.next().await {
        Some(Err(error)) => Err(error),
        Some(Ok(first)) => {
            let rest = stream::unfold(reader, |mut reader| async {
                let event = reader.next().await?;
                Some((event, reader))
            });
            Ok(stream::once(async { Ok(first) }).chain(rest).boxed())
        }
        None => Err(reader.broken_off()),
    }
}

/// A reader of the client library's events, which it translates one by one.
struct EventReader {
    inner: wire::ChatStream,
    source: Source,
    /// The calls seen so far.
    calls: Vec<Call>,
    ready: VecDeque<StreamEvent>,
    /// Whether nothing was said yet.
    silent: bool,
    finished: bool,
}

struct Call {
    /// The identifier as the library gives it.
    given: String,
    id: String,
    /// The arguments already passed on.
    passed: String,
}

impl EventReader {
    async fn next(&mut self) -> Option<Result<StreamEvent>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if self.finished {
                return None;
            }
            let result = match self.inner.next().await {
                Some(Ok(event)) => self.read(event),
                Some(Err(error)) => Err(failure::translate(&self.source, error)),
                None => Err(self.broken_off()),
            };
            if let Err(error) = result {
                self.finished = true;
                return Some(Err(error));
            }
        }
    }

    fn read(&mut self, event: wire::ChatStreamEvent) -> Result<()> {
        self.silent &= matches!(event, wire::ChatStreamEvent::Start | wire::ChatStreamEvent::Heartbeat);
        match event {
            wire::ChatStreamEvent::Chunk(piece) => self.ready.push_back(StreamEvent::Text(piece.content)),
            wire::ChatStreamEvent::ReasoningChunk(piece) => {
                self.ready.push_back(StreamEvent::Reasoning(piece.content));
            }
            wire::ChatStreamEvent::ToolCallChunk(piece) => self.read_call(&piece.tool_call),
            wire::ChatStreamEvent::End(end) => self.finish(end)?,
            wire::ChatStreamEvent::Start
            | wire::ChatStreamEvent::ThoughtSignatureChunk(_)
            | wire::ChatStreamEvent::Heartbeat => {}
        }
        Ok(())
    }

    /// Passes on what is new in a call: the library repeats the arguments from their beginning in
    /// each piece.
    fn read_call(&mut self, call: &wire::ToolCall) {
        let arguments = match &call.fn_arguments {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            arguments => arguments.to_string(),
        };
        // Calls may share an identifier, so a piece continues a call only if its arguments do.
        let same = |known: &Call| known.given == call.call_id && arguments.starts_with(&known.passed);
        let index = self.calls.iter().rposition(same).unwrap_or_else(|| self.start_call(call));
        let known = &mut self.calls[index];
        let new = arguments[known.passed.len()..].to_owned();
        if !new.is_empty() {
            known.passed = arguments;
            self.ready.push_back(StreamEvent::ToolCallDelta { id: known.id.clone(), arguments: new });
        }
    }

    fn start_call(&mut self, call: &wire::ToolCall) -> usize {
        let given = call.call_id.clone();
        let id = reply::unique_id(&given, self.count(&given));
        self.ready.push_back(StreamEvent::ToolCallStart { id: id.clone(), name: call.fn_name.clone() });
        self.calls.push(Call { given, id, passed: String::new() });
        self.calls.len() - 1
    }

    fn count(&self, given: &str) -> usize {
        self.calls.iter().filter(|call| call.given == given).count()
    }

    fn finish(&mut self, end: wire::StreamEnd) -> Result<()> {
        // The library makes up an end when the connection breaks. Only a true end has a reason.
        if end.captured_stop_reason.is_none() {
            return Err(self.broken_off());
        }
        self.finished = true;
        for call in end.captured_tool_calls().unwrap_or_default() {
            if self.count(&call.call_id) == 0 {
                self.read_call(call);
            }
        }
        let reply = reply::assemble(
            end.captured_content.unwrap_or_default(),
            end.captured_stop_reason.as_ref(),
            end.captured_usage.as_ref(),
            self.source.name.model.clone(),
        );
        self.ready.push_back(StreamEvent::End(Box::new(reply)));
        Ok(())
    }

    fn broken_off(&self) -> LlmError {
        self.source.broken_off(self.silent)
    }
}
