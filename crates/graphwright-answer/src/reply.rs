//! Replies of models as they stream in.

use futures::StreamExt;
use graphwright_llm::{ChatModel, ChatReply, ChatRequest, LlmError, StreamEvent};

use crate::Event;

/// Asks a model and reports its text, and the arguments of its calls, as they stream in.
///
/// # Errors
/// Fails with the model's errors, and with [`BadReply`](LlmError::BadReply) if the reply ends too
/// early.
pub async fn stream_reply(
    model: &dyn ChatModel,
    request: ChatRequest,
    emit: impl Fn(Event) + Send,
) -> Result<ChatReply, LlmError> {
    let mut stream = model.stream(request).await?;
    while let Some(event) = stream.next().await {
        match event? {
            StreamEvent::Text(text) => emit(Event::Token { text }),
            StreamEvent::ToolCallStart { id, name } => emit(Event::ToolCallStarted { id, name }),
            StreamEvent::ToolCallDelta { id, arguments } => {
                emit(Event::ToolArguments { id, text: arguments });
            }
            StreamEvent::Reasoning(text) => emit(Event::Reasoning { text }),
            StreamEvent::End(reply) => return Ok(*reply),
        }
    }
    Err(LlmError::BadReply { model: model.name().to_owned(), message: "the reply broke off".to_owned() })
}
