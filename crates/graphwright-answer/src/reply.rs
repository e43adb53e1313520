//! Replies of models as they stream in.

use futures::StreamExt;
use graphwright_llm::{ChatModel, ChatReply, ChatRequest, LlmError, StreamEvent};

use crate::Event;

/// How often a reply that breaks off is asked for.
const ATTEMPTS: usize = 2;

/// Asks a model and reports its text, and the arguments of its calls, as they stream in. A reply that breaks off is asked for once
/// more, which the event [`Restarted`](Event::Restarted) tells.
///
/// # Errors
/// Fails with the model's errors, and with [`BadReply`](LlmError::BadReply) if the reply ends too
/// early twice.
pub async fn stream_reply(
    model: &dyn ChatModel,
    request: ChatRequest,
    emit: impl Fn(Event) + Send,
) -> Result<ChatReply, LlmError> {
    let mut attempt = 1;
    loop {
        let mut begun = false;
        match read(model, request.clone(), &mut begun, &emit).await {
            Err(error) if begun && attempt < ATTEMPTS && is_interruption(&error) => {
                attempt += 1;
                emit(Event::Restarted { reason: format!("the reply broke off ({error}); asking again") });
            }
            outcome => return outcome,
        }
    }
}

/// Tells whether another attempt may go better.
fn is_interruption(error: &LlmError) -> bool {
    error.is_retryable() || matches!(error, LlmError::BadReply { .. })
}

async fn read(
    model: &dyn ChatModel,
    request: ChatRequest,
    begun: &mut bool,
    emit: &(impl Fn(Event) + Send),
) -> Result<ChatReply, LlmError> {
    let mut stream = model.stream(request).await?;
    // From here on the wrappers have done their part: what fails fails in the middle.
    *begun = true;
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
